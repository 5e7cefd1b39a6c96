"""Too Many Poops' parameters: what follows from them, what cannot be, and the facts of a game with given ones."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .cards import CATS, ITEM_COUNTS
from .record import DEALT_ITEMS, ITEMS, LITTERS, MAX_COPIES, NONE, PLAIN, STORE

DECISIONS_PER_SEAT = 150  # TM-22


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


def complete(values):
    """Fills in the parameters that follow from others; ValueError for what cannot be."""
    players = values["num_players"]
    if values["max_decisions"] is None:
        values["max_decisions"] = DECISIONS_PER_SEAT * players
    items = sum(values["items"].values())
    needed = DEALT_ITEMS * players + STORE
    if items < needed:
        raise ValueError(
            f"num_players={players}, items={values['items']}: {items} items in all, but three per seat and three face "
            f"up, {needed}, are needed"
        )
    return values


def prepare(record, settings):
    """Writes the parameters into a record."""
    for name in ("num_players", "rainbow_cats", "optional_draw", "golden_poople", "max_decisions"):
        record[name] = settings[name]
    for item, count in zip(range(ITEMS), settings["items"].values(), strict=True):
        record["item_count"][item] = count
        record["item_share"][item] = 1.0 / count if count else 0.0
    record["rival"][:] = NONE
    for pair in settings["rivals"]:
        one, other = map(CATS.index, pair)
        record["rival"][one], record["rival"][other] = other, one
    record["rival_share"][:] = (record["rival"][:PLAIN] + 1) / np.float32(PLAIN)


def payoff_bounds(settings):
    """(lowest, highest) return of a seat."""
    return (-1.0, 1.0)


def payoff_sum(settings):
    """What the returns of a finished game add up to (TM-22)."""
    return 0.0


def length_bound(settings):
    """No game has more decisions than this (TM-22)."""
    return settings["max_decisions"]


def rates(settings):
    """How often a seat wins: name -> hits from returns (n, P) and seats (n,)."""
    return {"win_rate": lambda returns, seat: returns[np.arange(len(seat)), seat] > 0}
