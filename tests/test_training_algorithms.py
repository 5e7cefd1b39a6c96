"""What every way of learning keeps to: it learns, plays on to the bit after a crash, learns all roles, and its agent
plays."""

import copy

import numpy as np
import pytest
import torch
from test_config import refusal
from training_runs import rows_without_clock, small_config, task_of, weights

from poopdeck.agents.loading import load_agent
from poopdeck.training.config.files import load_config
from poopdeck.training.config.registry import spec
from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.learners.collection.critic_view import Hidden, Oracle
from poopdeck.training.learners.mmd import MMDSection
from poopdeck.training.learners.mmd.learner import MMDLearner
from poopdeck.training.learners.ppo.policy import Policy
from poopdeck.training.learners.ppo.update import ppo_loss
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.run.train import train
from poopdeck.training.storage.checkpoint import checkpoint_files, load_checkpoint

pytestmark = pytest.mark.usefixtures("one_thread")

SELF_PLAY = ["num_envs=32", "network.hidden=[64,64]", "snapshots.weight=0", "opponents=[{agent: random}]"]
# What is small enough for a test: settings of a smoke run, and of the run that has to beat chance.
RUNS = {
    "mmd": ("mmd.n_steps=32 mmd.batch_size=256 mmd.magnet=slow", "mmd.n_steps=64 mmd.batch_size=512"),
    "ppo_oracle": (
        "ppo_oracle.n_steps=32 ppo_oracle.batch_size=256",
        "ppo_oracle.n_steps=64 ppo_oracle.batch_size=512",
    ),
    "dqn": ("dqn.learning_starts=200 dqn.memory=400 dqn.target_every=5", "dqn.n_steps=4"),
    "dmc": ("dmc.n_steps=8", ""),
    "nfsp": (
        "nfsp.learning_starts=200 nfsp.memory=400 nfsp.reservoir=40 nfsp.anticipation=0.5",
        "nfsp.anticipation=0.3 nfsp.n_steps=4",
    ),
    "expert": ("expert.n_steps=8 expert.deals=2 expert.batch_size=64 expert.playouts=[network,mixed]", ""),
}
LEARNING = {"expert": 7000}
SAMPLES = 50_000


def crashing_at(update):
    seen = []

    def on_update(*_):
        seen.append(1)
        if len(seen) == update:
            raise KeyboardInterrupt  # at once, without a last checkpoint

    return on_update


@pytest.mark.parametrize("algo", RUNS)
def test_a_resumed_run_goes_on_to_the_bit(tmp_path, algo):
    sets = [f"algo={algo}", "total_timesteps=1500", "evaluation.every=0", "evaluation.games=4", "checkpoint.every=500"]
    config = small_config(*sets, "evaluation.final_games=4", "snapshots.every=600", *RUNS[algo][0].split())
    train(config, tmp_path / "whole", quiet=True)
    updates = len(rows_without_clock(tmp_path / "whole"))
    train(config, tmp_path / "stopped", on_update=crashing_at(updates - 1), quiet=True)
    result = train(config, tmp_path / "stopped", resume=True, quiet=True)
    assert result.status == "finished"
    assert weights(tmp_path / "stopped") == weights(tmp_path / "whole")
    assert rows_without_clock(tmp_path / "stopped") == rows_without_clock(tmp_path / "whole")
    ours, theirs = (
        load_checkpoint(checkpoint_files(tmp_path / run / "checkpoint")[0]).tensors for run in ("stopped", "whole")
    )
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], name)


@pytest.mark.parametrize("algo", RUNS)
def test_a_short_run_beats_chance(tmp_path, algo):
    sets = [f"algo={algo}", "players=2", f"total_timesteps={LEARNING.get(algo, SAMPLES)}", "evaluation.every=0"]
    sets += ["evaluation.games=4", "evaluation.final_games=4", *RUNS[algo][1].split()]
    config = load_config("poop", [*sets, *SELF_PLAY])
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    random = load_agent("random", task.game, task.settings)
    found = evaluate(task.game, task.settings, agent, [random], games=1000, seed=1, threads=1)
    # Chance wins one of two: these are more than five standard errors.
    assert found.rates["win_rate"] > 0.59, found.rates
    assert found.illegal_actions == 0


@pytest.mark.parametrize("algo", RUNS)
def test_every_role_is_learnt_and_plays(tmp_path, algo):
    sets = [f"algo={algo}", "total_timesteps=300", "evaluation.every=0", "opponents=[{agent: random}]", "num_envs=8"]
    sets += ["evaluation.games=2", "evaluation.final_games=2", *RUNS[algo][0].split()]
    config = load_config(["pooman", "smoke"], sets)
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    assert list(agent.networks.by_role) == task.roles and len(task.roles) == 2
    for role in task.roles:
        found = evaluate(
            task.game, task.settings, agent, [load_agent("random", task.game, task.settings)], 20, role=role
        )
        assert found.illegal_actions == 0


