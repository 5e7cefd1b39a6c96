"""Whole games between agents, many at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, fields

import numpy as np

from ...agents.base import AnyAgent
from ...envs.core.chance import seed_streams
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ...envs.tables.batch import Batch, check_count
from ...envs.tables.kernel import FOR_NOBODY, Setup
from ...envs.tables.seating import Seating
from ..cluster.ray_executor import RayExecutor
from .saved_games import SavedGames

CHUNK = 2048  # tables at a time: their buffers stay near the processor
PARTS = 4  # for every core of a cluster, so that none waits long for the last
DEALS, CHOICES, PYTHON = 11, 12, 13  # branches of the seed


@dataclass(frozen=True)
class Results:
    """What came of n games at P seats.

    ``returns`` float32 (n, P); ``lengths`` int64 (n,) decisions; ``truncated`` bool (n,) ended by the decision cap;
    ``forfeited`` int64 (n,): the seat whose illegal action ended the game, -1 for none. A forfeit pays its seat -1 and
    the others equal shares of 1.
    """

    returns: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray
    forfeited: np.ndarray

    @classmethod
    def joined(cls, parts: Sequence["Results"], seats: int) -> "Results":
        """One after the other; no parts make no games."""
        nothing = cls(np.zeros((0, seats), np.float32), *(np.zeros(0, t) for t in (np.int64, np.bool_, np.int64)))
        return cls(
            *(np.concatenate([getattr(part, field.name) for part in parts or [nothing]]) for field in fields(cls))
        )


def play_games(
    game: Game,
    settings: Settings,
    agents: Sequence[AnyAgent],
    lineups: np.ndarray,
    deals: np.ndarray,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
    save: SavedGames | None = None,
    cluster: RayExecutor | None = None,
) -> Results:
    """Plays one game for every row of ``lineups`` int (n, P): the agent (its index) at each seat.

    ``deals`` int (n,): games with the same number are dealt the same cards. The agents' own chance follows from
    ``seed`` and the row. ``on_progress`` is told how many games are done, while they are played where agents are asked
    in Python. ``save`` writes some of the games down. A ``cluster`` plays them in this process's place, with the same
    results.

    Raises:
        ValueError: line-ups, deals or agents do not fit the game or each other; ``save`` on a cluster.
    """
    threads = check_count("threads", threads)
    match = Match(game, settings, agents, lineups, deals, seed, save)
    return match.play(threads, on_progress) if cluster is None else match.send(cluster).results(on_progress)


@dataclass(frozen=True)
class Part:
    """Some of a match's games, n at P seats, which can be played by themselves.

    ``first``: the number of the first; ``lineups`` int (n, P); ``starts``, ``choices`` uint64 (n,): the chance of games
    and of agents; ``seed``: of the generator of agents who are asked in Python.
    """

    first: int
    lineups: np.ndarray
    starts: np.ndarray
    choices: np.ndarray
    seed: tuple[int, ...]


class Match:
    """Games to be played; the arguments are those of ``play_games``."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        agents: Sequence[AnyAgent],
        lineups: np.ndarray,
        deals: np.ndarray,
        seed: int = 0,
        save: SavedGames | None = None,
    ):
        lineups, deals = np.asarray(lineups), np.asarray(deals, np.int64)
        seats = game.spec.num_seats(settings)
        if lineups.ndim != 2 or lineups.shape[1] != seats or deals.shape != lineups.shape[:1]:
            raise ValueError(f"lineups {lineups.shape}, deals {deals.shape}: allowed are (n, {seats}) and (n,)")
        if lineups.size and (lineups.min() < 0 or lineups.max() >= len(agents)):
            raise ValueError(f"lineups name agents {lineups.min()}..{lineups.max()}, there are {len(agents)}")
        self.agents, self.save = agents, save
        self.seating = Seating(game, settings, agents if save is None else save.noting(agents))
        self.seating.check_lineups(lineups)
        self.lineups, self.seed = lineups, seed
        self.starts = seed_streams(seed, int(deals.max()) + 1 if deals.size else 0, DEALS)[deals]
        self.choices = seed_streams(seed, len(lineups), CHOICES)

    def parts(self, size: int) -> list[Part]:
        """The games in parts of ``size``. How an agent who is asked in Python draws hangs on the size."""
        return [
            Part(
                low,
                self.lineups[low : low + size],
                self.starts[low : low + size],
                self.choices[low : low + size],
                (self.seed, PYTHON, number),
            )
            for number, low in enumerate(range(0, len(self.lineups), size))
        ]

    def play(self, threads: int = 1, on_progress: Callable[[int], None] | None = None) -> Results:
        """Plays all games in this process."""
        parts, done = self.parts(CHUNK), []

        def play(part: Part) -> Results:
            tell = None if on_progress is None else lambda over: on_progress(part.first + over)
            return _play_part(self.seating, part, tell)

        # Agents asked in Python need not bear being asked from several threads.
        with ThreadPoolExecutor(1 if self.seating.asked else threads) as pool:
            try:
                for part, results in zip(parts, pool.map(play, parts), strict=True):
                    done.append(results)
                    if on_progress is not None:
                        on_progress(part.first + len(results.lengths))
            except BaseException:  # Ctrl-C must not wait for all the games
                pool.shutdown(cancel_futures=True)
                raise
        results = Results.joined(done, self.lineups.shape[1])
        if self.save is not None:
            self.save.write(self.seating, self.agents, self.lineups, self.starts, self.choices, results)
        return results

    def send(self, cluster: RayExecutor) -> "SentMatch":
        """Has all games played on a cluster, several parts for every core where agents' chance allows it."""
        if self.save is not None:
            raise ValueError("save: games that are played on a cluster cannot be written down")
        size = CHUNK
        if not any(getattr(self.seating.agents[k], "uses_rng", True) for k in self.seating.asked):
            size = min(CHUNK, max(1, -(-len(self.lineups) // (PARTS * cluster.workers))))
        agents = cluster.share((self.seating.game, self.seating.settings, self.seating.agents))
        sent = [cluster.submit(_play_there, agents, part) for part in self.parts(size)]
        return SentMatch(cluster, sent, self.lineups.shape[1])


class SentMatch:
    """A match that is played on a cluster."""

    def __init__(self, cluster: RayExecutor, sent: Sequence[Future[Results]], seats: int):
        self._cluster, self._sent, self._seats, self.parts = cluster, sent, seats, len(sent)

    def results(self, on_progress: Callable[[int], None] | None = None) -> Results:
        """What came of all games, once they are over; an error in one of them is raised."""
        done = 0
        for future in as_completed(self._sent):
            done += len(future.result().lengths)
            if on_progress is not None:
                on_progress(done)
        return Results.joined([future.result() for future in self._sent], self._seats)

    def cancel(self) -> None:
        """Ends games that are not over; there will be no results."""
        self._cluster.cancel(self._sent)


def _play_there(table: tuple[Game, Settings, Sequence[AnyAgent]], part: Part) -> Results:
    return _play_part(Seating(*table), part, None)


def _play_part(seating: Seating, part: Part, on_progress: Callable[[int], None] | None) -> Results:
    batch = Batch(seating, len(part.lineups), Setup(deals_on=False), on_illegal="forfeit")
    batch.rng, batch.first_table = np.random.default_rng(part.seed), part.first
    buffers = batch.buffers
    if on_progress is not None:  # agents asked in Python may take their time: games end long before the part does
        batch.on_asked = lambda: on_progress(int((buffers.tables["waiting"] == FOR_NOBODY).sum()))
    buffers.states["rng"], batch.seats.chance["rng"], batch.seats.lineups[:] = part.starts, part.choices, part.lineups
    batch.deal()
    tables, forfeited = buffers.tables, batch.forfeited
    returns = buffers.final_returns
    rows = np.flatnonzero(forfeited >= 0)
    returns[rows] = 1.0 / (returns.shape[1] - 1)
    returns[rows, forfeited[rows]] = -1.0
    return Results(returns, tables["length"].copy(), tables["truncated"].copy(), forfeited)
