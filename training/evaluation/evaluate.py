"""How strong an agent is at a table of others: the same deals, with seats rotated, and intervals on every figure."""

import pathlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ...agents.base import AnyAgent
from ...envs.core.errors import naming_file
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..cluster.ray_executor import RayExecutor
from ..storage.plain_json import json_text, plain
from .intervals import mean_interval, rate_interval
from .match import play_games
from .saved_games import SavedGames


@dataclass(frozen=True)
class Evaluation:
    """What came of ``games`` games; ``deals`` of them were dealt apart, each played once from every seat.

    Where seats play several roles, the agent has all seats of ``role`` and each deal is played once; its payoff is then
    the mean over its seats, and a rate counts the games in which any of them is a hit.
    Intervals are of 95 % and take into account that games of one deal are alike. ``rates`` holds the game's own rates,
    each ``name`` with ``name_ci`` and, with truncated games counted as hits, ``name_or_truncated`` with its interval.
    """

    agent: str
    role: str
    against: list[str]
    game: str
    settings: dict[str, Any]
    seed: int
    greedy: bool
    games: int
    deals: int
    mean_payoff: float
    mean_payoff_ci: tuple[float, float]
    truncated_share: float
    illegal_actions: int
    opponents_illegal_actions: int
    mean_length: float
    payoff_by_seat: list[float]
    seconds: float
    decisions_per_second: float
    rates: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """A flat JSON object: the rates stand beside the other figures; one that there is not, such as the interval of
        a single deal, is None."""
        content = asdict(self)
        return plain({**content.pop("rates"), **content})

    def write(self, path: pathlib.Path) -> None:
        """Writes the JSON to a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with naming_file(path):
            path.write_text(json_text(self.to_json(), 2) + "\n", encoding="utf-8")


def evaluate(
    game: Game,
    settings: Settings,
    agent: AnyAgent,
    against: Sequence[AnyAgent],
    games: int = 20_000,
    seed: int = 0,
    threads: int = 2,
    on_progress: Callable[[int], None] | None = None,
    role: str | None = None,
    save: SavedGames | None = None,
    cluster: RayExecutor | None = None,
) -> Evaluation:
    """Plays ``games`` games (rounded up to whole deals) of ``agent`` at a table of ``against``.

    ``against`` is one agent for all other seats or one for each, clockwise from the agent. Where seats play several
    roles the agent has all seats of ``role`` (by default the first), and ``against`` the others, by number.
    ``save`` writes some of the games down; the agent is number 0 there. A ``cluster`` plays the games in this process's
    place; the figures are the same.

    Raises:
        ValueError: a wrong number of opponents or games, or a role that there is not.
    """
    if not isinstance(games, int) or games < 1:
        raise ValueError(f"games={games!r}: allowed is a whole number from 1")
    turns = _seats_of(game, settings, role)
    other_seats = game.spec.num_seats(settings) - turns.shape[1]
    others = list(against) * other_seats if len(against) == 1 else list(against)
    if len(others) != other_seats:
        raise ValueError(f"against: {len(against)} agents for {other_seats} other seats; one for all, or one for each")
    deals = -(-games // len(turns))
    count = deals * len(turns)
    own = np.tile(turns, (deals, 1))
    lineups = _lineups(own, other_seats)
    deal = np.repeat(np.arange(deals), len(turns))
    began = time.perf_counter()
    results = play_games(game, settings, [agent, *others], lineups, deal, seed, threads, on_progress, save, cluster)
    seconds = time.perf_counter() - began
    payoffs = results.returns[np.arange(count)[:, None], own].astype(float)
    mean, low, high = mean_interval(payoffs.mean(axis=1), deal)
    mine = (results.forfeited[:, None] == own).any(axis=1)
    rates: dict[str, Any] = {}
    for name, hit in game.spec.parameters.rates(settings).items():
        hits = np.any([hit(results.returns, seat) for seat in own.T], axis=0) & ~results.truncated
        rates[name], *interval = rate_interval(hits, deal)
        rates[f"{name}_ci"] = interval
        rates[f"{name}_or_truncated"], *interval = rate_interval(hits | results.truncated, deal)
        rates[f"{name}_or_truncated_ci"] = interval
    return Evaluation(
        agent=agent.name,
        role=role or game.spec.roles[0].name,
        against=[other.name for other in others],
        game=game.spec.id,
        settings=dict(settings),
        seed=seed,
        greedy=getattr(agent, "greedy", True),
        games=count,
        deals=deals,
        mean_payoff=mean,
        mean_payoff_ci=(low, high),
        truncated_share=float(results.truncated.mean()),
        illegal_actions=int(mine.sum()),
        opponents_illegal_actions=int(((results.forfeited >= 0) & ~mine).sum()),
        mean_length=float(results.lengths.mean()),
        payoff_by_seat=[float(payoffs[own == seat].mean()) for seat in np.unique(turns)],
        seconds=round(seconds, 3),
        decisions_per_second=round(float(results.lengths.sum()) / max(seconds, 1e-9)),
        rates=rates,
    )


def _seats_of(game: Game, settings: Settings, role: str | None) -> np.ndarray:
    """The seats that the agent has in the games of one deal, int64 (games, seats of its own)."""
    spec = game.spec
    roles = np.array(spec.seat_roles(settings))
    known = [entry.name for entry in spec.roles]
    if role is not None and role not in known:
        raise ValueError(f"role={role!r}: {spec.name} has {', '.join(known)}")
    if len(known) == 1:
        return np.arange(len(roles))[:, None]
    return np.flatnonzero(roles == known.index(role or known[0]))[None, :]


def _lineups(own: np.ndarray, others: int) -> np.ndarray:
    """Who sits where, int64 (n, P): 0 the agent, at its seats (n, k); 1, 2, ... the others, clockwise."""
    rows, seats = np.arange(len(own))[:, None], own.shape[1] + others
    free = np.ones((len(own), seats), np.int64)
    free[rows, own] = 0
    turned = (own[:, :1] + np.arange(seats)) % seats
    lineups = np.zeros_like(free)
    lineups[rows, turned] = free[rows, turned].cumsum(axis=1)
    return lineups * free


def ranged(value: float, interval: Sequence[float | None], gap: str = "  ") -> str:
    """A figure with its interval; a single deal has none."""
    low, high = interval
    known = low is not None and high is not None and low <= high  # not so for NaN
    return f"{value:.4f}{gap}[{low:.4f}, {high:.4f}]" if known else f"{value:.4f}{gap}[no interval of a single deal]"


def table_text(result: Evaluation) -> str:
    """The figures as lines for a terminal."""
    role = f" as {result.role}" if result.role != "player" else ""
    lines = [
        f"{result.agent}{role} at a table of {', '.join(result.against)}",
        f"{result.game}, {result.games} games, {result.deals} deals, seed {result.seed}",
        f"  {'mean payoff':<24}{ranged(result.mean_payoff, result.mean_payoff_ci)}",
    ]
    for name, value in result.rates.items():
        if not name.endswith("_ci"):
            lines.append(f"  {name.replace('_', ' '):<24}{ranged(value, result.rates[name + '_ci'])}")
    lines += [
        f"  {'truncated share':<24}{result.truncated_share:.4f}",
        f"  {'illegal actions':<24}{result.illegal_actions} (opponents {result.opponents_illegal_actions})",
        f"  {'decisions a game':<24}{result.mean_length:.1f}",
        f"  {'payoff by seat':<24}{', '.join(f'{payoff:+.4f}' for payoff in result.payoff_by_seat)}",
        f"  {result.seconds:.1f} s, {result.decisions_per_second:,} decisions a second",
    ]
    return "\n".join(lines)
