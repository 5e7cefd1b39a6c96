"""The uniform player."""

import numpy as np

from ..envs.tables.kinds import RandomForm


class RandomAgent:
    """Chooses uniformly among the legal actions."""

    name = "random"
    compiled_form = RandomForm()

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """How likely ``act`` chooses each action, float64 (B, A), of masks int8 (B, A)."""
        return masks / masks.sum(axis=1, keepdims=True)

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A uniformly random legal action for every row."""
        legal = masks.sum(axis=1)
        if not legal.all():
            raise ValueError(f"row {int(legal.argmin())} of the masks allows no action")
        place = (rng.random(len(masks)) * legal).astype(np.int64)
        return (masks.cumsum(axis=1, dtype=np.int64) > place[:, None]).argmax(axis=1)
