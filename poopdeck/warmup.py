"""Compiles all that a game needs, so that nothing is compiled later on this machine."""

from collections.abc import Callable
from functools import partial

import numpy as np

from .agents.heuristic.agent import heuristic_module
from .agents.loading import load_agent
from .envs.adapters.vector import VectorEnv
from .envs.core import elsewhere
from .envs.core.game import Game
from .envs.core.spec import Settings
from .envs.tables.arena import Arena
from .training.evaluation.evaluate import evaluate
from .training.learners.collection.critic_view import AllSeats

Step = tuple[str, Callable[[], object]]


def steps(game: Game) -> list[Step]:
    """What is to be compiled, in words and as calls: every interface at tables of every layout of records."""
    found: dict[np.dtype, Settings] = {}
    for players in (game.spec.default_players, game.spec.min_players, game.spec.max_players):
        settings = game.spec.settings(players)
        found.setdefault(game.spec.state_dtype(settings), settings)
    return [step for layout, settings in found.items() for step in _steps(game, layout, settings)]


def _steps(game: Game, layout: np.dtype, settings: Settings) -> list[Step]:
    of = f"{game.spec.name}, {settings['num_players']} players"
    modules = (game.spec.rules, game.spec.observation)
    found: list[Step] = [
        (f"{of}: single tables", partial(elsewhere.compile_all, modules, layout)),
        (f"{of}: scenarios", partial(_scenario, game, settings)),
        (f"{of}: batch", partial(_batch, game, settings)),
        (f"{of}: one learner", partial(_learner, game, settings)),
        (f"{of}: critic", partial(_critic, game, settings)),
    ]
    if heuristic_module(game.spec).STRENGTHS:
        found += [
            (f"{of}: agents", partial(_agent, game, settings)),
            (f"{of}: agents in the batch", partial(_match, game, settings)),
        ]
    return found


def _scenario(game: Game, settings: Settings) -> None:
    options = {name: value for name, value in settings.items() if name != "num_players"}
    game.load(game.dump(game.new_state(seed=0, num_players=settings["num_players"], **options)))


def _batch(game: Game, settings: Settings) -> None:
    env = VectorEnv(game, 1, settings["num_players"])
    env.reset(seed=0)
    env.step(env.mask.argmax(axis=1))
    env.close()


def _learner(game: Game, settings: Settings) -> None:
    arena = Arena(game, 1, [load_agent("random", game, settings)], settings["num_players"])
    arena.reset(seed=0)
    arena.step(arena.mask.argmax(axis=1))
    arena.close()


def _critic(game: Game, settings: Settings) -> None:
    AllSeats(game, settings).rows(game.empty_states(settings, 1), np.zeros(1, np.int64))


def _agent(game: Game, settings: Settings) -> None:
    state = game.new_state(seed=0, num_players=settings["num_players"])
    seat = game.current_player(state)
    agent = load_agent("heuristic", game, settings)
    agent.act(game.observation(state, seat)[None], game.action_mask(state)[None], np.random.default_rng(0))


def _match(game: Game, settings: Settings) -> None:
    agent, other = (load_agent(name, game, settings) for name in ("heuristic", "random"))
    evaluate(game, settings, agent, [other], games=game.spec.num_seats(settings))
