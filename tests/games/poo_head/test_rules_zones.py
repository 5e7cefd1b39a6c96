"""Face-up cards, face-down cards, going out and the end of a game (PH-15 to PH-20), worked out by hand."""

import numpy as np
import pytest

from poopdeck.envs.core.errors import GameOverError

from .table import GAME, SPECIALS, act, legal, plays, position

# ---------------------------------------------------------------- PH-15: face-up cards


@pytest.mark.rule("PH-15")
def test_face_up_cards_follow_the_same_rules():
    s = position([[], ["5"]], face_up=[["3", "8", "8"], []], face_down=[["1"], []], pile=["6"])
    assert legal(s) == {"play 8", "play 8 x2"}
    dump = act(s, "play 8 x2")
    assert dump["face_up"][0] == ["3"] and dump["pile"] == ["6", "8", "8"] and dump["turn"] == 1
    assert dump["hands"][0] == [] and dump["face_down"][0] == ["1"]


@pytest.mark.rule("PH-15")
def test_three_equal_face_up_cards_at_once():
    s = position([[], ["5"]], face_up=[["8", "8", "8"], []], face_down=[["1"], []], pile=["6"])
    assert legal(s) == {"play 8", "play 8 x2", "play 8 x3"}


@pytest.mark.rule("PH-15")
def test_hand_and_face_up_cards_are_not_mixed():
    s = position([["8"], ["5"]], face_up=[["8", "8", "9"], []], pile=["6"])
    assert legal(s) == {"play 8"}
    dump = act(s, "play 8")
    assert dump["hands"][0] == [] and dump["face_up"][0] == ["8", "8", "9"]


@pytest.mark.rule("PH-15")
def test_the_last_hand_card_leads_to_the_face_up_cards():
    s = position([["7"], ["7", "9"]], face_up=[["8", "10"], []], pile=["6"])
    act(s, "play 7", "play 7")
    assert legal(s) == plays("8", "10")


@pytest.mark.rule("PH-15")
@pytest.mark.rule("PH-4")
def test_face_up_cards_lead_freely():
    s = position([[], ["5"]], face_up=[["3", "9", "bomb"], []])
    assert legal(s) == plays("3", "9", "bomb")


@pytest.mark.rule("PH-15")
@pytest.mark.parametrize("special", SPECIALS)
def test_face_up_specials_are_legal_on_anything(special):
    assert legal(position([[], ["5"]], face_up=[["3", special], []], pile=["10"])) == {f"play {special}"}


# ---------------------------------------------------------------- PH-16: no legal face-up card


@pytest.mark.rule("PH-16")
def test_without_a_legal_face_up_card_the_pile_is_taken_and_they_stay():
    s = position([[], ["5", "5"]], face_up=[["3", "4"], []], face_down=[["1"], []], pile=["2", "9"])
    assert legal(s) == {"pick up"}
    dump = act(s, "pick up")
    assert dump["hands"][0] == ["2", "9"] and dump["face_up"][0] == ["3", "4"]
    assert dump["face_down"][0] == ["1"] and dump["known"][0] == ["2", "9"] and dump["turn"] == 1


@pytest.mark.rule("PH-16")
def test_then_the_hand_is_played_until_it_is_empty():
    s = position([[], ["5"] * 3], face_up=[["6", "4"], []], face_down=[["1"], []], pile=["8", "9"])
    act(s, "pick up", "play 5")
    assert legal(s) == plays("8", "9")
    act(s, "play 8", "pick up")
    assert legal(s) == plays("9")  # its last hand card, and no face-up card yet
    act(s, "play 9", "pick up")
    assert legal(s) == plays("4", "6")


# ---------------------------------------------------------------- PH-17: face-down cards


@pytest.mark.rule("PH-17")
@pytest.mark.parametrize("left", [1, 2, 3])
def test_any_face_down_card_may_be_turned_over(left):
    s = position([[], ["5"]], face_down=[["3", "9", "bomb"][:left], []], pile=["10"])
    assert legal(s) == {f"flip {k + 1}" for k in range(left)}


@pytest.mark.rule("PH-17")
@pytest.mark.parametrize(("k", "card", "rest"), [(1, "7", ["8", "9"]), (2, "8", ["7", "9"]), (3, "9", ["7", "8"])])
def test_flip_k_turns_over_the_k_th(k, card, rest):
    s = position([[], ["5"]], face_down=[["7", "8", "9"], []], pile=["6"])
    dump = act(s, f"flip {k}")
    assert dump["pile"] == ["6", card] and dump["face_down"][0] == rest and dump["turn"] == 1
    assert dump["hands"][0] == []


