"""The litter boxes: the poops of a turn, and who has too many of them (TM-17 to TM-21)."""

from ....core import history
from ....core.chance import below
from ....core.compiler import rule
from ..record import (
    AUTO_SCOOPER,
    BAD_FISH,
    BIG_DINNER,
    DELUXE_LITTER,
    FIRST_MODIFIER,
    GOAL,
    GOLDEN,
    ITEMS,
    KINDS,
    MODIFIERS,
    OUT,
    OUTCOME,
    OVER,
    TOO_MANY,
)
from .hands import discard_item
from .homes import update_home

SUPPLY = 20  # poople tokens of the golden variant: 20 and five for each seat (TM-21)
SUPPLY_PER_SEAT = 5


@rule
def poops_to_come(s, seat):
    """TM-17: what a seat adds at the end of its turn."""
    modifiers = s.modifiers[seat]
    poops = s.home_size[seat]
    poops -= modifiers[AUTO_SCOOPER - FIRST_MODIFIER] + 2 * modifiers[DELUXE_LITTER - FIRST_MODIFIER]
    poops += modifiers[BIG_DINNER - FIRST_MODIFIER] + 2 * modifiers[BAD_FISH - FIRST_MODIFIER]
    return poops if poops > 0 else 0


@rule
def add_poops(s):
    """TM-17, TM-21: the seat at turn adds its poops."""
    poops = poops_to_come(s, s.turn)
    if s.golden_poople == 0:
        s.poops[s.turn] += poops
        return
    lying = 0
    for seat in range(s.num_players):
        lying += s.poops[seat]
    supply = SUPPLY + SUPPLY_PER_SEAT * s.num_players
    golden = 0
    for _ in range(poops):
        if golden == 0 and below(s, max(supply - lying, 0) + 1) == 0:
            golden = 1
            history.befell(s, s.turn, OUTCOME, GOLDEN)
            for seat in range(s.num_players):
                if seat != s.turn and s.out[seat] == 0:
                    s.poops[seat] += 1
        else:
            s.poops[s.turn] += 1
            lying += 1


@rule
def seats_left(s):
    """How many seats are still in the game."""
    left = 0
    for seat in range(s.num_players):
        left += 1 - s.out[seat]
    return left


@rule
def send_out(s):
    """TM-18, TM-19: who has ten poops is out, from the seat at turn on, as long as two are left; the last one wins."""
    left = seats_left(s)
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        if left > 1 and s.out[seat] == 0 and s.poops[seat] >= TOO_MANY and s.points[seat] < GOAL:
            leave(s, seat)
            left -= 1
    if left == 1:
        for seat in range(s.num_players):
            if s.out[seat] == 0:
                s.winner = seat
        s.phase = OVER


@rule
def leave(s, seat):
    """TM-18: everything that a seat has goes back."""
    history.befell(s, seat, OUTCOME, OUT)
    s.out[seat] = 1
    s.poops[seat] = 0
    for kind in range(KINDS):
        cats = s.home[seat, kind] + s.hand_cats[seat, kind]
        s.wild[kind] += cats
        s.wild_size += cats
        s.home[seat, kind] = 0
        s.hand_cats[seat, kind] = 0
        s.known_cats[seat, kind] = 0
    for item in range(ITEMS):
        for _ in range(s.hand_items[seat, item]):
            discard_item(s, item)
        s.hand_items[seat, item] = 0
        s.known_items[seat, item] = 0
    for k in range(MODIFIERS):
        for _ in range(s.modifiers[seat, k]):
            discard_item(s, FIRST_MODIFIER + k)
        s.modifiers[seat, k] = 0
    s.num_cats[seat] = 0
    s.num_items[seat] = 0
    close_home(s, seat)


@rule
def close_home(s, seat):
    """The home of a seat that is out: nothing can come into it any more."""
    update_home(s, seat)
    for kind in range(KINDS):
        s.change[seat, kind] = 0


@rule
def update_homes(s):
    """Works out what follows from the cats of all homes, those of seats that are out included."""
    for seat in range(s.num_players):
        update_home(s, seat)
        if s.out[seat]:
            close_home(s, seat)
