"""Opponents by level: the same names everywhere, at every table; where there is no network they say so."""

import json
import pathlib
import warnings

import numpy as np
import pytest
from training_runs import small_config

import poopdeck
from poopdeck.agents.levels.distracted import DistractedAgent
from poopdeck.agents.levels.level import LEVELS
from poopdeck.agents.levels.weights import SHIPPED, find_shipped, shipped
from poopdeck.agents.loading import all_names, load_agent
from poopdeck.agents.network.role_networks import RoleNetworks
from poopdeck.agents.random import RandomAgent
from poopdeck.envs.core import registry
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run import ship as shipping
from poopdeck.training.run.train import train

TABLES = [
    (name, variant, players)
    for name in registry.BUILT_IN
    for variant in registry.spec(name).variants
    for players in range(registry.spec(name).min_players, registry.spec(name).default_players + 1)
]
NETWORKS = [(name, one) for name in registry.BUILT_IN for one in shipped(registry.spec(name))]


@pytest.fixture(scope="module")
def trained_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "run"
    train(small_config(), folder, quiet=True)
    return folder


def quietly(name, game, settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return load_agent(name, game, settings)


@pytest.mark.parametrize(("name", "variant", "players"), TABLES)
def test_every_level_plays_at_every_table(name, variant, players):
    game = registry.game(name)
    try:
        settings = game.spec.variant_settings(variant, players)
    except ValueError:
        pytest.skip("this variant is not for so few players")
    for level in LEVELS:
        agent = quietly(level, game, settings)
        assert agent.name.split(" ")[0] == level


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_the_first_levels_rise(name):
    """``easy`` loses to ``medium``, which is the best heuristic, and beats random play."""
    game = registry.game(name)
    settings = game.spec.settings()
    easy, medium, random = (quietly(level, game, settings) for level in ("easy", "medium", "random"))
    roles = {registry.spec(name).roles[role].name for role in game.spec.seat_roles(settings)}
    for role in roles:
        at_medium = evaluate(game, settings, easy, [medium], 400, 5, role=role)
        par = evaluate(game, settings, medium, [medium], 400, 5, role=role)
        assert at_medium.mean_payoff < par.mean_payoff
        at_random = evaluate(game, settings, easy, [random], 400, 5, role=role)
        lost = evaluate(game, settings, random, [random], 400, 5, role=role)
        assert at_random.mean_payoff > lost.mean_payoff


def test_without_a_network_hard_says_so():
    game = registry.game("poop")
    settings = game.spec.variant_settings("interceptor", 5)
    with pytest.warns(UserWarning, match="level hard at a table of poop, 5 players, variant=interceptor"):
        agent = load_agent("hard", game, settings)
    assert agent.name == "hard (heuristic)"


def test_a_network_is_taken_only_where_it_serves(monkeypatch, tmp_path):
    game = registry.game("poo_head")
    spec = game.spec
    folder = tmp_path / "poo_head" / "4p"
    folder.mkdir(parents=True)
    card = {"players": 4, "variants": ["default", "points"]}
    (folder / "level.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setattr("poopdeck.agents.levels.weights.SHIPPED", tmp_path)
    assert find_shipped(spec, spec.settings(4)).folder == folder
    assert find_shipped(spec, spec.variant_settings("points", 4)).folder == folder
    assert find_shipped(spec, spec.settings(4, history=8)).folder == folder
    assert find_shipped(spec, spec.variant_settings("voluntary_pickup", 4)) is None
    assert find_shipped(spec, spec.settings(3)) is None


@pytest.mark.parametrize(
    ("name", "one"), NETWORKS, ids=lambda value: getattr(value, "folder", value) and str(value)[:40]
)
def test_each_shipped_network_plays_and_has_a_card(name, one):
    game = registry.game(name)
    for variant in one.facts["variants"]:
        settings = game.spec.variant_settings(variant, one.facts["players"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            agent = load_agent("hard", game, settings)
        agent.networks.check_fits(game.spec, settings, any_settings=True)
    assert {"command", "config", "seed", "commit", "samples", "hours", "figures"} <= set(one.facts)


def test_the_wheel_stays_small():
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) < 12_000_000


def test_the_distracted_do_what_is_legal():
    rng = np.random.default_rng(3)
    masks = (rng.random((500, 9)) < 0.4).astype(np.int8)
    masks[:, 4] = 1

    class Fourth:
        name = "fourth"

        def act(self, observations, masks, rng):
            return np.full(len(masks), 4)

    agent = DistractedAgent(Fourth(), 1 / 3, "easy")
    actions = agent.act(np.zeros((500, 2), np.float32), masks, rng)
    assert masks[np.arange(500), actions].all()
    assert 0.5 < (actions == 4).mean() < 0.95
    with pytest.raises(ValueError, match="distraction=2: allowed is 0 to 1"):
        DistractedAgent(RandomAgent(), 2, "easy")


def test_levels_are_named_wherever_agents_are(capsys):
    game = registry.game("poo_head")
    assert set(LEVELS) < set(all_names(game))
    with pytest.raises(ValueError, match="easy, medium, hard, expert"):
        load_agent("mediun2", game, game.spec.settings())
    assert poopdeck.load_agent("medium", "poo_head").name == "medium"
    with pytest.raises(ValueError, match="do not search themselves"):
        load_agent("search:playouts=expert", game, game.spec.settings())


def test_the_expert_searches(monkeypatch):
    game = registry.game("poop")
    settings = game.spec.settings(2)
    agent = load_agent("expert", game, settings)
    assert agent.name == "expert" and agent.options.ms == 100


def test_shipping_keeps_what_is_there(tmp_path, monkeypatch, trained_run):
    monkeypatch.setattr(shipping, "SHIPPED", tmp_path)
    folder = shipping.ship(trained_run, "2p", ["default"], "abc")
    with pytest.raises(ValueError, match="there is a network already"):
        shipping.ship(trained_run, "2p", ["default"], "abc")
    with pytest.raises(ValueError, match="variants='nonsense'"):
        shipping.ship(trained_run, "2q", ["nonsense"], "abc")
    with pytest.raises(ValueError, match="no trained network"):
        shipping.ship(tmp_path / "nothing", "2p", ["default"], "abc")
    card = json.loads((folder / "level.json").read_text(encoding="utf-8"))
    assert card["commit"] == "abc" and card["figures"]
    half, whole = RoleNetworks.load(folder), RoleNetworks.load(pathlib.Path(trained_run) / "weights")
    rows = np.random.default_rng(0).random((64, half.by_role[""].sizes[0])).astype(np.float32)
    assert np.abs(half.logits(rows) - whole.logits(rows)).max() < 0.05
