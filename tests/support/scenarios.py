"""What holds for the scenarios of every game: they come back as they were, play on alike, and are refused by name."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from poopdeck.envs.core.game import Game, State

from .vocabulary import play_on_in


def by_json(game: Game, s: State) -> State:
    """The position, written as JSON text and read again; its dump must be the same."""
    copy = game.load(json.loads(json.dumps(game.dump(s))))
    assert game.dump(copy) == game.dump(s)
    return copy


def check_plays_on_alike(game: Game, s: State, times: int, decisions: int) -> None:
    """At several times of a game: what is loaded from its dump goes on exactly as the state does."""
    play_on = play_on_in(game)
    for _ in range(times):
        copy, ahead = by_json(game, s), game.clone(s)
        assert play_on(copy, decisions, choice=3) == play_on(ahead, decisions, choice=3)
        assert game.dump(copy) == game.dump(ahead)
        assert game.returns(copy).tolist() == game.returns(ahead).tolist()
        play_on(s, 9, choice=1)


def check_is_not_changed(game: Game, scenario: dict) -> None:
    """Neither by loading it nor by playing on."""
    given = json.loads(json.dumps(scenario))
    play_on_in(game)(game.load(given), 5)
    assert given == scenario


def check_refused(
    load: Callable[[dict], Any], scenario: dict, field: str, value: Any, named: str | None = None
) -> None:
    """A scenario that loads does not with that value in a field, and the error names it (or what ``named`` matches)."""
    load(scenario)
    with pytest.raises(ValueError, match=named or field):
        load({**scenario, field: value})


def check_bad_parameter(game: Game, name: str, value: Any, shown: Any = None) -> None:
    """A new game with that value is refused by the parameter's name and the value (or what is wrong in it)."""
    with pytest.raises(ValueError) as error:
        game.new_state(seed=0, **{name: value})
    assert name in str(error.value) and str(value if shown is None else shown) in str(error.value)
