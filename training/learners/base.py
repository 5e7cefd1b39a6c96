"""What the training loop asks of a way of learning; the loop does the rest: curves, pool, checkpoints, evaluation."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...agents.network.role_networks import EVERY, RoleNetworks
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..config.schema import TrainConfig
from .snapshot_pool import SnapshotPool


@dataclass(frozen=True)
class Task:
    """What is to be learnt: the config, and the game and its complete parameters that it names."""

    config: TrainConfig
    game: Game
    settings: Settings

    @property
    def roles(self) -> list[str]:
        """The roles that are learnt, as the networks are called: EVERY where the game has but one."""
        known = [role.name for role in self.game.spec.roles]
        if len(known) == 1:
            return [EVERY]
        if self.config.algo == "selfplay":
            return known
        chosen = self.config.role or known[0]
        if chosen not in known:
            raise ValueError(f"role={chosen!r}: {self.game.spec.name} has {', '.join(known)}")
        return [chosen]

    def card(self, timesteps: int) -> dict[str, Any]:
        """What a network's card says of its making."""
        spec = self.game.spec
        blocks = [[block.name, list(block.shape)] for block in spec.observation.blocks(self.settings)]
        return {
            "game": spec.id,
            "roles": [role.name for role in spec.roles],
            "settings": dict(self.settings),
            "observation": blocks,
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
