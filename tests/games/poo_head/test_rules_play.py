"""An ordinary turn: laying cards, drawing, taking the pile (PH-5 to PH-9), worked out by hand."""

import pytest

from poopdeck.envs.core.errors import IllegalActionError

from .table import EVERY_CARD, GAME, SPECIALS, act, legal, numbers, plays, position

# ---------------------------------------------------------------- PH-5: a turn


@pytest.mark.rule("PH-5")
@pytest.mark.parametrize("top", [*range(4), *range(5, 11)])
def test_equal_or_higher_may_be_laid(top):
    """From a hand with one card of each kind; a 4 too, where it is equal or higher (on a 4: PH-12)."""
    s = position([EVERY_CARD, ["5"]], pile=[str(top)])
    assert legal(s) == plays(*numbers(top, 10), *SPECIALS)


@pytest.mark.rule("PH-5")
def test_only_the_top_of_the_pile_counts():
    s = position([["2", "7", "9"], ["5"]], pile=["10", "9", "poo head", "3", "7"])
    assert legal(s) == plays("7", "9")


@pytest.mark.rule("PH-5")
def test_anything_leads_on_an_empty_pile():
    s = position([EVERY_CARD, ["5"]])
    assert legal(s) == plays(*EVERY_CARD)


@pytest.mark.rule("PH-5")
def test_a_lower_card_is_refused_and_nothing_changes():
    s = position([["2", "7", "9"], ["5"]], pile=["7"])
    before = GAME.dump(s)
    for name in ("play 2", "play 7 x2", "play 8", "play bomb", "pick up", "flip 1", "table 7"):
        with pytest.raises(IllegalActionError):
            GAME.apply_action(s, GAME.action(name))
    assert GAME.dump(s) == before


@pytest.mark.rule("PH-5")
def test_the_card_moves_from_the_hand_to_the_top_of_the_pile():
    s = position([["2", "7", "9"], ["5"]], pile=["3", "7"])
    dump = act(s, "play 9")
    assert dump["hands"] == [["2", "7"], ["5"]] and dump["pile"] == ["3", "7", "9"] and dump["decisions"] == 1


@pytest.mark.rule("PH-5")
def test_hand_is_in_play_before_face_up_before_face_down():
    face_up, face_down = [["8", "9"], ["1"]], [["2", "3"], ["1"]]
    assert legal(position([["5"], ["6"]], face_up=face_up, face_down=face_down)) == {"play 5"}
    assert legal(position([[], ["6"]], face_up=face_up, face_down=face_down)) == {"play 8", "play 9"}
    assert legal(position([[], ["6"]], face_up=[[], ["1"]], face_down=face_down)) == {"flip 1", "flip 2"}


@pytest.mark.rule("PH-5")
def test_play_goes_clockwise():
    s = position([["5", "6"], ["5", "6"], ["5", "6"]], turn=1)
    seats = [act(s, "play 5")["turn"] for _ in range(3)]
    assert seats == [2, 0, 1]


@pytest.mark.rule("PH-5")
@pytest.mark.rule("PH-18")
def test_seats_that_are_out_are_passed_over():
    s = position([["5", "6"], [], [], ["5", "6"], []], turn=0)
    assert act(s, "play 5")["turn"] == 3
    assert act(s, "play 5")["turn"] == 0


# ---------------------------------------------------------------- PH-6: several at once


@pytest.mark.rule("PH-6")
def test_any_number_of_equal_numbers_that_the_seat_has():
    s = position([["6", "6", "6", "8", "8", "9"], ["5"]], pile=["5"])
    assert legal(s) == {"play 6", "play 6 x2", "play 6 x3", "play 8", "play 8 x2", "play 9"}
    dump = act(s, "play 6 x3")
    assert dump["hands"][0] == ["8", "8", "9"] and dump["pile"] == ["5", "6", "6", "6"] and dump["turn"] == 1


@pytest.mark.rule("PH-6")
def test_all_four_at_once():
    s = position([["6", "6", "6", "6", "9"], ["5"]], pile=["5"])
    assert legal(s) == {"play 6", "play 6 x2", "play 6 x3", "play 6 x4", "play 9"}


@pytest.mark.rule("PH-6")
def test_at_most_four_in_one_play_with_two_decks():
    s = position([["7"] * 6, ["5"], ["5"], ["5"], ["5"], ["5"]])
    assert legal(s) == {"play 7", "play 7 x2", "play 7 x3", "play 7 x4"}


@pytest.mark.rule("PH-6")
def test_poo_heads_and_bombs_are_laid_one_at_a_time():
    s = position([["poo head"] * 3 + ["bomb"] * 2, ["5"]], pile=["5"])
    assert legal(s) == {"play poo head", "play bomb"}
    dump = act(s, "play poo head")
    assert dump["hands"][0] == ["poo head", "poo head", "bomb", "bomb"] and dump["pile"] == ["5", "poo head"]


@pytest.mark.rule("PH-6")
@pytest.mark.rule("PH-15")
def test_face_up_specials_are_laid_one_at_a_time():
    s = position([[], ["5"]], face_up=[["poo head", "poo head", "bomb"], []], pile=["5"])
    assert legal(s) == {"play poo head", "play bomb"}


