"""Scenarios: what a field means, what it is when left out, and the way there and back."""

import json
from collections import Counter

import numpy as np
import pytest
from reference.too_many_poops import default_rivals
from support.scenarios import check_is_not_changed, check_plays_on_alike

from .random_positions import random_options, random_position, seeded
from .table import CATS, GAME, ITEM_COUNTS, ITEMS, LITTERS, act, cards, hand, legal, play_on, position, written

PARAMETERS = [
    "players", "items", "rivals", "litters", "optional_draw", "golden_poople", "rainbow_cats", "max_decisions", "seed",
]  # fmt: skip
POSITION = [
    "hands", "homes", "store", "wild", "cat_deck", "item_deck", "item_discard", "turn", "phase", "chosen", "known",
    "cat_played", "cats_left", "items_left", "pending", "stack", "ask", "arrival", "out", "winner", "truncated",
    "decisions",
]  # fmt: skip
BOX = Counter({**{cat: 1 for cat in CATS}, "rainbow": 4, **ITEM_COUNTS})
NOBODY = {"cats": [], "items": []}
PAGE_EXAMPLE = {
    "players": 2,
    "hands": [{"cats": ["tabby 0"], "items": ["replay", "hiss"]}, {"cats": ["rainbow"], "items": []}],
    "homes": [
        {"cats": ["tabby 1", "tabby 2"], "modifiers": ["big dinner"], "poops": 4},
        {"cats": ["ginger 3"], "modifiers": [], "poops": 9},
    ],
    "store": {"cats": ["smoke 0"], "items": []},
    "wild": [],
    "cat_deck": [],
    "item_deck": [],
    "item_discard": [],
    "turn": 0,
    "phase": "play",
    "golden_poople": False,
}


def all_cards(dump):
    found = [card for zone in dump["hands"] + dump["homes"] for card in cards(zone)]
    found += [card for row in dump["store"].values() for card in row if card]
    found += dump["wild"] + dump["cat_deck"] + dump["item_deck"] + dump["item_discard"]
    return Counter(found + [entry["item"] for entry in dump["stack"]])


# ---------------------------------------------------------------- names of actions


EVERY_ACTION = {
    "draw cat", "draw item", *[f"draw store {kind} {slot}" for kind in ("cat", "item") for slot in (1, 2, 3)],
    *[f"cat {cat}" for cat in CATS], *[f"to home +{step}" for step in range(6)], "to the wild",
    *[f"{verb} {item}" for verb in ("play", "discard") for item in ITEMS], "draw from the wild", "end", "pass",
}  # fmt: skip


def test_action_table():
    names = [GAME.action_name(action) for action in range(GAME.spec.num_actions)]
    assert len(names) == 71 and set(names) == EVERY_ACTION
    assert [GAME.action(name) for name in names] == list(range(71))


@pytest.mark.parametrize(
    "name", ["draw store cat 4", "cat tabby 5", "cat red 0", "to home +6", "play", "to home 1", ""]
)
def test_unknown_action_names_are_refused(name):
    with pytest.raises(ValueError):
        GAME.action(name)


def test_mask_names_the_legal_actions():
    s = position([["tabby 0", "scoop"], []], [[5], []])
    assert {GAME.action_name(a) for a in np.flatnonzero(GAME.action_mask(s))} == legal(s)
    assert GAME.action_mask(s).shape == (71,) and legal(s) == {"cat tabby 0", "play scoop", "discard scoop"}


def test_an_illegal_action_is_refused_and_changes_nothing():
    s = position([["tabby 0", "scoop"], []], [[5], []])
    before = GAME.dump(s)
    with pytest.raises(ValueError, match="end"):
        GAME.apply_action(s, GAME.action("end"))
    assert GAME.dump(s) == before


# ---------------------------------------------------------------- defaults


