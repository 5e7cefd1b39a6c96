"""``poopdeck tournament``."""

import pathlib
import shlex
from typing import Annotated

import typer

from .cluster import RayAddress, cluster
from .game_options import Players, SetOption, Variant, parse_pairs
from .progress import progress_bar


def tournament(
    game: Annotated[
        str | None, typer.Argument(help="A game's name, as `poopdeck games` lists them.", show_default=False)
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Two or more agents, by name or folder, each as AGENT or LABEL=AGENT.", show_default=False),
    ] = None,
    players: Players = None,
    games: Annotated[
        int | None, typer.Option(help="Games altogether, rounded up to whole deals.", show_default="20000")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.", show_default="0")] = None,
    variant: Variant = None,
    set_: SetOption = None,
    sampled: Annotated[
        bool | None, typer.Option("--sampled", help="Networks draw actions instead of taking the likeliest.")
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads that play.")] = 2,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="The folder for the results; a new one below `runs/` if left out.")
    ] = None,
    save_every: Annotated[
        int | None, typer.Option(min=1, help="Write every so many games to the folder's `replays`.")
    ] = None,
    ray: RayAddress = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the tournament in `--out`; nothing else need be given.")
    ] = False,
) -> None:
    """Rates agents by games at all kinds of tables of them: ratings, cross table, heat map."""
    from ..training.evaluation.tournament import run_tournament, tournament_request
    from ..training.evaluation.tournament_report import table_text
    from ..training.run.interrupts import Interrupts

    if ray is not None and save_every is not None:
        raise ValueError("--save-every: games that are played on a Ray cluster cannot be written down")
    if resume and out is None:
        raise ValueError("--resume needs the tournament's folder: --out FOLDER")
    begun = out if resume else None
    options = parse_pairs(set_)
    plan = tournament_request(game, agents, players, options, games, seed, sampled, begun, variant)

    def say(text: str) -> None:
        typer.echo(text, err=True)

    bar = progress_bar("games", plan.schedule.games)
    with Interrupts() as interrupts, cluster(ray) as workers, bar as update:
        ended = run_tournament(plan, out, resume, threads, update, lambda: interrupts.asked, say, save_every, workers)
    if ended.content is None:
        say(f"stopped after {ended.played:,} of {ended.games:,} games, which are kept; to go on:")
        say(f"  poopdeck tournament --out {shlex.quote(str(ended.folder))} --resume")
        raise typer.Exit(130)
    typer.echo(table_text(ended.content))
    typer.echo(f"\nresults in {ended.folder}: tournament.json, cross_table.md, heat_map.png")
