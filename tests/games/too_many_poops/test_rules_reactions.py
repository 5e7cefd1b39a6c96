"""Hiss and closed door (TM-12, TM-13), worked out by hand."""

import pytest

from .table import GAME, act, hands_of, homes_of, legal, poops_of, position

NEAR = ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]  # eight points; tabby 4 makes ten


def asked(s):
    """Who is to act, and the seats still to be asked."""
    return GAME.current_player(s), GAME.dump(s)["ask"]


# ---------------------------------------------------------------- TM-12: hiss


@pytest.mark.rule("TM-12")
def test_an_item_waits_for_those_who_hold_a_hiss():
    s = position([["scoop"], ["hiss"], ["lure"], ["hiss", "hiss"]], [[5], [], [], []])
    dump = act(s, "play scoop")
    assert dump["stack"] == [{"item": "scoop", "by": 0}] and dump["ask"] == [1, 3] and asked(s) == (1, [1, 3])
    assert hands_of(dump)[0] == [] and poops_of(dump)[0] == 5 and dump["item_discard"] == [] and dump["turn"] == 0
    assert legal(s) == {"play hiss", "pass"}


@pytest.mark.rule("TM-12")
@pytest.mark.parametrize("turn", range(4))
def test_they_are_asked_clockwise_from_its_player(turn):
    hands = [["hiss"] for _ in range(4)]
    hands[turn] = ["scoop"]
    s = position(hands, [[5]] * 4, turn=turn)
    act(s, "play scoop")
    order = []
    for _ in range(3):
        order.append(GAME.current_player(s))
        act(s, "pass")
    assert order == [(turn + step) % 4 for step in (1, 2, 3)]
    assert poops_of(GAME.dump(s))[turn] == 3 and asked(s) == (turn, [])


@pytest.mark.rule("TM-12")
def test_nobody_is_asked_where_nobody_holds_a_hiss():
    s = position([["scoop"], ["closed door"], ["lure"]], [[5], [], []])
    assert poops_of(act(s, "play scoop"))[0] == 3 and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_a_player_does_not_hiss_its_own_item():
    s = position([["scoop", "hiss"], []], [[5], []])
    dump = act(s, "play scoop")
    assert poops_of(dump)[0] == 3 and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_when_all_pass_the_item_takes_effect():
    s = position([["scoop"], ["hiss"], ["hiss"]], [[5], [], []])
    dump = act(s, "play scoop", "pass")
    assert dump["ask"] == [2] and poops_of(dump)[0] == 5
    dump = act(s, "pass")
    assert poops_of(dump)[0] == 3 and dump["stack"] == dump["ask"] == [] and dump["item_discard"] == ["scoop"]
    assert hands_of(dump)[1:] == [["hiss"], ["hiss"]]


@pytest.mark.rule("TM-12")
def test_the_first_hiss_ends_the_questions_about_the_item():
    s = position([["scoop"], ["hiss"], ["hiss"], []], [[5], [], [], []])
    dump = act(s, "play scoop", "play hiss")
    assert dump["stack"] == [{"item": "scoop", "by": 0}, {"item": "hiss", "by": 1}]
    assert dump["ask"] == [2] and hands_of(dump)[1] == []  # about the hiss now
    dump = act(s, "pass")
    assert dump["stack"] == dump["ask"] == [] and dump["item_discard"] == ["scoop", "hiss"]
    assert poops_of(dump)[0] == 5 and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_a_hiss_that_nobody_can_answer_takes_effect_at_once():
    s = position([["scoop"], ["hiss"], []], [[5], [], []])
    dump = act(s, "play scoop", "play hiss")
    assert dump["item_discard"] == ["scoop", "hiss"] and poops_of(dump)[0] == 5 and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_a_cancelled_item_counts_as_one_of_the_two():
    s = position([["scoop", "big dinner", "bad fish"], ["hiss"]], [[5], []])
    dump = act(s, "play scoop", "play hiss")
    assert dump["items_left"] == 1 and "play big dinner" in legal(s)
    dump = act(s, "play big dinner", "to home +1")
    assert dump["items_left"] == 0 and legal(s) == {"end"}


