"""Scenarios by schema: a game declares the fields; reading, writing, errors and the page's table follow.

A game's ``scenario`` module holds a ``Schema``::

    DECK = Deck(lambda settings: CARDS, lambda settings: [4] * len(CARDS))
    SCHEMA = Schema(
        Field("hands", BySeat(Counts(DECK, "hand", "hand_size")), "its hand cards, in any order", Dealt(3)),
        Field("draw_pile", Cards(DECK, "draw", "draw_size", next_last=True), "next card first", Dealt()),
        Field("turn", Seat("turn"), "the seat to act", lambda position: position.players - 1, "the last seat"),
        players_from=("hands",),
        checks=(check_turn,),
    )

A form (``forms``) knows how a value looks and in which fields of the record it lies; one that a single game needs is a
subclass of ``Form`` in its scenario module. ``load`` reads the fields that are given, takes their cards out of the
pool, works out in the order of declaration what is left out, and writes all of it into the record. Values as read are
those of JSON, but cards are kinds (numbers). A default is what a scenario could have said (for every seat, if the form
is by seat), ``Dealt``, or a function of the ``Position``, which asks for other fields by ``position[name]``. The checks
come last, in their order: functions of the position that refuse what does not go together, by raising ValueError or by
yielding pairs of whether something is wrong and the error, and that write into the record what follows from the fields.
``dump``, ``census`` and ``rotate`` need nothing more. The parameters, ``players``, ``seed``, ``rng`` and ``strict`` are
fields of every scenario, and ``events`` of those of a game with the parameter ``history``.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import history
from .chance import fresh_seed, seed_streams
from .forms import BySeat, Deck, Events, Form, Parts, entries, flag, hint, whole_number
from .game import Game, State
from .spec import GameSpec

DEALING = 1  # branch of the seed that deals what a scenario leaves out
EVENTS = "events"


@dataclass(frozen=True)
class Dealt:
    """The default of cards: ``count`` random ones, or all that have no place; none where the scenario is strict."""

    count: int | None = None


@dataclass(frozen=True)
class Field:
    """A field: name, form, meaning, what it is when left out, and that in words where it cannot be told by itself."""

    name: str
    form: Form
    meaning: str
    default: Any = None
    left_out: str = ""

    def value_left_out(self, label: str, position: "Position") -> Any:
        """The field's value where the scenario does not give it."""
        if isinstance(self.default, Dealt):
            return self.form.deal(label, position, self.default.count)
        if callable(self.default):
            return self.default(position)
        said, form = self.default, self.form
        while isinstance(form, BySeat):
            said, form = [said] * position.players, form.each
        if said is None:
            return None
        return self.form.fill(label, self.form.read(label, said, position), position)

    def default_in_words(self) -> str:
        """What it means to leave the field out."""
        each = " each" if isinstance(self.form, BySeat) else ""
        if self.left_out:
            return self.left_out
        if isinstance(self.default, Dealt):
            count = self.default.count
            return "all cards without a place, shuffled" if count is None else f"{count}{each}, dealt"
        if self.default is None or self.default == []:
            return "none"
        return f"`{json.dumps(self.default)}`{each}"


Refusals = Iterator[tuple[Any, str]]
"""What a check yields: whether something is wrong, and the error in words, which begins with the field."""


