"""The heuristics of Poop: The Game: legal everywhere, as strong as they claim, and the ideas in them on positions."""

import math
import re

import numpy as np
import pytest
from documents import ROOT, section, table_rows
from support.heuristics import check_plain_python_chooses_the_same, choice, one_against

import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.agents.heuristic.poop import counts
from poopdeck.agents.heuristic.poop.facts import FACTS
from poopdeck.agents.heuristic.poop.weights import TABLE
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.evaluation.match import play_games

GAME = poopdeck.game("poop")
VARIANTS = ("classic", "blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo")
NAMES = GAME.spec.action_names(GAME.spec.settings())
VALUE = np.array([int(name[-1]) if name.startswith("play") and name[-1].isdigit() else 0 for name in NAMES])


def chosen(s, strength="best"):
    """The name of what a heuristic chooses in a position."""
    return choice(GAME, s, strength)


def position(hands, **fields):
    """A position with exactly the cards given; seat 0 is to act."""
    return GAME.load({"hands": hands, "lid": 10, "water": "red", "draw_pile": [], "seed": 1, **fields})


def duels(first, second, num_players, games, **options):
    """How often ``first`` wins at a table of ``second``, and the 95 % interval."""
    return one_against(GAME, (first, second), num_players, games // num_players, lambda returns: returns > 0, **options)


class Preferring:
    """Plays what ``prefer(observation by blocks, random numbers)`` values most, ties by chance."""

    def __init__(self, name, prefer, **options):
        self.name, self.prefer = name, prefer
        self.slices = GAME.spec.observation_slices(GAME.spec.settings(**options))

    def act(self, observations, masks, rng):
        blocks = {name: observations[:, place] for name, place in self.slices.items()}
        scores = self.prefer(blocks) + 0.5 * rng.random(masks.shape)
        return np.where(masks > 0, scores, -np.inf).argmax(axis=1)


def lowest(blocks):
    return -VALUE


def highest_but_no_flush(blocks):
    return VALUE


def below_eight(blocks):
    """blind_pooper: flushes, otherwise keeps the total below 8, with as high a card as that allows."""
    flushing = np.pad(np.repeat(blocks["flushing"], 10, axis=1), [(0, 0), (0, 10)]) > 0
    fits = np.rint(32 * blocks["total"]) + VALUE < 8
    return np.where(flushing, 100 + VALUE, np.where(fits, VALUE, -VALUE - 10))


def always(action):
    return lambda blocks: np.arange(GAME.spec.num_actions) == GAME.action(action)


# The specification's figures. Measured there with an error of about a hundredth (uniform play: .504 and .258).

FIGURES = [
    ("heuristic:highest", 2, 0.665, {}),
    ("heuristic:highest", 4, 0.454, {}),
    (highest_but_no_flush, 2, 0.645, {}),
    (highest_but_no_flush, 4, 0.387, {}),
    (lowest, 2, 0.344, {}),
    (lowest, 4, 0.151, {}),
    ("random", 2, 0.504, {}),
    ("random", 4, 0.258, {}),
    (below_eight, 2, 0.69, {"variant": "blind_pooper"}),
    (below_eight, 4, 0.45, {"variant": "blind_pooper"}),
    (always("intercept"), 2, 0.51, {"variant": "interceptor"}),
    (always("intercept"), 4, 0.29, {"variant": "interceptor"}),
]


@pytest.mark.parametrize(("agent", "num_players", "figure", "options"), FIGURES)
def test_known_figures_against_random_players(agent, num_players, figure, options):
    if callable(agent):
        agent = Preferring("", agent, num_players=num_players, **options)
    rate, interval = duels(agent, "random", num_players, 4000, **options)
    assert abs(rate - figure) < interval + 0.015


@pytest.mark.parametrize(("answer", "num_players", "figure"), [("slap", 2, 0.83), ("slap", 4, 0.63), ("hold", 4, 0.03)])
def test_known_figures_of_super_pooper(answer, num_players, figure):
    agent = Preferring("", always(answer), num_players=num_players)
    rate, interval = duels(agent, "random", num_players, 600, variant="super_pooper")
    assert abs(rate - figure) < interval + 0.02


# Strength


@pytest.mark.parametrize("num_players", [2, 4])
def test_best_beats_highest(num_players):
    rate, interval = duels("heuristic", "heuristic:highest", num_players, 4000)
    assert rate - interval > {2: 0.63, 4: 0.265}[num_players]


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_best_beats_random_players_in_every_variant(variant, num_players):
    games = 600 if variant == "super_pooper" else 2000
    rate, interval = duels("heuristic", "random", num_players, games, variant=variant)
    assert rate - interval > 1 / num_players + 0.06


def page_figures():
    """(variant, players, agent, opponent, rate) of the table on the game's page, and what its half interval is."""
    pairs = [("heuristic", "heuristic:highest"), ("heuristic", "random"), ("heuristic:highest", "random")]
    for row in table_rows(section(ROOT / "docs" / "games" / "poop.md", "Agents")):
        if len(row) == 2 + len(pairs):
            variant = {"base game": "default"}.get(row[0], row[0].split(",")[0])
            for pair, cell in zip(pairs, row[2:], strict=True):
                if cell.startswith("."):
                    rate, low, high = map(float, re.findall(r"\.\d+", cell))
                    yield pytest.param(
                        variant, int(row[1]), *pair, rate, (high - low) / 2, id=f"{row[0]}-{row[1]}-{pair}"
                    )


@pytest.mark.parametrize(("variant", "num_players", "agent", "opponent", "rate", "within"), list(page_figures()))
def test_the_figures_of_the_page_are_what_the_agents_reach(variant, num_players, agent, opponent, rate, within):
    settings = GAME.spec.settings(num_players, **GAME.spec.variants[variant])
    agents = [load_agent(name, GAME, settings) for name in (agent, opponent)]
    games = 300 if variant == "super_pooper" else 2000
    found = evaluate(GAME, settings, agents[0], agents[1:], games, seed=3, threads=1).rates
    name = next(iter(found))
    low, high = found[f"{name}_ci"]
    assert abs(found[name] - rate) < within + (high - low) / 2


def test_both_strengths_are_listed():
    assert {"heuristic", "heuristic:highest"} <= set(agent_names(GAME))


def test_every_fact_has_its_weights():
    assert tuple(TABLE) == FACTS
    assert {len(weights) for weights in TABLE.values()} == {10}


# Legal choices in every setting


@pytest.mark.parametrize("num_players", [2, 3, 5])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_choice_is_legal(variant, num_players):
    others = {"edition": "party_pooper", "two_player_reverse": "skip", "drinking": True, "duties": "forgetful"}
    others["lid_itself"] = "fits"
    settings = GAME.spec.settings(num_players, variant=variant, max_decisions=300, **others)
    agents = [load_agent(name, GAME, settings) for name in ("heuristic", "heuristic:highest", "random")]
    lineups = np.random.default_rng(1).integers(0, 3, (60, num_players))
    results = play_games(GAME, settings, agents, lineups, np.arange(60), seed=2)
    assert (results.forfeited < 0).all()


def test_another_deck_and_other_toilets_are_no_hindrance():
    options = {"deck": {"red 1": 30, "blue 4": 30, "yellow wild grunt": 20}, "toilet_deck": [[3, "red"], [40, "blue"]]}
    for variant in VARIANTS:
        settings = GAME.spec.settings(3, variant=variant, max_decisions=200, **options)
        best = load_agent("heuristic", GAME, settings)
        results = play_games(GAME, settings, [best], np.zeros((20, 3), np.int64), np.arange(20), seed=2)
        assert (results.forfeited < 0).all()


def test_the_same_seed_gives_the_same_games():
    settings = GAME.spec.settings(3)
    agents = [load_agent(name, GAME, settings) for name in ("heuristic", "random")]
    lineups = np.tile([0, 1, 0], (200, 1))
    first, second, other = (play_games(GAME, settings, agents, lineups, np.arange(200), seed) for seed in (4, 4, 5))
    assert (first.returns == second.returns).all() and (first.lengths == second.lengths).all()
    assert (first.lengths != other.lengths).any()


CHOICES = """
import numpy as np
import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.agents.heuristic.poop import counts

game = poopdeck.game("poop")
for variant in ("classic", "blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo"):
    s = game.new_state(seed=4, num_players=3, variant=variant, drinking=True)
    agents = [HeuristicAgent(game.spec, s.settings, strength) for strength in ("best", "highest")]
    rng = np.random.default_rng(5)
    for step in range(60):
        if game.is_terminal(s):
            break
        view = game.observation(s, game.current_player(s))[None], game.action_mask(s)[None]
        actions = [int(agent.act(*view, np.random.default_rng(step))[0]) for agent in agents]
        assert all(action in game.legal_actions(s) for action in actions)
        print(actions)
        game.apply_action(s, int(rng.choice(game.legal_actions(s))))
"""


def test_plain_python_chooses_the_same():
    check_plain_python_chooses_the_same(CHOICES, 80)


# Ideas


@pytest.mark.parametrize("strength", ["best", "highest"])
def test_a_flush_comes_before_a_higher_card(strength):
    s = position([["red 1", "blue 4", "blue 5"], ["blue 1", "yellow 2"]], table=["red 2", "red 2"], lid=16)
    assert chosen(s, strength) == "play red 1"


def test_highest_keeps_cards_that_are_worth_nothing():
    s = position([["red skip", "blue 1", "yellow 4"], ["blue 2"]], lid=4)
    assert chosen(s, "highest") == "play blue 1"


def test_drinks_are_shared_with_the_seat_that_has_the_fewest_cards():
    hands = [["blue 1", "blue 2"], ["red 1", "red 2"], ["red 3"], ["yellow 1", "yellow 2"]]
    s = GAME.load({"hands": hands, "drinking": True, "phase": "share", "table": [], "lid": 9, "draw_pile": []})
    assert chosen(s) == "share +2"


def test_nobody_takes_the_table_by_intercepting_unless_that_wins():
    fields = {"variant": "interceptor", "phase": "intercept", "table": ["blue 5", "red 2"], "lid": 7, "turn": 0}
    s = position([["blue 1"], ["red 2", "blue 1"]], **fields)
    assert chosen(s) == "pass"
    s = position([["blue 1"], ["red 2"]], **fields)
    assert chosen(s) == "intercept"


def test_best_does_not_lay_the_second_card_before_a_seat_that_has_the_third():
    fields = {"table": ["yellow 1", "blue 2"], "lid": 12}
    hands = [["blue 3", "red 2", "yellow 1"], ["blue 1", "blue 4"]]
    s = position(hands, known=[[[], hands[1]], [[], []]], **fields)
    assert (chosen(s), chosen(s, "highest")) == ("play red 2", "play blue 3")


def test_best_skips_a_seat_that_would_play_its_last_card():
    hands = [["red 3", "blue 3", "yellow skip"], ["blue 2"], ["red 1", "red 2", "yellow 2"]]
    s = position(hands, table=["blue 1"], lid=7, known=[[[], ["blue 2"], []], [[], [], []], [[], [], []]])
    assert (chosen(s), chosen(s, "highest")) == ("play yellow skip", "play blue 3")


def test_best_stops_the_last_card_of_a_seat_with_a_total_that_leaves_no_room():
    hands = [["red 4", "blue 1", "red 1"], ["blue 2"], ["red 1", "red 2", "yellow 2"]]
    s = position(hands, table=["yellow 1"], lid=7, known=[[[], ["blue 2"], []], [[], [], []], [[], [], []]])
    assert chosen(s) == "play red 4"


def test_best_plays_up_to_the_only_lid_that_is_left_where_the_lid_itself_fits():
    used = [[lid, ("blue", "red", "yellow")[lid % 3]] for lid in range(6, 17) if lid != 12]
    fields = {"variant": "blind_pooper", "table": ["yellow 5", "red 5"], "used_toilets": used, "toilets": []}
    fields |= {"lid": 12, "water": "blue", "strict": True}
    hands = [["blue 2", "red skip"], ["yellow 1", "yellow 2"]]
    assert chosen(position(hands, **fields)) == "play red skip"
    assert chosen(position(hands, **fields, lid_itself="fits")) == "play blue 2"


def test_the_params_of_a_strength_tell_which_rules_are_played():
    params = set()
    blind = {"variant": "blind_pooper"}
    told = ({}, {"edition": "party_pooper"}, {"two_player_reverse": "skip"}, blind, {**blind, "lid_itself": "fits"})
    for options in told:
        settings = GAME.spec.settings(2, **options)
        strengths = ("best", "highest")
        params |= {HeuristicAgent(GAME.spec, settings, strength).compiled_form.params for strength in strengths}
    assert len(params) == 10 and min(params) == (0, 0, 0, 0, 0)


# Counting


def test_cards_as_one_number_count_like_cards_one_by_one():
    rng = np.random.default_rng(3)
    deck = counts.COPIES.astype(int)
    for _ in range(200):
        cards = rng.integers(0, deck + 1) if rng.random() < 0.9 else deck  # all there are, too
        block = np.concatenate([np.zeros(7), cards / deck, np.ones(5)]).astype(np.float32)
        by_colour = counts.cards_at(block, 7)
        by_face = cards.reshape(3, 10)
        assert [counts.held(colour) for colour in by_colour] == by_face.sum(axis=1).tolist()
        assert counts.held(sum(by_colour)) == cards.sum()
        for room in range(-3, 9):
            fitting = counts.held(sum(by_colour) & counts.numbers_below(room))
            assert fitting == by_face[:, [face for face in range(5) if face + 1 < room]].sum()
        assert counts.held(sum(by_colour) & counts.SPECIALS) == by_face[:, 5:].sum()


def test_chance_that_a_hand_has_none_of_some_cards():
    for unseen, wanted, hidden in [(12, 3, 4), (12, 0, 4), (5, 0, 6), (4, 4, 1), (4, 2, 3), (1, 0, 0), (9, 9, 0)]:
        if hidden > unseen - wanted:
            expected = 0.0
        else:
            expected = math.comb(unseen - wanted, hidden) / math.comb(unseen, hidden)
        assert counts.has_none(unseen, wanted, hidden) == pytest.approx(expected)
