"""What an agent that is asked in Python is told: the simple form, or a context with positions to search in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.chance import seed_streams
from ..core.game import Game, State


@dataclass(frozen=True)
class Context:
    """The decisions that an agent is asked for at once, one a row, for B rows, D features, A actions.

    ``deal(row, count, seed)`` gives ``count`` positions as that row's seat may believe them to be: all that it cannot
    know is dealt anew, from the seed alone. The true position and its chance are never among what is given here.
    """

    game: Game
    settings: Mapping[str, Any]
    observations: np.ndarray  # float32 (B, D)
    masks: np.ndarray  # int8 (B, A): 1 is legal
    tables: np.ndarray  # int64 (B,): which table, the same number from game to game
    seats: np.ndarray  # int64 (B,): which seat of it; a memory belongs to a table and a seat
    new_game: np.ndarray  # bool (B,): the seat is asked for the first time in its game
    rng: np.random.Generator  # of the agent's random choices
    deal: Callable[[int, int, int], list[State]]


def dealer(game: Game, settings: Mapping[str, Any], records: np.ndarray, seats: np.ndarray) -> Any:
    """``deal`` of a context whose rows stand in the positions ``records``, which stay in here."""

    def deal(row: int, count: int, seed: int) -> list[State]:
        if not 0 <= row < len(records):
            raise ValueError(f"row={row!r}: allowed is a whole number from 0 to {len(records) - 1}")
        state = State(records[row : row + 1], settings)
        return [game.resample(state, int(seats[row]), int(one)) for one in seed_streams(seed, count)]

    return deal


def ask(agent: Any, context: Context) -> np.ndarray:
    """The actions, int64 (B,), of an agent of either form: with ``act_in(context)``, else ``act``.

    Raises:
        ValueError: the answer is not B whole numbers. Whether they are legal is for the caller to see.
    """
    if hasattr(agent, "act_in"):
        actions = np.asarray(agent.act_in(context))
    else:
        actions = np.asarray(agent.act(context.observations, context.masks, context.rng))
    if actions.shape != context.seats.shape or actions.dtype.kind not in "iu":
        found = f"{actions.dtype} {actions.shape}"
        raise ValueError(f"agent {agent.name}: {len(context.seats)} whole numbers are wanted, not {found}")
    return actions.astype(np.int64)


def ask_about(agent: Any, game: Game, state: State, rng: np.random.Generator, new_game: bool) -> int:
    """What an agent does at the seat that is to act in one position, at table 0."""
    seats = np.array([game.current_player(state)])
    context = Context(
        game=game,
        settings=state.settings,
        observations=game.observation(state, int(seats[0]))[None],
        masks=game.action_mask(state)[None],
        tables=np.zeros(1, np.int64),
        seats=seats,
        new_game=np.array([new_game]),
        rng=rng,
        deal=dealer(game, state.settings, state.records.copy(), seats),
    )
    return int(ask(agent, context)[0])
