"""What an agent is, and how it is seated in compiled loops."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from .neural.network import Network


@runtime_checkable
class Agent(Protocol):
    """Chooses actions from observations and masks; it sees nothing else.

    ``act`` takes ``observations`` float32 (B, D), ``masks`` int8 (B, A) with 1 for legal, and the generator of its
    random choices, and returns whole numbers (B,), each legal in its row.
    """

    name: str

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        ...


@dataclass(frozen=True)
class Bot:
    """The compiled form of an agent, which plays without leaving the compiled loop: exactly one of the three."""

    random: bool = False
    strength: int | None = None  # of the game's heuristic module
    network: "Network | None" = None
    greedy: bool = True  # of a network: the likeliest action, or one drawn by its probabilities


def bot_of(agent: Agent) -> Bot | None:
    """The compiled form of an agent, None if it has none and must be asked in Python."""
    return getattr(agent, "bot", None)
