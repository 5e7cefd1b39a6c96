"""What cannot be is refused, with a ValueError that says which field or parameter is wrong."""

import numpy as np
import pytest
from support.scenarios import check_bad_parameter, check_refused

from .table import GAME, arranging, position

TWO = {"strict": True, "hands": [["3"], ["5"]], "face_up": [[], []], "face_down": [[], []], "draw_pile": []}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        # cards that there are not
        ("hands", [["3"] * 5, ["5"]]),
        ("hands", [["bomb"] * 5, ["5"]]),
        ("hands", [["11"], ["5"]]),
        ("hands", [["pooh head"], ["5"]]),
        ("hands", [["-1"], ["5"]]),
        ("face_up", [["joker"], []]),
        ("face_down", [["x"], []]),
        ("pile", ["wild"]),
        ("draw_pile", ["9"] * 5),
        ("burnt", ["9"] * 5),
        # piles and zones that cannot be
        ("pile", ["3", "bomb"]),
        ("pile", ["bomb", "5"]),
        ("pile", ["2", "7", "7", "7", "7"]),
        ("face_up", [["1", "2", "3", "6"], []]),
        ("face_down", [["1", "2", "3", "6"], []]),
        ("known", [["5"], []]),
        ("known", [["3", "3"], []]),
        ("known", [[], ["joker"]]),
        # seats that there are not, or that are out
        ("turn", 2),
        ("turn", -1),
        ("dealer", 2),
        ("dealer", -1),
        ("out", [0]),
        ("out", [1, 2]),
        # rows of the wrong length
        ("face_up", [[], [], []]),
        ("face_down", [[]]),
        ("known", [[]]),
        ("points", [0, 0, 0]),
        # parameters
        ("players", 1),
        ("players", 26),
        ("poo_heads", -1),
        ("bombs", -1),
        ("scoring", "winner"),
        ("reward", "loser"),
        ("max_decisions", 0),
        ("max_rounds", 0),
        # counters and words
        ("phase", "deal"),
        ("decisions", -1),
        ("round", 0),
        ("colour", "red"),
    ],
)
def test_load_refuses_what_cannot_be_and_names_the_field(field, value):
    check_refused(GAME.load, TWO, field, value)


def test_load_counts_the_cards_of_all_decks():
    hands = [["3"] * 8, *[["5"] for _ in range(5)]]
    assert GAME.dump(position(hands))["hands"] == hands
    with pytest.raises(ValueError, match="hands"):
        position([["3"] * 9, *[["5"] for _ in range(5)]])


def test_load_counts_the_cards_of_all_places_together():
    fields = {"face_up": [["3"], []], "face_down": [["3"], []], "pile": ["3"], "draw_pile": ["3"]}
    with pytest.raises(ValueError, match="3"):
        position([["3"], ["5"]], **fields)
    assert position([["9"], ["5"]], **fields) is not None


def test_load_counts_the_specials_there_are():
    with pytest.raises(ValueError, match="hands"):
        position([["bomb"] * 3, ["5"]], bombs=2)
    with pytest.raises(ValueError, match="hands"):
        position([["poo head"], ["5"]], poo_heads=0)


def test_load_refuses_out_that_is_not_the_seats_without_cards():
    hands = [["3"], [], ["5"], []]
    for out in ([1], [1, 3, 0], [1, 1], [1, 1, 3], [], [1, 3, 7]):
        with pytest.raises(ValueError, match="out"):
            position(hands, out=out)
    assert GAME.dump(position(hands, out=[3, 1]))["out"] == [3, 1]


def test_load_refuses_a_turn_that_is_out():
    with pytest.raises(ValueError, match="turn"):
        position([["3"], [], ["5"]], turn=1)


@pytest.mark.parametrize("hands", [[["3"], []], [[], []], [["3", "3"], [], []]])
def test_load_refuses_fewer_than_two_holders_while_playing(hands):
    with pytest.raises(ValueError, match="hands|phase|holder"):
        position(hands)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hands", [["3", "5"], ["6", "6", "8"]]),
        ("hands", [["3", "5", "5", "bomb"], ["6", "6", "8"]]),
        ("face_up", [["3", "3", "9"], ["2", "7"]]),
        ("picks", [["10"], []]),
        ("picks", [["9", "9"], []]),
        ("picks", [["3", "3", "9", "5"], []]),
        ("picks", [["joker"], []]),
        ("picks", [[]]),
    ],
)
def test_load_refuses_an_arrangement_that_cannot_be(field, value):
    fields = {"hands": [["3", "5", "bomb"], ["6", "6", "8"]], "face_up": [["3", "3", "9"], ["2", "2", "7"]]}
    arranging(**fields)
    with pytest.raises(ValueError, match=field):
        arranging(**{**fields, field: value})


def test_load_refuses_a_number_of_players_that_is_not_the_number_of_hands():
    with pytest.raises(ValueError, match="players|hands"):
        GAME.load({**TWO, "players": 3})


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_players", 1),
        ("num_players", 26),
        ("num_players", 0),
        ("num_players", "four"),
        ("poo_heads", -1),
        ("bombs", -1),
        ("bombs", "many"),
        ("voluntary_pickup", "yes"),
        ("scoring", "winner"),
        ("reward", "loser"),
        ("target", "seven"),
        ("max_decisions", 0),
        ("max_decisions", -5),
        ("max_rounds", 0),
        ("max_players", 3),
    ],
)
def test_bad_parameters_are_named_with_their_value(name, value):
    check_bad_parameter(GAME, name, value, shown="" if name == "max_players" else value)


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(
    ("points", "fields", "refused"),
    [
        ([6, -8, 0], {"round": 3}, None),
        ([7, -8, 0], {"round": 3}, "seat 0 cannot have 7 after 2 rounds"),
        ([6, -9, 0], {"round": 3}, "seat 1 cannot have -9 after 2 rounds"),
        ([6, 3, 0], {"round": 3, "target": 6}, "seat 0 has 6, alone and not below the target 6: the match is over"),
        ([6, 6, 0], {"round": 3, "target": 6}, None),  # a tie at the top plays on
        ([94, 0, 0], {}, "94 is not a whole number from -124 to 93"),
        ([93, 0, 93], {}, "seat 0 cannot have 93 after 30 rounds"),
        ([90, 0, 90], {}, None),  # the round that is left out is the first that may have such points
        ([0, 0, -5], {}, None),
    ],
)
def test_points_are_those_of_the_rounds_that_were_played_and_lie_in_the_observations_space(points, fields, refused):
    scenario = {"players": 3, "scoring": "points", "points": points, "seed": 1, **fields}
    if refused is not None:
        with pytest.raises(ValueError, match=refused):
            GAME.load(scenario)
        return
    s = GAME.load(scenario)
    assert GAME.dump(s)["round"] == fields.get("round", 1 + max(max(points) // 3, -(min(points) // 4)))
    block = next(block for block in GAME.spec.blocks(s.settings) if block.name == "points")
    while GAME.dump(s)["points"] == points and not GAME.is_terminal(s):
        GAME.apply_action(s, GAME.legal_actions(s)[0])
        shown = GAME.observation(s, 0)[GAME.spec.observation_slices(s.settings)["points"]]
        assert (shown >= np.float32(block.low)).all() and (shown <= np.float32(block.high)).all()
