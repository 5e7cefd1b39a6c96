"""The variant super_pooper (PG-25 to PG-27), worked out by hand."""

from collections import Counter

import pytest

from .table import GAME, VARIANTS, act, legal, position, returns, sizes

MORE = ["yellow 5", "yellow 4"]


def flipping(piles, **fields):
    """Piles, the top card first."""
    return position(piles, "super_pooper", **{**fields})


def slapping(players=4, card="red 1", rest=("blue 1",), answers=(), **fields):
    """Seat 0 (or `turn`) flips the third red card; then these answers are given, in the order of asking."""
    turn = fields.get("turn", 0)
    piles = [[card, *rest] if seat == turn else list(MORE) for seat in range(players)]
    s = flipping(piles, **{"table": ["red 2", "red 3"], **fields})
    act(s, "flip", *answers)
    return s


# ---------------------------------------------------------------- PG-25: the deal and the flip


@pytest.mark.rule("PG-25")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_cards_are_dealt_one_by_one_from_the_starter(players):
    for seed in range(6):
        dump = GAME.dump(GAME.new_state(seed=seed, num_players=players, variant="super_pooper"))
        order = [(dump["turn"] + k) % players for k in range(players)]
        expected = [36 // players + (k < 36 % players) for k in range(players)]
        assert [sizes(dump)[seat] for seat in order] == expected
        assert dump["draw_pile"] == dump["discard"] == dump["table"] == []


@pytest.mark.rule("PG-25")
def test_only_flipping_is_legal_and_it_turns_the_top_card_over():
    s = flipping([["red 1", "blue 1", "red 2"], ["blue 3", "red 3"]])
    assert legal(s) == {"flip"}
    dump = act(s, "flip")
    assert dump["table"] == ["red 1"] and dump["hands"][0] == ["blue 1", "red 2"] and dump["last_card"] == "red 1"
    assert dump["turn"] == 1 and legal(s) == {"flip"}
    assert act(s, "flip")["table"] == ["red 1", "blue 3"]


@pytest.mark.rule("PG-25")
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "super_pooper"])
def test_nobody_flips_elsewhere(variant):
    assert "flip" not in legal(GAME.new_state(seed=0, variant=variant))


@pytest.mark.rule("PG-25")
@pytest.mark.parametrize("top", ["yellow 4", "yellow 5"])
def test_who_reaches_or_passes_the_lid_takes_all_the_table_oldest_uppermost_under_its_pile(top):
    s = flipping([[top, "blue 1", "red 2"], MORE, MORE], table=["red 3", "blue skip", "blue 3"], lid=10, skip_next=True)
    dump = act(s, "flip")
    assert dump["hands"][0] == ["blue 1", "red 2", "red 3", "blue skip", "blue 3", top]
    assert dump["table"] == [] and dump["row"] == 0 and dump["discard"] == []
    assert dump["lid"] == 8 and dump["water"] == "yellow" and dump["used_toilets"] == [[10, "red"]]
    assert dump["turn"] == 0 and dump["skip_next"] is True and legal(s) == {"flip"}  # it turns the next card over
    assert act(s, "flip")["table"] == ["blue 1"] and GAME.current_player(s) == 2


@pytest.mark.rule("PG-25")
def test_below_the_lid_play_goes_on():
    dump = act(flipping([["yellow 3", "blue 1"], MORE], table=["red 3", "blue 3"], lid=10), "flip")
    assert dump["turn"] == 1 and dump["table"] == ["red 3", "blue 3", "yellow 3"]


@pytest.mark.rule("PG-25")
def test_what_was_taken_is_known_to_all_the_own_pile_too():
    s = flipping([["yellow 5", "blue 1"], MORE, MORE], table=["red 3", "blue 3"], lid=10)
    taken = ["blue 3", "red 3", "yellow 5"]
    assert act(s, "flip")["known"] == [[taken, [], []]] * 3


