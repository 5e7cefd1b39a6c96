"""Chance streams of agents, apart from the games' own, so that what agents do never changes a deal."""

import numpy as np

STREAM = np.dtype([("rng", "u8")])


def chance_records(starts: np.ndarray) -> np.ndarray:
    """Records with a field ``rng``, as the core's generator takes them, from uint64 (n,)."""
    records = np.zeros(len(starts), STREAM)
    records["rng"] = starts
    return records
