"""What a seat knows: public memory of hands, and nothing that it cannot know.

Two positions that differ only in what a seat cannot know must look the same to it: observation, words and picture.
"""

import pytest

from .random_positions import random_position, seeded
from .table import GAME, act, home, position, written

STORE = {"cats": ["ginger 0", "ginger 1", "ginger 2"], "items": ["shoo", "shoo", "swap"]}
NOBODY = {"cats": [], "items": []}


def assert_same(one, other, *seats):
    """Both positions look the same to these seats."""
    for seat in seats:
        assert (GAME.observation(one, seat) == GAME.observation(other, seat)).all(), seat
        assert GAME.describe(one, seat) == GAME.describe(other, seat), seat
        assert GAME.scene(one, seat) == GAME.scene(other, seat), seat


def assert_different(one, other, *seats):
    """The observation of these seats tells the positions apart, and so do the words."""
    for seat in seats:
        assert (GAME.observation(one, seat) != GAME.observation(other, seat)).any(), seat
        assert GAME.describe(one, seat) != GAME.describe(other, seat), seat


# ---------------------------------------------------------------- cards that a seat is known to hold


@pytest.mark.rule("TM-4")
def test_cards_drawn_face_up_are_known():
    s = position([["tabby 0"], []], phase="draw", store=STORE, cat_deck=["smoke 0"], item_deck=["lure"])
    dump = act(s, "draw store cat 2", "draw store item 1", "draw cat", "draw item")
    assert dump["known"] == [{"cats": ["ginger 1"], "items": ["shoo"]}, NOBODY]


@pytest.mark.rule("TM-7")
def test_a_cat_drawn_from_the_wild_is_known():
    s = position([["tabby 0"], []], phase="draw", wild=["smoke 0", "rainbow"])
    assert act(s, "draw from the wild", "cat rainbow")["known"] == [{"cats": ["rainbow"], "items": []}, NOBODY]


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize("where", ["to home +0", "to home +1", "to the wild"])
def test_playing_a_cat_removes_a_known_copy(where):
    s = position([["tabby 0", "rainbow", "rainbow"], []], known=[["tabby 0", "rainbow"], []])
    assert act(s, "cat rainbow")["known"][0]["cats"] == ["tabby 0", "rainbow"]  # still in the hand
    assert act(s, where)["known"][0]["cats"] == ["tabby 0"]


@pytest.mark.rule("TM-8")
def test_a_known_copy_goes_before_an_unknown_one():
    s = position([["rainbow", "rainbow", "rainbow", "replay"], []], known=[["rainbow"], []])
    dump = act(s, "play replay", "cat rainbow", "to home +0", "cat rainbow", "to home +1")
    assert dump["known"][0]["cats"] == [] and dump["hands"][0]["cats"] == ["rainbow"]


@pytest.mark.rule("TM-9")
@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["play scoop"], ["lure", "big dinner", "hiss"]),
        (["discard hiss"], ["lure", "scoop", "big dinner"]),
        (["play big dinner", "to home +1"], ["lure", "scoop", "hiss"]),
        (["play lure", "cat smoke 0", "to home +0"], ["scoop", "big dinner", "hiss"]),
    ],
)
def test_playing_or_discarding_an_item_removes_a_known_copy(words, left):
    items = ["lure", "scoop", "scoop", "big dinner", "hiss"]
    s = position([items, []], [[5], []], wild=["smoke 0"], known=[["lure", "scoop", "big dinner", "hiss"], []])
    assert act(s, *words)["known"][0]["items"] == left


@pytest.mark.rule("TM-12")
@pytest.mark.rule("TM-13")
def test_reactions_leave_the_known_cards_too():
    s = position([["scoop"], ["hiss", "hiss"]], [[5], []], known=[[], ["hiss", "hiss"]])
    assert act(s, "play scoop", "play hiss")["known"][1]["items"] == ["hiss"]
    s = position([["tabby 0"], ["closed door"]], known=[[], ["closed door"]])
    assert act(s, "cat tabby 0", "to home +1", "play closed door")["known"] == [NOBODY, NOBODY]


