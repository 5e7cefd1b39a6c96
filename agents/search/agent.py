"""The searching agent: every action is tried in positions dealt anew, and played on from there."""

import hashlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core.chance import seed_streams
from ...envs.tables.context import Context, ask
from .evidence import Evidence
from .models import Models
from .options import SearchOptions
from .playouts import Playouts, Positions

ROWS = 256  # decisions at a time
ROUNDS = 4  # after each but the last half of the actions are given up
FIRST_DEALS, MOST_DEALS = 16, 256  # of a round where milliseconds are the budget
PROPOSING, PLAYING, ROOT = 31, 32, 33  # branches of a decision's seed


@dataclass(frozen=True)
class Thought:
    """What a search found in B positions with A actions.

    ``actions`` int64 (B,): what it does; ``policy`` float64 (B, A): with which probability it would have done what;
    ``gains`` float64 (B, A): by how much each action is better than the proposal, NaN where it is not legal;
    ``values`` float64 (B,): what the position is worth to the seat if it plays ``policy`` now, as returns;
    ``deals`` int64 (B,): positions dealt, 0 where there was no choice.
    """

    actions: np.ndarray
    policy: np.ndarray
    gains: np.ndarray
    values: np.ndarray
    deals: np.ndarray


class SearchAgent:
    """Deals anew what its seat cannot know, tries every legal action on each deal, and lets agents play on to the end.

    All actions meet the same deals and the same chance; bad ones are given up between rounds. The proposal's choice is
    overridden only by one that is better beyond the margin. With a budget in deals the same position and seed give the
    same choice, whoever else is asked about at the same time.
    """

    def __init__(self, models: Models, options: SearchOptions, name: str = "search"):
        self.models, self.options, self.name = models, options, name
        self._own = threading.local()

    def act_in(self, context: Context) -> np.ndarray:
        """One action for every row."""
        return self.think(context).actions

    def think(self, context: Context) -> Thought:
        """What a search in every row finds; rows without a choice are not searched."""
        masks = context.masks != 0
        rows = np.arange(len(masks))
        thought = Thought(
            actions=masks.argmax(axis=1),
            policy=np.zeros(masks.shape),
            gains=np.where(masks, 0.0, np.nan),
            values=np.full(len(masks), np.nan),
            deals=np.zeros(len(masks), np.int64),
        )
        thought.policy[rows, thought.actions] = 1.0
        choices = np.flatnonzero(masks.sum(axis=1) > 1)
        for low in range(0, len(choices), ROWS):
            self._search(context, choices[low : low + ROWS], thought)
        return thought

    def _search(self, context: Context, rows: np.ndarray, thought: Thought) -> None:
        seeds = np.array([self._seed(context, row) for row in rows], np.uint64)
        proposals = np.array([self._propose(context, row, seed) for row, seed in zip(rows, seeds, strict=True)])
        evidence = Evidence(context.masks[rows], proposals)
        self._gather(context, rows, seeds, evidence)
        gains, _ = evidence.gains()
        thought.gains[rows] = evidence.spread(gains, thought.gains.shape[1], np.nan)
        thought.deals[rows] = evidence.deals
        thought.actions[rows], thought.policy[rows] = self._decide(context, rows, seeds, evidence)
        better = (thought.policy[rows] * np.nan_to_num(thought.gains[rows])).sum(axis=1)
        thought.values[rows] = evidence.value()[0] + better

    def _decide(
        self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence
    ) -> tuple[np.ndarray, np.ndarray]:
        """Actions (B,) and the probabilities (B, A) by which they were chosen."""
        if self.options.root == "best":
            actions = evidence.best(self.options.margin)
            return actions, np.eye(context.masks.shape[1])[actions]
        priors = self.models.priors(context.observations[rows], context.masks[rows], evidence.proposals)
        policy = evidence.policy(priors, self.options.temperature)
        tickets = np.array([np.random.default_rng([int(seed), ROOT]).random() for seed in seeds])
        reached = policy.cumsum(axis=1) > tickets[:, None]
        reached[:, -1] = True
        return np.where(policy > 0, reached, False).argmax(axis=1), policy

    def _seed(self, context: Context, row: int) -> int:
        """The seed of a decision, from all that its seat is told of the position."""
        told = hashlib.blake2b(f"{self.options.seed} {context.seats[row]} ".encode(), digest_size=8)
        told.update(np.ascontiguousarray(context.observations[row]).tobytes())
        told.update(np.ascontiguousarray(context.masks[row]).tobytes())
        return int.from_bytes(told.digest(), "little")

    def _propose(self, context: Context, row: int, seed: int) -> int:
        rng = np.random.default_rng([int(seed), PROPOSING])
        return int(ask(self.models.proposal, context.part(np.array([row]), rng))[0])

    def _gather(self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence) -> None:
        """Plays out round by round until the budget is used up; between rounds half of the actions are given up."""
        rounds = ROUNDS
        if not self.options.ms:
            rounds = min(rounds, self.options.deals)
            ends = [self.options.deals * (k + 1) // rounds for k in range(rounds)]
            for k, end in enumerate(ends):
                if k:
                    evidence.halve()
                self._round(context, rows, seeds, evidence, end - evidence.deals)
            return
        began, seconds = time.perf_counter(), self.options.ms * len(rows) / 1000
        count, passed = FIRST_DEALS, 0
        while True:
            before = time.perf_counter()
            self._round(context, rows, seeds, evidence, count)
            now = time.perf_counter()
            share = (now - began) / seconds
            while passed + 1 < rounds and share >= (passed + 1) / rounds:
                evidence.halve()
                passed += 1
            left = began + seconds - now
            affordable = int(left / ((now - before) / count))
            if affordable < 1:
                return
            count = min(affordable, MOST_DEALS, 2 * count)

    def _round(self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence, count: int) -> None:
        """``count`` more deals for every row, with every action that is still tried."""
        seats = len(context.game.spec.seat_roles(context.settings))
        records, lineups, chance = [], [], []
        for row, seed in zip(rows, seeds, strict=True):
            seat, own = int(context.seats[row]), int(seed) + (evidence.deals << 64)
            records.append(context.positions(row, count, own))
            words = seed_streams(own, count * (seats + 1), PLAYING).reshape(count, seats + 1)
            lineups.append(self.models.lineups(seat, words[:, :seats]))
            chance.append(words[:, seats])
        positions = Positions(np.concatenate(records), np.concatenate(lineups), np.concatenate(chance))
        tried = np.broadcast_to(evidence.alive[:, None, :], (len(rows), count, evidence.alive.shape[1]))
        of, deal, place = np.nonzero(tried)
        values = np.full(tried.shape, np.nan, np.float32)
        values[of, deal, place] = self._playouts(context).returns(
            positions, of * count + deal, evidence.legal[of, place], context.seats[rows][of]
        )
        evidence.add(values)

    def _playouts(self, context: Context) -> Playouts:
        """The tables of this thread for the context's game."""
        kept: dict[Any, Playouts] = self._own.__dict__
        key = f"{context.game.spec.id} {sorted(context.settings.items())}"
        if key not in kept:
            kept[key] = Playouts(context.game, context.settings, self.models.agents, self.options.threads)
        return kept[key]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_own"}

    def __setstate__(self, kept: Mapping[str, Any]) -> None:
        self.__dict__.update(kept)
        self._own = threading.local()
