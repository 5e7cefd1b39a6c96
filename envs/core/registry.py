"""Which games there are, by name; loaded when asked for, since loading one imports the compiler."""

import functools
import importlib
from difflib import get_close_matches
from importlib.metadata import entry_points

from .game import Game
from .spec import GameSpec

ENTRY_POINTS = "poopdeck.games"
PACKAGE = __name__.rpartition(".core.")[0]

# name -> where its GameSpec lies
BUILT_IN = {
    "poo_head": (f"{PACKAGE}.games.poo_head", 0),
}


def names() -> list[str]:
    """The games of this package, then those that installed packages add."""
    return [
        *BUILT_IN,
        *sorted(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in BUILT_IN),
    ]


def ids() -> list[str]:
    """Names with version, such as ``poopdeck/poo_head-v0``, of this package's games; loads none of them."""
    return [f"poopdeck/{name}-v{version}" for name, (_, version) in BUILT_IN.items()]


@functools.cache
def spec(name: str) -> GameSpec:
    """The facts of a game, by name or id; ValueError lists the known ones."""
    short = name.removeprefix("poopdeck/")
    stem, dash, version = short.rpartition("-v")
    key = stem if dash and version.isdigit() else short
    if key in BUILT_IN:
        found = importlib.import_module(BUILT_IN[key][0]).SPEC
    else:
        added = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
        if key not in added:
            near = get_close_matches(key, names(), 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"unknown game {name!r}: {hint}there are {', '.join(names())}")
        found = added[key].load()
    if dash and version.isdigit() and int(version) != found.version:
        raise ValueError(f"unknown game {name!r}: {found.name} has version v{found.version}")
    return found


@functools.cache
def game(name: str) -> Game:
    """The plain door to a game, by name or id."""
    return Game(spec(name))
