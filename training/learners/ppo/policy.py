"""The network that learns: a trunk under an action head and a value head, with masks."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ....agents.network.network import Network

LAYERS: dict[str, Callable[[], nn.Module]] = {"relu": lambda: nn.ReLU(inplace=True), "tanh": nn.Tanh}
MASKED = -1e8  # the logit of an illegal action: its probability is exactly 0, and so is its gradient


class Policy(nn.Module):
    """Observations (B, D) and masks (B, A) to logits (B, A) and values (B,).

    With ``critic_features`` the values come from a trunk of their own, over what the critic is shown (B, C); else both
    heads share one.
    """

    def __init__(self, features: int, num_actions: int, hidden: list[int], activation: str, critic_features: int = 0):
        super().__init__()
        self.trunk, width = _trunk(features, hidden, activation)
        self.action_head = _linear(width, num_actions, 0.01)
        self.critic_trunk: nn.Module | None = None
        if critic_features:
            self.critic_trunk, width = _trunk(critic_features, hidden, activation)
        self.value_head = _linear(width, 1, 1.0)
        self.activation = activation

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, critic: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (B, A), very small where the mask is False, and values (B,)."""
        features = self.trunk(observations)
        logits = self.action_head(features).masked_fill(~masks, MASKED)
        judged = features if self.critic_trunk is None else self.critic_trunk(critic)
        return logits, self.value_head(judged).flatten()

    def network(self, card: dict[str, Any]) -> Network:
        """Trunk and action head as plain arrays, for playing."""
        linear = [layer for layer in [*self.trunk, self.action_head] if isinstance(layer, nn.Linear)]
        return Network(
            [layer.weight.detach().numpy().T.copy() for layer in linear],
            [layer.bias.detach().numpy().copy() for layer in linear],
            self.activation,
            card,
        )


def _trunk(features: int, hidden: list[int], activation: str) -> tuple[nn.Sequential, int]:
    """The layers below the heads, and their width."""
    layers: list[nn.Module] = []
    for wider in hidden:
        layers += [_linear(features, wider, 2**0.5), LAYERS[activation]()]
        features = wider
    return nn.Sequential(*layers), features


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    # Orthogonal weights and zero biases, as in most PPO implementations (Andrychowicz et al. 2021).
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
