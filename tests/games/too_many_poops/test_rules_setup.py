"""Components, set-up, the first cats and the course of a turn (TM-1 to TM-3, TM-23), worked out by hand."""

from collections import Counter

import pytest

from .table import (
    CATS,
    GAME,
    ITEM_COUNTS,
    act,
    cards,
    hands_of,
    homes_of,
    legal,
    position,
    written,
)

PLAYERS = range(2, 7)
EVERY_CAT = Counter({**{cat: 1 for cat in CATS}, "rainbow": 4})


def all_cards(dump):
    """All cats and items of a position, wherever they lie."""
    found = [card for zone in dump["hands"] + dump["homes"] for card in cards(zone)]
    found += [card for row in dump["store"].values() for card in row if card]
    found += dump["wild"] + dump["cat_deck"] + dump["item_deck"] + dump["item_discard"]
    return Counter(found + [entry["item"] for entry in dump["stack"]])


def choosing(*hands, **fields):
    """A position in which the first cats are being chosen; every hand has two cats and three items."""
    items = iter(["lure", "scoop", "big dinner"] * 2 + ["replay", "shoo", "auto scooper"] * 3)
    full = [[*cats, next(items), next(items), next(items)] for cats in hands]
    return position(full, phase="choose", **fields)


# ---------------------------------------------------------------- TM-1: set-up


