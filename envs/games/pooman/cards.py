"""What Pooman's cards, actions and phases are called."""

import numpy as np

from .record import KINDS, NUM_ACTIONS, OTHERS, PHASES

CARDS = (
    "1 star",
    "2 stars",
    "pooman",
    "pooperman",
    "roll again",
    "dire ear",
    "smell the freshness",
    "power flush",
    "poodini",
    "poocicle",
    "balancer",
)
ACTIONS = (
    "draw",
    *(f"take {stars} from +{j}" for stars in CARDS[:2] for j in range(1, OTHERS + 1)),
    *(f"use {card}" for card in CARDS[7:]),
    "lose cards",
    "stay",
    "north",
    "east",
    "south",
    "west",
)
PHASE_NAMES = ("draw", "again", "take", "defend", "chase", "over")

assert (len(CARDS), len(ACTIONS), len(PHASE_NAMES)) == (KINDS, NUM_ACTIONS, PHASES)


def spell(counts: np.ndarray) -> list[str]:
    """Counts by kind as names, in the order of the components."""
    return [CARDS[kind] for kind in range(KINDS) for _ in range(int(counts[kind]))]


def card_counts(cards: list[int]) -> np.ndarray:
    """Kinds as counts by kind, int64[KINDS]."""
    return np.bincount(np.array(cards, int), minlength=KINDS)


def deck_names(s: np.void) -> list[str]:
    """The face-down cards, next first."""
    return [CARDS[kind] for kind in s["deck"][: s["deck_size"]][::-1]]
