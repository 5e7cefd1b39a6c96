"""Gymnasium's vector environment: the games of the single one, at many tables."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import poopdeck
from poopdeck.envs.core import registry
from poopdeck.envs.core.errors import IllegalActionError

GAMES = sorted(registry.BUILT_IN)
GIVEN = {"opponents": "random", "num_players": 3}


def lowest(mask):
    return mask.argmax(axis=-1)


def games_of_one(name, games, **given):
    """Of single tables played one after the other: (observation, mask, reward) of every step, last ones included."""
    env = poopdeck.make_gymnasium(name, **GIVEN, **given)
    found, seed = [], 9
    for _ in range(games):
        (seen, info), over, reward = env.reset(seed=seed), False, 0.0
        seed = None
        while True:
            found.append((seen["observation"], info["action_mask"], reward, over))
            if over:
                break
            seen, reward, terminated, truncated, info = env.step(int(lowest(info["action_mask"])))
            over = terminated or truncated
    return found


def same(found, wanted):
    assert len(found) == len(wanted)
    for (seen, mask, *rest), (wanted_seen, wanted_mask, *wanted_rest) in zip(found, wanted, strict=True):
        assert seen.tobytes() == wanted_seen.tobytes() and (mask == wanted_mask).all() and rest == wanted_rest


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_one_table_of_a_batch_plays_the_games_of_the_single_environment(name, mode):
    wanted = games_of_one(name, 4)
    env = gymnasium.make_vec(f"poopdeck/{name}-v0", 1, autoreset_mode=mode, **GIVEN)
    seen, info = env.reset(seed=9)
    found, reward, over = [], [0.0], [False]
    while sum(end for *_, end in found) < 4:
        found.append((seen["observation"][0], seen["action_mask"][0], float(reward[0]), bool(over[0])))
        assert (seen["action_mask"] == info["action_mask"]).all()
        seen, reward, terminated, truncated, info = env.step(lowest(seen["action_mask"]))
        over = terminated | truncated
        if mode == "same_step" and over[0]:
            last = info["final_obs"][0]
            found.append((last["observation"], last["action_mask"], float(reward[0]), True))
            reward, over = [0.0], [False]
    same(found, wanted)
    env.close()


@pytest.mark.parametrize("observation", ["masked", "features"])
def test_every_mask_has_a_legal_action_where_games_follow_in_the_same_step(observation):
    env = gymnasium.make_vec("poopdeck/poop-v0", 16, autoreset_mode="same_step", observation=observation, **GIVEN)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, info = env.reset(seed=1)
    ended = 0
    for _ in range(100):
        assert env.observation_space.contains(seen) and info["action_mask"].any(axis=1).all()
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        seen, _, terminated, _, info = env.step(lowest(info["action_mask"]))
        ended += terminated.sum()
        if terminated.any():
            assert (info["_final_obs"] == terminated).all() and (info["_returns"] == terminated).all()
            assert all(env.single_observation_space.contains(last) for last in info["final_obs"][terminated])
    assert ended > 20


def test_by_default_the_step_after_a_game_only_deals():
    env = gymnasium.make_vec("poopdeck/poop-v0", 16, **GIVEN)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, info = env.reset(seed=1)
    before, ends = np.zeros(16, bool), 0
    for _ in range(100):
        mask = info["action_mask"]
        assert (mask.any(axis=1) == ~before).all()  # no action is legal between two games
        actions = np.where(before, -7, lowest(mask))  # and whatever is given there does not count
        seen, reward, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        assert not (over & before).any() and not reward[before].any()
        assert env.observation_space.contains(seen)
        if over.any():
            seat = info["seat"]
            assert (info["returns"][over, seat[over]] == reward[over]).all()
        before, ends = over, ends + over.sum()
    assert ends > 20


def test_an_illegal_action_names_its_table_and_changes_nothing():
    env = gymnasium.make_vec("poopdeck/poo_head-v0", 3, **GIVEN)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(np.zeros(3, np.int64))
    _, info = env.reset(seed=0)
    states = env.unwrapped.seats.states.tobytes()
    actions = lowest(info["action_mask"])
    actions[1] = info["action_mask"][1].argmin()
    with pytest.raises(IllegalActionError, match="table 1, player_"):
        env.step(actions)
    assert env.unwrapped.seats.states.tobytes() == states


def test_truncated_games_are_truncated_for_gymnasium_where_they_count_as_the_environment_pays():
    for mode in ("next_step", "same_step"):
        for counted, truncates in (("payoff", True), ("ranked", False)):
            given = {"max_decisions": 12, "truncated_as": counted, "autoreset_mode": mode}
            env = gymnasium.make_vec("poopdeck/poo_head-v0", 8, **given, **GIVEN)
            _, info = env.reset(seed=2)
            seen_ends = np.zeros(2, int)
            for _ in range(30):
                _, _, terminated, truncated, info = env.step(lowest(info["action_mask"]))
                seen_ends += terminated.sum(), truncated.sum()
            assert seen_ends[1 if truncates else 0] > 0 and seen_ends[0 if truncates else 1] == 0


def test_gymnasiums_own_statistics_count_the_games():
    env = RecordEpisodeStatistics(gymnasium.make_vec("poopdeck/poop-v0", 8, **GIVEN))
    _, info = env.reset(seed=1)
    for _ in range(60):
        _, _, _, _, info = env.step(lowest(info["action_mask"]))
    assert env.episode_count > 8 and all(-1 <= r <= 1 for r in env.return_queue)


def test_wrong_arguments_are_refused_with_what_is_allowed():
    with pytest.raises(ValueError, match="autoreset_mode='never': allowed is 'next_step' or 'same_step'"):
        gymnasium.make_vec("poopdeck/poop-v0", 2, autoreset_mode="never")
    with pytest.raises(ValueError, match="autoreset_mode.*allowed is"):
        poopdeck.make_gymnasium_vec("poop", 2, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match="render_mode='human': allowed is None and 'rgb_array'"):
        poopdeck.make_gymnasium_vec("poop", 2, render_mode="human")
    with pytest.raises(TypeError, match="did you mean 'autoreset_mode'"):
        poopdeck.make_gymnasium_vec("poop", 2, autoreset="same_step")


def test_pictures_of_the_tables():
    env = poopdeck.make_gymnasium_vec("poop", 2, render_mode="rgb_array")
    env.reset(seed=0)
    first, second = env.render()
    assert first.dtype == np.uint8 and first.shape[2] == 3 and (first != second).any()
    assert poopdeck.make_gymnasium_vec("poop", 2).render() is None


def test_a_fresh_process_finds_the_game_by_the_name_that_pages_show():
    code = "import gymnasium; gymnasium.make('poopdeck:poopdeck/poo_head-v0')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_it_says_how_games_follow_each_other_where_gymnasiums_own_do(mode):
    env = gymnasium.make_vec("poopdeck/poop-v0", 2, autoreset_mode=mode)
    own = gymnasium.vector.SyncVectorEnv([lambda: poopdeck.make_gymnasium("poop")], autoreset_mode=mode)
    assert env.autoreset_mode is own.autoreset_mode is mode
