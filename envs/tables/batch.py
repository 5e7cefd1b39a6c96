"""What every batch of tables asks of its caller."""

from typing import Any

import numpy as np


def check_count(name: str, value: Any) -> int:
    """The value as an int; ValueError names the parameter if it is no whole number from 1."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r}: allowed is a whole number from 1")
    return int(value)


def batch_actions(actions: Any, num_envs: int) -> np.ndarray:
    """One action per table as contiguous int64 (num_envs,); ValueError if they are not whole numbers of that shape."""
    found = np.ascontiguousarray(actions)
    if found.shape != (num_envs,) or found.dtype.kind not in "iu":
        wanted = f"whole numbers, shape ({num_envs},)"
        raise ValueError(f"actions of shape {found.shape}, {found.dtype}: allowed are {wanted}")
    return found.astype(np.int64, copy=False)
