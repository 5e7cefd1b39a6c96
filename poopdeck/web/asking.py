"""``POST /act``: an agent's action in a position, for programs in any language."""

from typing import Any

import numpy as np

from ..envs.core.chance import seed_streams
from ..envs.core.game import Game
from ..envs.tables.context import Context, context_of
from .advice import advise
from .lobby import Lobby
from .table import Refused

KEYS = ("game", "players", "parameters", "agent", "observation", "mask", "scenario", "seat", "seed")


def act(lobby: Lobby, asked: Any) -> dict[str, Any]:
    """The agent's action, its probabilities and value; ValueError says what is wrong and what is allowed."""
    if not isinstance(asked, dict):
        raise Refused("a JSON object is wanted, with game, agent, and observation and mask, or scenario and seat")
    strange = [key for key in asked if key not in KEYS]
    if strange:
        raise Refused(f"{strange[0]!r}: allowed is {', '.join(KEYS)}")
    game = lobby.game(asked.get("game"))
    rng = np.random.default_rng(_seed(asked))
    context = _of_scenario(game, asked, rng) if "scenario" in asked else _of_observation(game, asked, rng)
    agent = lobby.agent(asked.get("agent", "heuristic"), game, context.settings)
    advice = advise(agent, context)
    names = game.spec.action_names(context.settings)
    return {"agent": agent.name, "seat": int(context.seats[0]), **advice.to_json(names, context.masks[0])}


def _seed(asked: dict[str, Any]) -> int:
    seed = asked.get("seed", 0)
    if type(seed) is not int or seed < 0:
        raise Refused(f"seed={seed!r}: allowed is a whole number from 0")
    seed_streams(seed, 1)  # says what a seed is
    return seed


def _of_scenario(game: Game, asked: dict[str, Any], rng: np.random.Generator) -> Context:
    for key in ("observation", "mask", "players", "parameters"):
        if key in asked:
            raise Refused(f"{key}: the scenario says this itself")
    state = game.load(asked["scenario"])
    if game.is_terminal(state):
        raise Refused("scenario: the game is over, nobody is to act")
    seat, acting = asked.get("seat"), game.current_player(state)
    if seat is not None and (type(seat) is not int or seat != acting):
        raise Refused(f"seat={seat!r}: in this scenario seat {acting} is to act")
    return context_of(game, state, rng, True)


def _of_observation(game: Game, asked: dict[str, Any], rng: np.random.Generator) -> Context:
    parameters = asked.get("parameters", {})
    if not isinstance(parameters, dict):
        raise Refused("parameters: an object with the game's parameters is wanted")
    settings = game.spec.variant_settings(None, asked.get("players"), game.spec.parse_options(parameters))
    seat = asked.get("seat", 0)
    if type(seat) is not int or not 0 <= seat < game.spec.num_seats(settings):
        raise Refused(f"seat={seat!r}: allowed is a whole number from 0 to {game.spec.num_seats(settings) - 1}")
    observation = _numbers(asked, "observation", game.spec.observation_size(settings)).astype(np.float32)
    mask = _numbers(asked, "mask", game.spec.num_actions)
    if not np.isin(mask, (0, 1)).all() or not mask.any():
        raise Refused("mask: 1 for every legal action, at least one, and 0 for the others")

    def nothing_to_deal(*_: Any) -> Any:
        raise Refused("an agent that searches needs a position: give a scenario in place of observation and mask")

    return Context(
        game=game,
        settings=settings,
        observations=observation[None],
        masks=mask[None].astype(np.int8),
        tables=np.zeros(1, np.int64),
        seats=np.array([seat]),
        new_game=np.array([True]),
        rng=rng,
        deal=nothing_to_deal,
        positions=nothing_to_deal,
    )


def _numbers(asked: dict[str, Any], key: str, count: int) -> np.ndarray:
    """A list of so many numbers."""
    given = asked.get(key)
    good = isinstance(given, list) and len(given) == count and all(type(value) in (int, float) for value in given)
    try:
        found = np.array(given if good else [np.nan], float)
    except OverflowError:
        found = np.array([np.inf])
    if not (np.abs(found) <= np.finfo(np.float32).max).all():
        raise Refused(f"{key}: a list of {count} numbers is wanted")
    return found
