"""What commands that set up a game have in common: its name, players and parameters, as written on the command line."""

import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ..envs.core.game import Game, State

GameName = Annotated[str, typer.Argument(help="A game's name, as `poopdeck games` lists them.", show_default=False)]
Players = Annotated[int | None, typer.Option(help="Seats at the table; the game's usual number if left out.")]
Variant = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A variant, as `poopdeck games` lists them; `--set` may change it further."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter; may be given several times, the last one counts."),
]
Seed = Annotated[int, typer.Option(help="A whole number from 0; the same seed gives the same games.")]
Scenario = Annotated[
    pathlib.Path | None,
    typer.Option(help="A JSON file with a position to start from, which says players and parameters itself."),
]


def parse_pairs(given: Sequence[str] | None) -> dict[str, str]:
    """``["bombs=3"]`` as ``{"bombs": "3"}``; what a value means is the parameter's affair."""
    parsed = {}
    for entry in given or []:
        key, equals, value = entry.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ValueError(f"--set {entry}: the form is KEY=VALUE, such as --set bombs=3")
        if key in ("num_players", "players"):
            raise ValueError(f"--set {entry}: the number of players is given by --players {value}")
        parsed[key] = value
    return parsed


def find_game(
    name: str, players: int | None, variant: str | None, pairs: Sequence[str] | None
) -> tuple["Game", dict[str, Any]]:
    """The game of a name, and its complete settings: a variant's parameters, changed by single ones."""
    from ..api import game

    found, texts = game(name), parse_pairs(pairs)
    return found, found.spec.variant_settings(variant, players, found.spec.parse_options(texts))


def find_table(
    name: str | None, players: int | None, variant: str | None, pairs: Sequence[str] | None, agents: Sequence[str]
) -> tuple["Game", dict[str, Any]]:
    """As ``find_game`` for a table of these agents: what was not given is as a trained network among them knows it, and
    a line on the error stream says so."""
    from ..agents.loading import table_settings, trained_for
    from ..api import game
    from ..envs.core.spec import option_text

    made = next((made for agent in agents if (made := trained_for(agent))), None)
    if name is None and made is None:
        raise ValueError("--game is missing: none of the agents is a trained network, which would tell")
    found = game(name or (made[0] if made else ""))
    given = found.spec.parse_options(parse_pairs(pairs))
    settings, source = table_settings(found.spec, agents, players, variant, given)
    if source is not None and None in (name, players, variant):
        usual = found.spec.settings(settings["num_players"])
        words = [f"{key}={option_text(value)}" for key, value in settings.items() if value != usual.get(key)]
        told = ", ".join([f"{settings['num_players']} players", *words])
        typer.echo(f"{found.spec.name} as {source} was trained: {told}", err=True)
    return found, settings


def deal(game: "Game", settings: Mapping[str, Any], seed: int | None) -> "State":
    """A newly dealt game with complete settings."""
    parameters = dict(settings)
    return game.new_state(seed, parameters.pop("num_players"), **parameters)


def read_scenario(game: "Game", path: pathlib.Path, beside: Mapping[str, Any]) -> "State":
    """The position in a file. ``beside`` holds, by the option's name, what else was given and has no use then.

    Raises:
        ValueError: one of these was given; the file holds no position of this game.
    """
    given = [name for name, value in beside.items() if value not in (None, [], ())]
    if given:
        raise ValueError(f"--scenario {path}: the position says players, parameters and seed; leave out {given[0]}")
    try:
        return game.load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"--scenario {path}: not UTF-8 ({error})") from None
    except ValueError as error:
        raise ValueError(f"--scenario {path}: {error}") from None
