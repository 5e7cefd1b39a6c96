"""Deep Monte Carlo from every seat: an action is worth what its seat got from then on to the end of the game.

Nothing is learnt from a guess, so that errors do not feed on themselves; the price is that nothing is learnt from a
game before it has ended.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ..action_values.base import ActionValueLearner
from ..base import Task
from ..collection.decisions import Decisions
from ..gradient import gradient_step
from ..snapshot_pool import SnapshotPool
from ..tensors import generator_array, set_generator


@dataclass
class Outcomes:
    """Decisions of games that have ended; all arrays (m, ...)."""

    observations: np.ndarray  # float32 (m, D)
    actions: np.ndarray  # int64
    returns: np.ndarray  # float32, what the seat got from then on
    roles: np.ndarray  # int64


class DMCLearner(ActionValueLearner):
    """A learner (see learners/base.py): a network for every role, and the games that have not ended yet."""

    def __init__(self, task: Task, pool: SnapshotPool):
        super().__init__(task, pool, whole_games=True)
        self.order = np.random.default_rng(task.config.seed)

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout, and some passes over the games that ended in it."""
        parts = self.play(remaining, self.take)
        found = {name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])}
        self.timesteps += len(found["actions"])
        rate = self.set_learning_rate(remaining)
        losses = [loss for role in range(self.count_roles) for loss in self.learn(role, found)]
        figures = {"train/value_loss": float(np.mean(losses))} if losses else {}
        values = {"train/learning_rate": rate, "train/epsilon": self.actors[0].epsilon}
        return {**figures, **values, **self.group.take_statistics()}

    def take(self, decisions: Decisions) -> Outcomes:
        """The decisions of the games that have ended."""
        rows, returns = decisions.returns(self.section.gamma)
        kept = decisions.observations[rows], decisions.actions[rows]
        return Outcomes(*kept, returns, decisions.roles[rows])

    def learn(self, role: int, found: dict[str, np.ndarray]) -> list[float]:
        """The losses of some passes over one role's decisions, in random batches."""
        section, values, losses = self.section, self.values[role], []
        own = np.flatnonzero(found["roles"] == role)
        for _ in range(section.n_epochs):
            order = own[self.order.permutation(len(own))]
            for low in range(0, len(order), section.batch_size):
                rows = order[low : low + section.batch_size]
                told = values(torch.from_numpy(found["observations"][rows]))
                told = told.gather(1, torch.from_numpy(found["actions"][rows])[:, None]).flatten()
                loss = (told - torch.from_numpy(found["returns"][rows])).square().mean()
                gradient_step(loss, self.optimizers[f"values{role}"], section.max_grad_norm)
                losses.append(loss.item())
        return losses

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Also the chance of the batches."""
        tensors, facts = super().state_dict()
        return {**tensors, "order": generator_array(self.order)}, facts

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        super().load_state_dict(tensors, facts)
        set_generator(self.order, tensors["order"])
