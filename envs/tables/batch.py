"""A batch of tables: its buffers, and the loop round the compiled one, in which agents are asked in Python."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .context import Context, ask, dealer
from .kernel import (
    ANSWER,
    DEAL,
    FOR_ASKED,
    ILLEGAL,
    LEARNER,
    STEP,
    TABLE,
    Buffers,
    Setup,
    first_illegal,
    play_on,
)
from .seating import Seating
from .streams import chance_records

ON_ILLEGAL = ("raise", "forfeit")


def check_count(name: str, value: Any) -> int:
    """The value as an int; ValueError names the parameter if it is no whole number from 1."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r}: allowed is a whole number from 1")
    return int(value)


def batch_actions(actions: Any, num_envs: int) -> np.ndarray:
    """One action per table as contiguous int64 (num_envs,); ValueError if they are not whole numbers of that shape."""
    found = np.ascontiguousarray(actions)
    if found.shape != (num_envs,) or found.dtype.kind not in "iu":
        wanted = f"whole numbers, shape ({num_envs},)"
        raise ValueError(f"actions of shape {found.shape}, {found.dtype}: allowed are {wanted}")
    return found.astype(np.int64, copy=False)


class Batch:
    """``num_tables`` tables of one game, played on together until each waits for a learner's action or is over.

    ``buffers`` and ``setup`` are those of kernel.py; the line-ups are drawn as ``setup`` says, or the caller writes
    them. What an illegal action does is up to ``on_illegal``: with "raise" it is an IllegalActionError; with "forfeit"
    it ends the game, and ``forfeited`` int64 (n,) holds the seat, else -1. ``rng`` is the chance of agents asked in
    Python.
    """

    def __init__(
        self, seating: Seating, num_tables: int, setup: Setup, on_illegal: str = "raise", threads: int = 1
    ) -> None:
        if on_illegal not in ON_ILLEGAL:
            raise ValueError(f"on_illegal={on_illegal!r}: allowed is {' or '.join(map(repr, ON_ILLEGAL))}")
        self.seating, self.setup, self.on_illegal = seating, setup, on_illegal
        self.num_tables, self.threads = num_tables, threads
        self.buffers = _buffers(seating, num_tables, setup)
        self.forfeited = np.full(num_tables, -1, np.int64)
        self.rng = np.random.default_rng()
        self.first_table = 0  # what agents are told as the number of the first table
        self._every = np.arange(num_tables)
        self._bind()

    def _bind(self) -> None:
        """What is made anew for other agents, and in a copy of this batch."""
        self._play_on, self._first_illegal = play_on(*self.seating.modules), first_illegal(*self.seating.modules)
        agents = [tuple(self.seating.compiled()) for _ in range(self.threads)]
        buffers, setup = tuple(self.buffers), tuple(self.setup)
        self._arguments = [(buffers, own, setup) for own in agents]
        self._pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        left = ("_play_on", "_first_illegal", "_arguments", "_pool")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def replace(self, k: int, agent: Any) -> None:
        """Seats another agent in place of agent k (see Seating), at once and also in games under way."""
        self.seating.replace(k, agent)
        self.buffers.unasked[self.buffers.lineups == k] = True
        self.close()
        self._bind()

    def deal(self, rows: np.ndarray | None = None) -> None:
        """New games at the tables ``rows``, by default at all."""
        self._play(self._every if rows is None else rows, DEAL)

    def step(self, actions: np.ndarray, rows: np.ndarray | None = None) -> None:
        """The learners' actions, int64 (n,), at the tables ``rows``, by default at all.

        Raises:
            IllegalActionError: with ``on_illegal="raise"``, names the first table whose action is not legal; nothing
                has changed then.
        """
        rows = self._every if rows is None else rows
        if self.on_illegal == "raise":
            bad = self._first_illegal(self.buffers.masks, actions, rows)
            if bad >= 0:
                self._refuse(bad, actions[bad])
        self.buffers.actions[:] = actions
        self._play(rows, STEP)

    def _play(self, rows: np.ndarray, begins: int) -> None:
        self._run(rows, begins)
        if not self.seating.agents and self.on_illegal == "raise":
            return  # nobody else to ask, and the learners' actions have been looked at
        while True:
            waiting = self.buffers.tables["waiting"][rows]
            for row in rows[waiting == ILLEGAL].tolist():
                self._refuse(row, self.buffers.actions[row])
            rows = rows[waiting == FOR_ASKED]
            if not len(rows):
                return
            self._ask(rows)
            self._run(rows, ANSWER)

    def _refuse(self, table: int, action: Any) -> None:
        """An illegal action at a table: raises or forfeits."""
        seat = int(self.buffers.tables["seat"][table])
        if self.on_illegal == "forfeit":
            self.forfeited[table] = seat
            return
        spec, legal = self.seating.game.spec, np.flatnonzero(self.buffers.masks[table]).tolist()
        agent = f"table {table}, {spec.agent_names(self.seating.settings)[seat]}"
        raise spec.illegal_action(self.seating.settings, agent, int(action), legal)

    def _ask(self, rows: np.ndarray) -> None:
        """Asks the agents whose turn it is at the tables ``rows`` for their actions."""
        b = self.buffers
        agents = b.lineups[rows, b.tables["seat"][rows]]
        for number in np.unique(agents)[::-1]:  # the order in which they draw from the generator; seeds rely on it
            its = rows[agents == number]
            b.actions[its] = ask(self.seating.agents[number], self._context(its))

    def _context(self, rows: np.ndarray) -> Context:
        """What is told of the positions at the tables ``rows``, whose seats to act are asked by this."""
        b, seating = self.buffers, self.seating
        seats = b.tables["seat"][rows]
        new_game = b.unasked[rows, seats]
        b.unasked[rows, seats] = False
        return Context(
            game=seating.game,
            settings=seating.settings,
            observations=b.observations[rows],
            masks=b.masks[rows],
            tables=rows + self.first_table,
            seats=seats,
            new_game=new_game,
            rng=self.rng,
            deal=dealer(seating.game, seating.settings, b.states[rows], seats),
        )

    def _run(self, rows: np.ndarray, begins: int) -> None:
        if self.threads == 1 or len(rows) < 2 * self.threads:
            self._play_on(rows, begins, *self._arguments[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        parts = np.array_split(rows, self.threads)
        list(self._pool.map(lambda part, own: self._play_on(part, begins, *own), parts, self._arguments))

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _buffers(seating: Seating, n: int, setup: Setup) -> Buffers:
    game, settings = seating.game, seating.settings
    seats, features = game.spec.num_seats(settings), game.spec.observation_size(settings)
    tables = np.zeros(n, TABLE)
    tables["learner_seat"] = -1

    def paid() -> np.ndarray:
        return np.zeros((n, seats), np.float32)

    return Buffers(
        states=game.empty_states(settings, n),
        tables=tables,
        lineups=np.full((n, seats), LEARNER, np.int16),
        unasked=np.ones((n, seats), np.bool_),
        chance=chance_records(np.zeros(n, np.uint64)),
        actions=np.zeros(n, np.int64),
        observations=np.zeros((n, features), np.float32),
        masks=np.zeros((n, game.spec.num_actions), np.int8),
        rewards=paid(),
        totals=paid(),
        now=paid(),
        final_returns=paid(),
        final_observations=np.zeros((n if setup.draws_lineups else 0, features), np.float32),
    )
