"""One rule that calls others, one of them the core's."""

from poopdeck.envs.core.chance import below
from poopdeck.envs.core.compiler import layout, rule

STATE = layout(rng="u8", value="i4")
FIRST = 5


@rule
def double(x):
    """Twice as much."""
    return 2 * x


@rule
def deal(s):
    """A number made of a constant, a rule and chance."""
    s.value = 1000 * below(s, 7) + double(FIRST)


@rule
def climb(s, steps):
    """Counts the ways up some stairs, one or two steps at a time."""
    if steps < 2:
        s.value += 1
        return 1
    return climb(s, steps - 1) + climb(s, steps - 2)
