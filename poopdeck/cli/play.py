"""``poopdeck play``."""

import contextlib
import pathlib
import shlex
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .game_options import GameName, Players, Scenario, SetOption, Variant, deal, find_table, read_scenario
from .terminal import Terminal, payoffs_line

INTERRUPTED = 130  # what a shell expects of a command that Ctrl-C ended


def play(
    game: GameName,
    opponents: Annotated[
        str, typer.Option(help="Agents at the other seats, by commas, clockwise from you.")
    ] = "heuristic",
    players: Players = None,
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Deals the same cards again.")] = None,
    scenario: Scenario = None,
    save: Annotated[
        pathlib.Path | None,
        typer.Option(help="Write the game to this new file as it is played, for `poopdeck replay`."),
    ] = None,
    variant: Variant = None,
    set_: SetOption = None,
) -> None:
    """Sits you down at a table of agents in this terminal."""
    from ..agents.human import Leave
    from ..agents.loading import split_names, trained_for
    from ..api import game as game_of
    from ..play import play as play_table
    from ..training.storage.replay import ReplayWriter

    names, terminal = split_names(opponents), Terminal()
    if scenario is not None:
        found = game_of(game)
        beside = {"--players": players, "--seed": seed, "--variant": variant, "--set": set_}
        state = read_scenario(found, scenario, beside)
    else:
        # One opponent's name is one opponent, unless the number of players, a network or the game says otherwise.
        spec, seats = game_of(game).spec, players
        if players is None and (len(names) > 1 or not any(map(trained_for, names))):
            seats = max(len(names) + 1 - len(spec.extra_roles), spec.min_players)
        found, settings = find_table(game, seats, variant, set_, names)
        state = deal(found, settings, seed)
    agents = seated(found, state, names, seat)
    dealt = "" if state.seed is None else f", seed {state.seed}"
    terminal.show(f"{found.spec.title}{dealt}; you are {found.spec.agent_names(state.settings)[seat]}")
    try:
        with contextlib.nullcontext() if save is None else ReplayWriter(save) as record:
            payoffs = play_table(found, state, agents, state.seed or 0, terminal.show, terminal.draw, record)
    except (Leave, KeyboardInterrupt) as left:
        again = ["--seat", str(seat), "--opponents", opponents]
        if scenario is not None:
            terminal.show("\nyou left the table; this sets up the position again:")
            again += ["--scenario", str(scenario)]
        else:
            terminal.show(f"\nyou left the table; --seed {state.seed} deals these cards again:")
            again += ["--seed", str(state.seed), "--players", str(state.settings["num_players"])]
            again += ["--variant", variant] if variant is not None else []
            again += [word for pair in set_ or [] for word in ("--set", pair)]
        terminal.show(f"  {shlex.join(['poopdeck', 'play', game, *again])}")
        raise typer.Exit(INTERRUPTED if isinstance(left, KeyboardInterrupt) else 0) from None
    terminal.show(payoffs_line(found, state, payoffs))
    if save is not None:
        terminal.show(f"written to {save}")


def seated(game: Any, state: Any, names: Sequence[str], seat: int) -> list[Any]:
    """A person at ``seat`` and agents by name at the others, clockwise from there; one name stands for all of them."""
    from ..agents.human import HumanAgent
    from ..agents.loading import load_agent

    seats = game.num_seats(state)
    names = list(names) * (seats - 1) if len(names) == 1 else names
    if len(names) != seats - 1:
        raise ValueError(f"--opponents: {len(names)} agents for {seats - 1} other seats")
    if not 0 <= seat < seats:
        raise ValueError(f"--seat {seat}: allowed is 0 to {seats - 1}")
    agents: list[Any] = [HumanAgent(width=Terminal().columns) for _ in range(seats)]
    for step, name in enumerate(names, 1):
        agents[(seat + step) % seats] = load_agent(name, game, state.settings)
    return agents
