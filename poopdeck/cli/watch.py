"""``poopdeck watch``."""

import pathlib
import time
from itertools import islice
from typing import Annotated

import typer

from .game_options import GameName, Players, Scenario, SetOption, Variant, deal, find_table, read_scenario
from .progress import progress_bar
from .terminal import Terminal, payoffs_line


def watch(
    game: GameName,
    agents: Annotated[
        str, typer.Option(help="Agents by commas: one for all seats, or one for each.", show_default="heuristic")
    ] = "",
    players: Players = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat sees; everything if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Plays the same game again.")] = None,
    scenario: Scenario = None,
    out: Annotated[
        pathlib.Path | None, typer.Option(help="Write an animated file, .gif or .webp, instead of showing text.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.0, max=3600.0, help="How long each frame is shown.")] = 0.8,
    most: Annotated[int | None, typer.Option(min=1, help="Leave after so many frames.")] = None,
    width: Annotated[int, typer.Option(min=100, max=4000, help="Width of the animated file in pixels.")] = 720,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="An animated file of that name may go.")] = False,
    variant: Variant = None,
    set_: SetOption = None,
) -> None:
    """Shows a game between agents, here or as an animated file."""
    from ..agents.loading import agent_names, load_agent, split_names
    from ..api import game as game_of
    from ..envs.render import film
    from ..watch import film as make_film
    from ..watch import frames, with_words

    if out is not None:
        film.check_path(out, overwrite)
    if scenario is not None:
        found = game_of(game)
        beside = {"--players": players, "--seed": seed, "--variant": variant, "--set": set_}
        state = read_scenario(found, scenario, beside)
    else:
        given = split_names(agents)
        found, settings = find_table(game, players, variant, set_, given)
        state = deal(found, settings, seed)
    seats = found.num_seats(state)
    agents = agents or ("heuristic" if "heuristic" in agent_names(found) else "random")
    names = split_names(agents)
    names = names * seats if len(names) == 1 else names
    if len(names) != seats:
        raise ValueError(f"--agents: {len(names)} agents for {seats} seats; one for all, or one for each")
    seated = [load_agent(name, found, state.settings) for name in names]
    terminal = Terminal()
    dealt = "" if state.seed is None else f", seed {state.seed}"
    terminal.show(f"{found.spec.title}{dealt}: {', '.join(names)}")
    playing = islice(frames(found, state, seated, state.seed or 0, seat), most)
    if out is not None:
        kept = list(playing)
        with progress_bar("frames", len(kept)) as update:
            make_film(kept, out, seconds, width, overwrite, update)
        typer.echo(f"{len(kept)} frames written to {out}")
    else:
        for frame in playing:
            terminal.show(terminal.draw(with_words(frame)))
            time.sleep(seconds if terminal.watched else 0)
    if not found.is_terminal(state):
        typer.echo("the game goes on")
        return
    typer.echo(payoffs_line(found, state, found.returns(state)))
