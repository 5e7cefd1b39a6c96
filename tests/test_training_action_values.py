"""Learning what actions are worth: several steps, whole games, the masked bootstrap, and who plays meanwhile."""

import numpy as np
import pytest
import torch
from test_config import refusal
from training_runs import small_config, task_of

from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.learners.action_values.actor import GreedyActor
from poopdeck.training.learners.action_values.network import ActionNetwork
from poopdeck.training.learners.collection.collector import Rows
from poopdeck.training.learners.collection.decisions import Decisions
from poopdeck.training.learners.dmc.learner import DMCLearner
from poopdeck.training.learners.dqn.learner import double_target
from poopdeck.training.learners.nfsp.learner import BEST, NFSPActor, NFSPLearner
from poopdeck.training.learners.snapshot_pool import SnapshotPool

pytestmark = pytest.mark.usefixtures("one_thread")


def played(steps=6, ends=(5,)) -> Decisions:
    """One table of two seats that take turns; step k pays seat 0 the k-th power of ten, seat 1 its negative."""
    decisions = Decisions(steps, tables=1, seats=2, features=1, num_actions=2)
    go_on(decisions, range(steps), ends)
    return decisions


def go_on(decisions, steps, ends=(), base=10.0):
    for step in steps:
        seen, mask = np.array([[step + 1.0]]), np.ones((1, 2), bool)
        decisions.add(np.array([step % 2]), seen, mask, np.array([step % 2]), np.array([step % 2]))
        decisions.pay(np.array([[base**step, -(base**step)]], np.float32), np.array([step in ends]))


def test_several_steps_are_those_of_the_same_seat():
    found = played().transitions(steps=2, gamma=0.5)
    # Seat 0 decides at 0, 2, 4 and is paid at every step; the game ends after step 5.
    expected = [
        (11 + 0.5 * 1100, 5.0, False, 0.25),
        (-(110 + 0.5 * 11000), 6.0, False, 0.25),
        (1100 + 0.5 * 110000, 0.0, True, 0.25),
        (-(11000 + 0.5 * 100000), 0.0, True, 0.25),
        (110000, 0.0, True, 0.5),
        (-100000, 0.0, True, 0.5),
    ]
    rows = zip(found.rewards, found.next_observations[:, 0], found.ended, found.discounts, strict=True)
    assert [(float(a), float(b), bool(c), float(d)) for a, b, c, d in rows] == expected
    assert not found.next_masks[found.ended].any() and found.next_masks[~found.ended].all()


def test_several_steps_end_at_the_latest_decision_there_is():
    found = played(steps=5, ends=()).transitions(steps=3, gamma=0.5)
    # Decisions 3 and 4 are open; 2 leads to 4, which is as far as anybody knows.
    assert found.next_observations[:, 0].tolist() == [5.0, 4.0, 5.0]
    assert found.discounts.tolist() == [0.25, 0.5, 0.5] and not found.ended.any()


def test_whole_games_are_kept_until_they_end_however_long_they_are():
    decisions = Decisions(4, tables=1, seats=2, features=1, num_actions=2, whole_games=True)
    go_on(decisions, range(4), base=1.1)
    rows, _ = decisions.returns(1.0)
    assert not len(rows)
    for step in range(4, 40, 4):  # many times what it has room for at first
        decisions.carry()
        go_on(decisions, range(step, step + 4), (39,), 1.1)
    rows, returns = decisions.returns(1.0)
    assert len(rows) == 40 and decisions.observations[rows, 0].tolist() == [step + 1.0 for step in range(40)]
    paid = np.cumsum(1.1 ** np.arange(40)[::-1])
    np.testing.assert_allclose(returns, paid[::-1] * np.where(np.arange(40) % 2, -1, 1), rtol=1e-6)
    other = Decisions(4, tables=1, seats=2, features=1, num_actions=2, whole_games=True)
    kept = decisions.state_dict()
    other.load_state_dict(kept)
    assert all((value == other.state_dict()[name]).all() for name, value in kept.items())
    decisions.carry()
    assert decisions.count == 0 and (decisions.last == -1).all()


def test_the_bootstrap_takes_the_best_legal_action_of_one_network_and_judges_it_by_the_other():
    values, target = torch.nn.Linear(1, 3, bias=False), torch.nn.Linear(1, 3, bias=False)
    with torch.no_grad():
        values.weight.copy_(torch.tensor([[9.0], [2.0], [1.0]]))  # the best one of all is illegal
        target.weight.copy_(torch.tensor([[50.0], [7.0], [70.0]]))
    batch = {
        "next_observations": torch.tensor([[1.0], [1.0], [0.0]]),
        "next_masks": torch.tensor([[False, True, True], [True, True, True], [False, False, False]]),
        "rewards": torch.tensor([0.5, 0.0, -1.0]),
        "discounts": torch.tensor([0.5, 1.0, 1.0]),
        "ended": torch.tensor([False, False, True]),
    }
    assert double_target(values, target, batch).tolist() == [0.5 + 0.5 * 7.0, 50.0, -1.0]


