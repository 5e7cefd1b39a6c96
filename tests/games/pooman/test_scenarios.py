"""Scenarios: what a field means, what it is when left out, and the way there and back."""

import json
from collections import Counter

import numpy as np
import pytest
from support.scenarios import check_plays_on_alike

from .random_positions import census
from .table import CARDS, FILLER, FRESHNESS, GAME, KEPT, PLENTY, STEPS, act, chasing, legal, play_on, position, takes

PARAMETERS = [
    "players", "chase", "room_size", "start_distance", "pooman_speed", "player_speed", "chase_ticks",
    "pooperman_ticks", "freeze_ticks", "empty_handed_run", "pooperman_unstoppable", "max_decisions", "counts", "seed",
]  # fmt: skip
FIELDS = [
    "deck", "fronts", "discard", "card", "turn", "phase", "winner", "pooman_seat", "truncated", "decisions",
    "chase_state",
]  # fmt: skip
CHASE_FIELDS = [
    "kind", "ticks", "freeze", "pooman", "players", "touched", "hidden", "balanced", "moves", "pooman_moves",
]  # fmt: skip
PAGE_EXAMPLE = {
    "players": 3,
    "chase": "off",
    "deck": ["1 star", "pooman", "roll again"],
    "fronts": [["2 stars", "2 stars"], ["poodini"], []],
    "turn": 0,
    "discard": [],
}
CHARACTERS = {
    "grid": {2: (8, 4), 3: (10, 5), 4: (12, 6), 5: (14, 7), 6: (16, 8)},
    "off": {2: (5, 2), 3: (6, 3), 4: (7, 3), 5: (8, 4), 6: (9, 4)},
}


def default_counts(players, chase):
    ones, twos = CHARACTERS[chase][players]
    specials = dict.fromkeys(CARDS[4:10], 3)
    return {"1 star": ones, "2 stars": twos, "pooman": 8, "pooperman": 2, **specials, "balancer": 0}


# ---------------------------------------------------------------- names of actions

NAMES = [
    "draw",
    *[f"take {kind} from +{step}" for kind in ("1 star", "2 stars") for step in range(1, 6)],
    "use power flush", "use poodini", "use poocicle", "use balancer", "lose cards",
    "stay", "north", "east", "south", "west",
]  # fmt: skip


def test_action_table():
    assert [GAME.action_name(index) for index in range(GAME.spec.num_actions)] == NAMES
    assert [GAME.action(name) for name in NAMES] == list(range(21))


@pytest.mark.parametrize(
    "name", ["take 1 star from +6", "take 1 star from +0", "take 3 stars from +1", "use dire ear", "up", "pass", ""]
)
def test_unknown_action_names_are_refused(name):
    with pytest.raises(ValueError):
        GAME.action(name)


def test_mask_names_the_legal_actions():
    s = position([[FRESHNESS], ["1 star"], ["2 stars"]])
    assert {GAME.action_name(a) for a in np.flatnonzero(GAME.action_mask(s))} == legal(s)
    assert GAME.action_mask(s).shape == (21,) and legal(s) == {"draw"} | takes(("1 star", 1), ("2 stars", 2))


# ---------------------------------------------------------------- components and defaults


@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_default_deck(players, chase):
    dump = GAME.dump(GAME.new_state(seed=1, num_players=players, chase=chase))
    assert dump["counts"] == default_counts(players, chase) and list(dump["counts"]) == CARDS
    assert Counter(dump["deck"]) == +Counter(dump["counts"])
    assert GAME.dump(GAME.load({"players": players, "chase": chase}))["counts"] == dump["counts"]


def test_a_kind_left_out_of_counts_keeps_its_default():
    for players in (2, 5):
        given = {"pooman": 1, "balancer": 2, "1 star": 0}
        dump = GAME.dump(GAME.new_state(seed=1, num_players=players, counts=given))
        assert dump["counts"] == default_counts(players, "grid") | given
        assert Counter(dump["deck"]) == +Counter(dump["counts"])
        assert GAME.dump(GAME.load({"players": players, "counts": given}))["counts"] == dump["counts"]


