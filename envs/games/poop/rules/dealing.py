"""The deal of a new game (PG-1)."""

from ....core import history
from ....core.chance import below
from ....core.compiler import rule
from ..record import DEALT, DUTIES, KINDS, PLAY, SUPER, UNSAID
from .zones import draw_card, open_toilet, shuffle_discard


@rule
def deal(s):
    """PG-1: a new game; five cards each, in super_pooper all of them (PG-25), and the top toilet is turned up."""
    clear_table(s)
    n = s.num_players
    s.turn = below(s, n)  # left of a random dealer
    for kind in range(KINDS):
        s.discard[kind] = s.deck[kind]
    s.draw_size = 0
    shuffle_discard(s)
    for step in range(n):
        s.hand_size[step] = 0
        s.head[step] = 0
    if s.variant == SUPER:
        seat = s.turn
        while s.draw_size > 0:
            draw_card(s, seat)
            seat = seat + 1 if seat + 1 < n else 0
    else:
        for seat in range(n):
            for _ in range(DEALT):
                draw_card(s, seat)
    for sort in range(s.num_sorts + 1):
        s.used[sort] = s.toilet_count[sort]
    s.toilet_size = 0
    open_toilet(s)


@rule
def clear_table(s):
    """Everything as before the first deal."""
    history.forget(s)
    s.decisions = 0
    s.phase = PLAY
    s.asked = -1
    s.direction = 1
    s.skip_next = 0
    s.row = 0
    s.total = 0
    s.last = -1
    s.winners = 0
    s.truncated = 0
    s.table_size = 0
    for duty in range(DUTIES):
        s.duty_seat[duty] = -1
    for kind in range(KINDS):
        s.table_count[kind] = 0
    for seat in range(s.num_players):
        s.drinks[seat] = 0
        s.slaps[seat] = UNSAID
        for kind in range(KINDS):
            s.hand[seat, kind] = 0
        for owner in range(s.num_players):
            for kind in range(KINDS):
                s.known[seat, owner, kind] = 0
