"""One learning seat as Tianshou's algorithms read it, and an agent that plays by what they learnt.

Tianshou looks for a mask in the observation, under a name of its own; its value learners leave illegal actions out
wherever they choose one, also of the next decision. Needs the extra ``tianshou`` for the agent only.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces


class TianshouEnv(gymnasium.ObservationWrapper[Any, Any, Any]):
    """An environment of ``make_gymnasium`` with observations ``{"obs": float32[D], "mask": int8[A]}``, 1 for legal.

    Raises:
        ValueError: the environment's observations have no mask.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]):
        super().__init__(env)
        seen = env.observation_space
        if not isinstance(seen, spaces.Dict) or set(seen) != {"observation", "action_mask"}:
            raise ValueError('observations without a mask: allowed is observation="masked"')
        self.observation_space = spaces.Dict({"obs": seen["observation"], "mask": seen["action_mask"]})
        assert isinstance(env.action_space, spaces.Discrete)
        self.action_space = spaces.Discrete(int(env.action_space.n))

    def observation(self, observation: Any) -> dict[str, np.ndarray]:
        """The same under Tianshou's names."""
        return {"obs": observation["observation"], "mask": observation["action_mask"]}


class PolicyAgent:
    """Plays by a policy of Tianshou's, such as the ``policy`` of its DQN, as it does where it does not explore."""

    def __init__(self, policy: Any, name: str = "tianshou"):
        self.policy, self.name = policy, name

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row: observations float32 (B, D), masks int8 (B, A); returns int64 (B,)."""
        from tianshou.data import Batch

        seen = Batch(obs=Batch(obs=observations, mask=masks), info=Batch())
        return np.asarray(self.policy(seen).act)
