"""What commands that set up a game have in common: its name, players and parameters, as written on the command line."""

from typing import Annotated, Any

import typer
import yaml

GameName = Annotated[str, typer.Argument(help="A game's name, as `poopdeck games` lists them.", show_default=False)]
Players = Annotated[int | None, typer.Option(help="Seats at the table; the game's usual number if left out.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter; may be given several times, the last one counts."),
]
Seed = Annotated[int, typer.Option(help="A whole number from 0; the same seed gives the same games.")]


def parse_settings(given: list[str] | None) -> dict[str, Any]:
    """``["bombs=3"]`` as ``{"bombs": 3}``, values read as YAML."""
    parsed = {}
    for entry in given or []:
        key, equals, value = entry.partition("=")
        if not equals or not key:
            raise ValueError(f"--set {entry}: the form is KEY=VALUE, such as --set bombs=3")
        parsed[key.strip()] = yaml.safe_load(value)
    return parsed


def find_game_and_settings(game: str, players: int | None, settings: list[str] | None) -> tuple[Any, dict[str, Any]]:
    """The game of a name, and its complete parameters."""
    from ..api import game as find_game

    found = find_game(game)
    return found, found.spec.settings(players, **parse_settings(settings))
