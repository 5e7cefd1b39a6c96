"""Neural fictitious self-play from every seat: deep Q-learning finds a best response to the average policy, and the
average policy learns what the best responses chose, from a reservoir. The average policy is the agent.

In every game each seat draws which of the two it plays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from ....agents.network.role_networks import RoleNetworks
from ..action_values.actor import GreedyActor, numbers_of
from ..base import Task
from ..collection.collector import Rows
from ..collection.decisions import Columns, Decisions, Transitions
from ..collection.memory import Reservoir
from ..dqn.learner import DQNLearner
from ..gradient import gradient_step
from ..ppo.policy import MASKED
from ..snapshot_pool import SnapshotPool

BEST = "best_response"  # the column that tells which decisions the average policy learns from
COLUMNS: Columns = {BEST: ((), np.bool_)}


@dataclass
class Choices:
    """What best responses chose; all arrays (m, ...)."""

    observations: np.ndarray  # float32 (m, D)
    masks: np.ndarray  # bool (m, A)
    actions: np.ndarray  # int64


class NFSPActor(GreedyActor):
    """At every seat the best response or the average policy, drawn for a game."""

    def __init__(self, values: list[nn.Module], averages: list[nn.Module], anticipation: float, seed: int, seats: int):
        super().__init__(values, seed)
        self.averages, self.anticipation = averages, anticipation
        self.best = np.zeros((0, seats), np.bool_)  # by table and seat: which of the two it plays

    def act(self, rows: Rows) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Actions (n,), and the column of best responses."""
        if not len(self.best):
            self.best = np.zeros((len(rows.seats), self.best.shape[1]), np.bool_)
        new = np.flatnonzero(rows.new_games)
        self.best[new] = self.rng.random((len(new), self.best.shape[1])) < self.anticipation
        best = self.best[np.arange(len(rows.seats)), rows.seats]
        responses, _ = super().act(rows)
        logits = np.where(rows.masks, numbers_of(self.averages, rows), -np.inf)
        drawn = (logits + self.rng.gumbel(size=logits.shape)).argmax(axis=1)
        return np.where(best, responses, drawn), {BEST: best}


class NFSPLearner(DQNLearner):
    """A learner (see learners/base.py): deep Q-learning, and for every role an average policy with its reservoir."""

    def __init__(self, task: Task, pool: SnapshotPool):
        self.averages: list[Any] = []
        super().__init__(task, pool, COLUMNS)
        self.reservoirs: list[Reservoir[Choices]] = []
        for role in range(self.count_roles):
            self.averages.append(self.add(f"average{role}", self.new_network(duelling=False)))
            reservoir: Reservoir[Choices] = Reservoir(self.section.reservoir, task.config.seed + role, Choices)
            self.memories[f"reservoir{role}"] = reservoir
            self.reservoirs.append(reservoir)

    def actor(self, seed: int) -> NFSPActor:
        """Who decides in one thread; the average policies are added to its list as they are made."""
        seats = self.task.game.spec.num_seats(self.task.settings)
        return NFSPActor(list(self.values), self.averages, self.section.anticipation, seed, seats)

    def take(self, decisions: Decisions) -> tuple[Transitions, list[Choices]]:  # type: ignore[override]
        """What a rollout leaves to be learnt from: decisions, and by role those of best responses."""
        rows = decisions.known()
        rows = rows[decisions.columns[BEST][rows]]
        by_role = [rows[decisions.roles[rows] == role] for role in range(self.count_roles)]
        kept = decisions.observations, decisions.masks, decisions.actions
        return super().take(decisions), [Choices(*(array[own] for array in kept)) for own in by_role]

    def remember(self, found: tuple[Transitions, list[Choices]]) -> None:  # type: ignore[override]
        """Puts decisions into the replays, and those of best responses into the reservoirs."""
        super().remember(found[0])
        for reservoir, choices in zip(self.reservoirs, found[1], strict=True):
            reservoir.add(choices)

    def learn(self, role: int) -> dict[str, float]:
        """One gradient step of the best response and one of the average policy."""
        figures = super().learn(role)
        if not figures or not len(self.reservoirs[role]):
            return {}
        batch = self.reservoirs[role].sample(self.section.batch_size)
        logits = self.averages[role](torch.from_numpy(batch.observations))
        logits = logits.masked_fill(~torch.from_numpy(batch.masks), MASKED)
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(batch.actions))
        gradient_step(loss, self.optimizers[f"average{role}"], self.section.max_grad_norm)
        return {**figures, "train/policy_loss": loss.item()}

    def networks(self) -> RoleNetworks:
        """Every role's average policy."""
        card = self.task.card(self.timesteps)
        policies = zip(self.task.roles, self.averages, strict=True)
        return RoleNetworks({role: average.network(card) for role, average in policies})

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Also which seats play their best response in the games under way."""
        tensors, facts = super().state_dict()
        for number, actor in enumerate(self.actors):
            tensors[f"best{number}"] = actor.best.copy()  # type: ignore[attr-defined]
        return tensors, facts

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        super().load_state_dict(tensors, facts)
        for number, actor in enumerate(self.actors):
            actor.best = tensors[f"best{number}"].copy()  # type: ignore[attr-defined]
