"""Wild duties, performed always or sometimes forgotten (PG-15, PG-16), worked out by hand."""

import pytest

from .table import DUTIES, GAME, KINDS, VARIANTS, act, legal, position, sizes

MORE = ["yellow 5", "yellow 4"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]
SURE = {"duties_model": "forgetful", "forget_probability": 1.0, "catch_probability": 1.0}


# ---------------------------------------------------------------- PG-15: duties


@pytest.mark.rule("PG-15")
@pytest.mark.parametrize("duty", DUTIES)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "super_pooper"])
def test_playing_a_wild_binds_its_player(variant, duty, seat):
    s = position([[f"red wild {duty}", "blue 1"]] * 2, variant, turn=seat)
    duties = act(s, f"play red wild {duty}")["duties"]
    assert duties[seat] == [duty] and duties[1 - seat] == []


@pytest.mark.rule("PG-15")
def test_on_this_and_all_later_turns():
    s = position([["red wild grunt", "blue 1", "blue 2", "blue 3"], ["yellow 1", "yellow 2", "yellow 3"]], lid=16)
    for name in ("play red wild grunt", "play yellow 1", "play blue 1", "play yellow 2", "play blue 2"):
        assert act(s, name)["duties"] == [["grunt"], []]


@pytest.mark.rule("PG-15")
def test_until_another_player_plays_a_wild_with_the_same_action():
    s = position([["red wild grunt", "blue 1"], ["blue wild whistle", "blue wild grunt", "blue 2"], MORE])
    assert act(s, "play red wild grunt")["duties"] == [["grunt"], [], []]
    other = GAME.clone(s)
    assert act(s, "play blue wild whistle")["duties"] == [["grunt"], ["whistle"], []]
    assert act(other, "play blue wild grunt")["duties"] == [[], ["grunt"], []]


@pytest.mark.rule("PG-15")
def test_the_same_action_again_changes_nothing():
    s = position([["red wild grunt", "blue 1"], MORE], duties=[["grunt"], []])
    assert act(s, "play red wild grunt")["duties"] == [["grunt"], []]


@pytest.mark.rule("PG-15")
def test_several_duties_add_up():
    s = position([["red wild grunt", "blue 1"], MORE], duties=[["whistle", "hold nose"], []])
    assert act(s, "play red wild grunt")["duties"] == [["hold nose", "grunt", "whistle"], []]


@pytest.mark.rule("PG-15")
def test_duties_outlast_a_flush_and_a_clog():
    s = position(
        [["red 5", "blue 5"], MORE], table=["red 1", "red 2"], lid=5, draw_pile=DRAW, duties=[["grunt"], ["whistle"]]
    )
    assert act(s, "play red 5")["duties"] == [["grunt"], ["whistle"]]
    assert act(s, "clog")["duties"] == [["grunt"], ["whistle"]]


@pytest.mark.rule("PG-15")
def test_a_wild_that_flushes_binds_too():
    s = position([["red wild grunt", "blue 5"], MORE], table=["red 1", "red 2"], draw_pile=DRAW, duties=[[], ["grunt"]])
    dump = act(s, "play red wild grunt")
    assert dump["duties"] == [["grunt"], []] and dump["table"] == []


@pytest.mark.rule("PG-15")
def test_each_action_stands_on_two_wilds_of_the_deck():
    dump = GAME.dump(GAME.new_state(seed=5, num_players=2))
    wilds = [card.split(" wild ") for card in sum(dump["hands"], []) + dump["draw_pile"] if "wild" in card]
    assert sorted(duty for _, duty in wilds) == sorted(DUTIES * 2) and len({str(wild) for wild in wilds}) == 6


# ---------------------------------------------------------------- PG-16: forgetful


@pytest.mark.rule("PG-16")
def test_by_default_duties_are_always_performed():
    dump = GAME.dump(GAME.new_state(seed=0))
    assert dump["duties_model"] == "automatic"
    assert dump["forget_probability"] == 0.1 and dump["catch_probability"] == 0.5
    for seed in range(100):
        fields = {"forget_probability": 1.0, "catch_probability": 1.0, "duties": [["grunt"], []]}
        s = position([["blue 1", "blue 2"], MORE], draw_pile=DRAW, seed=seed, **fields)
        assert act(s, "play blue 1")["draw_pile"] == DRAW


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize("card", ["blue 1", "blue skip", "blue reverse", "blue wild whistle"])
@pytest.mark.parametrize("duties", [["grunt"], ["hold nose", "grunt"]])
def test_who_forgets_and_is_caught_draws_one_card(card, duties):
    """One test a card, however many the duties."""
    s = position([[card, "blue 2"], MORE, MORE], draw_pile=DRAW, duties=[duties, [], []], **SURE)
    dump = act(s, f"play {card}")
    assert dump["hands"][0] == sorted(["blue 2", "blue 4"], key=KINDS.index) and dump["draw_pile"] == DRAW[1:]
    assert sizes(dump) == [2, 2, 2] and dump["known"] == [[[]] * 3] * 3


