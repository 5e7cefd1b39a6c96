"""What all interfaces ask for alike: their own keyword arguments, beside them the game's parameters."""

import inspect
import pickle

import gymnasium
import numpy as np
import pytest

import poopdeck
from poopdeck.envs.adapters import spaces
from poopdeck.envs.adapters.gymnasium import SeatEnv
from poopdeck.envs.adapters.sb3 import SeatVecEnv
from poopdeck.envs.core import registry
from poopdeck.envs.core.game import State
from poopdeck.envs.tables.truncation import FOR_ALL_SEATS, FOR_LEARNERS
from poopdeck.training.config.schema import TrainConfig

MAKE = {
    "make": lambda name, **given: poopdeck.make(name, **given),
    "make_parallel": lambda name, **given: poopdeck.make_parallel(name, **given),
    "make_vec": lambda name, **given: poopdeck.make_vec(name, 2, **given),
    "make_gymnasium": lambda name, **given: poopdeck.make_gymnasium(name, **given),
    "make_sb3": lambda name, **given: poopdeck.make_sb3(name, 2, **given),
    "make_gymnasium_vec": lambda name, **given: poopdeck.make_gymnasium_vec(name, 2, **given),
    "gymnasium.make": lambda name, **given: gymnasium.make(f"poopdeck/{name}-v0", **given),
}


def settings_of(env):
    env = getattr(env, "unwrapped", env)
    return (getattr(env, "seats", None) or env).settings


@pytest.mark.parametrize("interface", MAKE)
@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_every_interface_takes_a_variant_and_parameters_beside_it(interface, name):
    spec = registry.spec(name)
    for variant in spec.variants:
        env = MAKE[interface](name, num_players=3, variant=variant, max_decisions=77)
        assert settings_of(env) == spec.settings(3, **spec.variants[variant], max_decisions=77)
        env.close()


@pytest.mark.parametrize("interface", MAKE)
def test_a_name_that_nobody_knows_is_an_unexpected_keyword(interface):
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="did you mean 'bombs'.*unexpected keyword argument 'bomb'"):
            MAKE[interface]("poo_head", bomb=3)
    with pytest.raises(ValueError, match="variant='pointz': did you mean 'points'"):
        MAKE[interface]("poo_head", variant="pointz")


@pytest.mark.parametrize(
    ("interface", "wrong", "near"),
    [
        ("make", "rendermode", "render_mode"),
        ("make_parallel", "render_mod", "render_mode"),
        ("make_vec", "thread", "threads"),
        ("make_gymnasium", "truncate_as", "truncated_as"),
        ("make_gymnasium", "learner_seat", "learner_seats"),
        ("make_sb3", "seeds", "seed"),
    ],
)
def test_a_misspelt_argument_of_the_interface_is_told_apart_from_parameters(interface, wrong, near):
    with pytest.raises(
        TypeError, match=f"no parameter '{wrong}': did you mean '{near}'.* this interface takes .*{near}"
    ):
        MAKE[interface]("poo_head", **{wrong: 1})


def test_what_is_no_argument_of_an_interface_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'threads'"):
        poopdeck.make("poo_head", threads=2)
    with pytest.raises(TypeError, match="positional"):
        poopdeck.make("poo_head", 3, "ansi")


def test_a_truncated_game_counts_the_same_wherever_one_policy_learns():
    makers = (poopdeck.make_gymnasium, poopdeck.make_sb3, SeatEnv, SeatVecEnv)
    for maker in (poopdeck.make, poopdeck.make_parallel, poopdeck.make_vec):
        assert inspect.signature(maker).parameters["truncated_as"].default == FOR_ALL_SEATS == "payoff"
    assert {inspect.signature(maker).parameters["truncated_as"].default for maker in makers} == {FOR_LEARNERS}
    assert TrainConfig.model_fields["truncated_as"].default == FOR_LEARNERS == "ranked"


def test_by_default_a_truncated_game_is_an_end_that_is_paid_by_its_ranking():
    def last(**given):
        env = poopdeck.make_gymnasium("poo_head", "random", num_players=3, max_decisions=30, **given)
        found = []
        for seed in range(8):
            _, info = env.reset(seed=seed)
            over, rng = False, np.random.default_rng(seed)
            while not over:
                action = rng.choice(np.flatnonzero(info["action_mask"]))
                _, reward, terminated, truncated, info = env.step(action)
                over = terminated or truncated
            found.append((reward, terminated, truncated))
        return found

    assert last() == last(truncated_as="ranked") != last(truncated_as="payoff")
    assert all(terminated and not truncated for _, terminated, truncated in last())
    assert any(reward for reward, _, _ in last())


# A cap that random play always reaches before the end.
CAPS = {"poo_head": 30, "pooman": 12, "poop": 6, "too_many_poops": 12}


