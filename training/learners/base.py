"""What the training loop asks of a way of learning; the loop does the rest: curves, pool, checkpoints, evaluation."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...agents.network.role_networks import EVERY, RoleNetworks
from ...envs.core import registry as games
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..config import registry
from ..config.schema import TrainConfig
from .snapshot_pool import SnapshotPool


@dataclass(frozen=True)
class Task:
    """What is to be learnt: the config, and the game and its complete parameters that it names."""

    config: TrainConfig
    game: Game
    settings: Settings

    @classmethod
    def of(cls, config: TrainConfig) -> "Task":
        """The task of a config; ValueError if the game refuses its parameters."""
        return cls(config, games.game(config.game), config.settings())

    @property
    def roles(self) -> list[str]:
        """The roles that are learnt, as the networks are called: EVERY where the game has but one."""
        known = [role.name for role in self.game.spec.roles]
        return [EVERY] if len(known) == 1 else registry.spec(self.config.algo).roles(self.config, known)

    def card(self, timesteps: int) -> dict[str, Any]:
        """What a network's card says of its making."""
        spec = self.game.spec
        return {
            "game": spec.id,
            "roles": [role.name for role in spec.roles],
            "settings": dict(self.settings),
            "observation": spec.card_blocks(self.settings),
            "algo": self.config.algo,
            "seed": self.config.seed,
            "timesteps": timesteps,
        }


class Learner(Protocol):
    """One way of learning."""

    @property
    def timesteps(self) -> int:
        """Samples so far."""
        ...

    def iterate(self, remaining: float) -> dict[str, float]:
        """Plays, learns once from it, and returns the curves' values; ``remaining`` falls from 1 to 0 in a run."""
        ...

    def networks(self) -> RoleNetworks:
        """The policy of every role that is learnt, as it is now."""
        ...

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Seats the pool's snapshots at the training tables; called whenever the pool has changed."""
        ...

    def climb(self, rung: int) -> None:
        """From the next game on the curriculum's agent ``rung``, counted from 0, sits at the training tables in place
        of the one before; called only where there is a curriculum."""
        ...

    def begin(self) -> None:
        """Deals the first games; the snapshots are seated by then."""
        ...

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All that changes while learning, as arrays and facts."""
        ...

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse, after ``begin``; ValueError if it belongs to another learner."""
        ...

    def close(self) -> None:
        """Ends what runs in the background."""
        ...
