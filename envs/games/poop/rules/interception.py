"""The variant Interceptor: others may play the same card as the one just played (PG-22 to PG-24)."""

from ....core.compiler import rule
from ..record import INTERCEPT, PLAY
from .turns import clog, next_seat, win
from .zones import lose


@rule
def ask_next(s, seat):
    """PG-22: asks the first seat after this one that holds the card just played; 0 if there is none."""
    seat = next_seat(s, seat)
    while seat != s.turn:
        if s.hand[seat, s.last] > 0:
            s.phase = INTERCEPT
            s.asked = seat
            return 1
        seat = next_seat(s, seat)
    s.phase = PLAY
    s.asked = -1
    return 0


@rule
def intercept(s):
    """PG-22, PG-23, PG-24: the asked seat plays the same card, which adds nothing."""
    seat = s.asked
    lose(s, seat, s.last)
    s.discard[s.last] += 1
    s.asked = -1
    s.phase = PLAY
    if s.hand_size[seat] == 0:
        win(s, seat)
    elif s.total < s.lid:
        s.turn = seat
    elif s.hand_size[s.turn] == 0:
        win(s, s.turn)
    else:
        clog(s, seat)
