"""What a tournament's games say: figures of every agent, who did how well with whom at the table, ratings.

All intervals are of 95 % and take into account that games of one deal are alike.
"""

from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..storage.plain_json import plain
from .intervals import Z, mean_interval, rate_interval
from .ratings import FEWEST, Ratings, count_wins, rate

ROUGH = 50  # deals; intervals from fewer are too narrow rather than too wide
ROUNDING = 1e-6  # payoffs are float32
MANY_TRUNCATED = 0.01  # a share of truncated games that is worth a warning


@dataclass(frozen=True)
class PlayedGames:
    """n games at P seats, in the order of their deals.

    ``lineups`` int16 (n, P): the agent at each seat; ``deals`` int32 (n,) from 0; ``returns`` float32 (n, P);
    ``lengths`` int64 (n,) decisions; ``truncated`` bool (n,); ``forfeited`` int16 (n,): the seat whose illegal action
    ended the game, -1 for none.
    """

    lineups: np.ndarray
    deals: np.ndarray
    returns: np.ndarray
    lengths: np.ndarray
    truncated: np.ndarray
    forfeited: np.ndarray

    @classmethod
    def joined(cls, parts: list["PlayedGames"]) -> "PlayedGames":
        """One after the other; at least one part."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Figures:
    """The games seat by seat, with the game's own rates as hits, to be averaged over any of the seats."""

    def __init__(self, game: Game, settings: Settings, played: PlayedGames):
        n, seats = played.lineups.shape
        self.agent = played.lineups.ravel()
        self.game = np.repeat(np.arange(n), seats)
        self.deal = np.repeat(played.deals, seats)
        self.payoff = played.returns.ravel().astype(float)
        self.truncated = np.repeat(played.truncated, seats)
        self.forfeited = (played.forfeited[:, None] == np.arange(seats)).ravel()
        self.rates: dict[str, np.ndarray] = {}
        for name, hit in game.spec.parameters.rates(settings).items():
            hits = np.stack([hit(played.returns, np.full(n, seat)) for seat in range(seats)], axis=1).ravel()
            self.rates[name] = hits & ~self.truncated
            self.rates[f"{name}_or_truncated"] = hits | self.truncated

    def over(self, chosen: np.ndarray) -> dict[str, Any]:
        """Mean payoff and rates over some seats, bool (n * P,), each with its interval."""
        deal = self.deal[chosen]
        found: dict[str, Any] = {}
        found["mean_payoff"], *found["mean_payoff_ci"] = mean_interval(self.payoff[chosen], deal)
        for name, hits in self.rates.items():
            found[name], *found[f"{name}_ci"] = rate_interval(hits[chosen], deal)
        return found


def standings(
    game: Game, settings: Settings, labels: list[str], played: PlayedGames, anchor: int | None, seed: int
) -> dict[str, Any]:
    """Everything, ready for JSON: ``standings`` from the best rating on, ``cross_table``, ``ratings``, ``warnings``.

    Rows and columns of ``cross_table`` and ``ratings`` are in the order of ``standings``.
    """
    wins = count_wins(len(labels), played.lineups, played.returns, played.deals)
    ratings = rate(wins, anchor, seed)
    order = np.argsort(-ratings.elo, kind="stable").tolist()
    figures = Figures(game, settings, played)
    here = (played.lineups[:, :, None] == np.arange(len(labels))).any(axis=1)  # (n, agents): at the table
    table = []
    for agent in order:
        own = figures.agent == agent
        table.append(
            {
                "agent": labels[agent],
                "rating": ratings.elo[agent],
                "rating_ci": ratings.interval[agent],
                "group": ratings.groups[agent],
                **figures.over(own),
                "truncated_share": played.truncated[here[:, agent]].mean(),
                "illegal_actions": int(figures.forfeited[own].sum()),
                "games": int(here[:, agent].sum()),
                "seats": int(own.sum()),
            }
        )
    names = [labels[agent] for agent in order]
    content = {
        "rates": list(game.spec.parameters.rates(settings)),
        "mean_length": played.lengths.mean(),
        "standings": table,
        "cross_table": {"agents": names, **_cross_table(figures, played, here, order)},
        "ratings": {"agents": names, **_ratings_content(ratings, order, labels)},
        "warnings": _warnings(ratings, played, labels),
    }
    return plain(content)


def _cross_table(
    figures: Figures, played: PlayedGames, here: np.ndarray, order: list[int]
) -> dict[str, list[list[Any]]]:
    """Row agent's figures in the games with the column agent at the table.

    ``lead`` is what the row agent's seats were paid on average more than the column agent's seats in these games, and
    ``lead_clear`` whether that is significant at 5 % for all pairs together (Bonferroni).
    """
    size = len(order)
    share = np.stack([_own_mean(figures, agent, len(here)) for agent in range(size)], axis=1)
    strict = NormalDist().inv_cdf(1 - 0.025 / (size * (size - 1) / 2))
    content: dict[str, list[list[Any]]] = {}
    for place, row in enumerate(order):
        for column in order:
            common = here[:, row] & here[:, column]
            cell: dict[str, Any] = {"games": int(common.sum())}
            if row != column:
                cell |= figures.over((figures.agent == row) & common[figures.game])
                lead, low, high = mean_interval((share[:, row] - share[:, column])[common], played.deals[common])
                clear = abs(lead) > max(ROUNDING, (high - low) / 2 * strict / Z)
                enough = len(np.unique(played.deals[common])) >= FEWEST
                cell |= {"lead": lead, "lead_ci": [low, high], "lead_clear": bool(clear and enough)}
            for name, value in cell.items():
                rows = content.setdefault(name, [[None] * size for _ in range(size)])
                rows[place][order.index(column)] = value
    return content


def _own_mean(figures: Figures, agent: int, games: int) -> np.ndarray:
    """Mean payoff of an agent's seats in every game, (n,); 0 where it has none."""
    own = figures.agent == agent
    seats = np.bincount(figures.game[own], minlength=games)
    return np.bincount(figures.game[own], figures.payoff[own], games) / np.maximum(seats, 1)


def _ratings_content(ratings: Ratings, order: list[int], labels: list[str]) -> dict[str, Any]:
    square = np.ix_(order, order)
    anchor = "mean 0" if ratings.anchor is None else f"{labels[ratings.anchor]} at 0"
    content: dict[str, Any] = {
        "model": "Bradley-Terry over pairs of seats with different payoffs in one game",
        "scale": f"Elo (400 points: odds of 10 to 1), {anchor}",
        "difference": ratings.difference[square],
        "difference_ci": ratings.difference_interval[square],
        "distinguishable": ratings.distinguishable[square],
        "wins": ratings.wins[square],
        "misfit": None,
    }
    if ratings.misfit is not None:
        row, column, share, expected = ratings.misfit
        content["misfit"] = {"agent": labels[row], "over": labels[column], "share": share, "expected": expected}
    return content


def _warnings(ratings: Ratings, played: PlayedGames, labels: list[str]) -> list[str]:
    found = []
    deals = int(played.deals.max()) + 1
    if deals < ROUGH:
        found.append(f"{deals} deals only: intervals are rough, play more games")
    if played.truncated.mean() > MANY_TRUNCATED:
        found.append(f"{played.truncated.mean():.1%} of the games were cut by the decision cap, which rates nobody")
    for above, below in ratings.unbounded:
        worse, better = (" or ".join(labels[agent] for agent in side) for side in (below, above))
        found.append(f"no game in which {worse} beat {better}: how far apart their ratings are is not known")
    return found
