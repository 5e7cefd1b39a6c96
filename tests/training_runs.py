"""Small training runs for tests."""

import json
import pathlib
import subprocess
import sys
import time

from poopdeck.training.config.files import load_config
from poopdeck.training.config.schema import TrainConfig
from poopdeck.training.learners.base import Task
from poopdeck.training.run.curves import read_metrics

UPDATE = 512  # samples of one update in the smoke config
COMMAND = """
import pathlib, sys
from poopdeck.training.run.train import train_command
out, *sets = sys.argv[1:]
sys.exit(train_command("poo_head,smoke", sets, out=pathlib.Path(out)))
"""


def small_config(*sets: str) -> TrainConfig:
    """A few updates of a tiny network against everybody there is."""
    return load_config(["poo_head", "smoke"], sets)


def task_of(config: TrainConfig) -> Task:
    return Task.of(config)


def start_command(folder: pathlib.Path, *sets: str) -> subprocess.Popen:
    """``poopdeck train`` in a process of its own."""
    command = [sys.executable, "-c", COMMAND, str(folder), *sets]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def wait_for_rows(process: subprocess.Popen, folder: pathlib.Path, rows: int) -> None:
    """Until the run has written so many rows of curves."""
    path, until = folder / "metrics.jsonl", time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") < rows:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until, "the run does not get on"
        time.sleep(0.005)


def rows_without_clock(folder: pathlib.Path) -> list[dict]:
    """The curves, without what depends on the machine's speed."""
    rows = read_metrics(folder / "metrics.jsonl")
    return [{key: value for key, value in row.items() if not key.startswith("speed/")} for row in rows]


def weights(folder: pathlib.Path) -> bytes:
    return (folder / "weights" / "network.safetensors").read_bytes()


def result_of(folder: pathlib.Path) -> dict:
    return json.loads((folder / "result.json").read_text())
