"""The tables in TorchRL, by its own check and its collector; needs the extra ``torchrl`` (``make test-extras``)."""

import importlib.util

import pytest

if importlib.util.find_spec("torchrl") is None:
    pytest.skip('needs TorchRL: pip install "poopdeck[torchrl]"', allow_module_level=True)

import torch
from torchrl.envs.utils import check_env_specs

import poopdeck
from poopdeck.agents.random import RandomAgent
from poopdeck.envs.adapters.torchrl import SeatTorchEnv
from poopdeck.envs.core import registry
from poopdeck.envs.core.errors import IllegalActionError

GAMES = sorted(registry.BUILT_IN)


def tables(name="poop", count=8, seed=0, **options):
    env = SeatTorchEnv(poopdeck.game(name), count, [RandomAgent()], **options)
    env.set_seed(seed)
    return env


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_torchrls_own_check(name):
    check_env_specs(tables(name, 3))


def test_games_follow_each_other_and_every_choice_is_legal():
    env = tables(num_players=2)
    torch.manual_seed(0)
    course = env.rollout(120, break_when_any_done=False)
    assert course["action_mask"].any(-1).all()
    assert course["action_mask"].gather(-1, course["action"][..., None]).all()
    done, after = course["next", "done"][..., 0], course["next"]
    assert done.sum() > 60 and not after["action_mask"][done].any()
    assert (after["reward"][..., 0][done].abs() == 1).all() and not after["reward"][..., 0][~done].any()
    assert (after["observation"][:, :-1] == course["observation"][:, 1:]).all(-1)[~done[:, :-1]].all()
    assert not (after["observation"][:, :-1] == course["observation"][:, 1:]).all(-1)[done[:, :-1]].any()


def test_the_same_seed_is_the_same_course():
    found = []
    for seed in (3, 3, 4):
        torch.manual_seed(0)
        found.append(tables(num_players=2, seed=seed).rollout(30, break_when_any_done=False)["observation"])
    assert torch.equal(found[0], found[1]) and not torch.equal(found[0], found[2])


def test_single_tables_may_be_reset_in_the_middle_of_a_game():
    env = tables(num_players=2)
    now = env.rand_step(env.reset())["next"]
    asked = torch.zeros(8, 1, dtype=torch.bool)
    asked[2] = True
    fresh = env.reset(now.clone().set("_reset", asked))
    same = (fresh["observation"] == now["observation"]).all(-1)
    assert same.tolist() == [k != 2 for k in range(8)] and fresh["action_mask"].any(-1).all()
    assert torch.equal(fresh["observation"], torch.from_numpy(env.seats.obs))  # and the tables stand there
    env.rand_step(fresh)


def test_a_truncated_game_is_one_where_it_pays_what_the_environment_pays():
    for truncated_as in ("payoff", "loss"):
        env = tables("poo_head", num_players=2, max_decisions=10, truncated_as=truncated_as)
        after = env.rollout(30, break_when_any_done=False)["next"]
        done = after["done"][..., 0]
        assert done.any() and (after["truncated"][..., 0][done] == (truncated_as == "payoff")).all()
        assert (after["reward"][..., 0][done] == (0 if truncated_as == "payoff" else -1)).all()


def test_illegal_actions_and_wrong_parameters_are_told():
    env = tables(num_players=2)
    now = env.reset()
    wrong = now["action_mask"].int().argmin(dim=1)
    with pytest.raises(IllegalActionError, match="poop: table 0"):
        env.step(now.set("action", wrong))
    with pytest.raises(ValueError, match="num_players=9"):
        tables(num_players=9)
    with pytest.raises(TypeError, match="lid"):
        tables(lid=3)
