"""Cards leave a hand; items go to the discard."""

from ....core.compiler import rule


@rule
def take_cat_from_hand(s, seat, kind):
    """A cat leaves a hand; a known copy first."""
    s.hand_cats[seat, kind] -= 1
    s.num_cats[seat] -= 1
    if s.known_cats[seat, kind] > 0:
        s.known_cats[seat, kind] -= 1


@rule
def take_item_from_hand(s, seat, item):
    """An item leaves a hand; a known copy first."""
    s.hand_items[seat, item] -= 1
    s.num_items[seat] -= 1
    if s.known_items[seat, item] > 0:
        s.known_items[seat, item] -= 1


@rule
def discard_item(s, item):
    """An item to the discard."""
    s.discard[item] += 1
    s.discard_size += 1
