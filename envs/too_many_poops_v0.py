"""Too Many Poops, version 0, as PettingZoo users import a game: ``too_many_poops_v0.env(num_players=4)``."""

from functools import partial

from .adapters.aec import make

# The checks of PettingZoo's wrappers are made inside the environment, so both are the same.
env = partial(make, "poopdeck/too_many_poops-v0")
raw_env = env

__all__ = ["env", "raw_env"]
