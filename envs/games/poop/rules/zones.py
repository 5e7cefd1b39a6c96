"""Cards and toilets on their ways: draw pile, hands and piles, table, discard, toilet deck (PG-2, PG-7, PG-13)."""

from ....core import history
from ....core.chance import shuffle
from ....core.compiler import rule
from ..record import FACES, KINDS, NUMBERS, OUTCOME, SUPER, TAKEN


@rule
def shuffle_discard(s):
    """The discard becomes the draw pile, which is empty (PG-13)."""
    size = 0
    for kind in range(KINDS):
        for _ in range(s.discard[kind]):
            s.draw[size] = kind
            size += 1
        s.discard[kind] = 0
    shuffle(s, s.draw, size)
    s.draw_size = size


@rule
def draw_card(s, seat):
    """One card from the draw pile, if there is one or the discard gives one (PG-13)."""
    if s.draw_size == 0:
        shuffle_discard(s)
        if s.draw_size == 0:
            return
    s.draw_size -= 1
    gain(s, seat, s.draw[s.draw_size])


@rule
def gain(s, seat, kind):
    """A card into the hand, in super_pooper under the pile."""
    if s.variant == SUPER:
        place = s.head[seat] + s.hand_size[seat]
        room = s.pile.shape[1]
        s.pile[seat, place - room if place >= room else place] = kind
    else:
        s.hand[seat, kind] += 1
    s.hand_size[seat] += 1


@rule
def lose(s, seat, kind):
    """A card leaves the hand; the known ones of its kind go first."""
    s.hand_size[seat] -= 1
    if s.variant != SUPER:
        s.hand[seat, kind] -= 1
    for observer in range(s.num_players):
        if s.known[observer, seat, kind] > 0:
            s.known[observer, seat, kind] -= 1


@rule
def lay(s, kind):
    """A card on the table, with total and row (PG-2, PG-10)."""
    face = kind % FACES
    if face < NUMBERS:
        s.total += face + 1
    if s.row > 0 and s.table[s.table_size - 1] // FACES == kind // FACES:
        s.row += 1
    else:
        s.row = 1
    s.table[s.table_size] = kind
    s.table_size += 1
    s.table_count[kind] += 1
    s.last = kind


@rule
def take_table(s, seat):
    """The whole table into a hand, or under a pile, the oldest card uppermost; everybody saw it."""
    history.befell(s, seat, OUTCOME, TAKEN)
    for place in range(s.table_size):
        kind = s.table[place]
        gain(s, seat, kind)
        s.table_count[kind] = 0
        for observer in range(s.num_players):
            if observer != seat or s.variant == SUPER:
                s.known[observer, seat, kind] += 1
    s.table_size = 0
    s.total = 0
    s.row = 0  # PG-11


@rule
def open_toilet(s):
    """Turns the next toilet up; the used ones are shuffled when none is left (PG-7)."""
    if s.toilet_size == 0:
        for sort in range(s.num_sorts + 1):
            for _ in range(s.used[sort]):
                s.toilets[s.toilet_size] = sort
                s.toilet_size += 1
            s.used[sort] = 0
        shuffle(s, s.toilets, s.toilet_size)
    s.toilet_size -= 1
    s.toilet = s.toilets[s.toilet_size]
    s.lid = s.toilet_lid[s.toilet]
    s.water = s.toilet_water[s.toilet]
    s.survived = 0


@rule
def replace_toilet(s):
    """PG-7: the open toilet joins the used ones, the next one is turned up."""
    s.used[s.toilet] += 1
    open_toilet(s)