@pytest.mark.rule("PG-25")
def test_flipping_removes_one_known_copy_for_all():
    known = [[["blue 1", "red 2"], ["yellow 4"]], [["blue 1"], []]]
    s = flipping([["blue 1", "red 2", "blue 1"], MORE], known=known)
    assert act(s, "flip")["known"] == [[["red 2"], ["yellow 4"]], [[], []]]


@pytest.mark.rule("PG-25")
def test_a_last_card_that_overruns_comes_back_with_the_table():
    s = flipping([["yellow 5"], MORE], table=["red 3", "blue 3"], lid=10)
    dump = act(s, "flip")
    assert dump["hands"][0] == ["red 3", "blue 3", "yellow 5"] and dump["winners"] == [] and dump["turn"] == 0


@pytest.mark.rule("PG-25")
@pytest.mark.rule("PG-15")
def test_flipped_wilds_bind_as_well():
    s = flipping([["red wild grunt", "blue 1"], ["blue wild grunt", "red 2"]])
    assert act(s, "flip")["duties"] == [["grunt"], []]
    assert act(s, "flip")["duties"] == [[], ["grunt"]]


# ---------------------------------------------------------------- PG-26: the slap


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize("card", ["red 1", "red 5", "red wild grunt", "red skip", "red reverse"])
def test_a_third_card_of_a_colour_starts_a_slap(card):
    s = slapping(card=card)
    dump = GAME.dump(s)
    assert dump["phase"] == "slap" and dump["row"] == 3 and dump["table"] == ["red 2", "red 3", card]
    assert dump["turn"] == 0 and dump["slaps"] == [None] * 4 and legal(s) == {"slap", "hold"}


@pytest.mark.rule("PG-26")
def test_before_the_lid_is_looked_at():
    s = slapping(card="red 5", lid=10)
    dump = GAME.dump(s)
    assert dump["phase"] == "slap" and dump["lid"] == 10 and len(dump["table"]) == 3


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize(
    ("card", "direction", "turn", "order"),
    [
        ("red 1", 1, 0, [1, 2, 3, 0]),
        ("red 1", -1, 0, [3, 2, 1, 0]),
        ("red reverse", 1, 0, [3, 2, 1, 0]),
        ("red reverse", -1, 0, [1, 2, 3, 0]),
        ("red skip", 1, 2, [3, 0, 1, 2]),
    ],
)
def test_every_seat_answers_in_the_direction_of_play_with_the_flipper_last(card, direction, turn, order):
    s = slapping(card=card, direction=direction, turn=turn)
    asked = []
    while GAME.dump(s)["phase"] == "slap":
        assert GAME.dump(s)["asked"] == GAME.current_player(s) and GAME.dump(s)["turn"] == turn
        asked.append(GAME.current_player(s))
        act(s, "hold")
    assert asked == order


@pytest.mark.rule("PG-26")
def test_seats_without_cards_are_asked_too():
    s = flipping([["red 1"], [], MORE, []], table=["red 2", "red 3"])
    act(s, "flip")
    asked = [GAME.current_player(s)]
    for _ in range(3):
        asked.append(act(s, "hold")["asked"])
    assert asked == [1, 2, 3, 0]


@pytest.mark.rule("PG-26")
def test_answers_are_committed_one_by_one():
    s = slapping()
    assert act(s, "slap")["slaps"] == [None, "slap", None, None]
    assert act(s, "hold")["slaps"] == [None, "slap", "hold", None]
    assert act(s, "slap")["slaps"] == [None, "slap", "hold", "slap"]
    assert act(s, "hold")["slaps"] == [None] * 4


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize("slapper", [0, 1, 2, 3])
def test_who_alone_slapped_takes_the_table_under_its_pile(slapper):
    answers = ["slap" if seat == slapper else "hold" for seat in (1, 2, 3, 0)]
    s = slapping(answers=answers)
    dump = GAME.dump(s)
    before = ["blue 1"] if slapper == 0 else MORE
    assert dump["hands"][slapper] == [*before, "red 2", "red 3", "red 1"] and dump["table"] == [] and dump["row"] == 0
    assert sizes(dump)[slapper] == len(before) + 3 and dump["discard"] == []
    assert [rows[slapper] for rows in dump["known"]] == [["red 1", "red 2", "red 3"]] * 4


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize("answers", [["slap", "hold", "hold", "hold"], ["hold"] * 3 + ["slap"]])
@pytest.mark.parametrize("card", ["red 1", "red 5"])
def test_the_toilet_stays_and_play_goes_on_from_the_seat_after_the_flipper(answers, card):
    dump = GAME.dump(slapping(answers=answers, card=card, lid=10))
    assert dump["lid"] == 10 and dump["used_toilets"] == [] and dump["turn"] == 1 and dump["phase"] == "play"
    assert dump["asked"] is None


