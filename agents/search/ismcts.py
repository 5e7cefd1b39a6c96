"""``ismcts``: Monte Carlo tree search over information sets, the way of searching that people know."""

import time

import numpy as np

from ...envs.tables.context import Context
from ...envs.tables.streams import chance_records
from .base import Searching, Thought
from .playouts import Positions
from .tree import Trees, back_up, grow, plant

CHILDREN = 4_000_000  # entries of all trees at a time
MOST_NODES = 4096  # of a tree; when it is full, playouts begin at its leaves
BLOCK = 16  # deals made at a time


class IsmctsAgent(Searching):
    """Single-observer ISMCTS (Cowling, Powley and Whitehouse 2012): every simulation deals anew what the seat cannot
    know, goes down a tree that all deals share by upper confidence bounds, each seat for itself, adds a node, and lets
    agents play on from there. It plays what it has tried most. A choice that others make in secret has a node
    for every action, as if it were seen."""

    def _together(self, context: Context) -> int:
        return max(1, CHILDREN // (self._nodes() * context.masks.shape[1]))

    def _nodes(self) -> int:
        return MOST_NODES if self.options.ms else min(self.options.deals + 1, MOST_NODES)

    def _search(self, context: Context, rows: np.ndarray, seeds: np.ndarray, thought: Thought) -> None:
        seats = context.game.spec.num_seats(context.settings)
        trees = plant(len(rows), self._nodes(), context.masks.shape[1], seats)
        chance = chance_records(seeds)
        began, done = time.perf_counter(), 0
        while not done or not self._spent(done, len(rows), began):
            count = min(BLOCK, self.options.deals - done) if not self.options.ms else BLOCK if done else 1
            positions = self._deal(context, rows, seeds, done, count)
            for k in range(count):
                its = np.arange(len(rows)) * count + k
                self._simulate(context, Positions(*(part[its] for part in positions)), trees, chance)
            began = began if done else time.perf_counter()  # the first deal does not count: it may have to compile
            done += count
        self._conclude(context, rows, trees, thought)
        thought.deals[rows] = done

    def _spent(self, done: int, rows: int, began: float) -> bool:
        if self.options.ms:
            return time.perf_counter() - began >= self.options.ms * rows / 1000
        return done >= self.options.deals

    def _simulate(self, context: Context, positions: Positions, trees: Trees, chance: np.ndarray) -> None:
        """One simulation in every tree, from one position each."""
        rules, observation = context.game.spec.rules, context.game.spec.observation
        count = len(chance)
        masks = np.zeros((count, context.masks.shape[1]), np.int8)
        actions, over = np.zeros(count, np.int64), np.zeros(count, np.bool_)
        returns = np.zeros((count, trees.totals.shape[2]), np.float32)
        exploration = self.options.exploration
        grow(rules, observation)(positions.records, tuple(trees), masks, actions, over, returns, chance, exploration)
        open_ = np.flatnonzero(~over)
        if len(open_):
            returns[open_] = self._playouts(context).returns(positions, open_, actions[open_])
        low, high = context.game.spec.parameters.payoff_bounds(context.settings)
        back_up(trees, (returns.astype(float) - low) / (high - low))

    def _conclude(self, context: Context, rows: np.ndarray, trees: Trees, thought: Thought) -> None:
        """The action that was tried most; its value, and by how much the others differ from what was tried most."""
        low, high = context.game.spec.parameters.payoff_bounds(context.settings)
        of, seats = np.arange(len(rows))[:, None], context.seats[rows][:, None]
        nodes = trees.children[:, 0]
        tried = nodes > 0
        visits = np.where(tried, trees.visits[of, nodes], 0)
        with np.errstate(invalid="ignore"):
            worth = np.where(tried, trees.totals[of, nodes, seats] / np.where(tried, visits, 1), np.nan)
        actions = visits.argmax(axis=1)
        values = low + (high - low) * worth
        best = values[of[:, 0], actions]
        thought.actions[rows], thought.values[rows] = actions, best
        thought.gains[rows] = values - best[:, None]
        thought.policy[rows] = visits / visits.sum(axis=1, keepdims=True)