@pytest.mark.rule("TM-2")
def test_nobody_knows_the_cards_that_were_dealt():
    s = GAME.new_state(seed=1, num_players=3)
    for _ in range(3):
        assert GAME.dump(s)["known"] == [NOBODY] * 3
        GAME.apply_action(s, GAME.legal_actions(s)[0])
    assert GAME.dump(s)["known"] == [NOBODY] * 3


def test_what_a_seat_is_known_to_hold_is_seen_by_the_others():
    hands = [["tabby 0"], ["smoke 0", "lure"], ["calico 0"]]
    blank = position(hands, store=STORE)
    for card in ("smoke 0", "lure"):
        assert_different(blank, position(hands, store=STORE, known=[[], [card], []]), 0, 2)


# ---------------------------------------------------------------- decks and hands


@pytest.mark.rule("TM-1")
def test_the_order_of_the_decks_is_hidden_from_all():
    hands = [["tabby 0"], ["smoke 0", "lure"], ["calico 0"]]
    cats, items = ["ginger 3", "rainbow", "tabby 2", "smoke 4"], ["hiss", "scoop", "bad fish"]
    for phase in ("play", "draw"):
        one = position(hands, store=STORE, phase=phase, cat_deck=cats, item_deck=items)
        other = position(hands, store=STORE, phase=phase, cat_deck=cats[::-1], item_deck=items[::-1])
        assert_same(one, other, 0, 1, 2)


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_another_hand_is_hidden_and_ones_own_is_not(turn):
    """Seat 1 and the decks exchange a cat and an item."""
    one = position([["tabby 0"], ["smoke 0", "lure"], []], cat_deck=["ginger 3"], item_deck=["hiss"], turn=turn)
    other = position([["tabby 0"], ["ginger 3", "hiss"], []], cat_deck=["smoke 0"], item_deck=["lure"], turn=turn)
    assert_same(one, other, 0, 2)
    assert_different(one, other, 1)


def test_two_other_hands_exchange_cards():
    one = position([["tabby 0"], ["smoke 0", "lure"], ["ginger 3", "closed door"]])
    other = position([["tabby 0"], ["ginger 3", "closed door"], ["smoke 0", "lure"]])
    assert_same(one, other, 0)
    assert_different(one, other, 1, 2)


def test_a_known_card_does_not_tell_of_the_others():
    fields = {"known": [[], ["smoke 0"], []], "store": STORE}
    one = position([["tabby 0"], ["smoke 0", "smoke 1"], []], cat_deck=["ginger 3"], **fields)
    other = position([["tabby 0"], ["smoke 0", "ginger 3"], []], cat_deck=["smoke 1"], **fields)
    assert_same(one, other, 0, 2)


def test_the_backs_of_a_hand_are_seen():
    one = position([["tabby 0"], ["smoke 0", "lure"], []], cat_deck=["ginger 3"], item_deck=["hiss"])
    more_cats = position([["tabby 0"], ["smoke 0", "ginger 3"], []], item_deck=["hiss", "lure"])
    assert_different(one, more_cats, 0, 2)


