"""Who waits for the compiler is told so, once for a game; who does not wait is told nothing."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from poopdeck.envs.core import announcement, compiler, switches

EXAMPLE = pathlib.Path(__file__).parents[1] / "docs" / "examples" / "new_game"
PLAY = """
from highest_sum import SPEC
from poopdeck.envs.adapters.vector import VectorEnv
from poopdeck.envs.core.game import Game
batch = VectorEnv(Game(SPEC), 2)
batch.reset(seed=1)
batch.step(batch.mask.argmax(axis=1))
"""
pytestmark = pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")


def errors(cache, **environment):
    """What a process says on its error stream that steps a batch with this cache."""
    known = {name: value for name, value in os.environ.items() if name != switches.QUIET_VARIABLE}
    path = os.pathsep.join([str(EXAMPLE), *filter(None, sys.path)])
    known |= {compiler.CACHE_VARIABLE: str(cache), "PYTHONPATH": path, **environment}
    done = subprocess.run([sys.executable, "-c", PLAY], env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


def forget(cache):
    """As if the machine code had been deleted."""
    for entry in cache.glob("*/*.nbc"):
        entry.unlink()


def test_one_line_names_the_game_and_how_long_it_took(tmp_path):
    cache = tmp_path / "cache"
    [line] = errors(cache).splitlines()
    assert line.startswith("poopdeck: compiling highest_sum, once for this machine")
    assert errors(cache) == "", "all of it comes from the cache"
    times = json.loads((cache / announcement.SECONDS).read_text())
    [seconds] = times["highest_sum"].values()
    assert 0 < seconds < 300
    forget(cache)
    assert f"({seconds:.0f} s the last time)" in errors(cache)
    forget(cache)
    assert errors(cache, **{switches.QUIET_VARIABLE: "1"}) == ""


@pytest.mark.parametrize("damage", ["[1", "[1]"])
def test_damaged_times_are_no_error(damage, tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / announcement.SECONDS).write_text(damage)
    assert len(errors(cache).splitlines()) == 1


def test_a_terminal_gets_a_bar_that_goes_away(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv(switches.QUIET_VARIABLE, raising=False)
    monkeypatch.setattr(announcement, "_works", {})
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    folder = tmp_path / "some_game-0"
    announcement.compiling(folder, "run")
    assert announcement._works["some_game"].bar is not None
    announcement.compiled(folder, "run")
    assert announcement._works["some_game"].bar is None
    assert "compiling some_game" in capsys.readouterr().err
