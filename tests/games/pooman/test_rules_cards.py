"""Drawing, characters, and the cards that are dealt with at once or kept (PM-1 to PM-3, PM-7 to PM-11)."""

from collections import Counter

import pytest

from .table import CARDS, FILLER, FLUSH, FRESHNESS, GAME, KEPT, act, legal, position, takes, won_by

# ---------------------------------------------------------------- PM-1: drawing


@pytest.mark.rule("PM-1")
@pytest.mark.parametrize("players", range(2, 7))
def test_at_the_start_all_cards_lie_face_down(players):
    s = GAME.new_state(seed=3, num_players=players)
    dump = GAME.dump(s)
    assert dump["players"] == players and dump["fronts"] == [[] for _ in range(players)]
    assert dump["discard"] == [] and dump["card"] is None and dump["phase"] == "draw"
    assert +Counter(dump["counts"]) == Counter(dump["deck"])
    assert legal(s) == {"draw"} and GAME.current_player(s) == dump["turn"]


@pytest.mark.rule("PM-1")
def test_the_deck_is_shuffled():
    decks = [GAME.dump(GAME.new_state(seed=seed, num_players=2))["deck"] for seed in range(400)]
    first, last = (Counter(deck[place] for deck in decks) for place in (0, -1))
    for card, count in Counter(decks[0]).items():  # 8 of 40 cards or so: within four standard deviations
        share = count / len(decks[0])
        noise = 4 * (share * (1 - share) / len(decks)) ** 0.5
        assert abs(first[card] / len(decks) - share) < noise and abs(last[card] / len(decks) - share) < noise


@pytest.mark.rule("PM-1")
@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_player_is_random(players, chase):
    starts = Counter(
        GAME.current_player(GAME.new_state(seed=seed, num_players=players, chase=chase)) for seed in range(300)
    )
    assert set(starts) == set(range(players))
    share = 1 / players
    assert all(abs(count / 300 - share) < 4 * (share * (1 - share) / 300) ** 0.5 for count in starts.values())


@pytest.mark.rule("PM-1")
def test_a_draw_is_the_next_card_of_the_deck():
    dump = act(position([[], []], deck=["1 star", "2 stars", "poodini"]), "draw")
    assert dump["fronts"] == [["1 star"], []] and dump["deck"] == ["2 stars", "poodini"]


@pytest.mark.rule("PM-1")
@pytest.mark.parametrize("players", range(2, 7))
def test_play_goes_clockwise(players):
    s = position([[] for _ in range(players)], deck=["dire ear"] * 12, turn=players - 1)
    turns = [GAME.current_player(s)]
    for _ in range(8):
        assert act(s, "draw")["turn"] == GAME.current_player(s)
        turns.append(GAME.current_player(s))
    assert turns == [(players - 1 + step) % players for step in range(9)]


# ---------------------------------------------------------------- PM-2: characters


@pytest.mark.rule("PM-2")
@pytest.mark.parametrize("card", ["1 star", "2 stars"])
def test_a_character_lies_in_front_of_the_player_and_the_turn_ends(card):
    s = position([["1 star"], ["2 stars"], []], deck=[card, *FILLER])
    dump = act(s, "draw")
    assert dump["fronts"] == [sorted(["1 star", card]), ["2 stars"], []]
    assert dump["turn"] == 1 == GAME.current_player(s) and dump["phase"] == "draw" and dump["card"] is None
    assert dump["discard"] == [] and dump["deck"] == FILLER and legal(s) == {"draw"}


@pytest.mark.rule("PM-2")
@pytest.mark.rule("PM-11")
@pytest.mark.parametrize("card", ["1 star", *KEPT])
def test_any_number_of_cards_may_lie_in_front_of_a_player(card):
    front = ["2 stars", *([FRESHNESS] * 12), *([FLUSH] * 11), *([KEPT[1]] * 11), *([KEPT[2]] * 11), *([KEPT[3]] * 11)]
    dump = act(position([front, []], deck=[card, *FILLER]), "draw")
    assert dump["fronts"] == [sorted([*front, card], key=CARDS.index), []] and dump["turn"] == 1


# ---------------------------------------------------------------- PM-3: five stars


