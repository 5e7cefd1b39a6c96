"""Scenarios: what a field means, what it is when left out, and the way there and back."""

import json
from collections import Counter

import numpy as np
import pytest
from support.scenarios import check_is_not_changed, check_plays_on_alike

from poopdeck.envs.core.errors import IllegalActionError

from .random_positions import (
    as_parameters,
    deck,
    random_options,
    random_position,
    seeded,
    toilet_deck,
)
from .table import DUTIES, GAME, KINDS, PLENTY, TOILETS, VARIANTS, act, legal, play_on, plays, position, sizes

PARAMETERS = [
    "players", "variant", "edition", "duties_model", "forget_probability", "catch_probability", "two_player_reverse",
    "lid_itself", "drinking", "drink_weight", "max_decisions", "slap_weights", "seed", "deck", "toilet_deck",
]  # fmt: skip
POSITION = [
    "hands", "table", "draw_pile", "toilets", "discard", "used_toilets", "lid", "water", "turn", "direction",
    "skip_next", "phase", "asked", "slaps", "row", "last_card", "survived", "duties", "drinks", "known", "decisions",
    "winners", "truncated",
]  # fmt: skip
PAGE_EXAMPLE = {
    "players": 3, "variant": "classic", "edition": "classic",
    "hands": [["blue 3", "red skip"], ["yellow wild whistle"], ["red 1"]], "table": ["blue 2", "red 4"],
    "lid": 10, "water": "red", "toilets": [[8, "yellow"]], "draw_pile": [], "discard": [], "turn": 0, "direction": 1,
    "skip_next": False, "duties": [[], ["grunt"], []], "drinks": [0, 0, 0], "seed": 1,
}  # fmt: skip
MORE = ["yellow 4", "yellow 5"]


def all_cards(dump):
    return Counter(sum(dump["hands"], []) + dump["table"] + dump["draw_pile"] + dump["discard"])


# ---------------------------------------------------------------- names of actions


def test_action_table():
    names = [*(f"play {card}" for card in KINDS), "clog", "intercept", "pass", "flip", "slap", "hold"]
    names += [f"share +{k}" for k in (1, 2, 3, 4)]
    assert GAME.spec.num_actions == 40 and [GAME.action_name(number) for number in range(40)] == names
    assert [GAME.action(name) for name in names] == list(range(40))


def test_actions_are_named_in_the_words_of_the_edition():
    hands = [["green 1", "orange wild lean and fart"], ["purple 2"], ["purple skip"]]
    s = GAME.load({"edition": "party_pooper", "players": 3, "hands": hands, "table": [], "turn": 0, "lid": 9})
    offered = {"play green 1", "play orange wild lean and fart"}
    assert {GAME.action_name(action, s) for action in GAME.legal_actions(s)} == offered
    assert [GAME.action(name, s) for name in sorted(offered)] == [0, GAME.action("play red wild grunt")]
    assert GAME.action_name(0, s.settings) == "play green 1" and GAME.action_name(0) == "play blue 1"
    assert GAME.spec.action_names(s.settings)[30:] == GAME.spec.action_names(GAME.spec.settings())[30:]
    with pytest.raises(ValueError, match=r"legal now: play green 1, play orange wild lean and fart"):
        GAME.action("play blue 1", s)
    with pytest.raises(IllegalActionError, match=r"may not choose 1 \(play green 2\); legal now: 0 \(play green 1\), "):
        GAME.apply_action(s, 1)


@pytest.mark.parametrize("name", ["play blue 6", "play green 1", "play blue wild", "share +5", "share", "draw", ""])
def test_unknown_action_names_are_refused(name):
    with pytest.raises(ValueError):
        GAME.action(name)


def test_mask_names_the_legal_actions():
    s = position([["blue 3", "red 5", "red skip"], MORE], table=["blue 5"], lid=9)
    assert {GAME.action_name(a) for a in np.flatnonzero(GAME.action_mask(s))} == legal(s) == plays("blue 3", "red skip")
    assert GAME.action_mask(s).shape == (40,)


# ---------------------------------------------------------------- defaults