@pytest.mark.rule("PH-17")
def test_k_counts_those_that_remain():
    s = position([[], ["10", "9", "8"]], face_down=[["9", "7", "8"], []], pile=["6"])
    act(s, "flip 2", "play 8", "flip 1")  # the 7, then the 9
    dump = act(s, "play 10")
    assert dump["face_down"][0] == ["8"] and dump["pile"] == ["6", "7", "8", "9", "10"]
    assert legal(s) == {"flip 1"}


@pytest.mark.rule("PH-17")
def test_an_illegal_card_and_the_pile_go_to_the_hand():
    s = position([[], ["0", "5"]], face_down=[["3", "8"], []], pile=["1", "6"])
    dump = act(s, "flip 1")
    assert dump["hands"][0] == ["1", "3", "6"] and dump["face_down"][0] == ["8"]
    assert dump["pile"] == [] and dump["turn"] == 1 and dump["out"] == []
    assert legal(s) == plays("0", "5")


@pytest.mark.rule("PH-17")
def test_what_was_turned_over_without_success_is_known():
    dump = act(position([[], ["0", "5"]], face_down=[["3", "8"], []], pile=["1", "6"]), "flip 1")
    assert dump["known"] == [["1", "3", "6"], []]


@pytest.mark.rule("PH-17")
def test_the_last_face_down_card_without_success_keeps_the_seat_in():
    s = position([[], ["5"]], face_down=[["3"], []], pile=["6"])
    dump = act(s, "flip 1")
    assert dump["phase"] == "play" and dump["hands"][0] == ["3", "6"] and dump["out"] == []


@pytest.mark.rule("PH-17")
def test_any_card_turned_over_lies_on_an_empty_pile():
    dump = act(position([[], ["5"]], face_down=[["0", "8"], []]), "flip 1")
    assert dump["pile"] == ["0"] and dump["turn"] == 1


@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-11")
def test_a_poo_head_turned_over_works_as_one():
    s = position([[], ["0", "4", "9"]], face_down=[["poo head", "8"], []], pile=["10"])
    dump = act(s, "flip 1")
    assert dump["pile"] == ["10", "poo head"] and dump["turn"] == 1 and legal(s) == plays("0", "4", "9")


@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-13")
def test_a_bomb_turned_over_works_as_one():
    s = position([[], ["5"]], face_down=[["2", "bomb"], []], pile=["10"])
    dump = act(s, "flip 2")
    assert dump["burnt"] == ["10", "bomb"] and dump["pile"] == [] and dump["turn"] == 0
    assert legal(s) == {"flip 1"}


@pytest.mark.rule("PH-17")
@pytest.mark.rule("PH-10")
@pytest.mark.rule("PH-12")
def test_a_4_turned_over_on_a_higher_card_fails():
    for top in ("5", "10"):
        dump = act(position([[], ["5"]], face_down=[["4", "8"], []], pile=[top]), "flip 1")
        assert dump["hands"][0] == ["4", top]


@pytest.mark.rule("PH-17")
def test_after_a_failed_card_the_hand_comes_first():
    s = position([[], ["0", "0"]], face_down=[["3", "8"], []], pile=["6"])
    act(s, "flip 1", "play 0")
    assert legal(s) == plays("3", "6")


# ---------------------------------------------------------------- PH-18: out


@pytest.mark.rule("PH-18")
@pytest.mark.parametrize(
    ("zone", "cards", "action"),
    [("hands", ["8", "8"], "play 8 x2"), ("face_up", ["8"], "play 8"), ("face_down", ["8"], "flip 1")],
)
def test_a_seat_without_cards_is_out(zone, cards, action):
    fields = {"hands": [[], ["5"], ["6"]], zone: [cards, ["5"], ["6"]]}
    dump = act(position(**fields, pile=["7"]), action)
    assert dump["out"] == [0] and dump["turn"] == 1 and dump["phase"] == "play"
    assert dump["pile"] == ["7"] + ["8"] * len(cards)


@pytest.mark.rule("PH-18")
def test_seats_go_out_in_order():
    s = position([["9", "9"], ["10"], ["8"], ["8", "5"]], pile=["7"], turn=2)
    assert act(s, "play 8")["out"] == [2]
    assert act(s, "play 8", "play 9 x2")["out"] == [2, 0]
    assert act(s, "play 10")["out"] == [2, 0, 1]