# ---------------------------------------------------------------- PH-7: drawing


@pytest.mark.rule("PH-7")
def test_draws_back_to_three_from_the_front_of_the_draw_pile():
    s = position([["5", "5", "9"], ["6"]], draw_pile=["8", "poo head", "0", "2"])
    dump = act(s, "play 5 x2")
    assert dump["hands"][0] == ["8", "9", "poo head"] and dump["draw_pile"] == ["0", "2"]


@pytest.mark.rule("PH-7")
def test_three_of_three_laid_three_drawn():
    dump = act(position([["5", "5", "5"], ["6"]], draw_pile=["8", "8", "0", "2"]), "play 5 x3")
    assert dump["hands"][0] == ["0", "8", "8"] and dump["draw_pile"] == ["2"] and dump["turn"] == 1


@pytest.mark.rule("PH-7")
@pytest.mark.parametrize("hand", [["5", "6", "7", "8"], ["5", "6", "7", "8", "9"]])
def test_a_hand_of_three_or_more_draws_nothing(hand):
    dump = act(position([hand, ["6"]], draw_pile=["0", "2"]), "play 5")
    assert dump["hands"][0] == hand[1:] and dump["draw_pile"] == ["0", "2"]


@pytest.mark.rule("PH-7")
def test_draws_what_there_is():
    s = position([["5", "5", "5"], ["6"]], draw_pile=["8"])
    dump = act(s, "play 5 x3")
    assert dump["hands"][0] == ["8"] and dump["draw_pile"] == []
    dump = act(s, "play 6")  # the draw pile is empty, and that was seat 1's last card
    assert dump["hands"] == [["8"], []]


@pytest.mark.rule("PH-7")
def test_a_last_hand_card_is_replaced_before_anyone_is_out_or_turns_to_face_up_cards():
    s = position([["5"], ["6"]], draw_pile=["bomb"], face_up=[["9"], []])
    dump = act(s, "play 5")
    assert dump["hands"][0] == ["bomb"] and dump["face_up"][0] == ["9"] and dump["out"] == []


@pytest.mark.rule("PH-7")
def test_the_last_cards_are_drawn_by_a_seat_that_would_else_be_out():
    s = position([["5"], ["6"]], draw_pile=["9"])
    dump = act(s, "play 5")
    assert dump["out"] == [] and dump["phase"] == "play" and dump["hands"][0] == ["9"]


@pytest.mark.rule("PH-7")
@pytest.mark.rule("PH-13")
def test_draws_before_the_extra_turn_of_a_bomb():
    s = position([["5", "8", "bomb"], ["6"]], pile=["9"], draw_pile=["2", "3"])
    dump = act(s, "play bomb")
    assert dump["turn"] == 0 and dump["hands"][0] == ["2", "5", "8"] and legal(s) == plays("2", "5", "8")


@pytest.mark.rule("PH-7")
@pytest.mark.rule("PH-14")
def test_draws_before_the_extra_turn_of_a_four_of_a_kind():
    s = position([["5", "5", "8"], ["6"]], pile=["5", "5"], draw_pile=["2", "3", "9"])
    dump = act(s, "play 5 x2")
    assert dump["turn"] == 0 and dump["hands"][0] == ["2", "3", "8"] and dump["draw_pile"] == ["9"]


@pytest.mark.rule("PH-7")
@pytest.mark.rule("PH-8")
def test_taking_the_pile_draws_nothing():
    s = position([["2"], ["6"]], pile=["9"], draw_pile=["3", "3"])
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["2", "9"] and dump["draw_pile"] == ["3", "3"]


@pytest.mark.rule("PH-7")
@pytest.mark.rule("PH-17")
def test_turning_a_card_over_draws_nothing():
    """Only a position set up by hand has a draw pile then; it stays as it is."""
    fields = {"face_down": [["9", "2", "8"], []], "pile": ["5"], "draw_pile": ["3", "3"]}
    dump = act(position([[], ["6"]], **fields), "flip 1")
    assert dump["hands"][0] == [] and dump["draw_pile"] == ["3", "3"]
    dump = act(position([[], ["6"]], **fields), "flip 2")
    assert dump["hands"][0] == ["2", "5"] and dump["draw_pile"] == ["3", "3"]


@pytest.mark.rule("PH-7")
@pytest.mark.rule("PH-15")
def test_a_play_from_the_face_up_cards_draws_nothing():
    """As above, a position set up by hand: drawing belongs to plays from the hand."""
    dump = act(position([[], ["6"]], face_up=[["9", "8"], []], pile=["5"], draw_pile=["3", "3"]), "play 9")
    assert dump["hands"][0] == [] and dump["face_up"][0] == ["8"] and dump["draw_pile"] == ["3", "3"]


@pytest.mark.rule("PH-7")
def test_drawn_cards_are_not_known():
    dump = act(position([["5", "5", "9"], ["6"]], draw_pile=["8", "7"], known=[["9"], []]), "play 5 x2")
    assert dump["hands"][0] == ["7", "8", "9"] and dump["known"] == [["9"], []]


