"""The network that learns: a trunk under an action head and a value head, with masks."""

from typing import Any

import torch
from torch import nn

from ....agents.network.built import playing_form
from ....agents.network.kinds import PERCEPTRON, REMEMBERING, kind
from ....agents.network.network import StoredNetwork
from ...config.schema import NetworkConfig

MASKED = -1e8  # the logit of an illegal action: its probability is exactly 0, and so is its gradient


class Policy(nn.Module):
    """Observations (B, D) and masks (B, A) to logits (B, A) and values (B,).

    With ``critic_features`` the values come from a trunk of their own, over what the critic is shown (B, C); else both
    heads share one.
    """

    def __init__(self, features: int, num_actions: int, network: NetworkConfig, critic_features: int = 0):
        super().__init__()
        self.features, self.config = features, network
        build, settings = kind(network.kind).build, network.trunk_settings()
        self.trunk, width = build(features, settings, _linear)
        self.action_head = _linear(width, num_actions, 0.01)
        self.critic_trunk: nn.Module | None = None
        if critic_features:
            # What it is shown does not end with the events of one seat, where kinds that remember look for them.
            plain = kind(PERCEPTRON if network.kind in REMEMBERING else network.kind)
            self.critic_trunk, width = plain.build(critic_features, settings, _linear)
        self.value_head = _linear(width, 1, 1.0)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, critic: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (B, A), very small where the mask is False, and values (B,)."""
        features = self.trunk(observations)
        logits = self.action_head(features).masked_fill(~masks, MASKED)
        judged = features if self.critic_trunk is None else self.critic_trunk(critic)
        return logits, self.value_head(judged).flatten()

    def network(self, card: dict[str, Any]) -> StoredNetwork:
        """Trunk and action head, for playing, and the value head where it judges by what the seat sees."""
        config, judge = self.config, self.value_head if self.critic_trunk is None else None
        return playing_form(
            config.kind, config.trunk_settings(), self.features, self.trunk, self.action_head, card, judge
        )


def _linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    # Orthogonal weights and zero biases, as in most PPO implementations (Andrychowicz et al. 2021).
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
