"""Which games there are, by name; loaded when asked for, since loading one imports the compiler."""

import functools
import importlib
import sys
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game
    from .spec import GameSpec

ENTRY_POINTS = "poopdeck.games"
PACKAGE = __name__.rpartition(".core.")[0]

# name -> where its GameSpec lies
BUILT_IN = {
    "poo_head": (f"{PACKAGE}.games.poo_head", 0),
    "pooman": (f"{PACKAGE}.games.pooman", 0),
    "poop": (f"{PACKAGE}.games.poop", 0),
    "too_many_poops": (f"{PACKAGE}.games.too_many_poops", 0),
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
def spec(name: str) -> "GameSpec":
    """The facts of a game, by name or id, or, for one registered nowhere, by ``module:attribute``.

    ValueError lists the known ones.
    """
    module, colon, attribute = name.partition(":")
    if colon:
        from .spec import GameSpec

        found = getattr(importlib.import_module(module), attribute, None)
        if not isinstance(found, GameSpec):
            raise ValueError(f"unknown game {name!r}: {module} has no GameSpec of the name {attribute!r}")
        return found
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


def address(facts: "GameSpec") -> str:
    """A name by which ``spec`` finds these facts again, in another process too: their id, or ``module:attribute``."""
    if facts.name in names() and spec(facts.name) is facts:
        return facts.id
    package = getattr(facts.rules, "__name__", "").rpartition(".")[0]
    for attribute, value in vars(sys.modules[package]).items() if package in sys.modules else ():
        if value is facts:
            return f"{package}:{attribute}"
    raise ValueError(
        f"{facts.name} is not registered, and the package of its rules has no attribute that is its GameSpec: "
        "another process could not find it"
    )


@functools.cache
def game(name: str) -> "Game":
    """The plain interface to a game, by what ``spec`` takes."""
    from .game import Game  # imports the compiler

    return Game(spec(name))
