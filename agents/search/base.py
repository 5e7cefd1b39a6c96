"""What searching agents have in common: budgets, seeds, positions dealt anew, and tables to play them on."""

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...envs.core.chance import seed_streams
from ...envs.tables.context import Context
from ...envs.tables.kernel import LEARNER
from ...envs.tables.past import copied
from .belief import REMEMBERED, Belief
from .models import Models
from .options import NO_BELIEF, SearchOptions
from .playouts import CutPlayouts, Playouts, Positions

PLAYING, BELIEVING = 32, 34  # branches of a decision's seed
FEWEST_CANDIDATES, MOST_CANDIDATES = 512, 4096  # among which a belief chooses the deals of a decision
A_DEAL = 8  # candidates for each deal of the budget
GOLDEN = 0.6180339887498949  # steps of this size fall evenly over what they go round


@dataclass(frozen=True)
class Thought:
    """What a search found in B positions with A actions.

    ``actions`` int64 (B,): what it does; ``policy`` float64 (B, A): with which probability it would have done what;
    ``gains`` float64 (B, A): by how much each action is better than the proposal, NaN where it is not legal or nobody
    knows; ``errors`` float64 (B, A): the standard errors of these, NaN where nobody knows; ``values`` float64 (B,):
    what the position is worth to the seat if it plays ``policy`` now, as returns; ``deals`` int64 (B,): positions
    dealt, 0 where there was no choice.
    """

    actions: np.ndarray
    policy: np.ndarray
    gains: np.ndarray
    errors: np.ndarray
    values: np.ndarray
    deals: np.ndarray

    @classmethod
    def without_choice(cls, masks: np.ndarray) -> "Thought":
        """What is thought where nobody searches: the first legal action, for certain, at a value unknown."""
        rows = np.arange(len(masks))
        actions, policy = masks.argmax(axis=1), np.zeros(masks.shape)
        policy[rows, actions] = 1.0
        gains = np.where(masks != 0, 0.0, np.nan)
        return cls(
            actions,
            policy,
            gains,
            np.full(gains.shape, np.nan),
            np.full(len(masks), np.nan),
            np.zeros(len(masks), np.int64),
        )


POOLS = "pools"  # of the decisions that a thread searches now


class Pool:
    """Candidates for deals, with log weights float64 (C,): a deal is one of them, as often as its weight says."""

    def __init__(self, candidates: np.ndarray, logs: np.ndarray):
        weights = np.exp(logs - logs.max())
        self.candidates, self.reached = candidates, weights.cumsum() / weights.sum()

    def take(self, first: int, count: int) -> np.ndarray:
        """Deals ``first`` to ``first + count``, as records; evenly over the weights, whatever was taken before."""
        places = ((np.arange(first, first + count) + 0.5) * GOLDEN) % 1.0
        which = np.minimum(np.searchsorted(self.reached, places), len(self.candidates) - 1)
        return copied(self.candidates, which)


class Searching:
    """An agent that searches; a way of searching is a class with ``_search``.

    With a budget in deals the same position and seed give the same choice, whatever else is searched at that time.
    """

    def __init__(self, models: Models, options: SearchOptions, name: str):
        if options.horizon:
            if not getattr(models.proposal, "has_values", False):
                raise ValueError(
                    f"horizon={options.horizon}: the proposal {models.proposal.name} does not tell what a position is "
                    "worth; a trained network is wanted that keeps its value head"
                )
            models = replace(models, own=LEARNER)
        self.models, self.options, self.name = models, options, name
        self.belief = None if options.belief == NO_BELIEF else Belief(models.believed)
        self.wants_past = 0 if self.belief is None else REMEMBERED
        self.uses_rng = self.belief is not None  # else a choice hangs on the position and the options' seed alone
        self._own = threading.local()

    def act_in(self, context: Context) -> np.ndarray:
        """One action for every row."""
        return self.think(context).actions

    def think(self, context: Context) -> Thought:
        """What a search in every row finds; rows without a choice are not searched."""
        thought = Thought.without_choice(context.masks)
        choices = np.flatnonzero((context.masks != 0).sum(axis=1) > 1)
        together = self._together(context)
        for low in range(0, len(choices), together):
            rows = choices[low : low + together]
            seeds = np.array([self._seed(context, row) for row in rows], np.uint64)
            self._own.__dict__[POOLS] = {}
            self._search(context, rows, seeds, thought)
        return thought

    def _together(self, context: Context) -> int:
        """How many decisions are searched at a time."""
        raise NotImplementedError

    def _search(self, context: Context, rows: np.ndarray, seeds: np.ndarray, thought: Thought) -> None:
        """Writes what is found in the rows, each with its own seed, uint64."""
        raise NotImplementedError

    def _seed(self, context: Context, row: int) -> int:
        """The seed of a decision, from all that its seat is told of the position."""
        told = hashlib.blake2b(f"{self.options.seed} {context.seats[row]} ".encode(), digest_size=8)
        told.update(np.ascontiguousarray(context.observations[row]).tobytes())
        told.update(np.ascontiguousarray(context.masks[row]).tobytes())
        return int.from_bytes(told.digest(), "little")

    def _deal(self, context: Context, rows: np.ndarray, seeds: np.ndarray, first: int, count: int) -> Positions:
        """Deals ``first`` to ``first + count`` of every row, one row after the other."""
        seats = context.game.spec.num_seats(context.settings)
        records, lineups, chance = [], [], []
        for row, seed in zip(rows, seeds, strict=True):
            own = int(seed) + (first << 64)
            if self.belief is None:
                records.append(context.positions(row, count, own))
            else:
                records.append(self._pool(context, int(row), int(seed)).take(first, count))
            words = seed_streams(own, count * (seats + 1), PLAYING).reshape(count, seats + 1)
            lineups.append(self.models.lineups(int(context.seats[row]), words[:, :seats]))
            chance.append(words[:, seats])
        return Positions(np.concatenate(records), np.concatenate(lineups), np.concatenate(chance))

    def _pool(self, context: Context, row: int, seed: int) -> Pool:
        """The weighted candidates of a decision, dealt and weighed once."""
        assert self.belief is not None
        pools: dict[int, Pool] = self._own.__dict__[POOLS]
        if seed not in pools:
            size = min(max(A_DEAL * self.options.deals, FEWEST_CANDIDATES), MOST_CANDIDATES)
            candidates = context.positions(row, size, seed)
            rng = np.random.default_rng([seed, BELIEVING])
            logs = self.belief.log_weights(context.part(np.array([row]), rng), 0, candidates)
            pools[seed] = Pool(candidates, logs)
        return pools[seed]

    def _playouts(self, context: Context) -> Playouts:
        """The tables of this thread for the context's game."""
        kept: dict[Any, Playouts] = self._own.__dict__
        key = f"{context.game.spec.id} {sorted(context.settings.items())}"
        if key not in kept:
            kept[key] = self._new_playouts(context)
        return kept[key]

    def _new_playouts(self, context: Context) -> Playouts:
        own = (context.game, context.settings, self.models.agents)
        if self.options.horizon:
            return CutPlayouts(*own, self.models.proposal, self.options.horizon, self.options.threads)
        return Playouts(*own, self.options.threads)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_own"}

    def __setstate__(self, kept: Mapping[str, Any]) -> None:
        self.__dict__.update(kept)
        self._own = threading.local()
