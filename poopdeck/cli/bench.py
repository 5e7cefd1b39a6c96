"""``poopdeck bench``."""

import pathlib
from typing import Annotated

import typer


def bench(
    game: Annotated[str | None, typer.Argument(help="Only this game; all if left out.")] = None,
    seconds: Annotated[float, typer.Option(help="Time of each measurement.")] = 2.0,
    peers: Annotated[bool, typer.Option(help="Also measure the peers that are installed.")] = True,
    json_: Annotated[pathlib.Path | None, typer.Option("--json", help="Also write the figures to this file.")] = None,
) -> None:
    """Measures speed on this machine, and the ratio to every peer that is installed (extra `bench`)."""
    from ..training.speed.bench import bench_command

    bench_command(game, seconds, peers, json_)
