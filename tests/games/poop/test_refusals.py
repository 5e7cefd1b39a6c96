"""What cannot be is refused, with a ValueError that says which field or parameter is wrong."""

import pytest
from support.scenarios import check_bad_parameter, check_refused

from .table import GAME, VARIANTS, position

CLASSIC = {
    "strict": True, "players": 2, "hands": [["blue 3", "red 1"], ["red 5"]], "table": ["blue 2", "red 4"],
    "draw_pile": ["yellow 1"], "discard": ["yellow 2"], "lid": 10, "water": "red", "toilets": [[8, "yellow"]],
    "used_toilets": [[9, "blue"]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        # cards that there are not, or not so many
        ("hands", [["blue 6"], ["red 5"]]),
        ("hands", [["green 1"], ["red 5"]]),
        ("hands", [["blue wild"], ["red 5"]]),
        ("hands", [["blue wild whistle"], ["red 5"]]),
        ("hands", [["blue 3", "blue 3", "blue 3"], ["red 5"]]),
        ("hands", [["blue 3"], ["red 5", "red 5"]]),
        ("hands", [[3], ["red 5"]]),
        ("hands", ["blue 3", "red 5"]),
        ("hands", 5),
        ("table", ["blue 0"]),
        ("table", "blue 2"),
        ("draw_pile", ["red wild whistle"] * 2),
        ("draw_pile", ["joker"]),
        ("discard", ["blue 3"] * 2),
        ("discard", ["poo head"]),
        ("last_card", "blue 9"),
        # toilets that there are not
        ("lid", 0),
        ("lid", -3),
        ("lid", "ten"),
        ("lid", 10.5),
        ("water", "green"),
        ("water", 1),
        ("toilets", [[8, "green"]]),
        ("toilets", [[0, "blue"]]),
        ("toilets", [[8, "yellow"], [8, "yellow"], [8, "yellow"]]),
        ("toilets", [8]),
        ("toilets", [["yellow", 8]]),
        ("used_toilets", [[17, "blue"], [18, "blue"]]),
        ("used_toilets", [[9, "blue", 1]]),
        # seats and directions that there are not
        ("turn", 2),
        ("turn", -1),
        ("turn", "first"),
        ("direction", 0),
        ("direction", 2),
        ("skip_next", 1),
        ("skip_next", "yes"),
        ("asked", 0),
        ("slaps", ["slap", None]),
        # rows of the wrong length
        ("duties", [[]]),
        ("drinks", [0, 0, 0]),
        ("slaps", [None]),
        ("known", [[[], []]]),
        ("known", [[[]], [[]]]),
        # what the others say otherwise
        ("duties", [["grunt"], ["grunt"]]),
        ("duties", [["grunt", "grunt"], []]),
        ("duties", [["dance"], []]),
        ("duties", [["high five"], []]),
        ("drinks", [-1, 0]),
        ("known", [[[], ["red 4"]], [[], []]]),
        ("known", [[[], ["red 5", "red 5"]], [[], []]]),
        ("known", [[[], ["joker"]], [[], []]]),
        ("winners", [2]),
        ("winners", [0]),
        ("decisions", -1),
        ("decisions", 1.5),
        ("phase", "deal"),
        ("phase", "slap"),
        ("phase", "intercept"),
        ("phase", "share"),
        ("truncated", True),
        ("truncated", 1),
        # parameters
        ("players", 1),
        ("players", 6),
        ("players", 3),
        ("variant", "bling_pooper"),
        ("edition", "deluxe"),
        ("duties_model", "sloppy"),
        ("duties_model", 1),
        ("forget_probability", 1.5),
        ("forget_probability", -0.1),
        ("catch_probability", "often"),
        ("two_player_reverse", "turn"),
        ("lid_itself", "under"),
        ("drinking", "beer"),
        ("drink_weight", -1),
        ("max_decisions", 0),
        ("max_decisions", 2.5),
        ("slap_weights", [1]),
        ("slap_weights", [-1, 1]),
        ("deck", {"blue 9": 3}),
        ("deck", {"blue 3": -1}),
        ("deck", ["blue 3"]),
        ("toilet_deck", [[0, "red"]]),
        ("toilet_deck", [[8, "mauve"]]),
        ("toilet_deck", {"8": "red"}),
        ("seed", -1),
        ("seed", "one"),
        ("strict", 1),
        ("colour", "red"),
        ("hand", [["blue 3"], ["red 5"]]),
    ],
)
def test_load_refuses_what_cannot_be_and_names_the_field(field, value):
    named = {
        "players": "players|hands",
        "winners": "winners|phase",
        "truncated": "truncated|phase",
        "phase": "phase|table",
    }.get(field, field)
    check_refused(GAME.load, CLASSIC, field, value, named)


