"""What a game is worth to each seat, also one that the decision cap ends (PG-17, PG-27, PG-29)."""

from ....core.compiler import rule
from ..record import OVER, SUPER


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players] (PG-17, PG-27, PG-29)."""
    n = s.num_players
    if s.phase != OVER or s.winners == 0:
        for seat in range(n):
            out[seat] = 0.0
        return
    pay_winners(s, s.winners, out)
    if s.truncated == 0 and s.drink_weight > 0:
        total = 0
        for seat in range(n):
            total += s.drinks[seat]
        for seat in range(n):
            out[seat] -= s.drink_weight * (s.drinks[seat] - total / n)


@rule
def truncated_returns(s, out):
    """For training: what a truncated game counts as, float32[num_players]; stalling must not be a way out.

    The smallest hands share the win, in super_pooper the largest piles, as its payoff has it anyway (PG-27).
    """
    best = s.hand_size[0]
    for seat in range(s.num_players):
        best = max(best, s.hand_size[seat]) if s.variant == SUPER else min(best, s.hand_size[seat])
    winners = 0
    for seat in range(s.num_players):
        if s.hand_size[seat] == best:
            winners |= 1 << seat
    pay_winners(s, winners, out)


@rule
def pay_winners(s, winners, out):
    """Writes the payoffs where these seats (a bit each) share the win of one, float32[num_players] (PG-17, PG-27)."""
    n = s.num_players
    count = 0
    for seat in range(n):
        count += (winners >> seat) & 1
    for seat in range(n):
        if (winners >> seat) & 1:
            out[seat] = (1.0 - (count - 1) / (n - 1)) / count
        else:
            out[seat] = -1.0 / (n - 1)


@rule
def truncate(s):
    """PG-17: the decision cap. The position stays; in super_pooper the largest piles win (PG-27)."""
    s.phase = OVER
    s.truncated = 1
    if s.variant == SUPER:
        most = 0
        for seat in range(s.num_players):
            most = max(most, s.hand_size[seat])
        for seat in range(s.num_players):
            if s.hand_size[seat] == most:
                s.winners |= 1 << seat
