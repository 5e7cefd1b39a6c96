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

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        logits = np.where(masks != 0, self.networks.logits(observations), -np.inf)
        if not self.greedy:  # the Gumbel trick: the maximum is distributed as the softmax
            logits = logits + rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)
