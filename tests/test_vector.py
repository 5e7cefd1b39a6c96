"""Many tables stepped together: the same games as at the plain interface, in buffers that say what happened."""

import copy
import pickle

import numpy as np
import pytest

import poopdeck
from poopdeck.envs.core import drivers
from poopdeck.envs.core.errors import IllegalActionError
from poopdeck.envs.core.game import State

GAME = poopdeck.game("poo_head")
SETTINGS = [
    {"num_players": 2},
    {"num_players": 4, "max_decisions": 30},
    {"num_players": 6, "voluntary_pickup": True},
    {"num_players": 3, "scoring": "points", "reward": "points", "max_rounds": 2},
]
SHOWN = ("obs", "mask", "seat", "rewards", "terminated", "truncated", "final_returns", "final_lengths")


def new(num_envs, seed=0, **parameters):
    env = poopdeck.make_vec("poo_head", num_envs, **parameters)
    env.reset(seed=seed)
    return env


def choices(env, random):
    """A random legal action for every table."""
    return np.array([random.choice(np.flatnonzero(row)) for row in env.mask])


def buffers(env):
    """Copies of everything that is shown."""
    return {name: getattr(env, name).copy() for name in SHOWN}


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


def follow(env, steps=60, seed=0):
    """What is shown over some random steps."""
    random, log = np.random.default_rng(seed), []
    for _ in range(steps):
        log.append(buffers(env))
        env.step(choices(env, random))
    return [*log, buffers(env)]


# -- the same games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", SETTINGS)
@pytest.mark.parametrize("num_envs", [1, 3])
def test_every_table_plays_as_the_plain_interface_does(num_envs, parameters):
    env, random = new(num_envs, **parameters), np.random.default_rng(1)
    deal = drivers.deal(GAME.spec.rules, GAME.spec.observation)
    states = [State(env.states[i : i + 1].copy(), env.settings) for i in range(num_envs)]
    lengths, totals, finished = [0] * num_envs, np.zeros((num_envs, env.num_seats)), 0
    for _ in range(700):
        for i, s in enumerate(states):
            seat = GAME.current_player(s)
            assert env.seat[i] == seat and (env.mask[i] == GAME.action_mask(s)).all()
            assert env.obs[i].tobytes() == GAME.observation(s, seat).tobytes()
        actions = choices(env, random)
        env.step(actions)
        for i, s in enumerate(states):
            GAME.apply_action(s, actions[i])
            lengths[i] += 1
            totals[i] += env.rewards[i]
            over = GAME.is_terminal(s)
            assert env.terminated[i] == (over and not GAME.is_truncated(s))
            assert env.truncated[i] == (over and GAME.is_truncated(s))
            assert np.allclose(totals[i], GAME.returns(s), atol=1e-5)
            if over:
                assert (env.final_returns[i] == GAME.returns(s)).all() and env.final_lengths[i] == lengths[i]
                deal(s.records, 0)  # its chance goes on
                lengths[i], totals[i], finished = 0, 0, finished + 1
    assert finished > 0 or parameters != {"num_players": 4, "max_decisions": 30}
    if parameters.get("reward") == "points" and num_envs == 3:
        assert totals.any(), "no round ended while the match went on"


def test_the_first_table_is_the_game_of_that_seed():
    for seed in (0, 5, 2**70):
        env = new(3, seed=seed)
        state = GAME.new_state(seed=seed)
        assert env.obs[0].tobytes() == GAME.observation(state, GAME.current_player(state)).tobytes()
    many, few = new(100, seed=3), new(7, seed=3)
    assert (many.obs[:7] == few.obs).all(), "more tables do not change the first"
    assert len(np.unique(many.states["rng"])) == 100


def test_a_game_that_ends_leaves_its_returns_and_length_and_is_dealt_anew():
    env, random, seen = new(8, num_players=2, max_decisions=12), np.random.default_rng(0), 0
    for step in range(1, 61):
        before = env.final_returns.copy()
        env.step(choices(env, random))
        done = env.terminated | env.truncated
        assert done.all() == (step % 12 == 0) == done.any()
        assert (env.mask.sum(axis=1) > 0).all() and (env.seat >= 0).all()
        if done.any():
            seen += 1
            assert env.truncated.all() and (env.final_lengths == 12).all()
            assert (env.states["decisions"] == 0).all(), "the next game is dealt"
        else:
            assert (env.final_returns == before).all(), "kept until the next game ends"
    assert seen == 5


# -- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_envs", [1, 2, 5, 16, 33])
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(num_envs, threads):
    parameters = {"num_players": 3, "max_decisions": 25}
    one, several = new(num_envs, **parameters), new(num_envs, threads=threads, **parameters)
    assert all(same(a, b) for a, b in zip(follow(one), follow(several), strict=True))
    assert one.states.tobytes() == several.states.tobytes()
    several.close()
    several.close()
    several.step(several.mask.argmax(axis=1))  # threads are made again when needed
    several.close()


# -- resetting and copying --------------------------------------------------------------------------------------------


def test_seeds():
    assert same(buffers(new(5, seed=0)), buffers(new(5, seed=0)))
    assert not same(buffers(new(5, seed=0)), buffers(new(5, seed=1)))
    assert not same(buffers(new(5, seed=None)), buffers(new(5, seed=None)))
    env = new(5, seed=3)
    follow(env, 7)
    env.reset(seed=0)
    assert (env.obs == new(5, seed=0).obs).all(), "0 is a seed, later too"
    for wrong in (-1, 0.5, True):
        with pytest.raises(ValueError, match=f"seed={wrong!r}"):
            new(5, seed=wrong)


