"""Agents by name: ``random``, ``heuristic``, ``heuristic:lowest``, a run folder, an added agent."""

import pathlib
from difflib import get_close_matches
from importlib.metadata import entry_points

from ..envs.core.game import Game
from ..envs.core.spec import Settings
from .base import Agent
from .heuristic.agent import HeuristicAgent, heuristic_module
from .network.agent import NetworkAgent
from .network.role_networks import RoleNetworks
from .random import RandomAgent

ENTRY_POINTS = "poopdeck.agents"


def agent_names(game: Game) -> list[str]:
    """Names that need no training: random, the game's heuristics, and what installed packages add."""
    strengths = heuristic_module(game.spec).STRENGTHS
    heuristics = ["heuristic" if name == "best" else f"heuristic:{name}" for name in strengths]
    return ["random", *heuristics, *sorted(point.name for point in entry_points(group=ENTRY_POINTS))]


def load_agent(name: str, game: Game, settings: Settings, greedy: bool = True) -> Agent:
    """The agent that a name means for a game; ValueError lists what there is.

    A path leads to a run folder (its last weights), or to a folder with ``network.safetensors`` and ``card.json``.
    """
    if not name.strip():  # else the current folder
        raise ValueError(f"agent {name!r}: a name is wanted; there are {', '.join(agent_names(game))}")
    kind, _, argument = name.partition(":")
    if name == "random":
        return RandomAgent()
    if kind == "heuristic":
        return HeuristicAgent(game.spec, settings, argument or "best")
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == kind:
            return point.load()(game, settings, argument)
    folder = pathlib.Path(name)
    if folder.exists():
        return NetworkAgent(_load_networks(folder, game, settings), folder.name or name, greedy)
    known = agent_names(game)
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"agent {name!r}: {hint}there are {', '.join(known)}, or the folder of a training run")


def _load_networks(folder: pathlib.Path, game: Game, settings: Settings) -> RoleNetworks:
    if folder.is_file():
        folder = folder.parent
    weights = folder / "weights"
    networks = RoleNetworks.load(weights if weights.is_dir() else folder)
    networks.check_fits(game.spec, settings)
    return networks