def test_empty_scenario_is_four_seats_with_a_deal():
    dump = GAME.dump(GAME.load({}))
    assert dump["players"] == 4 and dump["variant"] == dump["edition"] == "classic"
    assert dump["duties_model"] == "automatic" and dump["two_player_reverse"] == "none"
    assert dump["forget_probability"] == 0.1 and dump["catch_probability"] == 0.5
    assert dump["drinking"] is False and dump["drink_weight"] == 0 and dump["max_decisions"] == 1000
    assert dump["deck"] is None and dump["toilet_deck"] is None and dump["slap_weights"] in (None, [1] * 4)
    assert sizes(dump) == [5] * 4 and len(dump["draw_pile"]) == 16 and len(dump["toilets"]) == 10
    assert all_cards(dump) == Counter(deck("classic"))
    assert sorted([*dump["toilets"], [dump["lid"], dump["water"]]]) == toilet_deck("classic")
    assert dump["table"] == dump["discard"] == dump["used_toilets"] == dump["winners"] == []
    assert dump["turn"] == 0 and dump["direction"] == 1 and dump["skip_next"] is False
    assert dump["phase"] == "play" and dump["asked"] is None and dump["slaps"] == [None] * 4
    assert dump["row"] == dump["survived"] == dump["decisions"] == 0 and dump["last_card"] is None
    assert dump["duties"] == [[]] * 4 and dump["drinks"] == [0] * 4 and dump["known"] == [[[]] * 4] * 4
    assert dump["truncated"] is False


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_max_decisions_follows_the_players(players):
    assert GAME.dump(GAME.load({"players": players}))["max_decisions"] == 250 * players


@pytest.mark.parametrize("players", [2, 3, 5])
def test_super_pooper_deals_all_cards(players):
    dump = GAME.dump(GAME.load({"players": players, "variant": "super_pooper", "turn": 1}))
    assert sum(sizes(dump)) == 36 and dump["draw_pile"] == [] and all_cards(dump) == Counter(deck("classic"))
    assert max(sizes(dump)) - min(sizes(dump)) <= 1 and sizes(dump)[1] == max(sizes(dump))


def test_players_is_the_number_of_hands():
    dump = GAME.dump(GAME.load({"hands": [["blue 3"], ["red 5"], ["red 4"]]}))
    assert dump["players"] == 3 and dump["hands"] == [["blue 3"], ["red 5"], ["red 4"]] and dump["max_decisions"] == 750


def test_what_is_left_out_is_dealt_from_the_cards_not_placed():
    dump = GAME.dump(GAME.load({"table": ["blue 2", "red 1"], "discard": ["yellow 5"], "players": 3}))
    assert sizes(dump) == [5] * 3 and len(dump["draw_pile"]) == 36 - 15 - 3
    assert all_cards(dump) == Counter(deck("classic"))
    dump = GAME.dump(GAME.load({"draw_pile": ["blue 5", "red 1"], "players": 3}))
    assert sizes(dump) == [5] * 3 and dump["draw_pile"] == ["blue 5", "red 1"] and all_cards(dump).total() == 17


def test_toilets_left_out_are_those_not_placed():
    dump = GAME.dump(GAME.load({"lid": 10, "water": "red", "used_toilets": [[6, "blue"]]}))
    assert (dump["lid"], dump["water"]) == (10, "red") and dump["used_toilets"] == [[6, "blue"]]
    assert sorted([*dump["toilets"], [10, "red"], [6, "blue"]], key=str) == sorted(toilet_deck("classic"), key=str)


@pytest.mark.parametrize(("lid", "water"), [(1, "red"), (10, "blue"), (40, "yellow")])
def test_any_lid_from_1_and_any_colour_is_accepted(lid, water):
    dump = GAME.dump(GAME.load({"lid": lid, "water": water, "toilets": [[8, "yellow"]]}))
    assert (dump["lid"], dump["water"]) == (lid, water) and dump["toilets"] == [[8, "yellow"]]
    assert (GAME.dump(GAME.load(dump))["lid"], GAME.dump(GAME.load(dump))["water"]) == (lid, water)


def test_the_open_toilet_left_out_is_one_of_those_not_placed():
    for seed in range(20):
        dump = GAME.dump(GAME.load({"toilets": [[8, "yellow"]], "used_toilets": [[9, "blue"]], "seed": seed}))
        assert dump["lid"] not in (8, 9) and [dump["lid"], dump["water"]] in toilet_deck("classic")
        assert GAME.dump(GAME.load({"lid": 9, "seed": seed}))["lid"] == 9


