"""Scenarios: what a field means, what it is when left out, and the way there and back."""

import json
from collections import Counter

import numpy as np
import pytest
from support.scenarios import check_is_not_changed, check_plays_on_alike

from .table import EVERY_CARD, GAME, act, arranging, legal, play_on, position

PARAMETERS = [
    "players", "poo_heads", "bombs", "voluntary_pickup", "scoring", "reward", "target", "max_decisions",
    "max_rounds", "seed",
]  # fmt: skip
ZONES = ["hands", "face_up", "face_down", "pile", "draw_pile", "burnt"]
COUNTERS = [
    "phase", "dealer", "turn", "picks", "opening", "known", "out", "decisions", "round", "points",
    "truncated",
]  # fmt: skip
PAGE_EXAMPLE = {
    "players": 2,
    "hands": [["3", "3", "poo head"], ["10"]],
    "face_up": [["5", "5", "9"], []],
    "face_down": [["1", "2", "bomb"], ["7"]],
    "pile": ["3", "4"],
    "draw_pile": ["8"],
    "burnt": [],
    "turn": 0,
    "phase": "play",
}


def all_cards(dump):
    rows = dump["hands"] + dump["face_up"] + dump["face_down"]
    return Counter(sum(rows, []) + dump["pile"] + dump["draw_pile"] + dump["burnt"])


# ---------------------------------------------------------------- names of actions


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (0, "play 0"), (1, "play 0 x2"), (3, "play 0 x4"), (28, "play 7"), (29, "play 7 x2"), (40, "play 10"),
        (43, "play 10 x4"), (44, "play poo head"), (45, "play bomb"), (46, "pick up"), (47, "flip 1"),
        (49, "flip 3"), (50, "table 0"), (60, "table 10"), (61, "table poo head"), (62, "table bomb"),
    ],
)  # fmt: skip
def test_action_table(index, name):
    assert GAME.action_name(index) == name and GAME.action(name) == index


def test_every_action_has_its_own_name():
    names = [GAME.action_name(index) for index in range(63)]
    assert GAME.spec.num_actions == 63 == len(set(names))
    assert [GAME.action(name) for name in names] == list(range(63))


@pytest.mark.parametrize("name", ["play 11", "play 7 x5", "play poo head x2", "flip 4", "draw", ""])
def test_unknown_action_names_are_refused(name):
    with pytest.raises(ValueError):
        GAME.action(name)


def test_mask_names_the_legal_actions():
    s = position([["3", "3", "9"], ["5"]], pile=["2"])
    assert {GAME.action_name(a) for a in np.flatnonzero(GAME.action_mask(s))} == legal(s)
    assert GAME.action_mask(s).shape == (63,) and legal(s) == {"play 3", "play 3 x2", "play 9"}


# ---------------------------------------------------------------- defaults


def test_empty_scenario_is_four_seats_in_play_with_a_deal():
    dump = GAME.dump(GAME.load({}))
    assert dump["players"] == 4 and dump["poo_heads"] == 4 and dump["bombs"] == 4
    assert dump["voluntary_pickup"] is False and dump["scoring"] == "loser" and dump["reward"] == "winner"
    assert dump["target"] == 7 and dump["max_decisions"] == 4000 and dump["max_rounds"] == 31
    for zone in ("hands", "face_up", "face_down"):
        assert [len(cards) for cards in dump[zone]] == [3] * 4
    assert dump["pile"] == dump["burnt"] == dump["out"] == [] and len(dump["draw_pile"]) == 16
    assert all_cards(dump) == {card: 4 for card in EVERY_CARD}
    assert dump["phase"] == "play" and dump["dealer"] == 3 and dump["turn"] == 0
    assert dump["picks"] == dump["known"] == [[]] * 4 and dump["opening"] is False
    assert dump["decisions"] == 0 and dump["round"] == 1 and dump["points"] == [0] * 4
    assert dump["truncated"] is False