def test_load_counts_the_cards_of_all_places_together():
    with pytest.raises(ValueError, match="blue 3"):
        GAME.load({**CLASSIC, "table": ["blue 3"], "draw_pile": ["blue 3"]})
    with pytest.raises(ValueError, match="red 4"):
        GAME.load({**CLASSIC, "discard": ["red 4"]})
    assert GAME.dump(GAME.load({**CLASSIC, "draw_pile": ["blue 3"]}))["draw_pile"] == ["blue 3"]


def test_load_counts_the_cards_of_the_deck_that_is_given():
    fields = {"strict": True, "hands": [["blue 1"] * 3, ["red 5"]], "lid": 10, "water": "red"}
    with pytest.raises(ValueError, match="hands"):
        GAME.load(fields)
    GAME.load({**fields, "deck": {"blue 1": 3, "red 5": 10}})
    with pytest.raises(ValueError, match="hands"):
        GAME.load({**fields, "deck": {"blue 1": 2, "red 5": 10}})


@pytest.mark.parametrize("hands", [[["blue 3"], []], [[], ["blue 3"]], [[], []]])
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "super_pooper"])
def test_load_refuses_an_empty_hand(variant, hands):
    with pytest.raises(ValueError, match="hands"):
        position(hands, variant)


@pytest.mark.parametrize("hands", [[["blue 3"], [], []], [[], [], []]])
def test_load_refuses_fewer_than_two_seats_with_cards_in_super_pooper(hands):
    with pytest.raises(ValueError, match="hands"):
        position(hands, "super_pooper")
    assert position([["blue 3"], [], ["red 1"]], "super_pooper") is not None


def test_load_refuses_a_turn_without_cards_in_super_pooper():
    with pytest.raises(ValueError, match="turn|hands"):
        position([["blue 3"], [], ["red 1"]], "super_pooper", turn=1)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("lid", [6, 5])
def test_load_refuses_a_total_at_or_above_the_lid(variant, lid):
    fields = {"table": ["blue 5", "red 1"]}
    position([["blue 3", "blue 4"], ["red 5"]], variant, lid=7, **fields)
    with pytest.raises(ValueError, match="table"):
        position([["blue 3", "blue 4"], ["red 5"]], variant, lid=lid, **fields)


@pytest.mark.parametrize("variant", ["classic", "blind_pooper", "flushers_delight", "interceptor", "deep_doo_doo"])
@pytest.mark.parametrize("first", [[], ["blue 1"], ["red 4"]])
def test_load_refuses_an_unflushed_row_of_three(variant, first):
    with pytest.raises(ValueError, match="table"):
        position([["blue 3", "blue 4"], ["red 5"]], variant, table=[*first, "red 1", "red 2", "red skip"], water="red")


def test_other_rows_lie_in_deep_doo_doo():
    table = ["red 1", "red 2", "red skip"]
    assert GAME.dump(position([["blue 3"], ["red 5"]], "deep_doo_doo", table=table, water="blue"))["row"] == 3


@pytest.mark.parametrize("row", [-1, 0, 2, 3, "one"])
def test_load_refuses_a_row_that_does_not_lie_there(row):
    with pytest.raises(ValueError, match="row"):
        position([["blue 3"], ["red 5"]], table=["blue 1", "red 2"], row=row)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("asked", 0),  # who played
        ("asked", 1),  # who does not hold the card
        ("asked", 4),
        ("table", []),
        ("table", ["blue skip"]),
        ("drinks", [1]),
        ("hands", [["blue 2"], ["red 1"], ["red 2"], ["red 3"]]),  # nobody to ask
        ("hands", [["blue 2"], [], ["blue 1"], ["blue 1"]]),
    ],
)
def test_load_refuses_questions_that_nobody_asks(field, value):
    fields = {"hands": [["blue 2"], ["red 1"], ["blue 1"], ["blue 1", "red 1"]], "table": ["red 2", "blue 1"]}
    fields |= {"variant": "interceptor", "phase": "intercept", "asked": 2}
    position(**fields)
    with pytest.raises(ValueError):
        position(**{**fields, field: value})


def test_only_interceptor_has_questions_and_only_super_pooper_slaps():
    for variant in VARIANTS:
        hands = [["blue 2"], ["blue 1"], ["blue 1", "red 1"]]
        if variant != "interceptor":
            with pytest.raises(ValueError, match="phase"):
                position(hands, variant, table=["blue 1"], phase="intercept")
        if variant != "super_pooper":
            with pytest.raises(ValueError, match="phase|slap"):
                position(hands, variant, table=["red 1", "red 2", "red skip"], phase="slap")


