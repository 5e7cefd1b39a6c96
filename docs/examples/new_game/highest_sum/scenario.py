"""Highest Sum: positions as scenarios."""

from collections import Counter

import numpy as np

from poopdeck.envs.core.game import State
from poopdeck.envs.core.scenario import CardPool, ScenarioReader

from .rules import COPIES, MAX_KINDS

FIELDS = ("players", "kinds", "max_decisions", "hands", "laid", "draw_pile", "turn", "decisions", "truncated")


def spell(counts):
    """Counts by kind as a sorted list."""
    return [kind for kind in range(MAX_KINDS) for _ in range(int(counts[kind]))]


def dump(state):
    """The whole position."""
    s, settings = state.record, state.settings
    seats = range(settings["num_players"])
    return {
        "players": settings["num_players"],
        "kinds": settings["kinds"],
        "max_decisions": settings["max_decisions"],
        "seed": state.seed,
        "hands": [spell(s["hand"][seat]) for seat in seats],
        "laid": [spell(s["laid"][seat]) for seat in seats],
        "draw_pile": [int(kind) for kind in s["draw"][: s["draw_size"]][::-1]],
        "turn": int(s["turn"]) if s["turn"] >= 0 else None,
        "decisions": int(s["decisions"]),
        "truncated": bool(s["truncated"]),
        "rng": int(s["rng"]),
    }


def load(game, scenario):
    """The position of a scenario in which all cards are placed."""
    reader = ScenarioReader(scenario, FIELDS)
    settings = reader.settings(game.spec, scenario.get("players"))
    records = game.empty_states(settings, 1)
    s, n = records[0], settings["num_players"]
    s["rng"] = reader.chance()
    pool = CardPool(dict.fromkeys(range(settings["kinds"]), COPIES), str, reader.seed)
    zones = {name: reader.cards_by_seat(name, n, int) for name in ("hands", "laid")}
    draw = reader.cards("draw_pile", int)
    for name, cards in (("hands", sum(zones["hands"], [])), ("laid", sum(zones["laid"], [])), ("draw_pile", draw)):
        pool.place(name, cards)
    for seat in range(n):
        s["hand"][seat] = np.bincount(np.array(zones["hands"][seat], int), minlength=MAX_KINDS)
        s["laid"][seat] = np.bincount(np.array(zones["laid"][seat], int), minlength=MAX_KINDS)
    s["draw"][: len(draw)], s["draw_size"] = draw[::-1], len(draw)
    s["turn"] = reader.whole("turn", -1, 0, n - 1)
    s["decisions"] = reader.whole("decisions", 0, 0, 1000)
    s["truncated"] = reader.flag("truncated", False)
    return State(records, settings, reader.seed)


def census(state):
    """All cards."""
    position = dump(state)
    return Counter(sum(position["hands"] + position["laid"], []) + position["draw_pile"])


def rotate(scenario, seats):
    """Everybody sits that many places further clockwise."""
    n = scenario["players"]
    turned = dict(scenario)
    for name in ("hands", "laid"):
        turned[name] = [scenario[name][(seat - seats) % n] for seat in range(n)]
    turned["turn"] = None if scenario["turn"] is None else (scenario["turn"] + seats) % n
    return turned
