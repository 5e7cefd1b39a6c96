"""One learner among agents: the Gymnasium environment, the SB3 VecEnv, and the tables under both."""

import copy
import multiprocessing
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env as sb3_check
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

import poopdeck
from poopdeck.envs.core.errors import GameOverError, IllegalActionError
from poopdeck.envs.render import rgb
from poopdeck.envs.tables.seat import SeatTables


class Lowest:
    """An agent that is asked in Python: the first legal action."""

    name = "lowest number"

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)


class Illegal:
    name = "cheat"

    def act(self, observations, masks, rng):
        return masks.argmin(axis=1)


def draw(mask, rng):
    return (mask * rng.random(mask.shape)).argmax(axis=-1)


def play_through(env, rng, games=2, seed=0):
    """Plays games of a Gymnasium environment; their final infos and rewards."""
    ends = []
    for game in range(games):
        observation, info = env.reset(seed=seed if game == 0 else None)
        total, over = 0.0, False
        while not over:
            assert env.observation_space.contains(observation)
            assert (observation["action_mask"] == info["action_mask"]).all()
            observation, reward, terminated, truncated, info = env.step(int(draw(info["action_mask"], rng)))
            total, over = total + reward, terminated or truncated
        ends.append((total, info))
    return ends


@pytest.mark.parametrize(
    "opponents", ["heuristic", ["random", "heuristic:lowest", "heuristic"], {"random": 1, "heuristic": 3}]
)
def test_the_learner_gets_the_payoff_of_its_seat_in_every_game(opponents):
    env = gymnasium.make("poopdeck/poo_head-v0", opponents=opponents)
    seats = set()
    for total, info in play_through(env, np.random.default_rng(0), games=12):
        assert total == pytest.approx(info["returns"][info["seat"]])
        seats.add(info["seat"])
    assert seats == {0, 1, 2, 3}  # drawn anew for every game


def test_points_of_rounds_reach_the_learner_when_they_are_paid():
    env = poopdeck.make_gymnasium("poo_head", "random", num_players=3, scoring="points", reward="points", max_rounds=4)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=3)
    rewards, over = [], False
    while not over:
        _, reward, terminated, truncated, info = env.step(int(draw(info["action_mask"], rng)))
        rewards.append(reward)
        over = terminated or truncated
    assert sum(rewards) == pytest.approx(info["returns"][env.learner])
    assert sum(reward != 0 for reward in rewards) >= 2


def test_the_checkers_of_gymnasium_and_sb3_pass():
    gymnasium_check(poopdeck.make_gymnasium("poo_head", "random", render_mode="rgb_array"))
    sb3_check(poopdeck.make_gymnasium("poo_head", "heuristic"))
    gymnasium_check(gymnasium.make("poopdeck/poo_head-v0", opponents="random", num_players=2).unwrapped)


def test_sampling_from_the_action_space_is_legal():
    env = poopdeck.make_gymnasium("poo_head", "random", num_players=2)
    env.reset(seed=0)
    for _ in range(300):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()


def test_illegal_actions_and_finished_games_raise_and_change_nothing():
    env = poopdeck.make_gymnasium("poo_head", "heuristic")
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    _, info = env.reset(seed=0)
    before = env.seats.state(0)
    for action in (int(info["action_mask"].argmin()), -1, 63, 1.5, None, True):
        with pytest.raises(IllegalActionError, match="legal now"):
            env.step(action)
    assert env.seats.state(0) == before
    rng, over = np.random.default_rng(0), False
    while not over:
        _, _, terminated, truncated, info = env.step(int(draw(info["action_mask"], rng)))
        over = terminated or truncated
    with pytest.raises(GameOverError, match="reset"):
        env.step(0)


def test_seeds_repeat_the_game_whatever_happened_before():
    def first_steps(env, seed):
        observation, info = env.reset(seed=seed)
        seen = [observation["observation"]]
        for _ in range(20):
            observation, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            seen.append(observation["observation"])
            if terminated or truncated:
                break
        return np.concatenate(seen)

    one = poopdeck.make_gymnasium("poo_head", "heuristic")
    other = poopdeck.make_gymnasium("poo_head", "heuristic")
    other.reset(seed=99)
    for seed in (0, 2**40):
        assert (first_steps(one, seed) == first_steps(other, seed)).all()
    assert not np.array_equal(first_steps(one, 0)[:204], first_steps(one, 1)[:204])