def test_players_is_the_number_of_hands():
    dump = GAME.dump(GAME.load({"hands": [["3"], ["5"], ["5"]]}))
    assert dump["players"] == 3 and dump["hands"] == [["3"], ["5"], ["5"]] and dump["dealer"] == 2
    assert dump["max_decisions"] == 3000 and dump["target"] == 7
    assert GAME.dump(GAME.load({"hands": [["3"], ["5"]]}))["target"] == 11


def test_what_is_left_out_is_dealt_from_the_cards_not_placed():
    dump = GAME.dump(GAME.load({"hands": [["3"] * 4, ["bomb"] * 4], "pile": ["5"], "burnt": ["9", "9"]}))
    assert [len(cards) for cards in dump["face_up"] + dump["face_down"]] == [3] * 4
    assert len(dump["draw_pile"]) == 52 - 8 - 12 - 3
    assert all_cards(dump) == {card: 4 for card in EVERY_CARD}


def test_the_seed_decides_what_is_dealt():
    first, again, other = (GAME.dump(GAME.load({"seed": seed})) for seed in (5, 5, 6))
    assert first == again and first["seed"] == 5
    assert any(first[zone] != other[zone] for zone in ZONES)


def test_the_draw_pile_is_shuffled():
    """Not the cards left over in the order of the ranks."""
    dump = GAME.dump(GAME.load({"hands": [["3"], ["5"]]}))
    assert dump["draw_pile"] != sorted(dump["draw_pile"], key=EVERY_CARD.index)


def test_strict_leaves_unplaced_cards_out_of_the_game():
    fields = {"hands": [["3"], ["5"]], "face_up": [[], []], "face_down": [["1"], []]}
    dump = GAME.dump(GAME.load({**fields, "strict": True}))
    assert dump["draw_pile"] == [] and all_cards(dump) == {"3": 1, "5": 1, "1": 1}
    assert "strict" not in dump
    assert len(GAME.dump(GAME.load(fields))["draw_pile"]) == 52 - 3


@pytest.mark.parametrize("zone", ["pile", "draw_pile", "burnt"])
@pytest.mark.parametrize("cards", [[], ["7", "9"]])
def test_a_pile_that_is_given_even_empty_is_taken_as_it_is(zone, cards):
    assert GAME.dump(GAME.load({"hands": [["3"], ["5"]], zone: cards}))[zone] == cards


@pytest.mark.parametrize("zone", ["hands", "face_up", "face_down"])
def test_cards_before_a_seat_that_are_given_even_none_are_taken_as_they_are(zone):
    assert GAME.dump(GAME.load({zone: [[], ["7"], ["8"]], "players": 3}))[zone] == [[], ["7"], ["8"]]


@pytest.mark.parametrize(("dealer", "turn"), [(0, 3), (1, 3), (2, 3), (3, 0), (4, 0)])
def test_default_turn_in_play_is_the_first_holder_from_the_dealers_left(dealer, turn):
    s = position([["3"], [], [], ["5"], []], dealer=dealer)
    assert GAME.dump(s)["turn"] == turn == GAME.current_player(s)


@pytest.mark.parametrize(
    ("picks", "turn"),
    [
        ([[], [], []], 2),
        ([[], [], ["3"]], 2),
        ([[], [], ["3", "3", "4"]], 0),
        ([["1"] * 3, [], ["3", "3", "4"]], 1),
    ],
)
def test_default_turn_while_arranging_is_the_first_seat_with_picks_to_make(picks, turn):
    hands, face_up = (
        [["1", "1", "2"], ["6", "6", "8"], ["3", "4", "8"]],
        [["1", "2", "5"], ["7"] * 3, ["3"] * 3],
    )
    s = arranging(hands, face_up, picks=picks, dealer=1)
    assert GAME.dump(s)["turn"] == turn == GAME.current_player(s) and GAME.dump(s)["picks"] == picks


def test_default_out_is_by_seat_and_a_given_order_is_kept():
    hands = [[], ["3"], [], ["5"], []]
    assert GAME.dump(position(hands))["out"] == [0, 2, 4]
    assert GAME.dump(position(hands, out=[4, 0, 2]))["out"] == [4, 0, 2]


# ---------------------------------------------------------------- the dump


