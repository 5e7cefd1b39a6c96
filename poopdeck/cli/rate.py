"""``poopdeck rate``."""

import pathlib
from typing import Annotated

import typer

from .game_options import Players, Seed, Variant, find_table
from .progress import progress_bar


def rate(
    agent: Annotated[str, typer.Argument(help="An agent by name, or the folder of a training run.")],
    game: Annotated[
        str | None, typer.Option(help="The game; a trained network knows its own, and its players and parameters.")
    ] = None,
    players: Players = None,
    variant: Variant = None,
    games: Annotated[int, typer.Option(help="Games, rounded up to whole deals.")] = 20_000,
    seed: Seed = 0,
    expert: Annotated[
        bool, typer.Option("--expert", help="Meet the level `expert`, too, which thinks 100 ms a move: it takes hours.")
    ] = False,
    threads: Annotated[int, typer.Option(help="Threads that play.")] = 2,
    json_: Annotated[pathlib.Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
) -> None:
    """Rates an agent on the ladder of agents that come with the package: one number, where it wins and loses."""
    from ..agents.loading import load_agent
    from ..envs.core.errors import naming_file
    from ..training.evaluation.ladder import find_ladder
    from ..training.evaluation.ladder_rating import rate_on_ladder, rating_text
    from ..training.evaluation.pair_games import Table
    from ..training.storage.plain_json import json_text

    found, settings = find_table(game, players, variant, None, [agent])
    ladder = find_ladder(found.spec, settings)
    ladder = ladder if expert else ladder.without(ladder.slow)
    rated = load_agent(agent, found, settings)
    with progress_bar("games", games) as update:
        result = rate_on_ladder(Table(found, settings, threads), rated, ladder, games, seed, update)
    typer.echo(rating_text(result))
    if json_ is not None:
        with naming_file(json_):
            json_.write_text(json_text(result.to_json(), 2) + "\n", encoding="utf-8")
        typer.echo(f"written to {json_}")
