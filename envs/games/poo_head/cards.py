"""The cards of Poo Head by name."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .record import NUMBERS, RANKS

CARDS = (*(str(number) for number in range(NUMBERS)), "poo head", "bomb")


def spelling(entry: Any) -> Any:
    """The name of a card that may be given as a number (7)."""
    return str(entry) if isinstance(entry, int) and not isinstance(entry, bool) else entry


def spell(counts: np.ndarray) -> list[str]:
    """Counts by rank as sorted names."""
    return [CARDS[rank] for rank in range(RANKS) for _ in range(int(counts[rank]))]


def card_names(cards: Iterable[int]) -> list[str]:
    """Cards by name, in their order."""
    return [CARDS[int(card)] for card in cards]


def card_counts(cards: Iterable[int]) -> np.ndarray:
    """How many of each rank, int64[RANKS]."""
    return np.bincount(np.array(list(cards), int), minlength=RANKS)
