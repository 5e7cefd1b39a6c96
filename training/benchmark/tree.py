"""The whole tree of a small game of two players, whose chance is all in the deal: what exact figures stand on.

An information state is what its seat has observed since the deal, after every action of anybody, with what it did
itself: a seat forgets nothing. What a seat observes now is the last part of that, and many information states may end
with the same observation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...envs.core.game import Game, State
from ...envs.tables.positions import look_at_all, play_all

MOST_POSITIONS = 2_000_000
AT_ONCE = 20_000  # positions whose observations are held at the same time


@dataclass(frozen=True)
class Decisions:
    """One seat's information states at which it acts, numbered so that later ones of a game have higher numbers.

    A *sequence* is all that a seat has done so far: 0 nothing yet, else what it did last, an information state and one
    of its actions. The sequences of an information state lie side by side, in the order of its actions.
    """

    observations: np.ndarray  # float32 (I, D): what the seat observes there
    masks: np.ndarray  # int8 (I, A): what it may do there
    before: np.ndarray  # int64 (I,): the sequence that leads there
    first: np.ndarray  # int64 (I,): the sequence of its first legal action

    @property
    def count(self) -> np.ndarray:
        """Legal actions, int64 (I,)."""
        return self.masks.astype(np.int64).sum(axis=1)

    @property
    def sequences(self) -> int:
        """How many sequences there are."""
        return 1 + int(self.count.sum())

    def places(self) -> Iterator[tuple[int, int, slice]]:
        """Every information state with the sequence before it and those of its actions, earlier ones first."""
        for state, (before, first, count) in enumerate(zip(self.before, self.first, self.count, strict=True)):
            yield state, before, slice(first, first + count)


@dataclass(frozen=True)
class Tree:
    """A game's tree as its ends: which sequences of the two seats lead there, how likely by chance, what is paid."""

    decisions: tuple[Decisions, Decisions]
    ends: np.ndarray  # int64 (E, 2): the sequences of both seats
    payoffs: np.ndarray  # float64 (E,): what seat 0 gets, seat 1 the negative of it, times the deal's probability
    positions: int  # all that can be reached
    truncated: float  # of the ends: the probability that two players at random come to one that is truncated


class _Seat:
    """What is known of one seat's course while the tree grows."""

    def __init__(self) -> None:
        self.number: dict[int, int] = {}  # of an information state at which it acts, by the number of its course
        self.observations: list[np.ndarray] = []
        self.masks: list[np.ndarray] = []
        self.before: list[int] = []
        self.first: list[int] = []
        self.sequences = 1

    def state(self, course: int, before: int, observation: np.ndarray, mask: np.ndarray) -> int:
        """The information state's number, a new one at its first meeting."""
        number = self.number.setdefault(course, len(self.before))
        if number == len(self.before):
            self.observations.append(observation.copy())
            self.masks.append(mask.copy())
            self.before.append(before)
            self.first.append(self.sequences)
            self.sequences += int(mask.sum())
        return number

    def decisions(self) -> Decisions:
        """As arrays."""
        return Decisions(
            np.array(self.observations),
            np.array(self.masks),
            np.array(self.before, np.int64),
            np.array(self.first, np.int64),
        )


class _Level:
    """All positions that so many decisions lead to."""

    def __init__(self, records: np.ndarray, chances: np.ndarray):
        self.records = records
        self.chances = chances  # float64 (n,): of the deal
        self.likely = chances.copy()  # that two players at random come here
        self.courses = np.zeros((len(records), 2), np.int64)  # what each seat has observed and done
        self.sequences = np.zeros((len(records), 2), np.int64)
        self.last = np.full((len(records), 2), -1, np.int64)  # the observation that each seat's course ends with