class Position:
    """A scenario that is being loaded: ``settings``, ``players``, the record, and the fields' values by name."""

    def __init__(self, schema: "Schema", game: Game, scenario: Mapping[str, Any]):
        self.schema, self.game, self.scenario = schema, game, scenario
        schema.refuse_unknown(game.spec, scenario)
        self.strict = flag("strict", scenario["strict"]) if self.given("strict") else False
        self.seed = scenario["seed"] if self.given("seed") else fresh_seed()
        chance = seed_streams(self.seed, 1)[0]  # refuses what is no seed
        self.settings = schema.settings(game.spec, scenario)
        self.players: int = self.settings["num_players"]
        self.state = State(game.empty_states(self.settings, 1), self.settings, self.seed)
        if self.given("rng"):
            chance = np.uint64(whole_number("rng", scenario["rng"], 0, 2**64 - 1))
        self.record["rng"] = chance
        self._values: dict[str, Any] = {}
        self._partial: set[str] = set()  # fields that are given, and not yet filled
        self._pools: dict[Deck, CardPool] = {}

    @property
    def record(self) -> np.void:
        """The record, which is written before the checks."""
        return self.state.record

    def given(self, name: str) -> bool:
        """Whether the scenario says something of a field; null says nothing."""
        return self.scenario.get(name) is not None

    def __getitem__(self, name: str) -> Any:
        """The value of a field, given or not."""
        if name not in self._values:
            field = self.schema.fields[name]
            if self.given(name):
                self._values[name] = field.form.read(name, self.scenario[name], self)
            else:
                self._values[name] = field.value_left_out(name, self)
        elif name in self._partial:
            self._partial.remove(name)
            self._values[name] = self.schema.fields[name].form.fill(name, self._values[name], self)
        return self._values[name]

    def pool(self, deck: Deck) -> "CardPool":
        """The cards of a deck that have no place yet."""
        if deck not in self._pools:
            names = deck.names(self.settings)
            self._pools[deck] = CardPool(dict(enumerate(deck.counts(self.settings))), names.__getitem__, self.seed)
        return self._pools[deck]

    def load(self) -> State:
        """Reads, places, deals and writes the fields; then the checks."""
        fields = self.schema.fields.values()
        given = [field for field in fields if self.given(field.name)]
        placed = [(field.name, field.form.cards(self[field.name])) for field in given]
        for name, cards in placed:
            for deck, kind in cards:
                self.pool(deck).place(name, [kind])
        self._partial = {field.name for field in given}
        for field in fields:
            field.form.put(self.state, self[field.name])
        if self.given(EVENTS):
            EVENTS_FORM.put(self.state, EVENTS_FORM.read(EVENTS, self.scenario[EVENTS], self))
        for check in self.schema.checks:
            for wrong, message in check(self) or ():
                if wrong:
                    raise ValueError(message)
        return self.state


