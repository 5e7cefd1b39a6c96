"""Takes the place of a game's heuristics at tables where none plays: no strengths, nothing to choose."""

from ..core.compiler import rule

STRENGTHS: dict[str, int] = {}


@rule
def choose(observation, mask, starts, params, chance):
    """Never asked."""
    return -1
