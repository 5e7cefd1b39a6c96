"""The games in OpenSpiel; importing this registers them: ``pyspiel.load_game("poopdeck_poop", {"players": 3})``."""

try:
    import pyspiel  # noqa: F401
except ImportError as error:  # pragma: no cover - said where the extra is missing
    raise ImportError('this interface needs OpenSpiel: pip install "poopdeck[openspiel]"') from error

from .bots import AgentBot, BotAgent
from .explicit import ExplicitGame
from .game import SpielGame, SpielState, register_games
from .refusals import refuse_compiled_search

__all__ = ["AgentBot", "BotAgent", "ExplicitGame", "SpielGame", "SpielState"]

register_games()
refuse_compiled_search()
