"""Rules of a game of two steps: a safe action for seat 0, and two that pay more unless seat 1 knows the answer."""

import numpy as np

from poopdeck.envs.core.compiler import layout, rule

STATE = layout(rng="u8", done="i8", first="i8", second="i8")
SAFE, ANSWER = 2, 0


def new_states(count):
    """Games at their beginning."""
    return np.zeros(count, STATE)


@rule
def current_player(s):
    """Each seat acts once."""
    return s.done if s.done < 2 else -1


@rule
def legal_actions(s, mask):
    """All three."""
    for action in range(3):
        mask[action] = 1 if s.done < 2 else 0


@rule
def apply_action(s, action):
    """Notes the action."""
    if s.done == 0:
        s.first = action
    else:
        s.second = action
    s.done += 1


@rule
def is_terminal(s):
    """After both."""
    return s.done == 2


@rule
def is_truncated(s):
    """Never."""
    return False


@rule
def returns(s, out):
    """The seats share 1."""
    out[0] = 0.6 if s.first == SAFE else 0.0 if s.second == ANSWER else 1.0
    out[1] = 1.0 - out[0]


@rule
def truncated_returns(s, out):
    """Never asked."""
    returns(s, out)
