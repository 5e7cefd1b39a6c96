"""The 10, the Poo Head, the 4, the Bomb and four of a kind (PH-10 to PH-14), worked out by hand."""

import pytest

from .table import EVERY_CARD, SPECIALS, act, legal, numbers, plays, position

# ---------------------------------------------------------------- PH-10: the 10


@pytest.mark.rule("PH-10")
def test_on_a_10_only_a_10_and_specials():
    s = position([EVERY_CARD, ["5"]], pile=["3", "10"])
    assert legal(s) == plays("10", *SPECIALS)


@pytest.mark.rule("PH-10")
def test_without_them_the_pile_is_taken():
    s = position([["0", "4", "9"], ["5"]], pile=["3", "10"])
    assert legal(s) == {"pick up"}


@pytest.mark.rule("PH-10")
def test_several_10s_on_a_10():
    s = position([["10", "10", "9"], ["5"]], pile=["10"])
    assert legal(s) == {"play 10", "play 10 x2"}


# ---------------------------------------------------------------- PH-11: the Poo Head


@pytest.mark.rule("PH-11")
@pytest.mark.parametrize("pile", [[], *[[top] for top in [*numbers(0, 10), "poo head"]]])
def test_poo_head_is_legal_on_anything(pile):
    s = position([["poo head"], ["5"]], pile=pile, face_down=[["1"], []])
    assert "play poo head" in legal(s)
    assert act(s, "play poo head")["pile"] == [*pile, "poo head"]


@pytest.mark.rule("PH-11")
def test_poo_head_stays_in_the_pile_and_resets_it():
    s = position([["poo head", "1"], EVERY_CARD], pile=["3", "10"])
    dump = act(s, "play poo head")
    assert dump["pile"] == ["3", "10", "poo head"] and dump["burnt"] == [] and dump["turn"] == 1
    assert legal(s) == plays(*EVERY_CARD)


@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-12")
def test_poo_head_on_a_4_frees_the_next_seat():
    s = position([["poo head", "1"], EVERY_CARD], pile=["4"])
    act(s, "play poo head")
    assert legal(s) == plays(*EVERY_CARD)


@pytest.mark.rule("PH-11")
def test_after_the_reset_the_ordinary_rule_holds_again():
    s = position([["5", "6"], ["0", "9"]], pile=["10", "poo head"])
    act(s, "play 5")
    assert legal(s) == plays("9")


@pytest.mark.rule("PH-11")
@pytest.mark.rule("PH-8")
def test_a_taken_pile_has_its_poo_heads_in_it():
    s = position([["5"], ["0", "9"]], pile=["poo head", "6"])
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["5", "6", "poo head"] and dump["known"][0] == ["6", "poo head"]


# ---------------------------------------------------------------- PH-12: the 4


@pytest.mark.rule("PH-12")
@pytest.mark.parametrize("pile", [[], ["poo head"], ["10", "poo head"], ["0"], ["1"], ["2"], ["3"], ["4"]])
def test_4_on_equal_lower_empty_or_reset(pile):
    assert "play 4" in legal(position([["4", "bomb"], ["5"]], pile=pile))


@pytest.mark.rule("PH-12")
@pytest.mark.parametrize("top", numbers(5, 10))
def test_4_on_nothing_higher(top):
    assert legal(position([["4", "bomb"], ["5"]], pile=["1", top])) == {"play bomb"}


@pytest.mark.rule("PH-12")
def test_a_bound_seat_lays_4_or_lower_or_a_special():
    s = position([EVERY_CARD, ["5"]], pile=["4"])
    assert legal(s) == plays(*numbers(0, 4), *SPECIALS)


@pytest.mark.rule("PH-12")
def test_a_bound_seat_may_lay_several():
    s = position([["1", "1", "3", "3", "3", "7"], ["5"]], pile=["4"])
    assert legal(s) == {"play 1", "play 1 x2", "play 3", "play 3 x2", "play 3 x3"}


