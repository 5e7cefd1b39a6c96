"""Self-play: proximal policy optimisation in which every choice of every seat is a sample.

A part of the games has the policy at every seat, the others have it at one seat among past snapshots and baselines.
Decisions with one legal action are no choices. It may begin by imitating an agent. Seats of one role share a network.
The parts: the collection plays, actor.py decides meanwhile, samples.py gives credit, update.py learns.
"""

from typing import Any

import numpy as np
import torch

from ....agents.loading import load_agent
from ....agents.network.role_networks import RoleNetworks
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..collection.collector import Collector, CollectorConfig
from ..collection.critic_view import AllSeats, CriticView
from ..collection.group import CollectorGroup
from ..opponents import Opponents
from ..snapshot_pool import SnapshotPool
from ..tensors import adam_tensors, load_adam_tensors, load_network_tensors, network_tensors
from .actor import PolicyActor
from .initial import begin_with
from .policy import Policy
from .samples import COLUMNS, POLICY, Samples
from .update import Loss, imitation_loss, ppo_loss, update


class PPOLearner:
    """A learner (see base.py) that learns from all seats.

    ``loss`` is what is made small while it plays itself, ``imitation_loss`` while it imitates (see update.py): a
    way of learning that differs in these passes others; ``keep_policy``: whether its samples tell the whole
    distribution that an action was drawn from. ``critic_view`` replaces the one that the config names.
    """

    def __init__(
        self,
        task: Task,
        pool: SnapshotPool,
        loss: Loss = ppo_loss,
        imitation_loss: Loss = imitation_loss,
        critic_view: CriticView | None = None,
        keep_policy: bool = False,
    ):
        config, self.task, self.section = task.config, task, task.config.section
        self.loss, self.imitation_loss = loss, imitation_loss
        if critic_view is None and self.section.critic == "all_seats":
            critic_view = AllSeats(task.game, task.settings)
        self.policies = _policies(task, 0 if critic_view is None else critic_view.size)
        if self.section.initial_weights is not None:
            begin_with(self.section.initial_weights, task, self.policies)
        self.optimizers = [
            torch.optim.Adam(policy.parameters(), lr=self.section.learning_rate, eps=1e-5) for policy in self.policies
        ]
        self.opponents = Opponents(task, pool)
        imitation = self.section.imitation
        self.teacher = load_agent(imitation.agent, task.game, task.settings) if imitation.samples else None
        self.timesteps = 0
        columns = {**COLUMNS, POLICY: ((task.game.spec.num_actions,), np.float32)} if keep_policy else COLUMNS
        collection = CollectorConfig(
            config.num_envs, self.section.n_steps, self.section.self_play_share, columns, critic_view
        )
        self.group = CollectorGroup(task, self.opponents.weighted, collection)
        self.actors = [self.actor(seed, keep_policy) for seed in self.group.seeds]
        self.generator = self.actors[0].generator

    def actor(self, seed: int, keep_policy: bool) -> PolicyActor:
        """Who decides in one thread."""
        return PolicyActor(self.policies, seed, keep_policy)

    def begin(self) -> None:
        """Deals the first games."""
        self.group.begin()

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout and one update."""
        ppo = self.section.at(remaining)
        rate = ppo.learning_rate_end + remaining * (ppo.learning_rate - ppo.learning_rate_end)
        if self.imitating:
            rate = ppo.imitation.learning_rate or rate
        loss = self.imitation_loss if self.imitating else self.loss
        samples = self.rollout()
        self.timesteps += len(samples.actions)
        samples = self.learnt_from(samples)
        figures: list[dict[str, float]] = []
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            for group in optimizer.param_groups:
                group["lr"] = rate
            own = samples if len(self.policies) == 1 else samples.of_role(role)
            if len(own.actions) > 1:
                figures.append(update(policy, optimizer, own, ppo, self.generator, loss))
        values = {name: float(np.mean([entry[name] for entry in figures])) for name in figures[0]} if figures else {}
        return {**values, "train/learning_rate": rate, **self.group.take_statistics()}

    def learnt_from(self, samples: Samples) -> Samples:
        """The samples of an update, given those of the latest rollout: the same."""
        return samples

    @property
    def imitating(self) -> bool:
        """Whether the samples are still the teacher's decisions."""
        return self.teacher is not None and self.timesteps < self.section.imitation.samples

    def rollout(self) -> Samples:
        """Plays at all tables, and returns every decision whose reward is known by now."""
        teacher = self.teacher if self.imitating else None
        # What the teacher's decisions were worth is told by how the games ended, not by a value that knows nothing yet.
        trace = self.section.gae_lambda if teacher is None else 1.0

        def play(number: int, collector: Collector) -> Samples:
            actor = self.actors[number]
            actor.teacher = teacher
            actor.judge(collector.decisions)
            decisions = collector.collect(actor)
            samples = Samples.of(decisions, self.section.gamma, trace)
            decisions.carry()
            return samples

        parts = self.group.each(play)
        return parts[0] if len(parts) == 1 else Samples.joined(parts)

    def networks(self) -> RoleNetworks:
        """Every role's trunk and action head."""
        card = self.task.card(self.timesteps)
        return RoleNetworks(
            {role: policy.network(card) for role, policy in zip(self.task.roles, self.policies, strict=True)}
        )

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""
        self.opponents.seat_snapshots(pool, self.group.replace_opponent)

    def climb(self, rung: int) -> None:
        """From the next game on this of the curriculum's agents sits at the tables."""
        self.group.weigh_opponents(self.opponents.weights_at(rung))

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, optimisers, and of every thread the tables, open decisions and generator."""
        tensors: dict[str, np.ndarray] = {}
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            tensors |= prefixed(f"policy{role}", network_tensors(policy))
            tensors |= prefixed(f"adam{role}", adam_tensors(policy, optimizer))
        tensors |= prefixed("collectors", self.group.state_dict())
        for number, actor in enumerate(self.actors):
            tensors[f"generator{number}"] = actor.generator.get_state().numpy().copy()
        return tensors, {"timesteps": self.timesteps}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse; ValueError if the tables were shared out in another way."""
        kept = Checkpoint(tensors, facts)
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            load_network_tensors(policy, kept.part(f"policy{role}"))
            load_adam_tensors(policy, optimizer, kept.part(f"adam{role}"))
        self.group.load_state_dict(kept.part("collectors"))
        for number, actor in enumerate(self.actors):
            actor.generator.set_state(torch.from_numpy(tensors[f"generator{number}"].copy()))
        self.timesteps = facts["timesteps"]

    def close(self) -> None:
        """Ends the threads."""
        self.group.close()


def _policies(task: Task, critic_features: int) -> list[Policy]:
    """One for every role."""
    spec = task.game.spec
    features = spec.observation_size(task.settings)
    return [
        Policy(features, spec.num_actions, task.config.network, critic_features)
        for _ in range(max(spec.seat_roles(task.settings)) + 1)
    ]
