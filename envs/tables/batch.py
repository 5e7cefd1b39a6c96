"""A batch of tables: its buffers, and the loop round the compiled one, in which agents are asked in Python."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .context import Context, Dealer, ask
from .kernel import (
    ANSWER,
    DEAL,
    FOR_ASKED,
    ILLEGAL,
    LEARNER,
    STEP,
    TABLE,
    Buffers,
    Drawing,
    Seats,
    Setup,
    Trail,
    first_illegal,
    play_on,
    step_learners,
)
from .past import past_wanted, trails
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

    ``buffers``, ``seats``, ``drawing`` and ``setup`` are those of kernel.py; without ``drawing`` the caller writes the
    line-ups. What an illegal action does is up to ``on_illegal``: with "raise" it is an IllegalActionError; with
    "forfeit" it ends the game, and ``forfeited`` int64 (n,) holds the seat, else -1. ``rng`` is the chance of agents
    asked in Python.
    """

    def __init__(
        self,
        seating: Seating,
        num_tables: int,
        setup: Setup,
        drawing: Drawing | None = None,
        on_illegal: str = "raise",
        threads: int = 1,
    ) -> None:
        if on_illegal not in ON_ILLEGAL:
            raise ValueError(f"on_illegal={on_illegal!r}: allowed is {' or '.join(map(repr, ON_ILLEGAL))}")
        self.seating, self.setup, self.on_illegal = seating, setup, on_illegal
        self.num_tables, self.threads = num_tables, threads
        self.drawing = Drawing(seating.roles) if drawing is None else drawing
        self.buffers, self.seats = _buffers(seating, num_tables), _seats(seating, num_tables, self.drawing)
        self.trail = _trail(seating, num_tables)
        self.actions = np.zeros(num_tables, np.int64)  # to be applied; that of a compiled agent where it is illegal
        self.forfeited = np.full(num_tables, -1, np.int64)
        self.rng = np.random.default_rng()
        self.on_asked: Callable[[], None] | None = None  # told whenever agents have been asked in Python
        self.first_table = 0  # what agents are told as the number of the first table
        self._every = np.arange(num_tables)
        self._bind()

    def _bind(self) -> None:
        """What is made anew for other agents, and in a copy of this batch."""
        modules = self.seating.modules
        self._first_illegal = first_illegal(*modules)
        # Learners alone, whose actions have been looked at, need less: less to take apart at every call, too.
        usual = self.on_illegal == "raise" and self.setup.deals_on and not self.setup.choices_only
        self._alone = usual and not self.seating.agents
        self._play_on = step_learners(*modules) if self._alone else play_on(*modules)
        buffers, setup, seats, drawing = map(tuple, (self.buffers, self.setup, self.seats, self.drawing))
        trail = tuple(self.trail)
        self._arguments = [
            (buffers, () if self._alone else (seats, tuple(self.seating.compiled()), drawing, trail), setup)
            for _ in range(self.threads)
        ]
        self._pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        left = ("_play_on", "_first_illegal", "_alone", "_arguments", "_pool")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def replace(self, k: int, agent: Any) -> None:
        """Seats another agent in place of agent k (see Seating), at once and also in games under way."""
        self.seating.replace(k, agent)
        self.seats.unasked[self.seats.lineups == k] = True
        if past_wanted(self.seating.agents) != self.trail.seats.shape[1]:
            self.trail = _trail(self.seating, self.num_tables)
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
        if self.on_illegal == "raise" and (self.threads > 1 or not self._alone):
            bad = self._first_illegal(self.buffers.masks, actions, rows)
            if bad >= 0:
                self._refuse(bad, actions[bad])
        if self._alone:  # nobody else to ask; one thread looks at the actions itself
            bad = self._run(rows, STEP, actions)
            if bad >= 0:
                self._refuse(bad, actions[bad])
            return
        self.actions[:] = actions
        self._play(rows, STEP)

    def _play(self, rows: np.ndarray, begins: int) -> None:
        self._run(rows, begins, self.actions)
        while not self._alone:
            waiting = self.buffers.tables["waiting"][rows]
            for row in rows[waiting == ILLEGAL].tolist():
                self._refuse(row, self.actions[row])
            rows = rows[waiting == FOR_ASKED]
            if not len(rows):
                return
            self._ask(rows)
            self._run(rows, ANSWER, self.actions)
            if self.on_asked is not None:
                self.on_asked()

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
        agents = self.seats.lineups[rows, b.tables["seat"][rows]]
        for number in np.unique(agents)[::-1]:  # the order in which they draw from the generator; seeds rely on it
            its = rows[agents == number]
            self.actions[its] = ask(self.seating.agents[number], self.context(its))

    def context(self, rows: np.ndarray) -> Context:
        """What is told of the positions at the tables ``rows``, whose seats to act are asked by this."""
        b, seating = self.buffers, self.seating
        seats = b.tables["seat"][rows]
        new_game = self.seats.unasked[rows, seats]
        self.seats.unasked[rows, seats] = False
        dealer = Dealer(seating.game, seating.settings, b.states[rows], seats, trails(self.trail, rows))
        return Context(
            game=seating.game,
            settings=seating.settings,
            observations=b.observations[rows],
            masks=b.masks[rows],
            tables=rows + self.first_table,
            seats=seats,
            new_game=new_game,
            rng=self.rng,
            deal=dealer.deal,
            positions=dealer.positions,
            past=dealer.past,
        )

    def _run(self, rows: np.ndarray, begins: int, actions: np.ndarray) -> int:
        if self.threads == 1 or len(rows) < 2 * self.threads:
            return self._play_on(rows, begins, actions, *self._arguments[0])
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        parts = np.array_split(rows, self.threads)
        play = self._play_on
        return max(self._pool.map(lambda part, own: play(part, begins, actions, *own), parts, self._arguments))

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _trail(seating: Seating, n: int) -> Trail:
    """As long as the agents among those at the tables want it who want most."""
    most = past_wanted(seating.agents)
    records = seating.game.empty_states(seating.settings, n * most).reshape(n, most)
    return Trail(records, np.zeros((n, most), np.int16), np.zeros((n, most), np.int16), np.zeros(n, np.int64))


def _seats(seating: Seating, n: int, drawing: Drawing) -> Seats:
    seats = seating.game.spec.num_seats(seating.settings)
    features = seating.game.spec.observation_size(seating.settings)
    return Seats(
        lineups=np.full((n, seats), LEARNER, np.int16),
        unasked=np.ones((n, seats), np.bool_),
        chance=chance_records(np.zeros(n, np.uint64)),
        final_observations=np.zeros((n if drawing.draws_lineups else 0, features), np.float32),
    )


def _buffers(seating: Seating, n: int) -> Buffers:
    game, settings = seating.game, seating.settings
    seats, features = game.spec.num_seats(settings), game.spec.observation_size(settings)
    tables = np.zeros(n, TABLE)
    tables["learner_seat"] = -1

    def paid() -> np.ndarray:
        return np.zeros((n, seats), np.float32)

    return Buffers(
        states=game.empty_states(settings, n),
        tables=tables,
        observations=np.zeros((n, features), np.float32),
        masks=np.zeros((n, game.spec.num_actions), np.int8),
        rewards=paid(),
        totals=paid(),
        now=paid(),
        final_returns=paid(),
    )