def test_load_refuses_an_empty_hand_of_who_played_what_fits():
    """Its last card would have won before anybody was asked (PG-22)."""
    fields = {"table": ["red 4", "yellow 4", "blue 1"], "phase": "intercept"}
    hands = [[], ["blue 1", "red 1"]]
    position(hands, "interceptor", lid=9, **fields)
    with pytest.raises(ValueError):
        position(hands, "interceptor", lid=10, **fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slaps", ["slap", None, None]),  # the flipper answers last
        ("slaps", [None, None, "hold"]),  # seat 2 is asked only now
        ("slaps", [None, "punch", None]),
        ("slaps", [None, None, None]),
        ("asked", 3),
        ("asked", 1),
        ("table", ["blue 1", "red 1", "red 2"]),
    ],
)
def test_load_refuses_slaps_that_cannot_be(field, value):
    fields = {"table": ["red 1", "red 2", "red 3"], "phase": "slap", "asked": 2, "slaps": [None, "hold", None]}
    hands = [["blue 1"], [], ["blue 2"]]
    position(hands, "super_pooper", **fields)
    with pytest.raises(ValueError):
        position(hands, "super_pooper", **{**fields, field: value})


def test_load_refuses_a_share_without_drinking():
    with pytest.raises(ValueError, match="phase|drinking"):
        position([["blue 1"], ["blue 2"]], phase="share")


def test_load_refuses_a_share_while_cards_lie_on_the_table():
    with pytest.raises(ValueError, match="table|phase"):
        position([["blue 1"], ["blue 2"]], phase="share", drinking=True, table=["red 1"])


@pytest.mark.parametrize("winners", [[0, 1], [1]])
def test_load_refuses_winners_that_did_not_win(winners):
    with pytest.raises(ValueError):
        position([["blue 1"], ["blue 2"], []], phase="over", winners=winners)


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_players", 1),
        ("num_players", 6),
        ("num_players", "four"),
        ("variant", "bling_pooper"),
        ("variant", 3),
        ("edition", "deluxe"),
        ("duties", "sloppy"),
        ("forget_probability", 1.01),
        ("forget_probability", -0.5),
        ("forget_probability", float("nan")),
        ("forget_probability", "often"),
        ("catch_probability", 2),
        ("two_player_reverse", "turn"),
        ("lid_itself", "under"),
        ("drinking", "beer"),
        ("drinking", 1),
        ("drink_weight", -0.5),
        ("drink_weight", "heavy"),
        ("max_decisions", 0),
        ("max_decisions", -5),
        ("max_decisions", 1.5),
        ("slap_weights", [1.0, 1.0]),
        ("slap_weights", [1.0, 1.0, 1.0, -1.0]),
        ("slap_weights", "equal"),
        ("deck", {"blue 9": 40}),
        ("deck", {"blue 1": -1}),
        ("deck", {"blue 1": 1.5}),
        ("deck", {"blue 1": 19}),
        ("deck", {}),
        ("deck", "blue 1"),
        ("toilet_deck", []),
        ("toilet_deck", [[8]]),
        ("toilet_deck", [[8, "green"]]),
        ("toilet_deck", [[0, "red"]]),
        ("toilet_deck", 8),
    ],
)
def test_bad_parameters_are_named_with_their_value(name, value):
    check_bad_parameter(GAME, name, value)


def test_unknown_parameters_are_refused_with_a_hint():
    with pytest.raises(ValueError, match="two_player_reverse"):
        GAME.new_state(seed=0, two_players_reverse="skip")
    with pytest.raises(ValueError, match="duties_model"):
        GAME.new_state(seed=0, duties_model="forgetful")  # the scenario's name of `duties`


def test_a_deck_of_the_other_edition_is_refused():
    with pytest.raises(ValueError, match="deck"):
        GAME.new_state(seed=0, edition="party_pooper", deck={"blue 1": 40})
    with pytest.raises(ValueError, match="toilet_deck"):
        GAME.new_state(seed=0, edition="party_pooper", toilet_deck=[[8, "blue"]])


def test_a_deck_must_do_for_the_hands():
    GAME.new_state(seed=0, num_players=2, deck={"blue 1": 10})
    with pytest.raises(ValueError, match="deck"):
        GAME.new_state(seed=0, num_players=3, deck={"blue 1": 10})
    GAME.new_state(seed=0, num_players=3, deck={"blue 1": 10}, variant="super_pooper")
