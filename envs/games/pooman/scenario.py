"""Positions of Pooman as scenarios."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core import forms
from ...core.forms import BySeat, Card, Cards, Choice, Counts, Deck, Flag, Form, MarkedSeats, Number, Parts, Seat
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Refusals, Schema, most_decisions
from .cards import ACTIONS, CARDS, PHASE_NAMES, card_counts
from .record import (
    BALANCED,
    BALANCER,
    CHASE,
    DIRE_EAR,
    FREE,
    FRESHNESS,
    GOAL,
    HIDDEN,
    LOSE,
    POOCICLE,
    POODINI,
    POOMAN,
    POOPERMAN,
    POWER_FLUSH,
    ROLL_AGAIN,
    STAY,
    TOUCHED,
    TWO_STARS,
    USE,
)

CHOICES = {ACTIONS[number]: number for number in (*range(USE, LOSE), *range(STAY, len(ACTIONS)))}
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
NOT_KEPT = (POOMAN, POOPERMAN, ROLL_AGAIN, DIRE_EAR)  # never in front of a player
MOST_STARS = 6  # PM-3


# -- forms that only this game has -----------------------------------------------------------------------------------


class KindOfChase(Card):
    """The open card once more; the field ``card`` writes it."""

    def put(self, state: State, value: int | None, at: forms.At = ()) -> None:
        pass


class Cell(Form):
    """A cell [column, row] of the room: a player's, or without a seat the Pooman's."""

    words = "[column, row]"

    def read(self, label: str, value: Any, position: Position, at: forms.At = ()) -> list[int]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError(f"{label}: {value!r} is no cell [column, row]")
        return [forms.whole_number(label, part, 0, position.settings["room_size"] - 1) for part in value]

    def get(self, state: State, at: forms.At = ()) -> list[int]:
        return state.record["cell"][at or state.settings["num_players"]].tolist()

    def put(self, state: State, value: list[int] | None, at: forms.At = ()) -> None:
        if value is not None:
            state.record["cell"][at or state.settings["num_players"]] = value


class Moves(Form):
    """Choices of one tick: a player's, null for none, or without a seat the Pooman's."""

    words = "names of actions"

    def read(self, label: str, value: Any, position: Position, at: forms.At = ()) -> list[int]:
        label = f"{label} of seat {at[0]}" if at else label
        moves = [] if value is None else forms.entries(label, value)
        speed = position.settings["player_speed" if at else "pooman_speed"]
        if len(moves) > speed:
            raise ValueError(f"{label}: at most {speed} choices, not {value!r}")
        for move in moves:
            if move not in list(CHOICES):
                raise ValueError(f"{label}: {move!r} is no choice; there are {', '.join(CHOICES)}")
        return [CHOICES[move] for move in moves]

    def get(self, state: State, at: forms.At = ()) -> list[str] | None:
        s, seat = state.record, at[0] if at else state.settings["num_players"]
        return [ACTIONS[move] for move in s["moves"][seat][: s["num_moves"][seat]]] or (None if at else [])

    def put(self, state: State, value: list[int] | None, at: forms.At = ()) -> None:
        s, seat, moves = state.record, at[0] if at else state.settings["num_players"], value or []
        s["moves"][seat][: len(moves)], s["num_moves"][seat] = moves, len(moves)


# -- bounds, and what follows when it is left out --------------------------------------------------------------------


def _phase(position: Position) -> str:
    ended = position["winner"] is not None or position["truncated"]
    return "over" if ended else _phase_of_card(position)


def _phase_of_card(position: Position) -> str:
    """The phase that the open card brings about."""
    if position["card"] in (POOMAN, POOPERMAN):
        return "chase" if position.settings["chase"] == "grid" else "defend"
    return "take" if position["card"] == FRESHNESS else "draw"


def _most_ticks(position: Position) -> int:
    return position.settings["pooperman_ticks" if position["card"] == POOPERMAN else "chase_ticks"]


def _most_freeze(position: Position) -> int:
    return 0 if position["card"] == POOPERMAN else position.settings["freeze_ticks"]


def _chase(position: Position) -> dict[str, Any] | None:
    """The start of a chase, while there is one."""
    return CHASE_STATE.fill("chase_state", {}, position) if position["phase"] == "chase" else None


# -- what does not go together ---------------------------------------------------------------------------------------


def _check_fronts(position: Position) -> Refusals:
    """PM-3, PM-4: cards that are kept, and who has won by them."""
    s, winner, over = position.record, position["winner"], position["phase"] == "over"
    for seat, front in enumerate(position["fronts"]):
        for kind in front:
            yield kind in NOT_KEPT, f"fronts: {CARDS[kind]!r} of seat {seat} is no card that is kept"
        s["stars"][seat] = stars = sum(kind + 1 for kind in front if kind <= TWO_STARS)
        won, shows = stars >= GOAL, f"seat {seat} shows {stars} stars"
        yield won and seat != winner and not over, f"fronts: {shows} and would have won"
        yield won and seat != winner, f"winner: {shows}, so it is the winner"
        yield stars > MOST_STARS, f"fronts: {shows}, more than {MOST_STARS} cannot be"
        yield seat == winner and not won, f"winner: {shows}, which is too few"
    early = winner == position.players and position["deck"]
    yield early, "winner: the Pooman has not won while there are cards face down"
    s["left"] = card_counts(position["deck"])


def _check_phase(position: Position) -> Refusals:
    """The end, the phase and the open card must go together, and with what lies where."""
    phase, turn, won = position["phase"], position["turn"], position["winner"] is not None
    ended, card = won or position["truncated"], position["card"]
    yield won and position["truncated"], "truncated: a game that somebody has won was not truncated"
    yield ended and phase != "over", f"phase: {phase!r} in a game with {'a winner' if won else 'an end'}"
    yield phase == "over" and not ended, "phase: 'over' needs a winner, or truncated"
    shown = "card: null" if card is None else f"card: {CARDS[card]!r}"
    if phase in ("draw", "again", "over"):
        yield card is not None, f"{shown} is not open in the phase {phase!r}"
    else:
        other = card is None or _phase_of_card(position) != phase
        yield other, f"{shown} does not go with the phase {phase!r} and chase={position.settings['chase']!r}"
    going_on = phase in ("draw", "again", "defend", "chase")
    yield going_on and not position["deck"], f"deck: empty, so the game is over and not in the phase {phase!r}"
    stars = np.delete(position.record["stars"], turn)
    yield phase == "take" and not stars.any(), f"{shown} is kept, since no other player has a character"
    helpless = phase == "defend" and not _can_defend(position)
    yield helpless, f"{shown} needs no decision, since seat {turn} has no card against it"
    position.record["acting"] = turn if phase in ("draw", "again", "take", "defend") else forms.NONE


def _can_defend(position: Position) -> bool:
    """PM-21: whether the player has a card that is of use against the open one."""
    usable = {POWER_FLUSH, POODINI, POOCICLE}
    if position["card"] == POOMAN:
        usable.add(BALANCER)
    elif position.settings["pooperman_unstoppable"]:
        return False
    return not usable.isdisjoint(position["fronts"][position["turn"]])


def _check_chase(position: Position) -> Refusals:
    """Who is in the chase."""
    s, chase, card = position.record, position["chase_state"], position["card"]
    if position["phase"] != "chase":
        yield chase is not None, "chase_state: null unless the phase is 'chase'"
        return
    yield chase["kind"] != card, f"chase_state: kind {CARDS[chase['kind']]!r}, but the card is {CARDS[card]!r}"
    named = [(fate, seat) for fate in ("touched", "hidden", "balanced") for seat in chase[fate]]
    for fate, seat in named:
        label, touched = f"chase_state: {fate}", fate == "touched"
        yield [other for _, other in named].count(seat) > 1, f"{label}: seat {seat} is named twice"
        yield touched and position["fronts"][seat], f"{label}: seat {seat} would have lost its cards"
        yield not touched and card == POOPERMAN, f"{label}: no special works against The Pooperman"
    for seat in range(position.players):
        s["running"][seat] = s["fate"][seat] == FREE and (s["held"][seat] > 0 or s["empty_handed_run"])
    yield not s["running"].any(), "chase_state: nobody is in the chase, so it is over or does not begin"


def _check_moves(position: Position) -> Refusals:
    """The choices of this tick, and the seat that is to choose: the first that has not finished."""
    s, n, chase = position.record, position.players, position["chase_state"]
    if chase is None:
        return
    s["plan"][: n + 1] = s["cell"][: n + 1]
    for seat, row in enumerate([*chase["moves"], chase["pooman_moves"]]):
        label = "chase_state: pooman_moves" if seat == n else f"chase_state: moves of seat {seat}"
        chooses = s["running"][seat] if seat < n else not s["freeze"]
        yield row and not chooses, f"{label}: it has nothing to choose in this tick"
        yield row and s["acting"] >= 0, f"{label}: not before seat {s['acting']} has chosen"
        for move in row:
            wrong = move < STAY and (seat == n or len(row) > 1 or not s["front"][seat][move - USE + POWER_FLUSH])
            yield wrong, f"{label}: {ACTIONS[move]!r} needs that card, and is the only choice of a tick"
            step = STEPS.get(ACTIONS[move], (0, 0))  # into a wall it means stay (PM-13)
            s["plan"][seat] = np.clip(s["plan"][seat] + step, 0, s["room_size"] - 1)
        finished = len(row) == s["pooman_speed" if seat == n else "player_speed"] or (row and row[0] < STAY)
        if chooses and not finished and s["acting"] < 0:
            s["acting"] = seat
    yield s["acting"] < 0, "chase_state: all have chosen, so the tick is over"


# -- the fields ------------------------------------------------------------------------------------------------------

DECK = Deck(lambda settings: CARDS, lambda settings: list(settings["counts"].values()))
CHASE_STATE = Parts(
    Field("kind", KindOfChase(DECK, "card", lies=False), "the same as `card`", lambda at: at["card"], "`card`"),
    Field("ticks", Number("ticks", 1, _most_ticks), "ticks left of the chase", _most_ticks, "all of them"),
    Field("freeze", Number("freeze", 0, _most_freeze), "ticks left of the freeze", 0),
    Field(
        "pooman",
        Cell(),
        "the Pooman's cell before this tick",
        lambda position: [position.settings["room_size"] // 2, 0],
        "where it starts",
    ),
    Field(
        "players",
        BySeat(Cell()),
        "its cell before this tick",
        lambda position: position.record["start"][: position.players].tolist(),
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
        lambda position: int(position.pool(DECK).random.integers(position.players)),
        "random",
    ),
    Field(
        "phase",
        Choice(PHASE_NAMES, "phase"),
        "what is decided: to draw, again (PM-7), to take (PM-9) or to defend (PM-21), or a chase; or over",
        _phase,
        'with `winner` or `truncated` `"over"`, else what `card` brings about, else `"draw"`',
    ),
    Field(
        "winner", Seat("winner", high=lambda position: position.players), "who has won; the Pooman's seat is the last"
    ),
    Field("pooman_seat", Number("pooman_seat", or_none=True), "the label of PM-23"),
    Field("truncated", Flag("truncated"), "whether the decision cap ended the game", False),
    Field("decisions", Number("decisions", 0, most_decisions), "decisions taken", 0),
    Field("chase_state", CHASE_STATE, "the chase under way", _chase, 'in phase `"chase"` the start of one'),
    checks=(_check_fronts, _check_phase, _check_chase, _check_moves),
    parameters=(
        "chase",
        "room_size",
        "start_distance",
        "pooman_speed",
        "player_speed",
        "chase_ticks",
        "pooperman_ticks",
    )
    + ("freeze_ticks", "empty_handed_run", "pooperman_unstoppable", "max_decisions", "seed", "counts"),
)
load, dump, census = SCHEMA.load, SCHEMA.dump, SCHEMA.census


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any] | None:
    """The position with every player that many seats further clockwise, the Pooman staying.

    None in a chase, where players choose and their specials count in the order of their seats (PM-13, PM-15).
    """
    return None if scenario["phase"] == "chase" else SCHEMA.rotate(scenario, seats)