@pytest.mark.rule("PH-18")
@pytest.mark.parametrize(
    ("zone", "card", "action"),
    [("hands", "bomb", "play bomb"), ("face_up", "bomb", "play bomb"), ("face_down", "bomb", "flip 1")],
)
def test_after_a_last_bomb_the_next_active_seat_leads(zone, card, action):
    fields = {"hands": [[], [], ["0", "9"], ["6"]], zone: [[card], [], ["0", "9"], ["6"]]}
    s = position(**fields, pile=["7", "10"])
    dump = act(s, action)
    assert dump["out"] == [1, 0] and dump["turn"] == 2 and dump["pile"] == [] and legal(s) == plays("0", "9")


@pytest.mark.rule("PH-18")
@pytest.mark.rule("PH-14")
def test_after_a_last_four_of_a_kind_the_next_active_seat_leads():
    s = position([["7", "7"], ["0", "9"], ["6"]], pile=["7", "7"])
    dump = act(s, "play 7 x2")
    assert dump["out"] == [0] and dump["turn"] == 1 and dump["burnt"] == ["7"] * 4 and legal(s) == plays("0", "9")


@pytest.mark.rule("PH-18")
def test_a_seat_that_went_out_stays_out():
    """Seat 0 leaves a 10; what lies there goes to the next seat, never back."""
    s = position([["10"], ["0", "9"], ["6"]], pile=["7"])
    dump = act(s, "play 10", "pick up")
    assert dump["out"] == [0] and dump["hands"] == [[], ["0", "7", "9", "10"], ["6"]] and dump["turn"] == 2


# ---------------------------------------------------------------- PH-19: the end


@pytest.mark.rule("PH-19")
def test_the_game_ends_when_one_seat_holds_cards():
    s = position([["8"], [], ["5"]], face_down=[[], [], ["1"]], pile=["7"])
    assert not GAME.is_terminal(s)
    dump = act(s, "play 8")
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and GAME.current_player(s) == -1
    assert dump["phase"] == "over" and dump["turn"] is None and dump["out"] == [1, 0] and not dump["truncated"]
    assert dump["hands"] == [[], [], ["5"]]  # the Poo Head keeps its cards


@pytest.mark.rule("PH-19")
def test_two_holders_play_on():
    s = position([["8"], ["6"], ["5"]], pile=["7"])
    assert act(s, "play 8")["phase"] == "play" and not GAME.is_terminal(s)


@pytest.mark.rule("PH-19")
def test_a_bomb_can_end_the_game():
    s = position([["bomb"], ["5"]], pile=["7"])
    dump = act(s, "play bomb")
    assert dump["phase"] == "over" and dump["out"] == [0] and dump["turn"] is None


@pytest.mark.rule("PH-19")
def test_nothing_is_legal_when_it_is_over():
    s = position([["8"], ["5"]], pile=["7"])
    act(s, "play 8")
    assert GAME.legal_actions(s) == [] and not GAME.action_mask(s).any()
    with pytest.raises(GameOverError):
        GAME.apply_action(s, GAME.action("play 5"))


@pytest.mark.rule("PH-19")
@pytest.mark.rule("PH-23")
def test_the_last_allowed_decision_may_finish_the_game():
    s = position([["8"], ["5"]], pile=["7"], decisions=49, max_decisions=50)
    dump = act(s, "play 8")
    assert dump["phase"] == "over" and dump["decisions"] == 50
    assert not dump["truncated"] and not GAME.is_truncated(s)
    assert GAME.returns(s).tolist() == [1.0, -1.0]


# ---------------------------------------------------------------- PH-20: payoff


@pytest.mark.rule("PH-20")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 9, 25])
def test_poo_head_pays_one_to_all_others_together(players):
    """Seat 1 is left with cards."""
    s = position([["8"], ["5"], *[[] for _ in range(players - 2)]], pile=["7"])
    assert GAME.returns(s).tolist() == [0.0] * players
    act(s, "play 8")
    returns = GAME.returns(s)
    assert returns.dtype == np.float32 and returns.shape == (players,)
    assert returns[1] == -1.0
    assert np.allclose(np.delete(returns, 1), 1 / (players - 1)) and abs(returns.sum()) < 1e-6


@pytest.mark.rule("PH-20")
def test_payoff_does_not_depend_on_the_order_of_going_out():
    s = position([["8"], ["5"], [], []], pile=["7"], out=[3, 2])
    act(s, "play 8")
    assert np.allclose(GAME.returns(s), [1 / 3, -1, 1 / 3, 1 / 3])


@pytest.mark.rule("PH-20")
def test_loser_scoring_is_the_default():
    assert GAME.dump(GAME.new_state(seed=0))["scoring"] == "loser"
