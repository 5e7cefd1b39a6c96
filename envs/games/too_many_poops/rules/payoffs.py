"""What a game is worth to each seat, also one that the decision cap ends (TM-22)."""

from ....core.compiler import rule


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players] (TM-22)."""
    for seat in range(s.num_players):
        out[seat] = 0.0
    if s.winner >= 0:
        for seat in range(s.num_players):
            out[seat] = -1.0 / (s.num_players - 1)
        out[s.winner] = 1.0


@rule
def standing(s, seat):
    """Where a seat stands in a truncated game: by points, then by fewer poops; behind all others if it is out."""
    return -1_000_000 if s.out[seat] else s.points[seat] * 1_000 - s.poops[seat]


@rule
def truncated_returns(s, out):
    """For training: what a truncated game counts as, float32[num_players]; stalling must not be a way out.

    Ranked by points, then by fewer poops: the best share the win of one, the others the loss of one; 0 if all are even.
    """
    best = standing(s, 0)
    for seat in range(1, s.num_players):
        best = max(best, standing(s, seat))
    leaders = 0
    for seat in range(s.num_players):
        if standing(s, seat) == best:
            leaders += 1
    for seat in range(s.num_players):
        if leaders == s.num_players:
            out[seat] = 0.0
        elif standing(s, seat) == best:
            out[seat] = 1.0 / leaders
        else:
            out[seat] = -1.0 / (s.num_players - leaders)
