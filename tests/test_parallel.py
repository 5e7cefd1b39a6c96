"""The parallel environment: PettingZoo's checker, who is asked together, the no-op, errors, scenarios."""

import copy
import pickle

import numpy as np
import pettingzoo
import pytest
import torch
from pettingzoo.test import parallel_api_test
from pettingzoo.test.state_test import test_parallel_env as check_parallel_state
from pettingzoo.test.state_test import test_state_space as check_state_space

import poopdeck
from poopdeck.envs.core.errors import GameOverError, IllegalActionError


def random_actions(env, seen, rng):
    return {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}


def play(env, seen, rng):
    total = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        seen, rewards, terminated, truncated, infos = env.step(random_actions(env, seen, rng))
        for agent, reward in rewards.items():
            total[agent] += reward
            assert env.observation_space(agent).contains(seen[agent])
            assert (infos[agent]["action_mask"] == seen[agent]["action_mask"]).all()
    return total, terminated, truncated


@pytest.mark.parametrize("name", poopdeck.games())
def test_pettingzoos_checker_passes(name):
    parallel_api_test(poopdeck.make_parallel(name), num_cycles=300)


@pytest.mark.parametrize("name", poopdeck.games())
def test_the_same_seed_is_the_same_game(name):
    # PettingZoo's own seed test draws actions without masks.
    shown = []
    for env in (poopdeck.make_parallel(name), poopdeck.make_parallel(name)):
        rng, (seen, _), trace = np.random.default_rng(2), env.reset(seed=11), []
        for _ in range(40):
            trace.append([seen[agent]["observation"].tobytes() for agent in env.possible_agents])
            if not env.agents:
                break
            seen, *_ = env.step(random_actions(env, seen, rng))
        shown.append(trace)
    assert shown[0] == shown[1] and len(shown[0]) > 3


@pytest.mark.parametrize("name", poopdeck.games())
def test_two_games_in_a_row_pay_what_the_rules_say(name):
    env = poopdeck.make_parallel(name)
    rng = np.random.default_rng(5)
    for seed in (0, None, 2**70):
        seen, _ = env.reset(seed=seed)
        total, terminated, truncated = play(env, seen, rng)
        returns = env.game.returns(env.snapshot())
        assert list(total.values()) == pytest.approx(returns.tolist())
        assert all(terminated.values()) != all(truncated.values())
        with pytest.raises(GameOverError):
            env.step({})


def test_all_seats_arrange_at_once_and_one_by_one_afterwards():
    env = poopdeck.make_parallel("poo_head", num_players=3)
    seen, _ = env.reset(seed=1)
    for _ in range(3):
        assert not any(seen[agent]["action_mask"][env.no_op] for agent in env.agents)
        seen, *_ = env.step(random_actions(env, seen, np.random.default_rng(0)))
    waiting = [bool(seen[agent]["action_mask"][env.no_op]) for agent in env.agents]
    assert sum(waiting) == 2
    legal = {agent: np.flatnonzero(seen[agent]["action_mask"]).tolist() for agent in env.agents}
    assert [legal[agent] for agent, idle in zip(env.agents, waiting, strict=True) if idle] == [[env.no_op]] * 2


def test_wrong_actions_change_nothing():
    env = poopdeck.make_parallel("poo_head", num_players=2)
    with pytest.raises(RuntimeError, match="reset"):
        env.step({})
    seen, _ = env.reset(seed=3)
    for _ in range(3):
        seen, *_ = env.step(random_actions(env, seen, np.random.default_rng(0)))
    before = env.game.dump(env.snapshot())
    acting = next(agent for agent in env.agents if not seen[agent]["action_mask"][env.no_op])
    idle = next(agent for agent in env.agents if agent != acting)
    right = random_actions(env, seen, np.random.default_rng(1))
    with pytest.raises(IllegalActionError, match="does not choose now"):
        env.step({**right, idle: 0})
    for wrong in (env.no_op, -1, env.no_op + 1, None, True, 1.5):
        with pytest.raises(IllegalActionError):
            env.step({**right, acting: wrong})
    with pytest.raises(ValueError, match="one for each of player_0, player_1"):
        env.step({acting: right[acting]})
    assert env.game.dump(env.snapshot()) == before
    env.step(right)


