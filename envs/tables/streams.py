"""Chance streams of agents, apart from the games' own, so that what agents do never changes a deal."""

import numpy as np

from ..core.compiler import layout

# The second field keeps numba from taking game records, which start with ``rng`` too, for a subtype of this one: it
# would then run functions compiled for the one on the other, and warn of it.
STREAM = layout(rng="u8", agents="u8")


def chance_records(starts: np.ndarray) -> np.ndarray:
    """Records with a field ``rng``, as the core's generator takes them, from uint64 (n,)."""
    records = np.zeros(len(starts), STREAM)
    records["rng"] = starts
    return records
