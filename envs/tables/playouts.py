"""Uniformly random play in compiled loops."""

from ..core.chance import below
from ..core.compiler import driver, rule


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
def random_playouts(rules, observation):
    """random_playouts(states, observations, masks, steps) -> games finished.

    ``steps`` uniformly random decisions in each of the games, mask int8 (n, A) and observation float32 (n, D) written
    at every one.
    """

    def run(states, observations, masks, steps):
        finished = 0
        for i in range(len(states)):
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
