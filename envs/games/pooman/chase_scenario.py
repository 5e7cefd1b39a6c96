"""The field ``chase_state`` of a scenario: reading, writing, and refusing what cannot be."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from ...core.scenario import ScenarioReader, whole_number
from .cards import ACTIONS, CARDS
from .record import (
    BALANCED,
    CHASE,
    EAST,
    FREE,
    HIDDEN,
    LOSE,
    NORTH,
    POOPERMAN,
    POWER_FLUSH,
    SOUTH,
    STAY,
    TOUCHED,
    USE,
    WEST,
)

FIELD = "chase_state"
FATES = {"touched": TOUCHED, "hidden": HIDDEN, "balanced": BALANCED}
CHOICES = {ACTIONS[number]: number for number in (*range(USE, LOSE), *range(STAY, len(ACTIONS)))}
KEYS = ("kind", "ticks", "freeze", "pooman", "players", *FATES, "moves", "pooman_moves")


def dump_chase(s: np.void) -> dict[str, Any] | None:
    """The chase under way; None while there is none."""
    if s["phase"] != CHASE:
        return None
    n = int(s["num_players"])
    moves = [[ACTIONS[move] for move in s["moves"][seat][: s["num_moves"][seat]]] for seat in range(n + 1)]
    return {
        "kind": CARDS[s["card"]],
        "ticks": int(s["ticks"]),
        "freeze": int(s["freeze"]),
        "pooman": s["cell"][n].tolist(),
        "players": s["cell"][:n].tolist(),
        **{name: [seat for seat in range(n) if s["fate"][seat] == fate] for name, fate in FATES.items()},
        "moves": [row or None for row in moves[:n]],
        "pooman_moves": moves[n],
    }


def load_chase(reader: ScenarioReader, s: np.void) -> None:
    """Writes the chase, or the start of one for whatever is left out, and who is to choose."""
    given = reader.scenario.get(FIELD)
    if s["phase"] != CHASE:
        if given is not None:
            raise ValueError(f"{FIELD}: null unless the phase is 'chase'")
        return
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise ValueError(f"{FIELD}: an object is wanted, not {given!r}")
    for key in given:
        if key not in KEYS:
            near = get_close_matches(str(key), KEYS, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"{FIELD}: no key {key!r}; {hint}there are {', '.join(KEYS)}")
    chase = {key: value for key, value in given.items() if value is not None}
    _load_clock(chase, s)
    _load_cells(chase, s)
    _load_fates(chase, s)
    _load_moves(chase, s)


def _load_clock(chase: Mapping[str, Any], s: np.void) -> None:
    kind = CARDS[s["card"]]
    if chase.get("kind", kind) != kind:
        raise ValueError(f"{FIELD}: kind {chase['kind']!r}, but the card is {kind!r}")
    full = int(s["pooperman_ticks"] if s["card"] == POOPERMAN else s["chase_ticks"])
    s["ticks"] = _whole(chase, "ticks", full, 1, full)
    s["freeze"] = _whole(chase, "freeze", 0, 0, 0 if s["card"] == POOPERMAN else int(s["freeze_ticks"]))


def _load_cells(chase: Mapping[str, Any], s: np.void) -> None:
    n = int(s["num_players"])
    s["cell"][:n] = s["start"][:n]
    s["cell"][n] = (s["room_size"] // 2, 0)
    players = _list(chase, "players", s["start"][:n].tolist())
    if len(players) != n:
        raise ValueError(f"{FIELD}: players has {len(players)} cells for {n} players")
    for seat, cell in enumerate([*players, chase.get("pooman", s["cell"][n].tolist())]):
        what = "pooman" if seat == n else "players"
        if not isinstance(cell, list | tuple) or len(cell) != 2:
            raise ValueError(f"{FIELD}: {what}: {cell!r} is no cell [column, row]")
        last = int(s["room_size"]) - 1
        s["cell"][seat] = [whole_number(f"{FIELD}: {what}", value, 0, last) for value in cell]
    s["plan"][: n + 1] = s["cell"][: n + 1]


def _load_fates(chase: Mapping[str, Any], s: np.void) -> None:
    n = int(s["num_players"])
    for name, fate in FATES.items():
        for entry in _list(chase, name, []):
            seat = whole_number(f"{FIELD}: {name}", entry, 0, n - 1)
            if s["fate"][seat] != FREE:
                raise ValueError(f"{FIELD}: {name}: seat {seat} is named twice")
            if fate == TOUCHED and s["held"][seat]:
                raise ValueError(f"{FIELD}: {name}: seat {seat} would have lost its cards")
            if fate != TOUCHED and s["card"] == POOPERMAN:
                raise ValueError(f"{FIELD}: {name}: no special works against The Pooperman")
            s["fate"][seat] = fate
    for seat in range(n):
        s["running"][seat] = s["fate"][seat] == FREE and (s["held"][seat] > 0 or s["empty_handed_run"])
    if not s["running"][:n].any():
        raise ValueError(f"{FIELD}: nobody is in the chase, so it is over or does not begin")


def _load_moves(chase: Mapping[str, Any], s: np.void) -> None:
    """The choices of this tick, and the seat that is to choose: the first that has not finished."""
    n = int(s["num_players"])
    rows = _list(chase, "moves", [None] * n)
    if len(rows) != n:
        raise ValueError(f"{FIELD}: moves has {len(rows)} entries for {n} players")
    s["acting"] = -1
    for seat, row in enumerate([*rows, _list(chase, "pooman_moves", [])]):
        chooses = s["running"][seat] if seat < n else not s["freeze"]
        finished = _load_row(s, seat, [] if row is None else row, bool(chooses))
        if chooses and not finished and s["acting"] < 0:
            s["acting"] = seat
    if s["acting"] < 0:
        raise ValueError(f"{FIELD}: all have chosen, so the tick is over")


def _load_row(s: np.void, seat: int, row: Any, chooses: bool) -> bool:
    """One seat's choices; whether it has made them all."""
    pooman = seat == s["num_players"]
    what = f"{FIELD}: pooman_moves" if pooman else f"{FIELD}: moves of seat {seat}"
    speed = int(s["pooman_speed"] if pooman else s["player_speed"])
    if not isinstance(row, list | tuple) or len(row) > speed:
        raise ValueError(f"{what}: a list of at most {speed} choices is wanted, not {row!r}")
    if row and not chooses:
        raise ValueError(f"{what}: it has nothing to choose in this tick")
    if row and s["acting"] >= 0:
        raise ValueError(f"{what}: not before seat {s['acting']} has chosen")
    for k, name in enumerate(row):
        move = CHOICES.get(name) if isinstance(name, str) else None
        if move is None:
            raise ValueError(f"{what}: {name!r} is no choice; there are {', '.join(CHOICES)}")
        if move < STAY and (pooman or len(row) > 1 or not s["front"][seat][move - USE + POWER_FLUSH]):
            raise ValueError(f"{what}: {name!r} needs that card, and is the only choice of a tick")
        s["moves"][seat][k] = move
        s["plan"][seat] = _after(s, s["plan"][seat], move)
    s["num_moves"][seat] = len(row)
    return len(row) == speed or (bool(row) and s["moves"][seat][0] < STAY)


def _after(s: np.void, cell: np.ndarray, move: int) -> np.ndarray:
    """The cell after a step; a step into a wall means stay (PM-13)."""
    across, down = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}.get(move, (0, 0))
    return np.clip(cell + (across, down), 0, s["room_size"] - 1)


def _whole(chase: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    return whole_number(f"{FIELD}: {key}", chase.get(key, default), low, high)


def _list(chase: Mapping[str, Any], key: str, default: list[Any]) -> list[Any]:
    value = chase.get(key, default)
    if not isinstance(value, list | tuple):
        raise ValueError(f"{FIELD}: {key}: a list is wanted, not {value!r}")
    return list(value)