@pytest.mark.rule("PM-3")
@pytest.mark.parametrize(
    ("front", "card", "wins"),
    [
        (["1 star"] * 4, "1 star", True),
        (["2 stars", "2 stars"], "1 star", True),
        (["2 stars", "1 star"], "2 stars", True),
        (["2 stars", "2 stars"], "2 stars", True),  # six are possible
        (["1 star", "1 star", "2 stars"], "2 stars", True),  # six
        (["1 star"] * 3, "1 star", False),
        (["2 stars", "1 star"], "1 star", False),
        (["2 stars"], "2 stars", False),
        (["1 star"] * 4, "poodini", False),
    ],
)
def test_five_stars_or_more_win_at_once(front, card, wins):
    s = position([["2 stars"], front, []], deck=[card, *FILLER], turn=1)
    dump = act(s, "draw")
    assert won_by(s, 1) == wins == GAME.is_terminal(s) and (dump["winner"] == 1) == wins
    assert dump["turn"] == (1 if wins else 2) and dump["deck"] == FILLER


@pytest.mark.rule("PM-3")
@pytest.mark.rule("PM-4")
def test_five_stars_with_the_last_card_win_before_the_empty_deck_is_looked_at():
    s = position([["2 stars", "2 stars"], []], deck=["1 star"])
    assert act(s, "draw")["deck"] == [] and won_by(s, 0)


@pytest.mark.rule("PM-3")
@pytest.mark.rule("PM-25")
def test_five_stars_win_before_the_decision_cap_is_looked_at():
    s = position([["2 stars", "2 stars"], []], deck=["1 star", *FILLER], max_decisions=9, decisions=8)
    assert act(s, "draw")["decisions"] == 9 and won_by(s, 0)


@pytest.mark.rule("PM-3")
@pytest.mark.rule("PM-9")
def test_five_stars_by_a_character_taken_win_at_once():
    s = position([["2 stars", "2 stars"], ["1 star"]], deck=[FRESHNESS, *FILLER])
    act(s, "draw", "take 1 star from +1")
    assert won_by(s, 0)


@pytest.mark.rule("PM-3")
@pytest.mark.rule("PM-10")
def test_five_stars_by_a_kept_freshness_win_before_the_draw():
    s = position([["2 stars", "2 stars", FRESHNESS], ["1 star"]], deck=["pooman", *FILLER])
    dump = act(s, "take 1 star from +1")
    assert won_by(s, 0) and dump["deck"] == ["pooman", *FILLER] and dump["discard"] == [FRESHNESS]
    assert dump["fronts"] == [["1 star", "2 stars", "2 stars"], []] and dump["turn"] == 0


# ---------------------------------------------------------------- PM-7: Roll Again


@pytest.mark.rule("PM-7")
def test_roll_again_is_discarded_and_the_same_player_draws_again():
    s = position([["1 star"], []], deck=["roll again", "2 stars", *FILLER])
    dump = act(s, "draw")
    assert dump["discard"] == ["roll again"] and dump["phase"] == "again" and dump["card"] is None
    assert dump["turn"] == 0 == GAME.current_player(s) and legal(s) == {"draw"} and dump["decisions"] == 1
    dump = act(s, "draw")
    assert dump["fronts"] == [["1 star", "2 stars"], []] and dump["turn"] == 1 and dump["phase"] == "draw"
    assert dump["decisions"] == 2


@pytest.mark.rule("PM-7")
def test_roll_again_after_roll_again():
    s = position([[], []], deck=["roll again", "roll again", "roll again", "poodini", *FILLER])
    for count in (1, 2, 3):
        dump = act(s, "draw")
        assert dump["phase"] == "again" and dump["turn"] == 0 and dump["discard"] == ["roll again"] * count
    dump = act(s, "draw")
    assert dump["fronts"] == [["poodini"], []] and dump["turn"] == 1


@pytest.mark.rule("PM-7")
@pytest.mark.rule("PM-10")
def test_a_kept_freshness_cannot_be_used_between_roll_again_and_its_draw():
    s = position([[FRESHNESS], ["1 star"]], deck=["roll again", "2 stars", *FILLER])
    assert legal(s) == {"draw", "take 1 star from +1"}
    act(s, "draw")
    assert legal(s) == {"draw"}
    assert legal(position([[FRESHNESS], ["1 star"]], phase="again")) == {"draw"}


@pytest.mark.rule("PM-7")
def test_the_second_draw_is_dealt_with_like_any_other():
    s = position([["1 star"], ["2 stars"]], deck=["roll again", FRESHNESS, *FILLER])
    assert act(s, "draw", "draw")["phase"] == "take" and legal(s) == takes(("2 stars", 1))
    s = position([["1 star"], []], deck=["roll again", "pooman", *FILLER])
    assert act(s, "draw", "draw")["phase"] == "chase"


