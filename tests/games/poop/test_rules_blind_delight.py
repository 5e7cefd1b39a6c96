"""The variants blind_pooper, flushers_delight and deep_doo_doo (PG-20, PG-21, PG-28), worked out by hand."""

import pytest

from .table import GAME, act, legal, plays, position, returns, sizes

MORE = ["yellow 5", "yellow 4"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]


def blind(hands, **fields):
    return position(hands, "blind_pooper", **fields)


# ---------------------------------------------------------------- PG-20: blind_pooper


@pytest.mark.rule("PG-20")
@pytest.mark.parametrize("lid", [1, 9, 16])
def test_any_card_may_be_played(lid):
    hand = ["blue 1", "blue 5", "red skip", "yellow wild grunt"]
    assert legal(blind([hand, MORE], lid=lid)) == plays(*hand)


@pytest.mark.rule("PG-20")
@pytest.mark.parametrize("card", ["yellow 4", "yellow 5"])
def test_who_reaches_or_passes_the_lid_takes_all_the_table_that_card_included(card):
    s = blind([[card, "blue 2"], MORE, MORE], table=["red 3", "blue 3"], lid=10)
    dump = act(s, f"play {card}")
    assert dump["hands"][0] == ["blue 2", "blue 3", "red 3", card]
    assert dump["known"] == [[[], [], []], [["blue 3", "red 3", card], [], []], [["blue 3", "red 3", card], [], []]]
    assert dump["table"] == [] and dump["row"] == 0 and dump["last_card"] == card


@pytest.mark.rule("PG-20")
def test_below_the_lid_play_goes_on():
    dump = act(blind([["yellow 3", "blue 2"], MORE], table=["red 3", "blue 3"], lid=10), "play yellow 3")
    assert dump["table"] == ["red 3", "blue 3", "yellow 3"] and dump["turn"] == 1 and dump["lid"] == 10


@pytest.mark.rule("PG-20")
def test_a_new_toilet_is_turned_up_and_the_seat_plays_again():
    s = blind([["yellow 5", "blue 2"], MORE, MORE], table=["red 3", "blue 3"], lid=10, skip_next=True)
    dump = act(s, "play yellow 5")
    assert (dump["lid"], dump["water"]) == (8, "yellow") and dump["used_toilets"] == [[10, "red"]]
    assert dump["turn"] == 0 and dump["phase"] == "play" and dump["skip_next"] is True and dump["decisions"] == 1
    assert act(s, "play blue 2")["turn"] == 2


@pytest.mark.rule("PG-20")
def test_it_may_overrun_again_at_once():
    s = blind([["yellow 5", "blue 2"], MORE], lid=5, toilets=[[2, "blue"], [6, "red"]])
    assert act(s, "play yellow 5")["lid"] == 2
    dump = act(s, "play blue 2")
    assert dump["lid"] == 6 and dump["hands"][0] == ["blue 2", "yellow 5"] and dump["turn"] == 0


@pytest.mark.rule("PG-20")
def test_an_overrunning_last_card_does_not_win():
    s = blind([["yellow 4"], MORE], table=["red 3", "blue 3"], lid=10)
    dump = act(s, "play yellow 4")
    assert not GAME.is_terminal(s) and dump["winners"] == [] and dump["hands"][0] == ["blue 3", "red 3", "yellow 4"]


@pytest.mark.rule("PG-20")
@pytest.mark.parametrize(("table", "card"), [(["red 3", "blue 3"], "yellow 3"), (["red 5", "red 4"], "red 5")])
def test_a_last_card_that_fits_or_flushes_wins(table, card):
    s = blind([[card], MORE], table=table, lid=10)
    assert act(s, f"play {card}")["winners"] == [0] and returns(s) == [1, -1]


