"""The process's random generators (torch, NumPy's global one, Python's) as arrays and facts, so that a resumed run
draws what an uninterrupted one would have drawn."""

import random
from typing import Any

import numpy as np
import torch


def seed_generators(seed: int) -> None:
    """Starts all of them from one seed."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed % 2**63)


def generators_state() -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and facts."""
    kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, internal, gauss_next = random.getstate()
    tensors = {
        "torch": torch.get_rng_state().numpy().copy(),
        "numpy": np.asarray(keys, np.uint32),
        "python": np.array(internal, np.uint64),
    }
    facts = {
        "numpy": [kind, int(position), int(has_gauss), float(gauss)],
        "python": [version, gauss_next],
    }
    return tensors, facts


def load_generators_state(tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
    """The inverse."""
    torch.set_rng_state(torch.from_numpy(tensors["torch"].copy()))
    kind, position, has_gauss, gauss = facts["numpy"]
    np.random.set_state((kind, tensors["numpy"], position, has_gauss, gauss))
    version, gauss_next = facts["python"]
    random.setstate((version, tuple(int(word) for word in tensors["python"]), gauss_next))
