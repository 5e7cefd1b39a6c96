"""Points over several rounds, payoffs, the decision cap and the size of the deck (PH-21 to PH-24)."""

from collections import Counter

import numpy as np
import pytest

from .table import EVERY_CARD, GAME, act, position


def last_play(out, points=None, **fields):
    """One play before a round's end: seat 0 lays its last card, seat 1 is left; `out` went out before.

    All other cards of the deck are burnt, so that the next round has a whole deck.
    """
    players = len(out) + 2
    deck = Counter({card: 4 * -(-players // 5) for card in EVERY_CARD})
    deck["poo head"] = fields.get("poo_heads", 4) * -(-players // 5)
    burnt = list((deck - Counter(["8", "5", "7"])).elements())
    hands = [["8"], ["5"], *[[] for _ in out]]
    points = [0] * players if points is None else points
    return position(hands, pile=["7"], burnt=burnt, out=out, points=points, turn=0, scoring="points", **fields)


# ---------------------------------------------------------------- PH-21: points of a round


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(
    ("out", "points"),
    [
        ([], [3, -4]),
        ([2], [2, -4, 3]),
        ([3, 2], [1, -4, 2, 3]),
        ([2, 3], [1, -4, 3, 2]),
        ([3, 2, 4], [0, -4, 2, 3, 1]),
        ([6, 4, 2, 5, 3], [0, -4, 1, 0, 2, 0, 3]),
    ],
)
def test_first_three_out_get_3_2_1_and_the_poo_head_minus_4(out, points):
    assert act(last_play(out), "play 8")["points"] == points


@pytest.mark.rule("PH-21")
def test_points_add_up_and_may_be_negative():
    dump = act(last_play([3, 2], points=[-8, -1, 5, 2]), "play 8")
    assert dump["points"] == [-7, -5, 7, 5] and dump["phase"] == "over"
    dump = act(last_play([3, 2], points=[-8, -1, -5, -2]), "play 8")
    assert dump["points"] == [-7, -5, -3, 1] and dump["phase"] == "arrange"


# ---------------------------------------------------------------- PH-21: the next round


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 2), (3, 0)])
def test_the_next_round_is_dealt_inside_the_same_decision(dealer, following):
    s = last_play([3, 2], dealer=dealer, round=2, decisions=17, known=[["8"], ["5"], [], []])
    dump = act(s, "play 8")
    assert not GAME.is_terminal(s) and not GAME.is_truncated(s)
    assert dump["phase"] == "arrange" and dump["round"] == 3 and dump["decisions"] == 0
    assert dump["dealer"] == following and dump["turn"] == (following + 1) % 4 == GAME.current_player(s)
    for zone in ("hands", "face_up", "face_down"):
        assert [len(cards) for cards in dump[zone]] == [3] * 4
    assert len(dump["draw_pile"]) == 52 - 36
    assert dump["pile"] == dump["burnt"] == dump["out"] == []
    assert dump["known"] == dump["picks"] == [[], [], [], []] and not dump["opening"]


@pytest.mark.rule("PH-21")
def test_every_round_is_dealt_from_the_whole_deck():
    dump = act(last_play([3, 2], poo_heads=2), "play 8")
    rows = dump["hands"] + dump["face_up"] + dump["face_down"]
    assert Counter(sum(rows, []) + dump["draw_pile"]) == {card: 2 if card == "poo head" else 4 for card in EVERY_CARD}


@pytest.mark.rule("PH-21")
def test_the_next_deal_is_random():
    deals = {str(act(last_play([3, 2], seed=seed), "play 8")["hands"]) for seed in range(5)}
    assert len(deals) > 1


@pytest.mark.rule("PH-21")
@pytest.mark.rule("PH-2")
def test_the_next_round_is_arranged_and_opened_again():
    s = last_play([3, 2], dealer=3)
    dump = act(s, "play 8")
    seats = []
    while dump["phase"] == "arrange":
        seats.append(GAME.current_player(s))
        dump = act(s, GAME.action_name(GAME.legal_actions(s)[0]))
    assert seats == [1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 0] and dump["decisions"] == 12
    numbers_held = [card for hand in dump["hands"] for card in hand if card.isdigit()]
    assert dump["opening"] and min(map(int, numbers_held)) == min(
        int(card) for card in dump["hands"][dump["turn"]] if card.isdigit()
    )


# ---------------------------------------------------------------- PH-21: the end of a match


@pytest.mark.rule("PH-21")
@pytest.mark.rule("PH-22")
@pytest.mark.parametrize(
    ("players", "out", "points", "winner"),
    [
        (4, [3, 2], [0, 0, 0, 4], 3),  # 7 exactly
        (4, [3, 2], [0, 0, 0, 6], 3),  # more than 7
        (4, [3, 2], [6, 0, 0, 0], 0),  # the third out reaches it
        (4, [3, 2], [0, 0, 5, 5], 3),  # 8 against 7: two have reached it, one leads
        (3, [2], [0, 0, 4], 2),
        (2, [], [8, 0], 0),  # 11 with two players
    ],
)
def test_the_match_ends_when_one_seat_alone_leads_with_the_target(players, out, points, winner):
    s = last_play(out, points=points, dealer=1, round=4, decisions=9)
    dump = act(s, "play 8")
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and GAME.current_player(s) == -1
    assert dump["phase"] == "over" and dump["turn"] is None and not dump["truncated"]
    assert dump["round"] == 4 and dump["dealer"] == 1 and dump["decisions"] == 10
    assert dump["out"] == [*out, 0] and dump["hands"][1] == ["5"]
    expected = [1.0 if seat == winner else -1 / (players - 1) for seat in range(players)]
    assert np.allclose(GAME.returns(s), expected)


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(
    ("out", "points", "totals"),
    [
        ([3, 2], [0, 0, 0, 3], [1, -4, 2, 6]),  # 6 is not 7
        ([3, 2], [0, 0, 5, 4], [1, -4, 7, 7]),  # tied at the top
        ([3, 2], [6, 0, 5, 4], [7, -4, 7, 7]),  # three tied
        ([3, 2], [7, 7, 6, 5], [8, 3, 8, 8]),  # tied above the target
        ([2], [0, 0, 3], [2, -4, 6]),
        ([], [7, 0], [10, -4]),  # with two players 10 is not 11
    ],
)
def test_else_another_round_is_played(out, points, totals):
    s = last_play(out, points=points)
    before = GAME.dump(s)["round"]
    dump = act(s, "play 8")
    assert dump["points"] == totals and dump["phase"] == "arrange" and dump["round"] == before + 1
    assert GAME.returns(s).tolist() == [0.0] * len(points)


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(("target", "phase"), [(5, "over"), (6, "arrange")])
def test_target_can_be_set(target, phase):
    assert act(last_play([3, 2], points=[0, 0, 0, 2], target=target), "play 8")["phase"] == phase


@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(("players", "target"), [(2, 11), (3, 7), (4, 7), (25, 7)])
def test_default_target_and_rounds(players, target):
    dump = GAME.dump(GAME.new_state(seed=0, num_players=players, scoring="points"))
    assert dump["target"] == target and dump["max_rounds"] == 31
    assert dump["round"] == 1 and dump["points"] == [0] * players


@pytest.mark.rule("PH-21")
@pytest.mark.rule("PH-22")
@pytest.mark.parametrize(
    ("points", "payoff"),
    [
        ([0, 0, 0, 0], [-1 / 3, -1 / 3, -1 / 3, 1.0]),  # 1, -4, 2, 3
        ([-9, -1, -9, -9], [-1 / 3, 1.0, -1 / 3, -1 / 3]),  # -8, -5, -7, -6
        ([2, 0, 1, 0], [0.0] * 4),  # 3, -4, 3, 3
        ([0, 0, 5, 4], [0.0] * 4),  # 1, -4, 7, 7: another round is due, yet there is none
    ],
)
def test_after_the_last_round_the_highest_total_wins_and_a_tie_pays_nothing(points, payoff):
    for fields in ({"round": 31}, {"round": 5, "max_rounds": 5}):
        s = last_play([3, 2], points=points, **fields)
        dump = act(s, "play 8")
        assert GAME.is_terminal(s) and not GAME.is_truncated(s) and not dump["truncated"]
        assert dump["phase"] == "over" and dump["round"] == fields["round"]
        assert np.allclose(GAME.returns(s), payoff)


@pytest.mark.rule("PH-21")
def test_before_the_last_round_the_match_goes_on():
    assert act(last_play([3, 2], round=30), "play 8")["round"] == 31
    assert act(last_play([3, 2], round=4, max_rounds=5), "play 8")["round"] == 5


# ---------------------------------------------------------------- PH-22: payoff of a match


@pytest.mark.rule("PH-22")
def test_match_payoff_is_zero_sum_and_comes_at_the_end():
    s = last_play([3, 2], points=[0, 0, 0, 4])
    assert GAME.returns(s).tolist() == [0.0] * 4
    act(s, "play 8")
    returns = GAME.returns(s)
    assert returns.dtype == np.float32 and abs(returns.sum()) < 1e-6 and returns[3] == 1.0


@pytest.mark.rule("PH-22")
def test_reward_points_gives_each_rounds_points_and_no_bonus():
    s = last_play([3, 2], points=[2, 1, -4, 0], reward="points")
    assert GAME.returns(s).tolist() == [2.0, 1.0, -4.0, 0.0]
    act(s, "play 8")
    assert GAME.returns(s).tolist() == [3.0, -3.0, -2.0, 3.0]  # the match goes on
    last = last_play([3, 2], points=[0, 0, 0, 4], reward="points")
    act(last, "play 8")
    assert GAME.is_terminal(last) and GAME.returns(last).tolist() == [1.0, -4.0, 2.0, 7.0]


@pytest.mark.rule("PH-22")
def test_reward_points_keeps_the_totals_of_a_tied_match():
    s = last_play([3, 2], points=[2, 0, 1, 0], reward="points", round=31)
    act(s, "play 8")
    assert GAME.is_terminal(s) and GAME.returns(s).tolist() == [3.0, -4.0, 3.0, 3.0]


@pytest.mark.rule("PH-22")
def test_reward_points_needs_a_match():
    assert GAME.dump(GAME.new_state(seed=0, scoring="points"))["reward"] == "winner"
    with pytest.raises(ValueError, match="reward"):
        GAME.new_state(seed=0, reward="points")
    with pytest.raises(ValueError, match="reward"):
        GAME.load({"reward": "points"})


# ---------------------------------------------------------------- PH-23: the decision cap


@pytest.mark.rule("PH-23")
@pytest.mark.parametrize("players", [2, 3, 4, 25])
def test_default_cap_is_1000_decisions_a_player(players):
    assert GAME.dump(GAME.new_state(seed=0, num_players=players))["max_decisions"] == 1000 * players
    assert GAME.dump(GAME.new_state(seed=0, num_players=players, max_decisions=77))["max_decisions"] == 77


@pytest.mark.rule("PH-23")
def test_a_game_that_reaches_the_cap_is_truncated_and_pays_nothing():
    s = position([["8", "9"], ["9", "10"], ["2"]], pile=["7"], decisions=48, max_decisions=50)
    dump = act(s, "play 8")
    assert dump["phase"] == "play" and not dump["truncated"]
    dump = act(s, "play 9")
    assert GAME.is_terminal(s) and GAME.is_truncated(s) and GAME.current_player(s) == -1
    assert dump["phase"] == "over" and dump["truncated"] and dump["turn"] is None and dump["decisions"] == 50
    assert dump["hands"] == [["9"], ["10"], ["2"]] and dump["pile"] == ["7", "8", "9"]  # its position stays
    assert GAME.returns(s).tolist() == [0.0] * 3 and GAME.legal_actions(s) == []


@pytest.mark.rule("PH-23")
def test_the_default_cap_is_reached_at_its_number():
    s = position([["8", "9"], ["9", "10"], ["2"]], pile=["7"], decisions=2999)
    assert act(s, "play 8")["truncated"]


@pytest.mark.rule("PH-23")
@pytest.mark.rule("PH-2")
def test_arranging_counts():
    s = GAME.new_state(seed=0, num_players=2, max_decisions=5)
    for decision in range(5):
        assert not GAME.is_terminal(s) and GAME.dump(s)["decisions"] == decision
        GAME.apply_action(s, GAME.legal_actions(s)[0])
    dump = GAME.dump(s)
    assert GAME.is_truncated(s) and dump["phase"] == "over" and dump["decisions"] == 5
    assert sorted(len(picks) for picks in dump["picks"]) == [2, 3]


@pytest.mark.rule("PH-23")
def test_a_truncated_game_may_have_been_about_to_open():
    """The last pick reveals and names the starter; then the cap falls."""
    s = GAME.new_state(seed=0, num_players=2, max_decisions=6)
    for _ in range(6):
        GAME.apply_action(s, GAME.legal_actions(s)[0])
    dump = GAME.dump(s)
    assert dump["truncated"] and dump["phase"] == "over" and dump["opening"] and dump["turn"] is None
    assert dump["picks"] == [[], []]


@pytest.mark.rule("PH-23")
@pytest.mark.rule("PH-21")
def test_a_round_of_a_match_that_reaches_the_cap_gives_no_points_and_the_match_goes_on():
    fields = {"points": [3, 2, -4], "scoring": "points", "max_decisions": 50, "dealer": 0, "turn": 0}
    s = position([["8", "9"], [], ["2"]], pile=["7"], decisions=49, round=2, **fields)
    dump = act(s, "play 8")
    assert dump["phase"] == "arrange" and dump["points"] == [3, 2, -4] and dump["round"] == 3
    assert dump["decisions"] == 0 and dump["dealer"] == 1 and dump["turn"] == 2 and dump["out"] == []
    assert not GAME.is_terminal(s) and not GAME.is_truncated(s) and not dump["truncated"]


@pytest.mark.rule("PH-23")
@pytest.mark.rule("PH-21")
@pytest.mark.parametrize(("points", "payoff"), [([3, 2, -4], [1.0, -0.5, -0.5]), ([2, 2, -4], [0.0] * 3)])
def test_a_last_round_that_reaches_the_cap_ends_the_match(points, payoff):
    fields = {"points": points, "scoring": "points", "max_decisions": 50, "round": 31}
    s = position([["8", "9"], ["5"], ["2"]], pile=["7"], decisions=49, **fields)
    dump = act(s, "play 8")
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and not dump["truncated"]
    assert dump["points"] == points and np.allclose(GAME.returns(s), payoff)


@pytest.mark.rule("PH-23")
@pytest.mark.rule("PH-21")
def test_the_last_allowed_decision_may_finish_a_round():
    dump = act(last_play([3, 2], decisions=49, max_decisions=50), "play 8")
    assert dump["points"] == [1, -4, 2, 3] and dump["round"] == 2


# ---------------------------------------------------------------- PH-24: the deck


@pytest.mark.rule("PH-24")
@pytest.mark.parametrize(("players", "poo_heads", "bombs"), [(5, 0, 0), (10, 0, 0), (15, 0, 0), (20, 0, 0), (25, 0, 0)])
def test_a_deck_of_fewer_than_nine_cards_a_seat_is_refused(players, poo_heads, bombs):
    """44 cards a deck: 44 < 45, 88 < 90, and so on."""
    with pytest.raises(ValueError, match="poo_heads|bombs|players"):
        GAME.new_state(seed=0, num_players=players, poo_heads=poo_heads, bombs=bombs)
    with pytest.raises(ValueError, match="poo_heads|bombs|players"):
        GAME.load({"players": players, "poo_heads": poo_heads, "bombs": bombs})


@pytest.mark.rule("PH-24")
@pytest.mark.parametrize(
    ("players", "poo_heads", "bombs", "rest"),
    [(4, 0, 0, 8), (5, 1, 0, 0), (5, 0, 1, 0), (9, 0, 0, 7), (19, 0, 0, 5), (25, 1, 0, 0), (6, 0, 0, 34)],
)
def test_nine_cards_a_seat_are_enough(players, poo_heads, bombs, rest):
    dump = GAME.dump(GAME.new_state(seed=0, num_players=players, poo_heads=poo_heads, bombs=bombs))
    assert len(dump["draw_pile"]) == rest
    assert dump["poo_heads"] == poo_heads and dump["bombs"] == bombs and dump["players"] == players
