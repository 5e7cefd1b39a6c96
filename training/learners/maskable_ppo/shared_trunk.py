"""The policy for sb3-contrib's MaskablePPO: one trunk under the action head and the value head, and masks that cost
little."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from ....agents.network.network import Network
from ..ppo.policy import LAYERS, MASKED


class Trunk(BaseFeaturesExtractor):
    """Observations (B, D) to features (B, hidden[-1])."""

    def __init__(self, observation_space: spaces.Box, hidden: list[int], activation: str):
        super().__init__(observation_space, hidden[-1])
        layers: list[nn.Module] = []
        width = int(observation_space.shape[0])
        for wider in hidden:
            layers += [nn.Linear(width, wider), LAYERS[activation]()]
            width = wider
        self.layers = nn.Sequential(*layers)

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
            actions = torch.multinomial(torch.softmax(logits, dim=1), 1)
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

    def network(self, activation: str, card: dict[str, Any]) -> Network:
        """Trunk and action head as plain arrays."""
        assert isinstance(self.features_extractor, Trunk) and isinstance(self.action_net, nn.Linear)
        linear = [layer for layer in self.features_extractor.layers if isinstance(layer, nn.Linear)]
        linear.append(self.action_net)
        return Network(
            [layer.weight.detach().cpu().numpy().T.copy() for layer in linear],
            [layer.bias.detach().cpu().numpy().copy() for layer in linear],
            activation,
            card,
        )