def test_reset_without_a_seed_goes_on():
    one, other = new(4, seed=2), new(4, seed=2)
    follow(one, 10)
    follow(other, 10)
    first = buffers(one)
    one.reset()
    other.reset()
    assert same(buffers(one), buffers(other)) and not same(buffers(one), first)
    assert not one.rewards.any() and not one.terminated.any() and not one.truncated.any()


def test_reset_forgets_the_game_before():
    parameters = {"num_players": 2, "scoring": "points", "reward": "points", "max_decisions": 10, "max_rounds": 2}
    env = new(3, seed=4, **parameters)
    follow(env, 35)
    env.reset(seed=4)
    again, expected = follow(env, 35), follow(new(3, seed=4, **parameters), 35)
    played = ("obs", "mask", "seat", "rewards", "terminated", "truncated")
    assert all((a[name] == b[name]).all() for a, b in zip(again, expected, strict=True) for name in played)
    assert all(same(a, b) for a, b in zip(again[21:], expected[21:], strict=True)), "lengths start anew"
    assert (again[21]["final_lengths"] == 20).all()


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_play_on_bit_for_bit_and_apart(way, threads):
    env = new(6, num_players=3, threads=threads, max_decisions=40)
    follow(env, 33)
    twin, before = way(env), buffers(env)
    ahead = follow(twin)
    assert same(buffers(env), before), "the copy shares nothing"
    assert all(same(a, b) for a, b in zip(follow(env), ahead, strict=True))
    fresh = way(poopdeck.make_vec("poo_head", 2))
    with pytest.raises(RuntimeError, match="reset"):
        fresh.step(np.zeros(2, int))


def test_batches_side_by_side_do_not_disturb_each_other():
    alone = follow(new(3, seed=1), 40)
    one, other = new(3, seed=1), new(3, seed=2)
    random, others = np.random.default_rng(0), np.random.default_rng(1)
    for expected in alone[:-1]:
        assert same(buffers(one), expected)
        one.step(choices(one, random))
        other.step(choices(other, others))


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [0, 3, 6])
@pytest.mark.parametrize("action", [-1, 63, 29, 2**40, -(2**40)])
def test_an_illegal_action_raises_and_changes_nothing(table, action):
    env = new(7, threads=2)
    before, states = buffers(env), env.states.tobytes()
    actions = env.mask.argmax(axis=1)
    actions[table] = action
    with pytest.raises(IllegalActionError) as error:
        env.step(actions)
    assert same(buffers(env), before) and env.states.tobytes() == states
    assert error.value.agent == f"table {table}, player_{env.seat[table]}"
    assert error.value.legal == np.flatnonzero(env.mask[table]).tolist() and str(action) in str(error.value)


@pytest.mark.parametrize(
    "actions", [np.zeros(3), np.zeros(4, int), np.zeros((3, 1), int), 0, [True] * 3, ["0"] * 3, None, np.zeros(3, "f4")]
)
def test_actions_of_another_shape_or_kind_are_refused(actions):
    env = new(3)
    with pytest.raises(ValueError, match="actions of shape .* allowed are whole numbers, shape \\(3,\\)"):
        env.step(actions)


def test_actions_of_any_whole_kind_and_order_are_taken():
    expected = follow(new(4, seed=1), 1)[-1]
    random = np.random.default_rng(0)
    env = new(4, seed=1)
    actions = choices(env, random)
    for kind in (np.int8, np.uint8, np.int64, np.uint64):
        env = new(4, seed=1)
        env.step(np.repeat(actions, 2).astype(kind)[::2])
        assert same(buffers(env), expected)
    env = new(4, seed=1)
    env.step(actions.tolist())
    assert same(buffers(env), expected)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: allowed is a whole number from 1"),
        ({"num_envs": 2.0}, "num_envs=2.0: allowed is"),
        ({"num_envs": True}, "num_envs=True: allowed is"),
        ({"num_envs": 1, "threads": 0}, "threads=0: allowed is"),
        ({"num_envs": 1, "num_players": 99}, "num_players=99: allowed is"),
        ({"num_envs": 1, "bomb": 9}, "no parameter 'bomb'"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        poopdeck.make_vec("poo_head", **parameters)


def test_a_step_needs_games():
    with pytest.raises(RuntimeError, match="call reset\\(\\) first"):
        poopdeck.make_vec("poo_head", 2).step(np.zeros(2, int))


def test_buffers_are_the_environments_own_and_stay():
    env = new(3)
    held = {name: getattr(env, name) for name in SHOWN}
    follow(env, 5)
    env.reset()
    assert all(getattr(env, name) is array for name, array in held.items())
    kinds = {"obs": "f4", "mask": "i1", "seat": "i8", "rewards": "f4", "terminated": "?", "final_lengths": "i8"}
    assert all(getattr(env, name).dtype == np.dtype(kind) for name, kind in kinds.items())
    assert env.obs.shape == (3, GAME.spec.observation_size(env.settings)) and env.rewards.shape == (3, 4)


@pytest.mark.parametrize("name", poopdeck.games())
def test_spaces_are_those_of_a_vector_environment(name):
    batch = poopdeck.make_vec(name, num_envs=3)
    one = poopdeck.make(name)
    assert batch.single_observation_space == one.observation_space("player_0")["observation"]
    assert batch.single_action_space == one.action_space("player_0")
    assert batch.observation_space.shape == batch.obs.shape and batch.action_space.shape == (3,)
    batch.reset(seed=0)
    for _ in range(50):
        assert batch.observation_space.contains(batch.obs)
        actions = np.array([batch.single_action_space.sample(mask) for mask in batch.mask])
        assert batch.action_space.contains(actions)
        batch.step(actions)
    assert pickle.loads(pickle.dumps(batch)).observation_space == batch.observation_space