@pytest.mark.parametrize("chase", ["grid", "off"])
def test_empty_scenario_is_a_new_game_of_three_players(chase):
    dump = GAME.dump(GAME.load({"chase": chase}))
    assert set(dump) == {*PARAMETERS, *FIELDS, "rng"}
    defaults = {
        "players": 3, "chase": chase, "room_size": 11, "start_distance": 4, "pooman_speed": 2, "player_speed": 1,
        "chase_ticks": 10, "pooperman_ticks": 20, "freeze_ticks": 5, "empty_handed_run": False,
        "pooperman_unstoppable": False, "max_decisions": 5000, "counts": default_counts(3, chase),
        "fronts": [[], [], []], "discard": [], "card": None, "phase": "draw", "winner": None, "pooman_seat": None,
        "truncated": False, "decisions": 0, "chase_state": None,
    }  # fmt: skip
    assert {field: dump[field] for field in defaults} == defaults
    assert dump["turn"] in (0, 1, 2) and Counter(dump["deck"]) == +Counter(dump["counts"])


def test_grid_is_the_default():
    assert GAME.dump(GAME.load({}))["chase"] == "grid" == GAME.dump(GAME.new_state(seed=0))["chase"]
    assert GAME.dump(GAME.new_state(seed=0))["players"] == 3


def test_null_is_as_good_as_left_out():
    names = [field for field in [*PARAMETERS, *FIELDS] if field != "seed"]
    dump, nulls = GAME.dump(GAME.load({"seed": 3})), GAME.dump(GAME.load({"seed": 3, **dict.fromkeys(names)}))
    assert dump == nulls


def test_the_turn_is_random_by_default():
    turns = {GAME.dump(GAME.load({"seed": seed, "fronts": [[], [], []]}))["turn"] for seed in range(60)}
    assert turns == {0, 1, 2}


def test_the_deck_left_out_is_the_unplaced_cards_shuffled():
    fields = {
        "fronts": [["2 stars", "poodini"], ["1 star"], []], "discard": ["pooman", "roll again"], "card": "pooperman",
        "chase_state": {}, "phase": "chase",
    }  # fmt: skip
    decks = [GAME.dump(GAME.load({**fields, "seed": seed}))["deck"] for seed in (5, 5, 6)]
    assert decks[0] == decks[1] != decks[2]
    for seed in (5, 6):
        dump = GAME.dump(GAME.load({**fields, "seed": seed}))
        assert dump["seed"] == seed and census(dump) == +Counter(default_counts(3, "grid"))
        assert dump["deck"] != sorted(dump["deck"], key=CARDS.index)


def test_a_deck_that_is_given_is_taken_as_it_is():
    for strict in (False, True):
        s = GAME.load({"deck": ["dire ear", "1 star"], "strict": strict})
        assert GAME.dump(s)["deck"] == ["dire ear", "1 star"] and "strict" not in GAME.dump(s)


@pytest.mark.parametrize("strict", [False, True])
def test_fronts_and_discard_are_empty_by_default(strict):
    dump = GAME.dump(GAME.load({"deck": ["dire ear", "1 star"], "strict": strict, "players": 4}))
    assert dump["fronts"] == [[], [], [], []] and dump["discard"] == []


@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, "draw"),
        ({"chase": "off"}, "draw"),
        ({"card": FRESHNESS}, "take"),
        ({"card": FRESHNESS, "chase": "off"}, "take"),
        ({"card": "pooman"}, "chase"),
        ({"card": "pooperman"}, "chase"),
        ({"card": "pooman", "chase": "off"}, "defend"),
        ({"card": "pooperman", "chase": "off"}, "defend"),
        ({"winner": 0, "fronts": [["2 stars", "2 stars", "1 star"], []]}, "over"),
        ({"winner": 2, "deck": []}, "over"),
        ({"truncated": True}, "over"),
    ],
)
def test_the_phase_left_out_follows_from_the_rest(fields, phase):
    dump = GAME.dump(position(**{"fronts": [["1 star", "poodini"], ["2 stars"]], **fields}))
    assert dump["phase"] == phase and (dump["chase_state"] is not None) == (phase == "chase")


