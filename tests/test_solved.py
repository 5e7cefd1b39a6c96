"""Exact figures of small games: the tree, its value, best responses, and the page of agents in a solved game."""

import json
import pathlib

import numpy as np
import pytest
import solved_page
import yaml

import poopdeck
from poopdeck.agents.network.agent import NetworkAgent
from poopdeck.agents.network.network import Network
from poopdeck.agents.random import RandomAgent
from poopdeck.training.benchmark.deals import all_deals
from poopdeck.training.benchmark.equilibrium import (
    best_response,
    exploitability,
    payoff,
    plan_of,
    policy_of,
    policy_of_plan,
    solve,
)
from poopdeck.training.benchmark.exploit import exploit
from poopdeck.training.benchmark.tree import Decisions, Tree, build_tree

DECK, LID = {"red 2": 8, "yellow 4": 8}, 21
OPTIONS = {"variant": "deep_doo_doo", "deck": DECK, "toilet_deck": [[LID, "blue"]]}


def positions(deck=DECK, **options):
    """Every beginning of a game of this deck where seat 0 begins, and their probabilities."""
    game, deals = poopdeck.game("poop"), all_deals(deck, [5, 5])
    table = {"players": 2, **OPTIONS, "deck": deck, "lid": LID, "water": "blue", "toilets": [], "turn": 0, "seed": 0}
    dealt = [game.load({**table, "hands": deal.hands, "draw_pile": deal.rest, **options}) for deal in deals]
    return dealt, [deal.probability for deal in deals]


@pytest.fixture(scope="module")
def small():
    return build_tree(poopdeck.game("poop"), *positions())


def kuhn():
    """Kuhn's poker of three cards: pass or bet, bet or fold; the first to act loses 1 / 18 a game (Kuhn 1950)."""
    # Information states of a seat: card * 2 + (0 at its first choice, 1 at its second; of seat 1: after pass, bet).
    decisions = []
    for seat in (0, 1):
        before = [1 + 2 * (state - 1) if seat == 0 and state % 2 else 0 for state in range(6)]
        observations, masks = np.arange(6, dtype=np.float32)[:, None], np.ones((6, 2), np.int8)
        decisions.append(Decisions(observations, masks, np.array(before), 1 + 2 * np.arange(6)))
    ends, paid = [], []
    for mine in range(3):
        for its in set(range(3)) - {mine}:
            sign = 1 if mine > its else -1
            passed, bet = 1 + 4 * mine, 2 + 4 * mine
            second_passed, second_bet = 3 + 4 * mine, 4 + 4 * mine
            it_passed, it_bet, it_folds, it_calls = (1 + 4 * its + k for k in range(4))
            for end, worth in (
                ((passed, it_passed), sign),
                ((second_passed, it_bet), -1),
                ((second_bet, it_bet), 2 * sign),
                ((bet, it_folds), 1),
                ((bet, it_calls), 2 * sign),
            ):
                ends.append(end)
                paid.append(worth / 6)
    return Tree((decisions[0], decisions[1]), np.array(ends), np.array(paid), 55, 0.0)


def test_kuhns_poker_has_its_value_and_bluffs():
    tree = kuhn()
    found = solve(tree)
    assert found.value == pytest.approx(-1 / 18, abs=1e-9)
    assert payoff(tree, found.plans) == pytest.approx(-1 / 18, abs=1e-9)
    assert best_response(tree, 0, found.plans[1]) == pytest.approx(-1 / 18, abs=1e-9)
    assert best_response(tree, 1, found.plans[0]) == pytest.approx(1 / 18, abs=1e-9)
    second = policy_of_plan(tree.decisions[1], found.plans[1])
    assert second[1, 1] == 0 and second[5, 1] == 1  # after a bet: never call with the lowest card, always the highest
    assert second[3, 1] == pytest.approx(1 / 3) and second[0, 1] == pytest.approx(1 / 3)  # call, bluff
    uniform = tuple(np.full((6, 2), 0.5) for _ in range(2))
    worst = exploitability(tree, found.value, uniform)
    assert worst.worst == pytest.approx((-5 / 12, -1 / 2)) and worst.mean == pytest.approx(11 / 24)


def test_deals_are_all_there_are_with_their_probabilities():
    deals = all_deals({"a": 2, "b": 1}, [1, 1])
    assert [(deal.hands, deal.rest) for deal in deals] == [
        ([["b"], ["a"]], ["a"]),
        ([["a"], ["b"]], ["a"]),
        ([["a"], ["a"]], ["b"]),
    ]
    assert [deal.probability for deal in deals] == pytest.approx([1 / 3] * 3)
    with pytest.raises(ValueError, match="4 cards or more are wanted"):
        all_deals({"a": 3}, [2, 2])


