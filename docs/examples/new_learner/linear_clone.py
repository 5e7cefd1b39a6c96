"""A way of learning of one's own: a linear policy learns to play as some agent does, from a reservoir of decisions.

A learner is a section of the config, a class with a few methods, and a LearnerSpec that an entry point names. Curves,
checkpoints, snapshots, evaluation and playing come with it: `poopdeck train poo_head --set algo=linear_clone`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import Field

from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.network import Network
from poopdeck.agents.network.role_networks import RoleNetworks
from poopdeck.training.config.registry import LearnerSpec
from poopdeck.training.config.schema import Count, LearnerSection
from poopdeck.training.learners.base import Task
from poopdeck.training.learners.collection.collector import Collector, CollectorConfig, Rows
from poopdeck.training.learners.collection.memory import Reservoir
from poopdeck.training.learners.opponents import Opponents
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.storage.checkpoint import Checkpoint, prefixed


class LinearCloneSection(LearnerSection):
    """The settings, in a config under ``linear_clone``."""

    agent: str = Field(default="heuristic", description="Whose play is learnt.")
    n_steps: Count = Field(default=16, description="Decisions at every table between two updates.")
    updates: Count = Field(default=16, description="Batches of one update.")
    batch_size: Count = Field(default=256, description="Decisions of one batch.")
    memory: Count = Field(default=50_000, description="Decisions that are kept, a fair share of all.")
    learning_rate: float = Field(default=1.0, gt=0, description="Step size at the start; it falls to 0.")


class LinearCloneLearner:
    """Logits of the actions: ``weights`` (R, D + 1, A) for R roles, the last row what stands alone."""

    def __init__(self, task: Task, pool: SnapshotPool):
        spec, section = task.game.spec, task.config.section
        self.task, self.section, self.timesteps = task, section, 0
        features = spec.observation_size(task.settings)
        self.weights = np.zeros((len(task.roles), features + 1, spec.num_actions), np.float32)
        self.teacher = load_agent(section.agent, task.game, task.settings)
        self.opponents = Opponents(task, pool)
        config = CollectorConfig(task.config.num_envs, section.n_steps, self_play_share=0.5)
        self.collector = Collector(task, self.opponents.weighted, config, task.config.seed)
        self.memory = Reservoir(section.memory, task.config.seed)
        self.rng = np.random.default_rng(task.config.seed)

    def begin(self) -> None:
        """Deals the first games."""
        self.collector.begin()

    def act(self, rows: Rows) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """What the teacher does; the collector asks for it."""
        return self.teacher.act(rows.observations, rows.masks.astype(np.int8), self.rng), {}

    def iterate(self, remaining: float) -> dict[str, float]:
        """Watches the teacher for a while, then learns from what is kept."""
        decisions = self.collector.collect(self)
        found = decisions.transitions()  # rewards and next positions too, for those who need them
        decisions.carry()
        self.memory.add(found)
        self.timesteps += len(found.actions)
        rate = remaining * self.section.learning_rate
        loss, agreement = np.mean([self.update(rate) for _ in range(self.section.updates)], axis=0).tolist()
        games = self.collector.take_games()
        return {"train/policy_loss": loss, "train/agreement": agreement, "train/episodes": len(games)}

    def logits(self, seen: np.ndarray, roles: np.ndarray) -> np.ndarray:
        """Of every action (n, A)."""
        return np.stack([seen @ weights for weights in self.weights])[roles, np.arange(len(roles))]

    def update(self, rate: float) -> tuple[float, float]:
        """One step along the gradient of the cross-entropy; it and the share of equal actions, before."""
        batch = self.memory.sample(self.section.batch_size)
        rows = np.arange(len(batch.actions))
        seen = np.concatenate([batch.observations, np.ones((len(rows), 1), np.float32)], axis=1)
        logits = np.where(batch.masks, self.logits(seen, batch.roles), -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -np.log(chances[rows, batch.actions] + 1e-9).mean()
        agreement = (chances.argmax(axis=1) == batch.actions).mean()
        chances[rows, batch.actions] -= 1
        for role, weights in enumerate(self.weights):
            own = batch.roles == role
            weights -= rate / len(rows) * (seen[own].T @ chances[own])
        return float(loss), float(agreement)

    def networks(self) -> RoleNetworks:
        """What has been learnt, as an agent plays it: perceptrons without hidden layers."""
        card = self.task.card(self.timesteps)
        pairs = zip(self.task.roles, self.weights, strict=True)
        return RoleNetworks({role: Network([w[:-1].copy()], [w[-1].copy()], card=card) for role, w in pairs})

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""
        self.opponents.seat_snapshots(pool, self.collector.replace_opponent)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All that changes while learning."""
        tensors = {"weights": self.weights.copy()}
        tensors |= prefixed("tables", self.collector.state_dict()) | prefixed("memory", self.memory.state_dict())
        return tensors, {"timesteps": self.timesteps, "rng": self.rng.bit_generator.state}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        kept = Checkpoint(tensors, facts)
        self.weights, self.timesteps = tensors["weights"].copy(), facts["timesteps"]
        self.rng.bit_generator.state = facts["rng"]
        self.collector.load_state_dict(kept.part("tables"))
        self.memory.load_state_dict(kept.part("memory"))

    def close(self) -> None:
        """Ends what runs in the background."""
        self.collector.close()


LEARNER = LearnerSpec("linear_clone", "A linear copy of an agent", LinearCloneSection, LinearCloneLearner, True)
