"""Networks of any kind, which play in Python by torch, and how what has been learnt becomes an agent's network."""

import json
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from .kinds import PERCEPTRON, kind
from .network import Network, StoredNetwork


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
    ):
        self.kind, self.settings, self._sizes, self.tensors = kind, dict(settings), list(sizes), dict(tensors)
        self.card = {} if card is None else card
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
        import torch

        with self._lock, torch.no_grad():
            if self._module is None:
                self._module = self._built()
            return self._module(torch.from_numpy(np.ascontiguousarray(observations, np.float32))).numpy()

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
    kind: str, settings: Mapping[str, Any], features: int, trunk: Any, head: Any, card: dict[str, Any]
) -> StoredNetwork:
    """What plays of a torch trunk over so many features and its linear action head, copied: a perceptron as plain
    arrays."""
    from torch import nn

    if kind == PERCEPTRON:
        linear = [layer for layer in [*trunk, head] if isinstance(layer, nn.Linear)]
        return Network(
            [layer.weight.detach().cpu().numpy().T.copy() for layer in linear],
            [layer.bias.detach().cpu().numpy().copy() for layer in linear],
            settings["activation"],
            card,
        )
    state = {f"trunk.{name}": value for name, value in trunk.state_dict().items()}
    state |= {f"head.{name}": value for name, value in head.state_dict().items()}
    tensors = {name: value.detach().cpu().numpy().copy() for name, value in state.items()}
    return BuiltNetwork(kind, settings, (features, head.out_features), tensors, card)