# ---------------------------------------------------------------- PH-8: taking the pile


@pytest.mark.rule("PH-8")
def test_without_a_legal_card_the_whole_pile_goes_to_the_hand_and_the_turn_ends():
    s = position([["2", "3", "7"], ["0", "9"], ["5"]], pile=["1", "poo head", "6", "8"])
    assert legal(s) == {"pick up"}
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["1", "2", "3", "6", "7", "8", "poo head"] and dump["pile"] == []
    assert dump["turn"] == 1 and dump["decisions"] == 1 and dump["burnt"] == []


@pytest.mark.rule("PH-8")
def test_the_next_seat_leads_with_any_card():
    s = position([["2"], EVERY_CARD], pile=["8"])
    act(s, "pick up")
    assert legal(s) == plays(*EVERY_CARD)


@pytest.mark.rule("PH-8")
def test_a_taken_pile_is_known_until_it_is_laid():
    """Laying k of a rank takes min(k, known) from the known ones."""
    s = position([["2", "8", "8"], ["3", "3"]], pile=["8", "9"])
    assert act(s, "pick up")["known"] == [["8", "9"], []]
    act(s, "play 3")
    assert act(s, "play 8 x2")["known"] == [["9"], []]  # one of the two 8s counts as the known one


@pytest.mark.rule("PH-8")
def test_laying_fewer_than_are_known_leaves_the_rest_known():
    s = position([["2", "8"], ["3", "3", "3"]], pile=["8", "8", "9"])
    assert act(s, "pick up")["known"] == [["8", "8", "9"], []]
    assert act(s, "play 3", "play 8")["known"] == [["8", "9"], []]


@pytest.mark.rule("PH-8")
def test_piles_taken_one_after_the_other_add_up():
    s = position([["2"], ["10", "10"]], pile=["9"], known=[["2"], []])
    dump = act(s, "pick up", "play 10", "pick up")
    assert dump["hands"] == [["2", "9", "10"], ["10"]] and dump["known"] == [["2", "9", "10"], []]


# ---------------------------------------------------------------- PH-9: when the pile may be taken


@pytest.mark.rule("PH-9")
@pytest.mark.parametrize("card", ["9", "10", "poo head", "bomb"])
def test_one_legal_card_forbids_taking_the_pile(card):
    s = position([["2", "3", card], ["5"]], pile=["9"])
    assert legal(s) == {f"play {card}"}


@pytest.mark.rule("PH-9")
def test_a_legal_face_up_card_forbids_taking_the_pile():
    s = position([[], ["5"]], face_up=[["2", "3", "9"], []], pile=["9"])
    assert legal(s) == {"play 9"}


@pytest.mark.rule("PH-9")
@pytest.mark.rule("PH-17")
def test_the_pile_is_never_taken_beside_a_face_down_card():
    s = position([[], ["5"]], face_down=[["2", "3"], []], pile=["10"])
    assert legal(s) == {"flip 1", "flip 2"}


@pytest.mark.rule("PH-9")
@pytest.mark.parametrize(
    ("zone", "cards", "others"),
    [
        ("hands", ["2", "9", "9"], {"play 9", "play 9 x2"}),
        ("hands", ["2", "3"], set()),
        ("face_up", ["2", "9", "10"], {"play 9", "play 10"}),
        ("face_up", ["2"], set()),
        ("face_down", ["2", "9", "10"], {"flip 1", "flip 2", "flip 3"}),
        ("face_down", ["2"], {"flip 1"}),
    ],
)
def test_voluntary_pickup_is_legal_from_every_zone(zone, cards, others):
    s = position(**{"hands": [[], ["5"]], zone: [cards, ["5"]]}, pile=["3", "9"], voluntary_pickup=True)
    assert legal(s) == others | {"pick up"}
    dump = act(s, "pick up")
    assert dump["pile"] == [] and dump["turn"] == 1 and dump["known"][0] == ["3", "9"]
    if zone == "hands":
        assert dump["hands"][0] == sorted([*cards, "3", "9"])
    else:
        assert dump["hands"][0] == ["3", "9"] and dump[zone][0] == cards


@pytest.mark.rule("PH-9")
@pytest.mark.rule("PH-12")
def test_voluntary_pickup_is_legal_while_bound_by_a_4():
    s = position([["2", "9"], ["5"]], pile=["4"], voluntary_pickup=True)
    assert legal(s) == {"play 2", "pick up"}
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["2", "4", "9"] and legal(s) == {"play 5"}  # which ends the bind


@pytest.mark.rule("PH-9")
def test_there_is_no_empty_pile_to_take():
    assert legal(position([["2", "9"], ["5"]], voluntary_pickup=True)) == plays("2", "9")
    blind = position([[], ["5"]], face_down=[["2", "9"], []], voluntary_pickup=True)
    assert legal(blind) == {"flip 1", "flip 2"}


@pytest.mark.rule("PH-9")
def test_voluntary_pickup_is_off_by_default():
    assert GAME.dump(GAME.new_state(seed=0))["voluntary_pickup"] is False
    assert GAME.dump(GAME.new_state(seed=0, voluntary_pickup=True))["voluntary_pickup"] is True
