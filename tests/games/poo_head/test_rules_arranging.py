"""From the shuffled deck to the first play: PH-1 to PH-4, with positions and outcomes worked out by hand."""

from collections import Counter

import numpy as np
import pytest

from poopdeck.envs.core.errors import IllegalActionError

from .table import EVERY_CARD, GAME, SPECIALS, act, arranging, legal, numbers, plays, position


def all_cards(dump):
    """Every card of the position, wherever it lies."""
    rows = dump["hands"] + dump["face_up"] + dump["face_down"]
    return Counter(sum(rows, []) + dump["pile"] + dump["draw_pile"] + dump["burnt"])


# ---------------------------------------------------------------- PH-1: the deal


@pytest.mark.rule("PH-1")
@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 1), (5, 1), (6, 2), (10, 2), (11, 3), (21, 5), (25, 5)])
def test_deal_gives_three_cards_to_each_of_the_three_places_and_the_rest_is_drawn_from(players, decks):
    dump = GAME.dump(GAME.new_state(seed=3, num_players=players))
    for zone in ("hands", "face_up", "face_down"):
        assert [len(cards) for cards in dump[zone]] == [3] * players
    assert len(dump["draw_pile"]) == 52 * decks - 9 * players
    assert dump["pile"] == [] and dump["burnt"] == [] and dump["out"] == []
    assert all_cards(dump) == {card: 4 * decks for card in EVERY_CARD}


@pytest.mark.rule("PH-1")
def test_numbers_of_specials_are_per_deck():
    dump = GAME.dump(GAME.new_state(seed=0, num_players=7, poo_heads=3, bombs=1))
    assert all_cards(dump) == {**{card: 8 for card in numbers(0, 10)}, "poo head": 6, "bomb": 2}


@pytest.mark.rule("PH-1")
def test_deck_without_specials():
    dump = GAME.dump(GAME.new_state(seed=0, num_players=3, poo_heads=0, bombs=0))
    assert all_cards(dump) == {card: 4 for card in numbers(0, 10)}


@pytest.mark.rule("PH-1")
def test_deal_follows_the_seed():
    first, again, other = (GAME.dump(GAME.new_state(seed=seed, num_players=4)) for seed in (0, 0, 1))
    assert first == again
    assert first["hands"] != other["hands"] or first["face_up"] != other["face_up"]


@pytest.mark.rule("PH-1")
def test_the_deck_is_shuffled():
    """Each of the 13 kinds of card comes to each place in about one deal of 13 (1,300 deals, 100 +- 9.6)."""
    dumps = [GAME.dump(GAME.new_state(seed=seed, num_players=2)) for seed in range(1300)]
    seat_0, seat_1 = (Counter(dump["face_down"][seat][seat] for dump in dumps) for seat in (0, 1))
    for seen in (seat_0, seat_1, Counter(dump["draw_pile"][0] for dump in dumps)):
        assert set(seen) == set(EVERY_CARD) and min(seen.values()) > 60 and max(seen.values()) < 140
    for zone in ("hands", "face_up"):  # three of 52 a deal, and four of each kind: 300 +- 16
        seen = Counter(card for dump in dumps for card in dump[zone][0])
        assert set(seen) == set(EVERY_CARD) and min(seen.values()) > 230 and max(seen.values()) < 370


@pytest.mark.rule("PH-1")
def test_nobody_sees_a_face_down_card():
    """Face-down cards trade places with others face down and with the draw pile: no seat notices."""
    fields = {"hands": [["1", "2"], ["3", "3"]], "face_up": [["5"], ["6"]], "draw_pile": ["8", "9"]}
    one = position(**fields, face_down=[["1", "2", "bomb"], ["7", "poo head"]])
    two = position(**{**fields, "draw_pile": ["9", "2"]}, face_down=[["7", "8", "bomb"], ["poo head", "1"]])
    for seat in range(2):
        assert np.array_equal(GAME.observation(one, seat), GAME.observation(two, seat))
        assert GAME.describe(one, seat) == GAME.describe(two, seat)


