"""The few calls a user makes; here agents are looked up by name."""

import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .envs.tables.truncation import FOR_ALL_SEATS, FOR_LEARNERS

if TYPE_CHECKING:
    from .agents.base import AnyAgent
    from .envs.adapters.aec import GameEnv
    from .envs.adapters.gymnasium import SeatEnv
    from .envs.adapters.gymnasium_vec import SeatVectorEnv
    from .envs.adapters.parallel import ParallelGameEnv
    from .envs.adapters.sb3 import SeatVecEnv
    from .envs.adapters.spaces import ObservationForm
    from .envs.adapters.vector import VectorEnv
    from .envs.core.game import Game
    from .envs.tables.truncation import TruncatedAs
    from .training.storage.replay_arrays import ReplayArrays

OPPONENTS = "allowed is the name of an agent, an agent, a list of these, or {name: weight}"


def games() -> list[str]:
    """Names of all games, those of installed extensions included."""
    from .envs.core import registry

    return registry.names()


def game(name: str) -> "Game":
    """The plain interface to a game, by name (``"poo_head"``) or id: states, legal actions, observations, scenarios."""
    from .envs.core import registry

    return registry.game(name)


def make(
    name: str,
    num_players: int | None = None,
    *,
    render_mode: str | None = None,
    observation: "ObservationForm" = "masked",
    truncated_as: "TruncatedAs" = FOR_ALL_SEATS,
    **parameters: Any,
) -> "GameEnv":
    """The PettingZoo AEC environment of a game.

    ``parameters`` are those on the game's page; ``variant`` names a set of them (``poopdeck games`` lists the names).
    ``truncated_as``: what a game counts as that its decision cap ended, "payoff" (what the environment pays, and the
    game is reported as truncated), "ranked" (by the game's own ranking) or "loss" (-1). ``observation``: "masked" gives
    a dict of features and action mask, "features" the features alone; the mask is in ``infos`` and by
    ``action_masks()`` in both.
    """
    from .envs.adapters.aec import GameEnv

    own: dict[str, Any] = {"render_mode": render_mode, "observation": observation, "truncated_as": truncated_as}
    return GameEnv(game(name), num_players, **own, **parameters)


def make_parallel(
    name: str,
    num_players: int | None = None,
    *,
    render_mode: str | None = None,
    observation: "ObservationForm" = "masked",
    truncated_as: "TruncatedAs" = FOR_ALL_SEATS,
    **parameters: Any,
) -> "ParallelGameEnv":
    """The PettingZoo parallel environment: who chooses at the same time acts in one step, the others pass."""
    from .envs.adapters.parallel import ParallelGameEnv

    own: dict[str, Any] = {"render_mode": render_mode, "observation": observation, "truncated_as": truncated_as}
    return ParallelGameEnv(game(name), num_players, **own, **parameters)


def make_vec(
    name: str,
    num_envs: int,
    num_players: int | None = None,
    *,
    truncated_as: "TruncatedAs" = FOR_ALL_SEATS,
    threads: int = 1,
    **parameters: Any,
) -> "VectorEnv":
    """Many tables stepped together, every seat's decisions in one batch; the fast interface."""
    from .envs.adapters.vector import VectorEnv

    return VectorEnv(game(name), num_envs, num_players, truncated_as=truncated_as, threads=threads, **parameters)


def make_gymnasium(
    name: str,
    opponents: Any = "random",
    num_players: int | None = None,
    *,
    truncated_as: "TruncatedAs" = FOR_LEARNERS,
    learner_seats: Sequence[int] | None = None,
    render_mode: str | None = None,
    observation: "ObservationForm" = "masked",
    **parameters: Any,
) -> "SeatEnv":
    """One learner at one table, as ``gymnasium.Env``; what ``gymnasium.make("poopdeck/poo_head-v0")`` makes.

    ``opponents``: a name or agent for all other seats, a list of one for each (clockwise from the learner), or
    ``{name: weight}``, from which each seat draws for every game. ``truncated_as``: what a game counts as that its
    decision cap ended, "ranked" (by the game's own ranking), "loss" (-1) or "payoff" (what the environment pays, and
    the game is truncated for Gymnasium, too). ``learner_seats``: the seats of which the learner gets one in every
    game, by default all of the first role. ``observation``: "masked" gives a dict of features and action mask,
    "features" the features alone, as ``make_sb3`` does.
    """
    from .envs.adapters.gymnasium import SeatEnv

    found = resolve_opponents(name, opponents, num_players, parameters)
    own: dict[str, Any] = {"truncated_as": truncated_as, "learner_seats": learner_seats}
    own |= {"render_mode": render_mode, "observation": observation}
    return SeatEnv(game(name), found, num_players, **own, **parameters)


