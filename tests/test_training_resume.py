import os
import pickle
import random
import signal
import time

import numpy as np
import pytest
import torch
from training_runs import (
    UPDATE,
    result_of,
    rows_without_clock,
    small_config,
    start_command,
    task_of,
    wait_for_rows,
    weights,
)

from poopdeck.agents.loading import load_agent
from poopdeck.training.config.files import load_config
from poopdeck.training.run.train import train, train_command
from poopdeck.training.storage.checkpoint import CheckpointError, checkpoint_files, load_checkpoint
from poopdeck.training.storage.run_folder import RunFolderError, read_config

UPDATES = 12


@pytest.fixture(scope="module")
def config():
    return small_config(f"total_timesteps={UPDATES * UPDATE}", "evaluation.every=1024")


@pytest.fixture(scope="module")
def whole(tmp_path_factory, config):
    """A run that nobody interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    train(config, folder, quiet=True)
    return folder


class Crash(BaseException):
    """Ends a run on the spot, as a power cut would: nothing in the run catches it."""


def crash_at(update):
    def on_update(timesteps, _):
        if timesteps == update * UPDATE:
            raise Crash

    return on_update


def assert_same_run(folder, whole):
    assert weights(folder) == weights(whole)
    assert rows_without_clock(folder) == rows_without_clock(whole)
    ours, theirs = (load_checkpoint(checkpoint_files(path / "checkpoint")[0]) for path in (folder, whole))
    assert ours.tensors.keys() == theirs.tensors.keys()
    for name, value in ours.tensors.items():
        np.testing.assert_array_equal(value, theirs.tensors[name], name)
    names = [sorted(path.name for path in (run / "snapshots").iterdir()) for run in (folder, whole)]
    assert names[0] == names[1]


@pytest.mark.parametrize("update", [1, 5, 6, UPDATES - 1])
def test_a_resumed_run_goes_on_as_an_uninterrupted_one(tmp_path, config, whole, update):
    with pytest.raises(Crash):
        train(config, tmp_path, on_update=crash_at(update), quiet=True)
    result = train(config, tmp_path, resume=True, quiet=True)
    assert (result.status, result.timesteps) == ("finished", UPDATES * UPDATE)
    assert_same_run(tmp_path, whole)


def test_a_crash_at_any_write_loses_nothing(tmp_path, config, whole, monkeypatch):
    fsync, left = os.fsync, [0]

    def failing(number):
        left[0] -= 1
        if left[0] == 0:
            raise Crash
        fsync(number)

    monkeypatch.setattr(os, "fsync", failing)
    # A config, versions, and per checkpoint: curves, file, folder. Each time the run gets a little further.
    for writes in (1, 3, 5, 6, 7, 8, 12):
        left[0] = writes
        with pytest.raises(Crash):
            train(config, tmp_path, resume=tmp_path.exists() and any(tmp_path.iterdir()), quiet=True)
    monkeypatch.undo()
    train(config, tmp_path, resume=True, quiet=True)
    assert_same_run(tmp_path, whole)


def test_kill_9_at_any_moment(tmp_path, config, whole):
    folder = tmp_path / "run"
    process = start_command(folder, f"total_timesteps={UPDATES * UPDATE}", "evaluation.every=1024")
    rows = random.SystemRandom().randint(1, UPDATES - 2)
    wait_for_rows(process, folder, rows)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL, f"killed too late, after {rows} rows"
    assert not (folder / "result.json").exists()
    train(config, folder, resume=True, quiet=True)
    assert_same_run(folder, whole)
    assert [row["timesteps"] for row in rows_without_clock(folder)] == [UPDATE * k for k in range(UPDATES + 1)]


def test_ctrl_c_saves_says_how_to_go_on_and_exits_with_130(tmp_path):
    folder = tmp_path / "run"
    process = start_command(folder, "total_timesteps=100_000_000", "checkpoint.every=50_000_000")
    wait_for_rows(process, folder, 4)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    result = result_of(folder)
    assert result["status"] == "interrupted"
    assert f"poopdeck train poo_head --out {folder} --resume" in told
    assert "Traceback" not in told
    last = load_checkpoint(checkpoint_files(folder / "checkpoint")[0])
    assert last.facts["learner"]["timesteps"] == result["timesteps"]
    goal = result["timesteps"] + 3 * UPDATE
    assert train_command("poo_head", [f"total_timesteps={goal}"], out=folder, resume=True) == 0
    assert result_of(folder)["timesteps"] == goal
    steps = [row["timesteps"] for row in rows_without_clock(folder)]
    assert steps == list(range(0, goal + 1, UPDATE))


def test_the_first_ctrl_c_asks_and_the_second_stops_at_once(tmp_path):
    def twice(timesteps, _):
        if timesteps == 3 * UPDATE:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)

    before = signal.getsignal(signal.SIGINT)
    result = train(small_config(), tmp_path, on_update=twice, quiet=True)
    assert signal.getsignal(signal.SIGINT) is before
    assert (result.status, result.exit_code) == ("interrupted", 130)
    assert result_of(tmp_path)["status"] == "interrupted"
    assert train(small_config(), tmp_path, resume=True, quiet=True).exit_code == 0


@pytest.mark.parametrize("damage", ["cut", "altered", "empty"])
def test_a_damaged_newest_checkpoint_falls_back_to_the_one_before(tmp_path, config, whole, damage, capsys):
    with pytest.raises(Crash):
        train(config, tmp_path, on_update=crash_at(7), quiet=True)
    newest, older = checkpoint_files(tmp_path / "checkpoint")
    content = bytearray(newest.read_bytes())
    if damage == "altered":
        content[-100] ^= 1
    newest.write_bytes({"cut": content[: len(content) // 2], "empty": b""}.get(damage, content))
    train(config, tmp_path, resume=True)
    told = capsys.readouterr().err
    assert f"{newest}: damaged" in told
    assert f"going on from {2 * 2 * UPDATE:,} samples ({older.name})" in told
    assert_same_run(tmp_path, whole)


def test_a_run_whose_checkpoints_are_all_damaged_says_so(tmp_path, config):
    with pytest.raises(Crash):
        train(config, tmp_path, on_update=crash_at(7), quiet=True)
    for path in checkpoint_files(tmp_path / "checkpoint"):
        path.write_bytes(b"no checkpoint")
    with pytest.raises(CheckpointError, match="all 2 checkpoints are damaged"):
        train(config, tmp_path, resume=True, quiet=True)


def test_a_checkpoint_of_another_table_is_refused(tmp_path, whole):
    for number, pair in enumerate(["players=2", "options.bombs=2", "network.hidden=[8]"]):
        folder = tmp_path / str(number)
        with pytest.raises(Crash):
            train(small_config(pair), folder, on_update=crash_at(3), quiet=True)
        # What somebody might do who copies files about
        for path in checkpoint_files(folder / "checkpoint"):
            path.unlink()
        taken = checkpoint_files(whole / "checkpoint")[0]
        (folder / "checkpoint" / taken.name).write_bytes(taken.read_bytes())
        with pytest.raises(RunFolderError, match="another run: its settings is|does not fit this run: policy"):
            train(read_config(folder), folder, resume=True, quiet=True)


def test_a_checkpoint_of_another_game_is_refused(tmp_path, config, whole, monkeypatch):
    from poopdeck.envs.core import spec

    monkeypatch.setattr(spec.GameSpec, "id", property(lambda self: "poopdeck/other-v0"))
    (tmp_path / "checkpoint").mkdir()
    taken = checkpoint_files(whole / "checkpoint")[0]
    (tmp_path / "checkpoint" / taken.name).write_bytes(taken.read_bytes())
    (tmp_path / "config.yaml").write_bytes((whole / "config.yaml").read_bytes())
    with pytest.raises(RunFolderError, match="its game is 'poopdeck/poo_head-v0', the config's 'poopdeck/other-v0'"):
        train(config, tmp_path, resume=True, quiet=True)


def test_a_finished_run_can_go_on_further(tmp_path):
    config = small_config("total_timesteps=1024")
    first = train(config, tmp_path, quiet=True)
    again = train(config, tmp_path, resume=True, quiet=True)
    assert (again.status, again.timesteps, again.evaluations) == ("finished", 1024, first.evaluations)
    further = train(read_config(tmp_path, ["total_timesteps=2048"]), tmp_path, resume=True, quiet=True)
    assert further.timesteps == 2048
    assert [row["timesteps"] for row in rows_without_clock(tmp_path)] == [0, 512, 1024, 1536, 2048]


def test_a_time_limit_ends_a_run_as_it_should_end(tmp_path):
    config = small_config("total_timesteps=100_000_000", "time_limit=0.000001")
    result = train(config, tmp_path, quiet=True)
    assert (result.status, result.exit_code) == ("time limit", 0)
    assert set(result_of(tmp_path)["evaluations"]) == set(config.evaluation.against)
    assert result.timesteps == UPDATE
    assert weights(tmp_path)


@pytest.mark.parametrize("clock", ["wall", "processor"])
def test_minutes_are_those_that_the_config_says(tmp_path, clock):
    config = small_config("total_timesteps=2048", "evaluation.every=0", f"clock={clock}")
    result = train(config, tmp_path, on_update=lambda *_: time.sleep(0.5), quiet=True)
    slept = 1.5  # of the four updates the first three
    assert (result.seconds > slept) == (clock == "wall"), result.seconds


def test_the_learning_rate_falls_with_samples_or_with_time(tmp_path, whole):
    rates: dict[str, list[float]] = {"samples": [], "time": []}
    for schedule, found in rates.items():
        sets = ["total_timesteps=100_000_000", "time_limit=0.05", "evaluation.every=0", f"schedule={schedule}"]
        config = small_config(*sets)
        train(
            config,
            tmp_path / schedule,
            on_update=lambda _, row, found=found: found.append(row["train/learning_rate"]),
            quiet=True,
        )
    start = small_config().maskable_ppo.learning_rate
    assert min(rates["samples"]) > 0.99 * start
    assert rates["time"] == sorted(rates["time"], reverse=True)
    assert rates["time"][-1] < 0.5 * start


def test_other_configs_are_not_resumed(tmp_path, config, whole):
    with pytest.raises(RunFolderError, match="started with network"):
        train(small_config("network.hidden=[32]"), whole, resume=True, quiet=True)
    with pytest.raises(RunFolderError, match="not empty"):
        train(config, whole, quiet=True)
    with pytest.raises(RunFolderError, match="the folder of the run"):
        train(config, resume=True, quiet=True)


def test_without_a_folder_the_newest_run_of_the_game_is_resumed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunFolderError, match="no run of poo_head"):
        train_command("poo_head", resume=True)
    assert train_command("poo_head,smoke", ["total_timesteps=512"]) == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert train_command("poo_head", ["total_timesteps=1024"], resume=True) == 0
    assert result_of(folder)["timesteps"] == 1024


def test_a_failure_is_written_down(tmp_path):
    def fail(*_):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        train(small_config(), tmp_path, on_update=fail, quiet=True)
    assert (result_of(tmp_path)["status"], result_of(tmp_path)["error"]) == ("failed", "OSError: disk full")


def test_an_opponent_that_is_not_there_is_told_of_before_anything_is_written(tmp_path):
    with pytest.raises(ValueError, match="did you mean 'heuristic'"):
        train(small_config("opponents.0.agent=heuristics"), tmp_path / "run", quiet=True)
    assert not (tmp_path / "run" / "config.yaml").exists()


def test_nothing_of_a_run_is_ever_unpickled(tmp_path, config, whole, monkeypatch):
    with pytest.raises(Crash):
        train(config, tmp_path, on_update=crash_at(5), quiet=True)
    task = task_of(config)
    state = task.game.new_state(0, **task.settings)
    observation, mask = task.game.observation(state, 0), task.game.action_mask(state)  # numba's cache is its own

    def refuse(*_, **__):
        raise AssertionError("something is unpickled")

    for module, name in ((pickle, "load"), (pickle, "loads"), (pickle, "Unpickler"), (torch, "load")):
        monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(np, "load", refuse)
    train(config, tmp_path, resume=True, quiet=True)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    assert mask[agent.act(observation[None], mask[None], np.random.default_rng(0))[0]]
    load_config(str(tmp_path / "config.yaml"))
