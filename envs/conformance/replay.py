"""Stretches of games that can be played again, and what every decision of them showed, for comparing runs.

A trace made elsewhere (``trace_elsewhere``) comes from a freshly started interpreter, on request one in which the
rules run as plain Python.
"""

import contextlib
import json
import os
import pickle
import subprocess
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from ..core import registry
from ..core.game import Game, State

THOROUGH = 10  # every so many decisions all seats are looked at, and resampled for
TIMEOUT_S = 900  # of another process, which may have to compile first
BOOT = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    f"from {__name__} import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"
)


class Step(NamedTuple):
    """What a position showed: the seat to act (-1 when over), and checksums of everything else."""

    seat: int
    mask: int
    observations: int
    returns: int
    position: int
    resampled: int


@dataclass(frozen=True)
class Stretch:
    """Part of a game: where it starts (a state, a scenario, or a seed with parameters) and the actions from there."""

    address: str  # of the game, as the registry knows it
    actions: tuple[int, ...]
    state: State | None = None
    scenario: Mapping[str, Any] | None = None
    seed: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def start(self, game: Game) -> State:
        """The position that it starts with."""
        if self.state is not None:
            return game.clone(self.state)
        if self.scenario is not None:
            return game.load(self.scenario)
        return game.new_state(seed=self.seed, **self.parameters)


def pick(random: Random, legal: Sequence[int]) -> int:
    """One of the legal actions; unlike ``Random.choice``, the same one in all versions of Python."""
    return legal[int(random.random() * len(legal))]


def steps(game: Game, s: State, actions: Sequence[int]) -> Iterator[Step]:
    """Plays the actions, in place, and yields what each position showed, the one after the last action included."""
    for number in range(len(actions) + 1):
        yield _moment(game, s, thorough=number % THOROUGH == 0 or number == len(actions), seed=number)
        if number < len(actions):
            game.apply_action(s, actions[number])


def _moment(game: Game, s: State, thorough: bool, seed: int) -> Step:
    seat = game.current_player(s)
    observations = resampled = 0
    for viewer in range(game.num_seats(s)) if thorough else (seat,):
        observations = zlib.crc32(game.observation(s, viewer).tobytes(), observations)
    if thorough:
        resampled = checksum(game.dump(game.resample(s, max(seat, 0), seed)))
    return Step(
        seat,
        zlib.crc32(game.action_mask(s).tobytes()),
        observations,
        zlib.crc32(game.returns(s).tobytes()),
        checksum(game.dump(s)),
        resampled,
    )


def checksum(scenario: Mapping[str, Any]) -> int:
    """A number that two scenarios share if they are equal."""
    return zlib.crc32(json.dumps(scenario, sort_keys=True).encode())


def trace(game: Game, stretch: Stretch) -> list[Step]:
    """All steps of a stretch."""
    return list(steps(game, stretch.start(game), stretch.actions))


def trace_elsewhere(stretches: Sequence[Stretch], plain: bool = False) -> list[list[Step]]:
    """The traces of stretches as another process makes them, ``plain`` without a compiler.

    Raises:
        RuntimeError: the other process failed; the message ends with its own.
    """
    environment = {**os.environ, **({"NUMBA_DISABLE_JIT": "1"} if plain else {})}
    job = pickle.dumps(sys.path) + pickle.dumps(list(stretches))
    run = subprocess.run(
        [sys.executable, "-c", BOOT], input=job, env=environment, capture_output=True, timeout=TIMEOUT_S
    )
    if run.returncode:
        raise RuntimeError(f"another process failed: {run.stderr.decode(errors='replace').strip()[-1000:]}")
    return pickle.loads(run.stdout)


def serve(job: Any, answer: Any) -> None:
    """The other side of ``trace_elsewhere``: reads stretches, writes their traces."""
    with contextlib.redirect_stdout(sys.stderr):
        traces = [trace(registry.game(stretch.address), stretch) for stretch in pickle.load(job)]
    pickle.dump(traces, answer)


def difference(one: Sequence[Step], other: Sequence[Step]) -> tuple[int, str] | None:
    """The first decision at which two traces differ, and in what; None if they are the same."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        for name in Step._fields:
            if getattr(a, name) != getattr(b, name):
                return number, name
    return None if len(one) == len(other) else (min(len(one), len(other)), "length")
