"""The frame of a turn: drawing, the end of a turn with its poops, and the next seat (TM-3 to TM-7)."""

from ....core import history
from ....core.chance import shuffle
from ....core.compiler import rule
from ..record import (
    DRAW,
    DRAW_CAT,
    DRAW_ITEM,
    DRAW_STORE_CAT,
    DRAW_STORE_ITEM,
    DRAW_WILD,
    DRAWN,
    END,
    HAND,
    ITEMS,
    ITEMS_A_TURN,
    KINDS,
    NONE,
    OVER,
    PLAY,
    STORE,
)
from .poops import add_poops, send_out


@rule
def has_face_up(slots):
    """Whether one of the three slots of the store holds a card."""
    for k in range(STORE):
        if slots[k] >= 0:
            return True
    return False


@rule
def can_draw_cat(s):
    """Whether any cat can be had (TM-7)."""
    return s.cat_deck_size > 0 or s.wild_size > 0 or has_face_up(s.store_cats)


@rule
def can_draw_item(s):
    """Whether any item can be had (TM-6)."""
    return s.item_deck_size > 0 or s.discard_size > 0 or has_face_up(s.store_items)


@rule
def owes_cat(s):
    """TM-5: the seat at turn has no cat in hand and could have one."""
    return s.num_cats[s.turn] == 0 and can_draw_cat(s)


@rule
def finish_draw(s):
    """TM-4: drawing ends by itself with six cards in hand, or when nothing is left to be drawn."""
    if not owes_cat(s):
        full = s.num_cats[s.turn] + s.num_items[s.turn] >= HAND
        if full or not (can_draw_cat(s) or can_draw_item(s)):
            s.phase = PLAY


@rule
def allow_draws(s, mask):
    """Allows what the seat at turn may draw, and to stop if that is a parameter (TM-4, TM-5, TM-7)."""
    owes = owes_cat(s)
    if s.cat_deck_size > 0:
        mask[DRAW_CAT] = 1
    elif s.wild_size > 0:
        mask[DRAW_WILD] = 1
    for k in range(STORE):
        if s.store_cats[k] >= 0:
            mask[DRAW_STORE_CAT + k] = 1
    if not (owes and s.num_cats[s.turn] + s.num_items[s.turn] >= HAND - 1):
        if s.item_deck_size > 0 or s.discard_size > 0:
            mask[DRAW_ITEM] = 1
        for k in range(STORE):
            if s.store_items[k] >= 0:
                mask[DRAW_STORE_ITEM + k] = 1
    if s.optional_draw and not owes:
        mask[END] = 1


@rule
def draw(s, action):
    """TM-4: one card into the hand of the seat at turn; what was drawn face up everybody knows."""
    seat = s.turn
    history.note(s, seat, action)
    if action == DRAW_CAT:
        s.cat_deck_size -= 1
        kind = s.cat_deck[s.cat_deck_size]
        s.hand_cats[seat, kind] += 1
        s.num_cats[seat] += 1
    elif action == DRAW_ITEM:
        s.hand_items[seat, next_item(s)] += 1
        s.num_items[seat] += 1
    elif action < DRAW_STORE_ITEM:
        kind = s.store_cats[action - DRAW_STORE_CAT]
        history.led_to(s, DRAWN, kind)
        s.store_cats[action - DRAW_STORE_CAT] = NONE
        s.hand_cats[seat, kind] += 1
        s.known_cats[seat, kind] += 1
        s.num_cats[seat] += 1
    else:
        item = s.store_items[action - DRAW_STORE_ITEM]
        history.led_to(s, DRAWN, KINDS + item)
        s.store_items[action - DRAW_STORE_ITEM] = NONE
        s.hand_items[seat, item] += 1
        s.known_items[seat, item] += 1
        s.num_items[seat] += 1
    finish_draw(s)


@rule
def draw_from_wild(s, kind):
    """TM-7: a cat out of The Wild, for all to see."""
    s.wild[kind] -= 1
    s.wild_size -= 1
    s.hand_cats[s.turn, kind] += 1
    s.known_cats[s.turn, kind] += 1
    s.num_cats[s.turn] += 1
    finish_draw(s)


@rule
def next_item(s):
    """The next card of the item deck, made anew of the discard where it is empty (TM-6); NONE if there is none."""
    if s.item_deck_size == 0:
        for item in range(ITEMS):
            for _ in range(s.discard[item]):
                s.item_deck[s.item_deck_size] = item
                s.item_deck_size += 1
            s.discard[item] = 0
        s.discard_size = 0
        shuffle(s, s.item_deck, s.item_deck_size)
    if s.item_deck_size == 0:
        return NONE
    s.item_deck_size -= 1
    return s.item_deck[s.item_deck_size]


@rule
def end_turn(s):
    """TM-6: poops, who is out, the store filled up, and the next seat."""
    add_poops(s)
    send_out(s)
    if s.phase != OVER:
        refill_store(s)
        begin_turn(s, next_seat(s, s.turn))


@rule
def refill_store(s):
    """TM-6: the gaps of the store, cats first."""
    for k in range(STORE):
        if s.store_cats[k] == NONE and s.cat_deck_size > 0:
            s.cat_deck_size -= 1
            s.store_cats[k] = s.cat_deck[s.cat_deck_size]
    for k in range(STORE):
        if s.store_items[k] == NONE:
            s.store_items[k] = next_item(s)


@rule
def begin_turn(s, seat):
    """A seat's turn begins with drawing (TM-3)."""
    s.turn = seat
    s.cat_played = 0
    s.cats_left = 1
    s.items_left = ITEMS_A_TURN
    s.phase = DRAW
    finish_draw(s)


@rule
def next_seat(s, seat):
    """The next seat clockwise that is still in the game."""
    for step in range(1, s.num_players + 1):
        other = (seat + step) % s.num_players
        if s.out[other] == 0:
            return other
    return seat