@pytest.mark.rule("PG-16")
def test_a_wilds_own_duty_is_included():
    s = position([["blue wild grunt", "blue 2"], MORE], draw_pile=DRAW, **SURE)
    assert act(s, "play blue wild grunt")["draw_pile"] == DRAW[1:]


@pytest.mark.rule("PG-16")
def test_a_seat_without_duties_forgets_nothing():
    s = position([["blue 1", "blue 2"], MORE], draw_pile=DRAW, duties=[[], ["grunt"]], **SURE)
    assert act(s, "play blue 1")["draw_pile"] == DRAW


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize(("forget", "catch"), [(0.0, 1.0), (1.0, 0.0)])
def test_who_never_forgets_or_is_never_caught_never_draws(forget, catch):
    fields = {"duties_model": "forgetful", "forget_probability": forget, "catch_probability": catch}
    for seed in range(50):
        s = position([["blue 1", "blue 2"], MORE], draw_pile=DRAW, duties=[["grunt"], []], seed=seed, **fields)
        assert act(s, "play blue 1")["draw_pile"] == DRAW


def times_caught(variant="classic", **fields):
    """How often a seat with a duty is caught at 990 cards: Skips with two players, and no card to draw, but drinks."""
    skips, caught = ["blue skip", "red skip"], 0
    fields |= {"duties": [["grunt"], []], "duties_model": "forgetful", "drinking": True, "max_decisions": 999}
    for seed in range(10):
        deck = {"blue skip": 50, "red skip": 50, "yellow 1": 1}
        s = position([skips * 50, ["yellow 1"]], variant, deck=deck, seed=seed, **fields)
        caught += act(s, *(f"play {card}" for card in skips * 49 + skips[:1]))["drinks"][0] // 2
    return caught


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize(("forget", "catch"), [(0.5, 0.8), (1.0, 0.3), (0.1, 1.0), (None, None)])
def test_how_often_somebody_is_caught(forget, catch):
    expected = 0.1 * 0.5 if forget is None else forget * catch
    caught = times_caught(forget_probability=forget, catch_probability=catch)
    assert abs(caught - 990 * expected) < 4 * (990 * expected * (1 - expected)) ** 0.5


@pytest.mark.rule("PG-16")
@pytest.mark.rule("PG-20")
@pytest.mark.parametrize(("forget", "catch"), [(0.2, 0.5), (0.4, 0.0), (None, None)])
def test_how_often_somebody_is_caught_by_the_patrol(forget, catch):
    expected = 0.1 if forget is None else forget
    caught = times_caught("blind_pooper", forget_probability=forget, catch_probability=catch)
    assert abs(caught - 990 * expected) < 4 * (990 * expected * (1 - expected)) ** 0.5


@pytest.mark.rule("PG-16")
def test_every_card_is_tested_anew():
    s = position(
        [["blue skip", "red skip", "yellow skip", "blue 1"], MORE], draw_pile=DRAW, duties=[["grunt"], []], **SURE
    )
    for left, name in ((4, "blue"), (3, "red"), (2, "yellow")):
        assert len(act(s, f"play {name} skip")["draw_pile"]) == left


@pytest.mark.rule("PG-16")
def test_the_card_is_drawn_before_a_flush_is_carried_out():
    s = position(
        [["red 3", "blue 2"], MORE, MORE], table=["red 1", "red 2"], draw_pile=DRAW, duties=[["grunt"], [], []], **SURE
    )
    dump = act(s, "play red 3")
    assert dump["hands"] == [
        ["blue 2", "blue 4"],
        ["blue 5", "yellow 4", "yellow 5"],
        ["yellow 1", "yellow 4", "yellow 5"],
    ]


@pytest.mark.rule("PG-16")
@pytest.mark.rule("PG-13")
def test_so_the_cards_on_the_table_are_not_yet_in_the_discard():
    fields = {"table": ["red 1", "red 2"], "draw_pile": [], "duties": [["grunt"], [], []]}
    dump = act(position([["red 3", "blue 2"], MORE, MORE], **fields, **SURE), "play red 3")
    assert dump["hands"][0] == ["blue 2"] and sizes(dump) == [1, 3, 3] and len(dump["draw_pile"]) == 1
    dump = act(position([["red 3", "blue 2"], MORE, MORE], discard=["blue 5"], **fields, **SURE), "play red 3")
    assert dump["hands"][0] == ["blue 2", "blue 5"] and sizes(dump) == [2, 3, 3]


