"""What cannot be is refused, with a ValueError that says which field or parameter is wrong."""

import pytest
from support.scenarios import check_bad_parameter, check_refused

from .table import CATS, GAME, ITEM_COUNTS, hand, home, written

TWO = written(
    [["tabby 0", "lure"], ["smoke 3"]], [["tabby 1", 4], ["rainbow"]], wild=["ginger 3"], cat_deck=["calico 0"]
)
THREE = written([["tabby 0", "lure"], ["smoke 3"], []], [["tabby 1", 4], ["rainbow"], []], out=[2])
CHOOSE = written([["tabby 0", "tabby 1", "lure"], ["smoke 0", "rainbow", "hiss"]], phase="choose")


def test_the_scenarios_of_this_page_load():
    for scenario in (TWO, THREE, CHOOSE):
        GAME.load(scenario)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        # cards that there are not, or one too many
        ("hands", [hand(["tabby 0"]), {"cats": ["tabby 0"], "items": []}]),
        ("hands", [hand(["tabby 0"]), {"cats": ["tabby 5"], "items": []}]),
        ("hands", [hand(["tabby 0"]), {"cats": ["red 0"], "items": []}]),
        ("hands", [hand(["tabby 0"]), {"cats": [7], "items": []}]),
        ("hands", [hand(["tabby 0"]), {"cats": ["hiss"], "items": []}]),
        ("hands", [hand(["tabby 0"]), {"cats": [], "items": ["tabby 2"]}]),
        ("hands", [hand(["tabby 0"]), hand(["hiss"] * 4)]),
        ("hands", [hand(["rainbow"] * 4), hand([])]),
        ("hands", [hand(["tabby 0"]), {"cats": [], "items": ["mop"]}]),
        ("homes", [home(["tabby 1"]), home(["tabby 1"])]),
        ("homes", [home([]), {"cats": ["tabby 9"], "modifiers": [], "poops": 0}]),
        ("homes", [home([]), {"cats": [], "modifiers": ["hiss"], "poops": 0}]),
        ("homes", [home([]), {"cats": [], "modifiers": ["scoop"], "poops": 0}]),
        ("homes", [home([]), home(["deluxe litter", "deluxe litter"])]),
        ("store", {"cats": ["tabby 0"], "items": []}),
        ("store", {"cats": ["tabby 7"], "items": []}),
        ("store", {"cats": ["smoke 0", "smoke 1", "smoke 2", "smoke 4"], "items": []}),
        ("store", {"cats": [], "items": ["hiss"] * 4}),
        ("store", ["smoke 0"]),
        ("wild", ["tabby 0"]),
        ("wild", ["hiss"]),
        ("cat_deck", ["smoke 3"]),
        ("cat_deck", ["scoop"]),
        ("item_deck", ["scoop"] * 4),
        ("item_deck", ["tabby 2"]),
        ("item_discard", ["swap"] * 3),
        ("item_discard", [None]),
        # zones of the wrong shape
        ("hands", [["tabby 0"], ["smoke 3"]]),
        ("hands", "tabby 0"),
        ("homes", [home([])]),
        ("homes", [home([]), home([]), home([])]),
        ("homes", [home([]), {"cats": [], "modifiers": [], "poops": "four"}]),
        ("homes", [home([]), {"cats": [], "modifiers": [], "poops": -1}]),
        ("homes", [home([]), {"cats": [], "modifiers": [], "poops": 1.5}]),
        ("homes", [home([]), {"cats": [], "modifiers": [], "poops": 0, "beds": 2}]),
        ("known", [hand([])]),
        ("known", [hand(["smoke 3"]), hand([])]),
        ("known", [hand(["lure", "lure"]), hand([])]),
        ("chosen", [None]),
        # nobody has won, so nobody has ten points or ten poops
        ("homes", [home(["tabby 1", "tabby 2", "tabby 3", "tabby 4", "calico 3", "ginger 4"]), home(["rainbow"])]),
        ("homes", [home([10]), home([])]),
        ("homes", [home([]), home(["tabby 1", 12])]),
        # seats and counters
        ("turn", 2),
        ("turn", -1),
        ("turn", "0"),
        ("out", [2]),
        ("out", [0, 1]),
        ("winner", 2),
        ("phase", "poop"),
        ("phase", 1),
        ("cats_left", -1),
        ("items_left", 3),
        ("items_left", -1),
        ("cat_played", 1),
        ("truncated", "no"),
        ("decisions", -1),
        ("decisions", 2.5),
        # parameters
        ("players", 1),
        ("players", 7),
        ("rainbow_cats", -1),
        ("rainbow_cats", 9),
        ("max_decisions", 0),
        ("optional_draw", 1),
        ("golden_poople", "yes"),
        ("litters", ["a", "b"]),
        ("rivals", [["tabby 0", "smoke 0"], ["tabby 0", "smoke 1"]]),
        ("items", {"mop": 3}),
        # a choice half made
        ("pending", {"act": "play", "cat": "smoke 3"}),
        ("pending", {"act": "jump"}),
        ("pending", {"act": "swap"}),
        ("pending", {"act": "wild"}),
        ("pending", {"act": "lure", "cat": "tabby 0"}),
        ("pending", {"cat": "tabby 0"}),
        ("pending", "lure"),
        # stack, ask, arrival
        ("ask", [1]),
        ("ask", [2]),
        ("stack", [{"item": "mop", "by": 0}]),
        ("stack", [{"item": "scoop", "by": 2}]),
        ("arrival", {"cat": "tabby 4", "home": 1}),
        ("arrival", {"cat": "rainbow", "home": 3}),
        ("chosen", ["tabby 0", None]),
    ],
)
def test_load_refuses_what_cannot_be_and_names_the_field(field, value):
    check_refused(GAME.load, TWO, field, value)