class Schema:
    """The fields of a game's scenarios.

    ``players_from`` names fields by seat that tell the number of players; ``renamed`` gives parameters another name in
    scenarios; ``parameters`` is the order in which they, and ``seed``, are written, if it is not that of the spec;
    ``by_seat`` names the parameters that have a value for each seat.
    """

    def __init__(
        self,
        *fields: Field,
        checks: Sequence[Callable[[Position], Refusals | None]] = (),
        players_from: Sequence[str] = (),
        renamed: Mapping[str, str] | None = None,
        parameters: Sequence[str] = (),
        by_seat: Sequence[str] = (),
    ):
        self.fields = {field.name: field for field in fields}
        self.checks, self.players_from = tuple(checks), tuple(players_from)
        self.renamed, self.parameters, self.by_seat = dict(renamed or {}), tuple(parameters), tuple(by_seat)

    def load(self, game: Game, scenario: Mapping[str, Any]) -> State:
        """The position that a scenario describes; ValueError names the field that cannot be."""
        return Position(self, game, scenario).load()

    def dump(self, state: State) -> dict[str, Any]:
        """The whole position as a scenario."""
        settings = state.settings
        written: dict[str, Any] = {"players": settings["num_players"]}
        names = [*self.parameters] or [name for name in settings if name != "num_players"]
        if history.NAME in settings and history.NAME not in names:
            names.append(history.NAME)
        for name in names if "seed" in names else [*names, "seed"]:
            written[self.renamed.get(name, name)] = state.seed if name == "seed" else _copy(settings[name])
        for name, field in self.fields.items():
            written[name] = field.form.get(state)
        if history.NAME in settings:
            written[EVENTS] = EVENTS_FORM.get(state)
        written["rng"] = int(state.record["rng"])
        return written

    def census(self, state: State) -> Counter[str]:
        """All cards of the game by name, wherever they lie."""
        fields = self.fields.values()
        return Counter(name for field in fields for _, name in field.form.cards(field.form.get(state)))

    def rotate(self, scenario: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """A whole scenario with everybody that many seats further clockwise."""
        players = scenario["players"]
        turned = {name: field.form.turned(scenario[name], seats, players) for name, field in self.fields.items()}
        for name in self.by_seat:
            turned[name] = [scenario[name][(seat - seats) % players] for seat in range(players)]
        if EVENTS in scenario:
            turned[EVENTS] = EVENTS_FORM.turned(scenario[EVENTS], seats, players)
        return {**scenario, **turned}

    def refuse_unknown(self, spec: GameSpec, scenario: Mapping[str, Any]) -> None:
        """ValueError for a field that there is not, with the nearest one."""
        parameters = [self.renamed.get(option.name, option.name) for option in spec.options]
        known = ["players", *parameters, *self.fields, *_events_of(spec), "seed", "rng", "strict"]
        for name in scenario:
            if name not in known:
                raise ValueError(f"{name}: no field of a scenario; {hint(name, known)}")

    def settings(self, spec: GameSpec, scenario: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters, refused under the names that scenarios have for them."""
        players = scenario.get("players")
        for name in self.players_from:
            if players is None and scenario.get(name) is not None:
                players = len(entries(name, scenario[name]))
        if players is not None:
            whole_number("players", players, spec.min_players, spec.max_players)
        given = {}
        for option in spec.options:
            name = self.renamed.get(option.name, option.name)
            if scenario.get(name) is not None:
                given[option.name] = scenario[name]
                if name != option.name:
                    replace(option, name=name).check(scenario[name])
        return spec.settings(players, **given)

    def table(self, spec: GameSpec) -> list[tuple[str, str, str, str]]:
        """(field, what it is, meaning, if left out) of all fields, as the game's page has them."""
        parameters = [self.renamed.get(option.name, option.name) for option in spec.options]
        others = "".join(f"; `{name}` is `{option}`" for option, name in self.renamed.items())
        count = " or ".join(f"`{name}`" for name in self.players_from)
        players = f"as many as {count} has, else {spec.default_players}" if count else str(spec.default_players)
        meaning = f"players, {', '.join(spec.extra_roles)} not counted" if spec.extra_roles else "seats"
        bounds = f"a whole number from {spec.min_players} to {spec.max_players}"
        return [
            ("players", bounds, meaning, players),
            (", ".join(parameters), "as above", f"the parameters{others}", "their defaults"),
            ("seed", "a whole number", "deals what is left out, and starts the chance stream", "a fresh one"),
            *_rows(self.fields.values()),
            *[(name, EVENTS_FORM.in_words(), EVENTS_MEANING, "none") for name in _events_of(spec)],
            ("rng", "a whole number", "the state of the chance stream", "started from `seed`"),
            ("strict", "true or false", "true: cards without a place are out of the game, nothing is dealt", "`false`"),
        ]


def most_decisions(position: Position) -> int:
    """The bound of a field ``decisions``: the decision cap, which a game that goes on has not reached."""
    return position.settings["max_decisions"] - (position["phase"] != "over")


EVENTS_FORM = Events()
EVENTS_MEANING = "what `history` has kept, the newest first, as numbers: seat, action, what it led to; null for none"


def _events_of(spec: GameSpec) -> list[str]:
    """The name of the field of events, for a game that can keep them."""
    return [EVENTS] if history.NAME in {option.name for option in spec.options} else []


def _rows(fields: Iterable[Field], within: str = "") -> Iterator[tuple[str, str, str, str]]:
    for field in fields:
        yield within + field.name, field.form.in_words(), field.meaning, field.default_in_words()
        form = field.form.each if isinstance(field.form, BySeat) else field.form
        if isinstance(form, Parts):
            yield from _rows(form.fields.values(), f"{within}{field.name}.")


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return dict(value)
    return [_copy(part) for part in value] if isinstance(value, list) else value


class CardPool:
    """The cards that a scenario has not placed yet."""

    def __init__(self, deck: Mapping[int, int], show: Callable[[int], str], seed: int):
        self.left = Counter(dict(deck))
        self.fields: dict[int, list[str]] = {kind: [] for kind in deck}  # in which its cards lie
        self.show = show
        self.random = np.random.default_rng(seed_streams(seed, 4, DEALING))

    def place(self, field: str, cards: Iterable[int]) -> None:
        """Takes cards out of the pool; ValueError for one too many."""
        for kind in cards:
            others = " and ".join(name for name in self.fields[kind] if name != field)
            if self.left[kind] <= 0:
                more = f", with those in {others}" if others else ""
                raise ValueError(f"{field}: one {self.show(kind)!r} more than the deck has{more}")
            self.left[kind] -= 1
            self.fields[kind] += [field] if field not in self.fields[kind] else []

    def deal(self, field: str, count: int) -> list[int]:
        """``count`` random cards of those left."""
        cards = self.rest(shuffled=True)
        if count > len(cards):
            raise ValueError(f"{field}: {count} cards are to be dealt, but only {len(cards)} are not placed")
        self.place(field, cards[:count])
        return cards[:count]

    def rest(self, shuffled: bool) -> list[int]:
        """All cards that are left, which stay in the pool."""
        cards = sorted(self.left.elements())
        if shuffled:
            self.random.shuffle(cards)
        return cards
