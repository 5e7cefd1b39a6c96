"""Ratings of agents from games of any number of seats.

Model: Bradley and Terry 1952, fitted to all pairs of seats within a game: a seat with the higher payoff has beaten the
other, and P(i beats j | one does) = 1 / (1 + 10 ** ((rating_j - rating_i) / 400)), Elo's scale. Pairs with equal
payoffs (in Poo Head all but the loser, and everybody in a truncated game) say nothing of either and are left out,
as are two seats of one agent.

Why pairs: where games follow Plackett and Luce's model of rankings, or Luce's choice of a single loser, the pairs
follow Bradley and Terry's with the same strengths whoever else is at the table, and taking all of them is consistent
(Azari Soufiani, Chen, Parkes and Xia 2013, "Generalized method-of-moments for rank aggregation"). That the model fits
is an assumption; ``Ratings.misfit`` says where it fits worst.

Fit: maximum likelihood by choix (Maystre and Grossglauser 2015, "Fast and accurate inference of Plackett-Luce models"),
with half a win added each way between two agents that have met, so that an agent that never lost has a rating at all.

Intervals: the pairs of a game, and the games of a deal, depend on each other, so deals are drawn anew with replacement
and everything is fitted again (bootstrap; Efron and Tibshirani 1993); 95 % percentile intervals. Two agents are called
distinguishable if their difference is significant at 5 % for all pairs of the tournament together (maximum of the
studentized differences; Romano and Wolf 2005).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SCALE = 400 / np.log(10)  # Elo points per unit of log strength
PSEUDO = 0.5  # wins added each way between agents that have met
REPLICATES = 1000
BUNDLES = 1000  # deals are put into so many bundles at most, which are drawn together
FEWEST = 10  # with fewer deals nothing is called distinguishable: what few deals happen to share is no evidence
ROUNDING = 1e-6  # Elo points


@dataclass(frozen=True)
class Ratings:
    """Of n agents, in Elo points; ``anchor`` is the index of the agent at 0, None where the mean is 0.

    ``elo`` (n,), ``interval`` (n, 2); ``difference`` (n, n) row minus column, ``difference_interval`` (n, n, 2);
    ``distinguishable`` bool (n, n); ``wins`` (n, n): how often a seat of the row beat a seat of the column;
    ``groups`` for each agent the letters that it shares with those it cannot be told from. ``misfit``: (row, column,
    share of wins, share that the ratings expect) where the two are farthest apart. ``unbounded``: pairs (above, below)
    of sets of agents of which no agent below ever beat one above: how far they are apart the games do not say.
    """

    anchor: int | None
    elo: np.ndarray
    interval: np.ndarray
    difference: np.ndarray
    difference_interval: np.ndarray
    distinguishable: np.ndarray
    wins: np.ndarray
    groups: list[str]
    misfit: tuple[int, int, float, float] | None
    unbounded: list[tuple[list[int], list[int]]]


def count_wins(agents: int, lineups: np.ndarray, returns: np.ndarray, deals: np.ndarray) -> np.ndarray:
    """Pairs of seats that one has won, by bundles of deals: float (bundles, n, n), winner by loser.

    ``lineups`` int (games, P), ``returns`` (games, P), ``deals`` int (games,) from 0.
    """
    deals = np.asarray(deals, np.int64)
    number = int(deals.max()) + 1
    bundles = min(number, BUNDLES)
    bundle = deals * bundles // number
    lineups = np.asarray(lineups, np.int64)
    wins = np.zeros(bundles * agents * agents)
    for a in range(lineups.shape[1]):
        for b in range(a):
            decided = (returns[:, a] != returns[:, b]) & (lineups[:, a] != lineups[:, b])
            first = (returns[:, a] > returns[:, b])[decided]
            one, other = lineups[decided, a], lineups[decided, b]
            winner, loser = np.where(first, one, other), np.where(first, other, one)
            wins += np.bincount((bundle[decided] * agents + winner) * agents + loser, minlength=len(wins))
    return wins.reshape(bundles, agents, agents)


def fit_strengths(wins: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Log strengths (n,) of mean 0 from wins (n, n) among agents that have all met; ``start`` only saves time."""
    import choix

    counted = wins + PSEUDO * ~np.eye(len(wins), dtype=bool)
    found = choix.ilsr_pairwise_dense(counted, initial_params=start, max_iter=10_000)
    return found - found.mean()


