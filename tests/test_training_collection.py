"""Collection apart from the algorithm: transitions, memories, a critic that sees more, and the loss as a seam."""

import numpy as np
import pytest
import torch
from training_runs import task_of

import poopdeck
from poopdeck.envs.tables.arena import Arena
from poopdeck.training.config.files import load_config
from poopdeck.training.learners.collection.collector import Collector, CollectorConfig
from poopdeck.training.learners.collection.critic_view import AllSeats
from poopdeck.training.learners.collection.decisions import END, OPEN, Decisions, Transitions
from poopdeck.training.learners.collection.memory import Replay, Reservoir
from poopdeck.training.learners.ppo.learner import PPOLearner
from poopdeck.training.learners.ppo.update import ppo_loss
from poopdeck.training.learners.snapshot_pool import SnapshotPool

SMALL = ("algo=ppo", "num_envs=8", "ppo.n_steps=64", "ppo.batch_size=128", "network.hidden=[16]", "snapshots.weight=0")


pytestmark = pytest.mark.usefixtures("one_thread")


def learner_of(game="poo_head", sets=(), **given) -> PPOLearner:
    torch.manual_seed(0)
    task = task_of(load_config(game, [*SMALL, *sets]))
    learner = PPOLearner(task, SnapshotPool(task.config.snapshots), **given)
    learner.begin()
    return learner


class LastLegal:
    """Takes the last legal action and keeps the sum of what it saw."""

    def act(self, rows):
        actions = rows.masks.shape[1] - 1 - rows.masks[:, ::-1].argmax(axis=1)
        return actions, {"sums": rows.observations.sum(axis=1)}


# -- transitions ------------------------------------------------------------------------------------------------------


def test_transitions_run_along_each_seats_own_decisions():
    decisions = Decisions(steps=4, tables=1, seats=2, features=1, num_actions=2)
    for step, seat in enumerate([0, 1, 0, 1]):
        mask = np.array([[True, step > 1]])
        decisions.add(np.array([seat]), np.array([[step + 1.0]]), mask, np.array([step % 2]), np.array([seat]))
        decisions.pay(np.array([[0.5, 0.0] if step == 1 else [0.0, 0.0]], np.float32), np.array([False]))
    found = decisions.transitions()
    assert found.observations.tolist() == [[1.0], [2.0]] and found.next_observations.tolist() == [[3.0], [4.0]]
    assert found.rewards.tolist() == [0.5, 0.0] and not found.ended.any()
    assert found.next_masks.tolist() == [[True, True], [True, True]] and found.masks.tolist() == [[True, False]] * 2
    decisions.carry()
    assert decisions.count == 2
    decisions.pay(np.array([[1.0, -1.0]], np.float32), np.array([True]))
    last = decisions.transitions()
    assert last.rewards.tolist() == [1.0, -1.0] and last.ended.all() and last.roles.tolist() == [0, 1]
    assert not last.next_observations.any() and not last.next_masks.any()


@pytest.mark.parametrize("game", poopdeck.games())
def test_a_collector_serves_whoever_wants_transitions_and_knows_no_algorithm(game):
    task = task_of(load_config(game, ["num_envs=1"]))
    collector = Collector(task, [(LearningNobody(), 1.0)], CollectorConfig(4, 200, 1.0, {"sums": ((), np.float32)}), 3)
    collector.begin()
    total = 0
    for _ in range(2):
        decisions = collector.collect(LastLegal())
        found = decisions.transitions()
        total += len(found.actions)
        assert found.masks[np.arange(len(found.actions)), found.actions].all()
        assert (found.next_masks.any(axis=1) == ~found.ended).all()
        rows = decisions.known()
        np.testing.assert_allclose(decisions.columns["sums"][rows], found.observations.sum(axis=1), rtol=1e-5)
        assert (decisions.next[rows] == END).sum() == found.ended.sum()
        decisions.carry()
        assert (decisions.next[: decisions.count] == OPEN).all()
    assert total + decisions.count == 2 * 4 * 200


class LearningNobody:
    """Never asked: in self-play the learner has every seat."""

    name = "nobody"

    def act(self, observations, masks, rng):
        raise AssertionError("asked")


# -- memories ---------------------------------------------------------------------------------------------------------


def numbered(first: int, count: int) -> Transitions:
    numbers = np.arange(first, first + count)
    rows, masks = numbers[:, None].astype(np.float32), np.ones((count, 2), bool)
    return Transitions(rows, masks, numbers, rows[:, 0], rows, masks, numbers % 2 == 0, numbers, rows[:, 0])


