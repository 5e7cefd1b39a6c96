"""Decisions as samples for proximal policy optimisation: with advantages and returns."""

from dataclasses import dataclass

import numpy as np

from ..collection.critic_view import CRITIC
from ..collection.decisions import OPEN, Columns, Decisions

POLICY = "policy"  # the column of the distribution by which an action was chosen, for learners that need all of it

COLUMNS: Columns = {"log_probs": ((), np.float32), "values": ((), np.float32)}
"""What is remembered of a decision: the policy's log-probability of it, and how it judged the position."""


@dataclass
class Samples:
    """Decisions that can be learnt from, with their advantages; all arrays (m,) but the first four."""

    observations: np.ndarray  # float32 (m, D)
    masks: np.ndarray  # bool (m, A)
    critic: np.ndarray  # float32 (m, C): what the critic is shown; C is 0 where it is shown the observation
    policy: np.ndarray  # float32 (m, A): the distribution by which the action was chosen; (m, 0) if it is not kept
    actions: np.ndarray  # int64
    log_probs: np.ndarray  # float32, when they were taken
    values: np.ndarray  # float32, as they were judged then
    roles: np.ndarray  # int64
    advantages: np.ndarray  # float32
    returns: np.ndarray  # float32, what the value should have been

    @classmethod
    def of(cls, decisions: Decisions, gamma: float, trace: float) -> "Samples":
        """Every decision that is no longer open."""
        found = advantages(decisions, gamma, trace)
        rows, columns = decisions.known(), decisions.columns
        nothing = np.zeros((len(rows), 0), np.float32)
        return cls(
            observations=decisions.observations[rows],
            masks=decisions.masks[rows],
            critic=columns[CRITIC][rows] if CRITIC in columns else nothing,
            policy=columns[POLICY][rows] if POLICY in columns else nothing,
            actions=decisions.actions[rows],
            log_probs=columns["log_probs"][rows],
            values=columns["values"][rows],
            roles=decisions.roles[rows],
            advantages=found[rows],
            returns=found[rows] + columns["values"][rows],
        )

    @classmethod
    def joined(cls, parts: "list[Samples]") -> "Samples":
        """The samples of several rollouts, one after the other."""
        return cls(**{name: np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0])})

    def of_role(self, role: int) -> "Samples":
        """The decisions of one role's seats."""
        rows = np.flatnonzero(self.roles == role)
        return Samples(**{name: value[rows] for name, value in vars(self).items()})


def advantages(decisions: Decisions, gamma: float, trace: float) -> np.ndarray:
    """Generalised advantage estimates (Schulman et al. 2016) along each seat's own decisions, float32 (count,).

    0 for open decisions; a trace that reaches an open decision ends there, at its value.
    """
    found = np.zeros(decisions.count, np.float32)
    values = decisions.columns["values"]
    for part in reversed(decisions.steps()):
        after = decisions.next[part]
        goes_on = after >= 0
        index = np.where(goes_on, after, 0)
        later_value = np.where(goes_on, values[index], 0)
        later = np.where(goes_on, found[index], 0)
        delta = decisions.rewards[part] + gamma * later_value - values[part]
        found[part] = np.where(after == OPEN, 0, delta + gamma * trace * later)
    return found