@pytest.mark.parametrize("algo", ["ppo_oracle", "dqn"])
def test_networks_that_remember_learn_too(tmp_path, algo):
    sets = [f"algo={algo}", "network.kind=attention", "options.history=8", "total_timesteps=600", "evaluation.every=0"]
    sets += ["evaluation.games=2", "evaluation.final_games=2", *RUNS[algo][0].split()]
    config = small_config(*sets)
    train(config, tmp_path, quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    assert agent.networks.by_role[""].parts()[1]["kind"] == "attention"
    seen = np.zeros((3, task.game.spec.observation_size(task.settings)), np.float32)
    masks = np.ones((3, task.game.spec.num_actions), np.int8)
    assert agent.act(seen, masks, np.random.default_rng(0)).shape == (3,)


def test_a_critic_that_sees_more_does_not_take_hidden_cards_for_events():
    config = small_config("algo=ppo_oracle", "network.kind=attention", "options.history=8", "snapshots.weight=0")
    learner = spec("ppo_oracle").make(task_of(config), SnapshotPool(config.snapshots))
    trunks = learner.policies[0].trunk, learner.policies[0].critic_trunk
    remembers = [any("memory" in name for name, _ in trunk.named_parameters()) for trunk in trunks]
    assert remembers == [True, False]
    learner.close()


def test_a_searcher_is_asked_only_for_what_it_can_be():
    told = refusal("poop", ["algo=expert", "expert.critic=all_seats"])
    assert "expert.critic='all_seats': it must tell values of what a seat sees; allowed is 'observation'" in told
    told = refusal("poop", ["algo=expert", 'expert.playouts=["search:deals=4"]'])
    assert "expert.playouts: 'search:deals=4' searches itself; allowed are agents that do not" in told
    assert "expert.playouts" in refusal("poop", ["algo=expert", "expert.playouts=[]"])
    with pytest.raises(ValueError, match="did you mean 'heuristic'"):
        train(small_config("algo=expert", "expert.playouts=[heuristics]"), quiet=True)


def test_the_loss_of_mmd_is_that_of_ppo_with_what_draws_it_back():
    torch.manual_seed(0)
    policy = Policy(5, 4, NetworkConfig(hidden=[8]))
    masks = torch.rand(30, 4) < 0.7
    masks[:, 0] = True
    part = {"observations": torch.randn(30, 5), "masks": masks, "actions": torch.zeros(30, dtype=torch.int64)}
    part |= {"advantages": torch.randn(30), "returns": torch.randn(30), "log_probs": torch.full((30,), -1.0)}
    then = torch.where(masks, torch.rand(30, 4), 0.0)
    part["policy"] = then / then.sum(dim=1, keepdim=True)
    learner = MMDLearner.__new__(MMDLearner)
    learner.magnets = []
    section = MMDSection(kl=0.3, entropy=0.2)
    loss, figures = learner.mmd_loss(policy, part, section)
    plain, _ = ppo_loss(policy, part, section)
    now = torch.distributions.Categorical(logits=policy(part["observations"], masks)[0])
    before = torch.distributions.Categorical(probs=part["policy"])
    torch.testing.assert_close(loss - plain, 0.3 * torch.distributions.kl_divergence(now, before).mean())
    assert abs(figures["magnet_divergence"] + now.entropy().mean()) < 1e-5
    learner.magnets, learner.policies = [copy.deepcopy(policy)], [policy]
    with torch.no_grad():
        policy.action_head.weight.add_(torch.randn(4, 8))
    _, figures = learner.mmd_loss(policy, part, section)
    moved = torch.distributions.Categorical(logits=policy(part["observations"], masks)[0])
    expected = torch.distributions.kl_divergence(moved, now).mean()
    torch.testing.assert_close(figures["magnet_divergence"], expected.detach())


def test_a_slow_copy_follows_the_policy(tmp_path):
    config = small_config("algo=mmd", *RUNS["mmd"][0].split(), "mmd.magnet_rate=0.25", "snapshots.weight=0")
    learner = MMDLearner(task_of(config), SnapshotPool(config.snapshots))
    learner.begin()
    before = learner.magnets[0].action_head.weight.clone()
    learner.iterate(1.0)
    after = learner.policies[0].action_head.weight
    torch.testing.assert_close(learner.magnets[0].action_head.weight, 0.75 * before + 0.25 * after)
    assert not torch.equal(before, after)
    learner.close()


def test_the_weight_of_entropy_falls_in_a_straight_line():
    section = MMDSection(entropy=0.2, entropy_end=0.0)
    assert [round(section.at(left).entropy, 6) for left in (1.0, 0.5, 0.0)] == [0.2, 0.1, 0.0]
    assert MMDSection(entropy=0.2).at(0.5).entropy == 0.2


@pytest.mark.parametrize("game", ["poo_head", "pooman", "poop", "too_many_poops"])
def test_an_oracle_sees_what_nobody_sees_but_not_the_chance(game):
    import poopdeck

    game = poopdeck.game(game)
    state = game.new_state(3)
    seats = np.array([game.current_player(state)])
    oracle = Oracle(game, state.settings)
    shown = oracle.rows(state.records, seats)
    assert shown.shape == (1, oracle.size) and np.abs(shown[:, -Hidden(game, state.settings).size :]).max() <= 1
    other = state.records.copy()
    other["rng"] += 1
    np.testing.assert_array_equal(oracle.rows(other, seats), shown)
    # Every seat sees the same in it, and the decks lie otherwise.
    for name in ("draw", "deck", "cat_deck"):
        if name in other.dtype.names:
            pile = other[name][0]
            pile[:] = pile[::-1].copy()
            assert (oracle.rows(other, seats) != shown).any()
            return
    raise AssertionError(f"{game} has no deck")
