"""The policy for sb3-contrib's MaskablePPO: one trunk under the action head and the value head, and masks that cost
little."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from ....agents.network.built import playing_form
from ....agents.network.kinds import kind
from ....agents.network.network import StoredNetwork
from ...config.schema import NetworkConfig
from ..finite import NotFiniteError
from ..ppo.policy import MASKED


class Trunk(BaseFeaturesExtractor):
    """Observations (B, D) to features (B, hidden[-1])."""

    def __init__(self, observation_space: spaces.Box, network: NetworkConfig):
        layers, width = kind(network.kind).build(int(observation_space.shape[0]), network.trunk_settings(), nn.Linear)
        super().__init__(observation_space, width)
        self.layers = layers

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """One row of features for every observation."""
        return self.layers(observations)


class SharedTrunkPolicy(MaskableActorCriticPolicy):
    """SB3 builds two networks from ``net_arch``; here a features extractor is the trunk and ``net_arch`` is empty.

    The two methods below replace sb3-contrib's, which normalise the logits twice over; distributions are the same.
    """

    def __init__(self, observation_space: spaces.Space, action_space: spaces.Space, lr_schedule: Any, **kwargs: Any):
        kwargs |= {"net_arch": [], "features_extractor_class": Trunk}
        super().__init__(observation_space, action_space, lr_schedule, **kwargs)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (B,), values (B, 1) and log-probabilities (B,)."""
        logits, values = self.masked_logits(obs, action_masks)
        if deterministic:
            actions = logits.argmax(dim=1, keepdim=True)
        else:
            try:
                actions = torch.multinomial(torch.softmax(logits, dim=1), 1)
            except RuntimeError:  # which it raises for probabilities that are none
                raise NotFiniteError("what the policy makes of a position is NaN or infinite") from None
        log_probabilities = torch.log_softmax(logits, dim=1).gather(1, actions)
        return actions.flatten(), values, log_probabilities.flatten()

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values (B, 1), log-probabilities (B,) of ``actions`` (B,), and entropies (B,)."""
        logits, values = self.masked_logits(obs, action_masks)
        log_probabilities = torch.log_softmax(logits, dim=1)
        # Not the exponential of the line above: for masked entries that is the slowest of all operations.
        entropies = -(torch.softmax(logits, dim=1) * log_probabilities).sum(dim=1)
        return values, log_probabilities.gather(1, actions.long()[:, None]).flatten(), entropies

    def masked_logits(
        self, obs: torch.Tensor, action_masks: np.ndarray | torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (B, A) and values (B, 1)."""
        features = self.features_extractor(obs)
        logits = self.action_net(features)
        if action_masks is not None:
            illegal = torch.as_tensor(action_masks, device=logits.device) == 0
            logits = logits.masked_fill(illegal, MASKED)
        return logits, self.value_net(features)

    def network(self, config: NetworkConfig, card: dict[str, Any]) -> StoredNetwork:
        """Trunk and both heads, for playing."""
        trunk, features = self.features_extractor, int(np.prod(self.observation_space.shape or ()))
        assert isinstance(trunk, Trunk)
        return playing_form(
            config.kind, config.trunk_settings(), features, trunk.layers, self.action_net, card, self.value_net
        )
