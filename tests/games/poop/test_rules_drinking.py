"""Drinking, in every variant (PG-29), worked out by hand."""

import pytest

from .table import GAME, VARIANTS, act, legal, plays, position, returns, sizes

MORE = ["yellow 5", "yellow 4"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]
SURE = {"duties_model": "forgetful", "forget_probability": 1.0, "catch_probability": 1.0}


def drinking(hands, variant="classic", **fields):
    return position(hands, variant, **{"drinking": True, "draw_pile": DRAW, **fields})


def clogged(players=4, **fields):
    """Seat 0 has taken the table."""
    fields = {"table": ["yellow 5", "red 1"], "lid": 10, **fields}
    s = drinking([["blue 5"], *[MORE] * (players - 1)], **fields)
    act(s, "clog")
    return s


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("variant", VARIANTS)
def test_by_default_nobody_drinks(variant):
    dump = GAME.dump(GAME.new_state(seed=0, variant=variant))
    assert dump["drinking"] is False and dump["drink_weight"] == 0 and dump["drinks"] == [0] * 4
    assert not {name for name in legal(GAME.new_state(seed=0, variant=variant)) if name.startswith("share")}


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_who_takes_the_table_chooses_another_seat_before_the_next_toilet(players):
    s = clogged(players)
    dump = GAME.dump(s)
    assert dump["phase"] == "share" and dump["turn"] == 0 == GAME.current_player(s) and dump["asked"] is None
    assert legal(s) == {f"share +{k}" for k in range(1, players)}
    assert (dump["lid"], dump["water"]) == (10, "red") and len(dump["toilets"]) == 2 and dump["used_toilets"] == []
    assert (
        dump["hands"][0] == ["blue 5", "red 1", "yellow 5"] and dump["table"] == [] and dump["drinks"] == [0] * players
    )


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("direction", [1, -1])
def test_the_two_share_as_many_drinks_as_the_lid_says_k_seats_clockwise(k, direction):
    s = clogged(direction=direction)
    dump = act(s, f"share +{k}")
    assert dump["drinks"] == [5 if seat in (0, k) else 0 for seat in range(4)]
    assert dump["phase"] == "play" and dump["turn"] == 0 and dump["lid"] == 8 and dump["used_toilets"] == [[10, "red"]]
    assert legal(s) == plays("blue 5", "red 1", "yellow 5") and dump["decisions"] == 2


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_seats_are_counted_from_the_one_that_took_round_the_table(players):
    for turn in range(players):
        for k in range(1, players):
            hands = [["blue 5"] if seat == turn else MORE for seat in range(players)]
            s = drinking(hands, table=["yellow 5", "red 1"], lid=11, turn=turn)
            shared = {turn: 6, (turn + k) % players: 5}
            dump = act(s, "clog", f"share +{k}")
            assert dump["drinks"] == [shared.get(seat, 0) for seat in range(players)], (turn, k)


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize(("lid", "own", "others"), [(11, 6, 5), (9, 5, 4), (7, 4, 3)])
def test_the_odd_drink_is_for_the_one_who_took(lid, own, others):
    s = drinking([["yellow 5"], MORE, ["blue 5"]], table=["blue 5", "red 1"], lid=lid, turn=2, drinks=[1, 0, 2])
    assert act(s, "clog", "share +1")["drinks"] == [1 + others, 0, 2 + own]


@pytest.mark.rule("PG-29")
def test_a_lid_of_one():
    s = drinking([["blue 5"], MORE], lid=1)
    assert act(s, "clog", "share +1")["drinks"] == [1, 0]


@pytest.mark.rule("PG-29")
def test_drinks_add_up_clog_after_clog():
    s = drinking([["blue 5"], MORE, MORE], table=["red 5"], lid=10, toilets=[[3, "blue"], [8, "red"]])
    act(s, "clog", "share +2", "clog")
    dump = act(s, "share +1")
    assert dump["drinks"] == [5 + 2, 1, 5] and dump["lid"] == 8


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("variant", ["classic", "flushers_delight", "interceptor", "deep_doo_doo", "blind_pooper"])
@pytest.mark.parametrize("players", [2, 5])
def test_a_flush_costs_every_seat_two(variant, players):
    hands = [["red 3", "blue 1"], *[MORE] * (players - 1)]
    s = drinking(hands, variant, table=["red 1", "red 2"], drinks=list(range(players)))
    dump = act(s, "play red 3")
    assert dump["drinks"] == [seat + 2 for seat in range(players)] and dump["phase"] == "play"


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-21")
def test_a_flush_with_the_last_card_in_flushers_delight_is_carried_out_and_drunk_to():
    s = drinking([["red 3"], MORE, MORE], "flushers_delight", table=["red 1", "red 2"])
    dump = act(s, "play red 3")
    assert dump["winners"] == [1] and dump["drinks"] == [2, 2, 2]


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-16")
def test_a_forgotten_duty_that_was_caught_costs_two():
    s = drinking([["blue 1", "blue 2"], MORE], duties=[["grunt", "whistle"], []], **SURE)
    assert act(s, "play blue 1")["drinks"] == [2, 0]
    s = drinking([["blue 1", "blue 2"], MORE], duties=[["grunt"], []], **{**SURE, "catch_probability": 0.0})
    assert act(s, "play blue 1")["drinks"] == [0, 0]


@pytest.mark.rule("PG-29")
def test_also_when_there_is_no_card_to_draw():
    s = drinking([["blue 1", "blue 2"], MORE], duties=[["grunt"], []], draw_pile=[], **SURE)
    dump = act(s, "play blue 1")
    assert dump["drinks"] == [2, 0] and sizes(dump) == [1, 2]