@pytest.mark.parametrize(
    "fields", [{"players": 3}, {"hands": [hand(["tabby 0"])]}, {"players": 2, "hands": [hand([])]}]
)
def test_players_and_hands_must_agree(fields):
    with pytest.raises(ValueError, match="players|hands"):
        GAME.load({**TWO, **fields})


def test_unknown_fields_are_refused():
    with pytest.raises(ValueError, match="colour"):
        GAME.load({**TWO, "colour": "red"})


def test_cards_of_all_places_are_counted_together():
    with pytest.raises(ValueError, match="rainbow"):
        GAME.load({**TWO, "hands": [hand(["rainbow"]), hand(["rainbow"])], "wild": ["rainbow", "rainbow"]})


def test_parameters_change_what_there_is():
    many = {"hands": [hand(["rainbow"] * 4), hand([])]}
    check_refused(GAME.load, TWO, "hands", many["hands"])
    GAME.load({**TWO, **many, "rainbow_cats": 5})
    check_refused(GAME.load, TWO, "item_deck", ["scoop"] * 4)
    GAME.load({**TWO, "items": {"scoop": 4}, "item_deck": ["scoop"] * 4})
    with pytest.raises(ValueError, match="hands"):
        GAME.load({**TWO, "items": {"lure": 0}})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn", 2),
        ("hands", [hand(["tabby 0", "lure"]), hand(["smoke 3"]), hand(["smoke 4"])]),
        ("homes", [home([]), home([]), home(["smoke 4"])]),
        ("homes", [home([]), home([]), home(["big dinner"])]),
        ("out", [1, 2]),
        ("out", [2, 2]),
        ("winner", 2),
    ],
)
def test_a_seat_that_is_out_has_nothing_and_does_nothing(field, value):
    with pytest.raises(ValueError, match=f"{field}|out|hands|phase"):
        GAME.load({**THREE, field: value})


