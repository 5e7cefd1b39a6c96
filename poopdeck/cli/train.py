"""``poopdeck train``."""

import pathlib
from typing import Annotated

import typer

from .game_options import Players, Variant

ConfigSet = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A key of the config, such as `options.bombs=3`; may be given several times, the last one counts.",
    ),
]


def train(
    config: Annotated[str, typer.Argument(help="A shipped config's name, such as `poo_head`, or a YAML file.")],
    players: Players = None,
    variant: Variant = None,
    set_: ConfigSet = None,
    seed: Annotated[int | None, typer.Option(help="Overrides the config's seed.")] = None,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="The run's folder; a new one below `runs/` if left out.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in `--out`, or with the newest of this config.")
    ] = False,
) -> None:
    """Trains a policy; shows progress, and at the end where it lies and how to measure it."""
    from ..training.run.train import train_command

    raise typer.Exit(train_command(config, set_ or [], seed, out, resume, players, variant))
