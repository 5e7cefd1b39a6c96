"""What a truncated game, one that its decision cap ended, counts as in rewards.

- ``payoff``: what the environment pays, 0 for everybody where nothing was paid before;
- ``ranked``: by the game's own ranking of the position, so that nobody gains by waiting for the cap;
- ``loss``: -1 for every seat.
"""

from typing import Literal

TruncatedAs = Literal["payoff", "ranked", "loss"]

# Where one policy learns: Gymnasium, Stable-Baselines3, training.
FOR_LEARNERS: TruncatedAs = "ranked"
