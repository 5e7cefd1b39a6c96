"""One seed and one list of actions are one game: every interface shows the same observations, masks and rewards.

The actions are written down at the plain interface. Everywhere else whoever is asked, learner or opponent, plays the
next one of its seat, and what it is shown there is compared with what the plain interface showed.
"""

import importlib.util
from dataclasses import dataclass, field

import gymnasium
import numpy as np
import pytest

import poopdeck
from poopdeck.envs.core import registry
from poopdeck.envs.tables.context import ask_about

GAMES = sorted(registry.BUILT_IN)
CASES = [(name, variant) for name in GAMES for variant in (None, list(registry.spec(name).variants)[-1])]
SEED, PLAYERS = 20_26, 3


@dataclass
class Decision:
    """What a seat was shown, what it did, and what came to all seats by it."""

    seat: int
    observation: np.ndarray
    mask: np.ndarray
    action: int
    paid: np.ndarray


@dataclass
class Course:
    """A whole game at the plain interface."""

    name: str
    settings: dict
    decisions: list[Decision]
    returns: np.ndarray
    given: dict = field(default_factory=dict)

    def of(self, seat):
        return [decision for decision in self.decisions if decision.seat == seat]

    def reward_until_next(self, seat, place):
        """What came to a seat from its decision of this place up to its next one."""
        own = [k for k, decision in enumerate(self.decisions) if decision.seat == seat]
        end = own[place + 1] if place + 1 < len(own) else len(self.decisions)
        return sum(decision.paid[seat] for decision in self.decisions[own[place] : end])


_known: dict[tuple, Course] = {}


def course_of(name, variant):
    if (name, variant) not in _known:
        given = {"num_players": PLAYERS} | ({} if variant is None else {"variant": variant})
        game, rng = poopdeck.game(name), np.random.default_rng(SEED)
        settings = game.spec.settings(**given)
        s = game.new_state(SEED, **settings)
        decisions = []
        while not game.is_terminal(s):
            seat, mask = game.current_player(s), game.action_mask(s)
            seen, before = game.observation(s, seat), game.returns(s)
            action = int(rng.choice(np.flatnonzero(mask)))
            game.apply_action(s, action)
            decisions.append(Decision(seat, seen, mask, action, game.returns(s) - before))
        _known[name, variant] = Course(name, settings, decisions, game.returns(s), given)
    return _known[name, variant]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{case[1] or 'default'}")
def course(request):
    return course_of(*request.param)


def check(decision, observation, mask):
    assert observation.tobytes() == decision.observation.tobytes()
    assert np.asarray(mask).astype(np.int8).tobytes() == decision.mask.tobytes()


class Scripted:
    """Plays the written actions of every seat, and compares what it is shown."""

    name = "scripted"

    def __init__(self, course):
        self.course, self.places = course, {}

    def next_of(self, seat):
        self.places[seat] = self.places.get(seat, -1) + 1
        return self.course.of(seat)[self.places[seat]]

    def act_in(self, context):
        actions = []
        for row, seat in enumerate(context.seats.tolist()):
            if self.places.get(seat, -1) + 1 == len(self.course.of(seat)):  # the next game has begun: none of ours
                actions.append(int(context.masks[row].argmax()))
                continue
            decision = self.next_of(seat)
            check(decision, context.observations[row], context.masks[row])
            actions.append(decision.action)
        return np.array(actions)


# -- all seats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["masked", "features"])
def test_pettingzoo(course, form):
    env = poopdeck.make(course.name, observation=form, **course.given)
    env.reset(seed=SEED)
    for decision in course.decisions:
        assert env.agent_selection == env.possible_agents[decision.seat]
        seen, _, terminated, truncated, info = env.last()
        check(decision, seen["observation"] if form == "masked" else seen, info["action_mask"])
        assert form == "features" or (seen["action_mask"] == info["action_mask"]).all()
        assert not terminated and not truncated
        env.step(decision.action)
        assert list(env.rewards.values()) == pytest.approx(decision.paid.tolist(), abs=1e-6)
    assert any(env.terminations.values()) or any(env.truncations.values())


def test_pettingzoo_in_parallel(course):
    env = poopdeck.make_parallel(course.name, **course.given)
    seen, _ = env.reset(seed=SEED)
    script, paid = Scripted(course), np.zeros(len(env.possible_agents))
    while env.agents:
        actions = {}
        for seat, agent in enumerate(env.agents):
            mask = seen[agent]["action_mask"]
            actions[agent] = env.no_op
            if not mask[env.no_op]:
                decision = script.next_of(seat)
                check(decision, seen[agent]["observation"], mask[:-1])
                actions[agent] = decision.action
        seen, rewards, *_ = env.step(actions)
        paid += list(rewards.values())
    assert paid == pytest.approx(course.returns, abs=1e-5)
    assert all(place + 1 == len(course.of(seat)) for seat, place in script.places.items())