def test_empty_scenario_is_four_seats_in_play_with_a_deal():
    dump = GAME.dump(GAME.load({}))
    assert dump["players"] == 4 and dump["items"] == ITEM_COUNTS and dump["litters"] == LITTERS
    assert {frozenset(pair) for pair in dump["rivals"]} == set(default_rivals())
    assert dump["optional_draw"] is False and dump["golden_poople"] is False
    assert dump["rainbow_cats"] == 4 and dump["max_decisions"] == 600
    assert [(len(zone["cats"]), len(zone["items"])) for zone in dump["hands"]] == [(1, 3)] * 4
    assert dump["homes"] == [{"cats": [], "modifiers": [], "poops": 0}] * 4
    assert [len([card for card in row if card]) for row in dump["store"].values()] == [3, 3]
    assert dump["wild"] == dump["item_discard"] == dump["stack"] == dump["ask"] == dump["out"] == []
    assert len(dump["cat_deck"]) == 34 - 4 - 3 and len(dump["item_deck"]) == 29 - 12 - 3
    assert all_cards(dump) == BOX
    assert dump["turn"] == 0 and dump["phase"] == "play" and dump["chosen"] == [None] * 4
    assert dump["known"] == [NOBODY] * 4
    assert (dump["cat_played"], dump["cats_left"], dump["items_left"]) == (False, 1, 2)
    assert dump["pending"] is dump["arrival"] is dump["winner"] is None
    assert dump["truncated"] is False and dump["decisions"] == 0


def test_while_choosing_two_cats_are_dealt():
    dump = GAME.dump(GAME.load({"phase": "choose", "players": 3}))
    assert [(len(zone["cats"]), len(zone["items"])) for zone in dump["hands"]] == [(2, 3)] * 3
    assert dump["phase"] == "choose" and dump["turn"] == 0 and all_cards(dump) == BOX


def test_while_drawing_one_cat_is_dealt():
    dump = GAME.dump(GAME.load({"phase": "draw", "players": 2, "turn": 1}))
    assert [(len(zone["cats"]), len(zone["items"])) for zone in dump["hands"]] == [(1, 3)] * 2
    assert dump["phase"] == "draw" and dump["turn"] == 1


def test_players_is_the_number_of_hands():
    dump = GAME.dump(GAME.load({"hands": [hand(["tabby 0"]), hand([]), hand([])]}))
    assert dump["players"] == 3 and dump["max_decisions"] == 450


def test_what_is_left_out_is_dealt_from_the_cards_not_placed():
    given = {"hands": [hand(["rainbow", "rainbow", "hiss"]), hand(["rainbow"])], "wild": ["rainbow", "tabby 0"]}
    dump = GAME.dump(GAME.load({**given, "item_discard": ["deluxe litter"], "seed": 3}))
    assert "rainbow" not in dump["cat_deck"] + dump["store"]["cats"] and "tabby 0" not in dump["cat_deck"]
    assert "deluxe litter" not in dump["item_deck"] + dump["store"]["items"]
    assert all_cards(dump) == BOX and dump["hands"] == given["hands"]
    assert all(dump["store"]["cats"]) and all(dump["store"]["items"])


def test_the_seed_decides_what_is_dealt():
    first, again, other = (GAME.dump(GAME.load({"seed": seed})) for seed in (5, 5, 6))
    assert first == again and first["seed"] == 5
    assert first["cat_deck"] != other["cat_deck"] and first["item_deck"] != other["item_deck"]


def test_decks_that_are_left_out_are_shuffled():
    dump = GAME.dump(GAME.load({"hands": [hand(["tabby 0"]), hand([])], "seed": 1}))
    assert dump["cat_deck"] != sorted(dump["cat_deck"], key=CATS.index)
    assert dump["item_deck"] != sorted(dump["item_deck"], key=ITEMS.index)


def test_strict_leaves_unplaced_cards_out_of_the_game():
    store = {"cats": ["smoke 0"], "items": []}
    fields = {"hands": [hand(["tabby 0"]), hand(["hiss"])], "store": store}
    dump = GAME.dump(GAME.load({**fields, "strict": True}))
    assert dump["cat_deck"] == dump["item_deck"] == [] and "strict" not in dump
    assert all_cards(dump) == {"tabby 0": 1, "hiss": 1, "smoke 0": 1}
    assert len(GAME.dump(GAME.load(fields))["cat_deck"]) == 34 - 2