@pytest.mark.parametrize(
    "change",
    [
        {"homes": [home(["tabby 1", 3]), home([]), home(["calico 1"])]},
        {"homes": [home(["tabby 1", 2]), home([]), home(["calico 1", "smoke 2"])]},
        {"homes": [home(["tabby 1", 2]), home(["big dinner"]), home(["calico 1"])]},
        {"store": {"cats": ["ginger 0", None, "ginger 2"], "items": ["shoo", "shoo", "swap"]}},
        {"store": {"cats": ["ginger 0", "ginger 1", "ginger 2"], "items": ["shoo", None, "swap"]}},
        {"wild": ["smoke 3", "rainbow"]},
        {"item_discard": ["replay"]},
        {"cat_deck": []},
        {"item_deck": []},
        {"items_left": 1},
        {"cat_played": True, "cats_left": 0},
        {"cats_left": 2, "items_left": 1},
        {"phase": "draw"},
    ],
)
def test_what_lies_open_is_seen_by_all(change):
    base = written(
        [["tabby 0"], ["smoke 0"], ["calico 0"]],
        [["tabby 1", 2], [], ["calico 1"]],
        store=STORE,
        wild=["smoke 3"],
        cat_deck=["ginger 3"],
        item_deck=["hiss"],
    )
    one, other = GAME.load(base), GAME.load({**base, **change})
    for seat in range(3):
        assert (GAME.observation(one, seat) != GAME.observation(other, seat)).any(), seat


# ---------------------------------------------------------------- TM-2: choices before they are shown


CHOOSING = [["tabby 0", "tabby 1", "lure", "lure", "scoop"], ["smoke 0", "smoke 1", "scoop", "hiss", "hiss"]]


@pytest.mark.rule("TM-2")
def test_a_choice_is_unseen_until_it_is_shown():
    hands = [*CHOOSING, ["calico 0", "calico 1", "swap", "replay", "replay"]]
    one, other = position(hands, phase="choose", turn=1), position(hands, phase="choose", turn=1)
    act(one, "cat smoke 0")
    act(other, "cat smoke 1")
    assert_same(one, other, 0, 2)
    act(one, "cat calico 0")
    act(other, "cat calico 0")
    assert_same(one, other, 0, 2)
    act(one, "cat tabby 0")
    act(other, "cat tabby 0")
    assert_different(one, other, 0, 1, 2)


# ---------------------------------------------------------------- TM-12, TM-13: who is asked


def waiting(hands, homes, **fields):
    """Seat 0 has played a scoop, and somebody is asked about it."""
    return position(hands, homes, stack=[{"item": "scoop", "by": 0}], items_left=1, **fields)


@pytest.mark.rule("TM-12")
def test_who_is_asked_for_a_hiss_is_hidden():
    """Seat 1 or seat 2 holds the hiss, the other one a lure."""
    homes = [[5], [], [], []]
    one = waiting([["tabby 0"], ["hiss"], ["lure"], ["shoo"]], homes, ask=[1])
    other = waiting([["tabby 0"], ["lure"], ["hiss"], ["shoo"]], homes, ask=[2])
    assert_same(one, other, 0, 3)


@pytest.mark.rule("TM-12")
def test_whether_the_first_has_passed_already_is_hidden():
    hands = [["tabby 0"], ["hiss"], ["lure"], ["hiss"]]
    one = waiting(hands, [[5], [], [], []], ask=[1, 3])
    other = waiting(hands, [[5], [], [], []], ask=[3])
    assert_same(one, other, 0, 2)


@pytest.mark.rule("TM-12")
def test_how_many_are_still_to_be_asked_is_hidden_from_the_one_who_is():
    one = waiting([["tabby 0"], ["hiss"], ["lure"], ["shoo"]], [[5], [], [], []], ask=[1], item_deck=["hiss"])
    other = waiting([["tabby 0"], ["hiss"], ["lure"], ["hiss"]], [[5], [], [], []], ask=[1, 3], item_deck=["shoo"])
    assert_same(one, other, 0, 1, 2)


def after_a_cat(owner, asked, **fields):
    """Seat 0 has played tabby 0 into the home of seat 1, who holds `owner`."""
    arrival = {"arrival": {"cat": "tabby 0", "home": 1}, "ask": [1]} if asked else {}
    left = "lure" if asked else "closed door"
    hands = [["ginger 4"], [owner], ["calico 0"]]
    homes = [[], ["tabby 0", "tabby 1"], []]
    return position(hands, homes, cat_played=True, cats_left=0, item_deck=[left], **arrival, **fields)


