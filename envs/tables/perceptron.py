"""A small multilayer perceptron inside compiled loops: several networks laid out in one array, and the forward pass.

A network here is anything with ``weights`` (a list of float32 (in, out)), ``biases`` (float32 (out,)), ``sizes`` and
``activation``.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.chance import below
from ..core.compiler import rule

RELU, TANH = 0, 1
ACTIVATIONS = {"relu": RELU, "tanh": TANH}


class NetworkBank:
    """Several networks laid out for compiled loops.

    ``values`` float32 (all weights), ``plans`` int64 (networks, 2 + 3 * depth): number of layers, activation, then for
    every layer rows, columns, where its weights start (its bias follows them). ``width`` is the widest layer.
    """

    def __init__(self, networks: Sequence[Any]):
        depth = max((len(network.weights) for network in networks), default=0)
        self.plans = np.zeros((max(len(networks), 1), 2 + 3 * depth), np.int64)
        parts: list[np.ndarray] = [np.zeros(1, np.float32)]
        start = 1
        for plan, network in zip(self.plans, networks, strict=False):
            plan[:2] = len(network.weights), ACTIVATIONS[network.activation]
            for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
                plan[2 + 3 * k : 5 + 3 * k] = *weight.shape, start
                parts += [weight.reshape(-1), bias]
                start += weight.size + bias.size
        self.values = np.concatenate(parts)
        self.width = max((max(network.sizes) for network in networks), default=1)

    def scratch(self) -> np.ndarray:
        """Room for one forward pass, float32 (2, width); one per thread."""
        return np.zeros((2, self.width), np.float32)


class NetworkRun(NamedTuple):
    """One network of a bank, and room for its forward pass."""

    plan: Any  # int64 (2 + 3 * depth,)
    values: Any  # float32 (all weights of the bank,)
    scratch: Any  # float32 (2, width)


@rule
def forward(plan, values, observation, scratch):
    """One observation through a network; the logits lie in the row of scratch whose number is returned."""
    for i in range(plan[2]):
        scratch[1, i] = observation[i]
    source = 1
    for k in range(plan[0]):
        rows = plan[2 + 3 * k]
        columns = plan[3 + 3 * k]
        start = plan[4 + 3 * k]
        x = scratch[source]
        y = scratch[1 - source]
        bias = values[start + rows * columns : start + (rows + 1) * columns]
        for j in range(columns):
            y[j] = bias[j]
        for i in range(rows):
            # Observations are mostly zeros and half of a ReLU layer is: skipping them is most of the speed.
            if x[i] != 0:
                add_row(y, values[start + i * columns : start + (i + 1) * columns], x[i])
        if k + 1 < plan[0]:
            for j in range(columns):
                if plan[1] == TANH:
                    y[j] = math.tanh(y[j])
                elif y[j] < 0:
                    y[j] = 0
        source = 1 - source
    return source


@rule
def add_row(y, row, factor):
    """y += factor * row."""
    for j in range(len(row)):
        y[j] += factor * row[j]


@rule
def choose_by_network(network, observation, mask, greedy, chance):
    """The likeliest legal action, or one drawn by the softmax over the legal ones."""
    logits = network.scratch[forward(network.plan, network.values, observation, network.scratch)]
    best = -1
    for action in range(len(mask)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    if greedy:
        return best
    top = logits[best]
    total = 0.0
    for action in range(len(mask)):
        if mask[action]:
            total += math.exp(logits[action] - top)
    # 2**32 - 1 is the finest the stream gives; rounding may leave nothing, then the likeliest is taken.
    left = total * (below(chance, 4294967295) / 4294967295.0)
    for action in range(len(mask)):
        if mask[action]:
            left -= math.exp(logits[action] - top)
            if left < 0:
                return action
    return best