@pytest.mark.parametrize("pile", ["wild", "cat_deck", "item_deck", "item_discard"])
def test_a_pile_that_is_given_even_empty_is_taken_as_it_is(pile):
    some = ["hiss", "scoop"] if pile.startswith("item") else ["smoke 0", "rainbow"]
    for given in ([], some):
        dump = GAME.dump(GAME.load({"hands": [hand(["tabby 0"]), hand([])], pile: given}))
        assert dump[pile] == given if pile != "item_discard" else Counter(dump[pile]) == Counter(given)


@pytest.mark.parametrize(
    ("cats", "items", "padded_cats", "padded_items"),
    [
        ([], [], [None] * 3, [None] * 3),
        (["smoke 0"], ["hiss", "lure"], ["smoke 0", None, None], ["hiss", "lure", None]),
        ([None, "smoke 0"], [None, None, "hiss"], [None, "smoke 0", None], [None, None, "hiss"]),
    ],
)
def test_short_rows_of_the_store_are_padded(cats, items, padded_cats, padded_items):
    s = position([["tabby 0"], []], store={"cats": cats, "items": items})
    assert GAME.dump(s)["store"] == {"cats": padded_cats, "items": padded_items}


# ---------------------------------------------------------------- the dump


def test_dump_has_every_field_of_the_page_and_the_generators_state():
    for s in (GAME.new_state(seed=0), GAME.load({}), position([["tabby 0"], []])):
        assert set(GAME.dump(s)) == {*PARAMETERS, *POSITION, "rng"}


def test_dump_is_json_with_plain_types():
    s = GAME.new_state(seed=0, num_players=6, golden_poople=True, optional_draw=True)
    for _ in range(60):
        dump = GAME.dump(s)
        assert json.loads(json.dumps(dump)) == dump
        play_on(s, 1, choice=2)
    assert type(dump["cat_played"]) is type(dump["truncated"]) is type(dump["golden_poople"]) is bool
    assert type(dump["turn"]) is type(dump["decisions"]) is type(dump["homes"][0]["poops"]) is int


def test_dump_sorts_what_has_no_order_and_keeps_what_has():
    mixed = ["rainbow", "smoke 1", "tabby 4", "calico 2", "hiss", "big dinner", "replay"]
    s = position(
        [mixed, [], []],
        [["rainbow", "smoke 3", "tabby 3", "bad fish", "auto scooper", 3], [], []],
        known=[["rainbow", "tabby 4", "hiss", "replay"], [], []],
        wild=["rainbow", "ginger 0", "tabby 0"],
        item_discard=["closed door", "scoop", "lure"],
        cat_deck=["smoke 4", "tabby 1", "ginger 4"],
        item_deck=["hiss", "replay", "scoop"],
        store={"cats": ["smoke 0", None, "tabby 2"], "items": ["swap", None, "lure"]},
        out=[2, 1][:1],
    )
    dump = GAME.dump(s)
    assert dump["hands"][0] == {
        "cats": ["tabby 4", "calico 2", "smoke 1", "rainbow"],
        "items": ["replay", "big dinner", "hiss"],
    }
    expected = {"cats": ["tabby 3", "smoke 3", "rainbow"], "modifiers": ["auto scooper", "bad fish"], "poops": 3}
    assert dump["homes"][0] == expected
    assert dump["known"][0] == {"cats": ["tabby 4", "rainbow"], "items": ["replay", "hiss"]}
    assert dump["wild"] == ["tabby 0", "ginger 0", "rainbow"] and dump["item_discard"] == [
        "lure",
        "scoop",
        "closed door",
    ]
    assert dump["cat_deck"] == ["smoke 4", "tabby 1", "ginger 4"] and dump["item_deck"] == ["hiss", "replay", "scoop"]
    assert dump["store"] == {"cats": ["smoke 0", None, "tabby 2"], "items": ["swap", None, "lure"]}
    assert dump["out"] == [2]


def test_out_is_by_seat():
    assert GAME.dump(position([["tabby 0"], [], [], []], out=[3, 1]))["out"] == [1, 3]


def test_the_pages_example():
    dump = GAME.dump(GAME.load(PAGE_EXAMPLE))
    padded = {**PAGE_EXAMPLE, "store": {"cats": ["smoke 0", None, None], "items": [None] * 3}}
    assert {field: dump[field] for field in padded} == padded
    assert legal(GAME.load(PAGE_EXAMPLE)) == {"cat tabby 0", "discard replay", "discard hiss"}


