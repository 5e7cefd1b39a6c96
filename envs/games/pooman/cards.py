"""What Pooman's cards, actions and phases are called."""

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