@pytest.mark.rule("PH-12")
def test_several_4s_bind_as_one_does():
    s = position([["4", "4", "8"], ["1", "4", "5"]], pile=["2"])
    act(s, "play 4 x2")
    assert legal(s) == plays("1", "4")


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-8")
def test_a_bound_seat_without_an_answer_takes_the_pile_and_the_bind_ends():
    s = position([["5", "9"], EVERY_CARD], pile=["3", "4"])
    assert legal(s) == {"pick up"}
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["3", "4", "5", "9"] and legal(s) == plays(*EVERY_CARD)


@pytest.mark.rule("PH-12")
def test_it_binds_the_next_seat_alone():
    s = position([["4", "8"], ["2", "9"], ["1", "2", "4", "7", "poo head"]], pile=["3"])
    act(s, "play 4")
    assert legal(s) == plays("2")
    act(s, "play 2")
    assert legal(s) == plays("2", "4", "7", "poo head")  # equal to or higher than 2


@pytest.mark.rule("PH-12")
def test_a_4_answered_by_a_4_binds_the_next_seat_again():
    s = position([["4", "8"], ["4", "9"], ["1", "5"]], pile=["3"])
    act(s, "play 4", "play 4")
    assert legal(s) == plays("1")


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-18")
def test_the_4_of_a_seat_that_goes_out_still_binds():
    s = position([["4"], ["0", "9"], ["1", "5"]], pile=["3"])
    dump = act(s, "play 4")
    assert dump["out"] == [0] and dump["turn"] == 1 and legal(s) == plays("0")


@pytest.mark.rule("PH-12")
def test_it_binds_the_next_active_seat():
    s = position([["4", "8"], [], ["0", "9"]], pile=["3"])
    dump = act(s, "play 4")
    assert dump["turn"] == 2 and legal(s) == plays("0")


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-15")
def test_it_binds_face_up_cards():
    s = position([[], ["5"]], face_up=[["1", "5", "9"], []], pile=["4"])
    assert legal(s) == plays("1")


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-17")
@pytest.mark.parametrize("card", ["0", "3", "4", "poo head"])
def test_a_card_turned_over_on_a_4_lies_if_it_is_4_or_lower_or_a_special(card):
    dump = act(position([[], ["5", "6"]], face_down=[[card, "7"], []], pile=["4"]), "flip 1")
    assert dump["pile"] == ["4", card] and dump["hands"][0] == []


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-17")
@pytest.mark.parametrize("card", ["5", "10"])
def test_a_higher_card_turned_over_on_a_4_is_taken_with_the_pile(card):
    dump = act(position([[], ["5", "6"]], face_down=[[card, "7"], []], pile=["4"]), "flip 1")
    assert dump["pile"] == [] and dump["hands"][0] == ["4", card]


@pytest.mark.rule("PH-12")
@pytest.mark.rule("PH-17")
def test_a_4_turned_over_binds():
    s = position([[], ["2", "5"]], face_down=[["4", "7"], []], pile=["1"])
    act(s, "flip 1")
    assert legal(s) == plays("2")


# ---------------------------------------------------------------- PH-13: the Bomb


@pytest.mark.rule("PH-13")
@pytest.mark.parametrize("pile", [[], *[["1", top] for top in [*numbers(0, 10), "poo head"]]])
def test_bomb_is_legal_on_anything_and_burns_the_pile_and_itself(pile):
    s = position([["3", "9", "bomb"], ["5"]], pile=pile)
    assert "play bomb" in legal(s)
    dump = act(s, "play bomb")
    assert dump["pile"] == [] and sorted(dump["burnt"]) == sorted([*pile, "bomb"])


@pytest.mark.rule("PH-13")
def test_the_same_seat_plays_again_with_any_card():
    s = position([["3", "9", "bomb"], ["5"]], pile=["4"])
    dump = act(s, "play bomb")
    assert dump["turn"] == 0 and dump["hands"][0] == ["3", "9"] and legal(s) == plays("3", "9")


@pytest.mark.rule("PH-13")
def test_the_extra_turn_may_be_another_bomb():
    s = position([["3", "9", "bomb", "bomb"], ["5"]], pile=["4"])
    dump = act(s, "play bomb", "play bomb")
    assert dump["turn"] == 0 and dump["burnt"] == ["4", "bomb", "bomb"]
    assert act(s, "play 3")["turn"] == 1


