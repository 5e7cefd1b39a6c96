"""The network that learns in self-play: a trunk under an action head and a value head, with masks."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ....agents.network.network import Network

LAYERS: dict[str, Callable[[], nn.Module]] = {"relu": lambda: nn.ReLU(inplace=True), "tanh": nn.Tanh}
MASKED = -1e8  # the logit of an illegal action: its probability is exactly 0, and so is its gradient


class Policy(nn.Module):
    """Observations (B, D) and masks (B, A) to logits (B, A) and values (B,)."""

    def __init__(self, features: int, num_actions: int, hidden: list[int], activation: str):
        super().__init__()
        layers: list[nn.Module] = []
        width = features
        for wider in hidden:
            layers += [_linear(width, wider, 2**0.5), LAYERS[activation]()]
            width = wider
        self.trunk = nn.Sequential(*layers)
        self.action_head = _linear(width, num_actions, 0.01)
        self.value_head = _linear(width, 1, 1.0)
        self.activation = activation

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (B, A), very small where the mask is False, and values (B,)."""
        features = self.trunk(observations)
        logits = self.action_head(features).masked_fill(~masks, MASKED)
        return logits, self.value_head(features).flatten()

    def network(self, card: dict[str, Any]) -> Network:
        """Trunk and action head as plain arrays, for playing."""
        linear = [layer for layer in [*self.trunk, self.action_head] if isinstance(layer, nn.Linear)]
        return Network(
            [layer.weight.detach().numpy().T.copy() for layer in linear],
            [layer.bias.detach().numpy().copy() for layer in linear],
            self.activation,
            card,
        )


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    # Orthogonal weights and zero biases, as in most PPO implementations (Andrychowicz et al. 2021).
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