def test_the_game_deals_what_the_tree_begins_with():
    """By chi squared: seats are alike, so who begins does not matter."""
    game, (dealt, chances) = poopdeck.game("poop"), positions()
    known = {dealt_of(game, s): chance for s, chance in zip(dealt, chances, strict=True)}
    assert len(known) == len(dealt) and sum(chances) == pytest.approx(1)
    count = dict.fromkeys(known, 0)
    for seed in range(4000):
        s = game.new_state(seed, num_players=2, **OPTIONS)
        count[dealt_of(game, s)] += 1
    off = sum((count[deal] - 4000 * chance) ** 2 / (4000 * chance) for deal, chance in known.items())
    assert off < 59  # of 29 degrees of freedom: above that once in a thousand


def dealt_of(game, s):
    """The hands, by the seat that begins."""
    hands = game.dump(s)["hands"]
    first = game.current_player(s)
    return tuple(hands[first]), tuple(hands[1 - first])


@pytest.mark.parametrize("options", [{}, {"max_decisions": 9}], ids=str)
def test_the_tree_is_the_game(options):
    """It has its positions, and pays what random play does."""
    game, (dealt, chances) = poopdeck.game("poop"), positions(**options)
    small = build_tree(game, dealt, chances)
    plans = tuple(plan_of(part, policy_of(RandomAgent(), part)) for part in small.decisions)

    def expected(s):
        if game.is_terminal(s):
            return 1, float(game.returns(s)[0]), float(game.is_truncated(s))
        found = []
        for action in game.legal_actions(s):
            after = game.clone(s)
            game.apply_action(after, action)
            found.append(expected(after))
        counts, worths, ended = zip(*found, strict=True)
        return 1 + sum(counts), sum(worths) / len(worths), sum(ended) / len(ended)

    counts, worths, ended = zip(*(expected(s) for s in dealt), strict=True)
    assert small.positions == sum(counts)
    assert payoff(small, plans) == pytest.approx(np.dot(worths, chances), abs=1e-9)
    assert small.truncated == pytest.approx(np.dot(ended, chances), abs=1e-9)
    assert (small.truncated > 0) == bool(options)
    for part in small.decisions:
        assert (part.before < part.first).all() and part.sequences == 1 + part.masks.sum()
        assert (np.diff(part.first) == part.count[:-1]).all()


def test_nobody_gains_on_the_equilibrium_and_it_gains_on_others(small):
    found = solve(small)
    best = [best_response(small, seat, found.plans[1 - seat]) for seat in (0, 1)]
    assert best == pytest.approx([found.value, -found.value], abs=1e-7)
    policies = tuple(policy_of_plan(part, plan) for part, plan in zip(small.decisions, found.plans, strict=True))
    assert exploitability(small, found.value, policies).mean == pytest.approx(0, abs=1e-7)
    uniform = tuple(policy_of(RandomAgent(), part) for part in small.decisions)
    assert exploitability(small, found.value, uniform).mean > 0.1
    rng = np.random.default_rng(0)
    for _ in range(3):
        other = tuple(normed(rng.random(part.masks.shape) * part.masks) for part in small.decisions)
        plans = tuple(plan_of(part, policy) for part, policy in zip(small.decisions, other, strict=True))
        assert payoff(small, (found.plans[0], plans[1])) >= found.value - 1e-7
        assert payoff(small, (plans[0], found.plans[1])) <= found.value + 1e-7
        assert best_response(small, 0, plans[1]) >= payoff(small, (plans[0], plans[1]))


def normed(chances):
    return chances / chances.sum(axis=1, keepdims=True)


def test_a_network_plays_what_its_probabilities_say(small):
    rng = np.random.default_rng(1)
    part = small.decisions[0]
    size = part.observations.shape[1]
    network = Network([rng.normal(size=(size, 40)).astype(np.float32)], [np.zeros(40, np.float32)], "relu")
    rows = np.flatnonzero(part.count > 1)[:1].repeat(20_000)
    for greedy in (True, False):
        agent = NetworkAgent(network, greedy=greedy)
        told = policy_of(agent, part)[rows[0]]
        taken = agent.act(part.observations[rows], part.masks[rows], rng)
        assert np.abs(np.bincount(taken, minlength=40) / len(rows) - told).max() < 0.02
        assert greedy == (told.max() == 1)

    class Mute:
        name = "mute"

    with pytest.raises(ValueError, match="mute: it does not tell the probabilities"):
        policy_of(Mute(), part)


def test_games_that_cannot_be_solved_are_refused(monkeypatch):
    game, (dealt, chances) = poopdeck.game("poop"), positions()
    with pytest.raises(ValueError, match="one or more"):
        build_tree(game, [])
    with pytest.raises(ValueError, match="30 above 0 with a sum of 1"):
        build_tree(game, dealt, chances[:-1])
    with pytest.raises(ValueError, match="same settings"):
        build_tree(game, [dealt[0], game.new_state(0, num_players=2)])
    with pytest.raises(ValueError, match="two seats"):
        build_tree(game, [game.new_state(0, num_players=3)])
    monkeypatch.setattr("poopdeck.training.benchmark.tree.MOST_POSITIONS", 100)
    with pytest.raises(ValueError, match="more than 100 positions"):
        build_tree(game, dealt, chances)


