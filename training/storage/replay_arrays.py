"""Replays as arrays, for imitation: what was seen at every decision, what was done, what came of it."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...envs.core.game import Game
from ...envs.core.spec import Settings
from .replay import ReplayError, read_replays


@dataclass(frozen=True)
class ReplayArrays:
    """The n decisions of k games with P seats, one row each, in the order they were made.

    ``observations`` float32 (n, D) and ``masks`` int8 (n, A) are of the seat that decided; ``actions``, ``seats`` and
    ``games`` (0 to k - 1) are int64 (n,); ``returns`` float32 (n,) is what that seat was paid from there to the end.
    ``payoffs`` float32 (k, P) and ``truncated`` bool (k,) are of whole games, ``agents`` who played them, by seat.
    """

    game: Game
    settings: Settings
    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    games: np.ndarray
    returns: np.ndarray
    payoffs: np.ndarray
    truncated: np.ndarray
    agents: list[list[str]]


def read_arrays(paths: Iterable[str | os.PathLike[str]]) -> ReplayArrays:
    """All finished games in these files.

    Raises:
        ReplayError: no finished game, games of different rules or settings, or one that the rules do not play so.
    """
    games = [replay for path in paths for replay in read_replays(path) if replay.payoffs is not None]
    if not games:
        raise ReplayError("replays: no finished game in these files")
    first = games[0]
    for replay in games:
        if (replay.game_id, dict(replay.settings)) != (first.game_id, dict(first.settings)):
            raise ReplayError(f"{replay.place()}: another game or other settings than {first.place()}")
    observations, masks, actions, seats, returns, paid = [], [], [], [], [], []
    for replay in games:
        before = []
        for game, state, action in replay.positions():
            if action is None:
                paid.append(game.returns(state))
                break
            seat = game.current_player(state)
            observations.append(game.observation(state, seat))
            masks.append(game.action_mask(state))
            actions.append(action)
            seats.append(seat)
            before.append((seat, game.returns(state)[seat]))
        returns += [paid[-1][seat] - got for seat, got in before]
    return ReplayArrays(
        game=first.game(),
        settings=first.settings,
        observations=np.array(observations, np.float32),
        masks=np.array(masks, np.int8),
        actions=np.array(actions, np.int64),
        seats=np.array(seats, np.int64),
        games=np.repeat(np.arange(len(games)), [len(replay.actions) for replay in games]),
        returns=np.array(returns, np.float32),
        payoffs=np.array(paid, np.float32),
        truncated=np.array([replay.truncated for replay in games], np.bool_),
        agents=[[str(player.get("agent")) for player in replay.players] for replay in games],
    )
