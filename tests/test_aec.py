"""The AEC environment: PettingZoo's own checks, its wrappers, and what goes on around a game."""

import copy
import pickle
import warnings
import zlib

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel

import poopdeck
from poopdeck.envs.conformance.check import WRAPPERS, play_through
from poopdeck.envs.core import registry
from poopdeck.envs.core.errors import GameOverError, IllegalActionError

GAME = poopdeck.game("poo_head")
NAMES = registry.names()


def new(seed=0, **parameters):
    env = poopdeck.make("poo_head", **parameters)
    env.reset(seed=seed)
    return env


def choose(env):
    """A legal action, any, but the same for the same observation; None for an agent whose game is over."""
    seen, _, terminated, truncated, _ = env.last()
    if terminated or truncated:
        return None
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[zlib.crc32(seen["observation"].tobytes()) % len(legal)])


def play(env, steps=10**9):
    """Steps on; the number of steps taken."""
    taken = 0
    for _ in env.agent_iter(steps):
        env.step(choose(env))
        taken += 1
    return taken


def shown(env):
    """All that an environment shows now."""
    observation, reward, terminated, truncated, info = env.last()
    masks = [env.infos[agent]["action_mask"].tolist() for agent in env.agents]
    arrays = (observation["observation"].tobytes(), observation["action_mask"].tolist(), info["action_mask"].tolist())
    return (env.agents, env.agent_selection, arrays, reward, terminated, truncated, dict(env.rewards), masks)


# -- PettingZoo's own checks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", ["min", "default", "max"])
def test_api(name, players, capsys):
    spec = registry.spec(name)
    env = poopdeck.make(name, num_players=getattr(spec, f"{players}_players"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=200)
    # It knows the games whose observation is a dictionary by their names, tries options of its own, and wants a number
    # in every agent's name, also where a role has one agent.
    expected = (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "reset: no use for options",
        "We recommend agents to be named in the format",
    )
    assert {str(w.message) for w in caught if not str(w.message).startswith(expected)} == set()
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name):
    seed_test(lambda: poopdeck.make(name), num_cycles=60)


@pytest.mark.parametrize("name", NAMES)
def test_rendering(name):
    render_test(
        lambda render_mode: poopdeck.make(name, render_mode=render_mode), {"ansi": lambda text: "player_0" in text}
    )


# -- labels -----------------------------------------------------------------------------------------------------------


def labels(env):
    """The labels that the state carries, by name."""
    position = env.game.dump(env.snapshot())
    return {label.name: position[label.name] for label in env.game.spec.labels}