@pytest.mark.rule("PG-20")
@pytest.mark.rule("PG-10")
def test_a_flush_passes_the_lid_without_harm_and_shows_nothing():
    s = blind([["red 5", "blue 1"], MORE], table=["red 5", "red 4"], lid=10, draw_pile=DRAW, survived=9)
    dump = act(s, "play red 5")
    assert dump["table"] == [] and dump["lid"] == 10 and dump["survived"] == 9 and dump["turn"] == 0
    assert len(dump["hands"][1]) == 3


@pytest.mark.rule("PG-20")
def test_cards_that_add_nothing_never_overrun():
    s = blind([["yellow skip", "blue 1"], MORE, MORE], table=["red 5", "blue 4"], lid=10)
    dump = act(s, "play yellow skip")
    assert dump["table"] == ["red 5", "blue 4", "yellow skip"] and dump["turn"] == 2


@pytest.mark.rule("PG-20")
def test_the_highest_total_survived_grows_and_starts_anew_with_a_toilet():
    hands = [["yellow 3", "red 3", "red 1", "blue 2"], ["yellow 5", "yellow 4", "blue 1"]]
    s = blind(hands, table=["red 3"], lid=16, draw_pile=DRAW)
    assert GAME.dump(s)["survived"] == 3
    assert act(s, "play yellow 3")["survived"] == 6
    assert act(s, "play yellow 5")["survived"] == 11
    assert act(s, "play blue 2")["survived"] == 13
    assert act(s, "play blue 1")["survived"] == 14
    dump = act(s, "play red 3")
    assert dump["survived"] == 0 and dump["lid"] == 8 and dump["turn"] == 0
    assert act(s, "play red 3")["survived"] == 3


@pytest.mark.rule("PG-20")
def test_what_was_survived_is_kept_when_the_table_is_flushed():
    hands = [["red 1", "blue 2", "blue 1"], MORE]
    s = blind(hands, table=["blue 4", "red 3", "red 3"], lid=16, draw_pile=DRAW)
    assert act(s, "play red 1")["survived"] == 10
    assert act(s, "play blue 2")["survived"] == 10


@pytest.mark.rule("PG-20")
@pytest.mark.rule("PG-16")
def test_the_patrol_catches_every_forgotten_duty():
    fields = {"duties_model": "forgetful", "forget_probability": 1.0, "catch_probability": 0.0}
    s = blind([["red 1", "blue 2"], MORE], draw_pile=DRAW, duties=[["grunt"], []], **fields)
    assert act(s, "play red 1")["hands"][0] == ["blue 2", "blue 4"]


@pytest.mark.rule("PG-20")
def test_with_automatic_duties_nobody_is_caught():
    s = blind([["red 1", "blue 2"], MORE], draw_pile=DRAW, duties=[["grunt"], []], forget_probability=1.0)
    assert act(s, "play red 1")["hands"][0] == ["blue 2"]


# ---------------------------------------------------------------- PG-21: flushers_delight


def delight(hands, **fields):
    fields = {"table": ["red 1", "red 2"], "draw_pile": DRAW, **fields}
    return position(hands, "flushers_delight", **fields)


@pytest.mark.rule("PG-21")
@pytest.mark.parametrize("direction", [1, -1])
def test_after_the_others_drew_every_hand_passes_to_the_next_seat(direction):
    s = delight([["red 3", "blue 2"], ["red 4"], ["red 5"]], direction=direction)
    dump = act(s, "play red 3")
    first, second = (
        (["blue 4", "red 4"], ["blue 5", "red 5"]) if direction == 1 else (["blue 5", "red 4"], ["blue 4", "red 5"])
    )
    assert dump["hands"] == ([second, ["blue 2"], first] if direction == 1 else [first, second, ["blue 2"]])


@pytest.mark.rule("PG-21")
def test_the_flusher_plays_again_with_the_hand_that_it_received():
    s = delight([["red 3", "blue 2"], ["red 4"], ["red 5"]])
    dump = act(s, "play red 3")
    assert dump["turn"] == 0 and legal(s) == plays("blue 5", "red 5")
    assert act(s, "play blue 5")["turn"] == 1