# ---------------------------------------------------------------- PH-2: arranging


@pytest.mark.rule("PH-2")
def test_arranging_names_any_of_the_six_cards_and_nothing_else_is_legal():
    s = arranging([["3", "10", "bomb"], ["1", "1", "1"]], [["3", "3", "9"], ["2", "2", "2"]])
    assert GAME.current_player(s) == 0
    assert legal(s) == {"table 3", "table 9", "table 10", "table bomb"}
    act(s, "table 10")
    assert legal(s) == {"table 3", "table 9", "table bomb"}
    act(s, "table 3")
    assert legal(s) == {"table 3", "table 9", "table bomb"}  # two of its three 3s are left to name


@pytest.mark.rule("PH-2")
def test_a_card_not_among_the_six_cannot_be_named():
    s = arranging([["3", "10", "bomb"], ["1", "1", "1"]], [["3", "3", "9"], ["2", "2", "2"]])
    before = GAME.dump(s)
    for name in ("table 1", "table poo head", "pick up", "flip 1", "play 3"):
        with pytest.raises(IllegalActionError):
            GAME.apply_action(s, GAME.action(name))
    assert GAME.dump(s) == before


@pytest.mark.rule("PH-2")
def test_seats_arrange_three_decisions_each_from_the_dealers_left():
    s = arranging([["5"] * 3, ["6"] * 3, ["7"] * 3], [["8"] * 3, ["9"] * 3, ["10"] * 3], dealer=1)
    seats = []
    for own in ("7", "10", "10", "5", "8", "8", "6", "9", "9"):
        seats.append(GAME.current_player(s))
        act(s, f"table {own}")
    assert seats == [2, 2, 2, 0, 0, 0, 1, 1, 1]
    assert GAME.dump(s)["phase"] == "play"


