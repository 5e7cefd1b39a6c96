import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from training_runs import small_config, task_of

from poopdeck.agents.network.role_networks import EVERY
from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.learners.base import Task
from poopdeck.training.learners.maskable_ppo.learner import MaskablePPOLearner
from poopdeck.training.learners.snapshot_pool import SnapshotPool


def learner_of(task: Task) -> MaskablePPOLearner:
    torch.manual_seed(0)
    pool = SnapshotPool(task.config.snapshots)
    learner = MaskablePPOLearner(task, pool)
    if pool.active:
        pool.add(learner.networks(), 0)
    learner.seat_snapshots(pool)
    learner.begin()
    return learner


@pytest.fixture(scope="module")
def learner():
    """After a rollout, before it has been learnt from."""
    learner = learner_of(task_of(small_config("network.hidden=[32, 16]")))
    learner.iterate(1.0)
    model = learner.model
    model.collect_rollouts(model.env, learner._callback, model.rollout_buffer, model.n_steps)
    yield learner
    learner.close()


def batches(learner, size=100):
    return list(learner.model.rollout_buffer.get(size))


def test_the_probability_ratio_is_1_before_anything_is_learnt(learner):
    for batch in batches(learner):
        _, log_probabilities, _ = learner.policy.evaluate_actions(
            batch.observations, batch.actions[:, 0], batch.action_masks
        )
        ratio = torch.exp(log_probabilities - batch.old_log_prob)
        torch.testing.assert_close(ratio, torch.ones_like(ratio), rtol=0, atol=1e-5)


def test_one_pass_in_one_batch_finds_no_divergence():
    learner = learner_of(task_of(small_config("maskable_ppo.n_epochs=1", "maskable_ppo.batch_size=512")))
    values = learner.iterate(1.0)
    assert abs(values["train/approx_kl"]) < 1e-8
    assert values["train/clip_fraction"] == 0
    assert values["train/learning_rate"] == learner.task.config.maskable_ppo.learning_rate
    learner.close()


def test_values_probabilities_and_entropies_are_sb3_contribs(learner):
    reference = MaskableActorCriticPolicy.evaluate_actions
    for batch in batches(learner):
        inputs = (batch.observations, batch.actions[:, 0], batch.action_masks)
        for ours, theirs in zip(
            learner.policy.evaluate_actions(*inputs), reference(learner.policy, *inputs), strict=True
        ):
            torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


def test_every_sample_kept_its_own_mask_and_chose_within_it(learner):
    for batch in batches(learner):
        assert batch.action_masks.dtype == torch.bool
        assert batch.action_masks.gather(1, batch.actions.long()).all()


def test_batches_hold_every_sample_once(learner):
    buffer = learner.model.rollout_buffer
    total = sum(batch.advantages.double().sum() for batch in batches(learner))
    assert sum(len(batch.actions) for batch in batches(learner)) == buffer.buffer_size * buffer.n_envs
    np.testing.assert_allclose(total, buffer.advantages.sum(dtype=float), rtol=1e-6)


def test_illegal_actions_get_no_gradient(learner):
    policy = learner.policy
    (batch,) = batches(learner, 512)
    never = ~batch.action_masks.any(dim=0)
    assert never.any()
    policy.zero_grad()
    _, log_probabilities, entropies = policy.evaluate_actions(
        batch.observations, batch.actions[:, 0], batch.action_masks
    )
    (log_probabilities.sum() + entropies.sum()).backward()
    assert (policy.action_net.bias.grad[never] == 0).all()
    assert (policy.action_net.weight.grad[never] == 0).all()
    assert (policy.action_net.bias.grad[~never] != 0).any()
    policy.zero_grad()


def test_a_single_legal_action_among_hundreds_is_always_taken():
    """sb3-contrib once stopped with a failed check of probabilities in such a case."""
    from gymnasium import spaces

    from poopdeck.training.learners.maskable_ppo.shared_trunk import SharedTrunkPolicy

    trunk = {"network": NetworkConfig(hidden=[8], activation="tanh")}
    policy = SharedTrunkPolicy(
        spaces.Box(-1, 1, (4,)), spaces.Discrete(700), lambda _: 1e-3, features_extractor_kwargs=trunk
    )
    with torch.no_grad():
        policy.action_net.bias[3] = -80.0  # as unlikely as can be
        masks = np.zeros((1000, 700), bool)
        masks[:, 3] = True
        actions, _, log_probabilities = policy.forward(torch.randn(1000, 4), action_masks=masks)
    assert (actions == 3).all()
    assert (log_probabilities == 0).all()


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_exported_network_gives_torchs_logits(activation):
    learner = learner_of(task_of(small_config("network.hidden=[32, 16]", f"network.activation={activation}")))
    observations = learner.env.reset()
    network = learner.networks().by_role[EVERY]
    with torch.no_grad():
        logits, _ = learner.policy.masked_logits(torch.from_numpy(observations), None)
    np.testing.assert_allclose(network.logits(observations), logits.numpy(), rtol=0, atol=1e-5)
    assert network.sizes == [observations.shape[1], 32, 16, learner.task.game.spec.num_actions]
    network.check_fits(learner.task.game.spec, learner.task.settings)
    learner.policy.action_net.weight.data += 1  # an exported network does not change any more
    np.testing.assert_allclose(network.logits(observations), logits.numpy(), rtol=0, atol=1e-5)
    learner.close()


def test_the_trunk_is_shared(learner):
    names = [name for name, _ in learner.policy.named_parameters()]
    assert names == [
        *(f"features_extractor.layers.{layer}.{part}" for layer in (0, 2) for part in ("weight", "bias")),
        *(f"{head}.{part}" for head in ("action_net", "value_net") for part in ("weight", "bias")),
    ]


def test_the_learning_rate_falls_in_a_straight_line():
    learner = learner_of(
        task_of(small_config("maskable_ppo.learning_rate=1e-3", "maskable_ppo.learning_rate_end=2e-4"))
    )
    for remaining in (1.0, 0.5, 0.25, 0.0):
        rate = learner.iterate(remaining)["train/learning_rate"]
        assert rate == pytest.approx(2e-4 + remaining * 8e-4)
        assert learner.policy.optimizer.param_groups[0]["lr"] == pytest.approx(rate)
    learner.close()
