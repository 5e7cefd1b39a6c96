"""What all interfaces ask for alike: their own keyword arguments, beside them the game's parameters."""

import inspect

import gymnasium
import numpy as np
import pytest

import poopdeck
from poopdeck.envs.adapters.gymnasium import SeatEnv
from poopdeck.envs.adapters.sb3 import SeatVecEnv
from poopdeck.envs.core import registry
from poopdeck.envs.tables.truncation import FOR_LEARNERS
from poopdeck.training.config.schema import TrainConfig

MAKE = {
    "make": lambda name, **given: poopdeck.make(name, **given),
    "make_parallel": lambda name, **given: poopdeck.make_parallel(name, **given),
    "make_vec": lambda name, **given: poopdeck.make_vec(name, 2, **given),
    "make_gymnasium": lambda name, **given: poopdeck.make_gymnasium(name, **given),
    "make_sb3": lambda name, **given: poopdeck.make_sb3(name, 2, **given),
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
