"""The kinds of networks that are built in."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from .kinds import Linear, NetworkKind

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {"relu": lambda: nn.ReLU(inplace=True), "tanh": nn.Tanh}


def perceptron(features: int, settings: Mapping[str, Any], linear: Linear) -> tuple[nn.Module, int]:
    """A layer for every width in ``hidden``."""
    layers: list[nn.Module] = []
    for width in settings["hidden"]:
        layers += [linear(features, width), ACTIVATIONS[settings["activation"]]()]
        features = width
    return nn.Sequential(*layers), features


class ResidualBlock(nn.Module):
    """x + activation(linear(norm(x))), all of one width."""

    def __init__(self, width: int, activation: str, linear: Linear):
        super().__init__()
        self.norm, self.layer = nn.LayerNorm(width), linear(width, width)
        self.activation = ACTIVATIONS[activation]()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(B, width) to (B, width)."""
        return x + self.activation(self.layer(self.norm(x)))


def residual(features: int, settings: Mapping[str, Any], linear: Linear) -> tuple[nn.Module, int]:
    """A block for every width in ``hidden``, with a layer before each that is of another width; normalised at last."""
    layers: list[nn.Module] = []
    for width in settings["hidden"]:
        if width != features:
            layers += [linear(features, width), ACTIVATIONS[settings["activation"]]()]
        layers.append(ResidualBlock(width, settings["activation"], linear))
        features = width
    return nn.Sequential(*layers, nn.LayerNorm(features)), features


MLP, RESIDUAL = NetworkKind(perceptron), NetworkKind(residual)
