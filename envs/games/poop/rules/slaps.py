"""The variant Super Pooper: cards are flipped from piles, and a row of three is slapped for (PG-25, PG-26)."""

from ....core import history
from ....core.chance import weighted
from ....core.compiler import rule
from ..record import FLIPPED, PLAY, ROW, SLAP, SLAPPED, UNSAID
from .plays import carry_out, test_duties
from .turns import next_seat, pass_on, settle
from .zones import lay, lose, take_table


@rule
def flip(s):
    """PG-25: the top card of the pile onto the table; a row of three starts a slap (PG-26)."""
    seat = s.turn
    kind = s.pile[seat, s.head[seat]]
    history.led_to(s, FLIPPED, kind)
    s.head[seat] = s.head[seat] + 1 if s.head[seat] + 1 < s.pile.shape[1] else 0
    lose(s, seat, kind)
    lay(s, kind)
    carry_out(s, kind)
    test_duties(s, seat)
    if s.row >= ROW:
        s.phase = SLAP
        s.asked = next_seat(s, seat)
    else:
        settle(s)


@rule
def answer_slap(s, answer):
    """PG-26: one seat's answer; after the flipper's, which comes last, the table is given away."""
    s.slaps[s.asked] = answer
    if s.asked != s.turn:
        s.asked = next_seat(s, s.asked)
        return
    s.asked = -1
    s.phase = PLAY
    s.row = 0
    taker = drawn_slapper(s)
    if taker < 0:
        settle(s)
    else:
        take_table(s, taker)
        pass_on(s)


@rule
def drawn_slapper(s):
    """One of those who slapped, by their weights (equal ones if all of those are 0), -1 if nobody did."""
    total = 0.0
    slappers = 0
    for seat in range(s.num_players):
        if s.slaps[seat] == SLAPPED:
            slappers += 1
            total += s.slap_weights[seat]
    for seat in range(s.num_players):
        s.claims[seat] = 0.0
        if s.slaps[seat] == SLAPPED:
            s.claims[seat] = s.slap_weights[seat] if total > 0 else 1.0
        s.slaps[seat] = UNSAID
    if slappers == 0:
        return -1
    taker = weighted(s, s.claims, s.num_players)
    for seat in range(s.num_players):
        s.claims[seat] = 0.0
    return taker
