"""A small multilayer perceptron as plain arrays: what a trained policy is once it only plays.

A network is stored as safetensors (``layer.0.weight`` (in, out), ``layer.0.bias`` (out,), ...) beside a JSON card that
says which game, parameters and observation it was made for. Nothing is ever unpickled.
"""

import json
import math
import pathlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...envs.core.compiler import rule
from ...envs.core.generator import below
from ...envs.core.spec import GameSpec, Settings

FORMAT = "poopdeck-network-1"
RELU, TANH = 0, 1
ACTIVATIONS = {"relu": RELU, "tanh": TANH}


@dataclass
class Network:
    """Layers of a perceptron from observation (D,) to one logit per action (A,).

    ``weights[k]`` float32 (in, out), ``biases[k]`` float32 (out,); ``activation`` between layers. ``card`` is the JSON
    beside it.
    """

    weights: list[np.ndarray]
    biases: list[np.ndarray]
    activation: str = "relu"
    card: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation={self.activation!r}: allowed is {' or '.join(ACTIVATIONS)}")
        self.weights = [np.ascontiguousarray(weight, np.float32) for weight in self.weights]
        self.biases = [np.ascontiguousarray(bias, np.float32) for bias in self.biases]
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if weight.ndim != 2 or bias.shape != weight.shape[1:] or (k and weight.shape[0] != self.sizes[k]):
                raise ValueError(f"layer {k}: weight {weight.shape} and bias {bias.shape} do not fit")

    @property
    def sizes(self) -> list[int]:
        """Widths from the observation to the logits."""
        return [self.weights[0].shape[0], *(weight.shape[1] for weight in self.weights)]

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (B, A) of observations (B, D), in NumPy."""
        x = observations
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ weight + bias
            if k + 1 < len(self.weights):
                x = np.maximum(x, 0) if self.activation == "relu" else np.tanh(x)
        return x

    def save(self, folder: pathlib.Path) -> None:
        """Writes ``network.safetensors`` and ``card.json`` into a folder."""
        from safetensors.numpy import save

        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"layer.{k}.weight": weight for k, weight in enumerate(self.weights)}
        tensors |= {f"layer.{k}.bias": bias for k, bias in enumerate(self.biases)}
        card = {**self.card, "format": FORMAT, "activation": self.activation, "sizes": self.sizes}
        # A reader meets either the old or the new file, never half of one.
        for name, content in (
            ("network.safetensors", save(tensors)),
            ("card.json", json.dumps(card, indent=2)),
        ):
            part = folder / f".{name}.part"
            part.write_bytes(content if isinstance(content, bytes) else content.encode())
            part.replace(folder / name)

    @classmethod
    def load(cls, folder: pathlib.Path) -> "Network":
        """Reads what ``save`` wrote; ValueError says what is missing, damaged or of another kind."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        for name in ("network.safetensors", "card.json"):
            if not (folder / name).is_file():
                raise ValueError(f"{folder}: no {name} there, so it holds no trained network")
        try:
            card = json.loads((folder / "card.json").read_text())
            if not isinstance(card, dict) or card.get("format") != FORMAT:
                raise ValueError(f"{folder / 'card.json'}: not a card of format {FORMAT}")
            tensors = load((folder / "network.safetensors").read_bytes())
            depth = len(card["sizes"]) - 1
            return cls(
                [tensors[f"layer.{k}.weight"] for k in range(depth)],
                [tensors[f"layer.{k}.bias"] for k in range(depth)],
                card["activation"],
                card,
            )
        except (SafetensorError, KeyError, json.JSONDecodeError, UnicodeDecodeError, TypeError) as error:
            raise ValueError(f"{folder}: the network is damaged or incomplete ({error})") from None

    def check_fits(self, spec: GameSpec, settings: Settings) -> None:
        """ValueError if the network was made for another game or another observation."""
        made_for = self.card.get("game")
        if made_for != spec.id:
            raise ValueError(f"the network was trained for {made_for}, not for {spec.id}")
        features = spec.observation_size(settings)
        if self.sizes[0] != features or self.sizes[-1] != spec.num_actions:
            players = self.card.get("settings", {}).get("num_players")
            raise ValueError(
                f"the network takes {self.sizes[0]} features and chooses among {self.sizes[-1]} actions "
                f"(trained with num_players={players}), but {spec.id} with num_players={settings['num_players']} "
                f"has {features} and {spec.num_actions}"
            )


class NetworkBank:
    """Several networks laid out for compiled loops.

    ``values`` float32 (all weights), ``plans`` int64 (networks, 2 + 3 * depth): number of layers, activation, then for
    every layer rows, columns, where its weights start (its bias follows them). ``width`` is the widest layer.
    """

    def __init__(self, networks: list[Network]):
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
def choose_by_network(plan, values, observation, mask, scratch, greedy, chance):
    """The likeliest legal action, or one drawn by the softmax over the legal ones."""
    logits = scratch[forward(plan, values, observation, scratch)]
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
