"""The command line: what it prints, where errors go, exit codes."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from unittest import mock

import pytest

from poopdeck.api import game
from poopdeck.cli import main
from poopdeck.cli.game_options import find_game
from poopdeck.cli.terminal import Terminal
from poopdeck.envs.core import registry

GAMES = sorted(registry.BUILT_IN)


EVALUATE = ["evaluate", "random", "--against", "random", "--game"]


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
        mock.patch.object(sys, "stdin", io.StringIO(stdin) if isinstance(stdin, str) else stdin),
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
    for command in ("games", "train", "evaluate", "play", "check", "bench", "warmup"):
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
        (
            [*EVALUATE, "poo_head", "--variant", "pointz"],
            "variant='pointz': did you mean 'points'? poo_head has",
        ),
        ([*EVALUATE, "poo_head", "--set", "num_players=3"], "--players 3"),
        ([*EVALUATE, "poo_head", "--set", "bombs=many"], "bombs='many': allowed is a whole number from 0 to"),
        ([*EVALUATE, "poo_head", "--set", "bomb=3"], "did you mean 'bombs'"),
        ([*EVALUATE, "pooman", "--set", "counts={balancer"], "counts={balancer: not YAML"),
        (["play", "poop", "--variant", "interceptr"], "did you mean 'interceptor'"),
        (["watch", "poop", "--variant", "drunk"], "variant='drunk'"),
        (["check", "poo_head", "--variant", "defalt"], "variant 'defalt': did you mean 'default'?"),
        (["train", "poo_head", "--variant", "pointz"], "did you mean 'points'"),
        (["train", "poo_head", "--set", "options.bombs=many"], "bombs='many': allowed is a whole number from 0 to"),
        (["tournament", "poop", "random", "heuristic", "--variant", "drunk"], "variant='drunk'"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments, message):
    shown = poopdeck(*arguments)
    assert shown.returncode == 2
    assert message in shown.stderr and "Traceback" not in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("game", "arguments", "options"),
    [
        ("poop", ["--variant", "drinking", "--set", "drink_weight=1e-3"], {"drinking": True, "drink_weight": 1e-3}),
        ("poop", ["--variant", "party_pooper", "--set", "variant=interceptor"], {"variant": "interceptor"}),
        ("pooman", ["--set", "chase=off", "--set", "counts={'balancer': 4}"], {"chase": "off"}),
        ("poo_head", ["--variant", "points", "--players", 3], {"scoring": "points", "num_players": 3}),
    ],
)
def test_parameters_are_read_by_their_types_and_lie_over_a_variant(game, arguments, options, tmp_path):
    path = tmp_path / "figures.json"
    role = ["--role", "player"] if game == "pooman" else []
    shown = poopdeck(*EVALUATE, game, *arguments, *role, "--games", 12, "--json", path)
    assert shown.returncode == 0, shown.stderr
    settings = json.loads(path.read_text())["settings"]
    assert settings | options == settings
    if game == "pooman":
        assert settings["counts"]["balancer"] == 4
    if "party_pooper" in arguments:
        assert settings["edition"] == "party_pooper"


@pytest.mark.parametrize("name", GAMES)
def test_what_games_lists_can_be_copied(name):
    """The parameters beside a variant's name, given to a command, make that variant."""
    listed = poopdeck("games").stdout
    part = listed[listed.index(f"{name}  (") :].split("  status")[0]
    spec = game(name).spec
    for variant in spec.variants:
        (line,) = re.findall(rf"^  variant   {variant} +(.*)$", part, re.MULTILINE)
        pairs = [] if line == "the usual rules" else shlex.split(line)
        assert pairs[::2] == ["--set"] * (len(pairs) // 2)
        assert find_game(name, None, None, pairs[1::2])[1] == find_game(name, None, variant, [])[1]


def test_a_tournament_of_a_variant_has_its_parameters(tmp_path):
    arguments = ["--variant", "party_pooper", "--set", "two_player_reverse=skip", "--games", 8, "--players", 2]
    shown = poopdeck("tournament", "poop", "random", "a=random", *arguments, "--out", tmp_path / "t")
    assert shown.returncode == 0, shown.stderr
    settings = json.loads((tmp_path / "t" / "plan.json").read_text())["settings"]
    assert settings["edition"] == "party_pooper" and settings["two_player_reverse"] == "skip"


@pytest.mark.parametrize("command", ["play", "watch"])
@pytest.mark.parametrize("beside", [["--players", 2], ["--seed", 0], ["--variant", "points"], ["--set", "bombs=3"]])
def test_a_scenario_says_everything_itself(command, beside, tmp_path):
    path = tmp_path / "end.json"
    path.write_text(json.dumps({"hands": [["9"], ["2", "3"]], "strict": True, "turn": 0}))
    shown = poopdeck(command, "poo_head", "--scenario", path, *beside)
    assert shown.returncode == 2 and f"leave out {beside[0]}" in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1


def test_scenario_files_are_utf_8_wherever_they_are_read(tmp_path):
    path = tmp_path / "end.json"
    content = {"hands": [["9"], ["2", "3"]], "strict": True, "turn": 0, "naïve": 1}
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    shown = poopdeck("play", "poo_head", "--scenario", path)
    assert shown.returncode == 2 and "naïve" in shown.stderr
    path.write_bytes(json.dumps(content, ensure_ascii=False).encode("cp1252"))
    shown = poopdeck("watch", "poo_head", "--scenario", path)
    assert shown.returncode == 2 and "not UTF-8" in shown.stderr


def test_a_digit_that_is_no_number_is_asked_again():
    shown = poopdeck("play", "poo_head", "--opponents", "random", "--seed", 2, stdin="²\n1\nq\n")
    assert shown.returncode == 0 and not shown.stderr
    assert "type a number or an action's name" in shown.stdout and "player_0 (you): " in shown.stdout


class Interrupted(io.StringIO):
    def readline(self, *size):
        raise KeyboardInterrupt


@pytest.mark.parametrize("leaving", ["q\n", Interrupted()])
def test_the_command_that_is_told_on_leaving_deals_the_same_cards(leaving):
    given = ["--opponents", "random,heuristic", "--variant", "points", "--set", "bombs=3", "--seed", 7, "--seat", 1]
    first = poopdeck("play", "poo_head", *given, stdin=leaving)
    assert first.returncode == (0 if leaving == "q\n" else 130) and not first.stderr
    (command,) = re.findall(r"^  poopdeck (.*)$", first.stdout, re.MULTILINE)
    again = poopdeck(*shlex.split(command), stdin="q\n")
    picture = first.stdout.split("you left")[0]
    assert again.stdout.startswith(picture.rstrip()) and "player_1" in picture


def test_the_command_that_is_told_on_leaving_sets_up_the_position_again(tmp_path):
    path = tmp_path / "my end.json"
    path.write_text(json.dumps({"hands": [["9"], ["2", "3"]], "strict": True, "turn": 0}))
    shown = poopdeck("play", "poo_head", "--opponents", "random", "--scenario", path, stdin="q\n")
    (command,) = re.findall(r"^  poopdeck (.*)$", shown.stdout, re.MULTILINE)
    assert "payoffs: player_0 +1.00" in poopdeck(*shlex.split(command), stdin="1\n").stdout


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_terminal_that_lacks_letters_shows_plainer_ones(encoding):
    run = [sys.executable, "-m", "poopdeck", "watch", "poo_head", "--most", "1", "--seed", "1"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    shown = subprocess.run(run, capture_output=True, timeout=120, env=environment)
    assert shown.returncode == 0, shown.stderr
    text = shown.stdout.decode(encoding)
    assert "+-" in text and "?" not in text and text.isascii()


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_the_terminal_says_whether_there_are_colours_and_how_wide(monkeypatch):
    state = game("poo_head").new_state(1, 2)
    scene = game("poo_head").scene(state, 0)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "50")
    with contextlib.redirect_stdout(Screen()):
        assert "\x1b[" in Terminal().draw(scene)
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in Terminal().draw(scene)
        assert max(map(len, Terminal().draw(scene).splitlines())) <= 50
        monkeypatch.setenv("COLUMNS", "200")
        assert Terminal().columns == 200 and max(map(len, Terminal().draw(scene).splitlines())) <= 96
        monkeypatch.setenv("COLUMNS", "5")
        assert Terminal().columns == 40
    with contextlib.redirect_stdout(io.StringIO()):
        assert Terminal().columns is None and not Terminal().colour


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
