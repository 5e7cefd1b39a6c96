"""What a player observes, as OpenSpiel's observers give it: our named blocks."""

from typing import Any

import numpy as np
import pyspiel

from ...core.spec import GameSpec, Settings


class Observer:
    """``tensor`` float32 (D,), and ``dict``: views of its blocks by name, in their shapes."""

    def __init__(self, spec: GameSpec, settings: Settings, kind: Any = None, params: Any = None):
        if params:
            raise ValueError(f"observation parameters {params!r}: there are none")
        if kind is not None and kind.perfect_recall:
            raise ValueError("perfect recall is not offered: observations are what a seat sees now")
        if kind is not None and kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("private_info: allowed is SINGLE_PLAYER; an observation belongs to one seat")
        self.tensor = np.zeros(spec.observation_size(settings), np.float32)
        places = spec.observation_slices(settings)
        self.dict = {
            block.name: self.tensor[places[block.name]].reshape(block.shape) for block in spec.blocks(settings)
        }

    def set_from(self, state: Any, player: int) -> None:
        """Writes what the player sees; all 0 before the deal."""
        self.tensor.fill(0)
        if state.position is not None:
            self.tensor[:] = state.poopdeck.observation(state.position, player)

    def string_from(self, state: Any, player: int) -> str:
        """What the player sees, block by block: all of it and nothing else, so that it names an information set."""
        if state.position is None:
            return "before the deal"
        self.set_from(state, player)
        return f"seat {player}; " + "; ".join(_block_text(name, block) for name, block in self.dict.items())


def _block_text(name: str, block: np.ndarray) -> str:
    flat = block.reshape(-1)
    return f"{name} " + " ".join(f"{place}:{float(flat[place])!r}" for place in np.flatnonzero(flat))
