"""What every seat decided: rewards reach the decision that earned them, along each seat's own decisions, whoever acted
in between."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

Columns = Mapping[str, tuple[tuple[int, ...], type]]  # of each array by name: the shape of a row, and its type
END = -1  # in ``next``: the game ended after this decision
OPEN = -2  # in ``next``: the seat has not decided again yet


@dataclass
class Transitions:
    """Decisions with what came of them, for learning off the policy; all arrays (m, ...).

    The next observation is the one of the same seat's next decision, or of one of those that follow it; after the last
    of a game it is 0, with a mask of nothing.
    """

    observations: np.ndarray  # float32 (m, D)
    masks: np.ndarray  # bool (m, A)
    actions: np.ndarray  # int64
    rewards: np.ndarray  # float32, all that came to the seat until then, discounted by its decisions
    next_observations: np.ndarray  # float32 (m, D)
    next_masks: np.ndarray  # bool (m, A)
    ended: np.ndarray  # bool: the game ended before that
    roles: np.ndarray  # int64
    discounts: np.ndarray  # float32, of what the next observation is worth

    def rows(self, rows: np.ndarray) -> "Transitions":
        """Some of them."""
        return Transitions(**{name: value[rows] for name, value in vars(self).items()})


class Decisions:
    """The decisions of ``steps`` steps at ``tables`` tables of ``seats`` seats, and those left open before.

    Row k of every array is one decision. ``columns`` are further arrays by name, of what a learner wants to remember of
    a decision: the shape of a row and its type.

    A seat's last decision stays open until the seat decides again or its game ends, which may be in a later rollout:
    a seat that is out of a game waits long for its payoff. ``carry`` takes the open ones along; with ``whole_games``
    it takes along all of games that have not ended, however many these are.
    """

    def __init__(
        self,
        steps: int,
        tables: int,
        seats: int,
        features: int,
        num_actions: int,
        columns: Columns | None = None,
        whole_games: bool = False,
    ):
        self.whole_games = whole_games
        size = (steps + seats) * tables
        self.tables = tables
        self.observations = np.zeros((size, features), np.float32)
        self.masks = np.zeros((size, num_actions), np.bool_)
        self.actions = np.zeros(size, np.int64)
        self.rewards = np.zeros(size, np.float32)
        self.roles = np.zeros(size, np.int64)
        self.next = np.zeros(size, np.int64)
        self.columns: dict[str, np.ndarray] = {
            name: np.zeros((size, *shape), kind) for name, (shape, kind) in (columns or {}).items()
        }
        self.count = 0
        self.carried = 0  # decisions at the front that an earlier rollout left open
        self.last = np.full((tables, seats), -1, np.int64)  # each seat's open decision
        self.owed = np.zeros((tables, seats), np.float32)  # what came to each seat since
        self._rows = np.arange(tables)

    def add(
        self,
        seats: np.ndarray,
        observations: np.ndarray,
        masks: np.ndarray,
        actions: np.ndarray,
        roles: np.ndarray,
        columns: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """One decision at every table, by the seats (tables,)."""
        self._make_room(self.count + self.tables)
        new = np.arange(self.count, self.count + self.tables)
        before = self.last[self._rows, seats]
        decided = before >= 0
        self.rewards[before[decided]] += self.owed[self._rows[decided], seats[decided]]
        self.next[before[decided]] = new[decided]
        self.owed[self._rows, seats] = 0  # what came before a seat's first decision is nobody's merit
        self.last[self._rows, seats] = new
        part = slice(self.count, self.count + self.tables)
        self.observations[part], self.masks[part], self.actions[part] = observations, masks, actions
        self.roles[part], self.rewards[part], self.next[part] = roles, 0, OPEN
        for name, column in self.columns.items():
            column[part] = columns[name] if columns is not None else 0
        self.count += self.tables

    def pay(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """What the step gave to every seat, float32 (tables, seats), and which games it ended, bool (tables,)."""
        self.owed += rewards
        for table in np.flatnonzero(ended):
            waiting = self.last[table] >= 0
            open_ones = self.last[table, waiting]
            self.rewards[open_ones] += self.owed[table, waiting]
            self.next[open_ones] = END
            self.last[table], self.owed[table] = -1, 0

    def known(self) -> np.ndarray:
        """The rows of every decision that is no longer open, in order."""
        return np.flatnonzero(self.next[: self.count] != OPEN)

    def steps(self) -> list[slice]:
        """The rows that were added together, in order; first those that were carried."""
        bounds = [0, *range(self.carried, self.count + 1, self.tables)]
        return [slice(start, stop) for start, stop in zip(bounds, bounds[1:], strict=False)]

    def returns(self, gamma: float) -> tuple[np.ndarray, np.ndarray]:
        """The rows whose game has ended, in order, and what came to the seat from then to the end, float32,
        discounted by its decisions. Of all decisions, ``whole_games`` only."""
        found, ended = self.rewards[: self.count].astype(np.float64), np.zeros(self.count, np.bool_)
        for row in range(self.count - 1, -1, -1):  # what follows a decision stands behind it
            after = self.next[row]
            ended[row] = after == END or (after >= 0 and ended[after])
            if after >= 0:
                found[row] += gamma * found[after]
        rows = np.flatnonzero(ended)
        return rows, found[rows].astype(np.float32)

    def transitions(self, steps: int = 1, gamma: float = 1.0) -> Transitions:
        """Every decision that is no longer open, with what came of it until the seat's ``steps``-th decision after
        it, or the latest that there is."""
        rows = self.known()
        rewards, after = self.rewards[rows].astype(np.float64), self.next[rows]
        discounts = np.full(len(rows), gamma)
        for _ in range(steps - 1):
            on = np.flatnonzero((after >= 0) & (self.next[np.maximum(after, 0)] != OPEN))
            rewards[on] += discounts[on] * self.rewards[after[on]]
            discounts[on] *= gamma
            after[on] = self.next[after[on]]
        ended = after == END
        index = np.where(ended, 0, after)
        return Transitions(
            observations=self.observations[rows],
            masks=self.masks[rows],
            actions=self.actions[rows],
            rewards=rewards.astype(np.float32),
            next_observations=np.where(ended[:, None], np.float32(0), self.observations[index]),
            next_masks=self.masks[index] & ~ended[:, None],
            ended=ended,
            roles=self.roles[rows],
            discounts=discounts.astype(np.float32),
        )

    def carry(self) -> None:
        """Begins the next rollout: only the open decisions stay, at the front, or all of the games that go on."""
        kept = np.flatnonzero(self.next[: self.count] == OPEN)
        if self.whole_games:
            kept = np.setdiff1d(np.arange(self.count), self.returns(1.0)[0], assume_unique=True)
        place = np.full(self.count + 1, -1, np.int64)
        place[kept] = np.arange(len(kept))
        for column in self._arrays().values():
            column[: len(kept)] = column[kept]
        after = self.next[: len(kept)]
        after[after >= 0] = place[after[after >= 0]]
        self.last = place[self.last]  # -1 stays -1: the last place is
        self.count = self.carried = len(kept)

    def _make_room(self, count: int) -> None:
        """Longer arrays where ``count`` decisions do not fit."""
        if count <= len(self.actions):
            return
        for name, array in self._arrays().items():
            longer = np.zeros((max(count, 2 * len(array)), *array.shape[1:]), array.dtype)
            longer[: len(array)] = array
            if name in self.columns:
                self.columns[name] = longer
            else:
                setattr(self, name, longer)

    def _arrays(self) -> dict[str, np.ndarray]:
        names = ("observations", "masks", "actions", "rewards", "roles", "next")
        return {name: getattr(self, name) for name in names} | self.columns

    def state_dict(self) -> dict[str, np.ndarray]:
        """The open decisions, as ``carry`` leaves them."""
        kept = {name: column[: self.count].copy() for name, column in self._arrays().items()}
        return {**kept, "last": self.last.copy(), "owed": self.owed.copy()}

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> None:
        """The inverse."""
        self._make_room(len(kept["actions"]))
        self.count = self.carried = len(kept["actions"])
        self.last, self.owed = kept["last"].copy(), kept["owed"].copy()
        for name, column in self._arrays().items():
            column[: self.count] = kept[name]