def test_the_seed_decides_what_is_dealt():
    first, again, other = (GAME.dump(GAME.load({"seed": seed})) for seed in (5, 5, 6))
    assert first == again and first["seed"] == 5
    assert all(first[zone] != other[zone] for zone in ("hands", "draw_pile", "toilets"))


def test_the_draw_pile_and_the_toilets_are_shuffled():
    dump = GAME.dump(GAME.load({"hands": [["blue 3"], ["red 5"]], "seed": 3}))
    assert dump["draw_pile"] != sorted(dump["draw_pile"], key=KINDS.index) and len(dump["draw_pile"]) == 34
    assert dump["toilets"] != sorted(dump["toilets"])


def test_strict_leaves_unplaced_cards_out_of_the_game():
    dump = GAME.dump(GAME.load({"hands": [["blue 3"], ["red 5"]], "strict": True, "lid": 10, "water": "red"}))
    assert dump["draw_pile"] == dump["discard"] == [] and all_cards(dump) == {"blue 3": 1, "red 5": 1}
    assert "strict" not in dump


@pytest.mark.parametrize("zone", ["table", "draw_pile", "discard"])
@pytest.mark.parametrize("cards", [[], ["blue 1", "red 2"]])
def test_a_pile_that_is_given_even_empty_is_taken_as_it_is(zone, cards):
    assert GAME.dump(GAME.load({"hands": [["blue 3"], ["red 5"]], zone: cards}))[zone] == cards


@pytest.mark.parametrize("toilets", [[], [[8, "yellow"], [7, "red"]]])
def test_toilets_that_are_given_are_taken_as_they_are(toilets):
    dump = GAME.dump(GAME.load({"lid": 10, "water": "red", "toilets": toilets}))
    assert dump["toilets"] == toilets and dump["used_toilets"] == []


@pytest.mark.parametrize(
    ("variant", "table", "row"),
    [
        ("classic", [], 0),
        ("classic", ["red 1"], 1),
        ("classic", ["red 1", "blue 1", "blue skip"], 2),
        ("classic", ["red 1", "red 2", "blue skip"], 1),
        ("deep_doo_doo", ["red 1", "blue 1", "blue 2", "blue skip"], 3),
        ("deep_doo_doo", ["blue wild grunt", "blue reverse", "blue 1", "blue 2", "blue skip"], 5),
        ("super_pooper", ["red 1", "red 2"], 2),
        ("super_pooper", ["red 1", "red 2", "red skip"], 0),
        ("super_pooper", ["blue 1", "red 1", "red 2", "red skip", "red reverse"], 1),
    ],
)
def test_row_and_last_card_follow_from_the_table(variant, table, row):
    dump = GAME.dump(position([["yellow 3", "blue 4"], MORE], variant, table=table))
    assert dump["row"] == row and dump["last_card"] == (table[-1] if table else None)


def test_last_card_is_kept_over_clogs_and_flushes():
    s = position([["blue 5", "red 4"], MORE], last_card="red 1")
    assert GAME.dump(s)["last_card"] == "red 1" and GAME.dump(GAME.load(GAME.dump(s)))["last_card"] == "red 1"
    s = position([["red 5", "red 4"], MORE], table=["blue 5", "yellow 1"], lid=7)
    assert act(s, "clog")["last_card"] == "yellow 1" and GAME.dump(GAME.load(GAME.dump(s)))["last_card"] == "yellow 1"


@pytest.mark.parametrize("variant", VARIANTS)
def test_survived_is_the_total_in_blind_pooper_else_0(variant):
    dump = GAME.dump(position([["blue 5", "red 4"], MORE], variant, table=["red 1", "blue 3"]))
    assert dump["survived"] == (4 if variant == "blind_pooper" else 0)
    if variant == "blind_pooper":
        dump = GAME.dump(position([["blue 5", "red 4"], MORE], variant, table=["red 1", "blue 3"], survived=8))
        assert dump["survived"] == 8


@pytest.mark.parametrize(("direction", "asked"), [(1, 2), (-1, 3)])
def test_asked_is_the_first_in_order(direction, asked):
    hands = [["blue 2"], MORE, ["blue 1"], ["blue 1", "red 1"]]
    s = position(hands, "interceptor", table=["blue 1"], phase="intercept", direction=direction)
    assert GAME.dump(s)["asked"] == asked == GAME.current_player(s)
    s = position([MORE] * 4, "super_pooper", table=["red 1", "red 2", "red 3"], phase="slap", direction=direction)
    assert GAME.dump(s)["asked"] == direction % 4 == GAME.current_player(s) and GAME.dump(s)["row"] == 3


