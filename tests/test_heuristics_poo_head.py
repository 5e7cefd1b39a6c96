"""The heuristics of Poo Head: legal everywhere, as strong as they claim, and the ideas in them shown on positions."""

import numpy as np
import pytest
from support.heuristics import check_plain_python_chooses_the_same, choice, one_against

import poopdeck
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.training.evaluation.match import play_games

GAME = poopdeck.game("poo_head")


def chosen(s, strength="best"):
    """The name of what a heuristic chooses in a position."""
    return choice(GAME, s, strength)


def position(hands, **fields):
    """A position in play with exactly the cards given; seat 0 is to act."""
    empty = [[] for _ in hands]
    blank = {"turn": 0, "face_up": empty, "face_down": empty, "pile": [], "draw_pile": []}
    return GAME.load({"hands": hands, **blank, **fields})


def duels(first, second, num_players, deals, **options):
    """Chance of ``first`` to be the Poo Head at a table of ``second``, and its 95 % interval."""
    return one_against(GAME, (first, second), num_players, deals, lambda returns: returns == -1, **options)


# Strength


@pytest.mark.parametrize("num_players, at_most", [(2, 0.34), (4, 0.17)])
def test_best_loses_far_less_often_than_its_share_against_lowest(num_players, at_most):
    rate, interval = duels("heuristic", "heuristic:lowest", num_players, 4000 // num_players)
    assert rate + interval < at_most


def test_lowest_hardly_ever_loses_against_random_players():
    rate, interval = duels("heuristic:lowest", "random", 4, 400)
    assert rate + interval < 0.03


def test_games_among_copies_end():
    # Without its stray decisions one game in five between equals went round in circles up to the decision cap.
    settings = GAME.spec.settings(4)
    best = load_agent("heuristic", GAME, settings)
    results = play_games(GAME, settings, [best], np.zeros((400, 4), np.int64), np.arange(400), seed=3)
    assert results.truncated.mean() < 0.02


def test_both_strengths_are_listed():
    assert {"heuristic", "heuristic:lowest"} <= set(agent_names(GAME))


# Legal choices in every setting

SETTINGS = [
    {"num_players": 2, "poo_heads": 0, "bombs": 0, "scoring": "points", "max_rounds": 3},
    {"num_players": 3, "poo_heads": 16, "bombs": 16, "voluntary_pickup": True},
    {"num_players": 5, "poo_heads": 1, "bombs": 0, "voluntary_pickup": True},
    {"num_players": 6, "poo_heads": 0, "bombs": 16, "scoring": "points", "max_rounds": 2},
    {"num_players": 25, "poo_heads": 1, "bombs": 1, "voluntary_pickup": True},
    {"num_players": 4, "max_decisions": 30},
]


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: f"{options['num_players']} players")
def test_every_choice_is_legal(options):
    settings = GAME.spec.settings(**{"max_decisions": 60 * options["num_players"], **options})
    agents = [load_agent(name, GAME, settings) for name in ("heuristic", "heuristic:lowest", "random")]
    games = 40
    lineups = np.random.default_rng(1).integers(0, 3, (games, options["num_players"]))
    results = play_games(GAME, settings, agents, lineups, np.arange(games), seed=2)
    assert (results.forfeited < 0).all()


CHOICES = """
import numpy as np
import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent

game = poopdeck.game("poo_head")
for options in ({"num_players": 2}, {"num_players": 6, "bombs": 1, "voluntary_pickup": True}):
    s = game.new_state(seed=4, **options)
    agents = [HeuristicAgent(game.spec, s.settings, strength) for strength in ("best", "lowest")]
    rng = np.random.default_rng(5)
    for step in range(160):
        if game.is_terminal(s):
            break
        seat = game.current_player(s)
        view = game.observation(s, seat)[None], game.action_mask(s)[None]
        actions = [int(agent.act(*view, np.random.default_rng(step))[0]) for agent in agents]
        assert all(action in game.legal_actions(s) for action in actions)
        print(actions)
        game.apply_action(s, actions[0] if rng.random() < 0.7 else int(rng.choice(game.legal_actions(s))))
"""


