"""What was decided in a game before now, as a seat may know it: for agents that think about what others did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.chance import LOW_32, seed_stream, seed_streams
from ..core.compiler import driver
from ..core.game import Game, State
from ..core.spec import Settings
from .kernel import Trail

SECRET_SEED = 0  # what a viewer cannot know of past positions is dealt anew from it: always alike


@dataclass(frozen=True)
class Past:
    """K decisions of a game, the oldest first: those that a viewer has seen, and its own.

    ``records`` (K,) of the game: before each decision, with all that the viewer could not know then dealt anew, so that
    of the true position nothing is left; ``seats`` int64 (K,), ``actions`` int64 (K,). Where ``complete``, these are
    all decisions of the game that are not secret, else the last ones.
    """

    records: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    complete: bool = True

    def __len__(self) -> int:
        return len(self.seats)


def unknown_past(row: int) -> Past:
    """What is known where nobody has kept the decisions."""
    return Past(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64), False)


@driver
def resample_all(rules, observation):
    """resample_all(states, seat, lows, highs): replaces in every record what the seat cannot know, each by a stream
    that begins from the seed with these halves."""

    def run(states, seat, lows, highs):
        for i in range(len(states)):
            s = states[i]
            seed_stream(s, lows[i], highs[i])
            observation.resample(s, seat)

    return run


def resample_records(game: Game, records: np.ndarray, seat: int, seed: int) -> None:
    """Deals anew, in each of the records (n,), what a seat cannot know; each with a stream of its own."""
    seeds = seed_streams(seed, len(records))
    lows, highs = (seeds & np.uint64(LOW_32)).astype(np.int64), (seeds >> np.uint64(32)).astype(np.int64)
    resample_all(game.spec.rules, game.spec.observation)(records, seat, lows, highs)


def past_wanted(agents: Sequence[Any]) -> int:
    """How many past decisions the agents among these want to know who want most."""
    return max((getattr(agent, "wants_past", 0) for agent in agents), default=0)


@dataclass(frozen=True)
class Decisions:
    """Past decisions of one game as they truly were, the oldest first; not for agents."""

    records: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    complete: bool

    def seen_by(self, viewer: int, game: Game, settings: Settings) -> Past:
        """What a seat may know of them: no decision that the game keeps secret from it, no hidden card."""
        kept = [k for k in range(len(self.seats)) if self.seats[k] == viewer or self._is_public(k, game, settings)]
        records = copied(self.records, np.array(kept, np.int64))
        if len(records):
            resample_records(game, records, viewer, SECRET_SEED)
        return Past(records, self.seats[kept].astype(np.int64), self.actions[kept].astype(np.int64), self.complete)

    def _is_public(self, k: int, game: Game, settings: Settings) -> bool:
        return game.spec.display.is_public(State(self.records[k : k + 1], settings), int(self.actions[k]))


def copied(records: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Those records, byte by byte: also between the fields, which copying field by field leaves out."""
    found = np.ndarray((len(which),), records.dtype, bytearray(records.dtype.itemsize * max(len(which), 1)))
    as_bytes = found.view(np.uint8).reshape(len(which), -1) if len(which) else None
    if as_bytes is not None:
        as_bytes[:] = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1)[which]
    return found


def trails(trail: Trail, rows: np.ndarray) -> list[Decisions]:
    """The past decisions at the tables ``rows``, from the rings that the compiled loop writes."""
    most = trail.seats.shape[1]
    found = []
    for row in rows.tolist():
        count = int(trail.counts[row]) if most else 0
        kept = min(count, most)
        places = np.arange(count - kept, count) % max(most, 1)
        records = copied(trail.records[row], places)
        found.append(Decisions(records, trail.seats[row, places], trail.actions[row, places], kept == count))
    return found


class PastDecisions:
    """The past of one game that is played step by step: ``note`` before each decision is carried out."""

    def __init__(self, most: int):
        self.most, self._records, self._moves, self._count = most, [], [], 0  # type: ignore[var-annotated]

    def note(self, state: State, seat: int, action: int) -> None:
        """A decision that is about to be carried out."""
        self._count += 1
        if self.most:
            self._records = [*self._records, state.records.copy()][-self.most :]
            self._moves = [*self._moves, (seat, action)][-self.most :]

    def decisions(self, state: State) -> Decisions:
        """All that is kept."""
        records = np.concatenate(self._records) if self._records else state.records[:0]
        moves = np.array(self._moves, np.int64).reshape(-1, 2)
        return Decisions(records, moves[:, 0], moves[:, 1], self._count == len(moves))


def no_past(records: np.ndarray, settings: Mapping[str, Any]) -> Decisions:
    """Nothing is known of what was before."""
    return Decisions(records[:0], np.zeros(0, np.int64), np.zeros(0, np.int64), False)
