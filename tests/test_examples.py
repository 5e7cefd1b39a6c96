"""The scripts in docs/examples, each run as somebody who copied it would: alone, in another folder."""

import pathlib
import re
import subprocess
import sys

import pytest
from documents import ROOT

EXAMPLES = ROOT / "docs" / "examples"


def example(name: str, folder: pathlib.Path, *arguments: object) -> str:
    """What a script prints."""
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def share(pattern: str, printed: str) -> float:
    """The percentage that stands after some words, from 0 to 1."""
    found = re.search(rf"{pattern} (\d+\.\d)%", printed)
    assert found, printed
    return float(found[1]) / 100


def interval(pattern: str, printed: str) -> tuple[float, float]:
    """The 95 % interval that stands after some words, from 0 to 1."""
    found = re.search(rf"{pattern} \d+\.\d% \[(\d+\.\d)%, (\d+\.\d)%\]", printed)
    assert found, printed
    return float(found[1]) / 100, float(found[2]) / 100


def test_pettingzoo_loop(tmp_path):
    """Of 60 games a random player loses fewer than 4 with a chance below one in 10,000."""
    printed = example("pettingzoo_loop.py", tmp_path, "--games", 60)
    assert share("heuristic lost", printed) < 4 / 60
    assert share("each random player lost", printed) > 0.3


def test_gymnasium_loop_learns(tmp_path):
    """The two figures lie further apart than chance brings them."""
    printed = example("gymnasium_loop.py", tmp_path, "--games", 1500, "--test-games", 600)
    assert share("learner lost", printed) < share("random lost", printed) - 0.1
    assert share("random lost", printed) == pytest.approx(0.5, abs=0.08)


def test_maskable_ppo_beats_random(tmp_path):
    """One loser in four is what chance gives; the interval lies far below."""
    printed = example("maskable_ppo.py", tmp_path, "--timesteps", 30_000, "--games", 1000, "--out", "mine.zip")
    assert (tmp_path / "mine.zip").is_file()
    assert interval("against random: lost", printed)[1] < 0.12
    for name in ("heuristic:lowest", "heuristic"):
        low, high = interval(f"against {name}: lost", printed)
        assert low < high


def test_reinforce_batch_beats_random(tmp_path):
    """One loser in four is what chance gives; the interval lies far below."""
    printed = example("reinforce_batch.py", tmp_path, "--updates", 15, "--tables", 32, "--games", 1000)
    assert interval("lost", printed)[1] < 0.12


def test_torchrl_ppo_beats_random(tmp_path):
    """Half of the games is what chance gives; the interval lies above."""
    pytest.importorskip("torchrl", reason="needs the extra torchrl: make test-extras")
    printed = example("torchrl_ppo.py", tmp_path, "--frames", 30_000, "--games", 1000)
    assert interval("against random: won", printed)[0] > 0.6
    assert interval("against heuristic: won", printed)[1] > 0.3


def test_agilerl_ppo_beats_random(tmp_path):
    """Half of the games is what chance gives; the interval lies above."""
    pytest.importorskip("agilerl", reason="needs the extra agilerl: make test-extras")
    printed = example("agilerl_ppo.py", tmp_path, "--steps", 60_000, "--games", 2000)
    assert interval("against random: won", printed)[0] > 0.53
    assert interval("against heuristic: won", printed)[0] > 0.1


def test_own_algorithm_stands_beside_those_of_the_package(tmp_path):
    printed = example("own_algorithm.py", tmp_path, "--out", "runs", "--samples", 4096, "--games", 40)
    assert re.search(r"^  reinforce +-?\d", printed, re.MULTILINE)
    assert re.search(r"^  ppo +-?\d", printed, re.MULTILINE)
    report = (tmp_path / "runs" / "report.md").read_text(encoding="utf-8")
    assert "| reinforce |" in report


@pytest.mark.parametrize("page", ["README.md", "docs/guide.md"])
def test_pages_link_to_every_example(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    folder = EXAMPLES.relative_to((ROOT / page).parent).as_posix()
    assert [path.name for path in EXAMPLES.glob("*.py") if f"({folder}/{path.name})" not in text] == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_are_short_and_say_how_they_are_run(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 90
    assert f"$ python {path.name}" in text.split('"""')[1]
