"""Measuring strength: rotation, intervals, the JSON."""

import json
import math
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import poopdeck
from poopdeck.agents.loading import load_agent
from poopdeck.cli.app import app
from poopdeck.training.evaluation.evaluate import evaluate, table_text
from poopdeck.training.evaluation.intervals import mean_interval, rate_interval

GAME = poopdeck.game("poo_head")
SETTINGS = GAME.spec.settings(4)


def agent(name, settings=SETTINGS):
    return load_agent(name, GAME, settings)


def test_equal_agents_on_rotated_deals_are_exactly_equal():
    result = evaluate(GAME, SETTINGS, agent("heuristic:lowest"), [agent("heuristic:lowest")], 400)
    assert result.mean_payoff == pytest.approx(0, abs=1e-6)
    assert result.games == 400 and result.deals == 100
    assert result.rates["loss_rate"] == pytest.approx((1 - result.truncated_share) / 4, abs=1e-9)


@pytest.mark.parametrize(("players", "lowest_loss", "within"), [(4, 0.006, 0.006), (2, 0.085, 0.012)])
def test_lowest_first_against_random_seats_loses_as_rarely_as_measured_elsewhere(players, lowest_loss, within):
    settings = GAME.spec.settings(players)
    result = evaluate(GAME, settings, agent("heuristic:lowest", settings), [agent("random", settings)], 8000)
    assert result.rates["loss_rate"] == pytest.approx(lowest_loss, abs=within)
    low, high = result.rates["loss_rate_ci"]
    assert low < result.rates["loss_rate"] < high


def test_the_json_has_what_is_promised(tmp_path):
    result = evaluate(GAME, SETTINGS, agent("random"), [agent("heuristic"), agent("random"), agent("random")], 41)
    result.write(tmp_path / "a" / "b.json")
    content = json.loads((tmp_path / "a" / "b.json").read_text())
    assert content["games"] == 44  # whole deals
    assert content["against"] == ["heuristic", "random", "random"]
    for name in ("mean_payoff_ci", "loss_rate_ci"):
        low, high = content[name]
        assert low <= content[name.removesuffix("_ci")] <= high
    assert content["illegal_actions"] == 0 and 0 <= content["truncated_share"] <= 1
    assert content["settings"]["num_players"] == 4
    text = table_text(result)
    assert "loss rate" in text and "44 games" in text


def test_truncated_games_are_no_losses_and_are_counted_beside_them():
    settings = GAME.spec.settings(3, max_decisions=12)
    result = evaluate(GAME, settings, agent("random", settings), [agent("random", settings)], 60)
    assert (
        result.truncated_share == 1 and result.rates["loss_rate"] == 0 and result.rates["loss_rate_or_truncated"] == 1
    )
    assert result.rates["loss_rate_ci"][1] > 0  # never an interval of width 0


def test_matches_have_a_win_rate():
    settings = GAME.spec.settings(3, scoring="points", max_rounds=3)
    result = evaluate(GAME, settings, agent("heuristic", settings), [agent("random", settings)], 60)
    assert result.rates["win_rate"] > 0.5 and "loss_rate" not in result.rates


def test_illegal_actions_are_counted_for_the_agent_and_for_the_others():
    class Cheat:
        name = "cheat"

        def act(self, observations, masks, rng):
            return masks.argmin(axis=1)

    assert evaluate(GAME, SETTINGS, Cheat(), [agent("random")], 40).illegal_actions == 40
    assert evaluate(GAME, SETTINGS, agent("random"), [Cheat()], 40).opponents_illegal_actions == 40


def test_wrong_numbers_are_told():
    with pytest.raises(ValueError, match="against: 2 agents for 3 other seats"):
        evaluate(GAME, SETTINGS, agent("random"), [agent("random")] * 2, 8)
    with pytest.raises(ValueError, match="games=0"):
        evaluate(GAME, SETTINGS, agent("random"), [agent("random")], 0)


def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(200), 4)
    covered = {"mean": 0, "rate": 0}
    for _ in range(400):
        # Games of one deal are alike: a part of each value is common to its group.
        values = rng.normal(0.3, 1, 200).repeat(4) + rng.normal(0, 1, 800)
        _, low, high = mean_interval(values, groups)
        covered["mean"] += low <= 0.3 <= high
        chance = rng.beta(1, 3, 200).repeat(4)
        _, low, high = rate_interval(rng.random(800) < chance, groups)
        covered["rate"] += low <= 0.25 <= high
    for count in covered.values():
        assert 0.91 <= count / 400 <= 0.98  # four standard errors around 0.95


def test_an_interval_of_one_kind_of_result_is_wilsons():
    rate, low, high = rate_interval(np.zeros(100, bool), np.arange(100))
    assert rate == 0 and low == pytest.approx(0, abs=1e-12) and high == pytest.approx(0.0370, abs=1e-4)
    rate, low, high = rate_interval(np.ones(100, bool), np.arange(100))
    assert rate == 1 and high == 1 and low == pytest.approx(0.9630, abs=1e-4)
    assert math.isnan(mean_interval(np.ones(4), np.zeros(4))[1])


@pytest.mark.parametrize("games", [*range(1, 60), 6000])
def test_an_interval_holds_its_rate_whatever_the_rounding(games):
    for hits in (np.zeros(games, bool), np.ones(games, bool)):
        rate, low, high = rate_interval(hits, np.arange(games))
        assert 0 <= low <= rate <= high <= 1


def test_a_cluster_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    for more in (["--ray", "auto"], ["--ray", "auto", "--save", "games.jsonl"]):
        command = ["evaluate", "heuristic", "--against", "random", "--game", "poop", *more]
        ended = CliRunner().invoke(app, command)
        wanted = "cannot be written down" if "--save" in more else 'pip install "poopdeck[ray]"'
        assert ended.exit_code != 0 and wanted in str(ended.exception)
