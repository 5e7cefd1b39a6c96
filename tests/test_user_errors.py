"""What a user may do wrong, or a machine may lack, ends in one line that names it: no traceback, exit code 2 or 1."""

import errno
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from test_cli import EVALUATE, poopdeck

import poopdeck as package
from poopdeck.agents.human import HumanAgent, rows
from poopdeck.envs.core.errors import naming_file
from poopdeck.training.run.curves import Curves
from poopdeck.training.storage.run_folder import write_file

SMALL = ["--games", 4]
FULL = "/dev/full"  # every write to it finds the disk full
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason="no device that is always full")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*EVALUATE, "poo_head", *SMALL, "--threads", 0], "threads=0: allowed is a whole number from 1"),
        ([*EVALUATE, "poo_head", *SMALL, "--seed", -1], "seed=-1: a seed is a whole number, 0 or more"),
        (["evaluate", "random", "--game", "poo_head", "--against", ""], "agent '': a name is wanted; there are random"),
        (["evaluate", "random", "--game", "poo_head", "--against", "random,,random"], "agent '': a name is wanted"),
        (["evaluate", "", "--game", "poo_head", "--against", "random"], "agent '': a name is wanted"),
        (["play", "poo_head", "--opponents", ""], "agent '': a name is wanted"),
        (["play", "poo_head", "--seed", -1], "seed=-1: a seed is"),
        (["watch", "poo_head", "--agents", " ", "--most", 1], "agent '': a name is wanted"),
        (["watch", "poo_head", "--seed", -1], "seed=-1: a seed is"),
        (["tournament", "poo_head", "random", ""], "agent '': a name is wanted"),
        (["tournament", "poo_head", "random", "heuristic", *SMALL, "--seed", -1], "seed=-1: a seed is"),
        (["check", "poo_head", "--seed", -1], "seed=-1: a seed is"),
        (["check", "poo_head", "--games", 0], "games=0: allowed is"),
        (["bench", "poo_head", "--seconds", "inf"], "--seconds inf: more than 0 is wanted, and less than forever"),
        (["bench", "poo_head", "--seconds", "nan"], "--seconds nan: more than 0"),
        (["train", ""], "unknown config ''"),
        (["train", "poo_head", "--seed", -1], "seed=-1: input should be greater than or equal to 0"),
        (["train", "poo_head", "--set", "ppo.learning_rate=.inf", "--set", "algo=ppo"], "finite number"),
        (["train", "poo_head", "--set", "time_limit=.nan"], "time_limit=nan: input should be"),
        (["train", "poo_head", "--set", "network.hidden=[0]"], "network.hidden.0=0: input should be greater"),
        (["play", "poo_head", "--scenario", "nothing.json"], "nothing.json"),
    ],
    ids=lambda given: " ".join(map(str, given)) if isinstance(given, list) else "",
)
def test_mistakes_are_one_line(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = poopdeck(*arguments)
    assert shown.returncode == 2 and message in shown.stderr and "Traceback" not in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1 and not shown.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e300"])
def test_a_frame_is_not_shown_for_ever(seconds):
    shown = poopdeck("watch", "poo_head", "--seconds", seconds)
    assert shown.returncode == 2 and "Invalid value for '--seconds'" in shown.stderr and "Traceback" not in shown.stderr


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_threads_are_a_whole_number_in_python_too(threads):
    from poopdeck.training.evaluation.evaluate import evaluate

    game, agent = package.game("poo_head"), package.load_agent("random")
    with pytest.raises(ValueError, match=f"threads={threads!r}: allowed is a whole number from 1"):
        evaluate(game, game.spec.settings(), agent, [agent], 4, threads=threads)


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        (None, "opponents=None: allowed is the name of an agent"),
        (3, "opponents=3: allowed is"),
        ([None], "opponents: None is no agent; allowed is"),
        ([("random", "often")], "opponents: the weight of 'random' is 'often'"),
        ({"random": None}, "opponents: the weight of 'random' is None"),
        ({"random": -1}, "not 0 or more"),
        ({}, "at least one agent"),
        ({"": 1}, "agent '': a name is wanted"),
    ],
)
def test_opponents_that_are_none(opponents, message):
    for make in (package.make_gymnasium, lambda *given: package.make_sb3(given[0], 2, given[1])):
        with pytest.raises(ValueError, match=message):
            make("poo_head", opponents)