# ---------------------------------------------------------------- PM-8: the Dire Ear


@pytest.mark.rule("PM-8")
@pytest.mark.parametrize(
    ("front", "left", "gone"),
    [
        (["1 star", "2 stars"], ["1 star"], ["2 stars"]),
        (["1 star", "1 star", "2 stars"], ["1 star", "1 star"], ["2 stars"]),
        (["2 stars", "2 stars"], ["2 stars"], ["2 stars"]),
        (["1 star", "1 star"], ["1 star"], ["1 star"]),
        (["1 star"], [], ["1 star"]),
        (["1 star", "2 stars", FRESHNESS, *KEPT], ["1 star", FRESHNESS, *KEPT], ["2 stars"]),
        (["1 star", FLUSH], [FLUSH], ["1 star"]),
        ([FRESHNESS, *KEPT], [FRESHNESS, *KEPT], []),  # no character: only the card
        ([], [], []),
    ],
)
def test_the_dire_ear_discards_the_character_with_the_most_stars(front, left, gone):
    others = [["2 stars", "2 stars"], ["poocicle"]]
    s = position([front, *others], deck=["dire ear", *FILLER])
    dump = act(s, "draw")
    assert dump["fronts"] == [left, *others] and dump["discard"] == sorted([*gone, "dire ear"], key=CARDS.index)
    assert dump["turn"] == 1 and dump["phase"] == "draw" and dump["card"] is None


# ---------------------------------------------------------------- PM-9: Smell the Freshness


@pytest.mark.rule("PM-9")
def test_freshness_takes_a_character_of_ones_choice_from_another_player():
    fronts = [["1 star"], ["1 star", "2 stars", FLUSH], [FRESHNESS], ["2 stars", "2 stars"]]
    s = position(fronts, deck=[FRESHNESS, *FILLER])
    dump = act(s, "draw")
    assert dump["phase"] == "take" and dump["card"] == FRESHNESS and dump["discard"] == []
    assert dump["turn"] == 0 == GAME.current_player(s) and dump["fronts"] == fronts
    # It must take one: nothing else is legal, and nothing of its own can be taken
    assert legal(s) == takes(("1 star", 1), ("2 stars", 1), ("2 stars", 3))
    dump = act(s, "take 2 stars from +1")
    assert dump["fronts"] == [["1 star", "2 stars"], ["1 star", FLUSH], [FRESHNESS], ["2 stars", "2 stars"]]
    assert dump["discard"] == [FRESHNESS] and dump["card"] is None
    assert dump["turn"] == 1 and dump["phase"] == "draw" and legal(s) == {"draw"}


@pytest.mark.rule("PM-9")
@pytest.mark.parametrize("players", range(2, 7))
def test_players_are_named_by_how_far_clockwise_they_sit(players):
    for turn in range(players):
        for step in range(1, players):
            fronts = [["poodini"] for _ in range(players)]
            fronts[turn] = ["1 star"]
            fronts[(turn + step) % players] = ["2 stars"]
            s = position(fronts, deck=[FRESHNESS, *FILLER], turn=turn)
            act(s, "draw")
            assert legal(s) == takes(("2 stars", step))
            dump = act(s, f"take 2 stars from +{step}")
            assert dump["fronts"][turn] == ["1 star", "2 stars"] and dump["fronts"][(turn + step) % players] == []


@pytest.mark.rule("PM-9")
@pytest.mark.parametrize("own", [[], ["1 star", "2 stars"], [FLUSH]])
def test_if_no_other_player_has_a_character_it_is_kept_and_the_turn_ends(own):
    s = position([own, [FLUSH, FRESHNESS], []], deck=[FRESHNESS, *FILLER])
    dump = act(s, "draw")
    assert dump["fronts"] == [sorted([*own, FRESHNESS], key=CARDS.index), [FRESHNESS, FLUSH], []]
    assert dump["discard"] == [] and dump["turn"] == 1 and dump["phase"] == "draw" and dump["card"] is None


# ---------------------------------------------------------------- PM-10: a kept Freshness


