"""Pooman's parameters: what follows from them, what cannot be, and the facts of a game with given ones."""

import numpy as np

from .cards import CARDS
from .record import MAX_COPIES

SPECIALS = {"pooman": 8, "pooperman": 2, **dict.fromkeys(CARDS[4:10], 3), "balancer": 0}
# One star and two stars by number of players, so that sensible play wins about half the games for either side.
CHARACTERS = {
    "grid": {2: (8, 4), 3: (10, 5), 4: (12, 6), 5: (14, 7), 6: (16, 8)},
    "off": {2: (5, 2), 3: (6, 3), 4: (7, 3), 5: (8, 4), 6: (9, 4)},
}
COUNTS_FORM = f"{{kind: number}}, kinds {', '.join(map(repr, CARDS))}, numbers from 0 to {MAX_COPIES}"


def read_counts(value):
    """Numbers of cards by kind, as a dict in the order of CARDS; ValueError says what is wrong."""
    if not isinstance(value, dict):
        raise ValueError("kinds and their numbers are wanted")
    for kind, number in value.items():
        if kind not in CARDS:
            raise ValueError(f"{kind!r} is no kind of card")
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 0 <= number <= MAX_COPIES:
            raise ValueError(f"{number!r} of {kind!r}")
    return {kind: int(value[kind]) for kind in CARDS if kind in value}


def complete(values):
    """Fills in the deck by kind (the table of Components); ValueError for what cannot be."""
    ones, twos = CHARACTERS[values["chase"]][values["num_players"]]
    usual = {"1 star": ones, "2 stars": twos, **SPECIALS}
    values["counts"] = {kind: (values["counts"] or {}).get(kind, usual[kind]) for kind in CARDS}
    if not any(values["counts"].values()):
        raise ValueError(f"counts={values['counts']!r}: a deck needs a card")
    if not half_circle(values):
        size = values["room_size"]
        raise ValueError(
            f"start_distance={values['start_distance']}: with room_size={size} no cell below row 0 is that many steps "
            f"from the Pooman; allowed is a whole number from 1 to {size // 2 + size - 1}"
        )
    return values


def half_circle(settings):
    """PM-12: the cells [column, row] that are start_distance steps from the Pooman's, not in row 0, west to east."""
    size, distance = settings["room_size"], settings["start_distance"]
    rows = ((column, distance - abs(column - size // 2)) for column in range(size))
    return [[column, row] for column, row in rows if 1 <= row < size]


def start_cells(settings):
    """PM-12: the cell [column, row] of every player at the start of a chase."""
    cells, players = half_circle(settings), settings["num_players"]
    return [cells[(2 * seat + 1) * len(cells) // (2 * players)] for seat in range(players)]


def prepare(record, settings):
    """Writes the parameters into a record."""
    for name in (
        "num_players",
        "room_size",
        "pooman_speed",
        "player_speed",
        "chase_ticks",
        "pooperman_ticks",
        "freeze_ticks",
        "empty_handed_run",
        "pooperman_unstoppable",
        "max_decisions",
    ):
        record[name] = settings[name]
    record["chase"] = settings["chase"] == "grid"
    record["counts"] = list(settings["counts"].values())
    record["start"][: settings["num_players"]] = start_cells(settings)
    record["pooman_seat"] = -1


def payoff_bounds(settings):
    """(lowest, highest) return of a seat (PM-22)."""
    return (-1.0 / settings["num_players"], 1.0)


def payoff_sum(settings):
    """What the returns of a finished game add up to (PM-22)."""
    return 0.0


def length_bound(settings):
    """No game has more decisions than this (PM-25)."""
    return settings["max_decisions"]


def rates(settings):
    """How often a seat wins, and how often the Pooman does: name -> hits from returns (n, P + 1) and seats (n,)."""
    return {
        "win_rate": lambda returns, seat: returns[np.arange(len(seat)), seat] > 0,
        "pooman_win_rate": lambda returns, seat: returns[:, -1] > 0,
    }
