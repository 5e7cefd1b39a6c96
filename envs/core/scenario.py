"""Reading scenarios: fields by type, cards against the deck, and errors that name the field that is wrong."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from .chance import fresh_seed, seed_streams
from .spec import GameSpec

DEALING = 1  # branch of the seed that deals what a scenario leaves out


class ScenarioReader:
    """The fields of one scenario. Unknown ones are refused at once.

    ``null`` in a field that has a default means the same as leaving it out.
    """

    def __init__(self, scenario: Mapping[str, Any], fields: Iterable[str]):
        self.scenario = scenario
        allowed = [*fields, "seed", "rng", "strict"]
        for name in scenario:
            if name not in allowed:
                near = get_close_matches(str(name), allowed, 1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise ValueError(f"{name}: no field of a scenario; {hint}there are {', '.join(allowed)}")
        self.strict = self.flag("strict", False)
        seed = scenario.get("seed")
        self.seed = fresh_seed() if seed is None else seed
        seed_streams(self.seed, 1)  # refuses what is no seed

    def given(self, field: str) -> bool:
        """Whether the scenario says something of this field."""
        return self.scenario.get(field) is not None

    def flag(self, field: str, default: bool) -> bool:
        """True or false."""
        value = self.scenario.get(field)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise ValueError(f"{field}: {value!r} is not true or false")
        return value

    def whole(self, field: str, default: int, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        value = self.scenario.get(field)
        return default if value is None else whole_number(field, value, low, high)

    def choice(self, field: str, default: str, choices: Sequence[str]) -> str:
        """One of the choices."""
        value = self.scenario.get(field)
        if value is None:
            return default
        if value not in choices:
            raise ValueError(f"{field}: {value!r} is none of {', '.join(choices)}")
        return value

    def entries(self, field: str, count: int | None = None, of: str = "seats") -> list[Any] | None:
        """A list, of ``count`` entries where that is given; None if left out."""
        value = self.scenario.get(field)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise ValueError(f"{field}: a list is wanted, not {value!r}")
        if count is not None and len(value) != count:
            raise ValueError(f"{field}: {len(value)} entries for {count} {of}")
        return list(value)

    def cards(self, field: str, parse: Callable[[Any], int]) -> list[int] | None:
        """A list of cards; None if left out."""
        found = self.entries(field)
        return None if found is None else [card(field, entry, parse) for entry in found]

    def cards_by_seat(self, field: str, seats: int, parse: Callable[[Any], int]) -> list[list[int]] | None:
        """A list of cards for every seat; None if left out."""
        rows = self.entries(field, seats)
        if rows is None:
            return None
        for seat, row in enumerate(rows):
            if not isinstance(row, list | tuple):
                raise ValueError(f"{field}: seat {seat} has {row!r} instead of a list of cards")
        return [[card(field, entry, parse) for entry in row] for row in rows]

    def settings(self, spec: GameSpec, num_players: int | None) -> dict[str, Any]:
        """The game's parameters, which are plain fields of the scenario."""
        if num_players is not None:  # under the name that scenarios have for it
            whole_number("players", num_players, spec.min_players, spec.max_players)
        named = {option.name: self.scenario[option.name] for option in spec.options if self.given(option.name)}
        return spec.settings(num_players, **named)

    def chance(self) -> np.uint64:
        """The state of the record's generator: ``rng``, or started from ``seed``."""
        value = self.scenario.get("rng")
        if value is None:
            return seed_streams(self.seed, 1)[0]
        return np.uint64(whole_number("rng", value, 0, 2**64 - 1))


class CardPool:
    """The cards that a scenario has not placed yet."""

    def __init__(self, deck: Mapping[int, int], show: Callable[[int], str], seed: int):
        self.left = Counter(dict(deck))
        self.show = show
        self.random = np.random.default_rng(seed_streams(seed, 4, DEALING))

    def place(self, field: str, cards: Iterable[int]) -> None:
        """Takes cards out of the pool; ValueError for one too many."""
        for kind in cards:
            if self.left[kind] <= 0:
                raise ValueError(f"{field}: one {self.show(kind)!r} more than the deck has")
            self.left[kind] -= 1

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


def whole_number(field: str, value: Any, low: int, high: int) -> int:
    """The value as an int; ValueError names the field if it is no whole number in [low, high]."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(f"{field}: {value!r} is not a whole number from {low} to {high}")
    return int(value)


def card(field: str, entry: Any, parse: Callable[[Any], int]) -> int:
    """The card that an entry names; ValueError names the field."""
    try:
        return parse(entry)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{field}: {entry!r} is no card") from None
