"""Networks of any kind, which play in Python by torch, and how what has been learnt becomes an agent's network."""

import json
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from .kinds import PERCEPTRON, kind
from .network import Network, StoredNetwork, ValueHead


class BuiltNetwork(StoredNetwork):
    """A trunk of some kind (see kinds.py) under a linear action head.

    ``tensors`` are the trunk's state as ``trunk.<name>``, ``head.weight`` (A, width) and ``head.bias`` (A,), as torch
    has them.
    """

    compiled = False

    def __init__(
        self,
        kind: str,
        settings: Mapping[str, Any],
        sizes: tuple[int, int],
        tensors: Mapping[str, np.ndarray],
        card: dict[str, Any] | None = None,
        value_head: ValueHead | None = None,
    ):
        self.kind, self.settings, self._sizes, self.tensors = kind, dict(settings), list(sizes), dict(tensors)
        self.card, self.value_head = {} if card is None else card, value_head
        self._lock = threading.Lock()
        self._module: Any = None

    @property
    def sizes(self) -> list[int]:
        """Features of an observation, and actions."""
        return self._sizes

    def parts(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays, and what its card says of them."""
        return self.tensors, {"kind": self.kind, "network": self.settings, "sizes": self.sizes}

    def content(self) -> tuple[str, list[np.ndarray]]:
        """All that makes it what it is."""
        return f"{self.kind} {json.dumps(self.settings, sort_keys=True)}", [*self.tensors.values()]

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (B, A) of observations (B, D)."""
        return self._forward(observations, trunk_alone=False)

    def features(self, observations: np.ndarray) -> np.ndarray:
        """Of the trunk, float32 (B, width)."""
        return self._forward(observations, trunk_alone=True)

    def _forward(self, observations: np.ndarray, trunk_alone: bool) -> np.ndarray:
        import torch

        with self._lock, torch.no_grad():
            if self._module is None:
                self._module = self._built()
            module = self._module.trunk if trunk_alone else self._module
            return module(torch.from_numpy(np.ascontiguousarray(observations, np.float32))).numpy()

    def _built(self) -> Any:
        import torch
        from torch import nn

        # Its weights are replaced at once; beginning them must not draw from the chance of a run that goes on.
        with torch.random.fork_rng(devices=[]):
            trunk, width = kind(self.kind).build(self.sizes[0], self.settings, nn.Linear)
            module = nn.Sequential()
            module.add_module("trunk", trunk)
            module.add_module("head", nn.Linear(width, self.sizes[1]))
        module.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in self.tensors.items()})
        return module.eval()


def playing_form(
    kind: str,
    settings: Mapping[str, Any],
    features: int,
    trunk: Any,
    head: Any,
    card: dict[str, Any],
    value_head: Any = None,
) -> StoredNetwork:
    """What plays of a torch trunk over so many features, its linear action head and, if there is one, a value head
    over the same trunk, copied: a perceptron as plain arrays."""
    from torch import nn

    judge = None if value_head is None else (_array(value_head.weight).T.copy(), _array(value_head.bias))

    if kind == PERCEPTRON:
        linear = [layer for layer in [*trunk, head] if isinstance(layer, nn.Linear)]
        return Network(
            [_array(layer.weight).T.copy() for layer in linear],
            [_array(layer.bias) for layer in linear],
            settings["activation"],
            card,
            judge,
        )
    state = {f"trunk.{name}": value for name, value in trunk.state_dict().items()}
    state |= {f"head.{name}": value for name, value in head.state_dict().items()}
    tensors = {name: _array(value) for name, value in state.items()}
    return BuiltNetwork(kind, settings, (features, head.out_features), tensors, card, judge)


def _array(tensor: Any) -> np.ndarray:
    return tensor.detach().cpu().numpy().copy()
