"""The command ``poopdeck`` itself: what its commands are, and what becomes of errors."""

import functools
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from ..envs.core.switches import wait_for_compiler
from ..version import __version__
from .bench import bench
from .benchmark import benchmark
from .check import check
from .evaluate import evaluate
from .exploit import exploit
from .games import games
from .play import INTERRUPTED, play
from .rate import rate
from .replay import replay
from .serve import serve
from .terminal import never_fail_to_write
from .tournament import tournament
from .train import train
from .warmup import warmup
from .watch import watch

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""Card games for reinforcement learning: train, measure, play.

A first walk:

- `poopdeck games` lists the games, their variants and their agents
- `poopdeck play poo_head --opponents heuristic,heuristic` sits you down at a table
- `poopdeck serve` opens tables in the browser
- `poopdeck watch poo_head --players 3 --out game.gif` films a game between agents
- `poopdeck replay game.jsonl` shows a game that was saved, and checks it
- `poopdeck train poo_head` trains a network and says where it lies
- `poopdeck evaluate runs/NAME --against heuristic --game poo_head` measures it
- `poopdeck rate runs/NAME` says how strong it is on the ladder of agents that come with the package
- `poopdeck benchmark smoke --out runs/smoke` compares ways of learning
- `poopdeck warmup` compiles everything beforehand

Every command explains itself with `--help`.
""",
)
AT_ONCE = {"games", "play", "replay", "serve", "watch"}  # commands that need not wait for the compiler


def stoppable(command: Callable[..., None]) -> Callable[..., None]:
    """The command, which says that it was stopped when it was; typer would leave without a word."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return run


for command in (
    games,
    train,
    evaluate,
    exploit,
    rate,
    tournament,
    benchmark,
    play,
    watch,
    replay,
    serve,
    check,
    bench,
    warmup,
):
    app.command()(stoppable(command))


def main() -> None:
    """Runs the command; an error that a user can mend is one line, not a traceback."""
    never_fail_to_write()
    try:
        sys.exit(app(standalone_mode=False))  # the code of a typer.Exit, None if there was none
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("stopped", err=True)
        sys.exit(INTERRUPTED)
    except Exception as error:
        shown = getattr(error, "format_message", None)
        if shown is not None:  # the command line itself was wrong
            error.show()  # type: ignore[attr-defined]
            sys.exit(getattr(error, "exit_code", 2))
        if isinstance(error, ValueError | OSError | ImportError):
            typer.echo(f"poopdeck: {error}", err=True)
            sys.exit(2)
        raise


@app.callback(invoke_without_command=True)
def _before_all(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand not in AT_ONCE:
        wait_for_compiler()