@pytest.mark.rule("TM-13")
def test_whether_the_owner_is_asked_for_a_door_is_hidden():
    """It looks to the others as if nobody were asked; the owner sees its own hand, and that it is asked."""
    one, other = after_a_cat("closed door", asked=True), after_a_cat("lure", asked=False)
    assert GAME.current_player(one) == 1 and GAME.current_player(other) == 0
    assert_same(one, other, 0, 2)


@pytest.mark.rule("TM-13")
def test_the_number_of_decisions_does_not_tell():
    """A question that was asked is a decision; the count of decisions is not shown."""
    assert_same(after_a_cat("lure", asked=False, decisions=9), after_a_cat("lure", asked=False, decisions=10), 0, 1, 2)
    one, other = after_a_cat("closed door", True, decisions=9), after_a_cat("lure", False, decisions=12)
    assert_same(one, other, 0, 2)


@pytest.mark.rule("TM-13")
def test_the_cat_that_came_is_told_to_its_owner_while_asked():
    """Tabby 0 or tabby 1 has just come; both lie there now."""
    fields = {"cat_played": True, "cats_left": 0, "ask": [1]}
    hands, homes = [["ginger 4"], ["closed door"], ["calico 0"]], [[], ["tabby 0", "tabby 1"], []]
    one = position(hands, homes, arrival={"cat": "tabby 0", "home": 1}, **fields)
    other = position(hands, homes, arrival={"cat": "tabby 1", "home": 1}, **fields)
    assert_same(one, other, 0, 2)
    assert_different(one, other, 1)


@pytest.mark.rule("TM-13")
def test_the_cat_that_came_is_told_to_all_once_the_door_is_on_the_stack():
    fields = {"cat_played": True, "cats_left": 0, "ask": [2], "stack": [{"item": "closed door", "by": 1}]}
    hands, homes = [["ginger 4"], [], ["hiss"]], [[], ["tabby 0", "tabby 1"], []]
    one = position(hands, homes, arrival={"cat": "tabby 0", "home": 1}, **fields)
    other = position(hands, homes, arrival={"cat": "tabby 1", "home": 1}, **fields)
    assert_different(one, other, 0, 1, 2)


@pytest.mark.rule("TM-12")
def test_the_stack_is_seen_by_all():
    hands = [["ginger 4"], ["hiss"], ["calico 0"]]
    homes = [["tabby 0", 5], ["smoke 3"], ["siamese 1"]]
    entries = [
        {"item": "scoop", "by": 0},
        {"item": "shoo", "by": 0, "home": 1, "cat": "smoke 3"},
        {"item": "shoo", "by": 0, "home": 2, "cat": "siamese 1"},
        {"item": "swap", "by": 0, "home": 1, "own": "tabby 0", "cat": "smoke 3"},
        {"item": "big dinner", "by": 0, "home": 1},
        {"item": "big dinner", "by": 0, "home": 2},
    ]
    states = [position(hands, homes, stack=[entry], ask=[1], items_left=1) for entry in entries]
    for first, one in enumerate(states):
        for other in states[first + 1 :]:
            assert_different(one, other, 0, 1, 2)


# ---------------------------------------------------------------- a choice half made


@pytest.mark.rule("TM-12")
@pytest.mark.parametrize(
    "pending",
    [
        {"act": "play", "cat": "ginger 4"},
        {"act": "lure"},
        {"act": "lure", "cat": "calico 4"},
        {"act": "shoo"},
        {"act": "swap"},
        {"act": "swap", "own": "tabby 0"},
        {"act": "bad fish"},
    ],
)
def test_a_choice_half_made_is_seen_by_the_acting_seat_alone(pending):
    hands = [["ginger 4", "lure", "shoo", "swap", "bad fish"], ["hiss"], ["calico 0"]]
    homes = [["tabby 0", 5], ["smoke 3"], ["siamese 1"]]
    one = position(hands, homes, wild=["calico 4"], pending=pending)
    other = position(hands, homes, wild=["calico 4"])
    assert_same(one, other, 1, 2)
    assert_different(one, other, 0)


