"""Learning that runs away is stopped at the update in which it does, with its last good checkpoint kept."""

import dataclasses
import json
import math

import numpy as np
import pytest
import torch
from test_cli import poopdeck
from training_runs import UPDATE, result_of, small_config, task_of

from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.network import Network
from poopdeck.agents.network.role_networks import EVERY, RoleNetworks
from poopdeck.training.config import registry
from poopdeck.training.learners.finite import NotFiniteError, check_finite
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.run.curves import read_metrics
from poopdeck.training.run.train import train
from poopdeck.training.storage.checkpoint import checkpoint_files, load_checkpoint
from poopdeck.training.storage.run_folder import RunFolderError, read_config

ALGOS = ("maskable_ppo", "ppo")


def learner_of(*sets):
    config = small_config("snapshots.weight=0", *sets)
    learner = registry.spec(config.algo).make(task_of(config), SnapshotPool(config.snapshots))
    learner.begin()
    return learner


def first_weight(learner):
    policy = learner.policy if hasattr(learner, "policy") else learner.policies[0]
    return next(policy.parameters())


@pytest.mark.parametrize("algo", ALGOS)
@pytest.mark.parametrize("rate", [30, 1e30])
def test_a_learning_rate_that_is_far_too_high_is_what_the_error_names(algo, rate, tmp_path):
    """It may also go on with finite weights; what must not come is an error about something else, or none with NaN."""
    sets = [f"algo={algo}", f"{algo}.learning_rate={rate}", f"total_timesteps={30 * UPDATE}"]
    try:
        train(small_config(*sets), tmp_path / "run", quiet=True)
    except NotFiniteError as error:
        assert f"{algo}.learning_rate={rate:g} is too high" in str(error) and str(error).startswith("update ")
        assert result_of(tmp_path / "run")["status"] == "failed"
    else:
        assert rate < 1e30
        load_agent(str(tmp_path / "run"), task_of(small_config()).game, task_of(small_config()).settings)


@pytest.mark.parametrize("algo", ALGOS)
def test_weights_that_are_none_are_noticed_before_they_play_or_are_kept(algo, tmp_path):
    folder = tmp_path / "a run"
    config = small_config(f"algo={algo}", f"total_timesteps={8 * UPDATE}", "checkpoint.every=1")
    spec = registry.spec(algo)
    made, updates = [], []

    def poison(timesteps, _):
        updates.append(timesteps)
        if len(updates) == 3:
            with torch.no_grad():
                first_weight(made[0]).fill_(math.nan)

    def make(task, pool):
        made.append(spec.make(task, pool))
        return made[0]

    wanted = r"^update 4: .*(NaN|nan).*; most likely .*learning_rate=.* too high"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "spec", lambda name: dataclasses.replace(spec, make=make))
        with pytest.raises(NotFiniteError, match=wanted) as caught:
            train(config, folder, quiet=True, on_update=poison)
    assert "may not choose" not in str(caught.value)
    newest = checkpoint_files(folder / "checkpoint")[0]
    assert newest.name in str(caught.value) and newest.name == f"step-{updates[2]:012d}.safetensors"
    kept = [value for value in load_checkpoint(newest).tensors.values() if value.dtype.kind == "f"]
    assert kept and all(np.isfinite(value).all() for value in kept)
    failed = result_of(folder)
    assert failed["status"] == "failed" and "update 4" in failed["error"]

    with pytest.raises(RunFolderError, match=f"a resumed run may change .*{algo}.learning_rate"):
        train(read_config(folder, [f"{algo}.gamma=0.5"]), folder, resume=True, quiet=True)
    again = train(read_config(folder, [f"{algo}.learning_rate=1e-4"]), folder, resume=True, quiet=True)
    assert again.status == "finished" and again.timesteps >= 8 * UPDATE
    rows = [row["timesteps"] for row in read_metrics(folder / "metrics.jsonl")]
    assert rows == sorted(set(rows))


@pytest.mark.parametrize("algo", ALGOS)
@pytest.mark.parametrize("value", [math.nan, math.inf, 3e38])
def test_a_policy_that_is_none_chooses_nothing(algo, value):
    """Also between two checks, in the middle of a rollout."""
    learner = learner_of(f"algo={algo}")
    with torch.no_grad():
        first_weight(learner).fill_(value)
    with pytest.raises(NotFiniteError, match="NaN or infinite|loss is|gradient"):
        learner.iterate(1.0)
        check_finite(learner.networks(), {})


def test_a_gradient_that_is_none_leaves_the_weights_as_they_are():
    def loss(policy, part, config):
        logits, _ = policy(part["observations"], part["masks"])
        return logits.max() * torch.tensor(math.inf), {"policy_loss": torch.tensor(0.0)}

    from poopdeck.training.learners.ppo.learner import PPOLearner

    config = small_config("algo=ppo", "snapshots.weight=0")
    learner = PPOLearner(task_of(config), SnapshotPool(config.snapshots), loss=loss)
    learner.begin()
    before = first_weight(learner).detach().clone()
    with pytest.raises(NotFiniteError, match="the loss is inf|gradient"):
        learner.iterate(1.0)
    assert (first_weight(learner) == before).all()


def test_losses_are_looked_at_and_means_of_nothing_are_not():
    network = RoleNetworks({EVERY: Network([np.zeros((3, 2))], [np.zeros(2)])})
    check_finite(
        network, {"train/explained_variance": math.nan, "train/mean_length": math.nan, "train/value_loss": 1.0}
    )
    for name in ("policy_loss", "value_loss", "entropy"):
        with pytest.raises(NotFiniteError, match=f"{name.replace('_', ' ')} is nan"):
            check_finite(network, {f"train/{name}": math.nan})


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_stored_network_that_is_none_does_not_play(value, tmp_path):
    task = task_of(small_config())
    features, actions = task.game.spec.observation_size(task.settings), task.game.spec.num_actions
    network = Network([np.zeros((features, actions))], [np.zeros(actions)], card=task.card(0))
    network.biases[0][5] = value
    network.save(tmp_path / "net")
    with pytest.raises(ValueError, match=r"net: weights of the network \(layer.0.bias\) are NaN or infinite"):
        load_agent(str(tmp_path / "net"), task.game, task.settings)
    shown = poopdeck("evaluate", tmp_path / "net", "--against", "random", "--game", "poo_head")
    assert shown.returncode == 2 and "NaN or infinite" in shown.stderr and len(shown.stderr.splitlines()) == 1


def test_samples_a_second_leave_out_what_compiles(tmp_path):
    """The first update of a session is in neither figure, unless there is no other."""
    config = small_config(f"total_timesteps={6 * UPDATE}", "evaluation.every=0")
    result = train(config, tmp_path / "run", quiet=True)
    updates = [row for row in read_metrics(tmp_path / "run" / "metrics.jsonl") if row["timesteps"]]
    assert "speed/samples_per_second" not in updates[0]
    rates = [row["speed/samples_per_second"] for row in updates[1:]]
    mean = len(rates) / sum(1 / rate for rate in rates)
    assert len(rates) == 5 and result.samples_per_second == pytest.approx(mean, rel=1e-6)
    alone = train(small_config(f"total_timesteps={UPDATE}"), tmp_path / "one", quiet=True)
    assert alone.samples_per_second > 0
    kept = json.loads((tmp_path / "one" / "result.json").read_text(encoding="utf-8"))
    assert kept["samples_per_second"] == pytest.approx(alone.samples_per_second, abs=0.1)
