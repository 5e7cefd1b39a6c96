"""The last public events of a game, in its record: who did what, as everybody saw it, and what it led to.

With the parameter ``history=N`` a record keeps the last N events and an observation shows them, the newest first, in
its last block; without it neither has room for any, and all of this compiles to nothing. What is kept is public, the
same for all viewers, so ``resample`` leaves it as it is.

A game with the parameter (``HISTORY`` among its options) says in ``EFFECTS`` of its record what an event may lead to,
takes ``fields`` and ``blocks`` into its record and its observation, writes the latter's by ``write``, and in its rules

- ``forget``s when it deals;
- ``note``s each decision that all see, before it is carried out; one that is made in secret only when it becomes
  public, and never if it does not;
- says what came of it by ``led_to``, or, of a seat that may be another than the one that decided, by ``befell``.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .compiler import PLAIN_PYTHON, rule
from .spec import Block, Option

NAME = "history"  # of the parameter, of the field of a record, and of the block of an observation
MOST_EVENTS = 256
HISTORY = Option(NAME, 0, "public events that are kept and observed, 0 for none", 0, MOST_EVENTS, implicit=True)
NO_ACTION = -1  # something befell a seat that decided nothing
SEAT, ACTION, EFFECT = 0, 1, 2  # what the numbers of an event tell; from EFFECT on, what it led to
CODES = 256  # a number k is kept and shown as (k + 1) / CODES, nothing as 0
STEP = np.float32(1.0 / CODES)
NO_EVENTS = np.zeros((0, 0), np.float32)


def fields(settings: Any, effects: Sequence[str]) -> dict[str, Any]:
    """The record's field, float32 (N, 2 + effects): an event a row, the newest first; none with ``history=0``.

    It comes first in a layout: numba takes a record that only goes on further for one of the shorter kind, too.
    """
    events = settings.get(NAME, 0)
    return {NAME: ("f4", (events, EFFECT + len(effects)))} if events else {}


def blocks(settings: Any, effects: Sequence[str]) -> tuple[Block, ...]:
    """The observation's block, the last one; none with ``history=0``."""
    events = settings.get(NAME, 0)
    if not events:
        return ()
    numbers = ["relative seat (a further role's: its own)", "action", *effects]
    meaning = f"public events, the newest first; of each, as (k + 1) / {CODES} or 0 for none: {'; '.join(numbers)}"
    return (Block(NAME, (events, len(numbers)), meaning),)


def events_of(s: Any) -> np.ndarray:
    """The events of a record, float32 (N, numbers), a view; (0, 0) if it keeps none, as compiled code knows by type."""
    return s[NAME] if NAME in s.dtype.fields else NO_EVENTS


if not PLAIN_PYTHON:
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def no_events(typing):
        """NO_EVENTS as a constant of the compiler, so that nothing is left of what would be done with its events."""
        kind = types.Array(types.float32, 2, "C")  # type: ignore[attr-defined]
        return kind(), lambda context, builder, signature, arguments: context.get_constant_null(kind)

    @overload(events_of)
    def _events_of(s):
        return (lambda s: s.history) if NAME in s.fields else (lambda s: no_events())


@rule
def forget(s):
    """Nothing has happened yet."""
    events = events_of(s)
    for k in range(len(events)):
        for j in range(events.shape[1]):
            events[k, j] = 0.0


@rule
def note(s, seat, action):
    """An event: a seat decides for an action, and all see it; NO_ACTION if something befalls the seat."""
    events = events_of(s)
    if len(events) == 0:
        return
    for k in range(len(events) - 1, 0, -1):
        for j in range(events.shape[1]):
            events[k, j] = events[k - 1, j]
    for j in range(EFFECT, events.shape[1]):
        events[0, j] = 0.0
    events[0, SEAT] = np.float32(seat + 1) * STEP
    events[0, ACTION] = np.float32(action + 1) * STEP


@rule
def led_to(s, effect, value):
    """What the last event led to: of the effects that the game has, the one of this number is a value from 0."""
    events = events_of(s)
    if len(events) > 0:
        events[0, EFFECT + effect] = np.float32(value + 1) * STEP


@rule
def befell(s, seat, effect, value):
    """As ``led_to``, of a seat: where the last event is not that seat's, this is one of its own."""
    events = events_of(s)
    if len(events) > 0:
        if events[0, SEAT] != np.float32(seat + 1) * STEP:
            note(s, seat, NO_ACTION)
        led_to(s, effect, value)


@rule
def write(s, first, players, out):
    """Writes the block at the end of an observation, with seats counted from ``first``.

    ``players`` is how many seats are counted in this way; those of further roles stay as they are.
    """
    events = events_of(s)
    if len(events) == 0:
        return
    width = events.shape[1]
    part = out[len(out) - len(events) * width :]
    before = np.float32(first) * STEP
    around = np.float32(players) * STEP
    for k in range(len(events)):
        for j in range(width):
            part[k * width + j] = events[k, j]
        seat = events[k, SEAT]
        if seat > 0 and seat <= around:
            part[k * width] = seat - before if seat > before else seat - before + around