@pytest.mark.rule("PM-10")
def test_a_kept_freshness_may_be_used_before_drawing():
    s = position([["1 star", FRESHNESS], ["2 stars"], ["1 star"]], deck=["poodini", *FILLER])
    assert legal(s) == {"draw"} | takes(("2 stars", 1), ("1 star", 2))
    dump = act(s, "take 2 stars from +1")
    assert dump["fronts"] == [["1 star", "2 stars"], [], ["1 star"]] and dump["discard"] == [FRESHNESS]
    # then the player draws as usual
    assert dump["turn"] == 0 == GAME.current_player(s) and dump["phase"] == "draw" and legal(s) == {"draw"}
    dump = act(s, "draw")
    assert dump["fronts"][0] == ["1 star", "2 stars", "poodini"] and dump["turn"] == 1


@pytest.mark.rule("PM-10")
def test_several_may_be_used_in_one_turn():
    s = position([[FRESHNESS] * 3, ["2 stars"], ["1 star", "1 star"]], deck=["poodini", *FILLER])
    act(s, "take 1 star from +2")
    assert legal(s) == {"draw"} | takes(("2 stars", 1), ("1 star", 2))
    dump = act(s, "take 2 stars from +1")
    assert dump["fronts"] == [["1 star", "2 stars", FRESHNESS], [], ["1 star"]]
    assert dump["discard"] == [FRESHNESS] * 2 and legal(s) == {"draw"} | takes(("1 star", 2))
    dump = act(s, "take 1 star from +2", "draw")
    assert dump["fronts"][0] == ["1 star", "1 star", "2 stars", "poodini"] and dump["turn"] == 1


@pytest.mark.rule("PM-10")
def test_it_need_not_be_used_and_stays():
    s = position([[FRESHNESS], ["2 stars"]], deck=["poodini", "poodini", *FILLER])
    dump = act(s, "draw")
    assert dump["fronts"][0] == [FRESHNESS, "poodini"] and dump["discard"] == []
    act(s, "draw")
    assert legal(s) == {"draw"} | takes(("2 stars", 1))  # the next own turn


@pytest.mark.rule("PM-10")
def test_it_needs_another_player_with_a_character():
    assert legal(position([["1 star", FRESHNESS], [FLUSH], [FRESHNESS]])) == {"draw"}


@pytest.mark.rule("PM-10")
def test_it_is_used_at_its_owners_turn_only():
    s = position([[], ["1 star", FRESHNESS], ["2 stars"]], deck=["poodini", *FILLER])
    assert legal(s) == {"draw"}
    act(s, "draw")
    assert legal(s) == {"draw"} | takes(("2 stars", 1))


@pytest.mark.rule("PM-10")
def test_not_in_the_turn_in_which_it_is_kept():
    s = position([[], [], ["poodini"]], deck=[FRESHNESS, "1 star", *FILLER])
    act(s, "draw", "draw")
    assert GAME.current_player(s) == 2 and legal(s) == {"draw"}


@pytest.mark.rule("PM-9")
@pytest.mark.rule("PM-10")
def test_freshness_turned_over_while_another_is_kept():
    s = position([[FRESHNESS], ["2 stars"]], deck=[FRESHNESS, *FILLER])
    act(s, "draw")
    assert legal(s) == takes(("2 stars", 1))
    dump = act(s, "take 2 stars from +1")
    assert dump["fronts"] == [["2 stars", FRESHNESS], []] and dump["discard"] == [FRESHNESS] and dump["turn"] == 1


# ---------------------------------------------------------------- PM-11: kept specials


@pytest.mark.rule("PM-11")
@pytest.mark.rule("PM-24")
@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("card", KEPT)
def test_specials_are_kept_in_front_of_the_player_and_the_turn_ends(card, chase):
    s = position([["1 star", card], []], deck=[card, *FILLER], chase=chase)
    dump = act(s, "draw")
    assert dump["fronts"] == [["1 star", card, card], []] and dump["discard"] == []
    assert dump["turn"] == 1 and dump["phase"] == "draw" and dump["card"] is None and legal(s) == {"draw"}


@pytest.mark.rule("PM-11")
@pytest.mark.parametrize("card", KEPT)
def test_kept_specials_are_for_all_to_see(card):
    for seat in range(4):
        seen = {
            GAME.observation(position([["1 star"], front, []], players=3), seat).tobytes()
            for front in ([], [card], [card, card])
        }
        assert len(seen) == 3, "somebody does not see what lies in front of player 1"


@pytest.mark.rule("PM-11")
def test_specials_cannot_be_used_outside_a_chase():
    assert legal(position([list(KEPT), ["1 star"]])) == {"draw"}
    assert legal(position([list(KEPT), ["1 star"]], chase="off")) == {"draw"}