def test_json_text_is_a_scenario_too():
    assert GAME.dump(GAME.load(json.dumps(PAGE_EXAMPLE)))["homes"] == PAGE_EXAMPLE["homes"]


# ---------------------------------------------------------------- there and back


PLAYING = {
    "players": 3, "items": {**ITEM_COUNTS, "hiss": 4, "scoop": 2}, "optional_draw": True, "golden_poople": True,
    "rainbow_cats": 5, "max_decisions": 321, "seed": 77, "litters": ["a", "b", "c", "d", "e", "f"],
    "rivals": [["tabby 0", "tabby 1"], ["calico 3", "smoke 4"]],
    "hands": [
        {"cats": ["tabby 0", "rainbow"], "items": ["replay", "hiss"]},
        {"cats": ["siamese 2"], "items": ["swap", "closed door"]},
        {"cats": [], "items": ["lure", "shoo", "scoop", "hiss"]},
    ],
    "homes": [
        {"cats": ["tabby 1", "tabby 2"], "modifiers": ["big dinner", "bad fish"], "poops": 4},
        {"cats": ["ginger 3", "rainbow"], "modifiers": [], "poops": 9},
        {"cats": [], "modifiers": ["auto scooper"], "poops": 0},
    ],
    "store": {"cats": ["smoke 0", None, "smoke 1"], "items": [None, "hiss", "replay"]},
    "wild": ["tabby 3", "rainbow", "rainbow"], "cat_deck": ["smoke 3", "calico 0"], "item_deck": ["swap", "lure"],
    "item_discard": ["replay", "deluxe litter"], "turn": 1, "phase": "play", "chosen": [None, None, None],
    "known": [{"cats": ["rainbow"], "items": []}, NOBODY, {"cats": [], "items": ["lure", "hiss"]}],
    "cat_played": True, "cats_left": 1, "items_left": 0, "pending": None, "stack": [], "ask": [], "arrival": None,
    "out": [], "winner": None, "truncated": False, "decisions": 44,
}  # fmt: skip
EARLY = {**PLAYING, "cat_played": False, "cats_left": 1, "items_left": 2}
HISSED = {
    **EARLY, "items_left": 1, "hands": [*PLAYING["hands"][:1], hand(["siamese 2", "closed door"]), PLAYING["hands"][2]],
}  # fmt: skip
CHOOSING = {
    "players": 3, "phase": "choose", "turn": 2, "chosen": ["tabby 0", None, "smoke 1"], "decisions": 2,
    "hands": [
        {"cats": ["tabby 0", "tabby 4"], "items": ["replay", "lure", "hiss"]},
        {"cats": ["rainbow", "rainbow"], "items": ["lure", "swap", "scoop"]},
        {"cats": ["calico 0", "smoke 1"], "items": ["hiss", "hiss", "closed door"]},
    ],
}  # fmt: skip
OUT = {
    **EARLY, "out": [0], "hands": [NOBODY, *PLAYING["hands"][1:]], "known": [NOBODY, *PLAYING["known"][1:]],
    "homes": [{"cats": [], "modifiers": [], "poops": 0}, *PLAYING["homes"][1:]],
}  # fmt: skip
WON = {
    **PLAYING, "phase": "over", "winner": 0,
    "homes": [{"cats": ["tabby 2", "tabby 4", "calico 0", "calico 1", "calico 2"], "modifiers": [], "poops": 9},
              *PLAYING["homes"][1:]],
    "cat_deck": ["smoke 3"],
}  # fmt: skip


