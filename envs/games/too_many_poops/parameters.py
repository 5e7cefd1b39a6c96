"""Too Many Poops' parameters: what follows from them, what cannot be, and the facts of a game with given ones."""

import numpy as np

from .record import CATS, DEALT_ITEMS, ITEMS, NONE, PLAIN, STORE

DECISIONS_PER_SEAT = 150  # TM-22


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
