"""Decisions kept for longer than one update: the latest ones (replay), or a fair share of all (reservoir)."""

from typing import Any, Generic, TypeVar

import numpy as np

from ..tensors import generator_array, set_generator
from .decisions import Transitions

Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
    """Up to ``capacity`` entries of a dataclass of arrays (m, ...), by default Transitions. ``seen`` counts all that
    were ever added."""

    def __init__(self, capacity: int, seed: int = 0, kind: type[Any] = Transitions):
        self.kind = kind
        if capacity < 1:
            raise ValueError(f"capacity={capacity}: allowed is 1 or more")
        self.capacity, self.seen = capacity, 0
        self.rng = np.random.default_rng(seed)
        self.arrays: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return min(self.seen, self.capacity)

    def add(self, new: Kept) -> None:
        """Takes entries in, in their order; which ones are kept the kind of memory decides."""
        count = len(next(iter(vars(new).values())))
        if not self.arrays:
            self.arrays = {
                name: np.zeros((self.capacity, *value.shape[1:]), value.dtype) for name, value in vars(new).items()
            }
        places = self._places(count)
        # Of several that are given one place the last one stays.
        kept = {int(place): row for row, place in enumerate(places) if place >= 0}
        rows, into = np.fromiter(kept.values(), np.int64, len(kept)), np.fromiter(kept, np.int64, len(kept))
        for name, array in self.arrays.items():
            array[into] = getattr(new, name)[rows]
        self.seen += count

    def _places(self, count: int) -> np.ndarray:
        """Where each of ``count`` new ones goes, -1 for nowhere."""
        raise NotImplementedError

    def sample(self, count: int) -> Kept:
        """``count`` entries, drawn alike with repetition; ValueError if there are none."""
        if not len(self):
            raise ValueError("the memory is empty")
        rows = self.rng.integers(len(self), size=count)
        return self.kind(**{name: array[rows] for name, array in self.arrays.items()})

    def state_dict(self) -> dict[str, np.ndarray]:
        """All of it, as arrays."""
        kept = {name: array[: len(self)].copy() for name, array in self.arrays.items()}
        return {**kept, "seen": np.array(self.seen), "generator": generator_array(self.rng)}

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> None:
        """The inverse."""
        self.seen = int(kept["seen"])
        set_generator(self.rng, kept["generator"])
        self.arrays = {}
        for name, value in kept.items():
            if name not in ("seen", "generator"):
                self.arrays[name] = np.zeros((self.capacity, *value.shape[1:]), value.dtype)
                self.arrays[name][: len(value)] = value


class Replay(Memory[Kept]):
    """The latest entries; the oldest goes first."""

    def _places(self, count: int) -> np.ndarray:
        return (self.seen + np.arange(count)) % self.capacity


class Reservoir(Memory[Kept]):
    """Each entry that was ever added is in it with the same probability (Vitter 1985)."""

    def _places(self, count: int) -> np.ndarray:
        number = self.seen + np.arange(count)
        drawn = self.rng.integers(number + 1)
        places = np.where(number < self.capacity, number, drawn)
        return np.where(places < self.capacity, places, -1)