@pytest.mark.rule("PG-26")
@pytest.mark.rule("PG-27")
@pytest.mark.parametrize(("card", "turn"), [("red skip", 2), ("red reverse", 3)])
def test_skip_and_reverse_act_after_a_slap_too(card, turn):
    for answers in (["slap", "hold", "hold", "hold"], ["hold"] * 4):
        dump = GAME.dump(slapping(answers=answers, card=card))
        assert dump["turn"] == turn and dump["skip_next"] is False


@pytest.mark.rule("PG-26")
def test_nobody_slapped_below_the_lid():
    s = slapping(answers=["hold"] * 4)
    dump = GAME.dump(s)
    assert dump["table"] == ["red 2", "red 3", "red 1"] and dump["row"] == 0 and dump["turn"] == 1
    assert dump["lid"] == 10 and dump["phase"] == "play"


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize(("lid", "card"), [(10, "red 5"), (9, "red 5"), (6, "red 1")])
def test_nobody_slapped_and_the_lid_is_reached(lid, card):
    s = slapping(answers=["hold"] * 4, card=card, lid=lid)
    dump = GAME.dump(s)
    assert dump["hands"][0] == ["blue 1", "red 2", "red 3", card] and dump["table"] == [] and dump["row"] == 0
    assert dump["lid"] == 8 and dump["turn"] == 0 and legal(s) == {"flip"}


@pytest.mark.rule("PG-26")
def test_the_row_starts_anew_though_the_table_stays():
    s = flipping([["red 1", "red 1", "red 1"], ["red 1", "red 2", "red 3"]], table=["red 2", "red 3"], lid=16)
    act(s, "flip", "hold", "hold")
    assert act(s, "flip")["row"] == 1
    dump = act(s, "flip")
    assert dump["row"] == 2 and dump["phase"] == "play" and len(dump["table"]) == 5
    dump = act(s, "flip")
    assert dump["row"] == 3 and dump["phase"] == "slap"


@pytest.mark.rule("PG-26")
@pytest.mark.parametrize("slap_weights", [None, [1, 2, 3, 4], [5, 0.5, 1, 1]])
def test_one_of_those_who_slapped_is_drawn_by_the_weights(slap_weights):
    s = slapping(answers=["slap", "slap", "hold"], slap_weights=slap_weights)
    winners, trials = Counter(), 250
    scenario = GAME.dump(s)
    for seed in range(trials):
        dump = act(GAME.load({**scenario, "rng": None, "seed": seed}), "slap")
        winners[max(range(4), key=lambda seat: sizes(dump)[seat])] += 1
    weights = [1] * 4 if slap_weights is None else slap_weights
    total = weights[0] + weights[1] + weights[2]
    assert winners[3] == 0
    for seat in range(3):
        share = weights[seat] / total
        assert abs(winners[seat] / trials - share) < 4 * (share * (1 - share) / trials) ** 0.5


