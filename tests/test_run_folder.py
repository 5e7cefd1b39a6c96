import json
import os
import subprocess
import sys
import types

import pytest

from poopdeck.training.config.files import load_config
from poopdeck.training.storage import run_folder
from poopdeck.training.storage.run_folder import (
    RunFolder,
    RunFolderError,
    default_folder,
    read_config,
    versions,
    write_file,
)


@pytest.fixture
def config():
    return load_config("poo_head")


def begun(path, config):
    with RunFolder(path) as folder:
        folder.begin(config)
    return path


def test_a_new_run_writes_down_config_and_versions(tmp_path, config):
    path = begun(tmp_path / "deep" / "run", config)
    assert read_config(path) == config
    assert json.loads((path / "versions.json").read_text()) == versions()


def test_the_usual_folder_is_named_after_game_time_and_seed(tmp_path, monkeypatch, config):
    monkeypatch.chdir(tmp_path)
    first = default_folder(config)
    assert first.parts[0] == "runs"
    assert first.name.startswith("poo_head-")
    assert first.name.endswith("-0")
    first.mkdir(parents=True)
    assert default_folder(config) != first


def test_a_folder_with_something_in_it_is_refused(tmp_path, config):
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(RunFolderError, match="not empty"), RunFolder(tmp_path):
        pass
    with pytest.raises(RunFolderError, match="no run to resume"), RunFolder(tmp_path, resume=True):
        pass
    assert [item.name for item in tmp_path.iterdir()] == ["thesis.txt"]
    path = begun(tmp_path / "run", config)
    with pytest.raises(RunFolderError, match="not empty"), RunFolder(path):
        pass


def test_an_empty_folder_is_taken(tmp_path, config):
    begun(tmp_path, config)


def test_what_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunFolderError, match="not a folder"), RunFolder(tmp_path / "file"):
        pass
    with pytest.raises(RunFolderError, match="cannot be written"), RunFolder(tmp_path / "file" / "run"):
        pass
    with pytest.raises(RunFolderError, match="no such folder"), RunFolder(tmp_path / "none", resume=True):
        pass
    assert not (tmp_path / "none").exists()


def test_one_process_at_a_time(tmp_path, config):
    with RunFolder(tmp_path / "run") as folder:
        folder.begin(config)
        with pytest.raises(RunFolderError, match="being written there by process"), RunFolder(folder.path, resume=True):
            pass
        code = "import sys, pathlib; from poopdeck.training.storage.run_folder import RunFolder\n"
        code += "with RunFolder(pathlib.Path(sys.argv[1]), resume=True): pass"
        other = subprocess.run([sys.executable, "-c", code, str(folder.path)], capture_output=True, text=True)
        assert "being written there by process" in other.stderr
    with RunFolder(folder.path, resume=True):
        pass


class MandatoryLock:
    """A lock file where the system keeps others from reading what somebody has locked, as Windows does."""

    def __init__(self, file):
        self.file, self.closed_again = file, False

    def seek(self, place):
        return self.file.seek(place)

    def read(self):
        raise PermissionError(13, "Permission denied")

    def close(self):
        self.closed_again = True
        self.file.close()


def test_a_lock_that_nobody_else_may_read_is_told_of_as_any_other(tmp_path, config, monkeypatch):
    held = begun(tmp_path / "run", config)
    opened = []

    def open_lock(path, *mode, **more):
        opened.append(MandatoryLock(open(path, *mode, **more)))  # noqa: SIM115 (closed by the folder)
        return opened[-1]

    monkeypatch.setattr(run_folder, "open", open_lock, raising=False)
    monkeypatch.setattr(run_folder, "_lock_file", lambda file: False)
    with pytest.raises(RunFolderError, match="a run is being written there by another process"):
        RunFolder(held, resume=True).__enter__()
    assert len(opened) == 1 and opened[0].closed_again


def test_windows_locks_a_byte_that_holds_no_text(tmp_path, config, monkeypatch):
    """There a lock keeps others from reading what is locked: the holder's name must stay readable."""
    calls = []

    def locking(number, mode, size):
        calls.append((os.lseek(number, 0, os.SEEK_CUR), mode, size))
        if len(calls) > 1:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))
    with RunFolder(tmp_path / "run") as folder:
        folder.begin(config)
        with pytest.raises(RunFolderError, match="being written there by process"), RunFolder(folder.path, resume=True):
            pass
    assert calls == [(run_folder.LOCKED_BYTE, 2, 1)] * 2
    assert (tmp_path / "run" / run_folder.LOCK).stat().st_size < 100


def test_a_run_that_was_stopped_before_it_began_can_begin(tmp_path, config):
    (tmp_path / "run.lock").write_text("process 1\n")
    with RunFolder(tmp_path, resume=True) as folder:
        folder.begin(config)
    assert read_config(tmp_path) == config


def test_a_resumed_run_keeps_what_its_state_was_made_by(tmp_path, config):
    path = begun(tmp_path / "run", config)
    with RunFolder(path, resume=True) as folder:
        with pytest.raises(RunFolderError, match="started with players=4, not 3; a resumed run may change total"):
            folder.begin(read_config(path, ["players=3"]))
        assert folder.begin(read_config(path, ["total_timesteps=5", "evaluation.games=10"])) == []
    assert read_config(path).total_timesteps == 5


def test_a_resumed_run_tells_of_other_versions(tmp_path, config):
    path = begun(tmp_path / "run", config)
    write_file(path / "versions.json", json.dumps({**versions(), "torch": "0.1"}))
    with RunFolder(path, resume=True) as folder:
        (warning,) = folder.begin(config)
    assert "torch 0.1 -> " in warning
    (path / "versions.json").write_text("{")
    with RunFolder(path, resume=True) as folder:
        assert folder.begin(config) == []


def test_a_damaged_config_is_told_of(tmp_path, config):
    path = begun(tmp_path / "run", config)
    (path / "config.yaml").write_text("gme: poo_head\n")
    with pytest.raises(ValueError, match=r"config.yaml, line 1.*did you mean game"):
        read_config(path)
    (path / "config.yaml").unlink()
    with pytest.raises(RunFolderError, match="no run to resume"):
        read_config(path)


def test_a_result_of_an_earlier_session_goes_when_the_run_goes_on(tmp_path, config):
    path = begun(tmp_path / "run", config)
    with RunFolder(path, resume=True) as folder:
        folder.finish({"status": "interrupted"})
    with RunFolder(path, resume=True) as folder:
        folder.begin(config)
        assert not folder.result_path.exists()


def test_files_are_replaced_as_a_whole(tmp_path):
    path = tmp_path / "file"
    write_file(path, "old")
    write_file(path, b"new")
    assert path.read_text() == "new"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
