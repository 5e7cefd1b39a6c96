"""The forms of a scenario's fields: what a value looks like, and in which fields of the record it lies.

``at`` is the seat's entry of an array in the record, ``()`` for what a game has once. An array of cards has them as
kinds, as counts by kind or in order, and may have its size in another field.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from . import history
from .game import State
from .spec import Settings

if TYPE_CHECKING:
    from .scenario import Field, Position

NONE = -1  # in a record: no seat, no card, no label
UNBOUNDED = 2**31 - 1
At = tuple[int, ...]
Bound = int | Callable[["Position"], int]


@dataclass(frozen=True, eq=False)
class Deck:
    """A sort of cards: names by kind and how many of each there are, with given settings.

    ``spelling`` turns other ways to write a card into its name.
    """

    names: Callable[[Settings], Sequence[Any]]
    counts: Callable[[Settings], Sequence[int]]
    spelling: Callable[[Any], Any] = lambda entry: entry

    def kind(self, label: str, entry: Any, settings: Settings) -> int:
        """The kind that an entry names; ValueError for what is no card."""
        try:
            return self.names(settings).index(self.spelling(entry))
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"{label}: {entry!r} is no card") from None


class Form:
    """One form. ``label`` is the field's name, with which every error begins; ``words`` what a value looks like."""

    words: str = ""

    def in_words(self) -> str:
        """What a value looks like, for the page."""
        return self.words

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> Any:
        """A JSON value as the loader keeps it; ValueError if it is none of this form."""
        raise NotImplementedError

    def fill(self, label: str, value: Any, position: "Position") -> Any:
        """A value that was given, with those of its parts that were left out."""
        return value

    def deal(self, label: str, position: "Position", count: int | None) -> Any:
        """A value of that many cards without a place, or of all of them."""
        raise TypeError(f"{label}: {type(self).__name__} is no form that can be dealt")

    def get(self, state: State, at: At = ()) -> Any:
        """The JSON value of what the record says."""
        raise NotImplementedError

    def put(self, state: State, value: Any, at: At = ()) -> None:
        """Writes a value as read, or None for nothing, into the record."""
        raise NotImplementedError

    def cards(self, value: Any) -> Iterator[tuple[Deck, Any]]:
        """The cards that have their place here: kinds of a value as read, names of a JSON value."""
        return iter(())

    def turned(self, value: Any, seats: int, players: int) -> Any:
        """A JSON value with everybody that many seats further clockwise."""
        return value


# -- single values ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number(Form):
    """A whole number from ``low`` to ``high``; None, where that is allowed, is -1 in the record."""

    place: str
    low: Bound = 0
    high: Bound = UNBOUNDED
    or_none: bool = False

    def in_words(self) -> str:
        ends = [f" {word} {end}" for word, end in (("from", self.low), ("to", self.high)) if isinstance(end, int)]
        return "a whole number" + "".join(end for end in ends if not end.endswith(str(UNBOUNDED)))

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> int:
        low, high = (bound(position) if callable(bound) else bound for bound in (self.low, self.high))
        return whole_number(label, value, low, high)

    def get(self, state: State, at: At = ()) -> int | None:
        value = int(state.record[self.place][at])
        return None if self.or_none and value == NONE else value

    def put(self, state: State, value: int | None, at: At = ()) -> None:
        if value is not None or self.or_none:
            state.records[self.place][(0, *at)] = NONE if value is None else value


@dataclass(frozen=True)
class Seat(Number):
    """A player's seat, or none. With a higher ``high`` also those of the extra roles, which never move."""

    high: Bound = lambda position: position.players - 1
    or_none: bool = True

    def in_words(self) -> str:
        return "a seat"

    def turned(self, value: int | None, seats: int, players: int) -> int | None:
        return turned_seat(value, seats, players)


@dataclass(frozen=True)
class Flag(Form):
    """True or false, 1 or 0 in the record."""

    place: str

    words = "true or false"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> bool:
        return flag(label, value)

    def get(self, state: State, at: At = ()) -> bool:
        return bool(state.record[self.place][at])

    def put(self, state: State, value: bool | None, at: At = ()) -> None:
        state.records[self.place][(0, *at)] = bool(value)


