"""``search``: every action is tried in positions dealt anew, and played on from there."""

import time

import numpy as np

from ...envs.tables.context import Context, ask
from .base import Searching, Thought
from .evidence import Evidence

ROWS = 256  # decisions at a time
ROUNDS = 4  # after each but the last half of the actions are given up
FIRST_DEALS, MOST_DEALS = 16, 256  # of a round where milliseconds are the budget
PROPOSING, ROOT = 31, 33  # branches of a decision's seed


class SearchAgent(Searching):
    """Deals anew what its seat cannot know, tries every legal action on each deal, and lets agents play on to the end.

    All actions meet the same deals and the same chance; bad ones are given up between rounds. The proposal's choice is
    overridden only by one that is better beyond the margin.
    """

    def _together(self, context: Context) -> int:
        return ROWS

    def _search(self, context: Context, rows: np.ndarray, seeds: np.ndarray, thought: Thought) -> None:
        proposals = np.array([self._propose(context, row, seed) for row, seed in zip(rows, seeds, strict=True)])
        evidence = Evidence(context.masks[rows], proposals)
        self._gather(context, rows, seeds, evidence)
        gains, errors = evidence.gains()
        thought.gains[rows] = evidence.spread(gains, thought.gains.shape[1], np.nan)
        thought.errors[rows] = evidence.spread(errors, thought.errors.shape[1], np.nan)
        thought.deals[rows] = evidence.deals
        thought.actions[rows], thought.policy[rows] = self._decide(context, rows, seeds, evidence)
        better = (thought.policy[rows] * np.nan_to_num(thought.gains[rows])).sum(axis=1)
        thought.values[rows] = evidence.value()[0] + better

    def _propose(self, context: Context, row: int, seed: int) -> int:
        rng = np.random.default_rng([int(seed), PROPOSING])
        return int(ask(self.models.proposal, context.part(np.array([row]), rng))[0])

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

    def _gather(self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence) -> None:
        """Plays out round by round until the budget is used up; between rounds half of the actions are given up."""
        if self.options.ms:
            self._gather_in_time(context, rows, seeds, evidence)
            return
        rounds = min(ROUNDS, self.options.deals)
        for k in range(rounds):
            if k:
                evidence.halve()
            self._round(context, rows, seeds, evidence, self.options.deals * (k + 1) // rounds - evidence.deals)

    def _gather_in_time(self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence) -> None:
        """The same as long as the milliseconds of all these decisions last, by what the rounds before have taken."""
        self._round(context, rows, seeds, evidence, 1)  # not counted: it may have to compile
        began, seconds = time.perf_counter(), self.options.ms * len(rows) / 1000
        count, halved = FIRST_DEALS, 0
        while True:
            before = time.perf_counter()
            self._round(context, rows, seeds, evidence, count)
            now = time.perf_counter()
            while halved + 1 < ROUNDS and now - began >= seconds * (halved + 1) / ROUNDS:
                evidence.halve()
                halved += 1
            affordable = int((began + seconds - now) / ((now - before) / count))
            if affordable < 1:
                return
            count = min(affordable, MOST_DEALS, 2 * count)

    def _round(self, context: Context, rows: np.ndarray, seeds: np.ndarray, evidence: Evidence, count: int) -> None:
        """``count`` more deals for every row, with every action that is still tried."""
        positions = self._deal(context, rows, seeds, evidence.deals, count)
        tried = np.broadcast_to(evidence.alive[:, None, :], (len(rows), count, evidence.alive.shape[1]))
        of, deal, place = np.nonzero(tried)
        values = np.full(tried.shape, np.nan, np.float32)
        actions = evidence.legal[of, place]
        returns = self._playouts(context).returns(positions, of * count + deal, actions)
        values[of, deal, place] = returns[np.arange(len(of)), context.seats[rows][of]]
        evidence.add(values)
