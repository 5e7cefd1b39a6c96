"""Many tables at which the caller decides for one seat and agents for the others, or the caller for all.

Each ``step`` takes one action per table, for whichever of the caller's seats is to act there; agents play inside it.
Rewards come to all seats: to one that did not act, too.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..core.chance import below, fresh_seed, seed_streams
from ..core.compiler import driver, layout, rule
from ..core.game import Game, State
from .batch import batch_actions, check_count
from .seating import ABSENT, OUTSIDE, Seating, decide
from .streams import chance_records

TRUNCATED_AS = ("payoff", "ranked", "loss")
PAYOFF, RANKED, LOSS = range(3)
ODDS = 2**32 - 1  # draws of opponents are in parts of this
LINEUPS, PYTHON = 21, 22  # branches of the seed
OVER, ILLEGAL = 1, 2  # what a table waits for, beside OUTSIDE and agents asked in Python

TABLE = layout(
    own="i8",  # the caller's seat; one of them where it has several
    mirror="i8",  # 1: all seats are the caller's
    seat="i8",  # to act
    waiting="i8",  # OUTSIDE: the caller; negative: an agent asked in Python; OVER; ILLEGAL
    length="i8",  # decisions so far
    ended="i8",  # 1: a game ended in this step
    truncated="i8",  # 1: that game was cut by the decision cap
    final_length="i8",  # its decisions
    due="i8",  # 1: an action is to be applied
    fresh="i8",  # 1: a game is to be dealt first
)


@rule
def draw_agent(odds, ids, role, chance):
    """One of the agents who can play a role, by the cumulated odds; the number of who decides for it."""
    while True:
        k = 0
        ticket = below(chance, ODDS)
        while ticket >= odds[k]:
            k += 1
        if ids[k, role] != ABSENT:
            return ids[k, role]


@rule
def draw_lineup(t, row, mirrored, learner_seats, whole_roles, roles, odds, ids, chance):
    """Who sits where in the next game: the caller everywhere (``mirrored`` in ODDS), at all seats of one role
    (``whole_roles``), or at one seat."""
    seats = len(row)
    t.own = learner_seats[below(chance, len(learner_seats))]
    t.mirror = 1 if below(chance, ODDS) < mirrored else 0
    row[t.own] = OUTSIDE
    for step in range(1, seats):
        seat = (t.own + step) % seats
        agent = draw_agent(odds[step - 1], ids, roles[seat], chance)
        own = t.mirror or (whole_roles and roles[seat] == roles[t.own])
        row[seat] = OUTSIDE if own else agent


@rule
def pay_seats(rules, s, now, totals, rewards):
    """Adds to each seat what its returns have risen by since the last time."""
    rules.returns(s, now)
    for p in range(len(now)):
        rewards[p] += now[p] - totals[p]
        totals[p] = now[p]


@rule
def close_game(rules, view, s, t, truncated_as, now, totals, rewards, final_observation, final_returns):
    """The last payoffs of a game; one that was cut counts as ``truncated_as`` says."""
    t.ended = 1
    t.truncated = 1 if rules.is_truncated(s) else 0
    t.final_length = t.length
    rules.returns(s, now)
    for p in range(len(now)):
        final_returns[p] = now[p]
    if t.truncated and truncated_as == RANKED:
        rules.truncated_returns(s, now)
    elif t.truncated and truncated_as == LOSS:
        for p in range(len(now)):
            now[p] = -1.0
    for p in range(len(now)):
        rewards[p] += now[p] - totals[p]
    if t.mirror == 0:
        view.observe(s, t.own, final_observation)


@rule
def only_action(mask):
    """The legal action if there is but one, -1 if there is a choice."""
    found = -1
    for action in range(len(mask)):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


@driver
def step_arena(rules, view, bot):
    """Plays the tables ``which`` on until each waits for the caller, or for an agent asked in Python.

    A table whose ``due`` is set applies its action first, one that is ``fresh`` is dealt. A finished game is dealt
    anew at once where ``deal_on``, else the table is OVER. With ``choices_only`` the caller is not asked where it has
    but one legal action. Should a second game end in the same step, the caller decided nothing in it, and it is not
    counted.
    """

    def run(
        states,
        tables,
        which,
        actions,
        controllers,
        mirrored,
        learner_seats,
        whole_roles,
        roles,
        odds,
        ids,
        observations,
        masks,
        final_observations,
        final_returns,
        rewards,
        totals,
        now,
        chance,
        starts,
        plans,
        values,
        scratch,
        truncated_as,
        deal_on,
        choices_only,
    ):
        for i in which:
            s = states[i]
            t = tables[i]
            mask = masks[i]
            if t.due:
                rules.apply_action(s, actions[i])
                t.length += 1
                t.due = 0
            ends = 0
            while True:
                if t.fresh:
                    rules.deal(s)
                    draw_lineup(t, controllers[i], mirrored, learner_seats, whole_roles, roles, odds, ids, chance[i])
                    for p in range(totals.shape[1]):
                        totals[i, p] = 0.0
                    t.length = 0
                    t.fresh = 0
                if rules.is_terminal(s):
                    ends += 1
                    if t.ended == 0:
                        close_game(
                            rules,
                            view,
                            s,
                            t,
                            truncated_as,
                            now[i],
                            totals[i],
                            rewards[i],
                            final_observations[i],
                            final_returns[i],
                        )
                    if not deal_on:
                        rules.legal_actions(s, mask)
                        t.waiting = OVER
                        break
                    t.fresh = 1
                    continue
                seat = rules.current_player(s)
                rules.legal_actions(s, mask)
                t.seat = seat
                if choices_only and controllers[i, seat] == OUTSIDE and ends < 2:  # there may be no choice in any game
                    action = only_action(mask)
                    if action >= 0:
                        rules.apply_action(s, action)
                        t.length += 1
                        continue
                if controllers[i, seat] <= OUTSIDE:
                    view.observe(s, seat, observations[i])
                    if t.ended == 0 and controllers[i, seat] == OUTSIDE:
                        # What is paid in a game that began in this step counts from its first decision on.
                        pay_seats(rules, s, now[i], totals[i], rewards[i])
                    t.waiting = controllers[i, seat]
                    break
                action = decide(
                    bot,
                    view,
                    s,
                    seat,
                    controllers[i, seat],
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


class Arena:
    """``num_envs`` tables; buffers for n tables, P seats, A actions, D features, valid until the next call:

    - ``obs`` float32 (n, D), ``mask`` int8 (n, A): of the caller's seat that is to act (``tables["seat"]``);
    - ``tables`` records (n,), see TABLE;
    - ``rewards`` float32 (n, P): what each seat got by the last step;
    - ``final_returns`` float32 (n, P), ``final_obs`` float32 (n, D): of games that ended in the last step; the
      observation is the caller's, where only one seat is.

    ``self_play_share`` of the games have the caller at every seat. ``opponents`` is either a list of (agent, weight)
    pairs, from which every other seat draws for every game, or a list of agents: one for all other seats, or one for
    each, clockwise from the caller. ``truncated_as`` is what a game cut by the decision cap counts as in ``rewards``:
    "payoff" what the environment pays (0), "ranked" by the game's own ranking, "loss" -1. ``learner_seats`` are
    the seats that the caller may be given, all alike (one that is named twice comes twice as often), by default those
    of the first role; with ``whole_roles`` it has all seats that play the same role as that one. With ``choices_only``
    the caller is asked only where it has a choice: its decisions with one legal action are taken for it.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Any],
        num_players: int | None = None,
        truncated_as: str = "payoff",
        learner_seats: Sequence[int] | None = None,
        threads: int = 1,
        deal_on: bool = True,
        self_play_share: float = 0.0,
        whole_roles: bool = False,
        choices_only: bool = False,
        **options: Any,
    ):
        if truncated_as not in TRUNCATED_AS:
            raise ValueError(f"truncated_as={truncated_as!r}: allowed is {', '.join(map(repr, TRUNCATED_AS))}")
        self.game = game
        self.num_envs, self.threads = check_count("num_envs", num_envs), check_count("threads", threads)
        self.settings = game.spec.settings(num_players, **options)
        self.truncated_as, self.deal_on = truncated_as, deal_on
        n, seats = self.num_envs, game.spec.num_seats(self.settings)
        roles = game.spec.seat_roles(self.settings)
        chosen = [seat for seat in range(seats) if roles[seat] == 0] if learner_seats is None else list(learner_seats)
        if not chosen or any(seat not in range(seats) for seat in chosen):
            raise ValueError(f"learner_seats={learner_seats!r}: allowed are seats from 0 to {seats - 1}")
        if not 0 <= self_play_share <= 1:
            raise ValueError(f"self_play_share={self_play_share!r}: allowed is 0 to 1")
        self.learner_seats = np.array(chosen, np.int64)
        self.choices_only = choices_only
        self._mirrored, self.whole_roles = round(self_play_share * ODDS), whole_roles
        agents, self.odds = _odds(opponents, seats)
        self.seating = Seating(game, self.settings, agents)
        _check_roles(self.seating, self.odds)
        features = game.spec.observation_size(self.settings)
        self.states = game.empty_states(self.settings, n)
        self.tables = np.zeros(n, TABLE)
        self.obs, self.final_obs = (np.zeros((n, features), np.float32) for _ in range(2))
        self.mask = np.zeros((n, game.spec.num_actions), np.int8)
        self.final_returns, self.rewards = (np.zeros((n, seats), np.float32) for _ in range(2))
        self._totals, self._now = (np.zeros((n, seats), np.float32) for _ in range(2))
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
        # A game that ended before the caller's first decision is none of its own.
        self.tables["ended"] = 0
        self.rewards[:] = 0

    def step(self, actions: np.ndarray) -> None:
        """The caller's action at every table, whole numbers (n,), then all others' until it is to act again.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._ready:
            raise RuntimeError("step() needs games: call reset() first")
        actions = batch_actions(actions, self.num_envs)
        inside = (actions >= 0) & (actions < self.mask.shape[1])
        legal = inside & (self.mask[np.arange(self.num_envs), np.where(inside, actions, 0)] != 0)
        if not legal.all():
            table = int(legal.argmin())
            self._refuse(table, int(self.tables["seat"][table]), actions[table])
        self._actions[:] = actions
        self.tables["due"] = 1
        self._play_on()

    def _refuse(self, table: int, seat: int, action: Any) -> None:
        agent = f"table {table}, {self.game.spec.agent_names(self.settings)[seat]}"
        raise self.game.spec.illegal_action(self.settings, agent, action, np.flatnonzero(self.mask[table]).tolist())

    def _play_on(self) -> None:
        self.tables["ended"] = 0
        self.rewards[:] = 0
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
        step_arena(*seating.modules)(
            self.states,
            self.tables,
            which,
            self._actions,
            self._controllers,
            self._mirrored,
            self.learner_seats,
            self.whole_roles,
            seating.roles,
            self.odds,
            seating.controllers,
            self.obs,
            self.mask,
            self.final_obs,
            self.final_returns,
            self.rewards,
            self._totals,
            self._now,
            self._chance,
            seating.starts,
            seating.bank.plans,
            seating.bank.values,
            seating.bank.scratch(),
            TRUNCATED_AS.index(self.truncated_as),
            self.deal_on,
            self.choices_only,
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
            "totals": self._totals.copy(),
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
        self._totals[:] = kept["totals"]
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


def _check_roles(seating: Seating, odds: np.ndarray) -> None:
    """ValueError if for some other seat no agent could be drawn, whatever role it plays."""
    drawn = np.diff(odds, axis=1, prepend=0) > 0
    for agents in drawn:
        for number in np.unique(seating.roles):
            if (seating.controllers[agents, number] == ABSENT).all():
                role = seating.game.spec.roles[number].name
                names = ", ".join(agent.name for agent, one in zip(seating.agents, agents, strict=True) if one)
                raise ValueError(f"opponents: none of {names} has a network for the role {role!r}")
