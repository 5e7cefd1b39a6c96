"""Compiled calls of the rules of any game, for one record at a time.

Every maker takes the game's ``rules`` and ``observation`` modules (see GameSpec). Passing an array of records and an
index costs 0.3 microseconds from Python where a record costs 3, hence the signatures. Buffers, for ``n`` games of ``P``
seats with ``A`` actions and ``D`` features: observations float32 (n, D), masks int8 (n, A), seats int64 (n,), returns
and rewards float32 (n, P).
"""

from .chance import seed_stream
from .starting import ready_at_once

PAID = 1000  # what ``turn`` adds to the seat when a decision changed the returns
SEAT_SHIFT, STATUS = 2, 3  # where in the answer of ``look`` and ``play`` seat and status are


@ready_at_once
def deal(rules, observation):
    """deal(states, i): a new game in record i."""

    def run(states, i):
        rules.deal(states[i])

    return run


@ready_at_once
def observe(rules, observation):
    """observe(states, i, seat, out): writes the observation of any seat."""

    def run(states, i, seat, out):
        observation.observe(states[i], seat, out)

    return run


@ready_at_once
def turn(rules, observation):
    """turn(states, i, action, mask, out, totals, now) -> seat to act next, -1 when over; + PAID if the returns changed.

    Applies the action, writes the next seat's mask and observation and the returns ``now``, to be compared with the
    ``totals`` before.
    """

    def run(states, i, action, mask, out, totals, now):
        s = states[i]
        rules.apply_action(s, action)
        rules.legal_actions(s, mask)
        seat = rules.current_player(s)
        if seat >= 0:
            observation.observe(s, seat, out)
        rules.returns(s, now)
        for p in range(len(now)):
            if now[p] != totals[p]:
                return seat + PAID
        return seat

    return run


@ready_at_once
def look(rules, observation):
    """look(states, i, mask, out) -> 4 * seat to act (-1 when over) + 0 running, 1 over, 2 truncated.

    Writes the mask and the returns so far.
    """

    def run(states, i, mask, out):
        s = states[i]
        rules.legal_actions(s, mask)
        rules.returns(s, out)
        status = 0
        if rules.is_terminal(s):
            status = 2 if rules.is_truncated(s) else 1
        return 4 * rules.current_player(s) + status

    return run


@ready_at_once
def play(rules, observation):
    """play(states, i, action, mask, out): applies a legal action, then as ``look``."""

    def run(states, i, action, mask, out):
        s = states[i]
        rules.apply_action(s, action)
        rules.legal_actions(s, mask)
        rules.returns(s, out)
        status = 0
        if rules.is_terminal(s):
            status = 2 if rules.is_truncated(s) else 1
        return 4 * rules.current_player(s) + status

    return run


@ready_at_once
def truncated_score(rules, observation):
    """truncated_score(states, i, out): what the position counts as if the game is truncated in it."""

    def run(states, i, out):
        rules.truncated_returns(states[i], out)

    return run


@ready_at_once
def resample(rules, observation):
    """resample(states, i, seat, low, high): replaces what the seat cannot know.

    By a stream that begins from the seed with these halves; with a ``low`` below 0 the stream goes on.
    """

    def run(states, i, seat, low, high):
        s = states[i]
        if low >= 0:
            seed_stream(s, low, high)
        observation.resample(s, seat)

    return run


# What a game needs at once, in this order: what compiles them elsewhere begins with what most of the time goes into.
FIRST_NEEDED = (turn, deal, observe, look, play, resample, truncated_score)
