"""Too Many Poops told: scenarios, words and pictures, and what the conformance check asks for."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from ...core.game import State
from .cards import ACTIONS
from .loading import load
from .picture import scene
from .record import CAT, CHOOSE, CLOSED_DOOR, DISCARD, DRAW_WILD, HISS, PASS, PLAY_ITEM, REPLAY, SCOOP, TO_HOME
from .scenario import dump
from .words import describe

__all__ = ["ACTIONS", "census", "describe", "dump", "is_public", "load", "rotate", "scene"]

WITHOUT_PARTS = (REPLAY, SCOOP, HISS, CLOSED_DOOR)


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action is taken: not what is kept (TM-2), half chosen, or refused in secret."""
    if action >= PLAY_ITEM and action < DISCARD:
        return action - PLAY_ITEM in WITHOUT_PARTS
    return action < CAT or (TO_HOME <= action and action not in (DRAW_WILD, PASS))


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who chooses a cat to keep unseen, in the order asked, and how many have (TM-2); None if only one chooses."""
    s, n = state.record, state.settings["num_players"]
    if s["phase"] != CHOOSE:
        return None
    order = ((int(s["turn"]) + step) % n for step in range(n))
    return tuple(order), int((s["chosen"][:n] >= 0).sum())


def census(state: State) -> Counter[str]:
    """All cards of the game, wherever they lie."""
    at = dump(state)
    rows = [at["wild"], at["item_discard"], at["cat_deck"], at["item_deck"], *at["store"].values()]
    for hand, home in zip(at["hands"], at["homes"], strict=True):
        rows += [hand["cats"], hand["items"], home["cats"], home["modifiers"]]
    rows.append([entry["item"] for entry in at["stack"]])
    return Counter(name for name in chain(*rows) if name is not None)


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The position of a whole scenario with everybody that many seats further clockwise."""
    n = scenario["players"]

    def further(seat: int) -> int:
        return (seat + seats) % n

    turned = dict(scenario)
    for field in ("hands", "homes", "known", "chosen"):
        turned[field] = [scenario[field][(seat - seats) % n] for seat in range(n)]
    turned["turn"] = further(scenario["turn"])
    turned["ask"] = [further(seat) for seat in scenario["ask"]]
    turned["out"] = sorted(further(seat) for seat in scenario["out"])
    turned["winner"] = None if scenario["winner"] is None else further(scenario["winner"])
    turned["stack"] = [_turned(entry, further) for entry in scenario["stack"]]
    turned["arrival"] = None if scenario["arrival"] is None else _turned(scenario["arrival"], further)
    return turned


def _turned(entry: Mapping[str, Any], further: Any) -> dict[str, Any]:
    return {key: further(value) if key in ("by", "home") else value for key, value in entry.items()}