def test_again_must_be_given():
    assert GAME.dump(position([[], []], discard=["roll again"]))["phase"] == "draw"
    s = position([[FRESHNESS], ["1 star"]], phase="again")
    assert GAME.dump(s)["phase"] == "again" and legal(s) == {"draw"}


@pytest.mark.parametrize("kind", ["pooman", "pooperman"])
@pytest.mark.parametrize("chase_state", [None, {}])
def test_a_chase_left_out_is_the_start_of_one(kind, chase_state):
    fields = {"room_size": 9, "start_distance": 3, "chase_ticks": 8, "pooperman_ticks": 15}
    s = position([["1 star"], [], ["2 stars"]], card=kind, chase_state=chase_state, **fields)
    drawn = position([["1 star"], [], ["2 stars"]], deck=[kind, *FILLER], **fields)
    start = act(drawn, "draw")
    assert GAME.dump(s)["chase_state"] == start["chase_state"] and GAME.dump(s)["phase"] == "chase"
    assert list(start["chase_state"]) == CHASE_FIELDS
    assert start["chase_state"]["ticks"] == (8 if kind == "pooman" else 15)


GIVEN_IN_A_CHASE = {
    "ticks": 4, "freeze": 0, "pooman": [2, 7], "players": [[1, 1], [0, 0], [8, 9]], "touched": [1],
    "hidden": [2], "balanced": [2], "moves": [["stay"], None, None], "pooman_moves": ["north"],
}  # fmt: skip


@pytest.mark.parametrize("field", GIVEN_IN_A_CHASE)
def test_each_field_of_a_chase_may_be_given_alone(field):
    fronts = [["1 star"], [], ["2 stars"]] if field != "pooman_moves" else [[], [], ["2 stars"]]
    state = {field: GIVEN_IN_A_CHASE[field]}
    if field == "pooman_moves":
        state["moves"] = [None, None, ["north"]]
    now = GAME.dump(chasing(fronts, state=state))["chase_state"]
    assert now[field] == GIVEN_IN_A_CHASE[field]
    start = GAME.dump(chasing(fronts))["chase_state"]
    assert {name: now[name] for name in now if name not in state} == {
        name: start[name] for name in start if name not in state
    }


# ---------------------------------------------------------------- what the fields do


def test_the_pages_example():
    s = GAME.load({**PAGE_EXAMPLE, "strict": True})
    dump = GAME.dump(s)
    for field, value in PAGE_EXAMPLE.items():
        assert dump[field] == value
    assert dump["phase"] == "draw" and dump["pooman_seat"] is None and "strict" not in dump
    assert act(s, "draw")["winner"] == 0


def test_who_is_to_act_in_a_chase_follows_from_the_choices_made():
    fronts = [["1 star"], [], ["2 stars"]]
    for moves, pooman_moves, seat in (
        ([None, None, None], [], 0),
        ([["stay"], None, None], [], 2),
        ([["stay"], None, ["north"]], [], 3),
        ([["stay"], None, ["north"]], ["east"], 3),
    ):
        s = chasing(fronts, state={"moves": moves, "pooman_moves": pooman_moves}, turn=1)
        assert GAME.current_player(s) == seat and GAME.dump(s)["turn"] == 1 and legal(s) == STEPS
    s = chasing(fronts, state={"moves": [["south"], None, None]}, player_speed=2)
    assert GAME.current_player(s) == 0


def test_committed_moves_are_carried_out():
    s = chasing(
        [["1 star", "poodini"], ["2 stars"]],
        pooman=[5, 3],
        players=[[5, 5], [9, 9]],
        state={"moves": [["use poodini"], ["north"]], "pooman_moves": ["south"], "ticks": 2},
    )
    now = act(s, "south")["chase_state"]
    assert now["pooman"] == [5, 5] and now["players"] == [[5, 5], [9, 8]] and now["hidden"] == [0]
    assert now["touched"] == [] and now["ticks"] == 1


