"""A person at a terminal who chooses by keys."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import poopdeck
from poopdeck.agents.human import Leave, TakeBack
from poopdeck.cli.play import by_keys, hint_text, save_position
from poopdeck.play import play
from poopdeck.training.storage.replay import ReplayWriter, read_replays

pytest.importorskip("prompt_toolkit", reason="the extra human is not installed")
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from poopdeck.cli.keys import KEYS, KeysAgent, _Menu

LEGAL = [(5, "play 3"), (9, "play 10"), (12, "pick up")]
RIGHT, UP = "\x1b[C", "\x1b[A"


def pressed(keys, legal=LEGAL, calls=()):
    """What a person chooses with these keys."""
    with create_pipe_input() as stream:
        stream.send_text(keys)
        agent = KeysAgent(dict(calls), 40, False, {"input": stream, "output": DummyOutput()})
        return agent.choose(legal)


def test_keys_arrows_and_enter_choose():
    assert [pressed(keys) for keys in ("1", "3", "\r", RIGHT + "\r", UP + "\r", RIGHT * 4 + "\r")] == [
        5,
        12,
        5,
        9,
        12,
        9,
    ]
    many = [(number, f"choice {number}") for number in range(60)]
    assert pressed(KEYS[-1], many) == len(KEYS) - 1 and pressed("x7", LEGAL + many[3:7]) == 6
    for keys, error in [("q", Leave), ("\x04", Leave), ("u", TakeBack), ("\x03", KeyboardInterrupt)]:
        with pytest.raises(error):
            pressed(keys)


def test_further_keys_tell_something_and_go_on():
    called = []
    calls = {"?": lambda: called.append("hint") or "take it", "s": lambda: called.append("saved") or "done"}
    assert pressed("?s?2", calls=calls) == 9
    assert called == ["hint", "saved", "hint"]


@pytest.mark.parametrize("width", [40, 96])
def test_choices_fit_the_width_and_the_cursor_is_seen_without_colours(width):
    menu = _Menu([f"play blue wild {number}" for number in range(40)], width)
    menu.move(-1)
    pieces = menu.text()
    choices, told = "".join(text for _, text in pieces).rsplit("\n", 1)
    assert max(map(len, choices.split("\n"))) <= width and "q leave" in told
    assert [text for style, text in pieces if style == "reverse"] == ["play blue wild 39"]


def test_a_move_is_taken_back_and_the_game_goes_on(tmp_path):
    game, path = poopdeck.game("poop"), tmp_path / "game.jsonl"
    state = game.new_state(1, 2)
    shown = []
    with create_pipe_input() as stream, ReplayWriter(path) as record:
        stream.send_text("u1u" + "1" * 80)
        person = KeysAgent({}, 40, False, {"input": stream, "output": DummyOutput()})
        agents = [person, poopdeck.load_agent("heuristic", "poop", 2)]
        payoffs = play(game, state, agents, 1, shown.append, lambda scene: "", record)
    assert shown.count("there is no move to take back") == 1 and shown.count("taken back") == 1
    left, whole = read_replays(path)
    assert left.payoffs is None and np.allclose(whole.payoffs, payoffs)
    left.verify()
    whole.verify()


def test_hints_and_saved_positions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = poopdeck.game("poop")
    state = game.new_state(1, 2)
    assert hint_text(game, state, "heuristic").startswith("heuristic would play")
    assert "worth" in hint_text(game, state, "search:deals=4")
    assert "there are random" in hint_text(game, state, "nobody")
    assert "poop-1.json" in save_position(game, state) and "poop-2.json" in save_position(game, state)
    assert game.dump(game.load(json.loads((tmp_path / "poop-1.json").read_text()))) == game.dump(state)


def test_keys_are_for_terminals_and_lines_for_pipes(monkeypatch):
    game = poopdeck.game("poop")
    terminal = SimpleNamespace(watched=True, colour=False, columns=40)
    monkeypatch.setenv("TERM", "xterm")
    for typed, watched, kind in [(True, True, KeysAgent), (False, True, type(None)), (True, False, type(None))]:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda typed=typed: typed))
        terminal.watched = watched
        assert isinstance(by_keys(game, game.new_state(1), "heuristic", terminal), kind)
    terminal.watched = True
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setenv("TERM", "dumb")
    assert by_keys(game, game.new_state(1), "heuristic", terminal) is None
