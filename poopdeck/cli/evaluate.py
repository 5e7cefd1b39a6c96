"""``poopdeck evaluate``."""

import pathlib
from typing import Annotated

import typer

from .cluster import RayAddress, cluster
from .game_options import Players, Seed, SetOption, Variant, find_table
from .progress import progress_bar


def evaluate(
    agent: Annotated[str, typer.Argument(help="An agent by name, or the folder of a training run.")],
    against: Annotated[str, typer.Option(help="Opponents, by commas: one for all other seats, or one for each.")],
    game: Annotated[
        str | None, typer.Option(help="The game; a trained network knows its own, and its players and parameters.")
    ] = None,
    players: Players = None,
    games: Annotated[int, typer.Option(help="Games; every deal is played once from each seat.")] = 20_000,
    role: Annotated[
        str | None, typer.Option(help="In a game with several roles the one whose seats the agent has.")
    ] = None,
    seed: Seed = 0,
    variant: Variant = None,
    set_: SetOption = None,
    sampled: Annotated[
        bool, typer.Option("--sampled", help="Networks draw actions instead of taking the likeliest.")
    ] = False,
    any_settings: Annotated[
        bool,
        typer.Option("--any-settings", help="Networks may play with other parameters than they were trained with."),
    ] = False,
    threads: Annotated[int, typer.Option(help="Threads that play.")] = 2,
    save: Annotated[
        pathlib.Path | None, typer.Option(help="Write games to this new file, for `poopdeck replay`.")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Write only every so many of them.")] = 100,
    lost: Annotated[bool, typer.Option("--lost", help="Write only games that the agent lost.")] = False,
    ray: RayAddress = None,
    json_: Annotated[pathlib.Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
) -> None:
    """Measures an agent at a table of others: the same deals with seats rotated, 95 % intervals."""
    from ..agents.loading import load_agent, split_names
    from ..training.evaluation.evaluate import evaluate as measure
    from ..training.evaluation.evaluate import table_text
    from ..training.evaluation.saved_games import SavedGames

    names = [agent, *split_names(against)]
    found, settings = find_table(game, players, variant, set_, [] if any_settings else names)
    learner, *others = (load_agent(name, found, settings, not sampled, any_settings) for name in names)
    if ray is not None and save is not None:
        raise ValueError("--save: games that are played on a Ray cluster cannot be written down")
    saved = None if save is None else SavedGames(save, every, 0 if lost else None)
    with cluster(ray) as workers, progress_bar("games", games) as update:
        result = measure(found, settings, learner, others, games, seed, threads, update, role, saved, workers)
    typer.echo(table_text(result))
    for one in {id(agent): agent for agent in (learner, *others)}.values():
        if hasattr(one, "counts"):  # who is asked in words
            typer.echo(f"  {one.name}: {', '.join(f'{count:,} {what}' for what, count in one.counts.items())}")
    if saved is not None:
        typer.echo(f"{saved.count} games written to {save}")
    if json_ is not None:
        result.write(json_)
        typer.echo(f"written to {json_}")