@pytest.mark.rule("PG-16")
def test_it_is_drawn_before_a_clog_by_overrunning_is_carried_out():
    fields = {"table": ["red 5", "blue 3"], "draw_pile": DRAW[:1], "discard": [], "duties": [["grunt"], []]}
    s = position([["red 3", "blue 2"], MORE], "blind_pooper", **fields, **SURE)
    dump = act(s, "play red 3")
    assert dump["hands"][0] == sorted(["blue 2", "blue 4", "red 5", "blue 3", "red 3"], key=KINDS.index)
    assert dump["known"][1][0] == ["blue 3", "red 3", "red 5"]


@pytest.mark.rule("PG-16")
def test_no_test_for_a_clog():
    s = position([["blue 5"], MORE], table=["yellow 5"], draw_pile=DRAW, duties=[["grunt"], []], **SURE)
    assert act(s, "clog")["draw_pile"] == DRAW


@pytest.mark.rule("PG-16")
def test_no_test_for_an_interception_but_one_for_the_card_played_after_it():
    fields = {"draw_pile": DRAW, "duties": [[], [], ["grunt"]]}
    s = position([["blue 1", "blue 2"], MORE, ["blue 1", "red 1", "red 2"]], "interceptor", **fields, **SURE)
    act(s, "play blue 1")
    assert act(s, "intercept")["draw_pile"] == DRAW
    assert act(s, "play red 1")["draw_pile"] == DRAW[1:]


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize("variant", ["classic", "blind_pooper", "deep_doo_doo"])
def test_no_test_when_the_hand_is_empty(variant):
    s = position([["blue 1"], MORE], variant, draw_pile=DRAW, duties=[["grunt"], []], **SURE)
    dump = act(s, "play blue 1")
    assert dump["winners"] == [0] and dump["draw_pile"] == DRAW


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize("variant", ["blind_pooper", "interceptor"])
def test_nor_when_a_last_card_overruns(variant):
    s = position([["red 3"], MORE], variant, table=["red 5", "blue 3"], draw_pile=DRAW, duties=[["grunt"], []], **SURE)
    dump = act(s, "play red 3")
    assert dump["draw_pile"] == DRAW and dump["hands"][0] == ["blue 3", "red 3", "red 5"]


@pytest.mark.rule("PG-16")
@pytest.mark.rule("PG-24")
def test_a_laid_card_is_played_and_tested():
    fields = {"table": ["red 5", "blue 3"], "draw_pile": DRAW, "duties": [["grunt"], []]}
    s = position([["red 3", "red 2"], MORE], "interceptor", **fields, **SURE)
    dump = act(s, "play red 3")
    assert dump["draw_pile"] == DRAW[1:] and len(dump["hands"][0]) == 5


@pytest.mark.rule("PG-16")
def test_no_card_is_drawn_when_there_is_none():
    s = position([["blue 1", "blue 2"], MORE], draw_pile=[], duties=[["grunt"], []], **SURE)
    dump = act(s, "play blue 1")
    assert sizes(dump) == [1, 2] and dump["turn"] == 1


@pytest.mark.rule("PG-16")
@pytest.mark.parametrize("drinking", [True, False])
def test_a_flip_is_a_play(drinking):
    """In super_pooper nothing is left to draw, but a forgotten duty that was caught costs two drinks (PG-29)."""
    fields = {"duties": [["grunt"], []], "drinking": drinking}
    s = position([["blue 1", "blue 2"], MORE], "super_pooper", **fields, **SURE)
    dump = act(s, "flip")
    assert dump["drinks"] == [2 if drinking else 0, 0] and sizes(dump) == [1, 2]
    s = position([["blue wild grunt", "blue 2"], MORE], "super_pooper", drinking=drinking, **SURE)
    assert act(s, "flip")["drinks"] == [2 if drinking else 0, 0]
    s = position([["blue 1"], MORE, MORE], "super_pooper", duties=[["grunt"], [], []], drinking=drinking, **SURE)
    assert act(s, "flip")["drinks"] == [0, 0, 0]


@pytest.mark.rule("PG-16")
def test_a_card_drawn_in_super_pooper_goes_under_the_pile():
    """Only a scenario can have a draw pile there."""
    fields = {"draw_pile": ["red 4", "blue 5"], "duties": [["grunt"], []]}
    dump = act(position([["blue 1", "blue 2"], MORE], "super_pooper", **fields, **SURE), "flip")
    assert dump["hands"][0] == ["blue 2", "red 4"] and dump["draw_pile"] == ["blue 5"]
    assert dump["known"] == [[[], []], [[], []]]


@pytest.mark.rule("PG-16")
def test_only_the_seat_that_plays_is_tested():
    s = position([["blue 1", "blue 2"], MORE, MORE], draw_pile=DRAW, duties=[["grunt"], ["whistle"], []], **SURE)
    assert sizes(act(s, "play blue 1")) == [2, 2, 2] and legal(s)
