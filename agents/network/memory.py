"""Kinds of networks that remember: they read the events at the end of an observation (see envs/core/history.py).

What they know of the past is in the observation, so they keep no state between two calls. Their option ``events`` is
the shape of that block, (N, numbers); ``width`` the size of what an event is turned into, ``heads`` those of attention.
They are played in Python, by torch.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ...envs.core.history import CODES, SEAT
from .kinds import Linear, NetworkKind
from .trunks import perceptron

WIDTH, HEADS = 32, 4


class Events(nn.Module):
    """(B, N * numbers) of an observation to what each event means (B, N, width), and whether there is one, (B, N)."""

    def __init__(self, shape: tuple[int, int], width: int):
        super().__init__()
        self.shape, numbers = shape, shape[1]
        self.meaning = nn.EmbeddingBag(numbers * (CODES + 1), width, mode="sum")
        nn.init.normal_(self.meaning.weight, std=0.3)
        self.register_buffer("first", torch.arange(numbers) * (CODES + 1), persistent=False)

    def forward(self, block: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The newest event first."""
        codes = (block.view(-1, *self.shape) * CODES).round().long()
        numbers = (codes + self.first).view(-1, self.shape[1])
        return self.meaning(numbers).view(*codes.shape[:2], -1), codes[:, :, SEAT] > 0


class Remembering(nn.Module):
    """A layer over the rest of the observation; with what ``memory`` makes of it and the events, the other layers."""

    def __init__(self, features: int, settings: Mapping[str, Any], linear: Linear, memory: type[nn.Module]):
        super().__init__()
        shape = (int(settings["events"][0]), int(settings["events"][1]))
        if not settings["hidden"]:
            raise ValueError("network.hidden=[]: a network that remembers needs a first layer")
        first, *others = settings["hidden"]
        width = int(settings.get("width", WIDTH))
        self.rest = features - shape[0] * shape[1]
        self.first, _ = perceptron(self.rest, {**settings, "hidden": [first]}, linear)
        self.events, self.memory = Events(shape, width), memory(first, shape[0], width, settings, linear)
        self.others, self.width = perceptron(first + width, {**settings, "hidden": others}, linear)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, features) to (B, width)."""
        present = self.first(observations[:, : self.rest])
        past = self.memory(present, *self.events(observations[:, self.rest :]))
        return self.others(torch.cat([present, past], dim=1))


class Attention(nn.Module):
    """The present asks, the events answer: heads of scaled dot products over those that there are, or over nothing."""

    def __init__(self, asking: int, events: int, width: int, settings: Mapping[str, Any], linear: Linear):
        super().__init__()
        self.heads = int(settings.get("heads", HEADS))
        if width % self.heads:
            raise ValueError(f"network.options: width={width} cannot be shared out among heads={self.heads}")
        self.age = nn.Parameter(torch.randn(events, width) * 0.3)
        self.nothing = nn.Parameter(torch.zeros(width))
        self.question, self.key, self.value = linear(asking, width), linear(width, width), linear(width, width)

    def forward(self, present: torch.Tensor, events: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(B, width)."""
        known = torch.cat([events + self.age, self.nothing.expand(len(events), 1, -1)], dim=1)
        split = (len(events), -1, self.heads, self.question.out_features // self.heads)
        question = self.question(present).view(split).transpose(1, 2)
        key, value = (layer(known).view(split).transpose(1, 2) for layer in (self.key, self.value))
        mask = torch.cat([there, there.new_ones(len(there), 1)], dim=1)[:, None, None]
        answer = nn.functional.scaled_dot_product_attention(question, key, value, mask)
        return answer.transpose(1, 2).flatten(1)


class Recurrence(nn.Module):
    """A gated recurrent unit over the events, the oldest first; where there is none yet it stays as it is."""

    def __init__(self, asking: int, events: int, width: int, settings: Mapping[str, Any], linear: Linear):
        super().__init__()
        self.cell = nn.GRUCell(width, width)

    def forward(self, present: torch.Tensor, events: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """(B, width)."""
        state = events.new_zeros(len(events), events.shape[2])
        for age in range(events.shape[1] - 1, -1, -1):
            state = torch.where(there[:, age, None], self.cell(events[:, age], state), state)
        return state


def attention(features: int, settings: Mapping[str, Any], linear: Linear) -> tuple[nn.Module, int]:
    """A trunk that attends to the events."""
    trunk = Remembering(features, settings, linear, Attention)
    return trunk, trunk.width


def recurrent(features: int, settings: Mapping[str, Any], linear: Linear) -> tuple[nn.Module, int]:
    """A trunk that goes through the events one after the other."""
    trunk = Remembering(features, settings, linear, Recurrence)
    return trunk, trunk.width


ATTENTION, RECURRENT = NetworkKind(attention), NetworkKind(recurrent)
