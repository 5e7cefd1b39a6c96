"""Positions of Pooman as scenarios."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.forms import (
    At,
    BySeat,
    Card,
    Cards,
    Choice,
    Counts,
    Deck,
    Flag,
    Form,
    MarkedSeats,
    Number,
    Parts,
    Seat,
    entries,
    whole_number,
)
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Schema
from .cards import ACTIONS, CARDS, PHASE_NAMES, card_counts
from .record import (
    AGAIN,
    BALANCED,
    BALANCER,
    CHASE,
    DEFEND,
    DIRE_EAR,
    DRAW,
    EAST,
    FREE,
    FRESHNESS,
    GOAL,
    HIDDEN,
    LOSE,
    NORTH,
    OVER,
    POOCICLE,
    POODINI,
    POOMAN,
    POOPERMAN,
    POWER_FLUSH,
    ROLL_AGAIN,
    SOUTH,
    STAY,
    TAKE,
    TOUCHED,
    TWO_STARS,
    USE,
    WEST,
)

CHOICES = {ACTIONS[number]: number for number in (*range(USE, LOSE), *range(STAY, len(ACTIONS)))}
NOT_KEPT = (POOMAN, POOPERMAN, ROLL_AGAIN, DIRE_EAR)  # never in front of a player
MOST_STARS = 6  # PM-3
FATES = {"touched": TOUCHED, "hidden": HIDDEN, "balanced": BALANCED}


# -- forms of this game ----------------------------------------------------------------------------------------------


class KindOfChase(Card):
    """The open card once more."""

    def put(self, state: State, value: int | None, at: At = ()) -> None:
        """The field ``card`` writes it."""


class Cell(Form):
    """A cell [column, row] of the room: a player's, or without a seat the Pooman's."""

    def in_words(self) -> str:
        return "[column, row]"

    def read(self, label: str, value: Any, position: Position, at: At = ()) -> list[int]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError(f"{label}: {value!r} is no cell [column, row]")
        return [whole_number(label, part, 0, position.settings["room_size"] - 1) for part in value]

    def get(self, state: State, at: At = ()) -> list[int]:
        return state.record["cell"][at or state.settings["num_players"]].tolist()

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        if value is not None:
            state.record["cell"][at or state.settings["num_players"]] = value


class Moves(Form):
    """Choices of one tick: a player's, null for none, or without a seat the Pooman's."""

    def in_words(self) -> str:
        return "names of actions"

    def read(self, label: str, value: Any, position: Position, at: At = ()) -> list[int]:
        label = f"{label} of seat {at[0]}" if at else label
        moves = [] if value is None else entries(label, value)
        speed = position.settings["player_speed" if at else "pooman_speed"]
        if len(moves) > speed:
            raise ValueError(f"{label}: at most {speed} choices, not {value!r}")
        for move in moves:
            if move not in list(CHOICES):
                raise ValueError(f"{label}: {move!r} is no choice; there are {', '.join(CHOICES)}")
        return [CHOICES[move] for move in moves]

    def get(self, state: State, at: At = ()) -> list[str] | None:
        s, seat = state.record, at[0] if at else state.settings["num_players"]
        moves = [ACTIONS[move] for move in s["moves"][seat][: s["num_moves"][seat]]]
        return moves or (None if at else [])

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        s, seat, moves = state.record, at[0] if at else state.settings["num_players"], value or []
        s["moves"][seat][: len(moves)], s["num_moves"][seat] = moves, len(moves)


# -- bounds, and what follows when it is left out --------------------------------------------------------------------


def _phase(position: Position) -> str:
    ended = position["winner"] is not None or position["truncated"]
    return PHASE_NAMES[OVER if ended else _phase_of_card(position)]


def _phase_of_card(position: Position) -> int:
    """The phase that the open card brings about."""
    if position["card"] == FRESHNESS:
        return TAKE
    if position["card"] in (POOMAN, POOPERMAN):
        return CHASE if position.settings["chase"] == "grid" else DEFEND
    return DRAW


def _most_decisions(position: Position) -> int:
    return position.settings["max_decisions"] - (position["phase"] != "over")


def _most_ticks(position: Position) -> int:
    return position.settings["pooperman_ticks" if position["card"] == POOPERMAN else "chase_ticks"]


def _most_freeze(position: Position) -> int:
    return 0 if position["card"] == POOPERMAN else position.settings["freeze_ticks"]


def _chase(position: Position) -> dict[str, Any] | None:
    """The start of a chase, while there is one."""
    return CHASE_STATE.fill("chase_state", {}, position) if position["phase"] == "chase" else None


# -- what does not go together ---------------------------------------------------------------------------------------


def _check_fronts(position: Position) -> None:
    """PM-3, PM-4: cards that are kept, and who has won by them."""
    s, winner, n = position.record, position["winner"], position.players
    for seat, front in enumerate(position["fronts"]):
        for kind in front:
            if kind in NOT_KEPT:
                raise ValueError(f"fronts: {CARDS[kind]!r} of seat {seat} is no card that is kept")
        s["stars"][seat] = stars = sum(kind + 1 for kind in front if kind <= TWO_STARS)
        if stars >= GOAL and seat != winner and position["phase"] != "over":
            raise ValueError(f"fronts: seat {seat} shows {stars} stars and would have won")
        if stars >= GOAL and seat != winner:
            raise ValueError(f"winner: seat {seat} shows {stars} stars, so it is the winner")
        if stars > MOST_STARS:
            raise ValueError(f"fronts: seat {seat} shows {stars} stars, more than {MOST_STARS} cannot be")
    if winner is not None and winner < n and s["stars"][winner] < GOAL:
        raise ValueError(f"winner: seat {winner} shows only {s['stars'][winner]} stars")
    if winner == n and position["deck"]:
        raise ValueError("winner: the Pooman has not won while there are cards face down")
    s["left"] = card_counts(position["deck"])


def _check_end(position: Position) -> None:
    phase, won = position["phase"], position["winner"] is not None
    if position["truncated"] and won:
        raise ValueError("truncated: a game that somebody has won was not truncated")
    if (won or position["truncated"]) and phase != "over":
        raise ValueError(f"phase: {phase!r} in a game with {'a winner' if won else 'an end'}")
    if phase == "over" and not (won or position["truncated"]):
        raise ValueError("phase: 'over' needs a winner, or truncated")


def _check_phase(position: Position) -> None:
    """The phase and the open card must go together, and with what lies where."""
    s, phase, turn = position.record, position["phase"], position["turn"]
    number, shown = PHASE_NAMES.index(phase), "null" if position["card"] is None else repr(CARDS[position["card"]])
    if number in (DRAW, AGAIN, OVER):
        if position["card"] is not None:
            raise ValueError(f"card: {shown} is not open in the phase {phase!r}")
    elif position["card"] is None or _phase_of_card(position) != number:
        raise ValueError(f"card: {shown} does not go with the phase {phase!r} and chase={position.settings['chase']!r}")
    if not position["deck"] and number in (DRAW, AGAIN, DEFEND, CHASE):
        raise ValueError(f"deck: empty, so the game is over and not in the phase {phase!r}")
    if number == TAKE and not any(s["stars"][seat] for seat in range(position.players) if seat != turn):
        raise ValueError(f"card: {shown} is kept, since no other player has a character")
    if number == DEFEND and not _can_defend(position):
        raise ValueError(f"card: {shown} needs no decision, since seat {turn} has no card against it")
    s["acting"] = turn if number in (DRAW, AGAIN, TAKE, DEFEND) else -1


def _can_defend(position: Position) -> bool:
    """PM-21: whether the player has a card that is of use against the open one."""
    usable = {POWER_FLUSH, POODINI, POOCICLE}
    if position["card"] == POOMAN:
        usable.add(BALANCER)
    elif position.settings["pooperman_unstoppable"]:
        return False
    return not usable.isdisjoint(position["fronts"][position["turn"]])


def _check_chase(position: Position) -> None:
    """Who is in the chase."""
    s, chase = position.record, position["chase_state"]
    if (chase is None) == (position["phase"] == "chase"):
        raise ValueError("chase_state: null unless the phase is 'chase'")
    if chase is None:
        return
    if chase["kind"] != position["card"]:
        raise ValueError(f"chase_state: kind {CARDS[chase['kind']]!r}, but the card is {CARDS[position['card']]!r}")
    named = [seat for name in FATES for seat in chase[name]]
    for name in FATES:
        for seat in chase[name]:
            if named.count(seat) > 1:
                raise ValueError(f"chase_state: {name}: seat {seat} is named twice")
            if name == "touched" and position["fronts"][seat]:
                raise ValueError(f"chase_state: {name}: seat {seat} would have lost its cards")
            if name != "touched" and position["card"] == POOPERMAN:
                raise ValueError(f"chase_state: {name}: no special works against The Pooperman")
    for seat in range(position.players):
        s["running"][seat] = s["fate"][seat] == FREE and (s["held"][seat] > 0 or s["empty_handed_run"])
    if not s["running"][: position.players].any():
        raise ValueError("chase_state: nobody is in the chase, so it is over or does not begin")
    _check_moves(position, chase)


def _check_moves(position: Position, chase: Mapping[str, Any]) -> None:
    """The choices of this tick, and the seat that is to choose: the first that has not finished."""
    s, n = position.record, position.players
    s["plan"][: n + 1] = s["cell"][: n + 1]
    for seat, row in enumerate([*chase["moves"], chase["pooman_moves"]]):
        label = "chase_state: pooman_moves" if seat == n else f"chase_state: moves of seat {seat}"
        chooses = s["running"][seat] if seat < n else not s["freeze"]
        if row and not chooses:
            raise ValueError(f"{label}: it has nothing to choose in this tick")
        if row and s["acting"] >= 0:
            raise ValueError(f"{label}: not before seat {s['acting']} has chosen")
        for move in row:
            if move < STAY and (seat == n or len(row) > 1 or not s["front"][seat][move - USE + POWER_FLUSH]):
                raise ValueError(f"{label}: {ACTIONS[move]!r} needs that card, and is the only choice of a tick")
            s["plan"][seat] = _after(s, s["plan"][seat], move)
        finished = len(row) == s["pooman_speed" if seat == n else "player_speed"] or (row and row[0] < STAY)
        if chooses and not finished and s["acting"] < 0:
            s["acting"] = seat
    if s["acting"] < 0:
        raise ValueError("chase_state: all have chosen, so the tick is over")


def _after(s: np.void, cell: np.ndarray, move: int) -> np.ndarray:
    """The cell after a step; a step into a wall means stay (PM-13)."""
    across, down = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}.get(move, (0, 0))
    return np.clip(cell + (across, down), 0, s["room_size"] - 1)


# -- the fields ------------------------------------------------------------------------------------------------------

DECK = Deck(lambda settings: CARDS, lambda settings: list(settings["counts"].values()))
CHASE_STATE = Parts(
    Field("kind", KindOfChase(DECK, "card", lies=False), "the same as `card`", lambda p: p["card"], "`card`"),
    Field("ticks", Number("ticks", 1, _most_ticks), "ticks left of the chase", _most_ticks, "all of them"),
    Field("freeze", Number("freeze", 0, _most_freeze), "ticks left of the freeze", 0),
    Field(
        "pooman",
        Cell(),
        "the Pooman's cell before this tick",
        lambda p: [p.settings["room_size"] // 2, 0],
        "where it starts",
    ),
    Field(
        "players",
        BySeat(Cell()),
        "its cell before this tick",
        lambda p: p.record["start"][: p.players].tolist(),
        "where they start",
    ),
    Field("touched", MarkedSeats("fate", mark=TOUCHED), "players that the Pooman has touched", []),
    Field("hidden", MarkedSeats("fate", mark=HIDDEN), "players that a Poodini hides", []),
    Field("balanced", MarkedSeats("fate", mark=BALANCED), "players that a Balancer saves", []),
    Field("moves", BySeat(Moves()), "its choices of this tick; null while it has none", []),
    Field("pooman_moves", Moves(), "the Pooman's choices of this tick", []),
    absent=lambda record: record["phase"] != CHASE,
)
SCHEMA = Schema(
    Field("deck", Cards(DECK, "deck", "deck_size", next_last=True), "the face-down cards, next card first", Dealt()),
    Field("fronts", BySeat(Counts(DECK, "front", "held")), "the cards in front of it, in any order", []),
    Field("discard", Counts(DECK, "discard"), "the discard, in any order", []),
    Field("card", Card(DECK, "card"), "the card that is turned over and not yet dealt with"),
    Field(
        "turn",
        Seat("turn"),
        "the player whose turn it is, also in a finished game",
        lambda p: int(p.pool(DECK).random.integers(p.players)),
        "random",
    ),
    Field(
        "phase",
        Choice(PHASE_NAMES, "phase"),
        "what is decided: to draw, again (PM-7), to take (PM-9) or to defend (PM-21), or a chase; or over",
        _phase,
        'with `winner` or `truncated` `"over"`, else what `card` brings about, else `"draw"`',
    ),
    Field("winner", Seat("winner", high=lambda p: p.players), "who has won; the Pooman's seat is the last"),
    Field("pooman_seat", Number("pooman_seat", or_none=True), "the label of PM-23"),
    Field("truncated", Flag("truncated"), "whether the game was truncated by its cap", False),
    Field("decisions", Number("decisions", 0, _most_decisions), "decisions taken", 0),
    Field("chase_state", CHASE_STATE, "the chase under way", _chase, 'in phase `"chase"` the start of one'),
    checks=(_check_fronts, _check_end, _check_phase, _check_chase),
    parameters=(
        "chase",
        "room_size",
        "start_distance",
        "pooman_speed",
        "player_speed",
        "chase_ticks",
        "pooperman_ticks",
        "freeze_ticks",
        "empty_handed_run",
        "pooperman_unstoppable",
        "max_decisions",
        "seed",
        "counts",
    ),
)
load, dump, census = SCHEMA.load, SCHEMA.dump, SCHEMA.census


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any] | None:
    """The position with every player that many seats further clockwise, the Pooman staying.

    None in a chase, where players choose and their specials count in the order of their seats (PM-13, PM-15).
    """
    return None if scenario["phase"] == "chase" else SCHEMA.rotate(scenario, seats)
