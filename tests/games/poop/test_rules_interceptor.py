"""The variant interceptor (PG-22 to PG-24), worked out by hand."""

import pytest

from .table import GAME, act, legal, plays, position, returns, sizes

MORE = ["yellow 5", "yellow 4"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]


def table(hands, **fields):
    return position(hands, "interceptor", **{**fields})


def holding(*seats, players=4, card="blue 1", **fields):
    """Seat 0 has the card and a blue 2; these seats hold the same card, with red 1 and red 2, the rest yellow cards."""
    hands = [[card, "blue 2"]] + [[card, "red 1", "red 2"] if seat in seats else MORE for seat in range(1, players)]
    return table(hands, **fields)


# ---------------------------------------------------------------- PG-22: who is asked


@pytest.mark.rule("PG-22")
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_seat_that_holds_the_same_number_in_the_same_colour_is_asked(seat):
    s = holding(seat)
    dump = act(s, "play blue 1")
    assert dump["phase"] == "intercept" and dump["asked"] == seat == GAME.current_player(s) and dump["turn"] == 0
    assert legal(s) == {"intercept", "pass"} and dump["table"] == ["blue 1"] and dump["decisions"] == 1


@pytest.mark.rule("PG-22")
@pytest.mark.parametrize("others", [["red 1", "blue 2"], ["blue skip", "blue wild grunt"], ["yellow 1", "blue 3"]])
def test_nobody_is_asked_for_another_number_or_colour(others):
    dump = act(table([["blue 1", "blue 2"], others, others]), "play blue 1")
    assert dump["phase"] == "play" and dump["asked"] is None and dump["turn"] == 1


@pytest.mark.rule("PG-22")
@pytest.mark.parametrize("card", ["red wild grunt", "red skip", "red reverse"])
def test_only_number_cards_can_be_intercepted(card):
    dump = act(table([[card, "blue 2"], [card, *MORE], [card, *MORE]]), f"play {card}")
    assert dump["phase"] == "play" and dump["asked"] is None


@pytest.mark.rule("PG-22")
def test_a_card_that_flushes_cannot_be_intercepted():
    s = holding(1, 2, table=["blue 2", "blue 3"], draw_pile=DRAW)
    dump = act(s, "play blue 1")
    assert dump["phase"] == "play" and dump["turn"] == 0 and dump["table"] == []


@pytest.mark.rule("PG-22")
def test_the_player_of_the_card_is_not_asked_for_its_own_second_copy():
    dump = act(table([["blue 1", "blue 1", "blue 2"], MORE]), "play blue 1")
    assert dump["phase"] == "play" and dump["turn"] == 1


@pytest.mark.rule("PG-22")
@pytest.mark.parametrize(("direction", "order"), [(1, [1, 2, 3]), (-1, [3, 2, 1])])
def test_asked_in_the_direction_of_play_from_the_next_seat(direction, order):
    s = holding(1, 2, 3, direction=direction)
    act(s, "play blue 1")
    asked = []
    while GAME.dump(s)["phase"] == "intercept":
        asked.append(GAME.current_player(s))
        dump = act(s, "pass")
    assert asked == order and dump["turn"] == direction % 4 and dump["decisions"] == 4


@pytest.mark.rule("PG-22")
def test_only_holders_are_asked():
    s = holding(1, 3)
    act(s, "play blue 1")
    assert [GAME.current_player(s), act(s, "pass")["asked"]] == [1, 3]


@pytest.mark.rule("PG-22")
def test_from_a_seat_in_the_middle():
    s = table([["blue 1", "red 1"], ["blue 1", "blue 2"], MORE, ["blue 1", "red 1"]], turn=1)
    act(s, "play blue 1")
    assert [GAME.current_player(s), act(s, "pass")["asked"]] == [3, 0]


@pytest.mark.rule("PG-22")
def test_the_first_yes_counts():
    s = holding(1, 2, 3)
    act(s, "play blue 1", "pass")
    dump = act(s, "intercept")
    assert dump["phase"] == "play" and dump["turn"] == 2 and dump["asked"] is None
    assert sizes(dump) == [1, 3, 2, 3]