def test_dump_has_every_field_of_the_page_and_the_generators_state():
    for s in (GAME.new_state(seed=0), GAME.load({}), position([["3"], ["5"]])):
        assert set(GAME.dump(s)) == {*PARAMETERS, *ZONES, *COUNTERS, "rng"}


def test_dump_is_json_with_plain_types():
    s = GAME.new_state(seed=0, num_players=6, scoring="points", voluntary_pickup=True)
    for _ in range(40):
        dump = GAME.dump(s)
        assert json.loads(json.dumps(dump)) == dump
        play_on(s, 1)
    dump = GAME.dump(s)
    assert type(dump["opening"]) is type(dump["truncated"]) is type(dump["voluntary_pickup"]) is bool
    assert type(dump["dealer"]) is type(dump["decisions"]) is type(dump["points"][0]) is int


def test_dump_sorts_what_has_no_order_and_keeps_what_has():
    s = position(
        [["bomb", "10", "2", "poo head", "2"], ["5"]],
        face_up=[["9", "poo head", "10"], []],
        face_down=[["9", "1", "7"], ["6", "3"]],
        pile=["8", "3", "poo head", "1"],
        draw_pile=["10", "0", "bomb", "5"],
        burnt=["bomb", "4", "0"],
        known=[["10", "2"], []],
    )
    dump = GAME.dump(s)
    assert dump["hands"] == [["2", "2", "10", "poo head", "bomb"], ["5"]]
    assert dump["face_up"] == [["9", "10", "poo head"], []] and dump["known"] == [["2", "10"], []]
    assert dump["burnt"] == ["0", "4", "bomb"]
    assert dump["face_down"] == [["9", "1", "7"], ["6", "3"]]
    assert dump["pile"] == ["8", "3", "poo head", "1"] and dump["draw_pile"] == ["10", "0", "bomb", "5"]


