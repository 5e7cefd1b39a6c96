"""A trained network at the table."""

import numpy as np

from ...envs.adapters.seating import Bot
from .network import Network


class NetworkAgent:
    """Plays a network: its likeliest action (greedy), or one drawn by its probabilities."""

    def __init__(self, network: Network, name: str = "network", greedy: bool = True):
        self.network, self.name, self.greedy = network, name, greedy
        self.bot = Bot(network=network, greedy=greedy)

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        logits = np.where(masks != 0, self.network.logits(observations), -np.inf)
        if not self.greedy:  # the Gumbel trick: the maximum is distributed as the softmax
            logits = logits + rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)
