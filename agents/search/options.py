"""What may be said of a searching agent behind its name: ``search:deals=256,playouts=mixed``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

SEARCH, ISMCTS = "search", "ismcts"

ROOTS = ("best", "policy")
NO_BELIEF, PARTICLES = "none", "particles"
BELIEFS = (NO_BELIEF, PARTICLES)


@dataclass(frozen=True)
class SearchOptions:
    """How a searching agent searches.

    - ``deals``: positions dealt anew for a decision; the same seed then gives the same choices;
    - ``ms``: in place of that, milliseconds for a decision;
    - ``proposal``: the agent whose choice is overridden only by what is surely better; it plays on at the own seat;
    - ``playouts``: the agents that play on at the other seats, ``NAME+NAME``: for every deal and seat one of them is
      drawn (a name that is given twice comes twice as often). ``mixed`` stands for all of the game's heuristics;
    - ``horizon``: playouts end at the own seat's next choice after so many, judged by the proposal, which must be a
      trained network that keeps its value head; 0 plays on to the end of the game;
    - ``belief``: ``particles`` deals more often what the others' past decisions make likely, ``none`` all alike;
    - ``models``: whom the others are taken for then, ``NAME+NAME``; by default those of the playouts;
    - ``margin``: by how many standard errors an action must be better than the proposal;
    - ``root``: ``best`` plays the best action, ``policy`` draws by prior * exp(value / ``temperature``);
    - ``exploration``: of ismcts, the weight of what has been tried little;
    - ``threads`` share the playouts; ``seed`` is that of the search's own chance.
    """

    deals: int = 64
    ms: float = 0.0
    proposal: str = ""
    playouts: tuple[str, ...] = ()
    horizon: int = 0
    belief: str = NO_BELIEF
    models: tuple[str, ...] = ()
    margin: float = 1.0
    root: str = "best"
    temperature: float = 0.1
    exploration: float = 0.7
    threads: int = 1
    seed: int = 0


def parse(kind: str, text: str, usual: SearchOptions) -> SearchOptions:
    """The options of an agent ``search`` or ``ismcts`` in a text ``KEY=VALUE,KEY=VALUE``, else as in ``usual``.

    Raises:
        ValueError: names the agent and what is wrong, and says what is allowed.
    """
    agent = f"{kind}:{text}"
    readers = {key: reader for key, reader in READERS.items() if key not in NOT_OF[kind]}
    found: dict[str, Any] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (part.strip() for part in entry.partition("="))
        if not equals or not value or key not in readers:
            raise ValueError(
                f"agent {agent!r}: {_hint(key, readers)}{entry!r} is none of {', '.join(_allowed(readers))}"
            )
        if key in found:
            raise ValueError(f"agent {agent!r}: {key} is given twice")
        read, allowed = readers[key]
        try:
            found[key] = read(value)
        except ValueError:
            raise ValueError(f"agent {agent!r}: {key}={value}: allowed is {allowed}") from None
    if "deals" in found and "ms" in found:
        raise ValueError(f"agent {agent!r}: deals and ms are two ways to say how long it searches; give one of them")
    return replace(usual, **found)


Readers = Mapping[str, tuple[Callable[[str], Any], str]]


def _hint(key: str, readers: Readers) -> str:
    near = get_close_matches(key, readers, 1)
    return f"did you mean {near[0]}=? " if near and near[0] != key else ""


def _allowed(readers: Readers) -> list[str]:
    return [f"{key}=({allowed})" for key, (_, allowed) in readers.items()]


def _whole(low: int, high: int = 10**9) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError
        return value

    return read


def _number(low: float, inclusive: bool = True) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value < 1e9 or (value == low and not inclusive):
            raise ValueError
        return value

    return read


def _one_of(names: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError
        return text

    return read


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split("+"))
    if not all(names):
        raise ValueError
    return names


READERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "deals": (_whole(1), "a whole number from 1"),
    "ms": (_number(0, inclusive=False), "a number above 0"),
    "proposal": (str, "the name of an agent"),
    "playouts": (_names, "mixed, or names of agents joined by +"),
    "horizon": (_whole(0), "a whole number from 0"),
    "belief": (_one_of(BELIEFS), " or ".join(BELIEFS)),
    "models": (_names, "mixed, or names of agents joined by +"),
    "margin": (_number(0), "a number from 0"),
    "root": (_one_of(ROOTS), " or ".join(ROOTS)),
    "temperature": (_number(0, inclusive=False), "a number above 0"),
    "exploration": (_number(0), "a number from 0"),
    "threads": (_whole(1, 1024), "a whole number from 1 to 1024"),
    "seed": (_whole(0), "a whole number from 0"),
}
NOT_OF = {SEARCH: ("exploration",), ISMCTS: ("horizon", "margin", "root", "temperature")}