def test_dump_sorts_picks():
    s = arranging([["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]])
    assert act(s, "table bomb", "table 9")["picks"] == [["9", "bomb"], []]


def test_the_pages_example():
    dump = GAME.dump(GAME.load(PAGE_EXAMPLE))
    for field, value in PAGE_EXAMPLE.items():
        assert dump[field] == value
    assert legal(GAME.load(PAGE_EXAMPLE)) == {"play 3", "play 3 x2", "play poo head"}


# ---------------------------------------------------------------- there and back


IN_PLAY = {
    "players": 6, "poo_heads": 5, "bombs": 3, "voluntary_pickup": True, "scoring": "points",
    "reward": "points", "target": 9, "max_decisions": 321, "max_rounds": 12, "seed": 77,
    "hands": [["3", "5", "bomb"], ["6"], [], [], ["7", "7"], []],
    "face_up": [["1"], [], [], [], ["2", "10"], ["8"]],
    "face_down": [["9", "1"], [], [], [], ["poo head", "4", "0"], ["5"]],
    "pile": ["8", "poo head", "4"], "draw_pile": ["bomb", "0"], "burnt": ["0", "6", "6", "bomb"],
    "phase": "play", "dealer": 2, "turn": 4, "picks": [[], [], [], [], [], []], "opening": False,
    "known": [["5"], ["6"], [], [], ["7"], []], "out": [3, 2],
    "decisions": 40, "round": 3, "points": [3, -1, 2, 0, -8, 6], "truncated": False,
}  # fmt: skip
ARRANGE = {
    "players": 3, "poo_heads": 4, "bombs": 4, "voluntary_pickup": False, "scoring": "loser",
    "reward": "winner", "target": 7, "max_decisions": 3000, "max_rounds": 31, "seed": 0,
    "hands": [["3", "5", "bomb"], ["6", "7", "8"], ["0", "1", "2"]],
    "face_up": [["1", "1", "9"], ["4", "4", "4"], ["2", "3", "10"]],
    "face_down": [["9", "1", "8"], ["0", "poo head", "0"], ["5", "6", "6"]],
    "pile": [], "draw_pile": ["bomb", "0"], "burnt": [], "phase": "arrange", "dealer": 1, "turn": 0,
    "picks": [["1", "bomb"], [], ["0", "2", "2"]], "opening": False, "known": [[], [], []], "out": [],
    "decisions": 5, "round": 1, "points": [0, 0, 0], "truncated": False,
}  # fmt: skip
OPENING = {
    **ARRANGE, "phase": "play", "picks": [[], [], []], "opening": True, "turn": 2, "decisions": 9,
    "known": [[], [], ["2"]], "hands": [["3", "5", "bomb"], ["6", "7", "8"], ["0", "1", "2"]],
}  # fmt: skip
OVER = {
    **OPENING, "hands": [[], ["6", "7"], []], "face_up": [[], ["8"], []], "face_down": [[], ["5"], []],
    "pile": ["7", "8"], "draw_pile": [], "burnt": ["0"], "known": [[], ["6"], []], "out": [2, 0],
    "phase": "over", "turn": None, "opening": False, "decisions": 222,
}  # fmt: skip
TRUNCATED = {**ARRANGE, "phase": "over", "turn": None, "truncated": True, "max_decisions": 5}
MATCH_OVER = {**OVER, "scoring": "points", "points": [2, -4, 8], "round": 4}


@pytest.mark.parametrize("scenario", [IN_PLAY, ARRANGE, OPENING, OVER, TRUNCATED, MATCH_OVER])
def test_every_field_survives(scenario):
    dump = GAME.dump(GAME.load(scenario))
    assert {field: dump[field] for field in scenario} == scenario
    assert set(dump) - set(scenario) == {"rng"}
    assert GAME.dump(GAME.load(dump)) == dump


@pytest.mark.parametrize("match", [{}, {"scoring": "points", "max_rounds": 1}])
@pytest.mark.parametrize("cap", range(1, 9))
def test_every_finished_position_survives(cap, match):
    """Cut short while arranging (2 x 3 decisions), at the reveal, and after the first plays."""
    s = GAME.new_state(seed=0, num_players=2, max_decisions=cap, **match)
    play_on(s, cap)
    dump = GAME.dump(s)
    assert dump["phase"] == "over" and dump["truncated"] is (not match) and dump["opening"] is (cap == 6)
    copy = GAME.load(json.loads(json.dumps(dump)))
    assert GAME.dump(copy) == dump and GAME.is_terminal(copy) and GAME.is_truncated(copy) is (not match)


def test_finished_scenarios_are_over_and_pay():
    over, cut, match = GAME.load(OVER), GAME.load(TRUNCATED), GAME.load(MATCH_OVER)
    for s in (over, cut, match):
        assert GAME.is_terminal(s) and GAME.current_player(s) == -1 and GAME.legal_actions(s) == []
    assert [GAME.is_truncated(s) for s in (over, cut, match)] == [False, True, False]
    assert GAME.returns(over).tolist() == [0.5, -1.0, 0.5]
    assert GAME.returns(cut).tolist() == [0.0, 0.0, 0.0]
    assert GAME.returns(match).tolist() == [-0.5, -0.5, 1.0]


@pytest.mark.parametrize("options", [{}, {"scoring": "points", "max_decisions": 60}, {"voluntary_pickup": True}])
@pytest.mark.parametrize("players", [2, 5, 7])
def test_a_loaded_dump_plays_on_exactly_as_the_state_does(players, options):
    """Through the deals of later rounds too: the generator's state travels along."""
    s = GAME.new_state(seed=11, num_players=players, **options)
    check_plays_on_alike(GAME, s, times=12, decisions=150)


def test_without_the_generators_state_the_seed_starts_it():
    dump = GAME.dump(GAME.new_state(seed=4, num_players=2, scoring="points", max_decisions=8))
    del dump["rng"]
    deals = []
    for seed in (4, 4, 5):
        s = GAME.load({**dump, "seed": seed})
        play_on(s, 8)
        assert GAME.dump(s)["round"] == 2
        deals.append([GAME.dump(s)[zone] for zone in ("hands", "face_up", "face_down", "draw_pile")])
    assert deals[0] == deals[1] != deals[2]


def test_load_does_not_change_the_scenario():
    check_is_not_changed(GAME, IN_PLAY)
