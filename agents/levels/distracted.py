"""A player that knows what to do, but is not always with its mind at the table."""

import numpy as np

from ..base import Agent


class DistractedAgent:
    """Plays as another agent does, but with probability ``distraction`` (0 to 1) any legal action, all alike."""

    def __init__(self, agent: Agent, distraction: float, name: str):
        if not 0 <= distraction <= 1:
            raise ValueError(f"distraction={distraction}: allowed is 0 to 1")
        self.agent, self.distraction, self.name = agent, distraction, name

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        actions = np.array(self.agent.act(observations, masks, rng))
        elsewhere = rng.random(len(actions)) < self.distraction
        anything = (rng.random(masks.shape) * (masks != 0)).argmax(axis=1)
        actions[elsewhere] = anything[elsewhere]
        return actions
