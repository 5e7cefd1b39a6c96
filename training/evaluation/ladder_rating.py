"""How strong an agent is on the ladder: one number on a scale that stays, and whether one number tells it all.

Model and intervals are those of ratings.py, but the rungs' ratings are given and only the agent's is fitted: the
rating at which it is expected to win as many of its pairs as it has won (maximum likelihood of Bradley and Terry's
model, with half a win and half a loss added against each rung).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.base import AnyAgent
from ..storage.plain_json import plain
from .ladder import Ladder
from .pair_games import Table
from .ratings import PSEUDO, REPLICATES, SCALE, count_wins

MEETINGS = 31  # branch of the seed
WIDE = 0.05  # of all pairs: by less than that one number does not mislead


@dataclass(frozen=True)
class LadderRating:
    """Of an agent after ``games`` games (of several roles: matches) of ``deals`` deals.

    ``rating`` with ``interval`` (95 %, over deals; the rungs' ratings count as known). ``against`` has for each rung
    its ``rung``, ``rating``, ``pairs`` (decided pairs of seats), ``won`` (share, with ``won_ci``) and ``expected`` by
    the rating. ``intransitivity``: by how much of all pairs what was won differs from what the rating expects (root
    mean square over rungs, chance taken off); ``misleading`` names the rungs where that is more than .05 beyond chance;
    ``cycles`` lists (A, B): the agent beats A, A beats B, B beats the agent, each beyond chance.
    """

    agent: str
    game: str
    players: int
    variant: str
    version: str
    games: int
    deals: int
    seed: int
    rating: float
    interval: tuple[float, float]
    against: list[dict[str, Any]]
    intransitivity: float
    misleading: list[str]
    cycles: list[tuple[str, str]]

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        return plain(vars(self))


def rate_on_ladder(
    table: Table,
    agent: AnyAgent,
    ladder: Ladder,
    games: int = 20_000,
    seed: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> LadderRating:
    """Plays ``games`` games (rounded up to whole deals) of ``agent`` at tables whose other seats are drawn among the
    rungs, every deal once from every seat.

    Raises:
        ValueError: ``games`` is none, or the rungs are not those that were measured.
    """
    if not isinstance(games, int) or games < 1:
        raise ValueError(f"games={games!r}: allowed is a whole number from 1")
    agents = [*ladder.agents(table.game, table.settings), agent]
    lineups, deals = _lineups(len(ladder.rungs), table.places, games, seed)
    returns = table.play(agents, lineups, deals, seed, on_progress)
    wins = count_wins(len(agents), lineups, returns, deals)
    return _rating(ladder, agent.name, wins, len(lineups), int(deals.max()) + 1, seed)


def _lineups(rungs: int, places: int, games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Who sits where, int (n, places), the agent being number ``rungs``, and the deals (n,)."""
    deals = -(-games // places)
    rng = np.random.default_rng([seed, MEETINGS])
    tables = np.concatenate([np.full((deals, 1), rungs), rng.integers(rungs, size=(deals, places - 1))], axis=1)
    turned = [np.roll(tables, turn, axis=1) for turn in range(places)]
    return np.stack(turned, axis=1).reshape(-1, places), np.repeat(np.arange(deals), places)


def fit_rating(won: np.ndarray, lost: np.ndarray, elo: np.ndarray) -> np.ndarray:
    """The rating for each row of wins and losses (m, n) against rungs of the ratings (n,), in points, float (m,)."""
    met = (won + lost).sum(axis=0) > 0
    won, lost = won + PSEUDO * met, lost + PSEUDO * met
    low, high = np.full(len(won), elo.min() - 4000), np.full(len(won), elo.max() + 4000)
    for _ in range(60):  # the expected wins rise with the rating
        middle = (low + high) / 2
        expected = ((won + lost) / (1 + np.exp((elo - middle[:, None]) / SCALE))).sum(axis=1)
        higher = expected < won.sum(axis=1)
        low, high = np.where(higher, middle, low), np.where(higher, high, middle)
    return (low + high) / 2


def _rating(ladder: Ladder, name: str, wins: np.ndarray, games: int, deals: int, seed: int) -> LadderRating:
    won, lost = wins[:, -1, :-1], wins[:, :-1, -1]  # (bundles, rungs)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(wins), np.full(len(wins), 1 / len(wins)), REPLICATES)
    again_won, again_lost = drawn @ won, drawn @ lost
    rating = float(fit_rating(won.sum(axis=0)[None], lost.sum(axis=0)[None], ladder.elo)[0])
    samples = fit_rating(again_won, again_lost, ladder.elo)
    shares, share_samples = _shares(won.sum(axis=0), lost.sum(axis=0)), _shares(again_won, again_lost)
    intervals = np.nanpercentile(share_samples, [2.5, 97.5], axis=0).T
    expected = 1 / (1 + np.exp((ladder.elo - rating) / SCALE))
    # What a rung's share and the rating have in common is taken off together.
    off_samples = share_samples - 1 / (1 + np.exp((ladder.elo - samples[:, None]) / SCALE))
    error = np.nanstd(off_samples, axis=0, ddof=1)
    off = shares - expected
    met = ~np.isnan(shares)
    surprising = met & (np.abs(off) - 1.96 * error > WIDE)
    against = [
        {
            "rung": rung,
            "rating": float(ladder.elo[k]),
            "pairs": int(won[:, k].sum() + lost[:, k].sum()),
            "won": float(shares[k]),
            "won_ci": [float(value) for value in intervals[k]],
            "expected": float(expected[k]),
        }
        for k, rung in enumerate(ladder.rungs)
    ]
    excess = np.maximum(off[met] ** 2 - error[met] ** 2, 0)
    return LadderRating(
        agent=name,
        game=ladder.game,
        players=ladder.players,
        variant=ladder.variant,
        version=ladder.version,
        games=games,
        deals=deals,
        seed=seed,
        rating=rating,
        interval=(float(np.percentile(samples, 2.5)), float(np.percentile(samples, 97.5))),
        against=against,
        intransitivity=float(np.sqrt(excess.mean())) if met.any() else 0.0,
        misleading=[rung for rung, is_so in zip(ladder.rungs, surprising, strict=True) if is_so],
        cycles=_cycles(ladder, intervals),
    )


def _shares(won: np.ndarray, lost: np.ndarray) -> np.ndarray:
    return np.divide(won, won + lost, out=np.full(won.shape, np.nan), where=won + lost > 0)


def _cycles(ladder: Ladder, intervals: np.ndarray) -> list[tuple[str, str]]:
    """Pairs (A, B) of rungs: the agent surely beats A, A surely beats B, and B surely the agent."""
    error = np.sqrt(0.25 / np.maximum(ladder.pairs, 1))
    surely = ladder.beat - 1.96 * error > 0.5
    return [
        (ladder.rungs[a], ladder.rungs[b])
        for a in range(len(ladder.rungs))
        for b in range(len(ladder.rungs))
        if intervals[a, 0] > 0.5 and intervals[b, 1] < 0.5 and surely[a, b]
    ]


def rating_text(found: LadderRating) -> str:
    """The figures as lines for a terminal."""
    low, high = found.interval
    lines = [
        f"{found.agent} on the ladder of {found.game}, {found.players} players, {found.variant} "
        f"(version {found.version})",
        f"  rating  {found.rating:.0f}  [{low:.0f}, {high:.0f}]   {found.games:,} games of {found.deals:,} deals, "
        f"seed {found.seed}",
        "",
        f"  {'rung':<22}{'rating':>7}{'pairs':>9}  {'won':<24}{'expected':>8}",
    ]
    for entry in found.against:
        ranged = f"{entry['won']:.3f}  [{entry['won_ci'][0]:.3f}, {entry['won_ci'][1]:.3f}]"
        lines.append(
            f"  {entry['rung']:<22}{entry['rating']:>7.0f}{entry['pairs']:>9,}  {ranged:<24}{entry['expected']:>8.3f}"
        )
    lines += ["", f"  intransitivity {found.intransitivity:.3f}: " + _verdict(found)]
    lines += [f"  a cycle: it beats {a}, {a} beats {b}, {b} beats it" for a, b in found.cycles]
    return "\n".join(lines)


def _verdict(found: LadderRating) -> str:
    if not found.misleading:
        return "the one number tells how it does against every rung"
    return f"the one number misleads about {', '.join(found.misleading)}"
