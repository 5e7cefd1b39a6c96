"""``poopdeck check``."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from .game_options import GameName, Seed


def check(
    game: GameName,
    players: Annotated[list[int] | None, typer.Option(help="Only these numbers of players; may be repeated.")] = None,
    variant: Annotated[list[str] | None, typer.Option(help="Only these variants; may be repeated.")] = None,
    games: Annotated[int, typer.Option(help="Games for each variant and number of players.")] = 3,
    seed: Seed = 0,
) -> None:
    """Checks a game, also one of your own, against everything that adapters and learners rely on."""
    from ..api import game as find_game
    from ..envs.conformance.check import check_game

    report = check_game(
        find_game(game),
        variants=variant,
        players=players,
        games=games,
        seed=seed,
        on_progress=_tell(sys.stderr.isatty()),
    )
    for point, what, ok, detail in report.lines:
        typer.echo(f"{'ok    ' if ok else 'FAILED'} {point}: {what}" + (f": {detail}" if detail else ""))
    typer.echo("conforms" if report.passed else "does not conform")
    raise typer.Exit(0 if report.passed else 1)


def _tell(terminal: bool) -> Callable[[str], None] | None:
    return (lambda text: typer.echo(f"\r\033[K{text}", nl=False, err=True)) if terminal else None