@pytest.mark.rule("PG-21")
@pytest.mark.rule("PG-12")
def test_after_a_reverse_hands_pass_in_the_new_direction():
    dump = act(delight([["red reverse", "blue 2"], ["red 4"], ["red 5"]]), "play red reverse")
    assert dump["direction"] == -1
    assert dump["hands"] == [["blue 5", "red 4"], ["blue 4", "red 5"], ["blue 2"]]


@pytest.mark.rule("PG-21")
def test_a_skip_does_not_change_where_hands_pass():
    dump = act(delight([["red skip", "blue 2"], ["red 4"], ["red 5"]]), "play red skip")
    assert dump["hands"] == [["blue 5", "red 5"], ["blue 2"], ["blue 4", "red 4"]] and dump["skip_next"] is True


@pytest.mark.rule("PG-21")
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("direction", [1, -1])
def test_a_flusher_without_cards_passes_an_empty_hand_and_who_receives_it_wins(players, direction):
    s = delight([["red 3"], *[MORE] * (players - 1)], direction=direction)
    dump = act(s, "play red 3")
    winner = direction % players
    assert GAME.is_terminal(s) and dump["winners"] == [winner] and dump["hands"][winner] == [] and dump["turn"] == 0
    assert returns(s) == [1 if seat == winner else round(-1 / (players - 1), 5) for seat in range(players)]
    assert sorted(sizes(dump)) == [0] + [3] * (players - 1)  # the others drew before
    assert dump["table"] == [] and dump["discard"] == ["red 1", "red 2", "red 3"]


@pytest.mark.rule("PG-21")
def test_an_empty_hand_by_a_flushing_reverse_goes_in_the_new_direction():
    dump = act(delight([["red reverse"], *[MORE] * 3]), "play red reverse")
    assert dump["winners"] == [3] and dump["direction"] == -1


@pytest.mark.rule("PG-21")
@pytest.mark.rule("PG-14")
def test_without_a_flush_an_empty_hand_wins_as_ever():
    s = delight([["red 3"], MORE, MORE], table=["red 1", "blue 2"])
    dump = act(s, "play red 3")
    assert dump["winners"] == [0] and returns(s) == [1, -0.5, -0.5] and sizes(dump) == [0, 2, 2]


@pytest.mark.rule("PG-21")
def test_passed_hands_are_known_to_who_passed_them():
    dump = act(delight([["red 3", "blue 2"], ["red 4"], ["red 5"]]), "play red 3")
    assert dump["known"] == [[[], ["blue 2"], []], [[], [], ["blue 4", "red 4"]], [["blue 5", "red 5"], [], []]]


@pytest.mark.rule("PG-21")
def test_what_others_knew_moves_along():
    known = [[[], ["red 4"], []], [["blue 2"], [], ["red 5"]], [[], ["blue 3"], []]]
    s = delight([["red 3", "blue 2", "blue 1"], ["red 4", "blue 3"], ["red 5"]], known=known)
    dump = act(s, "play red 3")
    assert dump["hands"] == [["blue 5", "red 5"], ["blue 1", "blue 2"], ["blue 3", "blue 4", "red 4"]]
    assert dump["known"] == [
        [[], ["blue 1", "blue 2"], ["red 4"]],  # it passed the first, and knew one of the second
        [["red 5"], [], ["blue 3", "blue 4", "red 4"]],
        [["blue 5", "red 5"], [], []],  # it knew nothing of what seat 1 has now; and a hand of one's own is no matter
    ]


@pytest.mark.rule("PG-21")
def test_with_two_players_hands_are_exchanged():
    known = [[[], ["red 4"]], [["blue 2"], []]]
    dump = act(delight([["red 3", "blue 2"], ["red 4"]], known=known), "play red 3")
    assert dump["hands"] == [["blue 4", "red 4"], ["blue 2"]]
    assert dump["known"] == [[[], ["blue 2"]], [["blue 4", "red 4"], []]]