@dataclass(frozen=True)
class Choice(Form):
    """One of some words, its number in the record; None, where that is allowed, is -1 there."""

    choices: tuple[str, ...] | Callable[[Settings], tuple[str, ...]]
    place: str
    or_none: bool = False
    words: str = ""
    """What they are, where they depend on the settings."""

    def of(self, settings: Settings) -> tuple[str, ...]:
        """The words with these settings."""
        return self.choices(settings) if callable(self.choices) else self.choices

    def in_words(self) -> str:
        if callable(self.choices):
            return self.words
        *others, last = [f"`{json.dumps(choice)}`" for choice in self.choices] + ["null"] * self.or_none
        return f"{', '.join(others)} or {last}"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> str | None:
        choices = self.of(position.settings)
        if value not in choices and not (value is None and self.or_none):
            raise ValueError(f"{label}: {value!r} is none of {', '.join(choices)}{', null' * self.or_none}")
        return value

    def get(self, state: State, at: At = ()) -> str | None:
        number = state.record[self.place][at]
        return None if self.or_none and number == NONE else self.of(state.settings)[number]

    def put(self, state: State, value: str | None, at: At = ()) -> None:
        number = NONE if value is None else self.of(state.settings).index(value)
        state.records[self.place][(0, *at)] = number


# -- seats -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seats(Form):
    """Different seats in an order that means something."""

    place: str
    size: str

    words = "seats, in order"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> list[int]:
        seats = [whole_number(label, entry, 0, position.players - 1) for entry in entries(label, value, "seats", at)]
        for seat in seats:
            if seats.count(seat) > 1:
                raise ValueError(f"{label}: seat {seat} is named twice")
        return seats

    def get(self, state: State, at: At = ()) -> list[int]:
        return state.record[self.place][: state.record[self.size]].tolist()

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        seats = value or []
        state.record[self.place][: len(seats)], state.record[self.size] = seats, len(seats)

    def turned(self, value: list[int], seats: int, players: int) -> list[int]:
        return [(seat + seats) % players for seat in value]


@dataclass(frozen=True)
class MarkedSeats(Seats):
    """Those seats whose entry of an array has a mark."""

    size: str = ""
    mark: int = 1

    words = "seats"

    def get(self, state: State, at: At = ()) -> list[int]:
        players = state.settings["num_players"]
        return [seat for seat, mark in enumerate(state.record[self.place][:players].tolist()) if mark == self.mark]

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        state.record[self.place][value or []] = self.mark

    def turned(self, value: list[int], seats: int, players: int) -> list[int]:
        return sorted(super().turned(value, seats, players))


class Events(Form):
    """The public events that a record keeps (see ``history``), the newest first: lists of numbers, null for none."""

    words = "lists of numbers"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> list[list[int | None]]:
        events, spec = entries(label, value, "events"), position.game.spec
        kept, width = history.events_of(position.record).shape
        if len(events) > kept:
            raise ValueError(f"{label}: {len(events)} events, but {history.NAME}={kept}")
        most = [spec.num_seats(position.settings), spec.num_actions, *[history.CODES] * (width - history.EFFECT)]
        for event in events:
            numbers = entries(label, event, "numbers")
            if len(numbers) != width or numbers[history.SEAT] is None:
                raise ValueError(f"{label}: {event!r} is no list of {width} numbers that begins with a seat")
            for number, end in zip(numbers, most, strict=True):
                if number is not None:
                    whole_number(label, number, 0, end - 1)
        return events

    def get(self, state: State, at: At = ()) -> list[list[int | None]]:
        codes = np.rint(history.events_of(state.record) * history.CODES).astype(int).tolist()
        return [[code - 1 if code else None for code in event] for event in codes if event[history.SEAT]]

    def put(self, state: State, value: list[list[int | None]] | None, at: At = ()) -> None:
        events = history.events_of(state.record)
        for place, event in enumerate(value or []):
            events[place] = [0 if number is None else (number + 1) / history.CODES for number in event]

    def turned(self, value: list[list[int | None]], seats: int, players: int) -> list[list[int | None]]:
        return [[turned_seat(seat, seats, players), *numbers] for seat, *numbers in value]


