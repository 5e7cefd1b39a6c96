"""What cannot be is refused, with a ValueError that says which field or parameter is wrong."""

import pytest
from support.scenarios import check_bad_parameter, check_refused

from .table import CARDS, FLUSH, FRESHNESS, GAME, chasing, position

THREE = {
    "strict": True, "players": 3, "fronts": [["1 star"], ["poodini", FRESHNESS], []], "deck": ["roll again", "2 stars"],
    "discard": ["pooman"], "turn": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        # cards that there are not
        ("deck", ["3 stars"]),
        ("deck", ["star"]),
        ("deck", [7]),
        ("deck", "1 star"),
        ("deck", ["balancer"]),
        ("deck", ["pooperman"] * 3),
        ("fronts", [["joker"], [], []]),
        ("fronts", [["poodini"] * 4, [], []]),
        ("discard", ["dire ears"]),
        ("discard", ["dire ear"] * 4),
        ("card", "joker"),
        # cards where they cannot lie
        ("fronts", [["pooman"], [], []]),
        ("fronts", [["pooperman"], [], []]),
        ("fronts", [["roll again"], [], []]),
        ("fronts", [["dire ear"], [], []]),
        # rows of the wrong length
        ("fronts", [[], []]),
        ("fronts", [[], [], [], []]),
        ("fronts", "none"),
        ("fronts", [["1 star"], "poodini", []]),
        # seats that there are not
        ("turn", 3),
        ("turn", -1),
        ("turn", "0"),
        ("turn", True),
        ("winner", 4),
        ("winner", -1),
        ("pooman_seat", -1),
        ("pooman_seat", "me"),
        ("pooman_seat", 1.5),
        # parameters
        ("players", 1),
        ("players", 7),
        ("players", "three"),
        ("chase", "on"),
        ("room_size", 0),
        ("room_size", "big"),
        ("start_distance", 0),
        ("start_distance", 16),
        ("pooman_speed", 0),
        ("player_speed", 0),
        ("chase_ticks", 0),
        ("pooperman_ticks", 0),
        ("freeze_ticks", 0),
        ("empty_handed_run", "yes"),
        ("empty_handed_run", 1),
        ("pooperman_unstoppable", "no"),
        ("max_decisions", 0),
        ("counts", {"joker": 1}),
        ("counts", {"pooman": -1}),
        ("counts", {"pooman": 1.5}),
        ("counts", {"pooman": True}),
        ("counts", ["pooman"]),
        ("counts", 3),
        ("counts", {"pooman": 10**9}),
        ("counts", {kind: 0 for kind in CARDS}),
        ("seed", -1),
        # counters and words
        ("phase", "deal"),
        ("decisions", -1),
        ("decisions", "many"),
        ("truncated", "yes"),
        ("strict", "yes"),
        ("colour", "red"),
        ("chase_state", []),
        ("chase_state", "running"),
    ],
)
def test_load_refuses_what_cannot_be_and_names_the_field(field, value):
    check_refused(GAME.load, THREE, field, value)


def test_load_counts_the_cards_of_all_places_together():
    fields = {"players": 2, "fronts": [["poodini"], ["poodini"]], "discard": ["poodini"]}
    GAME.load({**fields, "deck": ["1 star"]})
    with pytest.raises(ValueError, match="poodini"):
        GAME.load({**fields, "deck": ["poodini"]})
    with pytest.raises(ValueError, match="card|deck|discard"):
        GAME.load({**fields, "deck": ["1 star"], "discard": ["pooman"] * 8, "card": "pooman"})
    GAME.load({**fields, "deck": ["poodini"], "counts": {"poodini": 4}})


