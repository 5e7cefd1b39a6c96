import json
import subprocess
import sys

import pytest

from poopdeck.training.config.files import load_config
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
