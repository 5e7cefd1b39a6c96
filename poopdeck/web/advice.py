"""What an agent thinks of the legal actions in one position."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.tables.context import Context, ask


@dataclass(frozen=True)
class Advice:
    """What an agent would do, and why.

    ``action``: what it does; ``probabilities`` float64 (A,): with which it would have done what; ``gains`` float64 (A,)
    or None: of a searcher, by how much each action is better than its first idea (NaN: unknown); ``errors``: the
    standard errors of that; ``value`` or None: what the position is worth to the seat.
    """

    action: int
    probabilities: np.ndarray
    gains: np.ndarray | None = None
    errors: np.ndarray | None = None
    value: float | None = None

    def to_json(self, names: tuple[str, ...], mask: np.ndarray) -> dict[str, Any]:
        """Plain values: for every legal action its number, name and probability, and what is known of its gain."""
        legal = []
        for action in np.flatnonzero(mask).tolist():
            entry = {
                "action": action,
                "name": names[action],
                "probability": round(float(self.probabilities[action]), 4),
            }
            if self.gains is not None and not np.isnan(self.gains[action]):
                entry["gain"] = round(float(self.gains[action]), 4)
            if self.errors is not None and not np.isnan(self.errors[action]):
                entry["error"] = round(float(self.errors[action]), 4)
            legal.append(entry)
        return {"action": self.action, "name": names[self.action], "value": self.value, "legal": legal}


def advise(agent: Any, context: Context) -> Advice:
    """What an agent thinks of a context with one row: a searcher says what it found, a network its probabilities, any
    other agent only what it does."""
    mask = context.masks[0]
    if hasattr(agent, "think"):
        thought = agent.think(context)
        value = float(thought.values[0])
        return Advice(
            int(thought.actions[0]),
            thought.policy[0],
            thought.gains[0],
            thought.errors[0],
            None if np.isnan(value) else round(value, 4),
        )
    action = int(ask(agent, context)[0])
    networks = getattr(agent, "networks", None)
    if networks is None:
        return Advice(action, np.eye(len(mask))[action])
    logits = np.where(mask != 0, networks.logits(context.observations)[0].astype(float), -np.inf)
    odds = np.exp(logits - logits.max())
    worth = round(float(agent.values(context.observations)[0]), 4) if agent.has_values else None
    return Advice(action, odds / odds.sum(), value=worth)