def make_gymnasium_vec(
    name: str,
    num_envs: int = 1,
    opponents: Any = "random",
    num_players: int | None = None,
    *,
    truncated_as: "TruncatedAs" = FOR_LEARNERS,
    learner_seats: Sequence[int] | None = None,
    threads: int = 1,
    render_mode: str | None = None,
    observation: "ObservationForm" = "masked",
    autoreset_mode: Any = "next_step",
    **parameters: Any,
) -> "SeatVectorEnv":
    """One learner at each of many tables, as ``gymnasium.vector.VectorEnv``; what ``gymnasium.make_vec`` makes.

    The arguments of ``make_gymnasium``; ``threads`` share the tables. ``autoreset_mode``: "next_step" as Gymnasium's
    own vector environments (the step after a game's end only deals, and the mask between is all zeros), or "same_step"
    (the next game is dealt at once, so that every mask has a legal action).
    """
    from .envs.adapters.gymnasium_vec import SeatVectorEnv

    found = resolve_opponents(name, opponents, num_players, parameters)
    own: dict[str, Any] = {"truncated_as": truncated_as, "learner_seats": learner_seats, "threads": threads}
    own |= {"render_mode": render_mode, "observation": observation, "autoreset_mode": autoreset_mode}
    return SeatVectorEnv(game(name), num_envs, found, num_players, **own, **parameters)


def make_sb3(
    name: str,
    num_envs: int,
    opponents: Any = "random",
    num_players: int | None = None,
    *,
    truncated_as: "TruncatedAs" = FOR_LEARNERS,
    learner_seats: Sequence[int] | None = None,
    threads: int = 1,
    seed: int | None = None,
    render_mode: str | None = None,
    **parameters: Any,
) -> "SeatVecEnv":
    """One learner at each of many tables, as a Stable-Baselines3 ``VecEnv`` with ``action_masks``.

    The arguments of ``make_gymnasium``, and ``seed`` for the first ``reset``; ``threads`` share the tables;
    ``render_mode`` is None or "rgb_array".
    """
    from .envs.adapters.sb3 import SeatVecEnv

    found = resolve_opponents(name, opponents, num_players, parameters)
    own = {"truncated_as": truncated_as, "learner_seats": learner_seats, "threads": threads}
    own |= {"seed": seed, "render_mode": render_mode}
    return SeatVecEnv(game(name), num_envs, found, num_players, **own, **parameters)


def load_agent(
    agent: str,
    game_name: str = "poo_head",
    num_players: int | None = None,
    greedy: bool = True,
    any_settings: bool = False,
    **parameters: Any,
) -> "AnyAgent":
    """An agent by name: ``"random"``, ``"heuristic"``, ``"heuristic:lowest"``, ``"search:deals=64"``, or the
    folder of a training run.

    A network is for a game with the players and parameters that it was trained with, else a ValueError says which
    differ; with ``any_settings`` it may play with other parameters, as long as it sees and chooses the same.
    """
    from .agents import loading

    found = game(game_name)
    return loading.load_agent(agent, found, found.spec.settings(num_players, **parameters), greedy, any_settings)


def replays(*paths: "str | os.PathLike[str]") -> "ReplayArrays":
    """The decisions of saved games as arrays: observations, masks, actions, returns, one row each.

    The files (of `poopdeck play --save` or `poopdeck evaluate --save`) hold games of the same settings; unfinished
    games are left out. ReplayError, a ValueError, says where a file is not as the rules play it.
    """
    from .training.storage.replay_arrays import read_arrays

    return read_arrays(paths)


def resolve_opponents(name: str, opponents: Any, num_players: int | None, parameters: Mapping[str, Any]) -> list[Any]:
    """Agents (or pairs of agent and weight) for names, agents, lists of them, or ``{name: weight}``."""
    from .agents import loading

    found = game(name)
    known = {"variant", *(option.name for option in found.spec.options)}  # the interface refuses what is unknown
    settings = found.spec.settings(num_players, **{key: value for key, value in parameters.items() if key in known})

    def agent(entry: Any) -> Any:
        if isinstance(entry, str):
            return loading.load_agent(entry, found, settings)
        if not _is_agent(entry):
            raise ValueError(f"opponents: {entry!r} is no agent; {OPPONENTS}")
        return entry

    if isinstance(opponents, Mapping):
        return [(agent(entry), _weight(entry, weight)) for entry, weight in opponents.items()]
    if isinstance(opponents, str) or _is_agent(opponents):
        return [agent(opponents)]
    if not isinstance(opponents, Iterable):
        raise ValueError(f"opponents={opponents!r}: {OPPONENTS}")
    return [
        (agent(entry[0]), _weight(entry[0], entry[1])) if isinstance(entry, tuple) else agent(entry)
        for entry in opponents
    ]


def _is_agent(entry: Any) -> bool:
    return hasattr(entry, "act") or hasattr(entry, "act_in")


def _weight(entry: Any, weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, numbers.Real):
        raise ValueError(f"opponents: the weight of {entry!r} is {weight!r}; a number from 0 is wanted")
    return float(weight)
