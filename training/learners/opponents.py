"""Who sits at the training tables beside the learner: the config's agents, those of its curriculum, then the slots of
the snapshot pool."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...agents.loading import load_agent
from ...agents.network.agent import NetworkAgent
from ...agents.network.network import Network
from ...agents.network.role_networks import RoleNetworks
from .base import Task
from .snapshot_pool import SnapshotPool


class Opponents:
    """Agents with their weights, as an environment takes them, and which snapshot sits in which slot."""

    def __init__(self, task: Task, pool: SnapshotPool):
        config = task.config
        self.weighted: list[tuple[Any, float]] = [
            (load_agent(entry.agent, task.game, task.settings, entry.greedy), entry.weight)
            for entry in config.opponents
        ]
        curriculum = config.curriculum
        self.first_rung = len(self.weighted)
        rungs = [load_agent(name, task.game, task.settings) for name in curriculum.agents]
        self.rung_weights = [curriculum.weight] * len(rungs)
        self.weighted += [(agent, 0.0 if place else curriculum.weight) for place, agent in enumerate(rungs)]
        self.first_slot = len(self.weighted)
        slots = pool.weights() if pool.active else []
        self.weighted += [(nobody(task), weight) for weight in slots]
        self.seated = [-1] * len(slots)  # the number of the snapshot in each slot

    def weights_at(self, rung: int) -> list[float]:
        """The weight of each of the agents while the curriculum is at this of its agents, counted from 0."""
        weights = [weight for _, weight in self.weighted]
        for place, weight in enumerate(self.rung_weights):
            weights[self.first_rung + place] = weight if place == rung else 0.0
        return weights

    def seat_snapshots(self, pool: SnapshotPool, replace: Callable[[int, Any], None]) -> None:
        """Calls ``replace(place among the agents, agent)`` for each slot whose snapshot has changed."""
        for slot, number in enumerate(pool.seating() if self.seated else []):
            if number != self.seated[slot]:
                replace(self.first_slot + slot, pool.agent(number))
                self.seated[slot] = number


def nobody(task: Task) -> NetworkAgent:
    """What sits in a snapshot's slot until there is a snapshot; it plays the roles that are learnt."""
    features, actions = task.game.spec.observation_size(task.settings), task.game.spec.num_actions
    network = Network([np.zeros((features, actions), np.float32)], [np.zeros(actions, np.float32)])
    return NetworkAgent(RoleNetworks(dict.fromkeys(task.roles, network)), "nobody", task.config.snapshots.greedy)
