"""What a seat is told in words: its position, what changed since its last decision, and its legal actions.

Everything here is taken from a position in which all that the seat cannot know was dealt anew, so that nothing else can
get into the words.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import numpy as np

from ...envs.core import history
from ...envs.core.game import Game, State


def position_text(game: Game, state: State, seat: int) -> str:
    """The position as a seat sees it, a few lines."""
    return game.describe(state, seat)


def changes_text(before: str, now: str) -> str:
    """The lines of a position's text that were not there before; says so if there are none."""
    old, new = before.splitlines(), now.splitlines()
    steps = SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()
    lines = [line for kind, _, _, start, end in steps if kind in ("insert", "replace") for line in new[start:end]]
    return "\n".join(lines) or "nothing that you see has changed"


def events_text(game: Game, state: State, seat: int) -> str:
    """Public events since the seat's own last one, the oldest first; empty where the game keeps none (``history``)."""
    lines: list[str] = []
    names = game.spec.action_names(state.settings)
    for event in history.events_of(state.shown().record):
        who, action = (round(float(number) * history.CODES) - 1 for number in event[: history.EFFECT])
        if who in (-1, seat):
            break
        if action >= 0:
            lines.append(f"seat {who}: {names[action]}")
    return "\n".join(reversed(lines))


def actions_text(names: Sequence[str], legal: Iterable[int]) -> str:
    """Numbers and names of actions, one a line."""
    return "\n".join(f"{action}: {names[action]}" for action in legal)


def decision_text(game: Game, state: State, seat: int, before: str | None = None) -> str:
    """All that a seat is told of a decision, as long as it is its own; with ``before``, the text of the position at its
    last decision, only what changed since."""
    legal = np.flatnonzero(game.action_mask(state)).tolist()
    now = position_text(game, state, seat)
    parts = [f"You are seat {seat}." if before is None else "Since your last decision this has changed:"]
    parts.append(now if before is None else changes_text(before, now))
    events = events_text(game, state, seat)
    if events:
        parts.append(f"What the others did since your last decision:\n{events}")
    names = game.spec.action_names(state.settings)
    parts.append(f"Your legal actions, by number and name:\n{actions_text(names, legal)}")
    return "\n".join(parts)
