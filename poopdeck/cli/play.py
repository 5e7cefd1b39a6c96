"""``poopdeck play``."""

import pathlib
import sys
from typing import Annotated, Any

import typer

from .game_options import GameName, Players, SetOption, parse_settings
from .terminal import payoffs_line


def play(
    game: GameName,
    opponents: Annotated[
        str, typer.Option(help="Agents at the other seats, by commas, clockwise from you.")
    ] = "heuristic",
    players: Players = None,
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Deals the same cards again.")] = None,
    scenario: Annotated[pathlib.Path | None, typer.Option(help="A JSON file with a position to start from.")] = None,
    set_: SetOption = None,
) -> None:
    """Sits you down at a table of agents in this terminal."""
    from ..agents.human import HumanAgent, Leave
    from ..agents.loading import load_agent
    from ..api import game as find_game
    from ..play import play as play_table

    found = find_game(game)
    names = [name.strip() for name in opponents.split(",")]
    if scenario is not None:
        state = found.load(scenario.read_text())
    else:
        # One opponent's name is one opponent, unless the number of players says otherwise.
        seats = players if players is not None else len(names) + 1 - len(found.spec.extra_roles)
        state = found.new_state(seed, seats, **parse_settings(set_))
    seats = found.num_seats(state)
    if len(names) == 1:
        names *= seats - 1
    if len(names) != seats - 1:
        raise ValueError(f"--opponents: {len(names)} agents for {seats - 1} other seats")
    if not 0 <= seat < seats:
        raise ValueError(f"--seat {seat}: allowed is 0 to {seats - 1}")
    agents: list[Any] = [HumanAgent() for _ in range(seats)]
    for step, name in enumerate(names, 1):
        agents[(seat + step) % seats] = load_agent(name, found, state.settings)
    typer.echo(f"{found.spec.title}, seed {state.seed}; you are player_{seat}")
    try:
        payoffs = play_table(found, state, agents, state.seed or 0, typer.echo, sys.stdout.isatty())
    except Leave:
        typer.echo(f"you left the table; --seed {state.seed} deals these cards again")
        return
    typer.echo(payoffs_line(found, state, payoffs))