# -- cards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Card(Form):
    """One card or none, its kind or -1 in the record. ``lies`` is whether it has its place here."""

    deck: Deck
    place: str
    lies: bool = True

    words = "a card"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> int | None:
        return None if value is None else self.deck.kind(label, value, position.settings)

    def get(self, state: State, at: At = ()) -> Any:
        kind = state.record[self.place][at]
        return None if kind == NONE else self.deck.names(state.settings)[kind]

    def put(self, state: State, value: int | None, at: At = ()) -> None:
        state.records[self.place][(0, *at)] = NONE if value is None else value

    def cards(self, value: Any) -> Iterator[tuple[Deck, Any]]:
        return iter([(self.deck, value)] if self.lies and value is not None else [])


@dataclass(frozen=True)
class Cards(Form):
    """Cards in an order that means something; with ``next_last`` the record has them from the other end."""

    deck: Deck
    place: str
    size: str = ""
    most: int | None = None
    next_last: bool = False
    lies: bool = True

    def in_words(self) -> str:
        return "cards" if self.most is None else f"at most {self.most} cards"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> list[int]:
        kinds = [self.deck.kind(label, entry, position.settings) for entry in entries(label, value, "cards", at)]
        if self.most is not None and len(kinds) > self.most:
            whose = f"seat {at[-1]} has " if at else ""
            raise ValueError(f"{label}: {whose}{len(kinds)} cards, at most {self.most} are allowed")
        return kinds

    def deal(self, label: str, position: "Position", count: int | None) -> list[int]:
        if position.strict:
            return []
        pool = position.pool(self.deck)
        return pool.rest(shuffled=True) if count is None else pool.deal(label, count)

    def get(self, state: State, at: At = ()) -> list[Any]:
        names, kinds = self.deck.names(state.settings), state.record[self.place][at][: state.record[self.size][at]]
        return [names[kind] for kind in (kinds[::-1] if self.next_last else kinds).tolist()]

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        kinds = value or []
        state.record[self.place][at][: len(kinds)] = kinds[::-1] if self.next_last else kinds
        if self.size:
            state.records[self.size][(0, *at)] = len(kinds)

    def cards(self, value: list[Any]) -> Iterator[tuple[Deck, Any]]:
        return ((self.deck, card) for card in value if self.lies)


@dataclass(frozen=True)
class Counts(Cards):
    """Cards whose order means nothing: counts by kind in the record."""

    def get(self, state: State, at: At = ()) -> list[Any]:
        names, counts = self.deck.names(state.settings), state.record[self.place][at].tolist()
        return [names[kind] for kind, count in enumerate(counts) for _ in range(count)]

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        counts = state.record[self.place][at]
        counts[:] = np.bincount(np.array(value or [], int), minlength=len(counts))
        if self.size:
            state.records[self.size][(0, *at)] = len(value or [])


# -- forms made of forms ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BySeat(Form):
    """A value for each player's seat."""

    each: Form

    def in_words(self) -> str:
        return f"per seat: {self.each.in_words()}"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> list[Any]:
        rows = entries(label, value, "cards", at)
        if len(rows) != position.players:
            raise ValueError(f"{label}: {len(rows)} entries for {position.players} seats")
        return [self.each.read(label, row, position, (*at, seat)) for seat, row in enumerate(rows)]

    def fill(self, label: str, value: list[Any], position: "Position") -> list[Any]:
        return [self.each.fill(label, row, position) for row in value]

    def deal(self, label: str, position: "Position", count: int | None) -> list[Any]:
        return [self.each.deal(label, position, count) for _ in range(position.players)]

    def get(self, state: State, at: At = ()) -> list[Any]:
        return [self.each.get(state, (*at, seat)) for seat in range(state.settings["num_players"])]

    def put(self, state: State, value: list[Any] | None, at: At = ()) -> None:
        for seat in range(state.settings["num_players"]):
            self.each.put(state, None if value is None else value[seat], (*at, seat))

    def cards(self, value: list[Any]) -> Iterator[tuple[Deck, Any]]:
        return (card for row in value for card in self.each.cards(row))

    def turned(self, value: list[Any], seats: int, players: int) -> list[Any]:
        return [self.each.turned(value[(seat - seats) % players], seats, players) for seat in range(players)]


