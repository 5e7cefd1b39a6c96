"""Flushing, drawing, winning and the payoff (PG-10 to PG-14, PG-17), worked out by hand."""

from collections import Counter

import pytest

from poopdeck.envs.core.errors import GameOverError

from .table import GAME, act, legal, plays, position, returns, sizes

MORE = ["yellow 5", "yellow 4"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]


def before_flush(players=3, flusher="red 1", **fields):
    """Seat 0 may flush with its first card; the draw pile has five cards."""
    fields = {"table": ["blue 3", "red 2", "red 3"], "draw_pile": DRAW, **fields}
    return position([[flusher, "blue 1"], *[MORE] * (players - 1)], **fields)


# ---------------------------------------------------------------- PG-10: the flush


@pytest.mark.rule("PG-10")
@pytest.mark.parametrize("card", ["red 5", "red 1", "red wild grunt", "red wild hold nose", "red reverse", "red skip"])
def test_the_third_card_of_a_colour_flushes_whatever_its_kind(card):
    s = before_flush(flusher=card)
    dump = act(s, f"play {card}")
    assert (
        dump["table"] == []
        and dump["row"] == 0
        and Counter(dump["discard"]) == Counter(["blue 3", "red 2", "red 3", card])
    )
    assert dump["last_card"] == card


@pytest.mark.rule("PG-10")
@pytest.mark.parametrize("row", [["red wild grunt", "red skip"], ["red reverse", "red wild hold nose"]])
def test_the_cards_before_it_may_be_of_any_kind_too(row):
    assert act(before_flush(table=row), "play red 1")["table"] == []


@pytest.mark.rule("PG-10")
def test_whoever_played_them():
    """Three cards of three seats, played one after the other."""
    s = position([["red 1", "blue 1"]] * 3)
    assert [len(act(s, "play red 1")["table"]) for _ in range(3)] == [1, 2, 0]


@pytest.mark.rule("PG-10")
def test_another_colour_in_between_breaks_the_row():
    s = position([["red 1", "blue 1"]] * 3, table=["red 2", "red 3"], lid=16)
    dump = act(s, "play blue 1")
    assert dump["row"] == 1 and dump["table"] == ["red 2", "red 3", "blue 1"]
    dump = act(s, "play red 1")
    assert dump["row"] == 1 and len(dump["table"]) == 4


@pytest.mark.rule("PG-10")
def test_every_other_seat_draws_a_card_in_the_direction_of_play():
    dump = act(before_flush(4, turn=0), "play red 1")
    drawn = [Counter(hand) - Counter(MORE) for hand in dump["hands"]]
    assert drawn[1:] == [{"blue 4": 1}, {"blue 5": 1}, {"yellow 1": 1}] and dump["hands"][0] == ["blue 1"]
    assert dump["draw_pile"] == ["yellow 2", "yellow 3"]
    dump = act(before_flush(4, direction=-1), "play red 1")
    drawn = [Counter(hand) - Counter(MORE) for hand in dump["hands"]]
    assert drawn[1:] == [{"yellow 1": 1}, {"blue 5": 1}, {"blue 4": 1}]


@pytest.mark.rule("PG-10")
def test_from_a_seat_in_the_middle():
    hands = [MORE, MORE, ["red 1", "blue 1"], MORE]
    dump = act(position(hands, table=["red 2", "red 3"], draw_pile=DRAW, turn=2), "play red 1")
    drawn = [Counter(hand) - Counter(MORE) for hand in dump["hands"]]
    assert [drawn[3], drawn[0], drawn[1]] == [{"blue 4": 1}, {"blue 5": 1}, {"yellow 1": 1}]
    assert dump["turn"] == 2


@pytest.mark.rule("PG-10")
def test_the_drawn_cards_are_not_known():
    dump = act(before_flush(4), "play red 1")
    assert dump["known"] == [[[]] * 4] * 4


@pytest.mark.rule("PG-10")
@pytest.mark.parametrize("lid", [9, 13])
def test_the_seat_that_flushed_plays_again_on_the_same_toilet(lid):
    s = before_flush(3, lid=lid)
    dump = act(s, "play red 1")
    assert dump["turn"] == 0 == GAME.current_player(s) and dump["phase"] == "play"
    assert (dump["lid"], dump["water"]) == (lid, "red") and dump["used_toilets"] == []
    assert len(dump["toilets"]) == 2


