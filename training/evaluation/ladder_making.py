"""How a ladder comes about: its rungs play at all kinds of tables with each other."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...agents.levels.level import EXPERT, HARD
from ...agents.levels.weights import find_shipped
from ...agents.loading import agent_names, load_agent
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ...version import __version__
from ..storage.replay import weights_digest
from .ladder import ANCHOR, ANCHOR_POINTS, Ladder
from .ladder_rating import LadderRating, rate_on_ladder
from .pair_games import Table
from .ratings import count_wins, rate
from .schedule import make_schedule


def rung_names(game: Game, settings: Settings) -> list[str]:
    """Random play, the weaker heuristics, and the levels that do not search and have something of their own."""
    weaker = [name for name in agent_names(game) if name == "random" or name.startswith("heuristic:")]
    levels = ["easy", ANCHOR, *([HARD] if find_shipped(game.spec, settings) else [])]
    return [*weaker, *levels]


def make_ladder(
    table: Table,
    variant: str,
    rungs: Sequence[str],
    games: int,
    seed: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> Ladder:
    """A ladder of at least ``games`` games (of several roles: matches) between the rungs, ``medium`` among them."""
    game, settings = table.game, table.settings
    agents = [load_agent(name, game, settings) for name in rungs]
    schedule = make_schedule(len(agents), table.places, games, seed)
    lineups, deals = [], []
    for number, block in enumerate(schedule.blocks()):
        seats, within = schedule.lineups(number, block)
        lineups.append(seats)
        deals.append(within + block.start)
    seats, deal = np.concatenate(lineups), np.concatenate(deals)
    returns = table.play(agents, seats, deal, seed, on_progress)
    wins = count_wins(len(agents), seats, returns, deal)
    found = rate(wins, rungs.index(ANCHOR), seed)
    order = np.argsort(found.elo, kind="stable")
    total = wins.sum(axis=0)[np.ix_(order, order)]
    pairs = total + total.T
    return Ladder(
        game=game.spec.name,
        players=settings["num_players"],
        variant=variant,
        version=__version__,
        digest=weights_digest(agents[rungs.index(HARD)]) if HARD in rungs else None,
        games=len(seats),
        rungs=[rungs[place] for place in order],
        elo=found.elo[order] + ANCHOR_POINTS,
        interval=found.interval[order] + ANCHOR_POINTS,
        beat=np.divide(total, pairs, out=np.full(pairs.shape, np.nan), where=pairs > 0),
        pairs=pairs,
        slow=[],
    )


def with_slow_rung(
    table: Table,
    ladder: Ladder,
    games: int,
    seed: int = 0,
    name: str = EXPERT,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[Ladder, LadderRating]:
    """The ladder with one rung more, which is rated by few games against the others; and that rating."""
    found = rate_on_ladder(table, load_agent(name, table.game, table.settings), ladder, games, seed, on_progress)
    won = np.array([entry["won"] for entry in found.against])
    pairs = np.array([entry["pairs"] for entry in found.against], float)
    place = int(np.searchsorted(ladder.elo, found.rating))
    beat = np.insert(np.insert(ladder.beat, place, 1 - won, axis=1), place, 0, axis=0)
    beat[place] = np.insert(won, place, np.nan)
    met = np.insert(np.insert(ladder.pairs, place, pairs, axis=1), place, 0, axis=0)
    met[place] = np.insert(pairs, place, 0)
    fields: dict[str, Any] = {
        "rungs": [*ladder.rungs[:place], name, *ladder.rungs[place:]],
        "elo": np.insert(ladder.elo, place, found.rating),
        "interval": np.insert(ladder.interval, place, found.interval, axis=0),
        "beat": beat,
        "pairs": met,
        "slow": [*ladder.slow, name],
    }
    return replace(ladder, **fields), found