@pytest.mark.parametrize(
    "fields",
    [
        {"phase": "over"},
        {"phase": "over", "truncated": True, "winner": 0},
        {"winner": 0},
        {"truncated": True},
        {"phase": "over", "winner": 0},  # neither ten points nor the last one
    ],
)
def test_a_position_is_over_for_one_reason(fields):
    with pytest.raises(ValueError, match="phase|winner|truncated"):
        GAME.load({**TWO, **fields})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("chosen", ["smoke 0", None]),
        ("chosen", ["tabby 0", "smoke 0"]),  # all have chosen: it would have been shown
        ("chosen", [None, "smoke 0"]),  # seat 0 is asked first
        ("chosen", ["mop", None]),
        ("chosen", ["lure", None]),
        ("hands", [hand(["tabby 0", "tabby 1"]), hand(["smoke 0", "smoke 1", "smoke 2"])]),
        ("hands", [hand(["tabby 0"]), hand(["smoke 0", "smoke 1"])]),
    ],
)
def test_choices_that_cannot_be(field, value):
    with pytest.raises(ValueError, match=field):
        GAME.load({**CHOOSE, field: value})


@pytest.mark.parametrize(
    "fields",
    [
        {"stack": [{"item": "scoop", "by": 0}], "ask": [0]},
        {"stack": [{"item": "scoop", "by": 0}], "ask": [1]},  # holds no hiss
        {"stack": [{"item": "hiss", "by": 0}], "ask": []},
        {"stack": [{"item": "lure", "by": 0, "home": 1, "cat": "tabby 2"}], "ask": []},  # is not in The Wild
    ],
)
def test_stacks_that_cannot_be(fields):
    with pytest.raises(ValueError, match="stack|ask"):
        GAME.load({**TWO, **fields})


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_players", 1),
        ("num_players", 7),
        ("num_players", "four"),
        ("rainbow_cats", -1),
        ("rainbow_cats", 9),
        ("rainbow_cats", 2.5),
        ("max_decisions", 0),
        ("max_decisions", -5),
        ("optional_draw", "yes"),
        ("golden_poople", 1),
        ("items", {"mop": 3}),
        ("items", {"scoop": -1}),
        ("items", {"scoop": "many"}),
        ("items", {"scoop": True}),
        ("items", {**ITEM_COUNTS, "replay": 0, "lure": 0, "scoop": 0, "shoo": 0, "hiss": 0}),  # 14 for 4 players
        ("items", ["scoop"]),
        ("rivals", [["tabby 0", "tabby 0"]]),
        ("rivals", [["tabby 0", "smoke 0"], ["smoke 0", "smoke 1"]]),
        ("rivals", [["tabby 0", "rainbow"]]),
        ("rivals", [["tabby 0", "tabby 5"]]),
        ("rivals", [["tabby 0"]]),
        ("rivals", [["tabby 0", "tabby 1", "tabby 2"]]),
        ("rivals", "tabby 0"),
        ("litters", ["a", "b", "c", "d", "e"]),
        ("litters", ["a", "b", "c", "d", "e", 6]),
        ("litters", "abcdef"),
        ("rainbows", 4),
    ],
)
def test_bad_parameters_are_named_with_their_value(name, value):
    check_bad_parameter(GAME, name, value, shown="" if name == "rainbows" else value)


@pytest.mark.parametrize("players", range(2, 7))
def test_as_many_items_as_a_deal_needs(players):
    """Three for each seat and three for the store."""
    none = {item: 0 for item in ITEM_COUNTS}
    enough = {**none, "scoop": 3 * players, "hiss": 3}
    assert GAME.dump(GAME.new_state(seed=0, num_players=players, items=enough))["item_deck"] == []
    with pytest.raises(ValueError, match="items"):
        GAME.new_state(seed=0, num_players=players, items={**enough, "hiss": 2})


def test_rivals_may_be_any_pairs():
    pairs = [[cat, other] for cat, other in zip(CATS[0:30:2], CATS[1:30:2], strict=True)]
    assert len(GAME.dump(GAME.new_state(seed=0, rivals=pairs))["rivals"]) == 15
    assert GAME.dump(GAME.new_state(seed=0, rivals=[]))["rivals"] == []
