"""Which agents sit at which tables of a tournament.

A *make-up* says who is at the table, as a multiset: agents may sit there more than once, but not all seats are one
agent's. A deal is played at a table in an order of the agents drawn for it, once in each of the order's P rotations, so
that everybody holds every hand.

Where enough games are asked for, every deal is played at all make-ups. Else every deal has one make-up of its own: a
random one, all equally likely but for who is who in it, which is chosen such that all pairs of agents meet, and all
agents sit, about equally often. Fewer make-ups for all deals would not do: the agents would differ by whom they happen
to meet, and no number of deals would show that.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

ENOUGH_DEALS = 100  # for intervals over deals; if it takes fewer to play all make-ups on each, they are sampled
FEWEST_DEALS = 2
CANDIDATES = 16  # ways to say who is who in a random make-up, of which the most balanced is taken
BLOCK_GAMES = 8192  # games that are played, and kept, together
MAKE_UPS, ORDERS = 21, 22  # branches of the seed


@dataclass(frozen=True)
class Schedule:
    """``make_ups`` int (K, P): agents' indexes, sorted in each row, of all make-ups, or of a ``sample``: one per deal.

    ``possible`` is how many make-ups there are.
    """

    make_ups: np.ndarray
    deals: int
    possible: int
    sample: bool
    seed: int

    @property
    def seats(self) -> int:
        """P."""
        return self.make_ups.shape[1]

    @property
    def games_per_deal(self) -> int:
        """Make-ups that a deal is played at, times rotations."""
        return self.seats if self.sample else self.make_ups.size

    @property
    def games(self) -> int:
        """All games."""
        return self.deals * self.games_per_deal

    def blocks(self) -> list[range]:
        """The deals in pieces of some thousand games; the same for the same schedule."""
        step = max(1, BLOCK_GAMES // self.games_per_deal)
        return [range(low, min(low + step, self.deals)) for low in range(0, self.deals, step)]

    def lineups(self, block: int, deals: range) -> tuple[np.ndarray, np.ndarray]:
        """Who sits where in a block's games: line-ups int (n, P) and, counted within the block, the deals (n,)."""
        rng = np.random.default_rng([self.seed, ORDERS, block])
        if self.sample:
            make_ups = self.make_ups[deals.start : deals.stop]
        else:
            make_ups = np.tile(self.make_ups, (len(deals), 1))
        orders = rng.permuted(make_ups, axis=1)
        seat = np.arange(self.seats)
        rotations = (seat[:, None] + seat) % self.seats
        return orders[:, rotations].reshape(-1, self.seats), np.repeat(np.arange(len(deals)), self.games_per_deal)


def make_schedule(agents: int, seats: int, games: int, seed: int = 0) -> Schedule:
    """At least ``games`` games of ``agents`` agents (2 or more) at ``seats`` seats, rounded up to whole deals.

    All make-ups, if that leaves 100 deals or more; else a sample, which lasts until every pair has met.
    """
    possible = count_make_ups(agents, seats)
    if possible * seats * ENOUGH_DEALS <= games:
        chosen = np.array(list(all_make_ups(agents, seats)))
        return Schedule(chosen, -(-games // chosen.size), possible, False, seed)
    deals = max(FEWEST_DEALS, -(-games // seats))
    chosen = sample_make_ups(agents, seats, deals, np.random.default_rng([seed, MAKE_UPS]))
    return Schedule(chosen, len(chosen), possible, True, seed)


def count_make_ups(agents: int, seats: int) -> int:
    """Multisets of agents of the table's size, without those of one agent alone."""
    return math.comb(agents + seats - 1, seats) - agents


def all_make_ups(agents: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Each as a sorted tuple."""
    for found in combinations_with_replacement(range(agents), seats):
        if found[0] != found[-1]:
            yield found


def sample_make_ups(agents: int, seats: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """``size`` make-ups, or more until every pair has met, int (K, P)."""
    meetings, sittings = np.zeros((agents, agents)), np.zeros(agents)
    pairs = np.triu_indices(agents, 1)
    chosen: list[np.ndarray] = []
    while len(chosen) < size or not meetings[pairs].all():
        for drawn in _random_counts(agents, seats, rng)[: max(size - len(chosen), 1)]:
            counts = rng.permuted(np.tile(drawn, (CANDIDATES, 1)), axis=1)  # (candidates, agents): seats of each
            here = (counts > 0).astype(float)
            # the pairs' meetings so far and the agents' seats so far: the lower, the more they are due
            so_far = ((here @ meetings) * here).sum(axis=1) / 2 + counts @ sittings
            best = int(so_far.argmin())
            meetings += np.outer(here[best], here[best]) * ~np.eye(agents, dtype=bool)
            sittings += counts[best]
            chosen.append(np.repeat(np.arange(agents), counts[best]))
    return np.array(chosen)


def _random_counts(agents: int, seats: int, rng: np.random.Generator, size: int = 256) -> np.ndarray:
    """How many seats each agent has in random make-ups, all equally likely (stars and bars), int (up to size, n)."""
    places = np.argsort(rng.random((size, agents + seats - 1)), axis=1)[:, :seats]
    drawn = np.sort(places, axis=1) - np.arange(seats)
    counts = (drawn[:, :, None] == np.arange(agents)).sum(axis=1)
    return counts[counts.max(axis=1) < seats]
