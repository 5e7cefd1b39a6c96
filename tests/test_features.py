"""Observations as plain arrays, with the mask beside them: ``observation="features"``."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import poopdeck
from poopdeck.envs.core import registry

GAMES = sorted(registry.BUILT_IN)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_sees_the_same_game_in_both_forms(name):
    plain, masked = (poopdeck.make(name, 3, observation=form) for form in ("features", "masked"))
    assert plain.observation_space("player_0") == masked.observation_space("player_0")["observation"]
    for env in (plain, masked):
        env.reset(seed=4)
    rng = np.random.default_rng(4)
    for agent in masked.agent_iter():
        (seen, *rest, info), (wanted, *as_masked, _) = plain.last(), masked.last()
        assert isinstance(seen, np.ndarray) and seen.tobytes() == wanted["observation"].tobytes()
        assert rest == as_masked and plain.agent_selection == agent
        assert (info["action_mask"] == wanted["action_mask"]).all()
        over = rest[1] or rest[2]
        assert over or (plain.action_masks() == wanted["action_mask"]).all()
        others = {other: masked.observe(other)["observation"] for other in masked.agents}
        assert all((plain.observe(other) == others[other]).all() for other in others)
        action = None if over else rng.choice(np.flatnonzero(info["action_mask"]))
        plain.step(action)
        masked.step(action)
    assert not plain.agents


def test_an_aec_environment_has_no_masks_before_the_first_game_and_none_after_it():
    env = poopdeck.make("poop", observation="features")
    with pytest.raises(RuntimeError, match="call reset"):
        env.action_masks()
    env.reset(seed=0)
    while not any(env.terminations.values()):
        env.step(int(env.action_masks().argmax()))
    assert env.action_masks().shape == (env.action_space("player_0").n,) and not env.action_masks().any()


@pytest.mark.parametrize("name", GAMES)
def test_the_parallel_environment_sees_the_same_game_in_both_forms(name):
    plain, masked = (poopdeck.make_parallel(name, 3, observation=form) for form in ("features", "masked"))
    rng = np.random.default_rng(5)
    (seen, infos), (wanted, _) = plain.reset(seed=5), masked.reset(seed=5)
    while plain.agents:
        masks = plain.action_masks()
        for agent in plain.agents:
            assert (seen[agent] == wanted[agent]["observation"]).all()
            assert (infos[agent]["action_mask"] == wanted[agent]["action_mask"]).all()
            assert masks[agent].dtype == bool and (masks[agent] == infos[agent]["action_mask"]).all()
        actions = {agent: rng.choice(np.flatnonzero(masks[agent])) for agent in plain.agents}
        (seen, *ends, infos), (wanted, *as_masked, _) = plain.step(actions), masked.step(actions)
        assert ends == as_masked


@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_checks_pass():
    api_test(poopdeck.make("poo_head", 3, observation="features"), num_cycles=100)
    env = poopdeck.make_parallel("poo_head", 3, observation="features")
    env.reset()
    assert env.observation_space("player_0").contains(env.reset(seed=1)[0]["player_0"])
    parallel_api_test(Masked(env), num_cycles=20)


class Masked:
    """Draws legal actions where a checker draws any."""

    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.env, name)

    def step(self, actions):
        masks = self.env.action_masks()
        return self.env.step({agent: int(masks[agent].argmax()) for agent in actions})


def test_gymnasium_has_the_observations_that_sb3_has():
    given = {"opponents": "heuristic", "num_players": 3}
    env = gymnasium.make("poopdeck/poo_head-v0", observation="features", **given)
    check_env(env.unwrapped, skip_render_check=True)
    sb3 = poopdeck.make_sb3("poo_head", 1, **given)
    assert env.observation_space == sb3.observation_space
    seen, info = env.reset(seed=3)
    sb3.seed(3)
    assert (seen == sb3.reset()[0]).all() and env.observation_space.contains(seen)
    action = int(info["action_mask"].argmax())
    assert (env.unwrapped.action_masks() == info["action_mask"]).all()
    assert (env.step(action)[0] == sb3.step(np.array([action]))[0][0]).all()


@pytest.mark.parametrize("make", [poopdeck.make, poopdeck.make_parallel, poopdeck.make_gymnasium])
def test_another_form_is_refused(make):
    with pytest.raises(ValueError, match="observation='dict': allowed is 'masked' or 'features'"):
        make("poo_head", observation="dict")
