"""Compiled loops over the rules of any game: one decision, many games, whole random playouts.

Every maker takes the game's ``rules`` and ``observation`` modules (see GameSpec). Passing an array of records and an
index costs 0.3 microseconds from Python where a record costs 3, hence the signatures. Buffers, for ``n`` games of ``P``
seats with ``A`` actions and ``D`` features: observations float32 (n, D), masks int8 (n, A), seats int64 (n,), returns
and rewards float32 (n, P).
"""

from .chance import below
from .compiler import driver, rule

PAID = 1000  # what ``turn`` adds to the seat when a decision changed the returns


@rule
def random_legal(s, mask):
    """A uniformly random legal action, drawn from the stream of ``s`` (any record with a field ``rng``)."""
    legal = 0
    for action in range(len(mask)):
        legal += mask[action]
    skip = below(s, legal)
    action = 0
    skip -= mask[0]
    while skip >= 0:  # one branch an action, nearly always foreseen
        action += 1
        skip -= mask[action]
    return action


@driver
def deal(rules, observation):
    """deal(states, i): a new game in record i."""

    def run(states, i):
        rules.deal(states[i])

    return run


@driver
def legal(rules, observation):
    """legal(states, i, mask) -> seat to act, -1 when over; writes the mask."""

    def run(states, i, mask):
        s = states[i]
        rules.legal_actions(s, mask)
        return rules.current_player(s)

    return run


@driver
def observe(rules, observation):
    """observe(states, i, seat, out): writes the observation of any seat."""

    def run(states, i, seat, out):
        observation.observe(states[i], seat, out)

    return run


@driver
def apply(rules, observation):
    """apply(states, i, action): carries out a legal action."""

    def run(states, i, action):
        rules.apply_action(states[i], action)

    return run


@driver
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


@driver
def score(rules, observation):
    """score(states, i, out) -> 0 running, 1 over, 2 truncated; writes the returns so far."""

    def run(states, i, out):
        s = states[i]
        rules.returns(s, out)
        if not rules.is_terminal(s):
            return 0
        return 2 if rules.is_truncated(s) else 1

    return run


@driver
def truncated_score(rules, observation):
    """truncated_score(states, i, out): what the position counts as if the game is truncated in it."""

    def run(states, i, out):
        rules.truncated_returns(states[i], out)

    return run


@driver
def resample(rules, observation):
    """resample(states, i, seat): replaces what the seat cannot know."""

    def run(states, i, seat):
        observation.resample(states[i], seat)

    return run


@driver
def reset_games(rules, observation):
    """reset_games(states, observations, masks, seats, totals, lo, hi): deals the games lo..hi-1 anew."""

    def run(states, observations, masks, seats, totals, lo, hi):
        for i in range(lo, hi):
            s = states[i]
            rules.deal(s)
            seats[i] = rules.current_player(s)
            rules.legal_actions(s, masks[i])
            observation.observe(s, seats[i], observations[i])
            for p in range(totals.shape[1]):
                totals[i, p] = 0.0

    return run


@driver
def find_illegal(rules, observation):
    """find_illegal(masks, actions, lo, hi) -> first game whose action is not legal, -1 if all are."""

    def run(masks, actions, lo, hi):
        for i in range(lo, hi):
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
        return -1

    return run


@driver
def step_games(rules, observation):
    """One decision in each of the games lo..hi-1; a game that ends is dealt anew at once.

    Writes the next seat, its mask and observation, the rewards of this decision, the returns so far (``totals``) and
    the number of decisions (``lengths``); for a game that ended also ``final_returns``, ``final_lengths`` and
    terminated or truncated.
    """

    def run(
        states,
        actions,
        observations,
        masks,
        seats,
        rewards,
        totals,
        lengths,
        terminated,
        truncated,
        final_returns,
        final_lengths,
        lo,
        hi,
    ):
        players = totals.shape[1]
        for i in range(lo, hi):
            s = states[i]
            rules.apply_action(s, actions[i])
            for p in range(players):
                rewards[i, p] = totals[i, p]
            rules.returns(s, totals[i])
            for p in range(players):
                rewards[i, p] = totals[i, p] - rewards[i, p]
            lengths[i] += 1
            terminated[i] = False
            truncated[i] = False
            if rules.is_terminal(s):
                cut = rules.is_truncated(s)
                terminated[i] = not cut
                truncated[i] = cut
                for p in range(players):
                    final_returns[i, p] = totals[i, p]
                    totals[i, p] = 0.0
                final_lengths[i] = lengths[i]
                lengths[i] = 0
                rules.deal(s)
            seats[i] = rules.current_player(s)
            rules.legal_actions(s, masks[i])
            observation.observe(s, seats[i], observations[i])

    return run


@driver
def random_playouts(rules, observation):
    """random_playouts(states, observations, masks, steps, lo, hi) -> games finished.

    ``steps`` uniformly random decisions in each of the games lo..hi-1, mask and observation written at every one.
    """

    def run(states, observations, masks, steps, lo, hi):
        finished = 0
        for i in range(lo, hi):
            s = states[i]
            mask = masks[i]
            for _ in range(steps):
                rules.legal_actions(s, mask)
                observation.observe(s, rules.current_player(s), observations[i])
                rules.apply_action(s, random_legal(s, mask))
                if rules.is_terminal(s):
                    finished += 1
                    rules.deal(s)
        return finished

    return run
