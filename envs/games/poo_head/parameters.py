"""Poo Head's parameters: what follows from them, what cannot be, and the facts of a game with given ones."""

import numpy as np

from .record import COPIES, DEALT, NUMBERS, PLAYERS_PER_DECK, SCORE_LOSER, SCORE_POINTS


def complete(values):
    """Fills in the parameters that follow from others; ValueError for what cannot be (PH-22, PH-24)."""
    players = values["num_players"]
    if values["target"] is None:
        values["target"] = 11 if players == 2 else 7
    if values["max_decisions"] is None:
        values["max_decisions"] = 1000 * players
    if values["reward"] == "points" and values["scoring"] != "points":
        raise ValueError("reward='points' needs scoring='points'; with scoring='loser' allowed is reward='winner'")
    decks = -(-players // PLAYERS_PER_DECK)
    cards = decks * (NUMBERS * COPIES + values["poo_heads"] + values["bombs"])
    if cards < 3 * DEALT * players:
        raise ValueError(
            f"num_players={players}, poo_heads={values['poo_heads']}, bombs={values['bombs']}: "
            f"{cards} cards in {decks} deck(s), but nine per seat, {3 * DEALT * players}, are needed"
        )
    return values


def prepare(record, settings):
    """Writes the parameters into a record."""
    players = settings["num_players"]
    record["num_players"] = players
    record["decks"] = -(-players // PLAYERS_PER_DECK)
    for name in ("poo_heads", "bombs", "voluntary_pickup", "target", "max_decisions", "max_rounds"):
        record[name] = settings[name]
    record["scoring"] = SCORE_POINTS if settings["scoring"] == "points" else SCORE_LOSER
    record["points_reward"] = settings["reward"] == "points"


def payoff_bounds(settings):
    """(lowest, highest) return of a seat."""
    if settings["reward"] == "points":
        return (-4.0 * settings["max_rounds"], 3.0 * settings["max_rounds"])
    return (-1.0, 1.0)


def payoff_sum(settings):
    """What the returns of a finished game add up to, None where that is not fixed (PH-22)."""
    return None if settings["reward"] == "points" else 0.0


def length_bound(settings):
    """No game has more decisions than this (PH-23)."""
    rounds = settings["max_rounds"] if settings["scoring"] == "points" else 1
    return settings["max_decisions"] * rounds


def rates(settings):
    """How often a seat is the Poo Head, or in a match the winner: name -> hits from returns (n, P) and seats (n,)."""
    if settings["scoring"] == "loser":
        return {"loss_rate": lambda returns, seat: _own(returns, seat) < 0}
    if settings["reward"] == "winner":
        return {"win_rate": lambda returns, seat: _own(returns, seat) > 0}
    return {"win_rate": lambda returns, seat: (_own(returns, seat)[:, None] >= returns).sum(1) == returns.shape[1]}


def _own(returns, seat):
    return returns[np.arange(len(seat)), seat]
