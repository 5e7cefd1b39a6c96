"""Agents by name: ``random``, ``heuristic``, ``heuristic:lowest``, ``hard``, a run folder, an added agent."""

import pathlib
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any

from ..envs.core import history
from ..envs.core.game import Game
from ..envs.core.spec import GameSpec, Settings
from .base import AnyAgent
from .heuristic.agent import HeuristicAgent, heuristic_module
from .language.named import LANGUAGE, load_language
from .levels.level import EXPERT, LEVELS, load_level
from .network.agent import NetworkAgent
from .network.role_networks import RoleNetworks
from .random import RandomAgent
from .search.agent import SearchAgent
from .search.base import Searching
from .search.ismcts import IsmctsAgent
from .search.models import load_models
from .search.options import ISMCTS, SEARCH, SearchOptions, parse

ENTRY_POINTS = "poopdeck.agents"
SEARCHING: dict[str, type[Searching]] = {SEARCH: SearchAgent, ISMCTS: IsmctsAgent}
OPTION = re.compile(r"[a-z_]+=")


def agent_names(game: Game) -> list[str]:
    """Names that need no training and no search: random, the game's heuristics, and what installed packages add."""
    strengths = heuristic_module(game.spec).STRENGTHS
    heuristics = ["heuristic" if name == "best" else f"heuristic:{name}" for name in strengths]
    return ["random", *heuristics, *sorted(point.name for point in entry_points(group=ENTRY_POINTS))]


def all_names(game: Game) -> list[str]:
    """``agent_names``, the levels, and those that search."""
    return [*agent_names(game), *LEVELS, *SEARCHING]


def load_agent(name: str, game: Game, settings: Settings, greedy: bool = True, any_settings: bool = False) -> AnyAgent:
    """The agent that a name means for a game; ValueError lists what there is.

    A path leads to a run folder (its last weights), or to a folder with ``network.safetensors`` and ``card.json``. Its
    network must have been trained with the same parameters; with ``any_settings`` they may differ as long as it sees
    and chooses the same. ``search`` takes options, ``search:deals=256,playouts=mixed`` (see search/options.py);
    ``easy``, ``medium``, ``hard`` and ``expert`` come with the package (see levels/level.py);
    ``language:MODULE.FUNCTION`` asks a function that answers a text with a text (see language/named.py).
    """
    if not name.strip():  # else the current folder
        raise ValueError(f"agent {name!r}: a name is wanted; there are {', '.join(all_names(game))}")
    kind, _, argument = name.partition(":")
    if name == "random":
        return RandomAgent()
    if kind == "heuristic":
        return HeuristicAgent(game.spec, settings, argument or "best")
    if name in LEVELS:
        return load_level(
            name, game, settings, greedy, lambda other: load_agent(other, game, settings, greedy, any_settings)
        )
    if kind == LANGUAGE:
        return load_language(argument)
    if kind in SEARCHING:
        return _searching(kind, argument, game, settings, any_settings)
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == kind:
            return point.load()(game, settings, argument)
    folder = pathlib.Path(name)
    if folder.exists():
        networks = RoleNetworks.load(_weights_folder(folder))
        try:
            networks.check_fits(game.spec, settings, any_settings)
        except ValueError as error:
            raise ValueError(f"agent {name!r}: {error}") from None
        return NetworkAgent(networks, folder.name or name, greedy)
    known = all_names(game)
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"agent {name!r}: {hint}there are {', '.join(known)}, or the folder of a training run")


def _searching(kind: str, text: str, game: Game, settings: Settings, any_settings: bool) -> Searching:
    """The searching agent that a text of options describes."""
    name, options = f"{kind}:{text}" if text else kind, parse(kind, text, SearchOptions())
    named = [options.proposal, *options.playouts, *options.models]
    if any(one.partition(":")[0] in (*SEARCHING, EXPERT) for one in named):
        raise ValueError(f"agent {name!r}: proposal, playouts and models are agents that do not search themselves")
    try:
        models = load_models(
            options.proposal,
            options.playouts,
            agent_names(game),
            lambda one: load_agent(one, game, settings, True, any_settings),
            options.models,
        )
        return SEARCHING[kind](models, options, name)
    except ValueError as error:
        raise ValueError(f"agent {name!r}: {error}") from None


def split_names(text: str) -> list[str]:
    """The names in a text that lists agents by commas; what follows a comma as KEY=VALUE belongs to the name before it
    if that has a colon, as in ``search:deals=64,margin=2,random``."""
    names: list[str] = []
    for part in (piece.strip() for piece in text.split(",")):
        option = OPTION.match(part) is not None and bool(names) and ":" in names[-1]
        if option:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def networks_of(name: str) -> RoleNetworks | None:
    """The networks of the trained agent of this name; None for other agents, and for what cannot be read."""
    folder = pathlib.Path(name)
    if not name.strip() or not folder.exists():
        return None
    try:
        return RoleNetworks.load(_weights_folder(folder))
    except ValueError:
        return None  # whoever loads it as an agent is told


def trained_for(name: str) -> tuple[str, dict[str, Any]] | None:
    """Id of the game, and its complete parameters, that the network of this name was trained for; None for others."""
    networks = networks_of(name)
    if networks is None:
        return None
    card = next(iter(networks.by_role.values())).card
    return (card["game"], dict(card["settings"])) if "game" in card and "settings" in card else None


def table_settings(
    spec: GameSpec,
    agents: Sequence[str],
    num_players: int | None = None,
    variant: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], str | None]:
    """Complete parameters of a table for agents by name, and the agent that they were taken from, if from one.

    What is not given is as the first trained network among the agents knows it; a variant that is given says all but
    the number of players. As many events are kept as any of them reads.
    """
    events = [made[1].get(history.NAME, 0) for name in agents if (made := trained_for(name)) and made[0] == spec.id]
    if any(events) and history.NAME not in (options or {}):
        options = {**(options or {}), history.NAME: max(events)}
    for name in agents:
        made = trained_for(name)
        if made is None or made[0] != spec.id:
            continue
        kept = made[1]
        players = kept.pop("num_players", None)
        known = {option.name for option in spec.options}
        base = {key: value for key, value in kept.items() if key in known} if variant is None else {}
        settings = spec.variant_settings(variant, num_players or players, {**base, **(options or {})})
        return settings, name
    return spec.variant_settings(variant, num_players, options), None


def _weights_folder(folder: pathlib.Path) -> pathlib.Path:
    """Where the networks of a run's folder lie, or of the folder, or of one that a file in it was named of."""
    folder = folder.parent if folder.is_file() else folder
    weights = folder / "weights"
    return weights if weights.is_dir() else folder
