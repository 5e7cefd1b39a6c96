"""Where hidden cards could lie as well: found by exchanging entries of a scenario while a seat sees no difference.

This is how resampling is examined without knowing the game. Two entries of a position's scenario are exchanged; if the
game accepts that position, if it is possible, and if the seat is shown the very same, then it cannot tell them apart,
and resampling must be able to bring about what is different there.
"""

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from random import Random
from typing import Any, NamedTuple

from ..core.game import Game, State

TRIES = 120  # exchanges tried per position and seat
DRAWS_PER_ENTRY = 30  # resamplings until a placement counts as never drawn: misses one in e**30 of those that are

Path = tuple[Hashable, ...]


class Placement(NamedTuple):
    """A value in a list of the scenario: at an index where the list's order means something, else anywhere in it."""

    path: Path
    at: int | None
    value: Any

    def __str__(self) -> str:
        place = "".join(f"[{step}]" for step in self.path[1:]) + ("" if self.at is None else f"[{self.at}]")
        return f"{self.value!r} in {self.path[0]}{place}"

    def holds(self, zones: dict[Path, list[Any]]) -> bool:
        """Whether it is so in these lists."""
        zone = zones.get(self.path, [])
        return self.value in (zone if self.at is None else zone[self.at : self.at + 1])


def lists_of(scenario: Any, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """The innermost lists of a scenario, also those within objects of a list, and where they are."""
    if isinstance(scenario, dict):
        for name, part in scenario.items():
            yield from lists_of(part, (*path, name))
    elif isinstance(scenario, list):
        if any(isinstance(part, list | dict) for part in scenario):
            for number, part in enumerate(scenario):
                yield from lists_of(part, (*path, number))
        else:
            yield path, scenario


class Exchange:
    """Exchanges hidden cards of one game's positions; ``shown(state, seat)`` is all that a seat is shown."""

    def __init__(self, game: Game, shown: Callable[[State, int], Any]):
        self.game, self.shown = game, shown
        self.possible = game.spec.hooks.possible
        self._ordered: dict[Hashable, bool] = {}  # by the scenario's field

    def placements(self, s: State, seat: int, seed: int) -> set[Placement]:
        """What is different in positions that the seat cannot tell from this one, each by one exchange."""
        scenario = self.game.dump(s)
        zones = dict(lists_of(scenario))
        entries = [(path, index) for path, zone in zones.items() for index in range(len(zone))]
        random, found = Random(seed), set()
        observed, shown = self.game.observation(s, seat).tobytes(), self.shown(s, seat)
        for _ in range(TRIES if len(entries) > 1 else 0):
            (path, i), (other_path, j) = random.sample(entries, 2)
            a, b = zones[path][i], zones[other_path][j]
            if type(a) is not type(b) or a == b:
                continue
            loaded = self._load(_with_entry(_with_entry(scenario, (*path, i), b), (*other_path, j), a))
            if loaded is None or self.game.observation(loaded, seat).tobytes() != observed:
                continue  # the quick look first
            if self.possible(loaded) and self.shown(loaded, seat) == shown:
                found |= set(self._changes(scenario, zones, dict(lists_of(self.game.dump(loaded)))))
        return found

    def missed(self, s: State, seat: int, wanted: set[Placement]) -> list[Placement]:
        """Those placements that resampling does not give in as many draws as should do."""
        left = sorted(wanted, key=str)
        limit = 200 + DRAWS_PER_ENTRY * sum(len(zone) for _, zone in lists_of(self.game.dump(s)))
        for seed in range(limit):
            if not left:
                break
            zones = dict(lists_of(self.game.dump(self.game.resample(s, seat, seed))))
            left = [placement for placement in left if not placement.holds(zones)]
        return left

    def _load(self, scenario: dict[str, Any]) -> State | None:
        try:
            return self.game.load(scenario)
        except ValueError:
            return None

    def _changes(self, scenario: dict, old: dict[Path, list], new: dict[Path, list]) -> Iterator[Placement]:
        for path, zone in new.items():
            before = old.get(path, [])
            if zone == before:
                continue
            ordered = self._is_ordered(scenario, path, before)
            for index, value in enumerate(zone):
                if ordered and before[index : index + 1] != [value]:
                    yield Placement(path, index, value)
                elif not ordered and value not in before:
                    yield Placement(path, None, value)

    def _is_ordered(self, scenario: dict[str, Any], path: Path, zone: list[Any]) -> bool:
        """Whether the game keeps the order of such lists; those that it sorts are sets of cards."""
        field, turned = path[0], zone[::-1]
        if field not in self._ordered and turned != zone:
            loaded = self._load(_with_entry(scenario, path, turned))
            if loaded is not None:
                self._ordered[field] = dict(lists_of(self.game.dump(loaded))).get(path) == turned
        return self._ordered.get(field, False)


def _with_entry(scenario: Any, path: Path, value: Any) -> Any:
    """A copy in which the entry at that path is another; what does not change is shared."""
    if not path:
        return value
    changed = copy(scenario)
    changed[path[0]] = _with_entry(scenario[path[0]], path[1:], value)
    return changed
