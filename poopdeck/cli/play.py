"""``poopdeck play``."""

import contextlib
import json
import os
import pathlib
import shlex
import sys
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
    hints: Annotated[str, typer.Option(help="The agent that gives hints, at a terminal.")] = "heuristic",
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
    agents[seat] = by_keys(found, state, hints, terminal) or agents[seat]
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


def by_keys(game: Any, state: Any, hints: str, terminal: Terminal) -> Any:
    """A person who chooses by single keys; None where input or output is no terminal, or the library is missing."""
    if not terminal.watched or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb":
        return None
    try:
        from .keys import KeysAgent
    except ImportError:
        return None
    calls = {"?": lambda: hint_text(game, state, hints), "s": lambda: save_position(game, state)}
    return KeysAgent(calls, min(terminal.columns or 80, 96), terminal.colour)


def hint_text(game: Any, state: Any, name: str) -> str:
    """What an agent thinks of the choices, in a line."""
    import numpy as np

    from ..agents.loading import load_agent
    from ..envs.tables.context import context_of
    from ..web.advice import advise

    try:
        agent = load_agent(name, game, state.settings)
    except ValueError as error:
        return str(error)
    context = context_of(game, state, np.random.default_rng(0), True)
    advice = advise(agent, context).to_json(game.spec.action_names(state.settings), context.masks[0])
    liked = [f"{one['name']} {one['probability']:.0%}" for one in advice["legal"] if 0 < one["probability"] < 1]
    liked += [f"{one['name']} {one['gain']:+.2f} ± {one['error']:.2f}" for one in advice["legal"] if "error" in one]
    worth = "" if advice["value"] is None else f"; the position is worth {advice['value']:+.2f}"
    return f"{agent.name} would {advice['name']}" + (f" ({', '.join(liked)})" if liked else "") + worth


def save_position(game: Any, state: Any) -> str:
    """Writes the position to a new file in this folder, from which ``--scenario`` goes on."""
    for number in range(1, 10_000):
        path = pathlib.Path(f"{game.spec.name}-{number}.json")
        try:
            with open(path, "x", encoding="utf-8") as file:
                json.dump(game.dump(state), file)
        except FileExistsError:
            continue
        except OSError as error:
            return f"not saved: {error}"
        return f"saved; poopdeck play {game.spec.name} --scenario {path} goes on from here"
    return "not saved: ten thousand positions lie here already"


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