def test_plain_python_chooses_the_same():
    check_plain_python_chooses_the_same(CHOICES, 200)


# Ideas of lowest


def test_lowest_lays_all_copies_of_the_lowest_number():
    s = position([["3", "3", "9", "bomb"], ["5"]], pile=["2"])
    assert chosen(s, "lowest") == "play 3 x2"


def test_lowest_keeps_specials_until_no_number_is_legal():
    s = position([["10", "bomb"], ["5"]], pile=["9"])
    assert chosen(s, "lowest") == "play 10"
    s = position([["3", "bomb", "poo head"], ["5"]], pile=["9"])
    assert chosen(s, "lowest") == "play poo head"


# Ideas of both, and of best


def arranged(hand, face_up, strength):
    """The cards a heuristic lays face up, in the order of naming."""
    other = {"hands": [hand, ["0", "6", "7"]], "face_up": [face_up, ["3", "8", "8"]]}
    s = GAME.load({"phase": "arrange", "seed": 1, "turn": 0, "dealer": 1, **other})
    names = []
    for _ in range(3):
        names.append(chosen(s, strength).removeprefix("table "))
        GAME.apply_action(s, GAME.action(f"table {names[-1]}"))
    return names


@pytest.mark.parametrize("strength", ["best", "lowest"])
def test_specials_and_high_numbers_lie_face_up(strength):
    assert set(arranged(["bomb", "2", "poo head"], ["1", "10", "5"], strength)) == {"bomb", "poo head", "10"}


@pytest.mark.parametrize("strength", ["best", "lowest"])
def test_the_highest_numbers_lie_face_up_where_there_are_no_specials(strength):
    assert set(arranged(["9", "8", "7"], ["3", "2", "1"], strength)) == {"9", "8", "7"}


DOWN = {"face_down": [["1", "2", "3"], ["1", "2", "3"]]}


def face_to_face(hand, *cards, **fields):
    """A position against a seat that plays from these face-up cards."""
    return position([hand, []], face_up=[[], list(cards)], **DOWN, **fields)


@pytest.mark.parametrize("strength", ["best", "lowest"])
def test_no_bomb_is_wasted_on_an_empty_pile(strength):
    assert chosen(position([["bomb", "9", "10"], ["5", "5"]], **DOWN), strength) == "play 9"


def test_best_completes_four_of_a_kind():
    s = position([["5", "7", "7"], ["9", "6"]], pile=["3", "5", "7", "7"], **DOWN)
    assert chosen(s) == "play 7 x2"


def test_best_lays_four_at_once_before_a_lower_number():
    s = position([["8", "8", "8", "8", "2"], ["9", "6"]], **DOWN)
    assert (chosen(s), chosen(s, "lowest")) == ("play 8 x4", "play 2")


def test_best_does_not_lay_the_third_of_a_kind_before_a_seat_with_the_fourth():
    s = face_to_face(["5", "6", "9"], "5", "10", "8", pile=["3", "5", "5"])
    assert (chosen(s), chosen(s, "lowest")) == ("play 6", "play 5")


def test_best_binds_with_a_4_a_seat_that_cannot_answer_it():
    hand, pile = ["4", "2", "9"], ["0", "1", "2"]
    assert chosen(face_to_face(hand, "7", "8", "9", pile=pile)) == "play 4"
    assert chosen(face_to_face(hand, "3", "8", "9", pile=pile)) == "play 2"  # the 3 would answer


def test_best_goes_just_above_what_the_next_seat_can_lay():
    s = face_to_face(["3", "7", "9"], "5", "6", "8", pile=["1", "0", "3", "2"])
    assert chosen(s) == "play 9"


def test_best_uses_what_it_knows_of_a_hand():
    mine, theirs = ["3", "6", "8"], ["5", "5", "6"]
    pile = ["1", "2", "0", "1", "2", "3"]
    seen = position([mine, theirs], known=[[], theirs], pile=pile, **DOWN)
    unseen = position([mine, theirs], pile=pile, **DOWN)
    assert (chosen(seen), chosen(unseen)) == ("play 8", "play 3")