def test_frozen_in_a_scenario():
    s = chasing([["1 star"], ["2 stars"]], state={"freeze": 3, "moves": [["stay"], None]})
    now = act(s, "stay")["chase_state"]
    assert now["freeze"] == 2 and GAME.current_player(s) == 0


def test_decisions_go_on_from_the_scenario():
    assert act(position([[], []], decisions=40), "draw")["decisions"] == 41


def test_finished_scenarios_are_over_and_pay():
    won = position([["2 stars", "2 stars", "1 star"], []], winner=0)
    pooman = position([["2 stars"], []], deck=[], winner=2)
    cut = position([["2 stars"], []], truncated=True)
    for s in (won, pooman, cut):
        assert GAME.is_terminal(s) and GAME.current_player(s) == -1 and GAME.legal_actions(s) == []
        assert GAME.dump(s)["turn"] == 0 and GAME.dump(GAME.load(GAME.dump(s))) == GAME.dump(s)
    assert [GAME.is_truncated(s) for s in (won, pooman, cut)] == [False, False, True]
    assert GAME.returns(won).tolist() == [1.0, -0.5, -0.5]
    assert GAME.returns(pooman).tolist() == [-0.5, -0.5, 1.0]
    assert GAME.returns(cut).tolist() == [0.0, 0.0, 0.0]


# ---------------------------------------------------------------- the dump


def test_dump_is_json_with_plain_types():
    s = GAME.new_state(seed=2, num_players=4, counts={"balancer": 3})
    for _ in range(150):
        dump = GAME.dump(s)
        assert json.loads(json.dumps(dump)) == dump and set(dump) == {*PARAMETERS, *FIELDS, "rng"}
        if dump["chase_state"]:
            assert list(dump["chase_state"]) == CHASE_FIELDS
        play_on(s, 1, choice=dump["decisions"])
    assert type(dump["empty_handed_run"]) is type(dump["truncated"]) is type(dump["pooperman_unstoppable"]) is bool
    assert type(dump["turn"]) is type(dump["decisions"]) is type(dump["counts"]["1 star"]) is int


def test_dump_sorts_what_has_no_order_and_keeps_what_has():
    cards = [*reversed(CARDS[4:]), "2 stars", "1 star"]
    s = position(
        [["poocicle", "2 stars", FRESHNESS, "1 star", "poodini"], []], deck=cards, discard=list(reversed(CARDS))
    )
    dump = GAME.dump(s)
    assert dump["fronts"][0] == ["1 star", "2 stars", FRESHNESS, "poodini", "poocicle"]
    assert dump["discard"] == CARDS and dump["deck"] == cards


def test_dump_sorts_seats():
    fronts = [["1 star"] for _ in range(6)]
    fronts[1] = fronts[4] = []
    now = GAME.dump(chasing(fronts, state={"touched": [4, 1], "hidden": [5, 0], "balanced": [3]}))["chase_state"]
    assert now["touched"] == [1, 4] and now["hidden"] == [0, 5] and now["balanced"] == [3]


# ---------------------------------------------------------------- there and back

