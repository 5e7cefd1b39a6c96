"""Deal, total, lid, clog, Skip and Reverse (PG-1 to PG-9), worked out by hand."""

from collections import Counter

import pytest

from .table import COLOURS, DUTIES, GAME, KINDS, LOOK_UP, VARIANTS, act, legal, plays, position, sizes

FILLER = ["yellow 5", "yellow 4"]

# ---------------------------------------------------------------- PG-1: the deal


@pytest.mark.rule("PG-1")
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "super_pooper"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_five_cards_each_and_the_rest_is_the_draw_pile(variant, players):
    dump = GAME.dump(GAME.new_state(seed=3, num_players=players, variant=variant))
    assert sizes(dump) == [5] * players and len(dump["draw_pile"]) == 36 - 5 * players
    assert dump["table"] == dump["discard"] == [] and dump["row"] == 0 and dump["last_card"] is None
    assert dump["phase"] == "play" and dump["direction"] == 1 and dump["skip_next"] is False


@pytest.mark.rule("PG-1")
def test_the_cards_of_the_game():
    dump = GAME.dump(GAME.new_state(seed=3))
    cards = Counter(sum(dump["hands"], []) + dump["draw_pile"])
    for number, colour in enumerate(COLOURS):
        of_colour = {card.removeprefix(f"{colour} "): cards[card] for card in cards if card.startswith(colour)}
        wilds = [f"wild {DUTIES[number]}", f"wild {DUTIES[(number + 1) % 3]}"]
        assert of_colour == {"1": 2, "2": 2, "3": 2, "4": 1, "5": 1, "reverse": 1, "skip": 1, wilds[0]: 1, wilds[1]: 1}
    assert cards.total() == 36 and len(cards) == 27


@pytest.mark.rule("PG-1")
@pytest.mark.parametrize("edition", ["classic", "party_pooper"])
def test_the_toilets_of_the_game_the_top_one_turned_up(edition):
    dump = GAME.dump(GAME.new_state(seed=3, edition=edition))
    colours, lowest = (COLOURS, 6) if edition == "classic" else (("green", "orange", "purple"), 7)
    assert len(dump["toilets"]) == 10 and dump["used_toilets"] == []
    deck = [[lid, colours[number % 3]] for number, lid in enumerate(range(lowest, lowest + 11))]
    assert sorted([*dump["toilets"], [dump["lid"], dump["water"]]]) == deck


@pytest.mark.rule("PG-1")
def test_hands_draw_pile_and_toilets_are_shuffled():
    dumps = [GAME.dump(GAME.new_state(seed=seed, num_players=3)) for seed in range(200)]
    for field in ("hands", "draw_pile", "toilets", "lid"):
        assert len({str(dump[field]) for dump in dumps}) >= (11 if field == "lid" else 200)
    # Each of the 36 places of the deck holds a card of 27 kinds: over 200 deals, no kind stays away from one.
    assert {card for dump in dumps for card in dump["draw_pile"][:1]} == {
        card for dump in dumps for card in dump["draw_pile"]
    }


