"""A way of learning that another package adds: found by name, with its own section, trained, resumed and measured."""

import pathlib
import shutil
import sys
import tomllib
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from documents import ROOT
from test_cli import poopdeck as command
from test_config import refusal
from training_runs import rows_without_clock, task_of

from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.network import StoredNetwork
from poopdeck.training.config import registry
from poopdeck.training.config.files import ConfigError, load_config
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run.train import train
from poopdeck.training.storage.run_folder import read_config

PROJECT = ROOT / "docs" / "examples" / "new_learner"
MINE = ("algo=linear_clone", "snapshots.weight=1")


def install(folder: pathlib.Path) -> pathlib.Path:
    """What pip makes of the project, as far as anybody looks: its module, and what it says of itself."""
    about = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    name, version = about["project"]["name"], about["project"]["version"]
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, points in about["project"]["entry-points"].items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for module in about["tool"]["setuptools"]["py-modules"]:
        shutil.copy(PROJECT / f"{module}.py", folder)
    return folder


@pytest.fixture
def installed(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(install(tmp_path / "site")))
    yield
    sys.modules.pop("linear_clone", None)


def test_it_is_found_by_name_and_has_its_section(installed):
    assert registry.names() == [*registry.BUILT_IN, "linear_clone"]
    config = load_config("poo_head", ["algo=linear_clone", "linear_clone.n_steps=8"])
    assert config.section.n_steps == 8 and config.section.agent == "heuristic"
    message = refusal("poo_head", ["algo=linear_clone", "linear_clone.n_step=8"])
    assert (
        "unknown key 'linear_clone.n_step' (--set linear_clone.n_step=8): did you mean linear_clone.n_steps?" in message
    )
    assert "linear_clone.n_steps=0" in refusal("poo_head", ["algo=linear_clone", "linear_clone.n_steps=0"])
    assert "is of the algo linear_clone, but the algo is maskable_ppo" in refusal(
        "poo_head", ["linear_clone.n_steps=8"]
    )
    assert f"there are {', '.join(registry.BUILT_IN)}, linear_clone" in refusal("poo_head", ["algo=clone"])


def test_without_the_package_its_name_and_its_runs_are_refused(tmp_path, installed, monkeypatch):
    path = tmp_path / "mine.yaml"
    path.write_text("game: poo_head\nalgo: linear_clone\nlinear_clone: {n_steps: 8}\n")
    assert load_config(str(path)).section.n_steps == 8
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    with pytest.raises(
        ConfigError, match=rf"algo='linear_clone': there are {', '.join(registry.BUILT_IN)} \({path}, line 2\)"
    ):
        load_config(str(path))


def test_it_trains_and_beats_random(tmp_path, installed):
    config = load_config("poo_head", [*MINE, "num_envs=64", "total_timesteps=20_000", "evaluation.every=0"])
    train(config, tmp_path / "run", quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path / "run"), task.game, task.settings)
    found = evaluate(task.game, task.settings, agent, [load_agent("random", task.game, task.settings)], 2000, seed=1)
    assert found.rates["loss_rate_or_truncated_ci"][1] < 0.1  # one in four by chance
    assert found.illegal_actions == 0 and agent.networks.by_role[""].card["algo"] == "linear_clone"


@pytest.mark.parametrize("game", ["poo_head", "pooman"])
def test_it_goes_on_as_if_it_had_not_been_interrupted(tmp_path, installed, game):
    def config(timesteps):
        return load_config([game, "smoke"], [*MINE, f"total_timesteps={timesteps}", "evaluation.every=0"])

    class Stop(BaseException):
        pass

    def stop(timesteps, _):
        if timesteps > 1500:
            raise Stop

    train(config(3000), tmp_path / "whole", quiet=True)
    with pytest.raises(Stop):
        train(config(3000), tmp_path / "halves", on_update=stop, quiet=True)
    train(read_config(tmp_path / "halves"), tmp_path / "halves", resume=True, quiet=True)
    assert rows_without_clock(tmp_path / "whole") == rows_without_clock(tmp_path / "halves")
    paths = [sorted((tmp_path / name / "weights").rglob("card.json")) for name in ("whole", "halves")]
    assert len(paths[0]) == len(task_of(config(3000)).roles)
    for one, other in zip(*paths, strict=True):
        for a, b in zip(*(StoredNetwork.load(path.parent).content()[1] for path in (one, other)), strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_commands_know_it(tmp_path, installed, monkeypatch):
    run = tmp_path / "run"
    trained = command("train", "poo_head,smoke", "--set", "algo=linear_clone", "--out", run)
    assert trained.returncode == 0, trained.stderr
    measured = command("evaluate", run, "--game", "poo_head", "--against", "random", "--games", 200)
    assert measured.returncode == 0 and "run at a table of" in measured.stdout
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    refused = command("train", "poo_head", "--set", "algo=linear_clone")
    assert refused.returncode == 2 and "there are maskable_ppo, ppo" in refused.stderr


def test_what_is_no_learner_is_told_by_its_entry_point(monkeypatch):
    for name, value in (("mine", "math:pi"), ("other", "poopdeck.training.learners.ppo:LEARNER")):
        point = EntryPoint(name, value, registry.ENTRY_POINTS)
        monkeypatch.setattr(registry, "entry_points", lambda group, point=point: [point])
        with pytest.raises(TypeError, match=f"entry point '{name}' of poopdeck.learners: a LearnerSpec of this name"):
            registry.spec(name)


def test_nobody_takes_the_name_of_a_key_of_every_config(monkeypatch, installed):
    import linear_clone

    monkeypatch.setattr(
        linear_clone, "LEARNER", registry.LearnerSpec("network", "", linear_clone.LinearCloneSection, print)
    )
    point = EntryPoint("network", "linear_clone:LEARNER", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    with pytest.raises(TypeError, match="every config has a key of this name"):
        registry.spec("network")
