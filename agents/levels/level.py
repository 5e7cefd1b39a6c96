"""What the name of a level means for a game and its parameters.

Each level plays at every table: where there is no trained network, or no heuristic, a level says so and plays as the
one below it.
"""

import warnings
from collections.abc import Callable

from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..base import AnyAgent
from ..heuristic.agent import HeuristicAgent, heuristic_module
from ..network.agent import NetworkAgent
from ..random import RandomAgent
from .distracted import DistractedAgent
from .weights import find_shipped

EASY, MEDIUM, HARD, EXPERT = LEVELS = ("easy", "medium", "hard", "expert")
DISTRACTION = 1 / 3  # of the decisions of ``easy``: a child beats it, and it is no random player
EXPERT_SEARCH = "search:ms=100"


def load_level(name: str, game: Game, settings: Settings, greedy: bool, load: Callable[[str], AnyAgent]) -> AnyAgent:
    """The agent of a level; ``load`` gives the agent of another name at the same table.

    Warns:
        UserWarning: this table has no network of its own (``hard``), or the game has no heuristic.
    """
    if name == HARD:
        return _hard(game, settings, greedy, load)
    if name == EXPERT:
        expert = load(EXPERT_SEARCH)
        expert.name = EXPERT
        return expert
    if not heuristic_module(game.spec).STRENGTHS:
        random = RandomAgent()
        random.name = f"{name} (random)"
        _say(name, game, settings, "the game has no heuristic", "at random")
        return random
    best = HeuristicAgent(game.spec, settings)
    if name == EASY:
        return DistractedAgent(best, DISTRACTION, EASY)
    best.name = MEDIUM
    return best


def _hard(game: Game, settings: Settings, greedy: bool, load: Callable[[str], AnyAgent]) -> AnyAgent:
    found = find_shipped(game.spec, settings)
    if found is not None:
        return NetworkAgent(found.networks(), HARD, greedy)
    below = load(MEDIUM)
    below.name = f"{HARD} ({'heuristic' if below.name == MEDIUM else 'random'})"
    _say(HARD, game, settings, "no network is shipped for these parameters", "as the level medium does")
    return below


def _say(level: str, game: Game, settings: Settings, lack: str, instead: str) -> None:
    usual = game.spec.settings(settings["num_players"])
    other = [f"{key}={value}" for key, value in settings.items() if value != usual.get(key)]
    table = ", ".join([game.spec.name, f"{settings['num_players']} players", *other])
    warnings.warn(f"level {level} at a table of {table}: {lack}, so it plays {instead}", UserWarning, stacklevel=4)