@pytest.mark.rule("PH-13")
@pytest.mark.rule("PH-15")
def test_the_extra_turn_comes_from_the_zone_then_in_play():
    s = position([["bomb"], ["5"]], face_up=[["2", "2"], []], face_down=[["7"], []], pile=["9"])
    dump = act(s, "play bomb")
    assert dump["turn"] == 0 and legal(s) == {"play 2", "play 2 x2"}
    blind = position([["bomb"], ["5"]], face_down=[["7", "8"], []], pile=["9"])
    assert act(blind, "play bomb")["turn"] == 0 and legal(blind) == {"flip 1", "flip 2"}


@pytest.mark.rule("PH-13")
def test_the_extra_turn_is_compulsory():
    """With voluntary pickup too: there is no pile to take."""
    s = position([["3", "bomb"], ["5"]], pile=["4"], voluntary_pickup=True)
    act(s, "play bomb")
    assert legal(s) == {"play 3"}


@pytest.mark.rule("PH-13")
def test_burnt_cards_add_up():
    s = position([["3", "9", "bomb"], ["5"]], pile=["10", "4"], burnt=["0", "bomb"])
    assert act(s, "play bomb")["burnt"] == ["0", "4", "10", "bomb", "bomb"]


# ---------------------------------------------------------------- PH-14: four of a kind


@pytest.mark.rule("PH-14")
def test_four_laid_by_one_seat_burn_the_whole_pile_and_it_plays_again():
    s = position([["7", "7", "7", "7", "2"], ["5"]], pile=["3", "5"])
    dump = act(s, "play 7 x4")
    assert dump["pile"] == [] and dump["burnt"] == ["3", "5", "7", "7", "7", "7"]
    assert dump["turn"] == 0 and legal(s) == {"play 2"}


@pytest.mark.rule("PH-14")
def test_four_laid_by_several_seats_burn_and_the_last_plays_again():
    """The rulebook's example: Billy one 3, Sam two, George the last."""
    s = position([["3", "9"], ["3", "3", "8"], ["3", "0"]], pile=["1"])
    dump = act(s, "play 3", "play 3 x2")
    assert dump["pile"] == ["1", "3", "3", "3"] and dump["burnt"] == [] and dump["turn"] == 2
    dump = act(s, "play 3")
    assert dump["pile"] == [] and dump["burnt"] == ["1", "3", "3", "3", "3"]
    assert dump["turn"] == 2 and legal(s) == {"play 0"}


@pytest.mark.rule("PH-14")
def test_three_do_not_burn():
    dump = act(position([["7", "7", "2"], ["5"]], pile=["7"]), "play 7 x2")
    assert dump["pile"] == ["7", "7", "7"] and dump["turn"] == 1


@pytest.mark.rule("PH-14")
def test_a_poo_head_between_breaks_the_row():
    dump = act(position([["7", "7", "2"], ["5"]], pile=["7", "7", "poo head"]), "play 7 x2")
    assert dump["pile"] == ["7", "7", "poo head", "7", "7"] and dump["burnt"] == [] and dump["turn"] == 1


@pytest.mark.rule("PH-14")
def test_another_number_between_breaks_the_row():
    """7 on 7, a Poo Head, a 2 and a 7: the fourth 7 in the pile, yet not the fourth together."""
    dump = act(position([["7", "2"], ["5"]], pile=["7", "7", "poo head", "2", "7"]), "play 7")
    assert dump["pile"] == ["7", "7", "poo head", "2", "7", "7"] and dump["turn"] == 1


@pytest.mark.rule("PH-14")
def test_all_that_lies_under_the_four_burns_too():
    dump = act(position([["7", "2"], ["5"]], pile=["9", "poo head", "7", "7", "7"]), "play 7")
    assert dump["burnt"] == ["7", "7", "7", "7", "9", "poo head"] and dump["turn"] == 0


@pytest.mark.rule("PH-14")
def test_four_poo_heads_are_no_four_of_a_kind():
    dump = act(position([["poo head", "2"], ["5"]], pile=["poo head"] * 3), "play poo head")
    assert dump["pile"] == ["poo head"] * 4 and dump["burnt"] == [] and dump["turn"] == 1


