import numpy as np
import pytest
from training_runs import small_config, task_of

from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.network import Network
from poopdeck.agents.network.role_networks import EVERY, RoleNetworks
from poopdeck.training.config.schema import SnapshotsConfig
from poopdeck.training.learners.maskable_ppo.learner import MaskablePPOLearner
from poopdeck.training.learners.snapshot_pool import SnapshotPool


def network(number: int) -> RoleNetworks:
    weights, biases = [np.full((3, 2), number, np.float32)], [np.zeros(2, np.float32)]
    return RoleNetworks({EVERY: Network(weights, biases, card={"number": number})})


def filled(count: int, **config) -> SnapshotPool:
    pool = SnapshotPool(SnapshotsConfig(weight=1.0, every=100, size=3, **config))
    for number in range(count):
        pool.add(network(number), 100 * number)
    return pool


def test_the_last_snapshots_are_kept():
    pool = filled(5)
    assert sorted(pool.networks) == [2, 3, 4]
    assert pool.taken_at == {2: 200, 3: 300, 4: 400}


def test_drawn_alike_every_new_snapshot_changes_one_slot():
    assert [filled(count).seating() for count in (1, 2, 3, 4, 5, 6)] == [
        [0, 0, 0],
        [0, 1, 0],
        [0, 1, 2],
        [3, 1, 2],
        [3, 4, 2],
        [3, 4, 5],
    ]
    assert filled(1).weights() == pytest.approx([1 / 3] * 3)


def test_with_the_newest_preferred_slots_go_from_new_to_old():
    pool = filled(5, sampling="newest")
    assert pool.seating() == [4, 3, 2]
    assert filled(2, sampling="newest").seating() == [1, 0, 0]
    assert pool.weights() == pytest.approx([4 / 7, 2 / 7, 1 / 7])


def test_snapshots_are_due_at_even_distances():
    pool = filled(0)
    assert pool.is_due(0)
    pool.add(network(0), 0)
    assert [pool.is_due(steps) for steps in (0, 99, 100, 101)] == [False, False, True, True]
    assert not SnapshotPool(SnapshotsConfig()).is_due(10**9)


def test_a_pool_comes_back_as_it_was():
    pool, again = filled(5), filled(0)
    again.load_state_dict(*pool.state_dict())
    assert (again.added, again.taken_at, again.seating()) == (pool.added, pool.taken_at, pool.seating())
    for number, kept in pool.networks.items():
        np.testing.assert_array_equal(again.networks[number].by_role[EVERY].weights[0], kept.by_role[EVERY].weights[0])
        assert again.networks[number].by_role[EVERY].card == {"number": number}


def test_snapshots_on_disk_are_agents_and_dropped_ones_go(tmp_path):
    task = task_of(small_config("network.hidden=[8]"))
    learner = MaskablePPOLearner(task, SnapshotPool(task.config.snapshots))
    pool = SnapshotPool(SnapshotsConfig(weight=1.0, size=2))
    (tmp_path / "notes").mkdir()
    for steps in (0, 1000, 2000):
        pool.add(learner.networks(), steps)
        pool.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000000001000", "000000002000", "notes"]
    assert load_agent(str(tmp_path / "000000002000"), task.game, task.settings).name == "000000002000"
    learner.close()


def test_the_tables_play_against_the_snapshots_that_the_pool_seats():
    task = task_of(small_config("network.hidden=[8]", "snapshots.size=3"))
    pool = SnapshotPool(task.config.snapshots)
    learner = MaskablePPOLearner(task, pool)
    for number in range(5):
        pool.add(learner.networks(), number)
        learner.policy.action_net.bias.data += 1
        learner.seat_snapshots(pool)
        if number == 0:
            learner.begin()
        seated = learner.env.seats.seating.agents[learner.opponents.first_slot :]
        assert [agent.networks for agent in seated] == [pool.networks[snapshot] for snapshot in pool.seating()]
    learner.close()
