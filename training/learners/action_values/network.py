"""A network that tells of every action what it is worth, or how likely it should be."""

from typing import Any

import torch
from torch import nn

from ....agents.network.built import playing_form
from ....agents.network.kinds import kind
from ....agents.network.network import StoredNetwork
from ...config.schema import NetworkConfig


class ActionNetwork(nn.Module):
    """Observations (B, D) to a number for every action (B, A).

    Duelling (Wang et al. 2016): the value of the position, and by how much each action differs from their mean.
    """

    def __init__(self, features: int, num_actions: int, network: NetworkConfig, duelling: bool):
        super().__init__()
        self.features, self.config = features, network
        self.trunk, width = kind(network.kind).build(features, network.trunk_settings(), nn.Linear)
        self.action_head = nn.Linear(width, num_actions)
        self.value_head: nn.Linear | None = nn.Linear(width, 1) if duelling else None

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, A), of illegal actions, too."""
        features = self.trunk(observations)
        found = self.action_head(features)
        if self.value_head is None:
            return found
        return found - found.mean(dim=1, keepdim=True) + self.value_head(features)

    def network(self, card: dict[str, Any], temperature: float = 1.0) -> StoredNetwork:
        """For playing: the numbers, divided by the temperature, are its logits."""
        config, head = self.config, self.action_head
        # Without weights of its own: they would be drawn from the chance of the run.
        joined = nn.utils.skip_init(nn.Linear, head.in_features, head.out_features)
        with torch.no_grad():
            weight, bias = head.weight.clone(), head.bias.clone()
            if self.value_head is not None:  # both heads are linear, so that one does for the two
                weight += self.value_head.weight - weight.mean(dim=0, keepdim=True)
                bias += self.value_head.bias - bias.mean()
            joined.weight.copy_(weight / temperature)
            joined.bias.copy_(bias / temperature)
        return playing_form(config.kind, config.trunk_settings(), self.features, self.trunk, joined, card)