@pytest.mark.rule("PG-29")
def test_a_flush_with_a_forgotten_duty_costs_four():
    s = drinking([["red 3", "blue 2"], MORE], table=["red 1", "red 2"], duties=[["grunt"], []], **SURE)
    assert act(s, "play red 3")["drinks"] == [4, 2]


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-20")
def test_blind_pooper_shares_the_lid_that_was_overrun():
    s = drinking([["yellow 5", "blue 2"], MORE, MORE], "blind_pooper", table=["red 3", "blue 3"], lid=11, survived=6)
    dump = act(s, "play yellow 5")
    assert dump["phase"] == "share" and dump["lid"] == 11 and dump["table"] == [] and dump["turn"] == 0
    dump = act(s, "share +2")
    assert dump["drinks"] == [6, 0, 5] and dump["lid"] == 8 and dump["survived"] == 0 and dump["turn"] == 0


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-24")
def test_interceptor_who_takes_the_table_chooses():
    laid = drinking([["blue 2", "red 3"], MORE, ["red 3", "red 1"]], "interceptor", table=["yellow 4", "red 4"], lid=9)
    act(laid, "play red 3")
    taken, kept = GAME.clone(laid), laid
    dump = act(taken, "intercept")
    assert dump["phase"] == "share" and dump["turn"] == 2 == GAME.current_player(taken) and dump["asked"] is None
    dump = act(taken, "share +2")
    assert dump["drinks"] == [0, 4, 5] and dump["turn"] == 2 and dump["lid"] == 8
    dump = act(kept, "pass")
    assert dump["phase"] == "share" and dump["turn"] == 0 and dump["lid"] == 9
    assert act(kept, "share +1")["drinks"] == [5, 4, 0]


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-24")
def test_interceptor_a_laid_card_that_nobody_holds():
    s = drinking([["blue 2", "red 3"], MORE], "interceptor", table=["yellow 4", "red 4"], lid=9)
    dump = act(s, "play red 3")
    assert dump["phase"] == "share" and dump["turn"] == 0


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-23")
def test_an_interception_of_a_card_that_fits_costs_nothing():
    s = drinking([["blue 1", "blue 2"], ["blue 1", "red 1"]], "interceptor")
    act(s, "play blue 1")
    dump = act(s, "intercept")
    assert dump["phase"] == "play" and dump["drinks"] == [0, 0]


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-25")
def test_super_pooper_over_the_lid():
    s = drinking([["yellow 5", "blue 2"], MORE, MORE], "super_pooper", table=["red 3", "blue 3"], lid=11, draw_pile=[])
    dump = act(s, "flip")
    assert dump["phase"] == "share" and dump["turn"] == 0 and dump["lid"] == 11 and legal(s) == {"share +1", "share +2"}
    dump = act(s, "share +1")
    assert dump["drinks"] == [6, 5, 0] and dump["lid"] == 8 and dump["turn"] == 0 and legal(s) == {"flip"}


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-26")
def test_a_slap_costs_nothing_but_the_lid_without_one_does():
    piles = [["red 5", "blue 2"], MORE, MORE]
    s = drinking(piles, "super_pooper", table=["red 2", "red 3"], lid=9, draw_pile=[])
    act(s, "flip", "hold", "hold")
    slapped = GAME.clone(s)
    dump = act(slapped, "slap")
    assert dump["drinks"] == [0, 0, 0] and dump["phase"] == "play" and dump["turn"] == 1
    dump = act(s, "hold")
    assert dump["phase"] == "share" and dump["turn"] == 0 and dump["row"] == 0
    assert act(s, "share +1")["drinks"] == [5, 4, 0]


@pytest.mark.rule("PG-29")
@pytest.mark.rule("PG-14")
def test_the_last_card_costs_nothing():
    s = drinking([["red 3"], MORE], table=["red 1", "red 2"])
    assert act(s, "play red 3")["drinks"] == [0, 0]


@pytest.mark.rule("PG-29")
def test_the_payoff_does_not_change_by_default():
    s = drinking([["red 3"], MORE, MORE], drinks=[9, 0, 3])
    act(s, "play red 3")
    assert returns(s) == [1, -0.5, -0.5]


@pytest.mark.rule("PG-29")
@pytest.mark.parametrize("weight", [0.01, 0.05])
def test_drink_weight_subtracts_the_own_drinks_less_the_average(weight):
    s = drinking([["red 3"], MORE, MORE], drinks=[9, 0, 3], drink_weight=weight)
    assert returns(s) == [0, 0, 0]
    act(s, "play red 3")
    assert returns(s) == [round(x, 5) for x in (1 - 5 * weight, -0.5 + 4 * weight, -0.5 + 1 * weight)]
    assert abs(sum(returns(s))) < 1e-4


@pytest.mark.rule("PG-29")
def test_not_at_a_game_that_was_truncated():
    s = drinking([["red 3", "blue 1"], MORE, MORE], drinks=[9, 0, 3], drink_weight=0.05, max_decisions=1)
    act(s, "play red 3")
    assert GAME.is_truncated(s) and returns(s) == [0, 0, 0]


@pytest.mark.rule("PG-29")
def test_the_cap_may_fall_between_taking_and_sharing():
    s = clogged(max_decisions=1)
    dump = GAME.dump(s)
    assert dump["phase"] == "over" and dump["truncated"] is True and dump["lid"] == 10 and dump["table"] == []
    assert dump["drinks"] == [0] * 4