@pytest.mark.parametrize(
    "fields",
    [
        # the phase needs another card, or none
        {"phase": "draw", "card": "pooman"},
        {"phase": "draw", "card": FRESHNESS},
        {"phase": "again", "card": FRESHNESS},
        {"phase": "take"},
        {"phase": "take", "card": "pooman"},
        {"phase": "chase"},
        {"phase": "chase", "card": FRESHNESS},
        {"phase": "defend", "chase": "off"},
        {"phase": "defend", "chase": "off", "card": FRESHNESS},
        # a card that asks for no decision is dealt with at once
        {"card": "1 star"},
        {"card": "dire ear"},
        {"card": "roll again"},
        {"card": "poodini"},
        # no chase in this variant, and no defence in that one
        {"phase": "chase", "chase": "off", "card": "pooman"},
        {"phase": "defend", "card": "pooman"},
        {"card": "pooman", "chase": "off", "chase_state": {}},
        # a chase outside its phase
        {"phase": "draw", "chase_state": {}},
        {"phase": "again", "chase_state": {}},
        {"phase": "take", "card": FRESHNESS, "chase_state": {}},
        # over, yet not
        {"phase": "over"},
        {"phase": "draw", "winner": 0},
        {"phase": "draw", "truncated": True},
        {"winner": 0, "truncated": True},
        {"winner": 2, "card": "pooman"},
        {"truncated": True, "card": "pooman"},
        {"truncated": True, "chase_state": {}},
    ],
    ids=str,
)
def test_load_refuses_what_does_not_go_together(fields):
    position([["1 star", "poodini"], ["2 stars"]])
    with pytest.raises(ValueError, match="phase|card|chase_state|winner|truncated"):
        position([["1 star", "poodini"], ["2 stars"]], deck=["1 star"] * 2, **fields)


def test_load_refuses_a_phase_in_which_nothing_is_to_be_decided():
    with pytest.raises(ValueError, match="phase|card"):  # nobody else has a character
        position([["1 star"], ["poodini"]], card=FRESHNESS)
    with pytest.raises(ValueError, match="phase|card"):  # nothing to defend oneself with
        position([["1 star"], ["poodini"]], card="pooman", chase="off")
    with pytest.raises(ValueError, match="phase|card"):
        position([["balancer"], ["poodini"]], card="pooperman", chase="off")
    with pytest.raises(ValueError, match="phase|card"):
        position([["poodini"], []], card="pooperman", chase="off", pooperman_unstoppable=True)


@pytest.mark.parametrize("fields", [{}, {"phase": "again"}, {"card": FRESHNESS}, {"card": "pooman"}], ids=str)
def test_load_refuses_five_stars_without_a_winner(fields):
    position([["1 star"], ["2 stars", "2 stars", "poodini"]], **fields)
    with pytest.raises(ValueError, match="fronts|winner|five"):
        position([["1 star"], ["2 stars", "2 stars", "1 star"]], **fields)


def test_load_refuses_a_winner_who_has_not_won():
    for fronts, winner in (
        ([["2 stars", "2 stars"], ["1 star"]], 0),  # not five
        ([["2 stars", "2 stars", "1 star"], ["1 star"]], 1),
        ([["2 stars", "2 stars"], ["1 star"]], 2),  # there are cards face down
        ([["2 stars", "2 stars", "1 star"], ["1 star"]], 2),
    ):
        with pytest.raises(ValueError, match="winner"):
            position(fronts, winner=winner)
    with pytest.raises(ValueError, match="winner"):
        position([["2 stars", "2 stars", "1 star"], ["1 star"]], deck=[], winner=2)


def test_load_refuses_a_draw_from_an_empty_deck():
    for phase in ("draw", "again"):
        with pytest.raises(ValueError, match="deck|phase"):
            position([[], []], deck=[], phase=phase)


def test_load_refuses_a_chase_that_nobody_is_in():
    for fronts, state in (
        ([[], []], {}),
        ([["1 star"], []], {"hidden": [0]}),
        ([["1 star"], ["2 stars"]], {"hidden": [0], "balanced": [1]}),
        ([[], ["2 stars"]], {"touched": [0], "hidden": [1]}),
    ):
        with pytest.raises(ValueError, match="chase_state|phase|card"):
            chasing(fronts, state=state)
    with pytest.raises(ValueError, match="chase_state|phase|card"):
        chasing([[], []], state={"touched": [0, 1]}, empty_handed_run=True)
    assert chasing([[], []], state={"touched": [0]}, empty_handed_run=True) is not None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "roll again"),
        ("kind", "pooperman"),  # the open card is a Pooman
        ("ticks", 0),
        ("ticks", 11),
        ("ticks", -1),
        ("ticks", "ten"),
        ("freeze", -1),
        ("freeze", 6),
        ("pooman", [11, 0]),
        ("pooman", [0, -1]),
        ("pooman", [3]),
        ("pooman", [1, 2, 3]),
        ("pooman", ["a", "b"]),
        ("pooman", 5),
        ("players", [[0, 0], [0, 0]]),
        ("players", [[0, 0], [0, 0], [0, 11]]),
        ("players", [[0, 0], [0, 0], [-1, 0]]),
        ("players", [[0, 0], [0, 0], [0]]),
        ("players", [[0, 0], [0, 0], None]),
        ("touched", [3]),
        ("touched", [-1]),
        ("touched", [0]),  # it holds a card
        ("touched", [2, 2]),
        ("touched", 2),
        ("hidden", [3]),
        ("hidden", [0, 0]),
        ("balanced", [-1]),
        ("moves", [None, None]),
        ("moves", [["up"], None, None]),
        ("moves", [["draw"], None, None]),
        ("moves", [["north", "north"], None, None]),
        ("moves", [["use power flush"], None, None]),  # which it does not have
        ("moves", [None, None, ["north"]]),  # which has no cards
        ("moves", [None, ["north"], None]),  # before player 0
        ("moves", "none"),
        ("moves", ["north", None, None]),
        ("pooman_moves", ["north"]),  # before the players
        ("pooman_moves", ["up"]),
        ("pooman_moves", "north"),
        ("colour", "red"),
    ],
)
def test_load_refuses_a_chase_that_cannot_be(field, value):
    fronts = [["1 star", "poodini"], ["2 stars", FLUSH], []]
    chasing(fronts)
    with pytest.raises(ValueError, match=field):
        chasing(fronts, state={field: value})