def test_a_label_is_carried_along_and_changes_nothing_in_a_game():
    env = poopdeck.make("pooman")
    env.reset(seed=3)
    assert labels(env) == {"pooman_seat": None}
    plain = env.game.dump(env.snapshot())
    env.reset(seed=3, options={"pooman_seat": 2})
    assert env.game.dump(env.snapshot()) == {**plain, "pooman_seat": 2}
    env.step(env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"]))
    assert labels(env) == {"pooman_seat": 2}
    env.reset()
    assert labels(env) == {"pooman_seat": 2}  # of a series of games, until another is given (PM-23)
    env.reset(options={"pooman_seat": 0})
    assert labels(env) == {"pooman_seat": 0}
    env.reset(options={"scenario": {}})
    assert labels(env) == {"pooman_seat": None}


def test_a_scenario_brings_its_own_label_unless_one_is_given():
    env = poopdeck.make("pooman")
    env.reset(options={"scenario": {"pooman_seat": 5}})
    assert labels(env) == {"pooman_seat": 5}
    env.reset(options={"scenario": {"pooman_seat": 5}, "pooman_seat": 1})
    assert labels(env) == {"pooman_seat": 1}


@pytest.mark.parametrize("wrong", [-1, 2**31, 1.0, "1", True])
def test_a_label_that_is_no_whole_number_is_refused(wrong):
    env = poopdeck.make("pooman")
    with pytest.raises(ValueError, match="pooman_seat="):
        env.reset(options={"pooman_seat": wrong})


def test_a_game_without_labels_has_no_use_for_one():
    with pytest.warns(UserWarning, match="there is only 'scenario'"):
        poopdeck.make("poo_head").reset(options={"pooman_seat": 1})


# -- wrappers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_two_games_in_a_row_under_every_wrapper(wrapper):
    env = WRAPPERS[wrapper](poopdeck.make("poo_head", num_players=2, max_decisions=60))
    for seed in (0, None):
        env.reset(seed=seed)
        assert env.agents == env.possible_agents
        play(env)
        assert env.agents == []
    env.reset(seed=0)
    first = shown(env)
    env.reset(seed=0)
    assert shown(env) == first


def test_several_games_in_one_episode():
    env = wrappers.MultiEpisodeEnv(poopdeck.make("poo_head", num_players=2, max_decisions=20), num_episodes=3)
    env.reset(seed=1)
    assert play(env) == 3 * (20 + 2)


def test_printed_pictures_are_captured(capsys):
    env = wrappers.CaptureStdoutWrapper(poopdeck.make("poo_head", num_players=2, render_mode="human", max_decisions=9))
    for seed in (0, 1):
        env.reset(seed=seed)
        play(env)
        assert isinstance(env.render(), str)
    env.close()


def test_terminate_illegal_ends_the_game_with_its_penalty():
    env = wrappers.TerminateIllegalWrapper(poopdeck.make("poo_head", num_players=2), illegal_reward=-5)
    env.reset(seed=0)
    agent, wrong = env.agent_selection, int(env.last()[0]["action_mask"].argmin())
    env.step(wrong)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards[agent] == -5
    env.reset(seed=0)
    assert not any(env.terminations.values()) and play(env) > 10


def test_out_of_bounds_actions_are_asserted_by_the_wrapper_and_refused_without():
    wrapped = wrappers.AssertOutOfBoundsWrapper(poopdeck.make("poo_head"))
    wrapped.reset(seed=0)
    with pytest.raises(AssertionError):
        wrapped.step(63)
    with pytest.raises(IllegalActionError):
        new().step(63)


def test_it_is_no_parallel_environment():
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(poopdeck.make("poo_head"))


def test_a_wrapped_environment_is_copied_in_mid_game():
    env = WRAPPERS["the usual three"](poopdeck.make("poo_head", num_players=3))
    env.reset(seed=4)
    play(env, 30)
    twin = copy.deepcopy(env)
    for _ in range(60):
        assert shown(env) == shown(twin)
        env.step(choose(env))
        assert shown(env) != shown(twin)
        twin.step(choose(twin))


# -- before, after, between -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"]
)
def test_attributes_are_not_there_before_reset(name):
    env = poopdeck.make("poo_head")
    with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
        getattr(env, name)
    with pytest.raises(AttributeError, match="has no attribute 'agnets'"):
        _ = env.agnets
    env.reset(seed=0)
    getattr(env, name)


@pytest.mark.parametrize("call", ["last", "step", "observe", "state", "render", "snapshot"])
def test_calls_need_a_game(call):
    arguments = {"step": (0,), "observe": ("player_0",)}.get(call, ())
    with pytest.raises(RuntimeError, match="call reset\\(\\) first"):
        getattr(poopdeck.make("poo_head"), call)(*arguments)