@pytest.mark.rule("PH-14")
@pytest.mark.parametrize(("on_top", "laid"), [(1, 3), (1, 4), (2, 3), (3, 1), (3, 4), (2, 4)])
def test_with_several_decks_four_or_more_on_top_count(on_top, laid):
    hands = [["7"] * laid + ["2"], *[["5"] for _ in range(5)]]
    s = position(hands, pile=["3", *["7"] * on_top])
    dump = act(s, f"play 7 x{laid}" if laid > 1 else "play 7")
    assert dump["pile"] == [] and dump["burnt"] == ["3", *["7"] * (on_top + laid)] and dump["turn"] == 0


@pytest.mark.rule("PH-14")
@pytest.mark.parametrize(("on_top", "laid"), [(1, 2), (2, 1), (0, 3)])
def test_with_several_decks_fewer_than_four_do_not(on_top, laid):
    hands = [["7"] * laid + ["2"], *[["5"] for _ in range(5)]]
    dump = act(position(hands, pile=["3", *["7"] * on_top]), f"play 7 x{laid}" if laid > 1 else "play 7")
    assert dump["pile"] == ["3", *["7"] * (on_top + laid)] and dump["turn"] == 1


@pytest.mark.rule("PH-14")
@pytest.mark.rule("PH-12")
def test_four_4s_burn_and_bind_nobody():
    s = position([["4", "9"], ["5"]], pile=["4", "4", "4"])
    act(s, "play 4")
    assert legal(s) == {"play 9"}
    out = position([["4"], ["5", "9"], ["2"]], pile=["4", "4", "4"])
    assert act(out, "play 4")["turn"] == 1 and legal(out) == plays("5", "9")


@pytest.mark.rule("PH-14")
def test_four_at_once_must_be_legal_by_rank():
    assert legal(position([["7"] * 4 + ["9"], ["5"]], pile=["8"])) == {"play 9"}
    assert legal(position([["7"] * 4, ["5"]], pile=["4"])) == {"pick up"}
    assert legal(position([["4"] * 4, ["5"]], pile=["5"])) == {"pick up"}


@pytest.mark.rule("PH-14")
@pytest.mark.rule("PH-12")
def test_a_bound_seat_may_burn_with_a_lower_four():
    s = position([["2"] * 4 + ["9"], ["5"]], pile=["4"])
    dump = act(s, "play 2 x4")
    assert dump["burnt"] == ["2", "2", "2", "2", "4"] and legal(s) == {"play 9"}


@pytest.mark.rule("PH-14")
@pytest.mark.rule("PH-15")
def test_face_up_cards_complete_a_four_of_a_kind():
    s = position([[], ["5"]], face_up=[["7", "7", "2"], []], pile=["7", "7"])
    dump = act(s, "play 7 x2")
    assert dump["burnt"] == ["7"] * 4 and dump["turn"] == 0 and legal(s) == {"play 2"}


@pytest.mark.rule("PH-14")
@pytest.mark.rule("PH-17")
def test_a_card_turned_over_completes_a_four_of_a_kind():
    s = position([[], ["5"]], face_down=[["7", "2"], []], pile=["7", "7", "7"])
    dump = act(s, "flip 1")
    assert dump["burnt"] == ["7"] * 4 and dump["turn"] == 0 and legal(s) == {"flip 1"}


@pytest.mark.rule("PH-14")
def test_the_extra_turn_is_compulsory_after_a_four_of_a_kind():
    s = position([["7", "3"], ["5"]], pile=["7", "7", "7"], voluntary_pickup=True)
    act(s, "play 7")
    assert legal(s) == {"play 3"}


@pytest.mark.rule("PH-14")
def test_the_row_ends_when_the_pile_is_taken():
    """Seat 1 takes three 7s; seat 0's 7 then lies alone on a new pile."""
    s = position([["7", "3"], ["5"]], pile=["7", "7", "7"], turn=1)
    dump = act(s, "pick up", "play 7")
    assert dump["pile"] == ["7"] and dump["turn"] == 1