def test_the_batch(course):
    batch = poopdeck.make_vec(course.name, 1, **course.given)
    batch.reset(seed=SEED)
    for decision in course.decisions:
        assert batch.seat[0] == decision.seat and not batch.terminated[0]
        check(decision, batch.obs[0], batch.mask[0])
        batch.step(np.array([decision.action]))
        assert batch.rewards[0] == pytest.approx(decision.paid, abs=1e-6)
    assert batch.terminated[0] | batch.truncated[0]
    assert batch.final_returns[0].tobytes() == course.returns.tobytes()


def test_openspiel(course):
    if importlib.util.find_spec("pyspiel") is None:
        pytest.skip("needs an extra with pyspiel: make test-extras")
    from poopdeck.envs.adapters.openspiel import SpielGame

    state = SpielGame.of(poopdeck.game(course.name), course.settings).new_initial_state()
    for digit in (SEED >> 16, SEED >> 8 & 255, SEED & 255):
        state.apply_action(digit)
    for decision in course.decisions:
        assert state.current_player() == decision.seat
        check(decision, np.array(state.observation_tensor(), np.float32), np.array(state.legal_actions_mask()))
        state.apply_action(decision.action)
        assert state.rewards() == pytest.approx(decision.paid.tolist(), abs=1e-6)
    assert state.is_terminal()


# -- one learner -----------------------------------------------------------------------------------------------------


def seats_of_the_first_role(course):
    roles = registry.spec(course.name).seat_roles(course.settings)
    return [seat for seat, role in enumerate(roles) if role == 0 and course.of(seat)]


def learner_of(course, seat):
    """Arguments of an interface with a learner at this seat and the script at all others."""
    return {"opponents": [Scripted(course)], "learner_seats": [seat], "truncated_as": "payoff", **course.given}


def play_learner(course, seat, shown, step):
    """Plays the learner's decisions; ``step(action)`` gives what is shown next and the reward."""
    for place, decision in enumerate(course.of(seat)):
        check(decision, *shown)
        *shown, reward = step(decision.action)
        assert reward == pytest.approx(course.reward_until_next(seat, place), abs=1e-5)


def test_gymnasium(course):
    for seat in seats_of_the_first_role(course):
        env = poopdeck.make_gymnasium(course.name, **learner_of(course, seat))
        seen, _ = env.reset(seed=SEED)

        def step(action, env=env):
            seen, reward, terminated, truncated, _ = env.step(action)
            step.over = terminated or truncated
            return seen["observation"], seen["action_mask"], reward

        play_learner(course, seat, (seen["observation"], seen["action_mask"]), step)
        assert step.over


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_gymnasiums_vector_environment(course, mode):
    for seat in seats_of_the_first_role(course):
        name = registry.spec(course.name).id
        env = gymnasium.make_vec(name, 1, autoreset_mode=mode, observation="features", **learner_of(course, seat))
        seen, info = env.reset(seed=SEED)

        def step(action, env=env):
            seen, rewards, terminated, truncated, info = env.step(np.array([action]))
            step.over, step.info = bool(terminated[0] | truncated[0]), info
            return seen[0], info["action_mask"][0], rewards[0]

        play_learner(course, seat, (seen[0], info["action_mask"][0]), step)
        assert step.over and step.info["returns"][0] == pytest.approx(course.returns)


def test_stable_baselines3(course):
    for seat in seats_of_the_first_role(course):
        env = poopdeck.make_sb3(course.name, 1, seed=SEED, **learner_of(course, seat))
        seen = env.reset()

        def step(action, env=env):
            seen, rewards, dones, _ = env.step(np.array([action]))
            step.over = bool(dones[0])
            return seen[0], env.action_masks()[0], rewards[0]

        play_learner(course, seat, (seen[0], env.action_masks()[0]), step)
        assert step.over


def test_torchrl(course):
    if importlib.util.find_spec("torchrl") is None:
        pytest.skip("needs an extra with torchrl: make test-extras")
    import torch

    from poopdeck.envs.adapters.torchrl import SeatTorchEnv

    for seat in seats_of_the_first_role(course):
        env = SeatTorchEnv(poopdeck.game(course.name), 1, **learner_of(course, seat))
        env.set_seed(SEED)
        now = env.reset()

        def step(action, env=env):
            after = env.step(step.now.set("action", torch.tensor([action])))["next"]
            step.over, step.now = bool(after["done"][0]), after.clone()
            assert bool(after["terminated"][0] | after["truncated"][0]) == step.over
            return after["observation"][0].numpy(), after["action_mask"][0].numpy(), float(after["reward"][0])

        step.now = now
        play_learner(course, seat, (now["observation"][0].numpy(), now["action_mask"][0].numpy()), step)
        assert step.over


def test_agents_that_are_asked(course):
    game = poopdeck.game(course.name)
    s, script = game.new_state(SEED, **course.settings), Scripted(course)
    for decision in course.decisions:
        action = ask_about(script, game, s, np.random.default_rng(0), new_game=False)
        assert action == decision.action
        game.apply_action(s, action)
    assert game.returns(s).tobytes() == course.returns.tobytes()
