"""Runs that begin with the networks of another one."""

import numpy as np
import pytest
from training_runs import small_config, task_of

from poopdeck.agents.network.role_networks import RoleNetworks
from poopdeck.training.config import registry
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.run.train import train

PPO = ("algo=ppo", "snapshots.weight=0", "evaluation.every=0", "evaluation.final_games=8")


@pytest.fixture(scope="module", params=["mlp", "residual"])
def trained(request, tmp_path_factory):
    """A finished run of each form of weights, and the key that says its form."""
    folder, form = tmp_path_factory.mktemp("initial") / request.param, f"network.kind={request.param}"
    train(small_config(*PPO, form, "total_timesteps=1024"), folder, quiet=True)
    return folder, form


def beginning(*sets):
    """The networks of a learner that has learnt nothing yet."""
    config = small_config(*PPO, "seed=9", *sets)
    learner = registry.spec(config.algo).make(task_of(config), SnapshotPool(config.snapshots))
    learner.close()
    return learner.networks()


def test_learning_begins_with_what_another_run_learnt(trained):
    folder, form = trained
    rng = np.random.default_rng(0)
    kept = RoleNetworks.load(folder / "weights")
    observations = rng.random((8, kept.by_role[""].sizes[0]), np.float32)
    for sets in ([], ["algo=mmd"]):
        algo = sets[0].partition("=")[2] if sets else "ppo"
        found = beginning(*sets, form, f"{algo}.initial_weights={folder}")
        np.testing.assert_allclose(found.logits(observations), kept.logits(observations), atol=1e-5)
        np.testing.assert_allclose(found.values(observations), kept.values(observations), atol=1e-5)
    other = beginning(form)
    assert np.abs(other.logits(observations) - kept.logits(observations)).max() > 1e-3


def test_it_goes_on_and_can_be_resumed(trained, tmp_path):
    folder, form = trained
    sets = (*PPO, form, f"ppo.initial_weights={folder}")
    train(small_config(*sets, "total_timesteps=512"), tmp_path / "run", quiet=True)
    again = small_config(*sets, "total_timesteps=1024")
    assert train(again, tmp_path / "run", resume=True, quiet=True).timesteps >= 1024


def test_networks_of_another_form_are_refused(trained):
    folder, form = trained
    with pytest.raises(ValueError, match=r"initial_weights=.*network.hidden=\[16\].*set the same"):
        beginning(form, "network.hidden=[8]", f"ppo.initial_weights={folder}")
    with pytest.raises(ValueError, match="folder of a training run is wanted"):
        beginning(form, "ppo.initial_weights=heuristic")
