"""Many positions at once, each by itself: what the rules say of them, and what follows from an action in each."""

from ..core.compiler import driver


@driver
def look_at_all(rules, observation):
    """look_at_all(states, seats, masks, returns, observations).

    Writes for each of n positions the seat to act (-1 when over), int64 (n,); what it may do, int8 (n, A); the returns
    so far, float32 (n, P); and what every seat observes, float32 (n, P, D).
    """

    def run(states, seats, masks, returns, observations):
        for i in range(len(states)):
            s = states[i]
            seats[i] = rules.current_player(s)
            rules.legal_actions(s, masks[i])
            rules.returns(s, returns[i])
            for seat in range(observations.shape[1]):
                observation.observe(s, seat, observations[i, seat])

    return run


@driver
def play_all(rules, observation):
    """play_all(states, actions): applies a legal action, whole numbers (n,), in each of n positions."""

    def run(states, actions):
        for i in range(len(states)):
            rules.apply_action(states[i], actions[i])

    return run
