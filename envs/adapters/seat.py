"""One learning seat per table, the other seats played by agents inside ``step``.

A learner's reward is all that came to its seat since its last decision, so payoffs that arrive on others' turns are
not lost. Its seat is drawn anew for every game.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..core.compiler import driver, rule
from ..core.game import Game, State
from ..core.generator import below, fresh_seed, seed_streams
from ..core.spec import IllegalActionError
from .chance import chance_records
from .seating import OUTSIDE, Seating, decide

CAPPED = ("payoff", "ranked", "loss")
PAYOFF, RANKED, LOSS = range(3)
ODDS = 2**32 - 1  # draws of opponents are in parts of this
LINEUPS, PYTHON = 21, 22  # branches of the seed
OVER, ILLEGAL = 1, 2  # what a table waits for, beside OUTSIDE and agents asked in Python

TABLE = np.dtype(
    [
        ("learner", "i8"),  # its seat
        ("seat", "i8"),  # to act
        ("waiting", "i8"),  # OUTSIDE: the learner; negative: an agent asked in Python; OVER; ILLEGAL
        ("length", "i8"),  # decisions so far
        ("final_length", "i8"),  # of the game that ended in this step
        ("skipped", "i8"),  # games that ended before the learner's first decision
        ("reward", "f8"),  # of this step
        ("total", "f8"),  # the learner's returns at its last decision
        ("done", "i8"),  # 1: a game ended in this step
        ("capped", "i8"),  # 1: that game was cut by the decision cap
        ("due", "i8"),  # 1: an action is to be applied
        ("fresh", "i8"),  # 1: a game is to be dealt first
    ]
)


@rule
def draw_lineup(t, row, num_seats, learner_seats, odds, ids, chance):
    """Seats the learner and, at every other seat, an agent drawn by its odds."""
    t.learner = learner_seats[below(chance, len(learner_seats))]
    row[t.learner] = OUTSIDE
    for step in range(1, num_seats):
        ticket = below(chance, ODDS)
        k = 0
        while ticket >= odds[step - 1, k]:
            k += 1
        row[(t.learner + step) % num_seats] = ids[k]


@rule
def finish(rules, view, s, t, capped_as, now, final_observation, final_returns):
    """The payoff of a finished game reaches the learner."""
    if t.done:  # this one was dealt and ended within the step: the learner had no part in it
        t.skipped += 1
        return
    t.done = 1
    t.capped = 1 if rules.is_truncated(s) else 0
    rules.returns(s, now)
    for p in range(len(now)):
        final_returns[p] = now[p]
    if t.capped and capped_as == RANKED:
        rules.capped_returns(s, now)
    elif t.capped and capped_as == LOSS:
        now[t.learner] = -1.0
    t.reward = now[t.learner] - t.total
    t.final_length = t.length
    view.observe(s, t.learner, final_observation)


@driver
def step_seats(rules, view, bot):
    """Plays the tables ``which`` on until each waits for its learner, or for an agent asked in Python.

    A table whose ``due`` is set applies its action first, one that is ``fresh`` is dealt. A finished game is dealt
    anew at once where ``deal_on``, else the table is OVER.
    """

    def run(
        states,
        tables,
        which,
        actions,
        controllers,
        learner_seats,
        odds,
        ids,
        observations,
        masks,
        final_observations,
        final_returns,
        now,
        chance,
        starts,
        plans,
        values,
        scratch,
        capped_as,
        deal_on,
    ):
        num_seats = controllers.shape[1]
        for i in which:
            s = states[i]
            t = tables[i]
            mask = masks[i]
            if t.due:
                rules.apply_action(s, actions[i])
                t.length += 1
                t.due = 0
            while True:
                if t.fresh:
                    rules.deal(s)
                    draw_lineup(t, controllers[i], num_seats, learner_seats, odds, ids, chance[i])
                    t.total = 0.0
                    t.length = 0
                    t.fresh = 0
                if rules.is_terminal(s):
                    finish(rules, view, s, t, capped_as, now[i], final_observations[i], final_returns[i])
                    if not deal_on:
                        rules.legal_actions(s, mask)
                        t.waiting = OVER
                        break
                    t.fresh = 1
                    continue
                seat = rules.current_player(s)
                controller = controllers[i, seat]
                rules.legal_actions(s, mask)
                t.seat = seat
                if controller <= OUTSIDE:
                    view.observe(s, seat, observations[i])
                    t.waiting = controller
                    if controller == OUTSIDE and not t.done:
                        rules.returns(s, now[i])
                        t.reward = now[i, seat] - t.total
                        t.total = now[i, seat]
                    break
                action = decide(
                    bot,
                    view,
                    s,
                    seat,
                    controller,
                    observations[i],
                    mask,
                    starts,
                    plans,
                    values,
                    scratch,
                    chance[i],
                )
                if action < 0 or action >= len(mask) or mask[action] == 0:
                    actions[i] = action
                    t.waiting = ILLEGAL
                    break
                rules.apply_action(s, action)
                t.length += 1

    return run


class SeatTables:
    """``num_envs`` tables with one learner each; buffers for n tables, P seats, A actions, D features:

    - ``obs`` float32 (n, D), ``mask`` int8 (n, A): what the learner sees, valid until the next call;
    - ``tables`` records (n,): reward, done, capped, learner's seat, lengths;
    - ``final_obs`` float32 (n, D), ``final_returns`` float32 (n, P): of games that ended in the last step.

    ``opponents`` is either a list of (agent, weight) pairs, from which every other seat draws for every game, or a
    list of agents: one for all other seats, or one for each, clockwise from the learner. ``capped`` is what a game cut
    by the decision cap counts as for the learner: "payoff" what the environment pays (0), "ranked" by the game's own
    ranking, "loss" -1. ``learner_seats`` are the seats a learner may be given, by default all of the first role.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Any],
        num_players: int | None = None,
        capped: str = "payoff",
        learner_seats: Sequence[int] | None = None,
        threads: int = 1,
        deal_on: bool = True,
        **options: Any,
    ):
        for name, value in (("num_envs", num_envs), ("threads", threads)):
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}={value!r}: allowed is a whole number from 1")
        if capped not in CAPPED:
            raise ValueError(f"capped={capped!r}: allowed is {', '.join(map(repr, CAPPED))}")
        self.game, self.num_envs, self.threads = game, int(num_envs), int(threads)
        self.settings = game.spec.settings(num_players, **options)
        self.capped, self.deal_on = capped, deal_on
        n, seats = self.num_envs, game.spec.num_seats(self.settings)
        roles = game.spec.seat_roles(self.settings)
        chosen = [seat for seat in range(seats) if roles[seat] == 0] if learner_seats is None else list(learner_seats)
        if not chosen or any(seat not in range(seats) for seat in chosen):
            raise ValueError(f"learner_seats={learner_seats!r}: allowed are seats from 0 to {seats - 1}")
        self.learner_seats = np.array(chosen, np.int64)
        agents, self.odds = _odds(opponents, seats)
        self.seating = Seating(game, self.settings, agents)
        features = game.spec.observation_size(self.settings)
        self.states = game.empty_states(self.settings, n)
        self.tables = np.zeros(n, TABLE)
        self.obs, self.final_obs = (np.zeros((n, features), np.float32) for _ in range(2))
        self.mask = np.zeros((n, game.spec.num_actions), np.int8)
        self.final_returns, self._now = (np.zeros((n, seats), np.float32) for _ in range(2))
        self._actions = np.zeros(n, np.int64)
        self._controllers = np.zeros((n, seats), np.int64)
        self._chance = chance_records(np.zeros(n, np.uint64))
        self._rng = np.random.default_rng()
        self._ready = False
        self._pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}

    def reset(self, seed: int | None = None) -> None:
        """Deals all tables anew; without a seed the chance streams go on."""
        if seed is not None or not self._ready:
            seed = fresh_seed() if seed is None else seed
            self.states["rng"] = seed_streams(seed, self.num_envs)
            self._chance["rng"] = seed_streams(seed, self.num_envs, LINEUPS)
            self._rng = np.random.default_rng([seed, PYTHON])
        self.tables["fresh"] = 1
        self.tables["due"] = 0
        self._ready = True
        self._play_on()
        # A game that ended before the learner's first decision is none of its own.
        self.tables["done"] = 0
        self.tables["reward"] = 0

    def step(self, actions: np.ndarray) -> None:
        """The learner's action at every table, whole numbers (n,), then all others' until it is to act again.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._ready:
            raise RuntimeError("step() needs games: call reset() first")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            wanted = f"whole numbers, shape ({self.num_envs},)"
            raise ValueError(f"actions of shape {actions.shape}, {actions.dtype}: allowed are {wanted}")
        inside = (actions >= 0) & (actions < self.mask.shape[1])
        legal = inside & (self.mask[np.arange(self.num_envs), np.where(inside, actions, 0)] != 0)
        if not legal.all():
            table = int(legal.argmin())
            self._refuse(table, int(self.tables["learner"][table]), actions[table])
        self._actions[:] = actions
        self.tables["due"] = 1
        self._play_on()

    def _refuse(self, table: int, seat: int, action: Any) -> None:
        agent = f"table {table}, {self.game.spec.agent_names(self.settings)[seat]}"
        raise IllegalActionError(self.game.spec, agent, action, np.flatnonzero(self.mask[table]).tolist())

    def _play_on(self) -> None:
        self.tables["done"] = 0
        which = np.arange(self.num_envs)
        while len(which):
            self._run(which)
            waiting = self.tables["waiting"][which]
            if (waiting == ILLEGAL).any():
                table = int(which[(waiting == ILLEGAL).argmax()])
                self._refuse(table, int(self.tables["seat"][table]), int(self._actions[table]))
            for waiter in np.unique(waiting[waiting < 0]):
                rows = which[waiting == waiter]
                self._actions[rows] = self.seating.ask(int(waiter), self.obs[rows], self.mask[rows], self._rng)
                for row in rows:
                    action = self._actions[row]
                    if not 0 <= action < self.mask.shape[1] or not self.mask[row, action]:
                        self._refuse(int(row), int(self.tables["seat"][row]), int(action))
                self.tables["due"][rows] = 1
            which = which[waiting < 0]

    def _run(self, which: np.ndarray) -> None:
        if self.threads == 1 or len(which) < 2 * self.threads:
            self._run_part(which)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        list(self._pool.map(self._run_part, np.array_split(which, self.threads)))

    def _run_part(self, which: np.ndarray) -> None:
        seating = self.seating
        step_seats(*seating.modules)(
            self.states,
            self.tables,
            which,
            self._actions,
            self._controllers,
            self.learner_seats,
            self.odds,
            seating.controllers,
            self.obs,
            self.mask,
            self.final_obs,
            self.final_returns,
            self._now,
            self._chance,
            seating.starts,
            seating.bank.plans,
            seating.bank.values,
            seating.bank.scratch(),
            CAPPED.index(self.capped),
            self.deal_on,
        )

    def state(self, table: int) -> State:
        """A copy of a table's true position; not for agents."""
        return State(self.states[table : table + 1].copy(), self.settings)

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that changes, as plain arrays: with the same opponents, ``load_state_dict`` goes on bit for bit."""
        generator = json.dumps(self._rng.bit_generator.state).encode()
        return {
            "states": self.states.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "tables": self.tables.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "controllers": self._controllers.copy(),
            "chance": self._chance["rng"].copy(),
            "obs": self.obs.copy(),
            "mask": self.mask.copy(),
            "generator": np.frombuffer(generator, np.uint8).copy(),
        }

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> None:
        """Takes up what ``state_dict`` wrote; ValueError if it belongs to other tables."""
        now = self.state_dict()
        for name, value in now.items():
            if name not in kept or (name != "generator" and kept[name].shape != value.shape):
                found = kept[name].shape if name in kept else "nothing"
                raise ValueError(f"{name}: {found} was kept, but these tables need {value.shape}")
        self.states.view(np.uint8).reshape(self.num_envs, -1)[:] = kept["states"]
        self.tables.view(np.uint8).reshape(self.num_envs, -1)[:] = kept["tables"]
        self._controllers[:] = kept["controllers"]
        self._chance["rng"] = kept["chance"]
        self.obs[:], self.mask[:] = kept["obs"], kept["mask"]
        self._rng.bit_generator.state = json.loads(kept["generator"].tobytes())
        self._ready = True

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _odds(opponents: Sequence[Any], seats: int) -> tuple[list[Any], np.ndarray]:
    """The agents, and for each other seat the cumulated odds of drawing each, int64 (P - 1, K) in parts of ODDS."""
    if not opponents:
        raise ValueError("opponents: at least one agent is needed")
    if all(isinstance(entry, tuple) for entry in opponents):
        agents = [agent for agent, _ in opponents]
        weights = np.array([weight for _, weight in opponents], float)
        if (weights < 0).any() or not np.isfinite(weights).all() or weights.sum() <= 0:
            raise ValueError(f"opponents: weights {weights.tolist()} are not 0 or more with a positive sum")
        shares = np.tile(weights / weights.sum(), (seats - 1, 1))
    else:
        agents = list(opponents)
        if len(agents) not in (1, seats - 1):
            raise ValueError(f"opponents: {len(agents)} for {seats - 1} other seats; one for all, or one for each")
        shares = np.eye(len(agents)) if len(agents) == seats - 1 else np.ones((seats - 1, 1))
    odds = np.ceil(shares.cumsum(axis=1) * ODDS).astype(np.int64)
    odds[:, -1] = ODDS
    return agents, odds
