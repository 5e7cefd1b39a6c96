"""What learners of action values have in common: tables, networks by name, and all of it in checkpoints."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from ....agents.network.role_networks import RoleNetworks
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..collection.collector import Collector, CollectorConfig
from ..collection.decisions import Columns, Decisions
from ..collection.group import CollectorGroup
from ..collection.memory import Memory
from ..opponents import Opponents
from ..snapshot_pool import SnapshotPool
from ..tensors import (
    adam_tensors,
    generator_array,
    load_adam_tensors,
    load_network_tensors,
    network_tensors,
    set_generator,
)
from .actor import GreedyActor
from .network import ActionNetwork

Found = TypeVar("Found")


class ActionValueLearner:
    """A learner (see base.py) that learns what actions are worth, from all seats.

    What it has is kept by name: ``networks_by_name``, ``optimizers`` of some of them, ``memories``. The network that
    tells values for role r is ``values<r>``.
    """

    def __init__(self, task: Task, pool: SnapshotPool, columns: Columns | None = None, whole_games: bool = False):
        config, self.task, self.section = task.config, task, task.config.section
        self.timesteps, self.updates = 0, 0
        self.count_roles = max(task.game.spec.seat_roles(task.settings)) + 1
        self.networks_by_name: dict[str, nn.Module] = {}
        self.optimizers: dict[str, torch.optim.Optimizer] = {}
        self.memories: dict[str, Memory] = {}
        self.values = [self.add(f"values{role}", self.new_network(duelling=True)) for role in range(self.count_roles)]
        self.opponents = Opponents(task, pool)
        collection = CollectorConfig(
            config.num_envs, self.section.n_steps, self.section.self_play_share, columns, whole_games=whole_games
        )
        self.group = CollectorGroup(task, self.opponents.weighted, collection)
        self.actors = [self.actor(seed) for seed in self.group.seeds]

    def new_network(self, duelling: bool) -> ActionNetwork:
        """One for the task's observations and actions."""
        spec, settings = self.task.game.spec, self.task.settings
        return ActionNetwork(spec.observation_size(settings), spec.num_actions, self.task.config.network, duelling)

    def add(self, name: str, network: ActionNetwork) -> ActionNetwork:
        """Keeps a network that learns, with its optimiser."""
        self.networks_by_name[name] = network
        self.optimizers[name] = torch.optim.Adam(network.parameters(), lr=self.section.learning_rate)
        return network

    def actor(self, seed: int) -> GreedyActor:
        """Who decides in one thread."""
        return GreedyActor(list(self.values), seed)

    def play(self, remaining: float, take: Callable[[Decisions], Found]) -> list[Found]:
        """A rollout in every thread, and what ``take`` takes of its decisions."""
        epsilon = self.section.falling("epsilon", "epsilon_end", remaining)

        def play(number: int, collector: Collector) -> Found:
            self.actors[number].epsilon = epsilon
            decisions = collector.collect(self.actors[number])
            found = take(decisions)
            decisions.carry()
            return found

        return self.group.each(play)

    def set_learning_rate(self, remaining: float) -> float:
        """That of all optimisers, as it is now."""
        rate = self.section.falling("learning_rate", "learning_rate_end", remaining)
        for optimizer in self.optimizers.values():
            for group in optimizer.param_groups:
                group["lr"] = rate
        return rate

    def begin(self) -> None:
        """Deals the first games."""
        self.group.begin()

    def networks(self) -> RoleNetworks:
        """Every role's values as a network that plays."""
        card = self.task.card(self.timesteps)
        return RoleNetworks(
            {
                role: network.network(card, self.section.temperature)
                for role, network in zip(self.task.roles, self.values, strict=True)
            }
        )

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""
        self.opponents.seat_snapshots(pool, self.group.replace_opponent)

    def climb(self, rung: int) -> None:
        """From the next game on this of the curriculum's agents sits at the tables."""
        self.group.weigh_opponents(self.opponents.weights_at(rung))

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, optimisers, memories, and of every thread the tables, open decisions and chance."""
        tensors = prefixed("collectors", self.group.state_dict())
        for name, network in self.networks_by_name.items():
            tensors |= prefixed(f"network.{name}", network_tensors(network))
        for name, optimizer in self.optimizers.items():
            tensors |= prefixed(f"adam.{name}", adam_tensors(self.networks_by_name[name], optimizer))
        for name, memory in self.memories.items():
            tensors |= prefixed(f"memory.{name}", memory.state_dict())
        for number, actor in enumerate(self.actors):
            tensors[f"generator{number}"] = generator_array(actor.rng)
        return tensors, {"timesteps": self.timesteps, "updates": self.updates}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse; ValueError if the tables were shared out in another way."""
        kept = Checkpoint(tensors, facts)
        for name, network in self.networks_by_name.items():
            load_network_tensors(network, kept.part(f"network.{name}"))
        for name, optimizer in self.optimizers.items():
            load_adam_tensors(self.networks_by_name[name], optimizer, kept.part(f"adam.{name}"))
        for name, memory in self.memories.items():
            memory.load_state_dict(kept.part(f"memory.{name}"))
        self.group.load_state_dict(kept.part("collectors"))
        for number, actor in enumerate(self.actors):
            set_generator(actor.rng, tensors[f"generator{number}"])
        self.timesteps, self.updates = facts["timesteps"], facts["updates"]

    def close(self) -> None:
        """Ends the threads."""
        self.group.close()
