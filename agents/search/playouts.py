"""Tables at which positions are played on to their ends by agents, many at once in the compiled loop."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ...envs.tables.batch import Batch
from ...envs.tables.kernel import COUNTED_AS, FOR_LEARNER, Setup
from ...envs.tables.seating import Seating
from ...envs.tables.truncation import FOR_LEARNERS

TABLES = 1024  # at a time: their buffers stay near the processor


class Positions(NamedTuple):
    """K positions, and who plays on from there with which chance."""

    records: np.ndarray  # (K,) of the game
    lineups: np.ndarray  # int16 (K, P): the number of the agent at each seat
    chance: np.ndarray  # uint64 (K,): where the agents' chance begins


class Playouts:
    """Plays positions on after an action of the seat to act. Positions, chance and line-ups are the same for all
    actions that are tried in a position, so that differences tell of the actions alone."""

    def __init__(
        self, game: Game, settings: Settings, agents: Sequence[Any], threads: int = 1, choices_only: bool = False
    ):
        self.batch = Batch(
            Seating(game, settings, agents),
            TABLES,
            Setup(deals_on=False, choices_only=choices_only, truncated_as=COUNTED_AS[FOR_LEARNERS]),
            threads=threads,
        )
        self._actions = np.zeros(TABLES, np.int64)
        self._rows = np.arange(TABLES)
        states = self.batch.buffers.states
        self._bytes = states.view(np.uint8).reshape(TABLES, states.itemsize)

    def returns(self, positions: Positions, which: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """What all seats get, float32 (N, P), where position ``which[i]`` is played on after ``actions[i]``, a legal
        action; a truncated game counts as ranked."""
        self.batch.seating.check_lineups(positions.lineups)
        source = positions.records.view(np.uint8).reshape(len(positions.records), -1)
        buffers, seated = self.batch.buffers, self.batch.seats
        out = np.zeros((len(which), buffers.now.shape[1]), np.float32)
        for low in range(0, len(which), TABLES):
            part = slice(low, min(low + TABLES, len(which)))
            count, its = part.stop - low, which[part]
            rows = self._rows[:count]
            self._bytes[:count] = source[its]
            buffers.tables[:count] = 0
            buffers.masks[rows, actions[part]] = 1
            seated.lineups[:count] = positions.lineups[its]
            seated.chance["rng"][:count] = positions.chance[its]
            seated.unasked[:count] = True
            self._actions[:count] = actions[part]
            self.batch.step(self._actions, rows)
            out[part] = self.outcome(count)
        return out

    def outcome(self, count: int) -> np.ndarray:
        """What the seats of the first ``count`` tables got, float32 (count, P)."""
        return self.batch.buffers.now[:count]


class CutPlayouts(Playouts):
    """Playouts that end where the own seat, LEARNER in the line-ups, has had ``horizon`` choices and is to make another
    one, at what a judge says that this is worth to it; the choices before are the judge's.

    The judge is a trained network: ``act`` and ``values(observations)``.
    """

    def __init__(
        self, game: Game, settings: Settings, agents: Sequence[Any], judge: Any, horizon: int, threads: int = 1
    ):
        super().__init__(game, settings, agents, threads, choices_only=True)
        self.judge, self.horizon = judge, horizon
        self._rng = np.random.default_rng(0)  # a judge that plays its likeliest action does not draw from it

    def outcome(self, count: int) -> np.ndarray:
        """What the seats get, float32 (count, P); of a playout that ended early only the own seat's figure is right."""
        buffers = self.batch.buffers
        for _ in range(self.horizon - 1):
            waiting = self._waiting(count)
            if not len(waiting):
                break
            seen, could = buffers.observations[waiting], buffers.masks[waiting]
            self._actions[waiting] = self.judge.act(seen, could, self._rng)
            self.batch.step(self._actions, waiting)
        found, waiting = super().outcome(count).copy(), self._waiting(count)
        if len(waiting):
            found[waiting] = buffers.totals[waiting]
            seats = buffers.tables["seat"][waiting]
            found[waiting, seats] += self.judge.values(buffers.observations[waiting])
        return found

    def _waiting(self, count: int) -> np.ndarray:
        return np.flatnonzero(self.batch.buffers.tables["waiting"][:count] == FOR_LEARNER)