@pytest.mark.rule("TM-12")
def test_reactions_do_not_count_towards_the_two_items():
    """The active seat answers a hiss with its own and still plays two items."""
    s = position([["scoop", "hiss", "big dinner"], ["hiss"]], [[5], []])
    dump = act(s, "play scoop", "play hiss")
    assert asked(s) == (0, [0]) and legal(s) == {"play hiss", "pass"}
    dump = act(s, "play hiss")
    assert dump["items_left"] == 1 and poops_of(dump)[0] == 3
    assert act(s, "play big dinner", "to home +0")["items_left"] == 0


@pytest.mark.rule("TM-12")
def test_questions_about_a_hiss_go_clockwise_from_its_player_without_it():
    hands = [["hiss"], ["scoop"], ["hiss"], ["hiss", "hiss"], ["hiss"]]
    s = position(hands, [[], [5], [], [], []], turn=1, items={"hiss": 5})
    act(s, "play scoop", "pass")
    dump = act(s, "play hiss")  # seat 3, which keeps another one and is not asked about its own
    assert dump["ask"] == [4, 0, 2] and hands_of(dump)[3] == ["hiss"]
    dump = act(s, "pass", "play hiss")  # seat 0 answers
    assert dump["ask"] == [2, 3, 4] and [entry["by"] for entry in dump["stack"]] == [1, 3, 0]
    dump = act(s, "pass", "play hiss")  # seat 3 again
    assert dump["ask"] == [4, 2] and [entry["by"] for entry in dump["stack"]] == [1, 3, 0, 3]
    dump = act(s, "pass", "pass")
    assert poops_of(dump)[1] == 5 and dump["item_discard"] == ["scoop", "hiss", "hiss", "hiss"]
    assert asked(s) == (1, [])


@pytest.mark.rule("TM-12")
@pytest.mark.parametrize("hisses", range(1, 7))
def test_the_stack_takes_effect_from_the_top(hisses):
    """Seats 0 and 1 hiss in turns: an even number of hisses leaves the item as it was played."""
    s = position([["scoop", "hiss", "hiss", "hiss"], ["hiss"] * 3], [[5], []], items={"hiss": 6})
    act(s, "play scoop", *["play hiss"] * hisses)
    dump = act(s, *["pass"] * (hisses < 6))
    assert poops_of(dump)[0] == (5 if hisses % 2 else 3)
    assert dump["item_discard"] == ["scoop"] + ["hiss"] * hisses and dump["stack"] == []


@pytest.mark.rule("TM-12")
@pytest.mark.parametrize(
    ("words", "entry"),
    [
        (["play replay"], {"item": "replay"}),
        (["play scoop"], {"item": "scoop"}),
        (["play lure", "cat smoke 4", "to home +2"], {"item": "lure", "home": 0, "cat": "smoke 4"}),
        (["play shoo", "cat calico 0"], {"item": "shoo", "home": 0, "cat": "calico 0"}),
        (["play swap", "cat tabby 1", "cat rainbow"], {"item": "swap", "home": 2, "own": "tabby 1", "cat": "rainbow"}),
        (["play bad fish", "to home +1"], {"item": "bad fish", "home": 2}),
    ],
)
def test_all_parts_are_chosen_before_anybody_is_asked(words, entry):
    hand = ["siamese 0", "siamese 1", "replay", "lure", "shoo", "swap", "scoop", "bad fish"]
    homes = [["calico 0"], ["tabby 1", 5], ["rainbow"]]
    s = position([["hiss"], hand, []], homes, turn=1, wild=["smoke 4"])
    for word in words[:-1]:
        dump = act(s, word)
        assert asked(s) == (1, []) and dump["stack"] == [] and len(hands_of(dump)[1]) == 8
        assert dump["items_left"] == 2
    dump = act(s, words[-1])
    assert dump["stack"] == [{"by": 1, **entry}] and asked(s) == (0, [0]) and dump["pending"] is None
    assert entry["item"] not in hands_of(dump)[1] and dump["items_left"] == 1
    assert homes_of(dump) == [["calico 0"], ["tabby 1"], ["rainbow"]] and dump["wild"] == ["smoke 4"]
    dump = act(s, "play hiss")  # cancelled: nothing has moved
    assert homes_of(dump) == [["calico 0"], ["tabby 1"], ["rainbow"]] and dump["wild"] == ["smoke 4"]
    assert set(dump["item_discard"]) == {"hiss", entry["item"]} and poops_of(dump)[1] == 5
    assert dump["homes"][2]["modifiers"] == [] and (dump["cats_left"], dump["items_left"]) == (1, 1)


