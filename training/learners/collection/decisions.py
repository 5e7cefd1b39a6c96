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

    The next observation is the one of the same seat's next decision; after the last of a game it is 0, with a mask of
    nothing.
    """

    observations: np.ndarray  # float32 (m, D)
    masks: np.ndarray  # bool (m, A)
    actions: np.ndarray  # int64
    rewards: np.ndarray  # float32, all that came to the seat until its next decision
    next_observations: np.ndarray  # float32 (m, D)
    next_masks: np.ndarray  # bool (m, A)
    ended: np.ndarray  # bool: the game ended before the seat decided again
    roles: np.ndarray  # int64


class Decisions:
    """The decisions of ``steps`` steps at ``tables`` tables of ``seats`` seats, and those left open before.

    Row k of every array is one decision. ``columns`` are further arrays by name, of what a learner wants to remember of
    a decision: the shape of a row and its type.

    A seat's last decision stays open until the seat decides again or its game ends, which may be in a later rollout:
    a seat that is out of a game waits long for its payoff. ``carry`` takes the open ones along.
    """

    def __init__(
        self,
        steps: int,
        tables: int,
        seats: int,
        features: int,
        num_actions: int,
        columns: Columns | None = None,
    ):
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

    def transitions(self) -> Transitions:
        """Every decision that is no longer open, with what came of it."""
        rows = self.known()
        after = self.next[rows]
        ended = after == END
        index = np.where(ended, 0, after)
        return Transitions(
            observations=self.observations[rows],
            masks=self.masks[rows],
            actions=self.actions[rows],
            rewards=self.rewards[rows],
            next_observations=np.where(ended[:, None], np.float32(0), self.observations[index]),
            next_masks=self.masks[index] & ~ended[:, None],
            ended=ended,
            roles=self.roles[rows],
        )

    def carry(self) -> None:
        """Begins the next rollout: only the open decisions stay, at the front."""
        kept = np.flatnonzero(self.next[: self.count] == OPEN)
        place = np.full(self.count + 1, -1, np.int64)
        place[kept] = np.arange(len(kept))
        for column in self._arrays().values():
            column[: len(kept)] = column[kept]
        self.last = place[self.last]  # -1 stays -1: the last place is
        self.count = self.carried = len(kept)

    def _arrays(self) -> dict[str, np.ndarray]:
        names = ("observations", "masks", "actions", "rewards", "roles", "next")
        return {name: getattr(self, name) for name in names} | self.columns

    def state_dict(self) -> dict[str, np.ndarray]:
        """The open decisions, as ``carry`` leaves them."""
        kept = {name: column[: self.count].copy() for name, column in self._arrays().items()}
        return {**kept, "last": self.last.copy(), "owed": self.owed.copy()}

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> None:
        """The inverse."""
        self.count = self.carried = len(kept["actions"])
        self.last, self.owed = kept["last"].copy(), kept["owed"].copy()
        for name, column in self._arrays().items():
            column[: self.count] = kept[name]
