"""``poopdeck replay``."""

import pathlib
import time
from typing import TYPE_CHECKING, Annotated

import typer

from .progress import progress_bar
from .serve import show_replay
from .terminal import Terminal, payoffs_line

if TYPE_CHECKING:
    from ..training.storage.replay import Replay


def replay(
    file: Annotated[pathlib.Path, typer.Argument(help="A file of saved games.", show_default=False)],
    number: Annotated[int, typer.Option(min=1, help="Which game of the file, from 1.")] = 1,
    verify: Annotated[
        bool, typer.Option("--verify", help="Show nothing; check that every game is as the rules play it.")
    ] = False,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat saw; everything if left out.")] = None,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="Write an animated file, .gif or .webp, instead of showing text.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.0, max=3600.0, help="How long each frame is shown.")] = 0.8,
    width: Annotated[int, typer.Option(min=100, max=4000, help="Width of the animated file in pixels.")] = 720,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="An animated file of that name may go.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Serve a page that shows it, all hands open, to step through.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The page's port; 0 takes a free one.")] = 0,
) -> None:
    """Shows a game that was saved, or checks all games of a file; says exactly where one is not legal."""
    from ..training.storage.replay import lines_of_game, read_replays

    games = read_replays(file)
    if verify:
        _verify(games)
        return
    if number > len(games):
        raise ValueError(f"--number {number}: {file} holds {len(games)} games")
    if browser:
        if seat is not None or out is not None:
            raise ValueError("--browser shows all hands on a page; leave out --seat and --out")
        games[number - 1].verify()
        show_replay(lines_of_game(file, number), port)
        return
    _show(games[number - 1], seat, out, seconds, width, overwrite)


def _verify(games: "list[Replay]") -> None:
    from ..training.storage.replay import ReplayError

    wrong = 0
    for number, game in enumerate(games, 1):
        try:
            game.verify()
        except ReplayError as error:
            wrong += 1
            typer.echo(f"game {number}: {error}", err=True)
    ended = sum(game.payoffs is not None for game in games)
    told = f"{len(games)} games, {ended} finished: "
    typer.echo(told + ("every action legal, payoffs as the rules pay them" if not wrong else f"{wrong} wrong"))
    if wrong:
        raise typer.Exit(1)


def _show(
    game: "Replay", seat: int | None, out: pathlib.Path | None, seconds: float, width: int, overwrite: bool
) -> None:
    from ..envs.render import film
    from ..watch import film as make_film
    from ..watch import replay_frames, with_words

    if out is not None:
        film.check_path(out, overwrite)
    terminal, found = Terminal(), game.game()
    who = ", ".join(str(player.get("agent")) for player in game.players)
    dealt = "" if game.seed is None else f", seed {game.seed}"
    terminal.show(f"{found.spec.title}{dealt}: {who}")
    frames = replay_frames(game, seat)
    if out is not None:
        kept = list(frames)
        with progress_bar("frames", len(kept)) as update:
            make_film(kept, out, seconds, width, overwrite, update)
        typer.echo(f"{len(kept)} frames written to {out}")
    else:
        for frame in frames:
            terminal.show(terminal.draw(with_words(frame)))
            time.sleep(seconds if terminal.watched else 0)
    if game.payoffs is None:
        typer.echo(f"the game was left after {len(game.actions)} decisions")
        return
    typer.echo(payoffs_line(found, game.first(found), game.payoffs))
