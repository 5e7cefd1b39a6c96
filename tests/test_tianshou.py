"""Tianshou's learners on our environments; needs the extra ``tianshou`` (``make test-extras``)."""

import json

import numpy as np
import pytest

pytest.importorskip("tianshou", reason='needs Tianshou: pip install "poopdeck[tianshou]"')

import dqn_page  # noqa: E402
import torch  # noqa: E402
from test_examples import example, interval  # noqa: E402
from tianshou.data import Batch  # noqa: E402

import poopdeck  # noqa: E402
from poopdeck.envs.adapters.tianshou import PolicyAgent, TianshouEnv  # noqa: E402


def test_observations_are_those_of_the_seat_under_tianshous_names():
    plain = poopdeck.make_gymnasium("poo_head", opponents="random", num_players=3)
    env = TianshouEnv(poopdeck.make_gymnasium("poo_head", opponents="random", num_players=3))
    seen, _ = plain.reset(seed=4)
    told, _ = env.reset(seed=4)
    for _ in range(10):
        assert env.observation_space.contains(told)
        assert (told["obs"] == seen["observation"]).all() and (told["mask"] == seen["action_mask"]).all()
        action = int(told["mask"].argmax())
        seen, payoff, *_ = plain.step(action)
        told, reward, *_ = env.step(action)
        assert reward == payoff
    with pytest.raises(ValueError, match='observation="masked"'):
        TianshouEnv(poopdeck.make_gymnasium("poop", opponents="random", observation="features"))


def test_an_agent_plays_what_its_policy_would_and_nothing_illegal():
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.utils.net.common import Net

    torch.manual_seed(0)
    env = TianshouEnv(poopdeck.make_gymnasium("poop", opponents="random", num_players=2))
    network = Net(state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[16])
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=0.5)
    rng = np.random.default_rng(0)
    observations = rng.random((50, *env.observation_space["obs"].shape)).astype(np.float32)
    masks = (rng.random((50, env.action_space.n)) < 0.2).astype(np.int8)
    masks[:, 0] = 1
    actions = PolicyAgent(policy).act(observations, masks, rng)
    values = policy(Batch(obs=Batch(obs=observations, mask=masks), info=Batch())).logits.detach().numpy()
    assert (actions == np.where(masks, values, -np.inf).argmax(axis=1)).all()


def test_tianshous_dqn_beats_random(tmp_path):
    """One winner in four is what chance gives; the interval lies above that."""
    printed = example("tianshou_dqn.py", tmp_path, "--samples", 12_000, "--games", 2000)
    assert interval("against random: won", printed)[0] > 0.25


def test_the_check_measures_both_once_and_writes_its_page(tmp_path):
    own = ["--folder", str(tmp_path)]
    small = ["--measure", "--samples", "600", "--seeds", "2", "--games", "40", *own]
    assert dqn_page.main(small) == 0
    content = json.loads((tmp_path / "dqn_check.json").read_text())
    names = [(run["learner"], run["seed"]) for run in content["runs"]]
    assert sorted(names) == [("Tianshou", 0), ("Tianshou", 1), ("dqn", 0), ("dqn", 1)]
    assert all(table["illegal_actions"] == 0 for run in content["runs"] for table in run["tables"].values())
    written = (tmp_path / "dqn_check.json").stat().st_mtime_ns
    assert dqn_page.main(small) == 0  # nothing is left to do
    assert (tmp_path / "dqn_check.json").stat().st_mtime_ns == written
    assert dqn_page.main(["--check", *own]) == 0