@pytest.mark.rule("PH-2")
def test_cards_stay_as_dealt_until_all_have_finished():
    hands, face_up = [["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]]
    s = arranging(hands, face_up)
    dump = act(s, "table 5", "table bomb", "table 3", "table 8", "table 2")
    assert dump["hands"] == hands and dump["face_up"] == face_up
    assert dump["picks"] == [["3", "5", "bomb"], ["2", "8"]] and dump["phase"] == "arrange"
    assert dump["known"] == [[], []] and dump["decisions"] == 5 and not dump["opening"]
    assert GAME.current_player(s) == 1


@pytest.mark.rule("PH-2")
def test_reveal_lays_the_named_cards_face_up_and_leaves_the_rest_in_the_hand():
    s = arranging([["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]])
    before = GAME.dump(s)
    dump = act(s, "table 5", "table bomb", "table 3", "table 8", "table 2", "table 6")
    assert dump["phase"] == "play" and dump["picks"] == [[], []]
    assert dump["face_up"] == [["3", "5", "bomb"], ["2", "6", "8"]]
    assert dump["hands"] == [["3", "3", "9"], ["2", "6", "7"]]
    for untouched in ("face_down", "draw_pile", "pile", "burnt"):
        assert dump[untouched] == before[untouched]


@pytest.mark.rule("PH-2")
def test_dealt_face_up_cards_that_were_taken_up_are_known():
    """Of the two 3s that seat 0 was dealt face up one still lies there, so one in its hand is known."""
    s = arranging([["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]])
    dump = act(s, "table 5", "table bomb", "table 3", "table 8", "table 2", "table 6")
    assert dump["known"] == [["3", "9"], ["2", "7"]]


@pytest.mark.rule("PH-2")
def test_an_arrangement_that_keeps_the_deal_makes_nothing_known():
    s = arranging([["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]])
    dump = act(s, "table 9", "table 3", "table 3", "table 7", "table 2", "table 2")
    assert dump["hands"] == [["3", "5", "bomb"], ["6", "6", "8"]] and dump["known"] == [[], []]


@pytest.mark.rule("PH-2")
def test_swapping_equal_cards_makes_nothing_known():
    s = arranging([["3", "3", "9"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]])
    dump = act(s, "table 9", "table 3", "table 3", "table 7", "table 2", "table 2")
    assert dump["known"][0] == []


@pytest.mark.rule("PH-2")
def test_picks_are_private_until_the_reveal():
    """However seat 0 arranges, the others are shown the same, at each of their own picks."""
    cards = (
        [["3", "5", "bomb"], ["6", "6", "8"], ["7", "7", "8"]],
        [["3", "3", "9"], ["2", "2", "7"], ["4", "4", "4"]],
    )
    one, two = arranging(*cards), arranging(*cards)
    for mine, yours in [("table 3", "table bomb"), ("table 3", "table 9"), ("table 9", "table 5")]:
        act(one, mine)
        act(two, yours)
        for seat in (1, 2):
            assert np.array_equal(GAME.observation(one, seat), GAME.observation(two, seat))
            assert GAME.describe(one, seat) == GAME.describe(two, seat)
    for name in ("table 2", "table 6", "table 8", "table 7", "table 4"):
        act(one, name)
        act(two, name)
        for seat in (1, 2):
            assert np.array_equal(GAME.observation(one, seat), GAME.observation(two, seat))
            assert GAME.describe(one, seat) == GAME.describe(two, seat)
    act(one, "table 4")
    act(two, "table 4")
    assert not np.array_equal(GAME.observation(one, 1), GAME.observation(two, 1))


@pytest.mark.rule("PH-2")
def test_a_seat_sees_its_own_picks():
    cards = [["3", "5", "bomb"], ["6", "6", "8"]], [["3", "3", "9"], ["2", "2", "7"]]
    one, two = arranging(*cards), arranging(*cards)
    act(one, "table 3", "table 3")
    act(two, "table 3", "table 9")
    assert not np.array_equal(GAME.observation(one, 0), GAME.observation(two, 0))


# ---------------------------------------------------------------- PH-3: who starts


def starter(hands, dealer):
    """The dump after every seat has kept its cards as dealt, three 10s or three of a number face up."""
    face_up = [["10"] * 3, ["9"] * 3, ["8"] * 3][: len(hands)]
    s = arranging(hands, face_up, dealer=dealer)
    for _ in hands:
        kept = face_up[GAME.current_player(s)][0]
        dump = act(s, *[f"table {kept}"] * 3)
    return dump


@pytest.mark.rule("PH-3")
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_lowest_number_in_hand_starts(dealer):
    dump = starter([["5", "6", "7"], ["7", "4", "bomb"], ["6", "6", "5"]], dealer)
    assert dump["turn"] == 1 and dump["opening"]  # a 4 is the number 4


@pytest.mark.rule("PH-3")
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_poo_head_and_bomb_are_not_numbers(dealer):
    dump = starter([["9", "poo head", "poo head"], ["bomb", "poo head", "bomb"], ["poo head", "bomb", "10"]], dealer)
    assert dump["turn"] == 0 and dump["opening"]


@pytest.mark.rule("PH-3")
@pytest.mark.parametrize(("dealer", "first"), [(0, 2), (1, 2), (2, 0)])
def test_tie_goes_to_the_first_such_seat_from_the_dealers_left(dealer, first):
    dump = starter([["3", "6", "7"], ["5", "4", "bomb"], ["6", "3", "3"]], dealer)
    assert dump["turn"] == first and dump["opening"]


@pytest.mark.rule("PH-3")
def test_the_dealer_is_asked_last_in_a_tie_of_all():
    assert starter([["3", "6", "7"], ["3", "5", "bomb"], ["6", "3", "5"]], dealer=0)["turn"] == 1


@pytest.mark.rule("PH-3")
@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 0)])
def test_without_a_number_in_any_hand_the_dealers_left_starts_freely(dealer, first):
    dump = starter([["poo head", "bomb", "bomb"], ["poo head", "poo head", "bomb"]], dealer)
    assert dump["turn"] == first and not dump["opening"]


@pytest.mark.rule("PH-3")
def test_a_free_start_may_be_any_card_of_the_hand():
    s = arranging([["poo head", "bomb", "bomb"], ["poo head", "poo head", "bomb"]], [["10"] * 3, ["9"] * 3])
    act(s, *["table 10"] * 3, *["table 9"] * 3)
    assert GAME.current_player(s) == 0 and legal(s) == plays(*SPECIALS)


@pytest.mark.rule("PH-3")
def test_hands_count_as_they_are_after_arranging():
    """Seat 1 lays its 0 face up and takes up a 5; the lowest number in a hand is then seat 0's 2."""
    s = arranging([["2", "6", "7"], ["0", "6", "7"]], [["10", "10", "10"], ["5", "9", "9"]])
    dump = act(s, "table 10", "table 10", "table 10", "table 0", "table 9", "table 9")
    assert dump["hands"] == [["2", "6", "7"], ["5", "6", "7"]]
    assert dump["turn"] == 0 and legal(s) == {"play 2"}


@pytest.mark.rule("PH-3")
def test_face_up_cards_do_not_count():
    s = arranging([["2", "6", "7"], ["5", "6", "7"]], [["10", "10", "10"], ["0", "0", "0"]], dealer=0)
    dump = act(s, *["table 0"] * 3, *["table 10"] * 3)
    assert dump["turn"] == 0


@pytest.mark.rule("PH-3")
def test_dealer_is_random_and_arranging_starts_at_its_left():
    dealers = Counter()
    for seed in range(300):
        dump = GAME.dump(GAME.new_state(seed=seed, num_players=3))
        dealers[dump["dealer"]] += 1
        assert dump["phase"] == "arrange" and dump["turn"] == (dump["dealer"] + 1) % 3
    assert set(dealers) == {0, 1, 2} and min(dealers.values()) > 60  # 100 each expected


# ---------------------------------------------------------------- PH-4: the first play


@pytest.mark.rule("PH-4")
def test_first_play_is_the_lowest_rank_one_or_more_copies():
    s = position([["3", "3", "3", "7", "7", "bomb", "poo head"], ["5"]], opening=True)
    assert legal(s) == {"play 3", "play 3 x2", "play 3 x3"}


@pytest.mark.rule("PH-4")
@pytest.mark.rule("PH-5")
def test_the_second_seat_answers_by_the_ordinary_rule():
    s = position([["3", "3", "7"], ["4", "5", "9"]], opening=True)
    dump = act(s, "play 3")
    assert dump["turn"] == 1 and not dump["opening"] and legal(s) == plays("4", "5", "9")


@pytest.mark.rule("PH-4")
def test_it_holds_for_one_play_only():
    """Four 0s burn, and the starter plays again with whatever it likes."""
    s = position([["0", "0", "0", "0", "3", "7", "bomb"], ["5"]], opening=True)
    assert legal(s) == {"play 0", "play 0 x2", "play 0 x3", "play 0 x4"}
    dump = act(s, "play 0 x4")
    assert dump["turn"] == 0 and not dump["opening"] and legal(s) == plays("3", "7", "bomb")


@pytest.mark.rule("PH-4")
@pytest.mark.rule("PH-12")
def test_an_opening_4_binds():
    s = position([["4", "4", "7"], ["4", "5", "9"]], opening=True)
    assert legal(s) == {"play 4", "play 4 x2"}
    act(s, "play 4")
    assert legal(s) == {"play 4"}


@pytest.mark.rule("PH-4")
def test_an_opening_10_is_a_10():
    s = position([["10", "bomb", "poo head"], ["10", "10", "bomb"]], opening=True)
    assert legal(s) == {"play 10"}


@pytest.mark.rule("PH-4")
@pytest.mark.rule("PH-9")
def test_voluntary_pickup_is_no_way_out_of_the_first_play():
    """The pile is still empty."""
    s = position([["3", "3", "7"], ["4", "5", "9"]], opening=True, voluntary_pickup=True)
    assert legal(s) == {"play 3", "play 3 x2"}


@pytest.mark.rule("PH-4")
def test_without_it_any_card_leads():
    s = position([["3", "7", "bomb"], ["2", "5", "9"]])
    assert legal(s) == plays("3", "7", "bomb")
