"""``poo_head_v0`` and its like: a module for each game and version, as PettingZoo users import a game."""

from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAMES = ("env", "parallel_env", "raw_env")


class VersionModule(ModuleType):
    """A module with ``env``, ``raw_env`` and ``parallel_env`` of one game; nothing is loaded until one is asked for.

    The checks of PettingZoo's wrappers are made inside the environment, so ``env`` and ``raw_env`` are the same.
    """

    def __init__(self, name: str, game_id: str):
        super().__init__(name, f"{game_id} for PettingZoo: ``env(num_players=...)`` and ``parallel_env(...)``.")
        self.__spec__ = ModuleSpec(name, None)
        self.__all__ = list(NAMES)
        self._game_id = game_id

    def __getattr__(self, name: str) -> Any:
        if name not in NAMES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        from . import aec, parallel

        self.env = self.raw_env = partial(aec.make, self._game_id)
        self.parallel_env = partial(parallel.make_parallel, self._game_id)
        return getattr(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *NAMES})
