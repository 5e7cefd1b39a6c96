"""The Gymnasium spaces of a game."""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from gymnasium import spaces

from ..core.spec import GameSpec, Settings


def features(spec: GameSpec, settings: Settings) -> spaces.Box:
    """The observation's features, float32[D], each within its block's bounds."""
    blocks = spec.blocks(settings)
    low = np.concatenate([np.full(block.size, block.low, np.float32) for block in blocks])
    high = np.concatenate([np.full(block.size, block.high, np.float32) for block in blocks])
    return spaces.Box(low, high, dtype=np.float32)


def masked(spec: GameSpec, settings: Settings) -> spaces.Dict:
    """``observation`` and ``action_mask`` (int8[A], 1 is legal) together."""
    mask = spaces.Box(0, 1, (spec.num_actions,), np.int8)
    return spaces.Dict({"observation": features(spec, settings), "action_mask": mask})


ObservationForm = Literal["masked", "features"]
"""What an interface gives as observation: features and mask in a dict, or the features alone."""


def check_form(observation: str) -> bool:
    """Whether observations are features alone; ValueError for what is no form of them."""
    if observation not in get_args(ObservationForm):
        allowed = " or ".join(map(repr, get_args(ObservationForm)))
        raise ValueError(f"observation={observation!r}: allowed is {allowed}")
    return observation == "features"


def all_seats(spec: GameSpec, settings: Settings) -> spaces.Box:
    """The features of all seats in a row, float32[seats * D]: the space of PettingZoo's ``state()``."""
    box, seats = features(spec, settings), spec.num_seats(settings)
    return spaces.Box(np.tile(box.low, seats), np.tile(box.high, seats), dtype=np.float32)


INT8 = np.dtype(np.int8)
NOTHING_ELSE = bytes((0, 1))  # what a mask consists of


class Actions(spaces.Discrete):
    """The numbers from 0 to ``n - 1``; ``sample(mask)`` draws what Gymnasium's space draws, ten times as fast."""

    def __init__(self, n: int):
        super().__init__(n)
        self._mask_shape = (n,)

    def sample(self, mask: np.ndarray | None = None, probability: np.ndarray | None = None) -> np.int64:
        """A random action, or one by the given mask (int8[n], 1 is legal) or probabilities."""
        if (
            type(mask) is np.ndarray
            and probability is None
            and mask.dtype is INT8
            and mask.shape == self._mask_shape
            and not mask.tobytes().strip(NOTHING_ELSE)
        ):
            legal = mask.nonzero()[0]
            count = len(legal)
            if count == 1:
                return legal[0]
            if count:
                return legal[(self._np_random or self.np_random).integers(count)]
        return super().sample(mask, probability)  # type: ignore[arg-type]  # refuses what is no mask


def actions(spec: GameSpec) -> spaces.Discrete:
    """The action list."""
    return Actions(spec.num_actions)


class LegalActions(Actions):
    """The action list; ``sample()`` without a mask draws from what is legal now, as checkers and demos expect.

    ``mask`` is the environment's own buffer, int8 (A,); when it allows nothing (no game yet, or over) any action is
    drawn. Checkers also seed the space, draw an action, and play it as the first of a game reset with the same seed:
    ``first_mask(seed)`` gives what is legal there, and holds until ``forget_seed()``.
    """

    def __init__(self, mask: np.ndarray, first_mask: Callable[[int], np.ndarray]):
        super().__init__(len(mask))
        self.mask = mask
        self._first_mask = first_mask
        self._next: np.ndarray | None = None

    def seed(self, seed: int | None = None) -> int:
        """Seeds the draws, and has them legal in the game that this seed deals until another is dealt."""
        self._next = None if seed is None else self._first_mask(seed)
        return super().seed(seed)

    def forget_seed(self) -> None:
        """Another game is dealt."""
        self._next = None

    def sample(self, mask: np.ndarray | None = None, probability: np.ndarray | None = None) -> np.int64:
        """A random legal action, or one by the given mask or probabilities."""
        legal = self.mask if self._next is None else self._next
        if mask is None and probability is None and legal.any():
            mask = legal.astype(np.int8)
        return super().sample(mask, probability)
