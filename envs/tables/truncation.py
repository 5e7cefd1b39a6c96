"""What a truncated game, one that its decision cap ended, counts as in rewards.

- ``payoff``: what the environment pays, 0 for everybody where nothing was paid before; only then the game is reported
  as truncated, else as an end like any other;
- ``ranked``: by the game's own ranking of the position, so that nobody gains by waiting for the cap;
- ``loss``: -1 for every seat.
"""

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from ..core.game import Game, State

TruncatedAs = Literal["payoff", "ranked", "loss"]

FOR_ALL_SEATS: TruncatedAs = "payoff"  # where every seat's actions come from outside
FOR_LEARNERS: TruncatedAs = "ranked"  # where one policy learns: Gymnasium, Stable-Baselines3, training


def check_truncated_as(value: str) -> str:
    """The value; ValueError names it and what is allowed."""
    if value not in get_args(TruncatedAs):
        raise ValueError(f"truncated_as={value!r}: allowed is {', '.join(map(repr, get_args(TruncatedAs)))}")
    return value


def counted_returns(game: "Game", state: "State", truncated_as: str) -> np.ndarray:
    """What the returns of all seats count as at the end of a truncated game, float32 (seats,)."""
    if truncated_as == "loss":
        return np.full(game.num_seats(state), -1.0, np.float32)
    return game.truncated_returns(state) if truncated_as == "ranked" else game.returns(state)