NUMBERS = (int, np.int8, np.uint64, np.array, torch.tensor)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.__name__)
def test_every_interface_takes_whatever_is_a_whole_number(number):
    def first(seen):
        return number(int(seen["action_mask"].argmax()))

    parallel = poopdeck.make_parallel("poo_head", num_players=2)
    seen, _ = parallel.reset(seed=3)
    for _ in range(10):
        seen, *_ = parallel.step({agent: first(seen[agent]) for agent in parallel.agents})
    turns = poopdeck.make("poo_head", num_players=2)
    turns.reset(seed=3)
    for _ in range(10):
        turns.step(first(turns.last()[0]))
    single = poopdeck.make_gymnasium("poo_head", num_players=2)
    seen, _ = single.reset(seed=3)
    for _ in range(10):
        seen, *_ = single.step(first(seen))
    game = poopdeck.game("poo_head")
    state = game.new_state(seed=3, num_players=2)
    for _ in range(10):
        game.apply_action(state, number(game.legal_actions(state)[0]))


@pytest.mark.parametrize("name", poopdeck.games())
def test_pettingzoos_state_test_passes(name):
    env, parallel = poopdeck.make(name), poopdeck.make_parallel(name)
    check_state_space(parallel)
    check_parallel_state(parallel)
    check_state_space(env)
    assert env.state_space == parallel.state_space
    seen, _ = parallel.reset(seed=2)
    for _ in range(60):
        if not parallel.agents:
            break
        seen, *_ = parallel.step(random_actions(parallel, seen, np.random.default_rng(2)))
        assert parallel.state_space.contains(parallel.state())


def test_copies_and_pickles_go_on_as_the_original():
    env = poopdeck.make_parallel("poo_head", num_players=3)
    seen, _ = env.reset(seed=3)
    seen, *_ = env.step(random_actions(env, seen, np.random.default_rng(0)))
    ends = []
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        ends.append(play(twin, seen, np.random.default_rng(9)))
    assert ends[0] == ends[1] == ends[2]


def test_a_scenario_is_set_up_and_must_fit():
    scenario = {"hands": [["7"], ["3", "9"]], "pile": ["2"], "strict": True, "turn": 0}
    env = poopdeck.make_parallel("poo_head", num_players=2)
    seen, _ = env.reset(options={"scenario": scenario})
    assert seen["player_1"]["action_mask"][env.no_op] and not seen["player_0"]["action_mask"][env.no_op]
    _, rewards, *_ = env.step({"player_0": env.game.action("play 7"), "player_1": env.no_op})
    assert rewards == {"player_0": 1.0, "player_1": -1.0} and not env.agents
    with pytest.raises(ValueError, match="bombs"):
        env.reset(options={"scenario": {**scenario, "bombs": 2}})


def test_a_refused_scenario_changes_nothing():
    env = poopdeck.make_parallel("poo_head", num_players=2)
    env.reset(seed=4)
    before = env.game.dump(env.snapshot())
    with pytest.raises(ValueError, match="bombs is 2"):
        env.reset(options={"scenario": {"players": 2, "bombs": 2}})
    assert env.game.dump(env.snapshot()) == before


def test_labels_are_carried_along_as_in_the_aec_environment():
    env = poopdeck.make_parallel("pooman")
    for options, label in (({"pooman_seat": 2}, 2), (None, 2), ({"pooman_seat": 0}, 0), ({"scenario": {}}, None)):
        env.reset(seed=3, options=options)
        assert env.game.dump(env.snapshot())["pooman_seat"] == label
    with pytest.warns(UserWarning, match="no use for options"):
        env.reset(options={"nonsense": 1})


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_pictures_show_everything(mode):
    env = poopdeck.make_parallel("poo_head", num_players=2, render_mode=mode)
    env.reset(seed=0)
    picture = env.render()
    assert "player_1" in picture if mode == "ansi" else picture.dtype == np.uint8
    with pytest.raises(ValueError, match="render_mode"):
        poopdeck.make_parallel("poo_head").render()


def test_pettingzoos_registry_knows_it():
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo before 1.26 has no registry")
    env = pettingzoo.make("parallel", "poopdeck/poo_head-v0", num_players=3)
    env.reset(seed=0)
    assert len(env.agents) == 3
