"""Whether the lid itself is too much (PG-30), worked out by hand."""

import pytest

from .table import GAME, LOOK_UP, VARIANTS, act, legal, plays, position, returns

MORE = ["yellow 5", "yellow 4"]
TABLE = ["red 3", "blue 3"]
TWO = ["blind_pooper", "super_pooper"]


def on_the_table(variant, card="yellow 4", rest=("blue 1",), **fields):
    """Seat 0 of three has played or flipped a card onto a total of 6; the lid is 10."""
    fields = {"lid_itself": "fits", "table": TABLE, "lid": 10, **fields}
    s = position([[card, *rest], MORE, MORE], variant, **fields)
    return s, act(s, "flip" if variant == "super_pooper" else f"play {card}")


def block(s, seat, name):
    return GAME.observation(s, seat)[GAME.spec.observation_slices(s.settings)[name]].tolist()


@pytest.mark.rule("PG-30")
@pytest.mark.parametrize("variant", VARIANTS)
def test_by_default_the_lid_itself_is_too_much(variant):
    assert GAME.dump(GAME.new_state(seed=0, variant=variant))["lid_itself"] == "over"


@pytest.mark.rule("PG-30")
@pytest.mark.parametrize("variant", TWO)
def test_a_total_equal_to_the_lid_fits_or_not(variant):
    _, dump = on_the_table(variant)
    assert dump["table"] == [*TABLE, "yellow 4"] and dump["turn"] == 1 and dump["lid"] == 10
    _, dump = on_the_table(variant, lid_itself="over")
    assert dump["table"] == [] and dump["turn"] == 0 and dump["lid"] == 8


@pytest.mark.rule("PG-30")
@pytest.mark.parametrize("variant", TWO)
def test_one_more_is_too_much(variant):
    _, dump = on_the_table(variant, "yellow 5")
    assert dump["table"] == [] and dump["turn"] == 0 and dump["lid"] == 8 and "yellow 5" in dump["hands"][0]


@pytest.mark.rule("PG-30")
@pytest.mark.parametrize("variant", TWO)
def test_on_a_total_equal_to_the_lid_what_adds_nothing_still_fits_and_a_one_does_not(variant):
    for card, kept in (("blue wild grunt", True), ("blue 1", False)):
        _, dump = on_the_table(variant, card, table=[*TABLE, "yellow 4"])
        assert (dump["table"] != []) == kept and dump["turn"] == int(kept)


@pytest.mark.rule("PG-30")
@pytest.mark.rule("PG-20")
def test_blind_pooper_a_last_card_that_brings_the_total_to_the_lid_wins():
    s, dump = on_the_table("blind_pooper", rest=())
    assert dump["winners"] == [0] and dump["survived"] == 10 and returns(s) == [1, -0.5, -0.5]
    _, dump = on_the_table("blind_pooper", rest=(), lid_itself="over")
    assert dump["winners"] == []


@pytest.mark.rule("PG-30")
@pytest.mark.rule("PG-20")
def test_blind_pooper_what_was_survived_may_be_the_lid_itself():
    s, dump = on_the_table("blind_pooper", toilets=[[8, "yellow"], [9, "blue"], [11, "red"], [10, "blue"]])
    assert dump["survived"] == 10 and block(s, 1, "survived") == [10 / 32]
    dealt = {(p["lid"], p["water"]) for p in (GAME.dump(GAME.resample(s, 1, seed=seed)) for seed in range(60))}
    assert dealt == {(10, "red"), (10, "blue"), (11, "red")}
    assert GAME.dump(GAME.load(dump)) == dump


@pytest.mark.rule("PG-30")
@pytest.mark.rule("PG-26")
@pytest.mark.parametrize(("card", "kept"), [("red 4", True), ("red 5", False)])
def test_super_pooper_a_row_that_nobody_slaps_for_clogs_only_above_the_lid(card, kept):
    s, _ = on_the_table("super_pooper", card, table=["blue 1", "red 3", "red 2"])
    dump = act(s, "hold", "hold", "hold")
    assert (dump["table"] != []) == kept and dump["turn"] == int(kept) and dump["phase"] == "play"


@pytest.mark.rule("PG-30")
def test_super_pooper_shows_what_is_left_until_it_is_too_much():
    for lid_itself, fits, steps in (("fits", [1, 1, 1, 1, 0], 4), ("over", [1, 1, 1, 0, 0], 3)):
        s = position([["blue 1"], MORE], "super_pooper", table=TABLE, lid=10, lid_itself=lid_itself)
        assert block(s, 0, "fits") == fits and block(s, 0, "steps").index(1) == steps
        assert block(s, 0, "room") == [4 / 32]


@pytest.mark.rule("PG-30")
@pytest.mark.rule("PG-3")
@pytest.mark.parametrize("variant", LOOK_UP)
def test_elsewhere_the_lid_itself_is_too_much_either_way(variant):
    for lid_itself in ("fits", "over"):
        s = position([["yellow 3", "yellow 4"], MORE], variant, table=TABLE, lid=10, lid_itself=lid_itself)
        assert legal(s) == plays("yellow 3")
        assert block(s, 0, "fits") == [1, 1, 1, 0, 0]


@pytest.mark.rule("PG-30")
@pytest.mark.rule("PG-24")
def test_a_laid_card_that_reaches_the_lid_is_too_much_in_interceptor():
    s = position([["yellow 4", "red 5"], MORE], "interceptor", table=TABLE, lid=10, lid_itself="fits")
    act(s, "play yellow 4")
    assert act(s, "pass")["table"] == [] and GAME.current_player(s) == 0


@pytest.mark.rule("PG-30")
def test_positions_at_the_lid_are_loaded_where_a_game_comes_to_them():
    at_the_lid = [*TABLE, "yellow 4"]
    for variant in VARIANTS:
        for lid_itself in ("fits", "over"):
            given = {"table": at_the_lid, "lid": 10, "lid_itself": lid_itself}
            if variant in TWO and lid_itself == "fits":
                assert GAME.dump(position([["blue 1"], MORE], variant, **given))["table"] == at_the_lid
                with pytest.raises(ValueError, match="does not stay at or below the lid 9"):
                    position([["blue 1"], MORE], variant, **{**given, "lid": 9})
            else:
                with pytest.raises(ValueError, match="does not stay below the lid 10"):
                    position([["blue 1"], MORE], variant, **given)
    with pytest.raises(ValueError, match="lid 10 has not survived 11"):
        position([["blue 1"], MORE], "blind_pooper", table=[], lid=10, survived=11, lid_itself="fits")
    with pytest.raises(ValueError, match="lid 10 has not survived 10"):
        position([["blue 1"], MORE], "blind_pooper", table=[], lid=10, survived=10)