class Parts(Form):
    """An object of fields; None where ``absent(record)`` says that there is none.

    With ``sparse`` parts that are None are not written.
    """

    def __init__(
        self,
        *fields: "Field",
        absent: Callable[[np.void], bool] = lambda record: False,
        sparse: bool = False,
    ):
        self.fields = {field.name: field for field in fields}
        self.absent, self.sparse = absent, sparse

    def in_words(self) -> str:
        return f"an object with {', '.join(f'`{name}`' for name in self.fields)}"

    def read(self, label: str, value: Any, position: "Position", at: At = ()) -> dict[str, Any]:
        """Only of the parts that are given."""
        if at:
            label, at = f"{label}: seat {at[-1]}", ()
        if not isinstance(value, Mapping):
            raise ValueError(f"{label}: an object with {', '.join(self.fields)} is wanted, not {value!r}")
        for name in value:
            if name not in self.fields:
                raise ValueError(f"{label}: no key {name!r}; {hint(name, self.fields)}")
        given = {name: part for name, part in value.items() if part is not None}
        return {
            name: self.fields[name].form.read(f"{label}: {name}", part, position, at) for name, part in given.items()
        }

    def fill(self, label: str, value: dict[str, Any], position: "Position") -> dict[str, Any]:
        return {
            name: field.form.fill(f"{label}: {name}", value[name], position)
            if name in value
            else field.value_left_out(f"{label}: {name}", position)
            for name, field in self.fields.items()
        }

    def get(self, state: State, at: At = ()) -> dict[str, Any] | None:
        if self.absent(state.record):
            return None
        parts = {name: field.form.get(state, at) for name, field in self.fields.items()}
        return {name: part for name, part in parts.items() if part is not None or not self.sparse}

    def put(self, state: State, value: dict[str, Any] | None, at: At = ()) -> None:
        for name, field in self.fields.items():
            field.form.put(state, None if value is None else value[name], at)

    def cards(self, value: dict[str, Any] | None) -> Iterator[tuple[Deck, Any]]:
        return (card for name, part in (value or {}).items() for card in self.fields[name].form.cards(part))

    def turned(self, value: dict[str, Any] | None, seats: int, players: int) -> dict[str, Any] | None:
        if value is None:
            return None
        return {name: self.fields[name].form.turned(part, seats, players) for name, part in value.items()}


# -- reading a value -------------------------------------------------------------------------------------------------


def whole_number(label: str, value: Any, low: int, high: int) -> int:
    """The value as an int; ValueError if it is no whole number in [low, high]."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{label}: {value!r} is not a whole number from {low} to {high}")
    return int(value)


def flag(label: str, value: Any) -> bool:
    """The value; ValueError if it is neither true nor false."""
    if not isinstance(value, bool):
        raise ValueError(f"{label}: {value!r} is not true or false")
    return value


def entries(label: str, value: Any, of: str = "cards", at: At = ()) -> list[Any]:
    """The entries of a list; ValueError for what is none."""
    if not isinstance(value, list | tuple):
        wanted = f"seat {at[-1]} has {value!r} instead of a list of {of}" if at else f"a list is wanted, not {value!r}"
        raise ValueError(f"{label}: {wanted}")
    return list(value)


def hint(name: Any, known: Iterable[str]) -> str:
    """What a wrong name may mean, and which names there are."""
    near = get_close_matches(str(name), list(known), 1)
    return (f"did you mean {near[0]!r}? " if near else "") + f"there are {', '.join(known)}"


def turned_seat(seat: int | None, seats: int, players: int) -> int | None:
    """A seat after everybody has moved that many seats clockwise; the extra roles' seats stay."""
    return seat if seat is None or seat >= players else (seat + seats) % players