def test_a_replay_keeps_the_latest_transitions():
    memory = Replay(5)
    for first, count in ((0, 3), (3, 4), (7, 12)):
        memory.add(numbered(first, count))
        assert set(memory.arrays["actions"][: len(memory)]) == set(range(max(0, first + count - 5), first + count))
    drawn = memory.sample(200)
    assert set(drawn.actions) == {14, 15, 16, 17, 18}
    assert (drawn.rewards == drawn.actions).all() and (drawn.ended == (drawn.actions % 2 == 0)).all()


def test_a_reservoir_keeps_every_transition_with_the_same_probability():
    counts = np.zeros(100)
    for seed in range(2000):
        memory = Reservoir(10, seed)
        for first in range(0, 100, 20):
            memory.add(numbered(first, 20))
        counts[memory.arrays["actions"]] += 1
    # Each is kept in a tenth of the 2,000, with a deviation of 13.4; five of them.
    assert counts.sum() == 20_000 and abs(counts - 200).max() < 67


@pytest.mark.parametrize("kind", [Replay, Reservoir])
def test_a_memory_comes_back_as_it_was(kind):
    first, second = kind(7, seed=1), kind(7, seed=2)
    first.add(numbered(0, 20))
    second.load_state_dict(first.state_dict())
    for memory in (first, second):
        memory.add(numbered(20, 9))
    assert (first.sample(30).actions == second.sample(30).actions).all()


def test_an_empty_memory_gives_nothing():
    with pytest.raises(ValueError, match="the memory is empty"):
        Replay(3).sample(1)


# -- a critic that sees more ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", poopdeck.games())
def test_a_critic_can_be_shown_what_all_seats_see(name):
    game = poopdeck.game(name)
    settings = game.spec.settings()
    arena = Arena(game, 3, [LearningNobody()], self_play_share=1.0)
    arena.reset(5)
    view, seats = AllSeats(game, settings), arena.tables["seat"].copy()
    shown = view.rows(arena.states, seats)
    assert shown.shape == (3, view.size) and view.size == game.spec.num_seats(settings) * arena.obs.shape[1]
    for table, seat in enumerate(seats):
        state = arena.state(table)
        for k, row in enumerate(shown[table].reshape(-1, arena.obs.shape[1])):
            other = (seat + k) % game.spec.num_seats(settings)
            np.testing.assert_array_equal(row, game.observation(state, int(other)))


def test_a_critic_that_sees_all_seats_learns_and_the_policy_does_not_depend_on_it():
    learner = learner_of(sets=["ppo.critic=all_seats"])
    before = learner.networks().by_role[""]
    figures = [learner.iterate(1.0) for _ in range(3)]
    assert all(np.isfinite(entry["train/value_loss"]) for entry in figures)
    samples = learner.rollout()
    part = {name: torch.from_numpy(value) for name, value in vars(samples).items()}
    policy = learner.policies[0]
    logits, values = policy(part["observations"], part["masks"], part["critic"])
    torch.testing.assert_close(values, part["values"], atol=1e-5, rtol=0)  # judged by what was kept
    other_logits, other_values = policy(part["observations"], part["masks"], part["critic"] + 1)
    assert (logits == other_logits).all() and (values != other_values).any()
    after = learner.networks().by_role[""]
    assert after.sizes == before.sizes == [part["observations"].shape[1], 16, learner.task.game.spec.num_actions]
    assert any((one != other).any() for one, other in zip(before.weights, after.weights, strict=True))


def test_a_critic_that_sees_all_seats_survives_a_checkpoint():
    first, second = (learner_of(sets=["ppo.critic=all_seats"]) for _ in range(2))
    first.iterate(1.0)
    second.load_state_dict(*first.state_dict())
    one, other = (learner.iterate(0.5) for learner in (first, second))
    assert one["train/value_loss"] == other["train/value_loss"]


# -- the loss ---------------------------------------------------------------------------------------------------------


def test_a_loss_of_ones_own_is_what_is_made_small():
    asked = []

    def towards_the_first_action(policy, part, settings):
        asked.append(len(part["actions"]))
        loss, figures = ppo_loss(policy, part, settings)
        logits, _ = policy(part["observations"], part["masks"])
        first = part["masks"].int().argmax(dim=1)
        return -torch.log_softmax(logits, 1).gather(1, first[:, None]).mean(), figures

    learner = learner_of(loss=towards_the_first_action, sets=["ppo.n_epochs=8", "ppo.learning_rate=0.01"])
    for _ in range(6):
        learner.iterate(1.0)
    samples = learner.rollout()
    assert asked and (samples.actions == samples.masks.argmax(axis=1)).mean() > 0.9