def truncated_by_turns(name, seed, truncated_as):
    """A game of the AEC environment up to its cap: environment, all that every seat got, actions, how it ended."""
    env = poopdeck.make(name, 3, max_decisions=CAPS[name], truncated_as=truncated_as)
    env.reset(seed=seed)
    rng, total, played = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0), []
    last = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        if terminated or truncated:
            last[agent] = (terminated, truncated)
        else:
            played.append(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        env.step(None if agent in last else played[-1])
    return env, list(total.values()), played, set(last.values())


@pytest.mark.parametrize("truncated_as", ["payoff", "ranked", "loss"])
@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_a_truncated_game_counts_as_asked_for_all_seats(name, truncated_as):
    ranked = 0
    for seed in range(6):
        env, total, played, ends = truncated_by_turns(name, seed, truncated_as)
        state = env.snapshot()
        assert env.game.is_truncated(state)
        assert ends == {(False, True)} if truncated_as == "payoff" else {(True, False)}
        if truncated_as == "ranked":
            assert total == pytest.approx(env.game.truncated_returns(state))
            assert sum(total) == pytest.approx(0.0, abs=1e-6)
            ranked += any(total)
        else:
            assert total == [-1.0 if truncated_as == "loss" else 0.0] * len(total)
        assert env.game.dump(state) == replayed(env.game, state, played)
    assert ranked or truncated_as != "ranked"


def replayed(game, state, actions):
    """The same game through the plain interface, dumped."""
    settings = dict(state.settings)
    again = game.new_state(state.seed, settings.pop("num_players"), **settings)
    for action in actions:
        game.apply_action(again, action)
    return game.dump(again)


@pytest.mark.parametrize("truncated_as", ["payoff", "ranked", "loss"])
@pytest.mark.parametrize("name", ["poo_head", "pooman"])
def test_a_truncated_game_counts_the_same_in_the_parallel_environment(name, truncated_as):
    env = poopdeck.make_parallel(name, 3, max_decisions=CAPS[name], truncated_as=truncated_as)
    for seed in range(4):
        rng, total = np.random.default_rng(seed), np.zeros(len(env.possible_agents))
        observations, _ = env.reset(seed=seed)
        while env.agents:
            masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
            actions = {agent: int(rng.choice(np.flatnonzero(mask))) for agent, mask in masks.items()}
            observations, rewards, terminated, truncated, _ = env.step(actions)
            total += list(rewards.values())
        state = env.snapshot()
        assert env.game.is_truncated(state)
        assert set(truncated.values()) == {truncated_as == "payoff"} != set(terminated.values())
        ranked = {"payoff": np.zeros_like(total), "loss": -np.ones_like(total)}
        assert total == pytest.approx(ranked.get(truncated_as, env.game.truncated_returns(state)))


@pytest.mark.parametrize("truncated_as", ["payoff", "ranked", "loss"])
@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_a_truncated_game_counts_the_same_in_a_batch(name, truncated_as):
    """Table by table as through the plain interface, which plays the same actions."""
    batch = poopdeck.make_vec(name, 8, 3, max_decisions=CAPS[name], truncated_as=truncated_as)
    batch.reset(seed=5)
    game, rng, ended = poopdeck.game(name), np.random.default_rng(5), 0
    while ended < 8:
        states = [State(batch.states[i : i + 1].copy(), batch.settings) for i in range(8)]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.mask])
        batch.step(actions)
        for i, state in enumerate(states):
            game.apply_action(state, int(actions[i]))
            assert (batch.terminated[i] or batch.truncated[i]) == game.is_terminal(state)
            if not game.is_terminal(state):
                continue
            truncated = game.is_truncated(state)
            assert batch.truncated[i] == (truncated and truncated_as == "payoff") != batch.terminated[i]
            counted = {"payoff": game.returns(state), "loss": np.full(len(batch.rewards[i]), -1.0)}
            wanted = counted.get(truncated_as, game.truncated_returns(state)) if truncated else game.returns(state)
            assert batch.rewards[i] == pytest.approx(wanted)
            assert (batch.final_returns[i] == game.returns(state)).all()
            ended += truncated
    if truncated_as == "ranked":
        copy = pickle.loads(pickle.dumps(batch))
        assert copy.truncated_as == "ranked"


@pytest.mark.parametrize("interface", MAKE)
def test_what_a_truncated_game_may_count_as_is_checked(interface):
    with pytest.raises(ValueError, match="truncated_as='draw': allowed is 'payoff', 'ranked', 'loss'"):
        MAKE[interface]("poo_head", truncated_as="draw")


def test_the_action_space_draws_what_gymnasiums_draws():
    own, gymnasiums = spaces.Actions(40), gymnasium.spaces.Discrete(40)
    assert own == gymnasiums and gymnasiums == own and pickle.loads(pickle.dumps(own)) == own
    random = np.random.default_rng(0)
    own.seed(5), gymnasiums.seed(5)
    for _ in range(300):
        mask = (random.random(40) < random.random() ** 3).astype(np.int8)
        drawn, expected = own.sample(mask), gymnasiums.sample(mask)
        assert drawn == expected and type(drawn) is type(expected)
        assert own.sample() == gymnasiums.sample()
        own, gymnasiums = pickle.loads(pickle.dumps((own, gymnasiums)))


@pytest.mark.parametrize(
    "mask", [np.ones(39, np.int8), np.ones(40), np.full(40, 2, np.int8), -np.eye(40, dtype=np.int8)[7], [1] * 40]
)
def test_what_is_no_mask_is_refused(mask):
    with pytest.raises(AssertionError, match="sample mask"):
        spaces.Actions(40).sample(mask)
