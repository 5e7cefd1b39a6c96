"""Whole games between agents, many at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ...agents.base import AnyAgent
from ...envs.core.chance import seed_streams
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ...envs.tables.batch import Batch, check_count
from ...envs.tables.kernel import FOR_NOBODY, Setup
from ...envs.tables.seating import Seating
from .saved_games import SavedGames

CHUNK = 2048  # tables at a time: their buffers stay near the processor
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
) -> Results:
    """Plays one game for every row of ``lineups`` int (n, P): the agent (its index) at each seat.

    ``deals`` int (n,): games with the same number are dealt the same cards. The agents' own chance follows from
    ``seed`` and the row. ``on_progress`` is told how many games are done, while they are played where agents are asked
    in Python. ``save`` writes some of the games down.
    """
    lineups, deals, threads = np.asarray(lineups), np.asarray(deals), check_count("threads", threads)
    seats = game.spec.num_seats(settings)
    if lineups.ndim != 2 or lineups.shape[1] != seats or deals.shape != lineups.shape[:1]:
        raise ValueError(f"lineups {lineups.shape}, deals {deals.shape}: allowed are (n, {seats}) and (n,)")
    if lineups.size and (lineups.min() < 0 or lineups.max() >= len(agents)):
        raise ValueError(f"lineups name agents {lineups.min()}..{lineups.max()}, there are {len(agents)}")
    seating = Seating(game, settings, agents if save is None else save.noting(agents))
    seating.check_lineups(lineups)
    starts = seed_streams(seed, int(deals.max()) + 1 if deals.size else 0, DEALS)
    choices = seed_streams(seed, len(lineups), CHOICES)
    rng = np.random.default_rng([seed, PYTHON])
    chunks = [slice(lo, min(lo + CHUNK, len(lineups))) for lo in range(0, len(lineups), CHUNK)]
    done: list[Results] = []

    def play(chunk: slice) -> Results:
        tell = None if on_progress is None else lambda over: on_progress(chunk.start + over)
        return _play_chunk(seating, chunk.start, lineups[chunk], starts[deals[chunk]], choices[chunk], rng, tell)

    # Agents asked in Python share one generator, so their games are played in order.
    with ThreadPoolExecutor(1 if seating.asked else threads) as pool:
        try:
            for chunk, results in zip(chunks, pool.map(play, chunks), strict=True):
                done.append(results)
                if on_progress is not None:
                    on_progress(chunk.stop)
        except BaseException:  # Ctrl-C must not wait for all the games
            pool.shutdown(cancel_futures=True)
            raise
    empty = Results(np.zeros((0, seats), np.float32), *(np.zeros(0, t) for t in (np.int64, np.bool_, np.int64)))
    names = ("returns", "lengths", "truncated", "forfeited")
    results = Results(*(np.concatenate([getattr(part, name) for part in done or [empty]]) for name in names))
    if save is not None:
        save.write(seating, agents, lineups, starts[deals], choices, results)
    return results


def _play_chunk(
    seating: Seating,
    first_table: int,
    lineups: np.ndarray,
    starts: np.ndarray,
    choices: np.ndarray,
    rng: np.random.Generator,
    on_progress: Callable[[int], None] | None,
) -> Results:
    batch = Batch(seating, len(lineups), Setup(deals_on=False), on_illegal="forfeit")
    batch.rng, batch.first_table = rng, first_table
    buffers = batch.buffers
    if on_progress is not None:  # agents asked in Python may take their time: games end long before the chunk does
        batch.on_asked = lambda: on_progress(int((buffers.tables["waiting"] == FOR_NOBODY).sum()))
    buffers.states["rng"], batch.seats.chance["rng"], batch.seats.lineups[:] = starts, choices, lineups
    batch.deal()
    tables, forfeited = buffers.tables, batch.forfeited
    returns = buffers.final_returns
    rows = np.flatnonzero(forfeited >= 0)
    returns[rows] = 1.0 / (returns.shape[1] - 1)
    returns[rows, forfeited[rows]] = -1.0
    return Results(returns, tables["length"].copy(), tables["truncated"].copy(), forfeited)