@pytest.mark.parametrize(
    "scenario",
    [
        PLAYING,
        EARLY,
        {**EARLY, "phase": "draw"},
        {**EARLY, "phase": "draw", "cat_deck": [], "pending": {"act": "wild"}},
        {**EARLY, "pending": {"act": "play", "cat": "siamese 2"}},
        {**EARLY, "pending": {"act": "swap"}},
        {**EARLY, "pending": {"act": "swap", "own": "ginger 3"}},
        {**HISSED, "stack": [{"item": "swap", "by": 1, "home": 0, "own": "rainbow", "cat": "tabby 1"}], "ask": [2, 0]},
        {**HISSED, "stack": [{"item": "swap", "by": 1, "home": 0, "own": "rainbow", "cat": "tabby 1"}], "ask": [0]},
        CHOOSING,
        {**CHOOSING, "chosen": [None, None, None], "decisions": 0},
        OUT,
        {**OUT, "turn": 2, "phase": "draw"},
        WON,
        {**EARLY, "phase": "over", "truncated": True, "max_decisions": 44},
        {
            **EARLY,
            "phase": "over",
            "truncated": True,
            "max_decisions": 44,
            "pending": {"act": "swap", "own": "ginger 3"},
        },
        {**CHOOSING, "phase": "over", "truncated": True, "max_decisions": 2},
    ],
)
def test_every_field_survives(scenario):
    dump = GAME.dump(GAME.load(scenario))
    assert {field: dump[field] for field in scenario} == scenario
    assert GAME.dump(GAME.load(dump)) == dump


def test_a_scenario_with_all_fields_survives_exactly():
    dump = GAME.dump(GAME.load(PLAYING))
    assert set(dump) - set(PLAYING) == {"rng"}


def test_reactions_on_the_stack_survive():
    """Asked for a door; a door that may be hissed; hisses on one another."""
    s = position([["tabby 0", "hiss", "scoop"], ["closed door", "hiss"], ["hiss"]], [[5], [], []])
    for name in (
        "cat tabby 0",
        "to home +1",
        "play closed door",
        "pass",
        "play hiss",
        "play hiss",
        "pass",
        "play scoop",
        "pass",
    ):
        dump = act(s, name)
        copy = GAME.load(json.loads(json.dumps(dump)))
        assert GAME.dump(copy) == dump and legal(copy) == legal(s), name
        assert GAME.current_player(copy) == GAME.current_player(s)


def test_finished_scenarios_are_over_and_pay():
    won, cut = GAME.load(WON), GAME.load({**EARLY, "phase": "over", "truncated": True, "max_decisions": 44})
    for s in (won, cut):
        assert GAME.is_terminal(s) and GAME.current_player(s) == -1 and GAME.legal_actions(s) == []
    assert [GAME.is_truncated(s) for s in (won, cut)] == [False, True]
    assert GAME.returns(won).tolist() == [1.0, -0.5, -0.5] and GAME.returns(cut).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("cap", [*range(1, 8), 20, 21, 22, 23, 24, 25, 26])
def test_every_finished_position_survives(cap):
    s = GAME.new_state(seed=cap, num_players=2, max_decisions=cap)
    play_on(s, cap, choice=3)
    dump = GAME.dump(s)
    assert dump["phase"] == "over" and dump["truncated"] is True
    copy = GAME.load(json.loads(json.dumps(dump)))
    assert GAME.dump(copy) == dump and GAME.is_truncated(copy)


@pytest.mark.parametrize(
    "options", [{}, {"golden_poople": True, "rainbow_cats": 8}, {"optional_draw": True, "rivals": []}]
)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_loaded_dump_plays_on_exactly_as_the_state_does(players, options):
    """Through decks made anew and golden pooples too: the generator's state travels along."""
    s = GAME.new_state(seed=11, num_players=players, **options)
    check_plays_on_alike(GAME, s, times=8, decisions=120)


def test_random_positions_survive():
    for seed in range(60):
        rng = seeded(seed)
        dump = GAME.dump(GAME.load(random_position(rng)))
        assert GAME.dump(GAME.load(dump)) == dump
        s = GAME.new_state(seed=seed, num_players=4, **random_options(rng, 4))
        play_on(s, 3 * seed, choice=seed)
        assert GAME.dump(GAME.load(GAME.dump(s))) == GAME.dump(s)


def test_without_the_generators_state_the_seed_starts_it():
    scenario = written([["tabby 0"], []], phase="draw", item_discard=["replay", "lure", "shoo", "scoop", "hiss"])
    orders = [tuple(act(GAME.load({**scenario, "seed": seed}), "draw item")["item_deck"]) for seed in (4, 4, 5, 6)]
    assert orders[0] == orders[1] and len(set(orders)) > 1


def test_load_does_not_change_the_scenario():
    check_is_not_changed(GAME, PLAYING)