@pytest.mark.rule("TM-12")
def test_a_cat_stays_in_the_hand_until_its_home_is_chosen():
    s = position([["tabby 0"], ["hiss"]], turn=0)
    dump = act(s, "cat tabby 0")
    assert hands_of(dump)[0] == ["tabby 0"] and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_a_played_cat_is_no_item():
    s = position([["tabby 0"], ["hiss"]])
    dump = act(s, "cat tabby 0", "to home +1")
    assert homes_of(dump) == [[], ["tabby 0"]] and asked(s) == (0, [])


@pytest.mark.rule("TM-12")
def test_a_modifier_can_be_hissed():
    s = position([["big dinner"], ["hiss"]])
    dump = act(s, "play big dinner", "to home +1", "play hiss")
    assert dump["item_discard"] == ["big dinner", "hiss"] and dump["homes"][1]["modifiers"] == []


@pytest.mark.rule("TM-12")
def test_seats_that_are_out_are_not_asked():
    s = position([["scoop"], [], ["hiss"]], [[5], [], []], out=[1])
    assert act(s, "play scoop")["ask"] == [2]


@pytest.mark.rule("TM-12")
def test_the_turn_goes_on_with_the_active_seat_after_the_reactions():
    s = position([["tabby 0", "replay"], ["hiss"], ["hiss"]], cat_played=True, cats_left=0)
    dump = act(s, "play replay", "pass", "pass")
    assert dump["cats_left"] == 1 and legal(s) == {"cat tabby 0", "end"} and GAME.current_player(s) == 0


# ---------------------------------------------------------------- TM-13: closed door


@pytest.mark.rule("TM-13")
def test_the_owner_is_asked_about_a_cat_played_into_its_home():
    s = position([["tabby 0"], ["closed door"], ["closed door"]], [[], ["calico 3"], []])
    dump = act(s, "cat tabby 0", "to home +1")
    assert homes_of(dump) == [[], ["tabby 0", "calico 3"], []]  # it is placed first
    assert dump["arrival"] == {"cat": "tabby 0", "home": 1} and dump["stack"] == [] and asked(s) == (1, [1])
    assert legal(s) == {"play closed door", "pass"} and dump["turn"] == 0


@pytest.mark.rule("TM-13")
def test_a_closed_door_turns_the_cat_to_the_wild():
    s = position([["tabby 0"], ["closed door"]], [[], ["calico 3"]])
    dump = act(s, "cat tabby 0", "to home +1", "play closed door")
    assert homes_of(dump) == [[], ["calico 3"]] and dump["wild"] == ["tabby 0"]
    assert dump["item_discard"] == ["closed door"] and hands_of(dump) == [[], []]
    assert dump["arrival"] is None and dump["stack"] == [] and asked(s) == (0, [])
    assert dump["cat_played"] is True and legal(s) == {"end"}


@pytest.mark.rule("TM-13")
def test_a_door_left_open():
    s = position([["tabby 0"], ["closed door"]])
    dump = act(s, "cat tabby 0", "to home +1", "pass")
    assert homes_of(dump) == [[], ["tabby 0"]] and dump["arrival"] is None and asked(s) == (0, [])
    assert hands_of(dump)[1] == ["closed door"]


@pytest.mark.rule("TM-13")
@pytest.mark.parametrize("where", ["to home +0", "to home +2", "to the wild"])
def test_only_the_owner_of_the_home_is_asked(where):
    s = position([["tabby 0", "closed door"], ["closed door"], ["hiss"]])
    dump = act(s, "cat tabby 0", where)
    assert dump["arrival"] is None and asked(s) == (0, [])