def test_agents_asked_in_python_and_compiled_ones_play_the_same_game():
    class Asked:
        def __init__(self, agent):
            self.name, self.agent = "asked", agent

        def act(self, observations, masks, rng):
            return self.agent.act(observations, masks, rng)

    compiled = poopdeck.load_agent("heuristic:lowest")
    tables = [SeatTables(poopdeck.game("poo_head"), 16, [agent]) for agent in (compiled, Asked(compiled))]
    for one in tables:
        one.reset(5)
    for _ in range(200):
        assert (tables[0].obs == tables[1].obs).all()
        actions = tables[0].mask.argmax(axis=1)
        for one in tables:
            one.step(actions)
        assert (tables[0].rewards == tables[1].rewards).all()
    assert tables[0].tables["final_length"].any()


def test_an_agents_illegal_action_is_told_with_its_seat():
    tables = SeatTables(poopdeck.game("poo_head"), 4, [Illegal()])
    with pytest.raises(IllegalActionError, match=r"table \d, player_\d may not choose"):
        tables.reset(0)
        for _ in range(3):
            tables.step(tables.mask.argmax(axis=1))


@pytest.mark.parametrize("opponents", [["random"], [Lowest()]])
def test_copies_and_pickles_go_on_bit_for_bit(opponents):
    env = poopdeck.make_gymnasium("poo_head", opponents)
    _, info = env.reset(seed=4)
    for _ in range(8):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(30):
        seen = [twin.step(int(info["action_mask"].argmax())) for twin in twins]
        for other in seen[1:]:
            assert (other[0]["observation"] == seen[0][0]["observation"]).all()
            assert other[1:4] == seen[0][1:4]
        info = seen[0][4]
        if seen[0][2]:
            break


def test_a_truncated_game_says_so_and_counts_as_asked():
    def last_reward(truncated_as):
        env = poopdeck.make_gymnasium("poo_head", "random", num_players=3, truncated_as=truncated_as, max_decisions=30)
        ends = []
        for total, info in play_through(env, np.random.default_rng(0), games=10):
            ends.append(total)
            assert (info["returns"] == 0).all()
        return ends

    assert set(last_reward("payoff")) == {0.0}
    assert set(last_reward("loss")) == {-1.0}
    assert {-1.0, 0.5} <= set(last_reward("ranked"))
    with pytest.raises(ValueError, match="truncated_as='draw': allowed is 'payoff', 'ranked', 'loss'"):
        poopdeck.make_gymnasium("poo_head", truncated_as="draw")


def test_rendering_shows_the_table_from_the_learners_seat():
    env = poopdeck.make_gymnasium("poo_head", "random", render_mode="ansi")
    env.reset(seed=0)
    assert f"player_{env.learner}" in env.render()
    env = poopdeck.make_gymnasium("poo_head", "random", render_mode="rgb_array")
    env.reset(seed=0)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape[2] == 3
    with pytest.raises(ValueError, match="render_mode='video'"):
        poopdeck.make_gymnasium("poo_head", render_mode="video")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"opponents": ["random", "random"]}, "opponents: 2 for 3 other seats"),
        ({"opponents": []}, "at least one agent"),
        ({"opponents": {"random": -1}}, "weights"),
        ({"opponents": "heuristik"}, "did you mean 'heuristic'"),
        ({"num_players": 1}, "num_players=1: allowed is a whole number from 2 to 25"),
        ({"learner_seats": [4]}, "seats from 0 to 3"),
        ({"bombs": 17}, "bombs=17: allowed is a whole number from 0 to 16"),
    ],
)
def test_wrong_parameters_are_told_with_what_is_allowed(wrong, message):
    with pytest.raises(ValueError, match=message):
        poopdeck.make_gymnasium("poo_head", **wrong)


# -- the VecEnv ------------------------------------------------------------------------------------------------------


def test_the_vec_env_keeps_sb3s_conventions():
    env = poopdeck.make_sb3("poo_head", 32, {"random": 1, "heuristic": 1}, seed=0)
    rng = np.random.default_rng(0)
    seen, total, ended = env.reset(), np.zeros(32), 0
    for _ in range(300):
        masks = get_action_masks(env)
        assert masks.dtype == bool and (masks == env.action_masks()).all()
        kept = seen.copy()
        now, rewards, dones, infos = env.step(draw(masks, rng))
        assert (seen == kept).all()  # what was handed out does not change
        total += rewards
        for i in np.flatnonzero(dones):
            ended += 1
            assert infos[i]["episode"]["r"] == pytest.approx(total[i])
            assert infos[i]["TimeLimit.truncated"] is False
            last = infos[i]["terminal_observation"]
            assert env.observation_space.contains(last)
            phase = poopdeck.game("poo_head").spec.observation_slices(env.seats.settings)["phase"]
            assert last[phase].tolist() == [0, 0, 1]  # the finished game's, not the next one's
            assert now[i][phase].tolist() == [1, 0, 0]
            total[i] = 0
        rewards[:] = 99  # as SB3 does on truncation
        seen = now
    statistics = env.take_statistics()
    assert statistics["episodes"] == ended > 32
    assert statistics["illegal_actions"] == 0
    assert env.take_statistics()["episodes"] == 0


