"""What is asked of every game's heuristics: what they choose, how they fare, and that plain Python chooses the same."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from poopdeck.agents.base import Agent
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.agents.loading import load_agent
from poopdeck.envs.core.game import Game, State
from poopdeck.training.evaluation.match import play_games


def choice(game: Game, s: State, strength: str) -> str:
    """The name of what a heuristic chooses in a position."""
    agent, seat = HeuristicAgent(game.spec, s.settings, strength), game.current_player(s)
    observations, masks = game.observation(s, seat)[None], game.action_mask(s)[None]
    return game.action_name(int(agent.act(observations, masks, np.random.default_rng(0))[0]), s)


def one_against(
    game: Game,
    agents: tuple[str | Agent, str | Agent],
    num_players: int,
    deals: int,
    counts: Callable[[np.ndarray], np.ndarray],
    **options: Any,
) -> tuple[float, float]:
    """How often what counts of its returns (n,) befalls the first at a table of the second; its 95 % interval.

    Every deal is played once from each seat; what counts as one sample is the mean over a deal's seats.
    """
    settings = game.spec.settings(num_players, **options)
    seated = [load_agent(agent, game, settings) if isinstance(agent, str) else agent for agent in agents]
    seats = np.tile(np.arange(num_players), deals)
    lineups = np.ones((len(seats), num_players), np.int64)
    lineups[np.arange(len(seats)), seats] = 0
    results = play_games(game, settings, seated, lineups, np.repeat(np.arange(deals), num_players), seed=7)
    assert (results.forfeited < 0).all()
    hits = counts(results.returns[np.arange(len(seats)), seats]).reshape(deals, num_players).mean(axis=1)
    return hits.mean(), 1.96 * hits.std() / np.sqrt(deals)


def check_plain_python_chooses_the_same(script: str, lines: int) -> None:
    """A script that prints choices prints the same, more than so many lines, where nothing is compiled."""
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    )
    assert compiled.count("\n") > lines and compiled == plain