@pytest.mark.rule("TM-13")
def test_a_door_after_a_lure():
    s = position([["lure"], ["closed door"]], wild=["tabby 0"])
    dump = act(s, "play lure", "cat tabby 0", "to home +1")
    assert homes_of(dump) == [[], ["tabby 0"]] and dump["arrival"] == {"cat": "tabby 0", "home": 1}
    assert dump["item_discard"] == ["lure"] and dump["stack"] == [] and legal(s) == {"play closed door", "pass"}
    dump = act(s, "play closed door")
    assert homes_of(dump) == [[], []] and dump["wild"] == ["tabby 0"] and asked(s) == (0, [])
    assert dump["item_discard"] == ["lure", "closed door"]


@pytest.mark.rule("TM-13")
def test_the_hiss_on_a_lure_comes_before_the_door():
    s = position([["lure"], ["hiss", "closed door"]], wild=["tabby 0"])
    act(s, "play lure", "cat tabby 0", "to home +1")
    assert legal(s) == {"play hiss", "pass"} and homes_of(GAME.dump(s)) == [[], []]
    dump = act(s, "pass")
    assert legal(s) == {"play closed door", "pass"} and homes_of(dump) == [[], ["tabby 0"]]


@pytest.mark.rule("TM-13")
def test_no_door_after_a_lure_into_ones_own_home():
    s = position([["lure", "closed door"], ["closed door"]], wild=["tabby 0"])
    act(s, "play lure", "cat tabby 0", "to home +0")
    assert asked(s) == (0, [])


@pytest.mark.rule("TM-13")
def test_after_a_swap_only_the_cat_that_came_into_the_other_home():
    s = position([["swap", "closed door"], ["closed door"]], [["tabby 0"], ["smoke 3"]])
    dump = act(s, "play swap", "cat tabby 0", "cat smoke 3")
    assert homes_of(dump) == [["smoke 3"], ["tabby 0"]]
    assert dump["arrival"] == {"cat": "tabby 0", "home": 1} and asked(s) == (1, [1])


@pytest.mark.rule("TM-13")
def test_a_door_after_a_swap_keeps_the_taken_cat_with_the_swapper():
    s = position([["swap"], ["closed door"]], [["tabby 0"], ["smoke 3"]])
    dump = act(s, "play swap", "cat tabby 0", "cat smoke 3", "play closed door")
    assert homes_of(dump) == [["smoke 3"], []] and dump["wild"] == ["tabby 0"]
    assert dump["item_discard"] == ["swap", "closed door"] and asked(s) == (0, [])


@pytest.mark.rule("TM-13")
def test_no_door_after_a_shoo_or_a_modifier():
    s = position([["shoo", "big dinner"], ["closed door"]], [[], ["tabby 0"]])
    act(s, "play shoo", "cat tabby 0")
    assert asked(s) == (0, [])
    act(s, "play big dinner", "to home +1")
    assert asked(s) == (0, [])


@pytest.mark.rule("TM-13")
def test_a_closed_door_may_be_hissed():
    s = position([["tabby 0", "hiss"], ["closed door", "hiss"], ["hiss"]])
    dump = act(s, "cat tabby 0", "to home +1", "play closed door")
    assert dump["stack"] == [{"item": "closed door", "by": 1}] and dump["arrival"] == {"cat": "tabby 0", "home": 1}
    assert asked(s) == (2, [2, 0]) and legal(s) == {"play hiss", "pass"}
    assert homes_of(dump)[1] == ["tabby 0"]
    act(s, "pass")
    assert asked(s) == (0, [0])
    dump = act(s, "play hiss")
    assert dump["stack"] == [{"item": "closed door", "by": 1}, {"item": "hiss", "by": 0}] and dump["ask"] == [1, 2]
    dump = act(s, "pass", "pass")
    assert homes_of(dump)[1] == ["tabby 0"] and dump["wild"] == [] and dump["arrival"] is None
    assert dump["item_discard"] == ["hiss", "closed door"] and asked(s) == (0, [])


