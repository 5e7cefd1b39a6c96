"""What a trained policy is once it only plays: a small multilayer perceptron as plain arrays, or another kind.

A network is stored as safetensors (a perceptron's are ``layer.0.weight`` (in, out), ``layer.0.bias`` (out,), ...; a
value head's ``value.weight`` and ``value.bias``) beside a JSON card that says which game, parameters and observation
it was made for. Nothing is ever unpickled.
"""

import json
import pathlib
import shlex
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...envs.core import history
from ...envs.core.errors import naming_file
from ...envs.core.spec import GameSpec, Settings, option_text
from ...envs.tables.perceptron import ACTIVATIONS
from .kinds import PERCEPTRON

FORMAT = "poopdeck-network-1"
ValueHead = tuple[np.ndarray, np.ndarray]  # float32 (width, 1) and (1,)
VALUE_PARTS = ("value.weight", "value.bias")  # what its arrays are called in a file


class StoredNetwork:
    """A network that plays: what all kinds have in common.

    ``card`` says which game, parameters and observation it was made for; ``compiled`` whether it plays in the compiled
    loop over tables. ``load`` reads any kind.
    """

    card: dict[str, Any]
    compiled: bool
    value_head: ValueHead | None

    @property
    def has_values(self) -> bool:
        """Whether it tells what a position is worth, too."""
        return self.value_head is not None

    @property
    def sizes(self) -> list[int]:
        """Widths from the observation to the logits."""
        raise NotImplementedError

    def parts(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Its arrays by name, and the facts that ``of_parts`` needs besides."""
        raise NotImplementedError

    def content(self) -> tuple[str, list[np.ndarray]]:
        """All that makes it what it is, to tell one network from another."""
        raise NotImplementedError

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (B, A) of observations (B, D)."""
        raise NotImplementedError

    def values(self, observations: np.ndarray) -> np.ndarray:
        """What the seat that sees each of the observations (B, D) may expect, as returns of its training, float32
        (B,); ValueError for a network without a value head."""
        if self.value_head is None:
            raise ValueError(
                "the network keeps no value head, so it cannot tell what a position is worth: it was trained by an "
                "earlier version, or by a way of learning without one; train it anew"
            )
        weight, bias = self.value_head
        return (self.features(observations) @ weight + bias)[:, 0]

    def features(self, observations: np.ndarray) -> np.ndarray:
        """What the heads are given, float32 (B, width), of observations (B, D)."""
        raise NotImplementedError

    def save(self, folder: pathlib.Path, half: bool = False) -> None:
        """Writes ``network.safetensors`` and ``card.json`` into a folder; ``half``: in half precision.

        Raises:
            ValueError: weights are beyond the range of half precision.
        """
        from safetensors.numpy import save

        folder.mkdir(parents=True, exist_ok=True)
        tensors, facts = self.all_parts()
        if half:
            tensors = {name: tensor.astype(np.float16) for name, tensor in tensors.items()}
            if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
                raise ValueError(f"{folder}: weights beyond the range of half precision; keep them as they are")
        card = {**self.card, "format": FORMAT, **facts}
        # A reader meets either the old or the new file, never half of one.
        for name, content in (
            ("network.safetensors", save(tensors)),
            ("card.json", json.dumps(card, indent=2, allow_nan=False)),
        ):
            part = folder / f".{name}.part"
            with naming_file(folder / name):
                part.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
                part.replace(folder / name)

    def all_parts(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """``parts``, with the value head's arrays if there is one."""
        tensors, facts = self.parts()
        head = {} if self.value_head is None else dict(zip(VALUE_PARTS, self.value_head, strict=True))
        return {**tensors, **head}, facts

    @staticmethod
    def of_parts(tensors: dict[str, np.ndarray], facts: dict[str, Any], card: dict[str, Any]) -> "StoredNetwork":
        """The network that ``all_parts`` are of; KeyError if one is missing."""
        tensors = dict(tensors)
        weight, bias = (tensors.pop(name, None) for name in VALUE_PARTS)
        network = StoredNetwork._without_values(tensors, facts, card)
        if weight is not None and bias is not None:
            network.value_head = (np.ascontiguousarray(weight, np.float32), np.ascontiguousarray(bias, np.float32))
        return network

    @staticmethod
    def _without_values(tensors: dict[str, np.ndarray], facts: dict[str, Any], card: dict[str, Any]) -> "StoredNetwork":
        if facts.get("kind", PERCEPTRON) != PERCEPTRON:
            from .built import BuiltNetwork

            features, actions = facts["sizes"]
            return BuiltNetwork(facts["kind"], facts["network"], (features, actions), tensors, card)
        depth = len(facts["sizes"]) - 1
        weights, biases = ([tensors[f"layer.{k}.{part}"] for k in range(depth)] for part in ("weight", "bias"))
        return Network(weights, biases, facts["activation"], card)

    @staticmethod
    def load(folder: pathlib.Path) -> "StoredNetwork":
        """Reads what ``save`` wrote; ValueError says what is missing, damaged or of another kind."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        for name in ("network.safetensors", "card.json"):
            if not (folder / name).is_file():
                raise ValueError(f"{folder}: no {name} there, so it holds no trained network")
        try:
            card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
            if not isinstance(card, dict) or card.get("format") != FORMAT:
                raise ValueError(f"{folder / 'card.json'}: not a card of format {FORMAT}")
            tensors = load((folder / "network.safetensors").read_bytes())
            lost = [name for name, tensor in tensors.items() if not np.isfinite(tensor).all()]
            if lost:
                raise ValueError(
                    f"{folder}: weights of the network ({lost[0]}) are NaN or infinite, so it cannot play: "
                    "the training that wrote it has run away"
                )
            network = StoredNetwork.of_parts(tensors, card, card)
            nothing = np.zeros((1, network.sizes[0]), np.float32)
            network.logits(nothing)
            head, width = network.value_head, network.features(nothing).shape[1]
            if head is not None and (head[0].shape, head[1].shape) != ((width, 1), (1,)):
                raise TypeError(f"{VALUE_PARTS[0]} is {head[0].shape}, not {(width, 1)}")
            return network
        except (SafetensorError, KeyError, json.JSONDecodeError, UnicodeDecodeError, TypeError, RuntimeError) as error:
            raise ValueError(f"{folder}: the network is damaged or incomplete ({error})") from None

    def check_fits(self, spec: GameSpec, settings: Settings, any_settings: bool = False) -> None:
        """ValueError if the network was made for another game, other parameters, roles or another observation.

        ``any_settings``: parameters may differ as long as observations and actions are the same. A table may keep more
        events than the network reads, but not fewer.
        """
        made_for = self.card.get("game")
        if made_for != spec.id:
            raise ValueError(f"the network was trained for {made_for}, not for {spec.id}")
        settings = self._as_read(spec, settings)
        features = spec.observation_size(settings)
        if self.sizes[0] != features or self.sizes[-1] != spec.num_actions:
            players = self.card.get("settings", {}).get("num_players")
            raise ValueError(
                f"the network takes {self.sizes[0]} features and chooses among {self.sizes[-1]} actions "
                f"(trained with num_players={players}), but {spec.id} with num_players={settings['num_players']} "
                f"has {features} and {spec.num_actions}"
            )
        if not any_settings:
            self._check_settings(spec, settings)
        self._check_layout(spec, settings)

    def _as_read(self, spec: GameSpec, settings: Settings) -> Settings:
        """The settings with as many events as the network reads; ValueError if the table keeps fewer."""
        events = self.card.get("settings", {}).get(history.NAME, 0)
        kept = settings.get(history.NAME, 0)
        if events > kept:
            raise ValueError(
                f"the network reads the last {events} events, but the table keeps {kept}. A command sets up its own "
                f"game by --set {history.NAME}={events}"
            )
        read = {name: value for name, value in settings.items() if name != history.NAME}
        return {**read, history.NAME: events} if events else read

    def _check_settings(self, spec: GameSpec, settings: Settings) -> None:
        """ValueError for parameters that are other than those of its training; says how a table gets these."""
        made = self.card.get("settings", {})
        now = json.loads(json.dumps(dict(settings)))  # as a card holds them
        other = [name for name in now if name in made and made[name] != now[name]]
        if not other:
            return
        words: list[str] = []
        for name in other:
            text = option_text(made[name])
            words += ["--players", text] if name == "num_players" else ["--set", f"{name}={text}"]
        trained = ", ".join(f"{name}={option_text(made[name])}" for name in other)
        here = ", ".join(f"{name}={option_text(now[name])}" for name in other)
        raise ValueError(
            f"the network was trained for {spec.id} with {trained}; here it is {here}. A command sets up its own game "
            f"by {shlex.join(words)}"
        )

    def _check_layout(self, spec: GameSpec, settings: Settings) -> None:
        """ValueError if roles or parts of the observation are other than its card says."""
        roles = [role.name for role in spec.roles]
        if self.card.get("roles", roles) != roles:
            raise ValueError(f"the network was trained for the roles {self.card['roles']}, {spec.id} has {roles}")
        blocks = spec.card_blocks(settings)
        made = self.card.get("observation", blocks)
        if made != blocks:
            lost = next((one for one, other in zip(made, blocks, strict=False) if one != other), made[-1:] or None)
            raise ValueError(
                f"the network was trained on an observation with other parts than {spec.id} shows, such as {lost}; "
                "it has to be trained anew"
            )


@dataclass
class Network(StoredNetwork):
    """Layers of a perceptron from observation (D,) to one logit per action (A,).

    ``weights[k]`` float32 (in, out), ``biases[k]`` float32 (out,); ``activation`` between layers. ``card`` is the JSON
    beside it, ``value_head`` float32 (width, 1) and (1,) over the last layer but one.
    """

    weights: list[np.ndarray]
    biases: list[np.ndarray]
    activation: str = "relu"
    card: dict[str, Any] = field(default_factory=dict)
    value_head: ValueHead | None = None

    compiled = True

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
        return self.features(observations) @ self.weights[-1] + self.biases[-1]

    def features(self, observations: np.ndarray) -> np.ndarray:
        """Of the last layer but one, float32 (B, width)."""
        x = observations
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = x @ weight + bias
            x = np.maximum(x, 0) if self.activation == "relu" else np.tanh(x)
        return x

    def value_network(self) -> "Network":
        """The same layers under the value head instead of the action head: a network with one output, for compiled
        code; ValueError if there is no value head."""
        if self.value_head is None:
            self.values(np.zeros((1, self.sizes[0]), np.float32))  # which says why
        weight, bias = self.value_head  # type: ignore[misc]
        return Network([*self.weights[:-1], weight], [*self.biases[:-1], bias], self.activation, self.card)

    def parts(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """``layer.<k>.weight`` and ``layer.<k>.bias``; activation and sizes."""
        tensors = {f"layer.{k}.weight": weight for k, weight in enumerate(self.weights)}
        tensors |= {f"layer.{k}.bias": bias for k, bias in enumerate(self.biases)}
        return tensors, {"activation": self.activation, "sizes": self.sizes}

    def content(self) -> tuple[str, list[np.ndarray]]:
        """Activation and layers."""
        return self.activation, [*self.weights, *self.biases]