@pytest.mark.rule("PG-10")
def test_the_extra_turn_starts_from_a_total_of_nothing_and_may_flush_nothing():
    s = position([["red 5", "blue 5", "red 4"], MORE], table=["red 1", "red 2"], lid=6, draw_pile=DRAW)
    act(s, "play red 5")
    assert legal(s) == plays("blue 5", "red 4")


@pytest.mark.rule("PG-10")
def test_flushing_is_automatic():
    s = before_flush()
    assert legal(s) == plays("red 1", "blue 1") and act(s, "play red 1")["table"] == []


@pytest.mark.rule("PG-10")
def test_the_flusher_may_have_to_clog():
    s = position([["red 5", "blue 5"], MORE], table=["red 1", "red 2"], lid=5, draw_pile=DRAW)
    act(s, "play red 5")
    assert legal(s) == {"clog"}
    dump = act(s, "clog")
    assert dump["lid"] == 8 and dump["turn"] == 0 and dump["hands"][0] == ["blue 5"]


# ---------------------------------------------------------------- PG-11: the row starts anew


@pytest.mark.rule("PG-11")
def test_after_a_flush_a_fourth_card_of_the_colour_is_a_first():
    s = position([["red 1", "red 4", "blue 2"], ["red 2", *MORE]], table=["red 2", "red 3"], draw_pile=DRAW)
    act(s, "play red 1")
    assert act(s, "play red 4")["row"] == 1
    dump = act(s, "play red 2")
    assert dump["row"] == 2 and dump["table"] == ["red 4", "red 2"]


@pytest.mark.rule("PG-11")
def test_after_a_clog_too():
    s = position([["blue 5", "blue 2"], ["red 1", *MORE]], table=["yellow 1", "red 4", "red 3"], lid=9)
    act(s, "clog")
    assert act(s, "play red 4")["row"] == 1
    assert act(s, "play red 1")["row"] == 2


# ---------------------------------------------------------------- PG-12: flush by Reverse or Skip


@pytest.mark.rule("PG-12")
@pytest.mark.rule("PG-10")
@pytest.mark.parametrize("direction", [1, -1])
def test_a_flush_by_reverse_turns_the_direction_and_the_others_draw_in_the_new_one(direction):
    s = before_flush(4, "red reverse", direction=direction)
    dump = act(s, "play red reverse")
    assert dump["direction"] == -direction and dump["turn"] == 0
    drawn = [next(iter(Counter(hand) - Counter(MORE)), None) for hand in dump["hands"]]
    assert drawn[1:] == (["blue 4", "blue 5", "yellow 1"] if direction == -1 else ["yellow 1", "blue 5", "blue 4"])


@pytest.mark.rule("PG-12")
def test_after_the_extra_turn_play_goes_on_in_the_new_direction():
    s = position([["red reverse", "blue 1", "blue 2"], *[MORE] * 3], table=["red 2", "red 3"], draw_pile=DRAW)
    assert act(s, "play red reverse", "play blue 1")["turn"] == 3


@pytest.mark.rule("PG-12")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_flush_by_skip_makes_the_next_seat_lose_its_turn_after_the_extra_turn(players):
    hands = [["red skip", "blue 1", "blue 2"], *[MORE] * (players - 1)]
    s = position(hands, table=["red 2", "red 3"], draw_pile=DRAW)
    dump = act(s, "play red skip")
    assert dump["turn"] == 0 and dump["skip_next"] is True
    dump = act(s, "play blue 1")
    assert dump["turn"] == 2 % players and dump["skip_next"] is False


@pytest.mark.rule("PG-12")
@pytest.mark.rule("PG-8")
def test_a_flush_by_skip_and_a_skip_on_the_extra_turn_make_one_skip():
    hands = [["red skip", "blue skip", "blue 2"], *[MORE] * 3]
    s = position(hands, table=["red 2", "red 3"], draw_pile=DRAW)
    dump = act(s, "play red skip", "play blue skip")
    assert dump["turn"] == 2 and dump["skip_next"] is False


