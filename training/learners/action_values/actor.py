"""Who decides while what actions are worth is learnt."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

from ..collection.collector import Rows
from ..finite import NotFiniteError


class GreedyActor:
    """The best action by the network of each row's role, or, with probability ``epsilon``, any legal one.

    Each thread has one, with chance of its own.
    """

    def __init__(self, networks: list[nn.Module], seed: int):
        self.networks, self.epsilon = networks, 1.0
        self.rng = np.random.default_rng(seed)

    def act(self, rows: Rows) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Actions (n,), and no columns."""
        best = np.where(rows.masks, numbers_of(self.networks, rows), -np.inf).argmax(axis=1)
        return self.explore(best, rows.masks), {}

    def explore(self, best: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """In place of some of the best actions any legal one, all alike."""
        any_legal = np.where(masks, self.rng.random(masks.shape), -1.0).argmax(axis=1)
        return np.where(self.rng.random(len(best)) < self.epsilon, any_legal, best)


def numbers_of(networks: list[nn.Module], rows: Rows) -> np.ndarray:
    """What the networks make of the rows, each by the network of its role, float32 (n, A)."""
    found = np.zeros(rows.masks.shape, np.float32)
    with torch.no_grad():
        for role, network in enumerate(networks):
            which = np.flatnonzero(rows.roles == role)
            if len(which):
                found[which] = network(torch.from_numpy(rows.observations[which])).numpy()
    if not np.isfinite(found).all():
        raise NotFiniteError("what the network makes of a position is NaN or infinite")
    return found