@pytest.mark.rule("PG-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_starts_equally_often(players):
    starts = Counter(GAME.dump(GAME.new_state(seed=seed, num_players=players))["turn"] for seed in range(300))
    expected = 300 / players
    assert all(abs(starts[seat] - expected) < 4.5 * expected**0.5 for seat in range(players))


@pytest.mark.rule("PG-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in ("super_pooper", "interceptor")])
def test_play_goes_clockwise(players, variant):
    s = position([["blue 1", "red 1"]] * players, variant, lid=16, turn=players - 1)
    assert act(s, "play blue 1")["turn"] == 0 and act(s, "play red 1")["turn"] == 1 % players


# ---------------------------------------------------------------- PG-2: the total


@pytest.mark.rule("PG-2")
@pytest.mark.parametrize("variant", LOOK_UP)
def test_the_total_is_the_sum_of_the_number_cards(variant):
    s = position([["red 3", "red 4", "blue 5"], FILLER], variant, table=["blue 2", "red 1", "yellow 3"], lid=10)
    assert legal(s) == plays("red 3")  # 6 lie there


@pytest.mark.rule("PG-2")
@pytest.mark.parametrize("nothing", ["red wild grunt", "red skip", "red reverse"])
def test_wild_skip_and_reverse_add_nothing(nothing):
    s = position([["yellow 3", "yellow 5"], FILLER], table=["blue 5", nothing], lid=9)
    assert legal(s) == plays("yellow 3")
    s = position([[nothing, "yellow 3"], FILLER], table=["blue 5"], lid=9, turn=0)
    assert legal(s) == plays(nothing, "yellow 3")


# ---------------------------------------------------------------- PG-3: the lid


@pytest.mark.rule("PG-3")
@pytest.mark.parametrize(("lid", "fitting"), [(7, 0), (8, 1), (9, 2), (10, 3), (11, 4), (12, 5), (13, 5)])
def test_a_card_fits_when_the_total_stays_below_the_lid(lid, fitting):
    s = position([[f"blue {value}" for value in range(1, 6)], FILLER], table=["red 5", "yellow 1"], lid=lid)
    expected = plays(*[f"blue {value}" for value in range(1, fitting + 1)])
    assert legal(s) == (expected or {"clog"})


@pytest.mark.rule("PG-3")
def test_reaching_the_lid_is_too_much():
    assert legal(position([["blue 3", "blue 4"], FILLER], table=["red 5", "yellow 1"], lid=10)) == plays("blue 3")
    assert legal(position([["blue 4"], FILLER], table=["red 5", "yellow 1"], lid=10)) == {"clog"}


@pytest.mark.rule("PG-3")
@pytest.mark.parametrize("variant", LOOK_UP)
def test_cards_that_add_nothing_are_always_legal(variant):
    nothing = ["red reverse", "red skip", "red wild grunt", "yellow wild hold nose"]
    s = position([["blue 1", *nothing], FILLER], variant, table=["red 5", "yellow 4"], lid=10)
    assert legal(s) == plays(*nothing)
    assert legal(position([["blue 1", *nothing], FILLER], variant, lid=1)) == plays(*nothing)


# ---------------------------------------------------------------- PG-4: the third card in a row


@pytest.mark.rule("PG-4")
@pytest.mark.parametrize("lid", [6, 7, 9])
def test_the_third_card_of_a_colour_may_reach_or_pass_the_lid(lid):
    hand = ["blue 4", "red 1", "red 4"]
    s = position([hand, FILLER], table=["red 2", "red 3"], lid=lid)
    assert legal(s) == plays(*{6: ["red 1", "red 4"], 7: ["red 1", "red 4"], 9: ["red 1", "red 4"]}[lid])


@pytest.mark.rule("PG-4")
@pytest.mark.parametrize("table", [["red 5"], ["red 3", "blue 2"], ["red 3", "blue 1", "red 1"]])
def test_a_first_or_second_card_in_a_row_may_not(table):
    assert legal(position([["red 5", "blue 5"], FILLER], table=table, lid=6)) == {"clog"}


@pytest.mark.rule("PG-4")
def test_cards_that_add_nothing_count_towards_the_row():
    s = position([["red 5", "blue 5"], FILLER], table=["yellow 4", "red wild grunt", "red skip"], lid=6)
    assert legal(s) == plays("red 5")


# ---------------------------------------------------------------- PG-5, PG-6: the clog


@pytest.mark.rule("PG-5")
@pytest.mark.parametrize("variant", ["classic", "flushers_delight", "deep_doo_doo"])
def test_without_a_legal_card_only_the_clog_is_left(variant):
    s = position([["blue 4", "red 5"], FILLER], variant, table=["yellow 3", "red 2", "yellow 1"], lid=9)
    assert legal(s) == {"clog"}
    dump = act(s, "clog")
    assert dump["hands"] == [["blue 4", "red 2", "red 5", "yellow 1", "yellow 3"], sorted(FILLER)]
    assert dump["table"] == [] and dump["row"] == 0 and dump["discard"] == []


@pytest.mark.rule("PG-5")
def test_the_next_toilet_is_turned_up_and_the_same_seat_plays_at_once_on_nothing():
    s = position([["blue 5"], FILLER, FILLER], table=["yellow 3", "red 2"], lid=9, turn=0, skip_next=True)
    dump = act(s, "clog")
    assert (dump["lid"], dump["water"]) == (8, "yellow") and dump["toilets"] == [[9, "blue"]]
    assert dump["turn"] == 0 == GAME.current_player(s) and dump["phase"] == "play" and dump["skip_next"] is True
    assert legal(s) == plays("blue 5", "red 2", "yellow 3")
    dump = act(s, "play blue 5")
    assert dump["table"] == ["blue 5"] and dump["row"] == 1 and dump["turn"] == 2


@pytest.mark.rule("PG-5")
def test_a_seat_may_clog_again():
    s = position(
        [["blue 4"], FILLER], table=["yellow 3", "red 2"], lid=9, toilets=[[2, "blue"], [1, "red"], [8, "yellow"]]
    )
    dump = act(s, "clog")
    assert legal(s) == {"clog"} and dump["lid"] == 2
    dump = act(s, "clog")
    assert legal(s) == {"clog"} and dump["lid"] == 1 and sizes(dump) == [3, 2]
    dump = act(s, "clog")
    assert dump["lid"] == 8 and dump["turn"] == 0 and dump["decisions"] == 3 and sizes(dump) == [3, 2]
    assert legal(s) == plays("blue 4", "red 2", "yellow 3")
    assert dump["used_toilets"] == [[1, "red"], [2, "blue"], [9, "red"]]


@pytest.mark.rule("PG-5")
def test_what_was_taken_is_known_to_the_others():
    s = position([["blue 4"], FILLER, FILLER], table=["yellow 3", "red 2", "yellow 1"], lid=9)
    dump = act(s, "clog")
    taken = ["red 2", "yellow 1", "yellow 3"]
    assert dump["known"] == [[[], [], []], [taken, [], []], [taken, [], []]]
    dump = act(s, "play red 2")
    taken.remove("red 2")
    assert dump["known"] == [[[], [], []], [taken, [], []], [taken, [], []]]


@pytest.mark.rule("PG-5")
def test_a_played_card_that_was_not_known_removes_nothing_and_one_of_two_leaves_one():
    known = [[[], []], [["blue 1", "blue 1"], []]]
    s = position([["blue 1", "blue 1", "red 3", "red 1"], FILLER], known=known, lid=16)
    assert act(s, "play red 3")["known"] == known
    act(s, "play yellow 4")
    assert act(s, "play blue 1")["known"][1][0] == ["blue 1"]


@pytest.mark.rule("PG-6")
@pytest.mark.parametrize("card", ["blue 1", "red skip", "blue reverse", "yellow wild whistle", "red 5"])
def test_a_seat_with_a_legal_card_may_not_clog(card):
    s = position([[card, "blue 3", "blue 4"], FILLER], table=["yellow 4", "red 2", "red 2"], lid=10)
    assert legal(s) == plays(card)
    with pytest.raises(ValueError):
        act(s, "clog")


@pytest.mark.rule("PG-6")
@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_may_clog_at_the_start(variant):
    assert "clog" not in legal(GAME.new_state(seed=1, variant=variant))


# ---------------------------------------------------------------- PG-7: used toilets


@pytest.mark.rule("PG-7")
def test_the_replaced_toilet_joins_the_used_ones():
    s = position([["blue 5"], FILLER], table=["red 5"], lid=10, used_toilets=[[12, "blue"], [6, "blue"]])
    assert act(s, "clog")["used_toilets"] == [[6, "blue"], [10, "red"], [12, "blue"]]


@pytest.mark.rule("PG-7")
def test_when_none_is_left_the_used_ones_are_shuffled_the_replaced_one_among_them():
    used = [[6, "blue"], [12, "blue"], [14, "yellow"]]
    opened = set()
    for seed in range(60):
        s = position([["blue 5"], FILLER], table=["red 5"], lid=10, used_toilets=used, toilets=[], seed=seed)
        dump = act(s, "clog")
        everything = [[dump["lid"], dump["water"]], *dump["toilets"]]
        assert sorted(everything) == sorted([*used, [10, "red"]]) and dump["used_toilets"] == []
        opened.add(str(everything))
    assert len(opened) > 15  # of 24 orders


@pytest.mark.rule("PG-7")
def test_they_are_not_shuffled_before_one_has_to_be_turned_up():
    s = position([["blue 5"], FILLER], table=["red 5"], lid=10, used_toilets=[[6, "blue"]], toilets=[[8, "yellow"]])
    dump = act(s, "clog")
    assert dump["toilets"] == [] and dump["used_toilets"] == [[6, "blue"], [10, "red"]] and dump["lid"] == 8


@pytest.mark.rule("PG-7")
def test_an_only_toilet_is_turned_up_again():
    dump = act(position([["blue 5"], FILLER], table=["red 5"], lid=10, toilets=[]), "clog")
    assert (dump["lid"], dump["water"]) == (10, "red") and dump["toilets"] == dump["used_toilets"] == []


# ---------------------------------------------------------------- PG-8: Skip

HAND = ["blue 1", "red 1", "yellow 1", "blue skip", "red skip", "red reverse", "blue reverse", "red wild grunt"]


def seats(players, **fields):
    return position([HAND] * players, lid=16, **fields)


@pytest.mark.rule("PG-8")
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_skip_makes_the_next_seat_lose_its_turn(players, direction):
    dump = act(seats(players, direction=direction), "play red skip")
    assert dump["turn"] == 2 * direction % players and dump["skip_next"] is False and dump["direction"] == direction


@pytest.mark.rule("PG-8")
def test_with_two_players_the_same_seat_plays_again():
    s = seats(2, turn=1)
    assert act(s, "play red skip")["turn"] == 1 and act(s, "play blue skip")["turn"] == 1
    assert act(s, "play yellow 1")["turn"] == 0


@pytest.mark.rule("PG-8")
def test_only_the_next_turn_is_lost():
    s = seats(3)
    assert [act(s, name)["turn"] for name in ("play red skip", "play blue 1", "play yellow 1")] == [2, 0, 1]


@pytest.mark.rule("PG-8")
def test_a_pending_skip_is_used_up_when_the_turn_passes_on():
    dump = act(seats(4, skip_next=True), "play blue 1")
    assert dump["turn"] == 2 and dump["skip_next"] is False


@pytest.mark.rule("PG-8")
def test_one_pending_skip_at_most():
    dump = act(seats(5, skip_next=True), "play red skip")
    assert dump["turn"] == 2 and dump["skip_next"] is False


@pytest.mark.rule("PG-8")
@pytest.mark.rule("PG-9")
def test_a_pending_skip_is_used_in_the_direction_then_valid():
    dump = act(seats(5, skip_next=True), "play red reverse")
    assert dump["turn"] == 3 and dump["skip_next"] is False and dump["direction"] == -1


# ---------------------------------------------------------------- PG-9: Reverse


@pytest.mark.rule("PG-9")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("two_player_reverse", ["none", "skip"])
def test_reverse_turns_the_direction(players, direction, two_player_reverse):
    s = seats(players, direction=direction, turn=1, two_player_reverse=two_player_reverse)
    dump = act(s, "play red reverse")
    assert dump["direction"] == -direction and dump["turn"] == (1 - direction) % players
    assert act(s, "play blue 1")["turn"] == (1 - 2 * direction) % players
    dump = act(s, "play blue reverse")
    assert dump["direction"] == direction and dump["turn"] == (1 - direction) % players


@pytest.mark.rule("PG-9")
@pytest.mark.parametrize("direction", [1, -1])
def test_with_two_players_reverse_changes_nothing(direction):
    dump = act(seats(2, direction=direction), "play red reverse")
    assert dump["turn"] == 1 and dump["direction"] == direction and dump["skip_next"] is False
    assert dump["two_player_reverse"] == "none"


@pytest.mark.rule("PG-9")
def test_with_two_players_reverse_may_be_a_skip():
    dump = act(seats(2, two_player_reverse="skip"), "play red reverse")
    assert dump["turn"] == 0 and dump["direction"] == 1 and dump["skip_next"] is False


@pytest.mark.rule("PG-9")
@pytest.mark.parametrize(("mode", "turn"), [("none", 0), ("skip", 1)])
def test_a_pending_skip_with_two_players_and_a_reverse(mode, turn):
    """The turn passes over the other seat, once, whatever the Reverse is."""
    assert act(seats(2, two_player_reverse=mode, skip_next=True, turn=turn), "play red reverse")["turn"] == turn


def test_every_kind_has_its_action():
    assert [GAME.action(f"play {card}") for card in KINDS] == list(range(30))
