"""For games without heuristics: no strengths, nothing to choose."""

from ...envs.core.compiler import rule

STRENGTHS: dict[str, int] = {}


@rule
def choose(observation, mask, starts, strength, chance):
    """Never asked."""
    return -1