@pytest.mark.rule("PG-22")
def test_when_all_pass_play_goes_on_as_without_the_questions():
    s = holding(2, skip_next=True)
    act(s, "play blue 1")
    dump = act(s, "pass")
    assert dump["turn"] == 2 and dump["skip_next"] is False and dump["phase"] == "play" and dump["asked"] is None
    assert dump["table"] == ["blue 1"] and dump["discard"] == []


@pytest.mark.rule("PG-22")
def test_the_intercepting_card_goes_to_the_discard_and_adds_nothing():
    s = holding(2, table=["red 3", "blue 3"], lid=10)
    act(s, "play blue 1")
    dump = act(s, "intercept")
    assert dump["table"] == ["red 3", "blue 3", "blue 1"] and dump["discard"] == ["blue 1"] and dump["row"] == 2
    assert dump["hands"][2] == ["red 1", "red 2"] and legal(s) == plays("red 1", "red 2")  # 7 lie there


@pytest.mark.rule("PG-22")
def test_an_intercepting_card_cannot_be_intercepted():
    s = holding(1, 2, 3)
    act(s, "play blue 1")
    dump = act(s, "intercept")
    assert dump["phase"] == "play" and dump["turn"] == 1 == GAME.current_player(s)


@pytest.mark.rule("PG-22")
def test_a_seat_with_two_copies_is_asked_once_and_plays_one():
    s = table([["blue 1", "blue 2"], ["blue 1", "blue 1", "red 1"], MORE])
    act(s, "play blue 1")
    declined = GAME.clone(s)
    assert act(declined, "pass")["phase"] == "play"
    assert act(s, "intercept")["hands"][1] == ["blue 1", "red 1"]


@pytest.mark.rule("PG-22")
def test_intercepting_removes_one_known_copy():
    known = [[[], ["blue 1"]], [[], []]]
    s = table([["blue 1", "blue 2"], ["blue 1", "blue 1", "red 1"]], known=known)
    act(s, "play blue 1")
    assert act(s, "intercept")["known"] == [[[], []], [[], []]]


@pytest.mark.rule("PG-22")
@pytest.mark.rule("PG-14")
def test_a_last_card_that_does_not_overrun_wins_before_anybody_is_asked():
    s = table([["blue 1"], ["blue 1", "red 1"]], table=["red 3", "blue 3"])
    dump = act(s, "play blue 1")
    assert dump["winners"] == [0] and dump["phase"] == "over" and dump["asked"] is None


@pytest.mark.rule("PG-22")
def test_the_cap_may_fall_on_a_question():
    s = holding(1, max_decisions=1)
    dump = act(s, "play blue 1")
    assert GAME.is_truncated(s) and dump["phase"] == "over" and returns(s) == [0] * 4 and dump["table"] == ["blue 1"]


# ---------------------------------------------------------------- PG-23: after an interception


@pytest.mark.rule("PG-23")
def test_who_intercepts_plays_another_card_at_once_and_play_goes_on_from_there():
    s = holding(2)
    act(s, "play blue 1", "intercept")
    assert GAME.current_player(s) == 2 and legal(s) == plays("red 1", "red 2")
    assert act(s, "play red 1")["turn"] == 3


@pytest.mark.rule("PG-23")
def test_the_card_played_at_once_may_be_intercepted_too():
    s = table([["blue 1", "red 1", "blue 2"], MORE, ["blue 1", "red 1", "red 2"]])
    act(s, "play blue 1", "intercept")
    dump = act(s, "play red 1")
    assert dump["phase"] == "intercept" and dump["asked"] == 0 and dump["turn"] == 2
    assert act(s, "intercept")["turn"] == 0 and GAME.dump(s)["discard"] == ["blue 1", "red 1"]


@pytest.mark.rule("PG-23")
def test_the_card_played_at_once_may_flush():
    s = table([["blue 1", "red 2"], ["blue 1", "blue 5", "red 1"], MORE], table=["blue 2"], draw_pile=DRAW)
    act(s, "play blue 1", "intercept")
    dump = act(s, "play blue 5")
    assert dump["table"] == [] and dump["turn"] == 1 and sizes(dump) == [2, 1, 3]
    assert dump["discard"] == ["blue 1", "blue 1", "blue 2", "blue 5"]