def test_what_a_learner_gains_is_below_what_a_best_response_gains(small, tmp_path):
    """What ``poopdeck exploit`` calls a lower bound is one; after so few samples it is a low one."""
    found = solve(small)
    policies = tuple(policy_of(RandomAgent(), part) for part in small.decisions)
    most = exploitability(small, found.value, policies).mean
    game = poopdeck.game("poop")
    table = {"players": 2, "options": OPTIONS}
    gain = exploit("random", game, table, tmp_path / "run", samples=60_000, games=2000)
    assert 0 < gain.gain_ci[0] and gain.gain_ci[1] < most


# -- the page --------------------------------------------------------------------------------------------------------

FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "agents"
SMALL = {
    "introduction": "# Solved", "rules": "Rules.", "reading": "Reading.", "crossing": "Crossing.", "conclusions": "So.",
    "bound": "Bound.", "responses": {"samples": [256], "games": 8},
    "game": "poop", "players": 2, "seeds": 1, "samples": 256, "hand": 5,
    "options": {**OPTIONS, "deck": {"red 2": 5, "yellow 4": 5}},
    "position": {"lid": LID, "water": "blue", "toilets": [], "turn": 0, "seed": 0},
    "common": {
        "num_envs": 8, "network": {"hidden": [8]}, "opponents": [{"agent": "random"}],
        "evaluation": {"every": 0, "final_games": 4}, "checkpoint": {"every": 1000},
    },
    "algorithms": {
        "ppo": {"algo": "ppo", "ppo": {"n_steps": 16, "batch_size": 64}},
        "ppo, slow": {"algo": "ppo", "ppo": {"n_steps": 16, "batch_size": 64, "learning_rate": 1e-6}},
    },
}  # fmt: skip


def test_the_page_fits_its_figures():
    assert solved_page.main(["--check"]) == 0, "write it anew: python docs/make/solved_page.py"


def test_the_figures_are_of_the_game_and_the_runs_that_are_planned():
    plan = yaml.safe_load((FOLDER / "solved.yaml").read_text())
    figures = json.loads((FOLDER / "solved.json").read_text())
    tree, found = solved_page.solved(plan)
    assert figures["game"] == solved_page.facts_of(tree, found)
    random = solved_page.figures_of(tree, found, solved_page.policies_of(tree, RandomAgent()))
    assert figures["random"] == random
    assert [one["samples"] for one in figures["responses"]] == plan["responses"]["samples"]
    assert all(one["interval"][0] <= one["gain"] <= one["interval"][1] for one in figures["responses"])
    assert all(one["interval"][0] < random["exploitability"] for one in figures["responses"])
    known = [{key: run[key] for key in ("algorithm", "seed", "config")} for run in figures["runs"]]
    assert known == list(solved_page.planned(plan))
    assert all(solved_page.config_of(run["config"]) for run in known)


def test_algorithms_come_as_near_to_the_value_as_is_claimed():
    runs = json.loads((FOLDER / "solved.json").read_text())["runs"]

    def drawn(algorithm):
        return [run["sampled"]["exploitability"] for run in runs if run["algorithm"] == algorithm]

    assert max(drawn("mmd") + drawn("ppo")) < 0.02
    best = max(np.mean(drawn("mmd")), np.mean(drawn("ppo")))
    others = {run["algorithm"] for run in runs} - {"mmd", "ppo"}
    assert others and all(np.mean(drawn(algorithm)) > best for algorithm in others)


def test_measuring_trains_once_and_a_page_that_says_something_else_is_noticed(tmp_path):
    own = ["--folder", str(tmp_path)]
    measure = ["--measure", "--runs", str(tmp_path / "runs"), *own]
    (tmp_path / "solved.yaml").write_text(yaml.safe_dump(SMALL, sort_keys=False))
    assert solved_page.main(measure) == 0
    first = json.loads((tmp_path / "solved.json").read_text())
    assert [run["algorithm"] for run in first["runs"]] == ["ppo", "ppo, slow"]
    assert set(first["crossing"]["ppo"]) == {"ppo, slow"}
    assert first["crossing"]["ppo"]["ppo, slow"] == -first["crossing"]["ppo, slow"]["ppo"]
    for run in first["runs"]:
        assert run["sampled"]["exploitability"] == pytest.approx(
            (run["sampled"]["first"] + run["sampled"]["second"]) / 2, abs=1e-5
        )
        assert run["sampled"]["equilibrium"] >= -run["sampled"]["exploitability"] - 1e-6
    weights = tmp_path / "runs" / "ppo-0" / "weights" / "network.safetensors"
    written = weights.stat().st_mtime_ns
    assert solved_page.main(measure) == 0  # nothing is left to train
    assert json.loads((tmp_path / "solved.json").read_text()) == first and weights.stat().st_mtime_ns == written
    assert solved_page.main(["--check", *own]) == 0
    (tmp_path / "solved.yaml").write_text(yaml.safe_dump({**SMALL, "samples": 512}, sort_keys=False))
    with pytest.raises(ValueError, match="trained by another config"):
        solved_page.main(measure)
    (tmp_path / "solved.md").write_text("something else")
    assert solved_page.main(["--check", *own]) == 1
