"""Highest Sum: its parameters, and the facts of a game with given ones."""

from .cards import COPIES


def complete(values):
    """Nothing follows from anything."""
    return values


def prepare(record, settings):
    """Writes the parameters into a record."""
    for name in ("num_players", "kinds", "max_decisions"):
        record[name] = settings[name]


def payoff_bounds(settings):
    """(lowest, highest) return of a seat."""
    return (-1.0, 1.0)


def payoff_sum(settings):
    """What the returns of a finished game add up to."""
    return 0.0


def length_bound(settings):
    """No game has more decisions than this."""
    return min(COPIES * settings["kinds"], settings["max_decisions"])


def rates(settings):
    """How often a seat wins."""
    return {"win_rate": lambda returns, seat: returns[range(len(seat)), seat] > 0}
