"""Pooman told: names, scenarios, words and pictures, and what the check asks of a game."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from ...core.game import State
from .cards import ACTIONS
from .picture import scene
from .record import CHASE
from .scenario import dump, load
from .words import describe

__all__ = ["ACTIONS", "describe", "dump", "load", "scene"]


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action the seat to act takes; choices in a chase are made unseen (PM-13)."""
    return bool(state.record["phase"] != CHASE)


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who chooses unseen in this tick, in the order asked, and how many choices of it are made (PM-13); None if
    only the seat to act chooses."""
    s, k = state.record, state.settings["num_players"]
    if s["phase"] != CHASE:
        return None
    seats = [seat for seat in range(k) if s["running"][seat]] + ([k] if s["freeze"] == 0 else [])
    return tuple(seats), int(s["num_moves"][: k + 1].sum())


# -- for the conformance check ----------------------------------------------------------------------------------------


def census(state: State) -> Counter[str]:
    """All cards of the game, wherever they lie."""
    position = dump(state)
    open_card = [position["card"]] if position["card"] else []
    return Counter(chain(position["deck"], *position["fronts"], position["discard"], open_card))


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any] | None:
    """The position with every player that many seats further clockwise, the Pooman staying.

    None in a chase, where players choose and their specials count in the order of their seats (PM-13, PM-15).
    """
    if scenario["phase"] == "chase":
        return None
    n = scenario["players"]
    winner = scenario["winner"]
    return {
        **scenario,
        "fronts": [scenario["fronts"][(seat - seats) % n] for seat in range(n)],
        "turn": (scenario["turn"] + seats) % n,
        "winner": winner if winner is None or winner == n else (winner + seats) % n,
    }
