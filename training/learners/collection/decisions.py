"""What every seat decided: rewards reach the decision that earned them, and advantages run along each seat's own
decisions, whoever acted in between."""

from dataclasses import dataclass

import numpy as np

END = -1  # in ``next``: the game ended after this decision
OPEN = -2  # in ``next``: the seat has not decided again yet


@dataclass
class Samples:
    """Decisions that can be learnt from, with their advantages; all arrays (m,) but the first two."""

    observations: np.ndarray  # float32 (m, D)
    masks: np.ndarray  # bool (m, A)
    actions: np.ndarray  # int64
    log_probs: np.ndarray  # float32, when they were taken
    values: np.ndarray  # float32, as they were judged then
    roles: np.ndarray  # int64
    advantages: np.ndarray  # float32
    returns: np.ndarray  # float32, what the value should have been

    @classmethod
    def joined(cls, parts: "list[Samples]") -> "Samples":
        """The samples of several rollouts, one after the other."""
        return cls(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})

    def of_role(self, role: int) -> "Samples":
        """The decisions of one role's seats."""
        rows = np.flatnonzero(self.roles == role)
        return Samples(**{name: value[rows] for name, value in vars(self).items()})


class Decisions:
    """The decisions of ``steps`` steps at ``tables`` tables of ``seats`` seats, and those left open before.

    A seat's last decision stays open until the seat decides again or its game ends, which may be in a later rollout:
    a seat that is out of a game waits long for its payoff. ``carry`` takes the open ones along.
    """

    def __init__(self, steps: int, tables: int, seats: int, features: int, num_actions: int):
        size = (steps + seats) * tables
        self.tables = tables
        self.observations = np.zeros((size, features), np.float32)
        self.masks = np.zeros((size, num_actions), np.bool_)
        self.actions = np.zeros(size, np.int64)
        self.log_probs, self.values, self.rewards = (np.zeros(size, np.float32) for _ in range(3))
        self.roles = np.zeros(size, np.int64)
        self.next = np.zeros(size, np.int64)
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
        log_probs: np.ndarray,
        values: np.ndarray,
        roles: np.ndarray,
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
        self.observations[part], self.masks[part] = observations, masks
        self.actions[part], self.log_probs[part], self.values[part] = actions, log_probs, values
        self.roles[part], self.rewards[part], self.next[part] = roles, 0, OPEN
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

    def advantages(self, gamma: float, trace: float) -> np.ndarray:
        """Generalised advantage estimates (Schulman et al. 2016), float32 (count,); 0 for open decisions.

        A trace that reaches an open decision ends there, at its value.
        """
        found = np.zeros(self.count, np.float32)
        bounds = [0, *range(self.carried, self.count + 1, self.tables)]
        for start, stop in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
            part = slice(start, stop)
            after = self.next[part]
            goes_on = after >= 0
            index = np.where(goes_on, after, 0)
            later_value = np.where(goes_on, self.values[index], 0)
            later = np.where(goes_on, found[index], 0)
            delta = self.rewards[part] + gamma * later_value - self.values[part]
            found[part] = np.where(after == OPEN, 0, delta + gamma * trace * later)
        return found

    def samples(self, gamma: float, trace: float) -> Samples:
        """Every decision that is no longer open."""
        advantages = self.advantages(gamma, trace)
        known = np.flatnonzero(self.next[: self.count] != OPEN)
        return Samples(
            observations=self.observations[known],
            masks=self.masks[known],
            actions=self.actions[known],
            log_probs=self.log_probs[known],
            values=self.values[known],
            roles=self.roles[known],
            advantages=advantages[known],
            returns=advantages[known] + self.values[known],
        )

    def carry(self) -> None:
        """Begins the next rollout: only the open decisions stay, at the front."""
        kept = np.flatnonzero(self.next[: self.count] == OPEN)
        place = np.full(self.count + 1, -1, np.int64)
        place[kept] = np.arange(len(kept))
        for name in ("observations", "masks", "actions", "log_probs", "values", "roles", "rewards", "next"):
            column = getattr(self, name)
            column[: len(kept)] = column[kept]
        self.last = place[self.last]  # -1 stays -1: the last place is
        self.count = self.carried = len(kept)

    def state_dict(self) -> dict[str, np.ndarray]:
        """The open decisions, as ``carry`` leaves them."""
        names = ("observations", "masks", "actions", "log_probs", "values", "roles", "rewards", "next")
        kept = {name: getattr(self, name)[: self.count].copy() for name in names}
        return {**kept, "last": self.last.copy(), "owed": self.owed.copy()}

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> None:
        """The inverse."""
        self.count = self.carried = len(kept["actions"])
        self.last, self.owed = kept["last"].copy(), kept["owed"].copy()
        for name, value in kept.items():
            if name not in ("last", "owed"):
                getattr(self, name)[: self.count] = value
