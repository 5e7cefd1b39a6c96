"""What an agent that is asked in Python is told: the simple form, or a context with positions to search in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.chance import seed_streams
from ..core.game import Game, State
from .past import Decisions, Past, PastDecisions, no_past, resample_records, unknown_past


@dataclass(frozen=True)
class Context:
    """The decisions that an agent is asked for at once, one a row, for B rows, D features, A actions.

    ``deal(row, count, seed)`` gives ``count`` positions as that row's seat may believe them to be: all that it cannot
    know is dealt anew, from the seed alone; ``positions`` gives the same as records. ``past(row)`` tells what that
    row's seat has seen of the game's decisions, as many as its agent wants (``wants_past``). The true position and its
    chance are never among what is given here.
    """

    game: Game
    settings: Mapping[str, Any]
    observations: np.ndarray  # float32 (B, D)
    masks: np.ndarray  # int8 (B, A): 1 is legal
    tables: np.ndarray  # int64 (B,): which table, the same number from game to game
    seats: np.ndarray  # int64 (B,): which seat of it; a memory belongs to a table and a seat
    new_game: np.ndarray  # bool (B,): the seat is asked for the first time in its game
    rng: np.random.Generator  # of the agent's random choices
    deal: Callable[[int, int, int], list[State]]
    positions: Callable[[int, int, int], np.ndarray]
    past: Callable[[int], Past] = unknown_past

    def part(self, rows: np.ndarray, rng: np.random.Generator) -> "Context":
        """The context of some of its rows, with a generator of their own."""
        own = {name: getattr(self, name)[rows] for name in ("observations", "masks", "tables", "seats", "new_game")}
        return replace(
            self,
            **own,
            rng=rng,
            deal=lambda row, count, seed: self.deal(int(rows[row]), count, seed),
            positions=lambda row, count, seed: self.positions(int(rows[row]), count, seed),
            past=lambda row: self.past(int(rows[row])),
        )


class Dealer:
    """``deal``, ``positions`` and ``past`` of a context whose rows stand in the positions ``records``, after the
    ``decisions``; both stay in here."""

    def __init__(
        self,
        game: Game,
        settings: Mapping[str, Any],
        records: np.ndarray,
        seats: np.ndarray,
        decisions: Sequence[Decisions] | None = None,
    ):
        self._game, self._settings, self._records, self._seats = game, settings, records, seats
        self._decisions = [no_past(records, settings)] * len(records) if decisions is None else decisions

    def deal(self, row: int, count: int, seed: int) -> list[State]:
        """``count`` positions dealt anew."""
        state = State(self._records[self._checked(row)][None], self._settings)
        return [self._game.resample(state, int(self._seats[row]), int(one)) for one in seed_streams(seed, count)]

    def positions(self, row: int, count: int, seed: int) -> np.ndarray:
        """The same as records (count,)."""
        one = self._records[self._checked(row)][None]
        found = np.ndarray((count,), one.dtype, bytearray(one.tobytes() * count))
        resample_records(self._game, found, int(self._seats[row]), seed)
        return found

    def past(self, row: int) -> Past:
        """What the row's seat has seen of the decisions before."""
        seen = self._decisions[self._checked(row)]
        return seen.seen_by(int(self._seats[row]), self._game, self._settings)

    def _checked(self, row: int) -> int:
        if not 0 <= row < len(self._records):
            raise ValueError(f"row={row!r}: allowed is a whole number from 0 to {len(self._records) - 1}")
        return row


def ask(agent: Any, context: Context) -> np.ndarray:
    """The actions, int64 (B,), of an agent of either form: with ``act_in(context)``, else ``act``.

    Raises:
        ValueError: the answer is not B whole numbers. Whether they are legal is for the caller to see.
    """
    if hasattr(agent, "act_in"):
        actions = np.asarray(agent.act_in(context))
    else:
        actions = np.asarray(agent.act(context.observations, context.masks, context.rng))
    if actions.shape != context.seats.shape or actions.dtype.kind not in "iu":
        found = f"{actions.dtype} {actions.shape}"
        raise ValueError(f"agent {agent.name}: {len(context.seats)} whole numbers are wanted, not {found}")
    return actions.astype(np.int64)


def context_of(
    game: Game, state: State, rng: np.random.Generator, new_game: bool, before: PastDecisions | None = None
) -> Context:
    """What the seat that is to act in one position is told, at table 0, after what was decided ``before``."""
    seats = np.array([game.current_player(state)])
    decisions = None if before is None else [before.decisions(state)]
    dealer = Dealer(game, state.settings, state.records.copy(), seats, decisions)
    return Context(
        game=game,
        settings=state.settings,
        observations=game.observation(state, int(seats[0]))[None],
        masks=game.action_mask(state)[None],
        tables=np.zeros(1, np.int64),
        seats=seats,
        new_game=np.array([new_game]),
        rng=rng,
        deal=dealer.deal,
        positions=dealer.positions,
        past=dealer.past,
    )


def ask_about(
    agent: Any,
    game: Game,
    state: State,
    rng: np.random.Generator,
    new_game: bool,
    before: PastDecisions | None = None,
) -> int:
    """What an agent does at the seat that is to act in one position, at table 0, after what was decided ``before``."""
    return int(ask(agent, context_of(game, state, rng, new_game, before))[0])