@pytest.mark.parametrize("kind", ["mlp", "residual"])
def test_the_agent_plays_what_the_duelling_network_tells(kind):
    torch.manual_seed(0)
    network = ActionNetwork(6, 4, NetworkConfig(kind=kind, hidden=[8, 8]), duelling=True)
    seen = torch.randn(10, 6)
    with torch.no_grad():
        told = network(seen).numpy()
    before = torch.get_rng_state()
    plays = network.network({}, temperature=0.1)
    assert torch.equal(before, torch.get_rng_state())  # a run's chance is not touched
    np.testing.assert_allclose(plays.logits(seen.numpy()), told / 0.1, rtol=1e-4, atol=1e-4)
    assert not plays.has_values


def rows_of(observations, masks, new_games):
    count = len(masks)
    nothing = np.zeros(count, np.int64)
    return Rows(observations, masks, nothing, None, nothing, np.full(count, new_games), lambda: None)


def test_only_legal_actions_are_tried_and_that_as_often_as_said():
    torch.manual_seed(0)
    network = ActionNetwork(2, 5, NetworkConfig(hidden=[4]), duelling=True)
    actor = GreedyActor([network], seed=1)
    masks = np.tile(np.array([[False, True, True, False, True]]), (6000, 1))
    rows = rows_of(np.zeros((6000, 2), np.float32), masks, False)
    actor.epsilon = 0.0
    actions, _ = actor.act(rows)
    (best,) = np.unique(actions)
    with torch.no_grad():
        assert best == np.where(masks[0], network(torch.zeros(1, 2)).numpy()[0], -np.inf).argmax()
    actor.epsilon = 0.6
    shares = np.bincount(actor.act(rows)[0], minlength=5) / 6000
    assert shares[[0, 3]].sum() == 0
    assert abs(shares[best] - 0.6) < 0.04 and (abs(shares[masks[0]] - 0.2) < 0.03).sum() == 2


def test_a_seat_plays_its_best_response_for_a_whole_game_or_not_at_all():
    torch.manual_seed(0)
    values, average = (ActionNetwork(2, 3, NetworkConfig(hidden=[4]), one) for one in (True, False))
    actor = NFSPActor([values], [average], anticipation=0.3, seed=1, seats=2)
    masks, seen = np.ones((4000, 3), bool), np.zeros((4000, 2), np.float32)
    first = actor.act(rows_of(seen, masks, True))[1][BEST]
    assert abs(first.mean() - 0.3) < 0.04
    assert (actor.act(rows_of(seen, masks, False))[1][BEST] == first).all()
    assert (actor.act(rows_of(seen, masks, True))[1][BEST] != first).any()


def test_the_average_policy_learns_only_from_best_responses():
    config = small_config("algo=nfsp", "nfsp.learning_starts=50", "nfsp.anticipation=0.25", "snapshots.weight=0")
    learner = NFSPLearner(task_of(config), SnapshotPool(config.snapshots))
    learner.begin()
    for _ in range(12):
        learner.iterate(1.0)
    share = learner.reservoirs[0].seen / learner.replays[0].seen
    assert 0.1 < share < 0.45
    logits = learner.networks().by_role[""].logits(np.zeros((1, learner.averages[0].features), np.float32))
    with torch.no_grad():
        expected = learner.averages[0](torch.zeros(1, learner.averages[0].features)).numpy()
    np.testing.assert_allclose(logits, expected, rtol=1e-4, atol=1e-5)
    learner.close()


def test_what_monte_carlo_learns_is_what_games_paid():
    config = small_config("algo=dmc", "dmc.n_steps=200", "snapshots.weight=0", "num_envs=4")
    learner = DMCLearner(task_of(config), SnapshotPool(config.snapshots))
    learner.begin()
    parts = learner.play(1.0, learner.take)
    while not len(parts[0].returns):
        parts = learner.play(1.0, learner.take)
    assert set(np.unique(parts[0].returns)) <= {-1.0, 0.0, 1.0, np.float32(1 / 3)}
    learner.close()


def test_a_memory_that_could_never_be_learnt_from_is_told_of():
    told = refusal("poop", ["algo=dqn", "dqn.memory=100", "dqn.learning_starts=101"])
    assert "dqn.learning_starts=101: allowed is 1 to dqn.memory=100" in told
    assert "nfsp.learning_starts=2000: allowed is 1 to nfsp.memory=100" in refusal(
        "poop", ["algo=nfsp", "nfsp.memory=100"]
    )
