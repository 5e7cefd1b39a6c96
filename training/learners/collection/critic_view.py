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