def rate(wins: np.ndarray, anchor: int | None = None, seed: int = 0, replicates: int | None = None) -> Ratings:
    """Ratings from wins (bundles of deals, n, n), as ``count_wins`` gives them; all agents must have met.

    ``replicates`` of the bootstrap, 1,000 if left out.
    """
    replicates = REPLICATES if replicates is None else replicates
    bundles, agents, _ = wins.shape
    total = wins.sum(axis=0)
    strengths = fit_strengths(total)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(bundles, np.full(bundles, 1 / bundles), replicates)
    again = (drawn @ wins.reshape(bundles, -1)).reshape(replicates, agents, agents)
    samples = SCALE * np.array([fit_strengths(sample, strengths) for sample in again])
    points = SCALE * strengths
    difference = points[:, None] - points
    differences = samples[:, :, None] - samples[:, None, :]
    distinguishable = _distinguishable(difference, differences) & (bundles >= FEWEST)
    if anchor is not None:
        points, samples = difference[:, anchor], differences[:, :, anchor]
    return Ratings(
        anchor=anchor,
        elo=points,
        interval=_percentiles(samples),
        difference=difference,
        difference_interval=_percentiles(differences),
        distinguishable=distinguishable,
        wins=total,
        groups=letter_groups(distinguishable, np.argsort(-points, kind="stable").tolist()),
        misfit=_misfit(total, strengths),
        unbounded=_unbounded(total),
    )


def _percentiles(samples: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.percentile(samples, [2.5, 97.5], axis=0), 0, -1)


def _distinguishable(difference: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Bool (n, n), for all pairs at once at 5 %; ``samples`` (replicates, n, n)."""
    error = samples.std(axis=0, ddof=1)
    known = error > ROUNDING  # else both did the same in every deal, or nothing was decided
    studentized = np.abs(samples - difference) / np.where(known, error, np.inf)
    critical = np.percentile(studentized.max(axis=(1, 2)), 95)
    return np.abs(difference) > np.maximum(critical * error, ROUNDING)


def letter_groups(distinguishable: np.ndarray, order: Sequence[int]) -> list[str]:
    """Letters for each agent, such that two share one exactly if they cannot be told apart.

    Piepho 2004, "An algorithm for a letter-based representation of all-pairwise comparisons": insert and absorb.
    ``order`` lists the agents from the best on; the first has an "a".
    """
    groups = [frozenset(order)]
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            if distinguishable[one, other]:
                split = [part for group in groups for part in _without_both(group, one, other)]
                groups = [group for group in dict.fromkeys(split) if not any(group < larger for larger in split)]
    place_of = {agent: place for place, agent in enumerate(order)}
    groups.sort(key=lambda group: sorted(place_of[agent] for agent in group))
    letters = [""] * len(order)
    for number, group in enumerate(groups):
        for agent in group:
            letters[agent] += chr(ord("a") + number) if number < 26 else f"({number})"
    return letters


def _without_both(group: frozenset[int], one: int, other: int) -> list[frozenset[int]]:
    return [group - {one}, group - {other}] if one in group and other in group else [group]


def _misfit(wins: np.ndarray, strengths: np.ndarray) -> tuple[int, int, float, float] | None:
    pairs = wins + wins.T
    if not pairs.any():
        return None
    share = np.divide(wins, pairs, out=np.zeros_like(wins), where=pairs > 0)
    expected = 1 / (1 + np.exp(strengths - strengths[:, None]))
    off = np.where(pairs > 0, share - expected, -np.inf)
    row, column = (int(place) for place in np.unravel_index(off.argmax(), off.shape))
    return row, column, float(share[row, column]), float(expected[row, column])


def _unbounded(wins: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """Where the graph of who has beaten whom is not strongly connected (Ford 1957): then the likelihood has no top."""
    beat: Any = wins > 0
    for _ in range(len(wins)):
        beat = beat | (beat @ beat)
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    for agent in range(len(wins)):
        above = tuple(k for k in range(len(wins)) if k == agent or beat[k, agent])
        below = tuple(k for k in range(len(wins)) if k not in above)
        if below:
            found[above, below] = None
    return [(list(above), list(below)) for above, below in found]