@pytest.mark.rule("TM-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_gets_two_cats_and_three_items(players):
    dump = GAME.dump(GAME.new_state(seed=1, num_players=players))
    assert [(len(hand["cats"]), len(hand["items"])) for hand in dump["hands"]] == [(2, 3)] * players
    assert dump["homes"] == [{"cats": [], "modifiers": [], "poops": 0}] * players


@pytest.mark.rule("TM-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_store_has_three_of_each_and_the_rest_are_the_decks(players):
    dump = GAME.dump(GAME.new_state(seed=2, num_players=players))
    assert [len(row) for row in dump["store"].values()] == [3, 3] and None not in dump["store"]["cats"]
    assert None not in dump["store"]["items"]
    assert len(dump["cat_deck"]) == 34 - 3 - 2 * players and len(dump["item_deck"]) == 29 - 3 - 3 * players
    assert dump["wild"] == dump["item_discard"] == dump["out"] == dump["stack"] == dump["ask"] == []


@pytest.mark.rule("TM-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_cards_are_those_of_the_box(players):
    assert all_cards(GAME.dump(GAME.new_state(seed=3, num_players=players))) == EVERY_CAT + Counter(ITEM_COUNTS)


@pytest.mark.rule("TM-1")
def test_cats_and_items_are_shuffled():
    """Each cat, and each item, is dealt to seat 0, to the store and to the top of its deck now and then."""
    places = [Counter() for _ in range(3)]
    for seed in range(300):
        dump = GAME.dump(GAME.new_state(seed=seed, num_players=2))
        places[0].update(cards(dump["hands"][0]))
        places[1].update(dump["store"]["cats"] + dump["store"]["items"])
        places[2].update([dump["cat_deck"][0], dump["item_deck"][0]])
    for place, (cats, items) in zip(places, [(2, 3), (3, 3), (1, 1)], strict=True):
        for card, copies in (EVERY_CAT + Counter(ITEM_COUNTS)).items():
            mean = 300 * copies * (cats / 34 if card in CATS else items / 29)
            assert abs(place[card] - mean) < 5 * mean**0.5, card


@pytest.mark.rule("TM-1")
def test_the_game_begins_with_the_choice_of_a_cat():
    dump = GAME.dump(GAME.new_state(seed=4))
    assert dump["players"] == 4 and dump["phase"] == "choose" and dump["chosen"] == [None] * 4
    assert dump["decisions"] == 0 and dump["winner"] is None and dump["truncated"] is False


# ---------------------------------------------------------------- TM-2: the first cats


@pytest.mark.rule("TM-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_random_seat_is_to_begin(players):
    begins = Counter(GAME.dump(GAME.new_state(seed=seed, num_players=players))["turn"] for seed in range(240))
    assert sorted(begins) == list(range(players))
    assert all(abs(count - 240 / players) < 5 * (240 / players) ** 0.5 for count in begins.values())


@pytest.mark.rule("TM-2")
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_seats_are_asked_clockwise_from_the_seat_to_begin(turn):
    s = choosing(["tabby 0", "tabby 1"], ["calico 0", "calico 1"], ["smoke 3", "smoke 4"], turn=turn)
    asked = []
    for _ in range(3):
        asked.append(GAME.current_player(s))
        GAME.apply_action(s, GAME.legal_actions(s)[0])
    assert asked == [turn, (turn + 1) % 3, (turn + 2) % 3]
    assert GAME.dump(s)["turn"] == turn == GAME.current_player(s)


@pytest.mark.rule("TM-2")
def test_a_seat_chooses_one_of_its_two_cats():
    s = choosing(["tabby 0", "rainbow"], ["calico 0", "calico 1"])
    assert legal(s) == {"cat tabby 0", "cat rainbow"}
    act(s, "cat rainbow")
    assert legal(s) == {"cat calico 0", "cat calico 1"}


@pytest.mark.rule("TM-2")
def test_two_rainbow_cats_are_one_choice():
    s = choosing(["rainbow", "rainbow"], ["calico 0", "calico 1"])
    assert legal(s) == {"cat rainbow"}
    dump = act(s, "cat rainbow", "cat calico 0")
    assert homes_of(dump) == [["rainbow"], ["calico 0"]] and dump["hands"][0]["cats"] == ["rainbow"]


@pytest.mark.rule("TM-2")
def test_a_chosen_cat_stays_in_the_hand_until_all_have_chosen():
    s = choosing(["tabby 0", "tabby 1"], ["calico 0", "calico 1"], ["smoke 3", "smoke 4"], turn=1)
    before = GAME.dump(s)
    dump = act(s, "cat calico 1", "cat smoke 3")
    assert dump["chosen"] == [None, "calico 1", "smoke 3"]
    assert dump["hands"] == before["hands"] and homes_of(dump) == [[], [], []] and dump["phase"] == "choose"


@pytest.mark.rule("TM-2")
def test_then_all_are_shown_and_the_seat_to_begin_draws():
    s = choosing(
        ["tabby 0", "tabby 1"], ["calico 0", "calico 1"], ["smoke 3", "smoke 4"], turn=1, cat_deck=["ginger 0"]
    )
    dump = act(s, "cat calico 1", "cat smoke 3", "cat tabby 0")
    assert homes_of(dump) == [["tabby 0"], ["calico 1"], ["smoke 3"]]
    assert [hand["cats"] for hand in dump["hands"]] == [["tabby 1"], ["calico 0"], ["smoke 4"]]
    assert [len(hand["items"]) for hand in dump["hands"]] == [3] * 3
    assert dump["chosen"] == [None] * 3 and dump["phase"] == "draw" and dump["turn"] == 1
    assert (dump["cat_played"], dump["cats_left"], dump["items_left"]) == (False, 1, 2)
    assert dump["known"] == [{"cats": [], "items": []}] * 3


@pytest.mark.rule("TM-2")
def test_play_goes_clockwise():
    s = position([["tabby 0"], ["calico 0"], ["smoke 3"]], turn=1)
    turns = []
    for _ in range(3):
        act(s, *[name for name in legal(s) if name.startswith("cat")], "to home +0", "end")
        turns.append(GAME.dump(s)["turn"])
    assert turns == [2, 0, 1]


@pytest.mark.rule("TM-2")
@pytest.mark.rule("TM-18")
def test_seats_that_are_out_are_passed_over():
    s = position([["tabby 0"], [], ["smoke 3"], []], out=[1, 3])
    assert act(s, "cat tabby 0", "to home +0", "end")["turn"] == 2
    assert act(s, "cat smoke 3", "to home +0", "end")["turn"] == 0


# ---------------------------------------------------------------- TM-3: a turn


@pytest.mark.rule("TM-3")
def test_a_turn_is_draw_play_poop():
    s = position(
        [["tabby 0"], ["scoop"]], [["tabby 1", 3], []], phase="draw", cat_deck=["calico 0"], item_deck=["lure"]
    )
    dump = act(s, "draw item")
    assert dump["phase"] == "draw" and poops(dump) == [3, 0]
    dump = act(s, "draw cat")
    assert dump["phase"] == "play" and poops(dump) == [3, 0]  # nothing is left to draw
    dump = act(s, "cat tabby 0", "to home +0")
    assert dump["phase"] == "play" and poops(dump) == [3, 0]
    dump = act(s, "end")
    assert dump["turn"] == 1 and poops(dump) == [5, 0]


def poops(dump):
    return [home["poops"] for home in dump["homes"]]


@pytest.mark.rule("TM-3")
def test_a_new_turn_begins_with_all_that_a_turn_allows():
    s = position(
        [["tabby 0"], ["scoop"]], cat_played=True, cats_left=0, items_left=0, cat_deck=["calico 0", "calico 1"]
    )
    dump = act(s, "end")
    assert (dump["turn"], dump["phase"]) == (1, "draw")
    assert (dump["cat_played"], dump["cats_left"], dump["items_left"]) == (False, 1, 2)


# ---------------------------------------------------------------- TM-23: rainbow cats


@pytest.mark.rule("TM-23")
@pytest.mark.parametrize("count", range(9))
def test_rainbow_cats_there_are(count):
    dump = GAME.dump(GAME.new_state(seed=0, num_players=2, rainbow_cats=count))
    assert all_cards(dump)["rainbow"] == count == dump["rainbow_cats"]
    assert sum(all_cards(dump)[cat] for cat in CATS) == 30 + count


@pytest.mark.rule("TM-23")
def test_four_rainbow_cats_are_the_default():
    assert GAME.dump(GAME.new_state(seed=0))["rainbow_cats"] == 4
    assert GAME.dump(GAME.load(written([["rainbow"] * 4, []])))["hands"][0]["cats"] == ["rainbow"] * 4
    with pytest.raises(ValueError, match="hands"):
        GAME.load(written([["rainbow"] * 5, []]))
    s = position([["rainbow"] * 4, []], [["rainbow"] * 4, []], rainbow_cats=8)
    assert hands_of(GAME.dump(s))[0] == ["rainbow"] * 4


@pytest.mark.rule("TM-23")
def test_nine_rainbow_cats_are_refused():
    with pytest.raises(ValueError, match="rainbow_cats=9"):
        GAME.new_state(seed=0, rainbow_cats=9)


# ---------------------------------------------------------------- the items and the rivals that are assumed


@pytest.mark.rule("TM-1")
def test_the_default_items_and_rivals():
    dump = GAME.dump(GAME.new_state(seed=0))
    assert dump["items"] == ITEM_COUNTS and sum(ITEM_COUNTS.values()) == 29
    assert dump["litters"] == ["tabby", "tuxedo", "calico", "siamese", "ginger", "smoke"]
    expected = [
        ("smoke 0", "tabby 0"), ("tuxedo 0", "ginger 0"), ("calico 0", "siamese 0"),
        ("smoke 1", "tuxedo 1"), ("calico 1", "tabby 1"), ("siamese 1", "ginger 1"),
        ("smoke 2", "calico 2"), ("siamese 2", "tuxedo 2"), ("ginger 2", "tabby 2"),
        ("smoke 3", "siamese 3"), ("ginger 3", "calico 3"), ("tabby 3", "tuxedo 3"),
        ("smoke 4", "ginger 4"), ("tabby 4", "siamese 4"), ("tuxedo 4", "calico 4"),
    ]  # fmt: skip
    assert {frozenset(pair) for pair in dump["rivals"]} == {frozenset(pair) for pair in expected}
    assert len(dump["rivals"]) == 15


@pytest.mark.rule("TM-1")
def test_an_item_that_is_left_out_keeps_its_number():
    dump = GAME.dump(GAME.new_state(seed=0, num_players=2, items={"hiss": 7, "swap": 0}))
    assert dump["items"] == {**ITEM_COUNTS, "hiss": 7, "swap": 0}
    found = all_cards(dump)
    assert found["hiss"] == 7 and found["swap"] == 0 and found["scoop"] == 3


@pytest.mark.rule("TM-1")
def test_as_few_items_as_a_deal_needs():
    none = {item: 0 for item in ITEM_COUNTS}
    dump = GAME.dump(GAME.new_state(seed=0, num_players=2, items={**none, "scoop": 9}))
    assert dump["item_deck"] == [] and [hand["items"] for hand in dump["hands"]] == [["scoop"] * 3] * 2
    assert dump["store"]["items"] == ["scoop"] * 3
    with pytest.raises(ValueError, match="items"):
        GAME.new_state(seed=0, num_players=2, items={**none, "scoop": 8})


@pytest.mark.rule("TM-1")
def test_litters_are_names_for_people():
    """Scenarios keep their words; what is described changes, and what actions are called at this table."""
    names = ["red", "green", "blue", "grey", "gold", "pink"]
    s = GAME.new_state(seed=5, num_players=2, litters=names)
    dump = GAME.dump(s)
    assert dump["litters"] == names
    assert {card for hand in dump["hands"] for card in hand["cats"]} <= set(CATS)
    assert dump["hands"] == GAME.dump(GAME.new_state(seed=5, num_players=2))["hands"]
    assert GAME.describe(s) != GAME.describe(GAME.new_state(seed=5, num_players=2))
    held = {f"cat {names[CATS.index(cat) // 5]} {cat[-1]}" for cat in dump["hands"][dump["turn"]]["cats"]}
    assert legal(s) == held and "cat tabby 0" not in GAME.spec.action_names(s.settings)
