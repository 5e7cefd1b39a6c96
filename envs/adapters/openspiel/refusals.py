"""OpenSpiel's compiled ISMCTS ends the process on games written in Python; here it is refused with a sentence."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import pyspiel

from .game import SpielState

SENTENCE = (
    "pyspiel.ISMCTSBot is compiled for compiled games and would end this process on a game written in Python; use "
    "open_spiel.python.algorithms.ismcts.ISMCTSBot(..., use_observation_string=True)"
)


def refuse_compiled_search() -> None:
    """Has OpenSpiel's compiled ISMCTS raise a TypeError for states of ours; everything else stays as it was."""
    bot = pyspiel.ISMCTSBot
    for name in ("step", "step_with_policy", "get_policy"):
        if hasattr(bot, name):
            setattr(bot, name, _refusing(getattr(bot, name)))
    pyspiel.evaluate_bots = _refusing_tables(pyspiel.evaluate_bots)


def _refusing(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def checked(self: Any, state: Any, *rest: Any) -> Any:
        if isinstance(state, SpielState):
            raise TypeError(SENTENCE)
        return method(self, state, *rest)

    return checked


def _refusing_tables(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(evaluate)
    def checked(state: Any, bots: Any, *rest: Any) -> Any:
        if isinstance(state, SpielState) and any(isinstance(bot, pyspiel.ISMCTSBot) for bot in bots):
            raise TypeError(SENTENCE)
        return evaluate(state, bots, *rest)

    return checked
