"""What an agent is, in either of two forms."""

from typing import Protocol, runtime_checkable

import numpy as np

from ..envs.tables.context import Context


@runtime_checkable
class Agent(Protocol):
    """Chooses actions from observations and masks; it sees nothing else.

    An agent may have a compiled form too, its attribute ``compiled_form`` (see envs/tables/kinds.py): then it plays
    inside compiled loops and ``act`` is for those who call it one by one.

    ``act`` takes ``observations`` float32 (B, D), ``masks`` int8 (B, A) with 1 for legal, and the generator of its
    random choices, and returns whole numbers (B,), each legal in its row.
    """

    name: str

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        ...


@runtime_checkable
class ContextAgent(Protocol):
    """Chooses actions in a context: it may remember its games, and search in positions dealt anew.

    Training may ask it from several threads at once, for different tables. Whoever asks uses
    ``envs/tables/context.py::ask``, which serves both forms; an agent with both is asked in this one.
    """

    name: str

    def act_in(self, context: Context) -> np.ndarray:
        """One action for every row of the context, whole numbers (B,), each legal in its row."""
        ...


AnyAgent = Agent | ContextAgent
