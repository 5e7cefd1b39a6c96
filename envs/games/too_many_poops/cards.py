"""What the cards of Too Many Poops are called, how many there are of each, and which cats are rivals."""

import numpy as np

from .record import FIRST_MODIFIER, ITEMS, KINDS, LITTER_SIZE, MODIFIERS, PLAIN

LITTER_NAMES = ("tabby", "tuxedo", "calico", "siamese", "ginger", "smoke")  # assumed
CATS = (*(f"{litter} {number}" for litter in LITTER_NAMES for number in range(LITTER_SIZE)), "rainbow")

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
MODIFIER_NAMES = ITEM_NAMES[FIRST_MODIFIER : FIRST_MODIFIER + MODIFIERS]
assert len(ITEM_NAMES) == ITEMS and len(CATS) == PLAIN + 1


def _round_robin() -> list[list[str]]:
    """Every two litters share one pair: cat r of a litter is the rival of its partner in round r of a round robin."""
    pairs = []
    for r in range(LITTER_SIZE):
        partners = [(5, r), ((r + 1) % 5, (r - 1) % 5), ((r + 2) % 5, (r - 2) % 5)]
        pairs += [sorted((CATS[a * LITTER_SIZE + r], CATS[b * LITTER_SIZE + r]), key=CATS.index) for a, b in partners]
    return sorted(pairs, key=lambda pair: CATS.index(pair[0]))


RIVALS = _round_robin()


def spell_cats(counts: np.ndarray) -> list[str]:
    """Counts by kind as names in order."""
    return [CATS[kind] for kind in np.repeat(np.arange(KINDS), counts)]


def spell_items(counts: np.ndarray) -> list[str]:
    """Counts by item as names in the order of the table."""
    return [ITEM_NAMES[item] for item in np.repeat(np.arange(ITEMS), counts)]


def spell_modifiers(counts: np.ndarray) -> list[str]:
    """Counts by modifier as names."""
    return [MODIFIER_NAMES[k] for k in np.repeat(np.arange(MODIFIERS), counts)]
