"""A trained network at the table."""

import numpy as np

from ...envs.tables.kinds import NetworkForm
from .network import StoredNetwork
from .role_networks import EVERY, RoleNetworks


class NetworkAgent:
    """Plays networks: their likeliest action (greedy), or one drawn by its probabilities."""

    def __init__(self, networks: RoleNetworks | StoredNetwork, name: str = "network", greedy: bool = True):
        self.networks = RoleNetworks({EVERY: networks}) if isinstance(networks, StoredNetwork) else networks
        self.name, self.greedy = name, greedy
        self.compiled_form = NetworkForm(self.networks, greedy)

    @property
    def has_values(self) -> bool:
        """Whether it tells what a position is worth, too; networks of earlier versions do not."""
        return self.networks.has_values

    def values(self, observations: np.ndarray) -> np.ndarray:
        """What the seat that sees each of the observations (B, D) may expect to get until the end of its game, float32
        (B,); a truncated game counts as in its training. ValueError without values (see ``has_values``)."""
        return self.networks.values(observations)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """How likely ``act`` chooses each action, float64 (B, A), 0 where the mask int8 (B, A) does not allow it."""
        logits = np.where(masks != 0, self.networks.logits(observations).astype(float), -np.inf)
        if self.greedy:
            return np.eye(logits.shape[1])[logits.argmax(axis=1)]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        logits = np.where(masks != 0, self.networks.logits(observations), -np.inf)
        if not self.greedy:  # the Gumbel trick: the maximum is distributed as the softmax
            logits = logits + rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)