def test_sb3_evaluates_the_payoffs_themselves():
    """SB3 takes a game's reward from ``Monitor`` where there is one; rewards that VecNormalize scales are none."""

    class First:
        def predict(self, observations, state=None, episode_start=None, deterministic=True, action_masks=None):
            return action_masks.argmax(axis=1), None

    env = poopdeck.make_sb3("poo_head", 4, "random", num_players=2, seed=0)
    assert env.env_is_wrapped(Monitor) == [True] * 4 and env.env_is_wrapped(gymnasium.Wrapper, [0]) == [False]
    scaled = VecNormalize(env, norm_obs=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, lengths = evaluate_policy(First(), scaled, n_eval_episodes=12, return_episode_rewards=True, warn=True)
    assert len(found) == 12 and set(found) == {-1.0, 1.0}
    assert scaled.ret_rms.var != 1 and all(length > 1 for length in lengths)


def test_pictures_of_the_vec_env_are_its_first_tables():
    env = poopdeck.make_sb3("poo_head", 20, seed=0, render_mode="rgb_array")
    with pytest.raises(RuntimeError, match="reset"):
        env.get_images()
    env.reset()
    images = env.get_images()
    assert len(images) == 16 and all(image.dtype == np.uint8 and image.ndim == 3 for image in images)
    game = env.seats.game
    assert (images[5] == rgb.draw(game.scene(env.seats.state(5), int(env.seats.learner[5])))).all()
    height, width, _ = images[0].shape
    assert VecMonitor(env).render().shape == (4 * height, 4 * width, 3)
    with pytest.raises(ValueError, match="render_mode='rgb_array'"):
        poopdeck.make_sb3("poo_head", 2).get_images()
    with pytest.raises(ValueError, match="render_mode='human': allowed is None and 'rgb_array'"):
        poopdeck.make_sb3("poo_head", 2, render_mode="human")


def test_a_kept_vec_env_goes_on_bit_for_bit():
    env = poopdeck.make_sb3("poo_head", 8, {"random": 1, "heuristic": 1}, seed=0)
    env.reset()
    for _ in range(20):
        env.step(env.action_masks().argmax(axis=1))
    kept = {name: value.copy() for name, value in env.state_dict().items()}

    def follow(env):
        seen = []
        for _ in range(60):
            observations, rewards, dones, _ = env.step(env.action_masks().argmax(axis=1))
            seen.append((observations.copy(), rewards.copy(), dones.copy()))
        return seen

    first = follow(env)
    other = poopdeck.make_sb3("poo_head", 8, {"random": 1, "heuristic": 1}, seed=77)
    other.load_state_dict(kept)
    for one, two in zip(first, follow(other), strict=True):
        assert all((a == b).all() for a, b in zip(one, two, strict=True))
    with pytest.raises(ValueError, match="kept"):
        poopdeck.make_sb3("poo_head", 4, "random").load_state_dict(kept)


def test_threads_change_nothing_of_what_happens():
    game = poopdeck.game("poo_head")
    agents = [(poopdeck.load_agent(name), 1.0) for name in ("random", "heuristic")]
    both = [SeatTables(game, 33, agents, threads=threads) for threads in (1, 2)]
    for tables in both:
        tables.reset(0)
    for _ in range(100):
        actions = both[0].mask.argmax(axis=1)
        for tables in both:
            tables.step(actions)
        assert (both[0].obs == both[1].obs).all() and (both[0].rewards == both[1].rewards).all()
    both[1].close()


def make_env():
    return poopdeck.make_gymnasium("poo_head", "heuristic", num_players=2)


@pytest.mark.parametrize("spawned", [False, True])
def test_masks_come_through_the_vector_wrappers_of_sb3(spawned):
    makers = [make_env, make_env]
    dicts = SubprocVecEnv(makers, start_method="spawn") if spawned else DummyVecEnv(makers)
    env = VecMonitor(dicts)
    env.seed(0)
    env.reset()
    for _ in range(40):
        masks = get_action_masks(env)
        assert masks.shape == (2, 63) and masks.any(axis=1).all()
        env.step(masks.argmax(axis=1))
    env.close()


def test_a_spawned_process_plays_the_same_games():
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        assert pool.apply(digest_of_games, (3,)) == digest_of_games(3)


def digest_of_games(seed):
    env = poopdeck.make_sb3("poo_head", 4, "heuristic", seed=seed)
    env.reset()
    total = 0.0
    for _ in range(50):
        observations, rewards, _, _ = env.step(env.action_masks().argmax(axis=1))
        total += float(observations.sum()) + float(rewards.sum())
    return total