@pytest.mark.rule("PG-23")
def test_who_intercepts_may_have_to_lay_a_card():
    s = table([["blue 1", "blue 2"], ["blue 1", "red 3", "red 4"], MORE], table=["yellow 5"], lid=9)
    act(s, "play blue 1")
    act(s, "intercept")
    assert legal(s) == plays("red 3", "red 4")  # both reach the lid: they are laid
    dump = act(s, "play red 3")
    assert dump["lid"] == 8 and dump["turn"] == 1 and sizes(dump) == [1, 4, 2]


@pytest.mark.rule("PG-23")
def test_a_pending_skip_stays_pending():
    s = holding(2, skip_next=True, players=5)
    act(s, "play blue 1")
    dump = act(s, "intercept")
    assert dump["skip_next"] is True and dump["turn"] == 2
    dump = act(s, "play red 1")
    assert dump["turn"] == 4 and dump["skip_next"] is False


@pytest.mark.rule("PG-23")
@pytest.mark.parametrize("drinking", [True, False])
def test_an_interception_with_the_last_card_wins(drinking):
    s = table([["blue 1", "blue 2"], MORE, ["blue 1"]], drinking=drinking)
    act(s, "play blue 1")
    dump = act(s, "intercept")
    assert dump["winners"] == [2] and dump["phase"] == "over" and returns(s) == [-0.5, -0.5, 1]
    assert dump["turn"] == 0 and dump["asked"] is None and dump["discard"] == ["blue 1"] and dump["table"] == ["blue 1"]
    assert dump["drinks"] == [0, 0, 0]


# ---------------------------------------------------------------- PG-24: laying a card


@pytest.mark.rule("PG-24")
def test_a_seat_with_no_legal_card_lays_any_number_card_it_likes():
    s = table([["blue 2", "red 3", "yellow 5"], MORE], table=["yellow 4", "red 4"], lid=9)
    assert legal(s) == plays("blue 2", "red 3", "yellow 5")


@pytest.mark.rule("PG-24")
def test_a_seat_with_a_legal_card_may_not():
    s = table([["blue 1", "red 3", "yellow 5"], MORE], table=["yellow 4", "red 4"], lid=10)
    assert legal(s) == plays("blue 1")
    s = table([["blue skip", "red 3", "yellow 5"], MORE], table=["yellow 4", "red 4"], lid=9)
    assert legal(s) == plays("blue skip")


@pytest.mark.rule("PG-24")
def test_if_nobody_intercepts_its_player_takes_the_table_with_that_card():
    s = table([["blue 2", "red 3"], MORE, MORE], table=["yellow 4", "red 4"], lid=9)
    dump = act(s, "play red 3")
    taken = ["red 3", "red 4", "yellow 4"]
    assert dump["hands"][0] == ["blue 2", *taken] and dump["table"] == [] and dump["row"] == 0
    assert dump["lid"] == 8 and dump["used_toilets"] == [[9, "red"]] and dump["turn"] == 0 and dump["phase"] == "play"
    assert dump["known"][1][0] == dump["known"][2][0] == taken and dump["last_card"] == "red 3"


@pytest.mark.rule("PG-24")
def test_those_who_hold_it_are_asked_and_may_pass():
    hands = [["blue 2", "red 3"], ["red 3", "red 1"], MORE, ["red 3", "red 2"]]
    s = table(hands, table=["yellow 4", "red 4"], lid=9)
    dump = act(s, "play red 3")
    assert dump["phase"] == "intercept" and dump["asked"] == 1 and dump["turn"] == 0 and dump["lid"] == 9
    assert dump["table"] == ["yellow 4", "red 4", "red 3"] and legal(s) == {"intercept", "pass"}
    assert act(s, "pass")["asked"] == 3
    dump = act(s, "pass")
    assert dump["hands"][0] == ["blue 2", "red 3", "red 4", "yellow 4"] and dump["turn"] == 0 and dump["lid"] == 8