@pytest.mark.rule("PG-12")
def test_a_pending_skip_outlasts_a_clog_and_a_second_flush():
    s = position([["red skip", "blue 5", "yellow 5"], *[MORE] * 3], table=["red 2", "red 2"], lid=5, draw_pile=DRAW)
    act(s, "play red skip")
    assert act(s, "clog")["skip_next"] is True
    assert act(s, "play blue 5")["turn"] == 2


@pytest.mark.rule("PG-12")
@pytest.mark.rule("PG-9")
@pytest.mark.parametrize("mode", ["none", "skip"])
def test_with_two_players_a_flush_by_reverse(mode):
    hands = [["red reverse", "blue 1", "blue 2"], MORE]
    s = position(hands, table=["red 2", "red 3"], draw_pile=DRAW, two_player_reverse=mode)
    dump = act(s, "play red reverse")
    assert dump["direction"] == 1 and dump["skip_next"] is (mode == "skip") and dump["turn"] == 0
    assert act(s, "play blue 1")["turn"] == (0 if mode == "skip" else 1)


# ---------------------------------------------------------------- PG-13: an empty draw pile


@pytest.mark.rule("PG-13")
def test_an_empty_draw_pile_is_filled_from_the_shuffled_discard_and_the_table_just_flushed():
    table, discard = ["blue 3", "red 2", "red 3"], ["blue 4", "yellow 2"]
    orders = set()
    for seed in range(80):
        dump = act(before_flush(3, table=table, draw_pile=[], discard=discard, seed=seed), "play red 1")
        drawn = [list((Counter(hand) - Counter(MORE)).elements()) for hand in dump["hands"][1:]]
        assert [len(cards) for cards in drawn] == [1, 1] and dump["discard"] == []
        assert Counter(sum(drawn, []) + dump["draw_pile"]) == Counter([*table, *discard, "red 1"])
        orders.add(str((drawn, dump["draw_pile"])))
    assert len(orders) > 60


@pytest.mark.rule("PG-13")
def test_it_is_shuffled_only_when_a_card_must_be_drawn_and_there_is_none():
    dump = act(before_flush(3, draw_pile=["blue 4", "blue 5"], discard=["yellow 2"]), "play red 1")
    assert dump["draw_pile"] == [] and len(dump["discard"]) == 5
    assert dump["hands"][1:] == [["blue 4", "yellow 4", "yellow 5"], ["blue 5", "yellow 4", "yellow 5"]]


@pytest.mark.rule("PG-13")
def test_it_may_run_out_in_the_middle_of_a_flush():
    dump = act(before_flush(3, draw_pile=["blue 4"]), "play red 1")
    assert dump["hands"][1] == ["blue 4", "yellow 4", "yellow 5"] and len(dump["hands"][2]) == 3
    assert len(dump["draw_pile"]) == 3 and dump["discard"] == []
    assert set(dump["hands"][2]) - set(MORE) <= {"blue 3", "red 2", "red 3", "red 1"}


@pytest.mark.rule("PG-13")
def test_if_the_discard_is_empty_too_nobody_draws():
    """Three cards were flushed, four others would draw: the last of them draws nothing."""
    dump = act(before_flush(5, table=["red 2", "red 3"], draw_pile=[]), "play red 1")
    assert sizes(dump) == [1, 3, 3, 3, 2] and dump["draw_pile"] == dump["discard"] == []
    dump = act(before_flush(5, table=["red 2", "red 3"], draw_pile=[], direction=-1), "play red 1")
    assert sizes(dump) == [1, 2, 3, 3, 3]


# ---------------------------------------------------------------- PG-14: the first empty hand


@pytest.mark.rule("PG-14")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_first_empty_hand_wins_at_once(seat):
    hands = [MORE, MORE, MORE]
    hands[seat] = ["red 1"]
    s = position(hands, turn=seat, table=["blue 2"])
    dump = act(s, "play red 1")
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and GAME.current_player(s) == -1
    assert dump["winners"] == [seat] and dump["phase"] == "over" and dump["turn"] == seat and dump["asked"] is None
    assert dump["table"] == ["blue 2", "red 1"] and dump["last_card"] == "red 1" and dump["hands"][seat] == []
    assert GAME.legal_actions(s) == []
    with pytest.raises(GameOverError):
        GAME.apply_action(s, GAME.action("clog"))


