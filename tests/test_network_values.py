"""Trained agents tell what a position is worth to a seat, from what it sees alone."""

import json
import re

import numpy as np
import pytest
import torch
from training_runs import small_config, task_of

from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.network import StoredNetwork
from poopdeck.agents.network.position_values import PositionValues
from poopdeck.training.config.files import load_config
from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.learners.ppo.policy import Policy
from poopdeck.training.run.train import train

pytestmark = pytest.mark.usefixtures("one_thread")
QUICK = ["evaluation.every=0", "evaluation.final_games=2", "evaluation.games=2"]


def positions(task, count=40):
    """Records and seats to act, spread over games of random legal play."""
    game, rng, records, seats = task.game, np.random.default_rng(0), [], []
    state = game.new_state(0, **task.settings)
    while len(records) < count:
        if game.is_terminal(state):
            state = game.new_state(len(records), **task.settings)
        legal = np.flatnonzero(game.action_mask(state))
        records.append(state.records.copy())
        seats.append(game.current_player(state))
        game.apply_action(state, int(rng.choice(legal)))
    return np.concatenate(records), np.array(seats, np.int64)


@pytest.fixture(scope="module", params=["maskable_ppo", "ppo"])
def run(request, tmp_path_factory):
    """A short run's config and folder."""
    config = small_config(f"algo={request.param}", "total_timesteps=2048", *QUICK)
    folder = tmp_path_factory.mktemp(request.param)
    train(config, folder, quiet=True)
    return config, folder


@pytest.mark.parametrize("kind", ["mlp", "residual"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_values_are_those_that_were_learnt(tmp_path, kind, activation):
    torch.manual_seed(1)
    policy = Policy(6, 4, NetworkConfig(kind=kind, hidden=[8, 8, 5], activation=activation))
    with torch.no_grad():
        policy.value_head.bias.fill_(0.3)
    policy.network({}).save(tmp_path)
    seen = torch.randn(20, 6)
    with torch.no_grad():
        expected = policy(seen, torch.ones(20, 4, dtype=torch.bool))[1].numpy()
    network = StoredNetwork.load(tmp_path)
    assert network.has_values
    found = network.values(seen.numpy())
    assert found.shape == (20,) and found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_run_keeps_values_that_compiled_code_gives_too(run):
    config, folder = run
    task = task_of(config)
    agent = load_agent(str(folder), task.game, task.settings)
    assert agent.has_values
    records, seats = positions(task)
    seen = np.stack(
        [task.game.observation(_state(task, one), int(seat)) for one, seat in zip(records, seats, strict=True)]
    )
    values = agent.values(seen)
    assert values.shape == (len(seats),) and values.std() > 0
    compiled = PositionValues(task.game, task.settings, agent.networks).of(records, seats)
    np.testing.assert_allclose(compiled, values, rtol=1e-4, atol=1e-5)


def _state(task, record):
    from poopdeck.envs.core.game import State

    return State(record[None].copy(), task.settings)


def test_every_role_has_its_own_values(tmp_path):
    config = load_config(
        ["pooman", "smoke"], ["algo=ppo", "total_timesteps=1024", "opponents=[{agent: random}]", *QUICK]
    )
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    records, seats = positions(task, 60)
    roles = np.array(task.game.spec.seat_roles(task.settings))[seats]
    seen = np.stack(
        [task.game.observation(_state(task, one), int(seat)) for one, seat in zip(records, seats, strict=True)]
    )
    found = agent.values(seen)
    for number, name in enumerate(task.roles):
        rows = roles == number
        assert rows.any()
        np.testing.assert_allclose(found[rows], agent.networks.of(name).values(seen[rows]), rtol=1e-5)
    compiled = PositionValues(task.game, task.settings, agent.networks).of(records, seats)
    np.testing.assert_allclose(compiled, found, rtol=1e-4, atol=1e-5)


def test_a_folder_of_an_earlier_version_plays_and_says_that_it_has_no_values(run, tmp_path):
    from safetensors.numpy import load, save

    config, folder = run
    task, weights = task_of(config), folder / "weights"
    kept = {
        name: value
        for name, value in load((weights / "network.safetensors").read_bytes()).items()
        if "value" not in name
    }
    (tmp_path / "network.safetensors").write_bytes(save(kept))
    (tmp_path / "card.json").write_text((weights / "card.json").read_text())
    agent = load_agent(str(tmp_path), task.game, task.settings)
    seen = np.zeros((3, agent.networks.by_role[""].sizes[0]), np.float32)
    assert agent.act(seen, np.ones((3, task.game.spec.num_actions), np.int8), np.random.default_rng(0)).shape == (3,)
    assert not agent.has_values
    for ask in (lambda: agent.values(seen), lambda: PositionValues(task.game, task.settings, agent.networks)):
        with pytest.raises(ValueError, match="keeps no value head.*earlier version.*train it anew"):
            ask()


def test_a_critic_that_sees_all_seats_is_no_value_of_a_seat(tmp_path):
    config = small_config("algo=ppo", "ppo.critic=all_seats", "total_timesteps=512", *QUICK)
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    assert not load_agent(str(tmp_path), task.game, task.settings).has_values


def test_a_value_head_that_does_not_fit_is_told_of(run, tmp_path):
    from safetensors.numpy import load, save

    config, folder = run
    tensors = load((folder / "weights" / "network.safetensors").read_bytes())
    tensors["value.weight"] = tensors["value.weight"][:-1].copy()
    (tmp_path / "network.safetensors").write_bytes(save(tensors))
    (tmp_path / "card.json").write_text(json.dumps(json.loads((folder / "weights" / "card.json").read_text())))
    with pytest.raises(ValueError, match=re.escape(str(tmp_path))):
        StoredNetwork.load(tmp_path)
