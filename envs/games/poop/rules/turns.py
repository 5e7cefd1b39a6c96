"""Who is next, and how a turn ends: the table is taken, the turn passes on, or somebody has won (PG-5, PG-8)."""

from ....core.compiler import rule
from ..record import BLIND, OVER, PLAY, SHARE, SUPER
from .zones import replace_toilet, take_table


@rule
def next_seat(s, seat):
    """The neighbour in the direction of play."""
    seat += s.direction
    if seat < 0:
        return s.num_players - 1
    return seat if seat < s.num_players else 0


@rule
def next_player(s, seat):
    """The next seat that takes part: in super_pooper one without cards is passed over (PG-27)."""
    seat = next_seat(s, seat)
    if s.variant == SUPER:
        for _ in range(s.num_players):
            if s.hand_size[seat] > 0:
                break
            seat = next_seat(s, seat)
    return seat


@rule
def pass_on(s):
    """The turn passes on, unless super_pooper has its last seat with cards (PG-8, PG-27)."""
    if s.variant == SUPER:
        left = 0
        last = 0
        for seat in range(s.num_players):
            if s.hand_size[seat] > 0:
                left += 1
                last = seat
        if left == 1:
            win(s, last)
            return
    s.turn = next_player(s, s.turn)
    if s.skip_next:
        s.skip_next = 0
        s.turn = next_player(s, s.turn)


@rule
def too_much(s):
    """Whether the total is more than the toilet takes (PG-3, PG-30)."""
    return s.total >= s.lid + s.lid_fits


@rule
def settle(s):
    """After a card that neither flushed nor was intercepted: its player takes the table, or the turn passes on."""
    if too_much(s):
        clog(s, s.turn)  # PG-20, PG-24, PG-25
    else:
        note_survival(s)
        pass_on(s)


@rule
def note_survival(s):
    """PG-20: what everybody now knows of the lid."""
    if s.variant == BLIND and s.total > s.survived:
        s.survived = s.total


@rule
def clog(s, seat):
    """PG-5: a seat takes the table and turns the next toilet up; it is its turn. Drinks come in between (PG-29)."""
    take_table(s, seat)
    s.turn = seat
    if s.drinking:
        s.phase = SHARE
    else:
        s.phase = PLAY
        replace_toilet(s)


@rule
def share_drinks(s, step):
    """PG-29: the seat that took the table drinks with another one, then turns the next toilet up."""
    other = (s.turn + step) % s.num_players
    s.drinks[s.turn] += (s.lid + 1) // 2
    s.drinks[other] += s.lid // 2
    s.phase = PLAY
    replace_toilet(s)


@rule
def win(s, seat):
    """The game is over; nothing else happens."""
    s.phase = OVER
    s.winners = 1 << seat
