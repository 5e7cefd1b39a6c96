"""Pooman, version 0, as PettingZoo users import a game: ``pooman_v0.env(num_players=3)``."""

from functools import partial

from .adapters.aec import make
from .adapters.parallel import make_parallel

# The checks of PettingZoo's wrappers are made inside the environment, so both are the same.
env = partial(make, "poopdeck/pooman-v0")
raw_env = env
parallel_env = partial(make_parallel, "poopdeck/pooman-v0")

__all__ = ["env", "parallel_env", "raw_env"]
