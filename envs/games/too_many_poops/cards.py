"""What the cards of Too Many Poops are called, and the parameters that name cards."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .record import CATS, ITEMS, LITTER_SIZE, LITTERS, MAX_COPIES, PLAIN

# Which cats are rivals and how many there are of each item is assumed; the rulebook does not say.
ITEM_COUNTS = {
    "replay": 3,
    "lure": 3,
    "shoo": 3,
    "swap": 2,
    "scoop": 3,
    "auto scooper": 3,
    "deluxe litter": 1,
    "big dinner": 3,
    "bad fish": 2,
    "hiss": 3,
    "closed door": 3,
}
ITEM_NAMES = tuple(ITEM_COUNTS)
assert len(ITEM_NAMES) == ITEMS and len(CATS) == PLAIN + 1


def _round_robin() -> list[list[str]]:
    """Every two litters share one pair: cat r of a litter is the rival of its partner in round r of a round robin."""
    pairs = []
    for r in range(LITTER_SIZE):
        partners = [(5, r), ((r + 1) % 5, (r - 1) % 5), ((r + 2) % 5, (r - 2) % 5)]
        pairs += [sorted((CATS[a * LITTER_SIZE + r], CATS[b * LITTER_SIZE + r]), key=CATS.index) for a, b in partners]
    return sorted(pairs, key=lambda pair: CATS.index(pair[0]))


RIVALS = _round_robin()


def read_items(value: Any) -> dict[str, int]:
    """How many there are of each item; a name left out keeps its number."""
    if not isinstance(value, Mapping):
        raise ValueError("it is no mapping")
    for name, count in value.items():
        if name not in ITEM_COUNTS:
            raise ValueError(f"{name!r} is no item")
        if not isinstance(count, int | np.integer) or isinstance(count, bool) or not 0 <= count <= MAX_COPIES:
            raise ValueError(f"{count!r} of {name!r}")
    return {name: int(value.get(name, count)) for name, count in ITEM_COUNTS.items()}


def read_rivals(value: Any) -> list[list[str]]:
    """Pairs of cats, each in at most one, in the order of the litters."""
    if not isinstance(value, list | tuple):
        raise ValueError("it is no list")
    pairs, named = [], set()
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError(f"{pair!r} is no pair")
        for cat in pair:
            if cat not in CATS[:PLAIN]:
                raise ValueError(f"{cat!r} is no cat that can have a rival")
            if cat in named:
                raise ValueError(f"{cat!r} is named twice")
            named.add(cat)
        pairs.append(sorted(pair, key=CATS.index))
    return sorted(pairs, key=lambda pair: CATS.index(pair[0]))


def read_litters(value: Any) -> list[str]:
    """Six different names."""
    if not isinstance(value, list | tuple) or len(value) != LITTERS:
        raise ValueError("it is no list of six")
    for name in value:
        if not isinstance(name, str) or not name.strip() or name.strip() != name:
            raise ValueError(f"{name!r} is no name")
    if len(set(value)) != LITTERS:
        raise ValueError("a name comes twice")
    return list(value)
