"""Many tables at which the learner decides at one seat and agents at the others, or the learner at all seats.

Each ``step`` takes one action per table, for whichever of the learner's seats is to act there; agents play inside it.
Rewards come to all seats: to one that did not act, too.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.chance import fresh_seed, seed_streams
from ..core.game import Game, State
from .batch import Batch, batch_actions, check_count
from .context import Context
from .kernel import COUNTED_AS, ODDS, Drawing, Setup
from .seating import Seating
from .truncation import FOR_LEARNERS, TruncatedAs, check_truncated_as

LINEUPS, PYTHON = 21, 22  # branches of the seed


class Arena:
    """``num_envs`` tables; buffers for n tables, P seats, A actions, D features, valid until the next call:

    - ``obs`` float32 (n, D), ``mask`` int8 (n, A): of the learner's seat that is to act (``tables["seat"]``);
    - ``tables`` records (n,), see TABLE;
    - ``rewards`` float32 (n, P): what each seat got by the last step;
    - ``final_returns`` float32 (n, P), ``final_obs`` float32 (n, D): of games that ended in the last step; the
      observation is the learner's, where only one seat is.

    ``self_play_share`` of the games have the learner at every seat. ``opponents`` is either a list of (agent, weight)
    pairs, from which every other seat draws for every game, or a list of agents: one for all other seats, or one for
    each, clockwise from the learner. ``truncated_as`` is what a truncated game counts as in ``rewards``:
    "payoff" what the environment pays (0), "ranked" by the game's own ranking, "loss" -1. ``learner_seats`` are
    the seats that the learner may be given, all alike (one that is named twice comes twice as often), by default those
    of the first role; with ``whole_roles`` it has all seats that play the same role as that one. With ``choices_only``
    the learner is asked only where it has a choice: its decisions with one legal action are taken for it.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Any],
        num_players: int | None = None,
        truncated_as: TruncatedAs = FOR_LEARNERS,
        learner_seats: Sequence[int] | None = None,
        threads: int = 1,
        deal_on: bool = True,
        self_play_share: float = 0.0,
        whole_roles: bool = False,
        choices_only: bool = False,
        **options: Any,
    ):
        self.game = game
        self.num_envs = check_count("num_envs", num_envs)
        self.settings = game.spec.settings(num_players, **options)
        seats = game.spec.num_seats(self.settings)
        roles = game.spec.seat_roles(self.settings)
        chosen = [seat for seat in range(seats) if roles[seat] == 0] if learner_seats is None else list(learner_seats)
        if not chosen or any(seat not in range(seats) for seat in chosen):
            raise ValueError(f"learner_seats={learner_seats!r}: allowed are seats from 0 to {seats - 1}")
        if not 0 <= self_play_share <= 1:
            raise ValueError(f"self_play_share={self_play_share!r}: allowed is 0 to 1")
        self.learner_seats = np.array(chosen, np.int64)
        self.truncated_as = check_truncated_as(truncated_as)
        agents, self._odds = _odds(opponents, seats)
        self.seating = Seating(game, self.settings, agents)
        self.seating.check_odds(self._odds)
        drawing = Drawing(
            roles=self.seating.roles,
            draws_lineups=True,
            learner_seats=self.learner_seats,
            self_play=round(self_play_share * ODDS),
            whole_roles=whole_roles,
            odds=self._odds,
        )
        setup = Setup(deals_on=deal_on, choices_only=choices_only, truncated_as=COUNTED_AS[truncated_as])
        self.batch = Batch(self.seating, self.num_envs, setup, drawing, threads=check_count("threads", threads))
        buffers = self.batch.buffers
        self.states, self.tables, self.lineups = buffers.states, buffers.tables, self.batch.seats.lineups
        self.obs, self.mask = buffers.observations, buffers.masks
        self.final_obs = self.batch.seats.final_observations
        self.final_returns, self.rewards = buffers.final_returns, buffers.rewards
        self._ready = False

    def reset(self, seed: int | None = None) -> None:
        """Deals all tables anew; without a seed the chance streams go on."""
        if seed is not None or not self._ready:
            seed = fresh_seed() if seed is None else seed
            self.states["rng"] = seed_streams(seed, self.num_envs)
            self.batch.seats.chance["rng"] = seed_streams(seed, self.num_envs, LINEUPS)
            self.batch.rng = np.random.default_rng([seed, PYTHON])
        self._ready = True
        self.batch.deal()
        # A game that ended before the learner's first decision is none of its own.
        self.tables["ended"] = False
        self.rewards[:] = 0

    def step(self, actions: np.ndarray) -> None:
        """The learner's action at every table, whole numbers (n,), then all others' until it is to act again.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._ready:
            raise RuntimeError("step() needs games: call reset() first")
        self.batch.step(batch_actions(actions, self.num_envs))

    def step_rows(self, actions: np.ndarray, rows: np.ndarray) -> None:
        """As ``step``, at the tables ``rows`` alone; actions, whole numbers (n,), are read there only."""
        if not self._ready:
            raise RuntimeError("step_rows() needs games: call reset() first")
        self.batch.step(batch_actions(actions, self.num_envs), rows)

    def deal_rows(self, rows: np.ndarray) -> None:
        """New games at the tables ``rows``; for tables that do not deal on by themselves."""
        self.batch.deal(rows)
        self.rewards[rows] = 0

    def context(self) -> Context:
        """What an agent may be told that decides for the learner at all tables; valid until the next step."""
        return self.batch.context(np.arange(self.num_envs))

    def replace(self, k: int, agent: Any) -> None:
        """Seats another agent in place of opponent k, one of its kind, at once and also in games under way."""
        self.batch.replace(k, agent)

    def weigh(self, weights: Sequence[float]) -> None:
        """How often each of the opponents, in their order, is drawn from the next game on, relative to the others."""
        agents = self.seating.agents
        if len(weights) != len(agents):
            raise ValueError(f"weights: {len(weights)} for {len(agents)} opponents")
        _, odds = _odds(list(zip(agents, weights, strict=True)), len(self._odds) + 1)
        self.seating.check_odds(odds)
        self._odds[:] = odds  # compiled code reads these

    def state(self, table: int) -> State:
        """A copy of a table's true position; not for agents."""
        return State(self.states[table : table + 1].copy(), self.settings)

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that changes, as plain arrays: with the same opponents, ``load_state_dict`` goes on bit for bit."""
        generator = json.dumps(self.batch.rng.bit_generator.state).encode()
        return {
            "states": self.states.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "tables": self.tables.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "lineups": self.lineups.copy(),
            "totals": self.batch.buffers.totals.copy(),
            "chance": self.batch.seats.chance["rng"].copy(),
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
        self.lineups[:] = kept["lineups"]
        self.batch.buffers.totals[:] = kept["totals"]
        self.batch.seats.chance["rng"] = kept["chance"]
        self.obs[:], self.mask[:] = kept["obs"], kept["mask"]
        self.batch.seats.unasked[:] = True  # agents do not remember across runs
        self.batch.trail.counts[:] = 0
        self.batch.rng.bit_generator.state = json.loads(kept["generator"].tobytes())
        self._ready = True

    def close(self) -> None:
        """Ends the threads."""
        self.batch.close()


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