@pytest.mark.rule("PG-26")
def test_a_seat_of_no_weight_gets_the_table_only_when_nobody_else_slapped():
    for seed in range(30):
        s = slapping(answers=["slap", "slap", "hold", "slap"], slap_weights=[0, 0, 1, 1], seed=seed)
        assert sizes(GAME.dump(s)) == [1, 2, 5, 2]
        s = slapping(answers=["slap", "hold", "hold", "hold"], slap_weights=[0, 0, 1, 1], seed=seed)
        assert sizes(GAME.dump(s)) == [1, 5, 2, 2]
        s = slapping(answers=["slap", "slap", "hold", "hold"], slap_weights=[1, 0, 0, 0], seed=seed)
        assert sizes(GAME.dump(s)) in ([1, 5, 2, 2], [1, 2, 5, 2])


@pytest.mark.rule("PG-26")
def test_everybody_slaps_at_two_seats():
    hands = set()
    for seed in range(40):
        s = flipping([["red 1", "blue 1"], MORE], table=["red 2", "red 3"], seed=seed)
        dump = act(s, "flip", "slap", "slap")
        assert dump["turn"] == 1 and sum(sizes(dump)) == 6
        hands.add(tuple(sizes(dump)))
    assert hands == {(4, 2), (1, 5)}


# ---------------------------------------------------------------- PG-27: out, back, and the end


@pytest.mark.rule("PG-27")
@pytest.mark.parametrize(("direction", "turn"), [(1, 3), (-1, 4)])
def test_a_seat_with_no_cards_is_passed_over(direction, turn):
    s = flipping([["red 1", "blue 1"], [], [], MORE, MORE], direction=direction)
    assert act(s, "flip")["turn"] == turn


@pytest.mark.rule("PG-27")
def test_also_by_skip():
    s = flipping([["red skip", "blue 1"], [], MORE, MORE, []])
    assert act(s, "flip")["turn"] == 3
    s = flipping([["red skip", "blue 1"], [], MORE, [], []])
    assert act(s, "flip")["turn"] == 0


@pytest.mark.rule("PG-27")
def test_a_skip_with_the_last_card_skips_the_next_seat_with_cards():
    s = flipping([["red skip"], [], MORE, MORE, []])
    dump = act(s, "flip")
    assert dump["turn"] == 3 and dump["winners"] == []


@pytest.mark.rule("PG-27")
def test_a_seat_that_flips_its_last_card_is_out_but_play_goes_on():
    s = flipping([["red 1"], MORE, MORE], lid=16)
    dump = act(s, "flip")
    assert not GAME.is_terminal(s) and dump["winners"] == [] and dump["turn"] == 1
    assert act(s, "flip", "flip")["turn"] == 1


@pytest.mark.rule("PG-27")
@pytest.mark.parametrize("card", ["red 1", "red skip", "red reverse", "red wild grunt"])
def test_the_last_seat_with_cards_wins(card):
    s = flipping([[card], [], MORE])
    dump = act(s, "flip")
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and dump["winners"] == [2] and dump["turn"] == 0
    assert returns(s) == [-0.5, -0.5, 1] and dump["table"] == [card] and dump["phase"] == "over"


@pytest.mark.rule("PG-27")
def test_tested_after_the_whole_turn():
    """While the flipper's last card lies on the table only one other seat holds cards; yet it takes it back."""
    s = flipping([["yellow 5"], MORE], table=["red 3", "blue 3"], lid=10)
    assert act(s, "flip")["winners"] == []
    s = flipping([["red 1"], [], MORE], table=["red 2", "red 3"])
    assert act(s, "flip")["phase"] == "slap"


@pytest.mark.rule("PG-27")
@pytest.mark.parametrize(
    ("answers", "winners", "turn"),
    [
        (["slap", "hold", "hold"], [], 1),  # seat 1 is back, and it is next
        (["hold", "slap", "hold"], [2], 0),
        (["hold", "hold", "slap"], [], 2),  # the flipper itself is back
        (["hold", "hold", "hold"], [2], 0),
    ],
)
def test_a_slap_brings_a_seat_back(answers, winners, turn):
    s = flipping([["red 1"], [], MORE], table=["red 2", "red 3"])
    dump = act(s, "flip", *answers)
    assert dump["winners"] == winners and dump["turn"] == turn
    assert dump["phase"] == ("over" if winners else "play")


