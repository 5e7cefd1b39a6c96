"""Self-play: proximal policy optimisation in which every choice of every seat is a sample.

A part of the games has the policy at every seat, the others have it at one seat among past snapshots and baselines.
Decisions with one legal action are no choices. It may begin by imitating an agent. Seats of one role share a network.
The parts: rollout.py plays (each thread at tables of its own), decisions.py gives credit, ppo_update.py learns.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from ....agents.loading import load_agent
from ....agents.network.role_networks import RoleNetworks
from ....envs.core.chance import seed_streams
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..collection.collector import Rollout
from ..collection.decisions import Samples
from ..opponents import Opponents
from ..snapshot_pool import SnapshotPool
from ..tensors import adam_tensors, load_adam_tensors, load_network_tensors, network_tensors
from .policy import Policy
from .update import imitation_loss, ppo_loss, update

THREADS = 23  # branch of the seed: for the tables of every thread but the first


class PPOLearner:
    """A learner (see base.py) that learns from all seats."""

    def __init__(self, task: Task, pool: SnapshotPool):
        config, self.task = task.config, task
        spec = task.game.spec
        self.roles = np.array(spec.seat_roles(task.settings))
        features = spec.observation_size(task.settings)
        network = config.network
        self.policies = [
            Policy(features, spec.num_actions, network.hidden, network.activation) for _ in range(self.roles.max() + 1)
        ]
        self.optimizers = [
            torch.optim.Adam(policy.parameters(), lr=config.section.learning_rate, eps=1e-5) for policy in self.policies
        ]
        self.opponents = Opponents(task, pool)
        imitation = config.section.imitation
        self.teacher = load_agent(imitation.agent, task.game, task.settings) if imitation.samples else None
        self.timesteps = 0
        count = min(config.threads, config.num_envs)
        seeds = [config.seed, *map(int, seed_streams(config.seed, count - 1, THREADS))]
        self.rollouts = [
            Rollout(task, self.policies, self.opponents.weighted, len(tables), seed)
            for tables, seed in zip(np.array_split(np.arange(config.num_envs), count), seeds, strict=True)
        ]
        self.generator = self.rollouts[0].generator
        # A thread of these computes alone; between two rollouts the threads of torch work together.
        self._threads = ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,))

    def begin(self) -> None:
        """Deals the first games."""
        for rollout in self.rollouts:
            rollout.begin()

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout and one update."""
        ppo = self.task.config.section
        rate = ppo.learning_rate_end + remaining * (ppo.learning_rate - ppo.learning_rate_end)
        if self.imitating:
            rate = self.task.config.section.imitation.learning_rate or rate
        loss_of = imitation_loss if self.imitating else ppo_loss
        samples = self.rollout()
        self.timesteps += len(samples.actions)
        figures: list[dict[str, float]] = []
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            for group in optimizer.param_groups:
                group["lr"] = rate
            own = samples if len(self.policies) == 1 else samples.of_role(role)
            if len(own.actions) > 1:
                figures.append(update(policy, optimizer, own, ppo, self.generator, loss_of))
        values = {name: float(np.mean([entry[name] for entry in figures])) for name in figures[0]} if figures else {}
        return {**values, "train/learning_rate": rate, **self._take_statistics()}

    @property
    def imitating(self) -> bool:
        """Whether the samples are still the teacher's decisions."""
        return self.teacher is not None and self.timesteps < self.task.config.section.imitation.samples

    def rollout(self) -> Samples:
        """Plays at all tables, and returns every decision whose reward is known by now."""
        teacher = self.teacher if self.imitating else None
        if len(self.rollouts) == 1:
            return self.rollouts[0].play(teacher)
        together = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return Samples.joined(list(self._threads.map(lambda rollout: rollout.play(teacher), self.rollouts)))
        finally:
            torch.set_num_threads(together)

    def _take_statistics(self) -> dict[str, float]:
        games = np.array([game for rollout in self.rollouts for game in rollout.take_games()], float).reshape(-1, 2)
        means = games.mean(axis=0) if len(games) else np.full(2, np.nan)
        return {
            "train/episodes": len(games),
            "train/length": float(means[0]),
            "train/truncated_share": float(means[1]),
            "train/illegal_actions": 0,  # an illegal action raises
        }

    def networks(self) -> RoleNetworks:
        """Every role's trunk and action head."""
        card = self.task.card(self.timesteps)
        return RoleNetworks(
            {role: policy.network(card) for role, policy in zip(self.task.roles, self.policies, strict=True)}
        )

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""

        def replace(place: int, agent: Any) -> None:
            for rollout in self.rollouts:
                rollout.arena.seating.replace(place, agent)

        self.opponents.seat_snapshots(pool, replace)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, optimisers, and of every thread the tables, open decisions and generator."""
        tensors: dict[str, np.ndarray] = {}
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            tensors |= prefixed(f"policy{role}", network_tensors(policy))
            tensors |= prefixed(f"adam{role}", adam_tensors(policy, optimizer))
        for number, rollout in enumerate(self.rollouts):
            tensors |= prefixed(f"rollout{number}", rollout.state_dict())
        return tensors, {"timesteps": self.timesteps, "rollouts": len(self.rollouts)}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse; ValueError if the tables were shared out in another way."""
        made = facts.get("rollouts")
        if made is None:
            raise ValueError("it was made by an earlier version, whose self-play had no threads")
        if made != len(self.rollouts):
            raise ValueError(f"it was made with threads={made}, not {len(self.rollouts)}")
        kept = Checkpoint(tensors, facts)
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            load_network_tensors(policy, kept.part(f"policy{role}"))
            load_adam_tensors(policy, optimizer, kept.part(f"adam{role}"))
        for number, rollout in enumerate(self.rollouts):
            rollout.load_state_dict(kept.part(f"rollout{number}"))
        self.timesteps = facts["timesteps"]

    def close(self) -> None:
        """Ends the threads."""
        self._threads.shutdown()
        for rollout in self.rollouts:
            rollout.arena.close()