@pytest.mark.parametrize("text", ['{"hands"', "[]", "[[[", '"\\ud800"', "{}x"])
def test_a_scenario_that_cannot_be_read_is_named(text, tmp_path):
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    for command in ("play", "watch"):
        shown = poopdeck(command, "poo_head", "--scenario", path)
        assert shown.returncode == 2 and str(path) in shown.stderr and "Traceback" not in shown.stderr
        assert len(shown.stderr.strip().splitlines()) == 1


# -- standard streams ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes streams is needed")
@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [("play poo_head --opponents random --seed 2", "<&-", 0), ("games", ">&-", 0), ("evaluate x", "2>&-", 2)],
)
def test_a_closed_stream_ends_nothing_in_a_traceback(command, closed, code):
    run = f"{sys.executable} -m poopdeck {command} {closed}"
    shown = subprocess.run(run, shell=True, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    assert shown.returncode == code and "Traceback" not in shown.stdout + shown.stderr
    if "play" in command:
        assert "you left the table" in shown.stdout


# -- full disks ------------------------------------------------------------------------------------------------------


def no_space(*_given, **_named):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_error_without_a_file_gets_its_name():
    with pytest.raises(OSError, match="No space left on device: 'figures.json'") as caught, naming_file("figures.json"):
        no_space()
    assert caught.value.errno == errno.ENOSPC
    with pytest.raises(FileNotFoundError, match="nowhere"), naming_file("figures.json"):
        open("nowhere/it", encoding="utf-8")


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", no_space)
    (tmp_path / "result.json").write_text("old", encoding="utf-8")
    with pytest.raises(OSError, match="No space left on device: .*result.json"):
        write_file(tmp_path / "result.json", "new")
    assert (tmp_path / "result.json").read_text(encoding="utf-8") == "old"


def test_curves_that_cannot_be_written_are_named(tmp_path):
    curves = Curves(tmp_path / "metrics.jsonl", None)

    class Full:
        name, write, flush, close = curves._file.name, no_space, no_space, curves._file.close

    curves._file = Full()
    with pytest.raises(OSError, match="No space left on device: .*metrics.jsonl"):
        curves.row(1, {"a": 1.0})
    curves.close()


@needs_full
def test_commands_name_the_file_for_which_the_disk_is_full():
    shown = poopdeck(*EVALUATE, "poo_head", *SMALL, "--json", FULL)
    assert shown.returncode == 2 and f"No space left on device: '{FULL}'" in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1


# -- at the terminal -------------------------------------------------------------------------------------------------


def test_choices_wrap_between_and_never_within_them():
    entries = ["1: play 7", "2: play 7 x2", "3: take the pile", "4: an action with a very long name"]
    assert rows(entries, None) == ["  ".join(entries)]
    assert rows(entries, 24) == ["1: play 7  2: play 7 x2", "3: take the pile", "4: an action with a very long name"]
    assert rows(entries, 1) == entries and rows([], 40) == []
    said, legal = [], [(number, f"action {number}") for number in range(30)]
    person = HumanAgent(read=lambda prompt: "17", write=said.append, width=40)
    assert person.choose(legal) == 16 and len(said) > 5 and max(map(len, said)) <= 40
    assert "  ".join(said).split("  ") == [f"{place}: {name}" for place, (_, name) in enumerate(legal, 1)]


def interrupt(*_given, **_named):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ([*EVALUATE, "poo_head", *SMALL], "poopdeck.training.evaluation.evaluate.play_games"),
        (["watch", "poo_head"], "poopdeck.watch.still"),
        (["check", "poo_head"], "poopdeck.envs.conformance.check.check_cases"),
        (["train", "poo_head"], "poopdeck.training.run.train.load_config"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_ctrl_c_is_told_of(command, where, monkeypatch):
    monkeypatch.setattr(where, interrupt)
    shown = poopdeck(*command)
    assert shown.returncode == 130 and shown.stderr.strip() == "stopped", shown.stderr


def test_a_long_evaluation_stops_at_once_on_ctrl_c(monkeypatch):
    from poopdeck.training.evaluation import match

    played = []

    def play_part(*given):
        played.append(given)
        time.sleep(0.01)
        return match.Results.joined([], 4)

    monkeypatch.setattr(match, "_play_part", play_part)
    game, agent = package.game("poo_head"), package.load_agent("random")
    lineups = np.zeros((200 * match.CHUNK, 4), np.int64)
    with pytest.raises(KeyboardInterrupt):
        match.play_games(
            game, game.spec.settings(), [agent], lineups, np.zeros(len(lineups), np.int64), on_progress=interrupt
        )
    assert 1 <= len(played) < 50