@pytest.mark.rule("PG-27")
@pytest.mark.rule("PG-26")
def test_an_unslapped_last_card_that_reaches_the_lid_comes_back():
    s = flipping([["red 5"], [], MORE], table=["red 2", "red 3"], lid=10)
    dump = act(s, "flip", "hold", "hold", "hold")
    assert dump["winners"] == [] and sizes(dump) == [3, 0, 2] and dump["turn"] == 0


@pytest.mark.rule("PG-27")
@pytest.mark.parametrize(
    ("left", "payoffs"),
    [
        ([3, 2, 2, 1], [1, -1 / 3, -1 / 3, -1 / 3]),
        ([1, 2, 3, 0], [-1 / 3, -1 / 3, 1, -1 / 3]),
        ([4, 4, 2, 1], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
        ([2, 3, 3, 3], [-1 / 3, 1 / 9, 1 / 9, 1 / 9]),
        ([2, 2, 2, 2], [0, 0, 0, 0]),
        ([2, 5, 0, 5], [-1 / 3, 1 / 3, -1 / 3, 1 / 3]),
        ([0, 5, 0, 4], [-1 / 3, 1, -1 / 3, -1 / 3]),
        ([3, 1], [1, -1]),
        ([2, 2], [0, 0]),
        ([1, 5, 3, 5, 5], [-1 / 4, 1 / 6, -1 / 4, 1 / 6, 1 / 6]),
    ],
)
def test_at_the_cap_the_most_cards_win_and_the_table_counts_for_nobody(left, payoffs):
    """Piles as they are after the last flip; k seats that tie get (1 - (k - 1) / (n - 1)) / k each."""
    cards = ["yellow 1", "blue 2", "red 2", "yellow 3", "blue 3", "red 3"]
    piles = [cards[: size + (seat == 0)] for seat, size in enumerate(left)]
    s = flipping(piles, table=["blue 1", "red 1", "yellow 2"], lid=16, max_decisions=20, decisions=19)
    dump = act(s, "flip")
    assert GAME.is_terminal(s) and dump["phase"] == "over" and dump["decisions"] == 20
    assert returns(s) == [round(payoff, 5) for payoff in payoffs]
    assert dump["winners"] == [seat for seat, size in enumerate(left) if size == max(left)] and sizes(dump) == left


@pytest.mark.rule("PG-27")
def test_a_win_with_the_last_allowed_decision_is_a_win():
    s = flipping([["red 1"], [], MORE], max_decisions=20, decisions=19)
    dump = act(s, "flip")
    assert dump["winners"] == [2] and returns(s) == [-0.5, -0.5, 1] and dump["truncated"] is False


@pytest.mark.rule("PG-27")
@pytest.mark.parametrize("answers", [[], ["slap"], ["slap", "hold", "slap"]])
def test_the_cap_may_fall_into_a_slap(answers):
    s = slapping(answers=answers, max_decisions=1 + len(answers))
    dump = GAME.dump(s)
    assert dump["phase"] == "over" and dump["winners"] == [1, 2, 3] and dump["table"] == ["red 2", "red 3", "red 1"]
    assert returns(s) == [round(-1 / 3, 5)] + [round(1 / 9, 5)] * 3


@pytest.mark.rule("PG-27")
@pytest.mark.rule("PG-9")
@pytest.mark.parametrize(("mode", "turn"), [("none", 1), ("skip", 0)])
def test_reverse_as_usual(mode, turn):
    s = flipping([["red reverse", "blue 1"], MORE], two_player_reverse=mode)
    dump = act(s, "flip")
    assert dump["turn"] == turn and dump["direction"] == 1
    # Two of three seats hold cards: there the direction turns, since three sit at the table.
    s = flipping([["red reverse", "blue 1"], MORE, []], two_player_reverse=mode)
    dump = act(s, "flip")
    assert dump["turn"] == 1 and dump["direction"] == -1
