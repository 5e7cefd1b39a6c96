"""What an agent is inside the compiled loop: its kind, and that kind's own parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..core.compiler import layout

# How an agent decides at a seat of one role. ASKED: in Python; ABSENT: it cannot play that role.
RANDOM, HEURISTIC, NETWORK, ASKED, ABSENT = range(5)

PLAYER = layout(
    kind="i8",
    agent="i8",  # its number
    network="i8",  # NETWORK: which of the bank
    greedy="?",  # NETWORK: the likeliest action; else one drawn by its probability
)


@dataclass(frozen=True)
class RandomForm:
    """Plays uniformly among the legal actions."""


@dataclass(frozen=True)
class HeuristicForm:
    """Plays the compiled ``choose`` of a module by its name, which is given ``params`` (see the guide)."""

    module: str
    params: tuple[float, ...]


class Networks(Protocol):
    """The networks of an agent, by role."""

    def of(self, role: str) -> Any:
        """The network that plays a role; None if there is none. ``compiled``, it is a perceptron as NetworkBank takes
        them; else the agent is asked in Python where it plays that role."""
        ...


@dataclass(frozen=True)
class NetworkForm:
    """Plays networks: their likeliest action (``greedy``), or one drawn by its probability."""

    networks: Networks
    greedy: bool = True


# What an agent may have as its attribute ``compiled_form``.
CompiledForm = RandomForm | HeuristicForm | NetworkForm


def heuristic_params(forms: Sequence[CompiledForm | None]) -> np.ndarray:
    """The parameters of each agent, float64 (K, most of them); zeros where it is no heuristic."""
    found = [form.params if isinstance(form, HeuristicForm) else () for form in forms]
    rows = np.zeros((len(found), max([1, *map(len, found)])))
    for row, params in zip(rows, found, strict=True):
        row[: len(params)] = params
    return rows