@pytest.mark.rule("PG-14")
@pytest.mark.parametrize("variant", ["classic", "interceptor", "deep_doo_doo", "blind_pooper"])
def test_also_when_the_last_card_flushes_and_nothing_else_happens(variant):
    table = ["blue 3", "red 2", "red 3"]
    s = position([["red 5"], MORE, MORE], variant, table=table, draw_pile=DRAW, drinking=True)
    dump = act(s, "play red 5")
    assert dump["winners"] == [0] and dump["table"] == [*table, "red 5"] and dump["discard"] == []
    assert dump["hands"] == [[], sorted(MORE), sorted(MORE)] and dump["draw_pile"] == DRAW
    assert dump["drinks"] == [0, 0, 0] and dump["row"] == 3 and dump["lid"] == 10


@pytest.mark.rule("PG-14")
@pytest.mark.parametrize("table", [["blue 3"], ["red 2", "red 3"]])
@pytest.mark.parametrize("card", ["red reverse", "red skip", "red wild grunt"])
def test_no_duty_no_skip_no_change_of_direction(card, table):
    fields = {"duties": [[], ["grunt"], []], "duties_model": "forgetful", "forget_probability": 1.0}
    s = position([[card], MORE, MORE], table=table, draw_pile=DRAW, catch_probability=1.0, **fields)
    dump = act(s, f"play {card}")
    assert dump["winners"] == [0] and dump["direction"] == 1 and dump["skip_next"] is False
    assert dump["duties"] == [[], ["grunt"], []] and dump["draw_pile"] == DRAW and dump["turn"] == 0


@pytest.mark.rule("PG-14")
def test_no_duty_draw_for_the_last_card_even_with_duties():
    fields = {"duties": [["grunt"], []], "duties_model": "forgetful", "forget_probability": 1.0}
    s = position([["red 1"], MORE], draw_pile=DRAW, catch_probability=1.0, drinking=True, **fields)
    dump = act(s, "play red 1")
    assert dump["winners"] == [0] and dump["hands"][0] == [] and dump["drinks"] == [0, 0]


@pytest.mark.rule("PG-14")
def test_a_last_card_that_does_not_fit_wins_nothing():
    s = position([["red 5"], MORE], table=["blue 5"], lid=10)
    assert legal(s) == {"clog"}
    assert act(s, "clog")["winners"] == []


# ---------------------------------------------------------------- PG-17: payoffs and the cap


@pytest.mark.rule("PG-17")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("winner", [0, 1])
def test_the_winner_gets_one_and_the_others_share_the_loss(players, winner):
    hands = [MORE] * players
    hands[winner] = ["red 1"]
    s = position(hands, turn=winner)
    assert returns(s) == [0] * players
    act(s, "play red 1")
    assert returns(s) == [1 if seat == winner else round(-1 / (players - 1), 5) for seat in range(players)]


@pytest.mark.rule("PG-17")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_default_cap_is_250_decisions_a_player(players):
    assert GAME.dump(GAME.new_state(seed=0, num_players=players))["max_decisions"] == 250 * players


@pytest.mark.rule("PG-17")
def test_a_truncated_game_pays_nothing():
    s = position([["blue 1", "blue 2"], MORE, MORE], max_decisions=2)
    act(s, "play blue 1")
    assert not GAME.is_terminal(s)
    dump = act(s, "play yellow 4")
    assert GAME.is_terminal(s) and GAME.is_truncated(s) and dump["truncated"] is True and dump["phase"] == "over"
    assert dump["winners"] == [] and returns(s) == [0, 0, 0] and dump["decisions"] == 2
    assert dump["table"] == ["blue 1", "yellow 4"] and dump["turn"] == 2


@pytest.mark.rule("PG-17")
def test_a_game_that_its_last_allowed_decision_ends_is_not_truncated():
    s = position([["blue 1"], MORE, MORE], max_decisions=9, decisions=8)
    dump = act(s, "play blue 1")
    assert not GAME.is_truncated(s) and dump["truncated"] is False and returns(s) == [1, -0.5, -0.5]


@pytest.mark.rule("PG-17")
def test_a_clog_counts_as_a_decision():
    s = position([["blue 5"], MORE], table=["yellow 5"], max_decisions=1)
    dump = act(s, "clog")
    assert GAME.is_truncated(s) and dump["hands"][0] == ["blue 5", "yellow 5"] and dump["lid"] == 8