@pytest.mark.rule("PG-24")
def test_who_intercepts_takes_the_table_in_its_stead_turns_the_next_toilet_up_and_plays():
    hands = [["blue 2", "red 3"], MORE, ["red 3", "red 1"]]
    s = table(hands, table=["yellow 4", "red 4"], lid=9, skip_next=True)
    act(s, "play red 3")
    dump = act(s, "intercept")
    assert dump["hands"] == [["blue 2"], sorted(MORE), ["red 1", "red 3", "red 4", "yellow 4"]]
    assert dump["discard"] == ["red 3"] and dump["table"] == [] and dump["lid"] == 8 and dump["row"] == 0
    assert dump["turn"] == 2 == GAME.current_player(s) and dump["phase"] == "play" and dump["asked"] is None
    assert dump["known"][0][2] == dump["known"][1][2] == ["red 3", "red 4", "yellow 4"] and dump["skip_next"] is True
    assert legal(s) == plays("red 1", "red 3", "red 4", "yellow 4")


@pytest.mark.rule("PG-24")
def test_a_laid_last_card_that_nobody_intercepts_is_taken_back_with_the_table():
    s = table([["red 3"], MORE], table=["yellow 4", "red 4"], lid=9)
    dump = act(s, "play red 3")
    assert dump["winners"] == [] and dump["hands"][0] == ["red 3", "red 4", "yellow 4"] and dump["turn"] == 0


@pytest.mark.rule("PG-24")
def test_a_laid_last_card_whose_holders_all_pass_is_taken_back_too():
    s = table([["red 3"], ["red 3", "red 1"]], table=["yellow 4", "red 4"], lid=9)
    dump = act(s, "play red 3")
    assert dump["phase"] == "intercept" and sizes(dump) == [0, 2] and not GAME.is_terminal(s)
    dump = act(s, "pass")
    assert dump["winners"] == [] and dump["hands"][0] == ["red 3", "red 4", "yellow 4"] and dump["turn"] == 0


@pytest.mark.rule("PG-24")
@pytest.mark.parametrize("drinking", [True, False])
def test_a_laid_last_card_that_is_intercepted_wins_at_once(drinking):
    lying = ["yellow 4", "red 4"]
    s = table([["red 3"], MORE, ["red 3", "red 1"]], table=lying, lid=9, drinking=drinking)
    act(s, "play red 3")
    dump = act(s, "intercept")
    assert dump["winners"] == [0] and dump["phase"] == "over" and returns(s) == [1, -0.5, -0.5]
    assert dump["table"] == [*lying, "red 3"] and dump["hands"][2] == ["red 1"] and dump["drinks"] == [0, 0, 0]
    assert dump["lid"] == 9 and dump["turn"] == 0 and dump["discard"] == ["red 3"] and dump["known"] == [[[]] * 3] * 3


@pytest.mark.rule("PG-24")
@pytest.mark.parametrize("first", [["red 3"], ["red 3", "blue 2"]])
def test_unless_the_interceptors_hand_is_empty_then(first):
    s = table([first, MORE, ["red 3"]], table=["yellow 4", "red 4"], lid=9, drinking=True)
    act(s, "play red 3")
    dump = act(s, "intercept")
    assert dump["winners"] == [2] and returns(s) == [-0.5, -0.5, 1] and dump["drinks"] == [0, 0, 0]
    assert dump["table"] == ["yellow 4", "red 4", "red 3"]


@pytest.mark.rule("PG-24")
@pytest.mark.rule("PG-16")
def test_a_seat_caught_while_laying_its_second_last_card_has_two_again():
    fields = {"duties_model": "forgetful", "forget_probability": 1.0, "catch_probability": 1.0}
    hands = [["red 3", "blue 2"], ["red 3", "red 1"]]
    s = table(hands, table=["yellow 4", "red 4"], lid=9, draw_pile=DRAW, duties=[["grunt"], []], **fields)
    assert act(s, "play red 3")["hands"][0] == ["blue 2", "blue 4"]
    dump = act(s, "intercept")
    assert dump["turn"] == 1 and dump["hands"][1] == ["red 1", "red 3", "red 4", "yellow 4"]
