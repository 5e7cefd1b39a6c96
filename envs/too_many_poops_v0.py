"""Too Many Poops, version 0, as PettingZoo users import a game: ``too_many_poops_v0.env(num_players=4)``."""

from functools import partial

from .adapters.aec import make
from .adapters.parallel import make_parallel

# The checks of PettingZoo's wrappers are made inside the environment, so both are the same.
env = partial(make, "poopdeck/too_many_poops-v0")
raw_env = env
parallel_env = partial(make_parallel, "poopdeck/too_many_poops-v0")

__all__ = ["env", "parallel_env", "raw_env"]
