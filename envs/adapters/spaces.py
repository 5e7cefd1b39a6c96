"""The Gymnasium spaces of a game."""

import numpy as np
from gymnasium import spaces

from ..core.spec import GameSpec, Settings


def features(spec: GameSpec, settings: Settings) -> spaces.Box:
    """The observation's features, float32[D], each within its block's bounds."""
    blocks = spec.view.blocks(settings)
    low = np.concatenate([np.full(block.size, block.low, np.float32) for block in blocks])
    high = np.concatenate([np.full(block.size, block.high, np.float32) for block in blocks])
    return spaces.Box(low, high, dtype=np.float32)


def masked(spec: GameSpec, settings: Settings) -> spaces.Dict:
    """``observation`` and ``action_mask`` (int8[A], 1 is legal) together."""
    mask = spaces.Box(0, 1, (spec.num_actions,), np.int8)
    return spaces.Dict({"observation": features(spec, settings), "action_mask": mask})


def actions(spec: GameSpec) -> spaces.Discrete:
    """The action list."""
    return spaces.Discrete(spec.num_actions)