class TreeBuilder:
    """Builds a tree from the positions that a deal may lead to."""

    def __init__(self, game: Game, positions: Sequence[State], probabilities: Sequence[float]):
        self.game, self.settings = game, dict(positions[0].settings)
        if game.spec.num_seats(self.settings) != 2 or game.spec.parameters.payoff_sum(self.settings) != 0:
            raise ValueError("a game of two seats whose payoffs add up to 0 is wanted")
        if any(position.settings != self.settings for position in positions):
            raise ValueError("positions: all must have the same settings")
        if len(probabilities) != len(positions) or min(probabilities) <= 0 or abs(sum(probabilities) - 1) > 1e-9:
            raise ValueError(f"probabilities: {len(positions)} above 0 with a sum of 1 are wanted")
        modules = (game.spec.rules, game.spec.observation)
        self._look, self._play = look_at_all(*modules), play_all(*modules)
        self._level = _Level(np.concatenate([one.records for one in positions]), np.array(probabilities, float))
        self._seen: dict[bytes, int] = {}  # observations by number
        self._course: dict[tuple[int, int, int], int] = {}  # by the course before, what was done, what is observed
        self._seats = (_Seat(), _Seat())
        self._ends: list[np.ndarray] = []
        self._payoffs: list[np.ndarray] = []
        self._positions, self._truncated = 0, 0.0

    def build(self) -> Tree:
        """The tree; ValueError if it has more than MOST_POSITIONS positions."""
        done = np.full(len(self._level.records), -1)
        actor = done.copy()
        while len(self._level.records):
            self._positions += len(self._level.records)
            if self._positions > MOST_POSITIONS:
                raise ValueError(f"the tree has more than {MOST_POSITIONS:,} positions: a smaller game is wanted")
            parts = [
                self._look_at(slice(start, start + AT_ONCE), done, actor)
                for start in range(0, len(self._level.records), AT_ONCE)
            ]
            done, actor = self._step(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        return Tree(
            (self._seats[0].decisions(), self._seats[1].decisions()),
            np.concatenate(self._ends),
            np.concatenate(self._payoffs),
            self._positions,
            self._truncated,
        )

    def _look_at(self, part: slice, done: np.ndarray, actor: np.ndarray) -> tuple[np.ndarray, ...]:
        """Notes what both seats observe in some of the level's positions; returns who acts, masks and states."""
        level, spec = self._level, self.game.spec
        records = level.records[part]
        count = len(records)
        seats, masks = np.zeros(count, np.int64), np.zeros((count, spec.num_actions), np.int8)
        returns = np.zeros((count, 2), np.float32)
        observations = np.zeros((count, 2, spec.observation_size(self.settings)), np.float32)
        self._look(records, seats, masks, returns, observations)
        numbers = np.full(count, -1)
        for i in range(count):
            at = part.start + i
            for seat in (0, 1):
                self._observe(at, seat, observations[i, seat], int(done[at]) if actor[at] == seat else -1)
            if (seat := int(seats[i])) >= 0:
                course, before = int(level.courses[at, seat]), int(level.sequences[at, seat])
                numbers[i] = self._seats[seat].state(course, before, observations[i, seat], masks[i])
        over = seats < 0
        self._ends.append(level.sequences[part][over])
        self._payoffs.append(returns[over, 0].astype(float) * level.chances[part][over])
        ended = [
            likely
            for likely, record in zip(level.likely[part][over], records[over], strict=True)
            if spec.rules.is_truncated(record)
        ]
        self._truncated += float(np.sum(ended))
        return seats, masks, numbers

    def _observe(self, at: int, seat: int, observation: np.ndarray, did: int) -> None:
        """Continues a seat's course by what it did, if it acted, and by what it observes, if that is new."""
        level = self._level
        seen = self._seen.setdefault(observation.tobytes(), len(self._seen))
        if did >= 0 or seen != level.last[at, seat]:
            key = (int(level.courses[at, seat]), did, seen)
            level.courses[at, seat] = self._course.setdefault(key, len(self._course) + 1)
            level.last[at, seat] = seen

    def _step(self, seats: np.ndarray, masks: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Every legal action in every position; returns what was done and by whom to come to each of the next level."""
        level = self._level
        rows, actions = np.nonzero(masks * (seats >= 0)[:, None])
        actor = seats[rows]
        following = _Level(level.records[rows], level.chances[rows])
        following.courses, following.last = level.courses[rows], level.last[rows]
        following.sequences = level.sequences[rows]
        following.likely = level.likely[rows] / masks.sum(axis=1)[rows]
        place = masks.cumsum(axis=1)[rows, actions] - 1
        for seat in (0, 1):
            own = actor == seat
            first = np.array(self._seats[seat].first, np.int64)
            following.sequences[own, seat] = first[numbers[rows[own]]] + place[own]
        self._play(following.records, actions)
        self._level = following
        return actions, actor


def build_tree(game: Game, positions: Sequence[State], probabilities: Sequence[float] | None = None) -> Tree:
    """The tree of a game of two seats that begins at one of few positions and draws nothing after that.

    ``positions`` are states of equal settings; ``probabilities`` by default the same for all. A truncated game pays
    what the environment pays.

    Raises:
        ValueError: the game is not of two seats with payoffs that add up to 0, positions or probabilities do not fit,
            or the tree has more than MOST_POSITIONS positions.
    """
    if not positions:
        raise ValueError("positions: one or more are wanted")
    chances = [1.0 / len(positions)] * len(positions) if probabilities is None else list(probabilities)
    return TreeBuilder(game, positions, chances).build()
