"""Poopdeck: multi-agent card games for reinforcement learning."""

from typing import TYPE_CHECKING

from .version import __version__

if TYPE_CHECKING:
    from .envs.core.game import Game

__all__ = ["__version__", "game", "games"]


def games() -> list[str]:
    """Names of all games, those of installed extensions included."""
    from .envs.core import registry

    return registry.names()


def game(name: str) -> "Game":
    """The plain door to a game, by name (``"poo_head"``) or id: states, legal actions, observations, scenarios."""
    from .envs.core import registry

    return registry.game(name)