@pytest.mark.rule("TM-7")
def test_a_draw_from_the_wild_half_made_is_seen_by_the_acting_seat_alone():
    hands = [["ginger 4"], ["hiss"], ["calico 0"]]
    one = position(hands, wild=["calico 4"], phase="draw", pending={"act": "wild"})
    other = position(hands, wild=["calico 4"], phase="draw")
    assert_same(one, other, 1, 2)
    assert_different(one, other, 0)


# ---------------------------------------------------------------- dealing anew what a seat cannot know


def test_a_position_dealt_anew_can_be_and_looks_the_same():
    """In the middle of turns, of choices and of questions: for every seat, and it can be loaded and played."""
    asked = 0
    for seed in range(25):
        rng = seeded(seed)
        s = GAME.load(random_position(rng)) if seed % 2 else GAME.new_state(seed=seed, num_players=2 + seed % 5)
        for count in range(60):
            wanted = GAME.dump(s)["ask"] if seed % 3 else count == seed
            if GAME.is_terminal(s) or wanted:
                break
            GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        dump = GAME.dump(s)
        asked += bool(dump["ask"])
        for seat in range(dump["players"]):
            anew = GAME.resample(s, seat, seed)
            assert_same(s, anew, seat)
            changed = GAME.dump(anew)
            assert GAME.current_player(anew) == GAME.current_player(s)
            assert GAME.dump(GAME.load({**changed, "seed": 1})) == {**changed, "seed": 1}
            assert changed["hands"][seat] == dump["hands"][seat] and changed["known"] == dump["known"]
            for zone in ("homes", "store", "wild", "item_discard", "out", "turn", "stack"):
                assert changed[zone] == dump[zone]
    assert asked > 8


@pytest.mark.rule("TM-2")
def test_choices_of_others_are_dealt_anew_with_their_hands():
    hands = [*CHOOSING, ["calico 0", "calico 1", "swap", "replay", "replay"]]
    s = position(hands, phase="choose", cat_deck=["ginger 0", "ginger 1"], chosen=["tabby 0", "smoke 0", None])
    seen_choices = set()
    for seed in range(60):
        dump = GAME.dump(GAME.resample(s, 2, seed))
        assert all(choice in hand["cats"] for choice, hand in zip(dump["chosen"][:2], dump["hands"], strict=False))
        assert dump["chosen"][2] is None and dump["hands"][2]["cats"] == ["calico 0", "calico 1"]
        seen_choices.add(dump["chosen"][0])
    assert seen_choices == {"tabby 0", "tabby 1", "smoke 0", "smoke 1", "ginger 0", "ginger 1"}


def test_known_cards_stay_and_the_others_may_be_anywhere():
    s = position(
        [["tabby 0"], ["smoke 0", "smoke 1", "lure"], ["calico 0", "hiss"]],
        known=[[], ["smoke 0"], ["hiss"]],
        cat_deck=["ginger 3"],
        item_deck=["scoop"],
    )
    hands = {1: set(), 2: set()}
    for seed in range(60):
        dump = GAME.dump(GAME.resample(s, 0, seed))
        assert "smoke 0" in dump["hands"][1]["cats"] and "hiss" in dump["hands"][2]["items"]
        for seat, found in hands.items():
            found |= {*dump["hands"][seat]["cats"], *dump["hands"][seat]["items"]}
    assert hands[1] == {"smoke 0", "smoke 1", "calico 0", "ginger 3", "lure", "scoop"}
    assert hands[2] == {"smoke 1", "calico 0", "ginger 3", "hiss"}


@pytest.mark.rule("TM-14")
def test_the_rivals_that_are_played_with_are_seen():
    one = position([["tabby 0"], []])
    other = position([["tabby 0"], []], rivals=[["tabby 0", "ginger 2"]])
    assert (GAME.observation(one, 0) != GAME.observation(other, 0)).any()