@pytest.mark.parametrize(
    "state",
    [
        {"moves": [["north"], ["north"]], "pooman_moves": ["north", "north"]},  # the tick would be over
        {"moves": [["north"], ["north"]], "pooman_moves": ["use poodini"]},
        {"moves": [["north"], ["north"]], "freeze": 2},  # frozen: nobody is left to choose
        {"moves": [["north"], ["north"]], "pooman_moves": ["north"], "freeze": 2},
        {"moves": [["north"], None], "pooman_moves": ["north"]},
        {"moves": [["north"], ["north"]], "hidden": [0]},
    ],
    ids=str,
)
def test_load_refuses_choices_that_cannot_have_been_made(state):
    fronts = [["1 star", "poodini"], ["2 stars"]]
    chasing(fronts, state={"moves": [["north"], ["north"]], "pooman_moves": ["north"]})
    with pytest.raises(ValueError, match="moves|chase_state"):
        chasing(fronts, state=state)


@pytest.mark.parametrize(
    "moves", [["north", "use poodini"], ["use poodini", "north"], ["use poodini", "use poodini"], ["north"] * 3]
)
def test_load_refuses_more_than_one_special_or_too_many_steps(moves):
    chasing([["1 star", "poodini"], ["2 stars"]], state={"moves": [["north", "north"], None]}, player_speed=2)
    with pytest.raises(ValueError, match="moves"):
        chasing([["1 star", "poodini"], ["2 stars"]], state={"moves": [moves, None]}, player_speed=2)


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_players", 1),
        ("num_players", 7),
        ("num_players", "three"),
        ("chase", "on"),
        ("chase", True),
        ("room_size", 1),
        ("room_size", -3),
        ("room_size", 1000),
        ("room_size", 11.0),
        ("start_distance", 0),
        ("start_distance", 16),
        ("pooman_speed", 0),
        ("pooman_speed", 1000),
        ("player_speed", 0),
        ("player_speed", 1000),
        ("chase_ticks", 0),
        ("chase_ticks", -1),
        ("pooperman_ticks", 0),
        ("freeze_ticks", 0),
        ("freeze_ticks", -2),
        ("empty_handed_run", "yes"),
        ("pooperman_unstoppable", 1),
        ("max_decisions", 0),
        ("counts", {"joker": 1}),
        ("counts", {"pooman": -1}),
        ("counts", {"pooman": "many"}),
        ("counts", [8, 4]),
        ("counts", {kind: 0 for kind in CARDS}),
        ("room", 11),
    ],
)
def test_bad_parameters_are_named_with_their_value(name, value):
    wrong = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    check_bad_parameter(GAME, name, value, shown="" if name == "room" else wrong)


@pytest.mark.parametrize("name", ["chase_ticks", "pooman_speed", "player_speed", "freeze_ticks", "max_decisions"])
def test_parameters_may_be_one(name):
    assert GAME.dump(GAME.new_state(seed=0, **{name: 1}))[name] == 1


def test_refusals_say_what_is_allowed():
    for name, value, words in (
        ("chase", "on", ["grid", "off"]),
        ("num_players", 9, ["2", "6"]),
        ("counts", {"joker": 1}, ["joker", "balancer"]),
    ):
        with pytest.raises(ValueError) as error:
            GAME.new_state(seed=0, **{name: value})
        assert all(word in str(error.value) for word in words)
