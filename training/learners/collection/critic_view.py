"""What a critic is shown that sees more than the actor: only the run has the true positions, and only while it
trains, so nothing of it is in the network that plays."""

from typing import Protocol

import numpy as np

from ....envs.core.compiler import driver
from ....envs.core.game import Game
from ....envs.core.spec import Settings

CRITIC = "critic"  # the column of the decisions that keeps it


class CriticView(Protocol):
    """Features of true positions."""

    size: int

    def rows(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Float32 (n, size) for true positions (n,), as seen for the seats (n,) that are to act there."""
        ...


@driver
def observe_seats(rules, observation):
    """observe_seats(states, seats, out): what every seat sees, in (n, P, D), beginning with the given ones."""

    def run(states, seats, out):
        for i in range(len(seats)):
            for k in range(out.shape[1]):
                observation.observe(states[i], (seats[i] + k) % out.shape[1], out[i, k])

    return run


class AllSeats:
    """The observations of all seats, that of the seat to act first, then clockwise."""

    def __init__(self, game: Game, settings: Settings):
        self.seats, self.features = game.spec.num_seats(settings), game.spec.observation_size(settings)
        self.size = self.seats * self.features
        self._observe = observe_seats(game.spec.rules, game.spec.observation)

    def rows(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Float32 (n, P * D)."""
        shown = np.zeros((len(seats), self.seats, self.features), np.float32)
        self._observe(states, seats, shown)
        return shown.reshape(len(seats), -1)


class Hidden:
    """The cards of the true position, also those that nobody sees: of the record every array of the smallest type,
    which holds zones of cards, squashed to -1 to 1. Its chance is not among them."""

    def __init__(self, game: Game, settings: Settings):
        kinds = game.empty_states(settings, 1).dtype.fields or {}
        self.fields = [name for name, (kind, *_) in kinds.items() if kind.base == np.int8 and kind.shape]
        self.size = sum(int(np.prod(kinds[name][0].shape)) for name in self.fields)

    def rows(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Float32 (n, size), the same for all seats."""
        parts = [states[name].reshape(len(states), -1) for name in self.fields]
        numbers = np.concatenate(parts, axis=1, dtype=np.float32) if parts else np.zeros((len(states), 0), np.float32)
        return np.sign(numbers) * np.log2(1 + np.abs(numbers)) / 7  # 1 for 127


class Oracle:
    """The observations of all seats, as AllSeats gives them, and then the hidden cards."""

    def __init__(self, game: Game, settings: Settings):
        self.parts: list[CriticView] = [AllSeats(game, settings), Hidden(game, settings)]
        self.size = sum(part.size for part in self.parts)

    def rows(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Float32 (n, size)."""
        return np.concatenate([part.rows(states, seats) for part in self.parts], axis=1)