@pytest.mark.rule("TM-13")
def test_the_hiss_on_a_door_may_be_hissed():
    s = position([["tabby 0", "hiss"], ["closed door", "hiss"]])
    dump = act(s, "cat tabby 0", "to home +1", "play closed door", "play hiss", "play hiss")
    assert homes_of(dump)[1] == [] and dump["wild"] == ["tabby 0"] and asked(s) == (0, [])
    assert dump["item_discard"] == ["hiss", "hiss", "closed door"] and dump["arrival"] is None


@pytest.mark.rule("TM-13")
def test_a_door_that_nobody_hisses_takes_effect():
    s = position([["tabby 0"], ["closed door"], ["hiss"]])
    dump = act(s, "cat tabby 0", "to home +1", "play closed door")
    assert asked(s) == (2, [2]) and homes_of(dump)[1] == ["tabby 0"]
    dump = act(s, "pass")
    assert homes_of(dump)[1] == [] and dump["wild"] == ["tabby 0"]


@pytest.mark.rule("TM-13")
@pytest.mark.parametrize("answer", ["pass", "play closed door"])
def test_it_is_asked_once_for_a_cat_whatever_it_holds(answer):
    """Also when its first door was hissed."""
    s = position([["tabby 0", "hiss"], ["closed door", "closed door"]])
    act(s, "cat tabby 0", "to home +1", answer, *["play hiss"] * (answer != "pass"))
    dump = GAME.dump(s)
    assert asked(s) == (0, []) and homes_of(dump)[1] == ["tabby 0"] and dump["arrival"] is None


@pytest.mark.rule("TM-13")
def test_it_is_asked_again_for_the_next_cat():
    s = position([["tabby 0", "rainbow"], ["closed door", "closed door"]], cats_left=2, items_left=1)
    act(s, "cat tabby 0", "to home +1", "pass")
    dump = act(s, "cat rainbow", "to home +1")
    assert dump["arrival"] == {"cat": "rainbow", "home": 1} and asked(s) == (1, [1])
    dump = act(s, "play closed door")
    assert homes_of(dump)[1] == ["tabby 0"] and dump["wild"] == ["rainbow"]


@pytest.mark.rule("TM-13")
def test_one_of_several_rainbow_cats_is_turned_away():
    s = position([["rainbow"], ["closed door"]], [[], ["rainbow", "tabby 0"]])
    dump = act(s, "cat rainbow", "to home +1", "play closed door")
    assert homes_of(dump)[1] == ["tabby 0", "rainbow"] and dump["wild"] == ["rainbow"]


@pytest.mark.rule("TM-13")
@pytest.mark.rule("TM-16")
def test_the_win_test_comes_before_the_door():
    s = position([["tabby 4"], ["closed door"]], [[], NEAR])
    dump = act(s, "cat tabby 4", "to home +1")
    assert dump["winner"] == 1 and dump["phase"] == "over" and dump["ask"] == [] and dump["arrival"] is None


@pytest.mark.rule("TM-13")
@pytest.mark.rule("TM-14")
@pytest.mark.rule("TM-16")
def test_the_win_test_comes_again_after_the_door():
    """Smoke 0 flips its rival tabby 0; with tabby 4 there are ten points once smoke 0 is turned away."""
    homes = [[], [*NEAR, "tabby 4", "smoke 0"]]
    fields = {"arrival": {"cat": "smoke 0", "home": 1}, "ask": [1], "cat_played": True, "cats_left": 0}
    s = position([[], ["closed door"]], homes, **fields)
    dump = act(s, "play closed door")
    assert dump["winner"] == 1 and dump["wild"] == ["smoke 0"] and GAME.returns(s).tolist() == [-1, 1]
    s = position([[], ["closed door"]], homes, **fields)
    assert act(s, "pass")["winner"] is None


@pytest.mark.rule("TM-13")
@pytest.mark.rule("TM-14")
def test_the_cat_flips_before_the_door():
    """A rival played into a home that would have ten points with it, were they not flipped."""
    s = position([["smoke 0"], ["closed door"]], [[], [*NEAR, "calico 2"]])
    dump = act(s, "cat smoke 0", "to home +1")
    assert dump["winner"] is None and dump["arrival"] == {"cat": "smoke 0", "home": 1}