def test_asked_may_be_given():
    hands = [["blue 2"], ["blue 1"], ["blue 1"], ["blue 1", "red 1"]]
    s = position(hands, "interceptor", table=["blue 1"], phase="intercept", asked=2)
    assert GAME.current_player(s) == 2 and act(s, "pass")["asked"] == 3
    fields = {"table": ["red 1", "red 2", "red 3"], "phase": "slap", "asked": 3}
    s = position([MORE] * 4, "super_pooper", slaps=[None, "slap", "hold", None], **fields)
    assert GAME.dump(s)["slaps"] == [None, "slap", "hold", None] and act(s, "hold")["asked"] == 0
    assert sizes(act(s, "hold")) == [2, 5, 2, 2]


@pytest.mark.parametrize("variant", ["classic", "super_pooper"])
def test_a_share_may_be_due(variant):
    s = position([["blue 2", "blue 5"], MORE, MORE], variant, drinking=True, phase="share", turn=1)
    assert legal(s) == {"share +1", "share +2"} and GAME.current_player(s) == 1
    assert act(s, "share +2")["drinks"] == [5, 5, 0]


# ---------------------------------------------------------------- the dump


def test_dump_has_every_field_of_the_page_and_the_generators_state():
    for s in (GAME.new_state(seed=0), GAME.load({}), GAME.load(PAGE_EXAMPLE)):
        assert set(GAME.dump(s)) == {*PARAMETERS, *POSITION, "rng"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_dump_is_json_with_plain_types(variant):
    s = GAME.new_state(seed=0, num_players=3, variant=variant, drinking=True, duties="forgetful")
    for _ in range(40):
        dump = GAME.dump(s)
        assert json.loads(json.dumps(dump)) == dump
        play_on(s, 1)
    assert type(dump["skip_next"]) is type(dump["truncated"]) is type(dump["drinking"]) is bool
    assert type(dump["lid"]) is type(dump["decisions"]) is type(dump["drinks"][0]) is type(dump["row"]) is int


def test_dump_sorts_what_has_no_order_and_keeps_what_has():
    known = [[[], ["red 3", "red 1"]], [["red 1", "blue skip"], []]]
    s = position(
        [["red 1", "blue skip", "blue reverse", "yellow 5", "blue wild grunt", "blue 5"], ["red 3", "red 1"]],
        table=["yellow 1", "blue 1", "red 2"],
        draw_pile=["yellow skip", "blue 2", "red 4"],
        discard=["yellow 3", "blue 4", "red reverse"],
        toilets=[[14, "yellow"], [8, "yellow"], [9, "blue"]],
        used_toilets=[[12, "blue"], [7, "red"]],
        duties=[["whistle", "hold nose"], ["grunt"]],
        known=known,
    )
    dump = GAME.dump(s)
    hand = ["blue 5", "blue wild grunt", "blue reverse", "blue skip", "red 1", "yellow 5"]
    assert dump["hands"] == [hand, ["red 1", "red 3"]]
    assert dump["known"] == [[[], ["red 1", "red 3"]], [["blue skip", "red 1"], []]]
    assert dump["discard"] == ["blue 4", "red reverse", "yellow 3"] and dump["used_toilets"] == [
        [7, "red"],
        [12, "blue"],
    ]
    assert dump["duties"] == [["hold nose", "whistle"], ["grunt"]]
    assert dump["table"] == ["yellow 1", "blue 1", "red 2"] and dump["draw_pile"] == ["yellow skip", "blue 2", "red 4"]
    assert dump["toilets"] == [[14, "yellow"], [8, "yellow"], [9, "blue"]]


def test_piles_keep_their_order_in_super_pooper():
    piles = [["red 1", "blue 4", "blue 1"], ["yellow 3", "red 3"]]
    assert GAME.dump(position(piles, "super_pooper"))["hands"] == piles


def test_the_pages_example():
    dump = GAME.dump(GAME.load(PAGE_EXAMPLE))
    for field, value in PAGE_EXAMPLE.items():
        assert dump[field] == value
    assert legal(GAME.load(PAGE_EXAMPLE)) == plays("blue 3", "red skip")


def test_the_other_edition():
    cards = {"hands": [["green 1", "orange wild lean and fart"], ["purple wild high five", "purple skip"]]}
    s = GAME.load({"edition": "party_pooper", **cards, "lid": 17, "water": "orange", "table": ["green 2", "purple 2"]})
    assert GAME.dump(s)["hands"] == cards["hands"] and GAME.dump(s)["water"] == "orange"
    assert legal(s) == plays("green 1", "orange wild lean and fart")
    dump = act(s, "play orange wild lean and fart")
    assert dump["duties"] == [["lean and fart"], []] and dump["table"][-1] == "orange wild lean and fart"
    dump = GAME.dump(GAME.new_state(seed=2, edition="party_pooper"))
    assert all_cards(dump) == Counter(deck("party_pooper"))


# ---------------------------------------------------------------- deck and toilet_deck


def test_another_deck():
    cards = {"blue 1": 12, "red wild hold nose": 2, "yellow skip": 3}
    dump = GAME.dump(GAME.new_state(seed=0, num_players=3, deck=cards))
    assert all_cards(dump) == cards and dump["deck"] == cards
    dump = GAME.dump(GAME.load({"players": 3, "deck": cards}))
    assert all_cards(dump) == cards and GAME.dump(GAME.load(dump)) == dump
    dump = GAME.dump(GAME.new_state(seed=0, num_players=2, deck=cards, variant="super_pooper"))
    assert sorted(sizes(dump)) == [8, 9]


def test_another_toilet_deck():
    toilets = [[3, "red"], [3, "red"], [30, "blue"]]
    for dump in (
        GAME.dump(GAME.new_state(seed=0, toilet_deck=toilets)),
        GAME.dump(GAME.load({"toilet_deck": toilets})),
    ):
        assert sorted([*dump["toilets"], [dump["lid"], dump["water"]]]) == toilets
        assert sorted(map(list, dump["toilet_deck"])) == toilets


# ---------------------------------------------------------------- there and back


WHOLE = {
    "players": 4, "variant": "classic", "edition": "classic", "duties_model": "forgetful", "forget_probability": 0.25,
    "catch_probability": 0.75, "two_player_reverse": "skip", "lid_itself": "fits", "drinking": True,
    "drink_weight": 0.02, "max_decisions": 321, "seed": 77, "deck": PLENTY, "toilet_deck": TOILETS,
    "hands": [["blue 3", "red skip"], ["blue 1", "blue 1"], ["yellow wild grunt"], ["red 4"]],
    "table": ["red 1", "blue 2"], "draw_pile": ["yellow 5", "blue 4"], "discard": ["blue 1", "red 5"],
    "lid": 11, "water": "blue", "toilets": [[8, "yellow"], [2, "red"]], "used_toilets": [[3, "blue"], [12, "red"]],
    "turn": 2, "direction": -1, "skip_next": True, "phase": "play", "asked": None, "slaps": [None] * 4, "row": 1,
    "last_card": "blue 2", "survived": 0, "duties": [["hold nose"], [], [], ["grunt", "whistle"]],
    "drinks": [3, 0, 12, 1], "known": [
        [[], ["blue 1"], [], ["red 4"]], [["red skip"], [], [], []], [[], ["blue 1", "blue 1"], [], []],
        [[], [], ["yellow wild grunt"], []],
    ], "decisions": 40, "winners": [], "truncated": False,
}  # fmt: skip
EMPTY = {"known": [[[]] * 4] * 4}
SHARING = {**WHOLE, "phase": "share", "table": [], "row": 0, "last_card": "red 5"}
BLIND = {**WHOLE, "variant": "blind_pooper", "survived": 11, "catch_probability": 1.0}  # PG-20, PG-30: the lid itself
ASKING = {
    **WHOLE, "variant": "interceptor", "phase": "intercept", "asked": 1, "turn": 0, "last_card": "blue 1",
    "hands": [["red skip"], ["blue 1", "blue 1"], ["blue 1"], ["red 4"]], **EMPTY,
    "table": ["red 1", "red 5", "blue 1"],
}  # fmt: skip
LAID = {**ASKING, "lid": 7, "hands": [[], *ASKING["hands"][1:]]}
SLAPPING = {
    **WHOLE, "variant": "super_pooper", "phase": "slap", "asked": 2, "slaps": ["slap", None, None, "hold"], "turn": 1,
    "hands": [["red 1", "blue 3"], [], [], ["red 4"]], "table": ["red 1", "red 2", "red skip"], "row": 3,
    "last_card": "red skip", "draw_pile": [], "discard": [], "slap_weights": [1, 2, 0.5, 1], "direction": -1,
    "known": [[["red 1"], [], [], ["red 4"]], *[[[], [], [], []]] * 3],
}  # fmt: skip
WON = {**WHOLE, "phase": "over", "winners": [2], "hands": [*WHOLE["hands"][:2], [], WHOLE["hands"][3]], **EMPTY}
CUT = {**WHOLE, "phase": "over", "truncated": True, "max_decisions": 40}
TIED = {
    **SLAPPING, "phase": "over", "truncated": True, "max_decisions": 40, "slaps": [None] * 4, "winners": [0, 1],
    "hands": [["red 1", "blue 3"], ["red 4", "red 3"], [], ["red 4"]], "asked": None, "table": ["red 1"], "row": 1,
    "last_card": "red 1", "known": [[[], [], [], []]] * 4,
}  # fmt: skip


@pytest.mark.parametrize(
    "scenario", [WHOLE, SHARING, BLIND, ASKING, LAID, SLAPPING, WON, CUT, TIED],
    ids=["play", "share", "blind", "intercept", "laid", "slap", "won", "cut", "tied"],
)  # fmt: skip
def test_every_field_survives(scenario):
    dump = GAME.dump(GAME.load(scenario))
    assert {field: dump[field] for field in scenario} == scenario
    assert set(dump) - set(scenario) <= {"rng", "slap_weights"}
    assert GAME.dump(GAME.load(dump)) == dump


def test_finished_scenarios_are_over_and_pay():
    won, cut, tied = GAME.load({**WON, "drink_weight": 0}), GAME.load(CUT), GAME.load(TIED)
    for s in (won, cut, tied):
        assert GAME.is_terminal(s) and GAME.current_player(s) == -1 and GAME.legal_actions(s) == []
    assert GAME.is_truncated(cut) and not GAME.is_truncated(won)
    thirds = np.float32([-1, -1, 3, -1]) / 3
    assert np.allclose(GAME.returns(won), thirds) and not GAME.returns(cut).any()
    assert np.allclose(GAME.returns(tied), np.float32([1, 1, -1, -1]) / 3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_survives(variant):
    """Of random games under random parameters, ends and cuts included."""
    for seed in range(6):
        rng = seeded(seed)
        if seed % 2:
            s = GAME.load(random_position(rng, variant))
        else:
            s = GAME.new_state(seed=seed, **as_parameters(random_options(rng, variant, rng.randint(2, 5))))
        for _ in range(40):
            dump = GAME.dump(s)
            copy = GAME.load(json.loads(json.dumps(dump)))
            assert GAME.dump(copy) == dump and legal(copy) == legal(s) and GAME.is_terminal(copy) == GAME.is_terminal(s)
            assert GAME.is_truncated(copy) == GAME.is_truncated(s) and (GAME.returns(copy) == GAME.returns(s)).all()
            play_on(s, 1, rng.randrange(40))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_loaded_dump_plays_on_exactly_as_the_state_does(variant):
    """Through shuffles, forgotten duties and slaps too: the generator's state travels along."""
    options = {"drinking": True, "duties": "forgetful", "forget_probability": 0.5, "variant": variant}
    s = GAME.new_state(seed=11, num_players=3, **options)
    check_plays_on_alike(GAME, s, times=8, decisions=150)


def test_without_the_generators_state_the_seed_starts_it():
    s = position([["blue 5"], MORE], table=["red 5"], toilets=[], used_toilets=[[k, "red"] for k in range(1, 9)])
    dump = GAME.dump(s)
    del dump["rng"]
    opened = [act(GAME.load({**dump, "seed": seed}), "clog")["toilets"] for seed in (4, 4, 5)]
    assert opened[0] == opened[1] != opened[2]


def test_load_does_not_change_the_scenario():
    check_is_not_changed(GAME, WHOLE)


def test_a_scenario_may_be_json_text():
    assert GAME.dump(GAME.load(json.dumps(WHOLE))) == GAME.dump(GAME.load(WHOLE))


def test_duties_of_every_action():
    assert GAME.dump(position([MORE, MORE], duties=[list(DUTIES), []]))["duties"] == [list(DUTIES), []]