@pytest.mark.rule("PG-21")
def test_a_known_card_that_is_played_on_is_known_no_more():
    s = delight([["red 3", "blue 2"], ["red 4"], ["red 5"]])
    act(s, "play red 3")
    dump = act(s, "play red 5")
    assert dump["known"][2][0] == ["blue 5"]


@pytest.mark.rule("PG-21")
@pytest.mark.rule("PG-16")
def test_who_is_caught_draws_before_and_passes_that_card_on():
    fields = {"duties_model": "forgetful", "forget_probability": 1.0, "catch_probability": 1.0}
    s = delight([["red 3", "blue 2"], ["red 4"], ["red 5"]], duties=[["grunt"], [], []], **fields)
    assert act(s, "play red 3")["hands"] == [["red 5", "yellow 1"], ["blue 2", "blue 4"], ["blue 5", "red 4"]]


@pytest.mark.rule("PG-21")
def test_duties_stay_with_their_seats():
    s = delight([["red 3", "blue 2"], ["red 4"], ["red 5"]], duties=[["grunt"], ["whistle"], []])
    assert act(s, "play red 3")["duties"] == [["grunt"], ["whistle"], []]


# ---------------------------------------------------------------- PG-28: deep_doo_doo


def deep(hands, **fields):
    return position(hands, "deep_doo_doo", **{"draw_pile": DRAW, **fields})


@pytest.mark.rule("PG-28")
@pytest.mark.parametrize("water", ["red", "blue", "yellow"])
def test_a_row_flushes_only_in_the_colour_of_the_water(water):
    s = deep([["red 1", "blue 2"], MORE], table=["red 2", "red 3"], water=water)
    dump = act(s, "play red 1")
    if water == "red":
        assert dump["table"] == [] and dump["turn"] == 0 and sizes(dump) == [1, 3]
    else:
        assert dump["table"] == ["red 2", "red 3", "red 1"] and dump["row"] == 3 and dump["turn"] == 1
        assert sizes(dump) == [1, 2] and dump["discard"] == []


@pytest.mark.rule("PG-28")
@pytest.mark.rule("PG-4")
@pytest.mark.parametrize(("water", "allowed"), [("red", ["red 5"]), ("blue", [])])
def test_only_then_the_lid_does_not_matter(water, allowed):
    s = deep([["red 5", "blue 5"], MORE], table=["red 2", "red 3"], water=water, lid=10)
    assert legal(s) == (plays(*allowed) or {"clog"})


@pytest.mark.rule("PG-28")
def test_other_rows_of_three_do_nothing_and_neither_does_a_fourth_card():
    s = deep([["red 1", "red 2", "blue 2"], ["red 1", *MORE]], table=["red 2", "red 1"], water="blue", lid=16)
    assert act(s, "play red 1")["row"] == 3
    dump = act(s, "play red 1")
    assert dump["row"] == 4 and dump["turn"] == 0
    dump = act(s, "play red 2")
    assert dump["row"] == 5 and len(dump["table"]) == 5


@pytest.mark.rule("PG-28")
def test_the_water_of_the_next_toilet_counts_after_a_clog():
    hands = [["yellow 1", "yellow 2", "red 5"], ["yellow 5", "yellow 4"]]
    s = deep(hands, table=["yellow 3", "blue 4", "red 2"], lid=10, turn=1)
    dump = act(s, "clog")
    assert dump["water"] == "yellow" and dump["lid"] == 8 and dump["turn"] == 1 and dump["table"] == []
    act(s, "play yellow 4", "play yellow 1")
    assert legal(s) == plays("red 2", "yellow 3", "yellow 5")
    assert act(s, "play yellow 5")["table"] == []


@pytest.mark.rule("PG-28")
def test_a_last_card_wins_whether_it_flushes_or_not():
    for water in ("red", "blue"):
        s = deep([["red 1"], MORE], table=["red 2", "red 3"], water=water)
        assert act(s, "play red 1")["winners"] == [0]
