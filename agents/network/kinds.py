"""Kinds of networks by name: what lies between an observation and the heads that a learner puts on it, its trunk.

``mlp``, ``residual``, and two that remember, ``attention`` and ``recurrent``, are built in; packages add others by the
entry point ``poopdeck.networks``. A kind is a NetworkKind; one that is registered nowhere goes by ``module:attribute``.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any

ENTRY_POINTS = "poopdeck.networks"
PERCEPTRON = "mlp"  # the kind that plays in compiled code
TRUNKS = __name__.rpartition(".")[0] + ".trunks"
MEMORY = __name__.rpartition(".")[0] + ".memory"
BUILT_IN = {
    PERCEPTRON: f"{TRUNKS}:MLP",
    "residual": f"{TRUNKS}:RESIDUAL",
    "attention": f"{MEMORY}:ATTENTION",
    "recurrent": f"{MEMORY}:RECURRENT",
}
REMEMBERING = ("attention", "recurrent")  # read the block of events, whose shape is their option ``events``

# Makes a torch.nn.Linear of (inputs, outputs), its weights begun as the learner wants them.
Linear = Callable[[int, int], Any]


@dataclass(frozen=True)
class NetworkKind:
    """``build(features, settings, linear)`` returns the trunk, a torch.nn.Module from (B, features) to (B, width), and
    that width. ``settings`` are the section ``network`` of a config: ``hidden``, ``activation``, and its ``options``.
    """

    build: Callable[[int, Mapping[str, Any], Linear], tuple[Any, int]]


def names() -> list[str]:
    """The kinds of this package, then those that installed packages add."""
    added = (point.name for point in entry_points(group=ENTRY_POINTS))
    return [*BUILT_IN, *sorted(name for name in added if name not in BUILT_IN)]


def check(name: str) -> None:
    """ValueError for a kind that there is not; it lists those that there are. Loads none of them."""
    known = names()
    if name not in known and ":" not in name:
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ValueError(f"{hint}there are {', '.join(known)}, or one of your own as module:attribute")


def kind(name: str) -> NetworkKind:
    """A kind by name or ``module:attribute``; ValueError if there is none. Loads torch."""
    check(name)
    added = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    module, _, attribute = BUILT_IN.get(name, added.get(name, name)).partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ImportError as error:
        raise ValueError(f"network kind {name!r}: {error}") from None
    if not isinstance(found, NetworkKind):
        raise ValueError(f"network kind {name!r}: {module}:{attribute} is no NetworkKind")
    return found