IN_A_CHASE = {
    "players": 4, "chase": "grid", "room_size": 9, "start_distance": 5, "pooman_speed": 3, "player_speed": 2,
    "chase_ticks": 12, "pooperman_ticks": 17, "freeze_ticks": 6, "empty_handed_run": False,
    "pooperman_unstoppable": True, "max_decisions": 777, "seed": 77, "counts": {kind: 4 for kind in CARDS},
    "deck": ["roll again", "1 star", FRESHNESS, "pooman"],
    "fronts": [["1 star", "2 stars", "poodini", "balancer"], [], ["2 stars"], [FRESHNESS, "power flush"]],
    "discard": ["1 star", "pooperman", "dire ear", "power flush"], "card": "pooman", "turn": 2, "phase": "chase",
    "winner": None, "pooman_seat": 5, "truncated": False, "decisions": 123,
    "chase_state": {
        "kind": "pooman", "ticks": 7, "freeze": 0, "pooman": [4, 8], "players": [[0, 0], [8, 8], [3, 4], [5, 6]],
        "touched": [1], "hidden": [2], "balanced": [], "moves": [["use poodini"], None, None, ["north", "stay"]],
        "pooman_moves": ["west", "west"],
    },
}  # fmt: skip
FROZEN = {
    **IN_A_CHASE, "empty_handed_run": True, "pooman_seat": None,
    "chase_state": {
        **IN_A_CHASE["chase_state"], "ticks": 12, "freeze": 3, "moves": [["west"], None, None, None],
        "pooman_moves": [], "touched": [], "balanced": [1, 3], "hidden": [2],
    },
}  # fmt: skip
TAKING = {**IN_A_CHASE, "phase": "take", "card": FRESHNESS, "chase_state": None}
AGAIN = {**IN_A_CHASE, "phase": "again", "card": None, "chase_state": None, "discard": ["roll again"]}
DRAWING = {**AGAIN, "phase": "draw", "turn": 3, "discard": []}
DEFENDING = {**IN_A_CHASE, "chase": "off", "phase": "defend", "turn": 3, "chase_state": None}
WON = {**DRAWING, "phase": "over", "winner": 1, "fronts": [[], ["1 star", "2 stars", "2 stars"], [], []]}
CAUGHT = {**DRAWING, "phase": "over", "winner": 4, "deck": [], "turn": 1}
CUT = {**DRAWING, "phase": "over", "truncated": True, "decisions": 777}


@pytest.mark.parametrize(
    "scenario",
    [IN_A_CHASE, FROZEN, TAKING, AGAIN, DRAWING, DEFENDING, WON, CAUGHT, CUT],
    ids=["chase", "frozen", "take", "again", "draw", "defend", "won", "caught", "cut"],
)
def test_every_field_survives(scenario):
    before = json.loads(json.dumps(scenario))
    dump = GAME.dump(GAME.load(scenario))
    assert {field: dump[field] for field in scenario} == scenario == before
    assert set(dump) - set(scenario) == {"rng"}
    assert GAME.dump(GAME.load(json.loads(json.dumps(dump)))) == dump
    if scenario["phase"] != "over":
        play_on(GAME.load(scenario), 30)
    assert scenario == before  # load changes nothing


@pytest.mark.parametrize(
    "options",
    [{}, {"chase": "off"}, {"player_speed": 2, "empty_handed_run": True}, {"counts": {"balancer": 5}, "room_size": 5}],
    ids=["default", "off", "quick", "balancers"],
)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_loaded_dump_plays_on_exactly_as_the_state_does(players, options):
    s = GAME.new_state(seed=11, num_players=players, **options)
    check_plays_on_alike(GAME, s, times=8, decisions=60)


@pytest.mark.parametrize("options", [{}, {"chase": "off"}, {"player_speed": 2}])
@pytest.mark.parametrize("cap", [1, 2, 3, 5, 8, 13, 21, 34])
def test_every_truncated_position_survives(cap, options):
    for seed in range(4):
        s = GAME.new_state(seed=seed, num_players=2, max_decisions=cap, **options)
        play_on(s, cap, choice=seed)
        dump = GAME.dump(s)
        assert dump["phase"] == "over"
        copy = GAME.load(json.loads(json.dumps(dump)))
        assert GAME.dump(copy) == dump and GAME.is_truncated(copy) == dump["truncated"]


def test_parameters_reach_the_game():
    given = {
        "chase": "grid", "room_size": 8, "start_distance": 3, "pooman_speed": 1, "player_speed": 2, "chase_ticks": 6,
        "pooperman_ticks": 9, "freeze_ticks": 2, "empty_handed_run": True, "pooperman_unstoppable": True,
        "max_decisions": 321,
    }  # fmt: skip
    dump = GAME.dump(GAME.new_state(seed=0, num_players=5, **given))
    assert {name: dump[name] for name in given} == given and dump["players"] == 5
    dump = GAME.dump(GAME.load({"players": 5, **given}))
    assert {name: dump[name] for name in given} == given


def test_kept_cards_of_every_kind_lie_in_fronts():
    fronts = [[FRESHNESS], *([card] for card in KEPT)]
    assert GAME.dump(position(fronts, counts=PLENTY))["fronts"] == fronts