def test_what_is_known_before_reset():
    env = poopdeck.make("poo_head", num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"] and env.max_num_agents == 3
    assert env.metadata["name"] == "poo_head_v0" == str(env)
    assert env.metadata["is_parallelizable"] is False
    assert env.unwrapped is env and env.render_mode is None
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent).n == 63


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"num_players": 1}, "num_players=1: allowed is"),
        ({"render_mode": "text"}, "render_mode='text': allowed is None, 'ansi', 'rgb_array', 'human'"),
        ({"max_cycles": 5}, "no parameter 'max_cycles'"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        poopdeck.make("poo_head", **parameters)


def test_a_finished_game_takes_no_step():
    env = new(num_players=2, max_decisions=10)
    play(env)
    assert env.agents == [] and env.rewards == {} and env.infos == {}
    with pytest.raises(GameOverError, match="poo_head_v0, reset\\(\\) deals anew: the game is over"):
        env.step(0)


def test_agents_that_are_done_take_only_none():
    env = new(num_players=2, max_decisions=10)
    play(env, 10)
    assert all(env.truncations.values())
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    assert len(env.agents) == 1


def test_closing_twice_does_no_harm():
    env = new(render_mode="human", num_players=2)
    env.close()
    env.close()
    new().close()


# -- seeds ------------------------------------------------------------------------------------------------------------


def test_seed_zero_is_a_seed_and_huge_ones_are():
    for seed in (0, 2**63, 2**70, np.int64(3)):
        assert shown(new(seed)) == shown(new(seed))
    assert GAME.dump(new(0).snapshot()) == GAME.dump(GAME.new_state(seed=0))
    assert GAME.dump(new(0).snapshot()) != GAME.dump(new(1).snapshot())


@pytest.mark.parametrize("seed", [-1, 0.5, "0", True])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed={seed!r}"):
        new(seed)


def test_without_a_seed_chance_goes_on():
    one, other = new(7), new(7)
    deals = []
    for _ in range(3):
        play(one, 5)  # leaving a game early does not matter
        play(other, 9)
        one.reset()
        other.reset()
        assert shown(one) == shown(other)
        deals.append(GAME.dump(one.snapshot()))
    assert deals[0] != deals[1] != deals[2]
    fresh = [GAME.dump(new(None).snapshot()) for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_a_seeded_reset_keeps_the_parameters():
    env = new(num_players=3, bombs=1, scoring="points", reward="points")
    env.reset(seed=5)
    assert env.snapshot().settings == GAME.spec.settings(3, bombs=1, scoring="points", reward="points")


def test_environments_side_by_side_do_not_disturb_each_other():
    def follow(envs, steps=80):
        seen = [[] for _ in envs]
        for _ in range(steps):
            for env, log in zip(envs, seen, strict=True):
                log.append(shown(env))
                env.step(choose(env))
        return seen

    alone = [follow([new(seed, num_players=3)])[0] for seed in (1, 2)]
    assert follow([new(1, num_players=3), new(2, num_players=3)]) == alone
    np.random.seed(0)
    np.random.rand(5)
    assert follow([new(1, num_players=3)])[0] == alone[0]


# -- what is shown ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{}, {"num_players": 6}, {"scoring": "points"}, {"voluntary_pickup": True}])
def test_observations_lie_in_their_space_and_masks_agree(parameters):
    env = new(3, **parameters)
    for step, agent in enumerate(env.agent_iter(300)):
        if step % 7 == 0:
            for other in env.agents:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert (seen["action_mask"] == env.infos[other]["action_mask"]).all()
                over = env.terminations[other] or env.truncations[other]
                assert seen["action_mask"].any() == (other == agent and not over)
            state = env.state()
            assert env.state_space.contains(state)
            sizes = [env.observe(other)["observation"] for other in env.possible_agents]
            assert (state == np.concatenate(sizes)).all()
        seen, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            break
        assert (seen["action_mask"] == info["action_mask"]).all() and seen["action_mask"].dtype == np.int8
        assert seen["observation"].tobytes() == env.observe(agent)["observation"].tobytes()
        assert env.action_space(agent).sample(seen["action_mask"]) in np.flatnonzero(seen["action_mask"])
        env.step(choose(env))


def test_what_is_shown_is_the_callers_own():
    env = new()
    before = shown(env)
    seen, _, _, _, info = env.last()
    seen["observation"][:] = 7
    seen["action_mask"][:] = 1
    info["action_mask"][:] = 1
    env.observe(env.agent_selection)["action_mask"][:] = 1
    again = env.observe(env.agent_selection)
    assert again["observation"].tobytes() == before[2][0] and again["action_mask"].tolist() == before[2][1]
    with pytest.raises(IllegalActionError):
        env.step(int(again["action_mask"].argmin()))


def test_last_can_leave_the_observation_out():
    env = new()
    assert env.last(observe=False)[0] is None
    assert env.last()[0] is not None


def test_an_agent_that_is_none_is_refused():
    env = new(num_players=2)
    for look in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(KeyError):
            look("player_2")


def test_rendering_needs_a_mode_and_shows_the_seat_to_act():
    with pytest.raises(ValueError, match="render_mode='ansi'"):
        new().render()
    env = new(render_mode="ansi", num_players=3)
    texts = []
    for _ in env.agent_iter(12):
        assert f"{env.agent_selection}" in env.render()
        texts.append(env.render())
        env.step(choose(env))
    assert len(set(texts)) == 12
    picture = new(render_mode="rgb_array").render()
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.std() > 1
    play(env)
    assert isinstance(env.render(), str), "a finished game can still be looked at"


# -- illegal actions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, 63, 29, 2**70, None, 0.0, "0", [1], np.float32(51), np.array([1, 2])])
def test_illegal_actions_raise_and_change_nothing(action):
    env = new()
    before, position = shown(env), GAME.dump(env.snapshot())
    with pytest.raises(IllegalActionError) as error:
        env.step(action)
    assert shown(env) == before and GAME.dump(env.snapshot()) == position
    assert error.value.agent == env.agent_selection and error.value.legal == np.flatnonzero(before[2][1]).tolist()
    for legal in error.value.legal:
        assert f"{legal} ({GAME.action_name(legal)})" in str(error.value)


def test_true_is_no_action_although_it_counts_as_one():
    env = poopdeck.make("poo_head", num_players=2)
    env.reset(options={"scenario": {"hands": [["0", "0"], ["5"]], "strict": True, "turn": 0}})
    assert env.last()[0]["action_mask"][1] == 1  # "play 0 x2"
    with pytest.raises(IllegalActionError):
        env.step(True)
    env.step(1)
    assert env.terminations == {"player_0": True, "player_1": True}


def test_numpy_integers_are_actions():
    env = new()
    for kind in (np.int64, np.int8, np.uint8, np.array):
        env.step(kind(choose(env)))
    assert GAME.dump(env.snapshot())["decisions"] == 4


# -- credit -----------------------------------------------------------------------------------------------------------


def test_every_agent_gets_the_final_payoff_and_no_one_anything_before():
    env = new(2, num_players=3)
    received = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        received[agent] += reward
        over = terminated or truncated
        assert over or (reward == 0 and set(env.rewards.values()) == {0})
        env.step(None if over else choose(env))
    assert sorted(received.values()) == [-1.0, 0.5, 0.5]


def test_points_of_a_round_come_to_all_at_once_and_are_kept_until_their_next_turn():
    env = new(6, num_players=3, scoring="points", reward="points", max_rounds=4, target=1000)
    received, paid, rounds, owed = np.zeros(3), np.zeros(3), 0, np.zeros(3)
    for agent in env.agent_iter():
        seat = env.possible_agents.index(agent)
        _, reward, terminated, truncated, _ = env.last()
        assert reward == owed[seat], "all that came since its last decision"
        received[seat] += reward
        owed[seat] = 0
        over = terminated or truncated
        env.step(None if over else choose(env))
        if not over:
            rewards = np.array([env.rewards[other] for other in env.possible_agents])
            points = np.array(GAME.dump(env.snapshot())["points"], float)
            assert (rewards == points - paid).all()
            rounds += bool(rewards.any())
            paid, owed = points, owed + rewards
    assert rounds == 4 and (received == paid).all() and sorted(paid) != [0, 0, 0]


def test_the_decision_cap_truncates_all():
    env = new(num_players=4, max_decisions=13)
    assert play(env, 13) == 13
    assert set(env.truncations.values()) == {True} and set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}
    assert play(env) == 4


# -- scenarios --------------------------------------------------------------------------------------------------------

LAST_CARD = {
    "players": 2,
    "strict": True,
    "hands": [["3"], ["5", "9"]],
    "face_up": [[], []],
    "face_down": [[], []],
    "draw_pile": [],
    "pile": ["2"],
    "turn": 0,
}


def test_a_scenario_is_set_up():
    env = poopdeck.make("poo_head", num_players=2)
    env.reset(options={"scenario": LAST_CARD})
    assert env.agent_selection == "player_0" and choose(env) == GAME.action("play 3")
    assert play_through(env, [GAME.action("play 3")]).tolist() == [1.0, -1.0]
    env.reset(seed=0, options={"scenario": {**LAST_CARD, "draw_pile": None, "strict": False}})
    assert GAME.dump(env.snapshot())["seed"] == 0
    env.reset()
    assert len(GAME.dump(env.snapshot())["hands"][0]) == 3


def test_points_that_a_scenario_starts_with_are_no_reward():
    env = poopdeck.make("poo_head", num_players=2, scoring="points", reward="points")
    env.reset(options={"scenario": {**LAST_CARD, "scoring": "points", "reward": "points", "points": [8, -2]}})
    env.step(GAME.action("play 3"))
    assert env.rewards == {"player_0": 3.0, "player_1": -4.0}
    assert GAME.dump(env.snapshot())["points"] == [11, -6]


def test_the_scenario_of_a_finished_game_is_over():
    state = GAME.load(LAST_CARD)
    GAME.apply_action(state, GAME.action("play 3"))
    env = poopdeck.make("poo_head", num_players=2)
    env.reset(options={"scenario": GAME.dump(state)})
    assert all(env.terminations.values()) and set(env.rewards.values()) == {0.0}
    assert play(env) == 2 and env.agents == []


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        ({**LAST_CARD, "bombs": 2}, "scenario: bombs is 2, but this environment has 4"),
        ({"players": 3}, "scenario: num_players is 3, but this environment has 2"),
        ({**LAST_CARD, "turn": 5}, "turn"),
        ("nonsense", "scenario: not JSON"),
    ],
)
def test_scenarios_that_do_not_fit_are_refused_and_the_game_goes_on(scenario, message):
    env = new(num_players=2)
    before = shown(env)
    with pytest.raises(ValueError, match=message):
        env.reset(options={"scenario": scenario})
    assert shown(env) == before
    env.step(choose(env))


def test_unknown_options_of_reset_are_warned_of():
    env = poopdeck.make("poo_head")
    with pytest.warns(UserWarning, match="no use for options \\['scenari'\\]; there is only 'scenario'"):
        env.reset(seed=0, options={"scenari": {}})
    assert env.agents


# -- copies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("steps", [0, 25, 10**9])
def test_copies_play_on_bit_for_bit(way, steps):
    env = new(9, num_players=3, max_decisions=200)
    if steps:
        play(env, steps)
    twin = way(env)
    while env.agents:
        assert shown(env) == shown(twin)
        action = choose(env)
        env.step(action)
        assert GAME.dump(env.snapshot()) != GAME.dump(twin.snapshot()) or action is None
        twin.step(action)
    env.reset()
    twin.reset()
    assert shown(env) == shown(twin), "the chance to come is copied too"


def test_an_environment_is_pickled_before_its_first_game_and_with_its_window_open():
    for env in (poopdeck.make("poo_head"), new(render_mode="human", num_players=2)):
        twin = pickle.loads(pickle.dumps(env))
        env.reset(seed=1)
        twin.reset(seed=1)
        assert shown(env) == shown(twin)
        env.close()
        twin.close()
