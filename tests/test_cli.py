"""The command line: what it prints, where errors go, exit codes."""

import contextlib
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from unittest import mock

import pytest

from poopdeck.cli import main


@dataclass
class Shown:
    returncode: int
    stdout: str
    stderr: str


def poopdeck(*arguments, stdin=""):
    """Runs a command as the console script does, in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", ["poopdeck", *map(str, arguments)]),
        mock.patch.object(sys, "stdin", io.StringIO(stdin)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Shown(code, out.getvalue(), err.getvalue())


def test_the_module_runs_in_a_process_of_its_own():
    run = [sys.executable, "-m", "poopdeck"]
    shown = subprocess.run([*run, "--version"], capture_output=True, text=True, timeout=60)
    assert shown.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+\S*", shown.stdout.strip())
    shown = subprocess.run([*run, "evaluate"], capture_output=True, text=True, timeout=60)
    assert shown.returncode == 2 and "Missing" in shown.stderr


def test_help_teaches_every_command():
    shown = poopdeck("--help")
    assert shown.returncode == 0
    for command in ("games", "train", "evaluate", "play", "check", "bench"):
        assert command in shown.stdout
        page = poopdeck(command, "--help")
        assert page.returncode == 0 and "Usage" in page.stdout


def test_games_lists_what_there_is():
    shown = poopdeck("games").stdout
    assert "poo_head" in shown and "poopdeck/poo_head-v0" in shown and "heuristic:lowest" in shown
    assert "--set scoring=points" in shown


def test_evaluate_prints_and_writes_figures(tmp_path):
    path = tmp_path / "figures.json"
    shown = poopdeck(
        "evaluate", "heuristic", "--against", "random", "--game", "poo_head", "--games", 80, "--json", path
    )
    assert shown.returncode == 0, shown.stderr
    assert "loss rate" in shown.stdout and str(path) in shown.stdout
    assert json.loads(path.read_text())["games"] == 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "heuristik", "--against", "random", "--game", "poo_head"], "did you mean 'heuristic'"),
        (["evaluate", "random", "--against", "random", "--game", "poohead"], "did you mean 'poo_head'"),
        (["evaluate", "random", "--against", "random", "--game", "poo_head", "--players", 26], "num_players=26"),
        (["evaluate", "random", "--against", "random", "--game", "poo_head", "--set", "bombs"], "KEY=VALUE"),
        (["play", "poo_head", "--opponents", "random,random", "--players", 4], "2 agents for 3 other seats"),
        (["play", "poo_head", "--seat", 7], "--seat 7"),
        (["train", "poo_heat"], "poo_head"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments, message):
    shown = poopdeck(*arguments)
    assert shown.returncode == 2
    assert message in shown.stderr and "Traceback" not in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1


def test_a_person_plays_a_game_to_its_end():
    # A hand with the lowest legal choice again and again gets to the end against random seats.
    shown = poopdeck("play", "poo_head", "--opponents", "random", "--seed", 2, stdin="1\n" * 3000)
    assert shown.returncode == 0, shown.stderr
    assert re.search(r"payoffs: player_0 [+-]1\.00, player_1 [+-]1\.00", shown.stdout)
    assert "player_1 (random): chooses, unseen" in shown.stdout  # picks while arranging are private


def test_leaving_the_table_says_how_to_come_back():
    shown = poopdeck("play", "poo_head", "--opponents", "heuristic,heuristic", "--seed", 7, stdin="1\nq\n")
    assert shown.returncode == 0 and "--seed 7 deals these cards again" in shown.stdout


def test_a_scenario_can_be_played(tmp_path):
    path = tmp_path / "end.json"
    path.write_text(json.dumps({"hands": [["9"], ["2", "3"]], "strict": True, "turn": 0}))
    shown = poopdeck("play", "poo_head", "--opponents", "random", "--scenario", path, stdin="1\n")
    assert "payoffs: player_0 +1.00, player_1 -1.00" in shown.stdout
    path.write_text('{"hands": [["11"], ["2"]]}')
    shown = poopdeck("play", "poo_head", "--opponents", "random", "--scenario", path)
    assert shown.returncode == 2 and "hands: '11' is no card" in shown.stderr


def test_check_says_whether_a_game_conforms():
    shown = poopdeck("check", "poo_head", "--players", 2, "--variant", "default", "--games", 1)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert shown.stdout.strip().endswith("conforms")
