"""Playing cats and items (TM-8 to TM-11), worked out by hand."""

import pytest

from .table import (
    GAME,
    ITEMS,
    MODIFIERS,
    act,
    hands_of,
    homes_of,
    legal,
    poops_of,
    position,
)

HOMES = ["to home +0", "to home +1", "to home +2"]


def item_actions(s):
    """Names of legal actions that play or discard an item."""
    return {name for name in legal(s) if name.startswith(("play ", "discard "))}


# ---------------------------------------------------------------- TM-8: cats


@pytest.mark.rule("TM-8")
def test_a_cat_is_played_into_any_home_or_the_wild():
    s = position([["tabby 0", "rainbow"], [], []], turn=0)
    assert legal(s) == {"cat tabby 0", "cat rainbow"}
    dump = act(s, "cat tabby 0")
    assert dump["pending"] == {"act": "play", "cat": "tabby 0"} and hands_of(dump)[0] == ["tabby 0", "rainbow"]
    assert legal(s) == {*HOMES, "to the wild"} and GAME.current_player(s) == 0


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("step", [0, 1, 2])
def test_homes_are_counted_from_the_seat_to_act(turn, step):
    hands = [[], [], []]
    hands[turn] = ["tabby 0"]
    s = position(hands, turn=turn)
    dump = act(s, "cat tabby 0", f"to home +{step}")
    assert homes_of(dump) == [["tabby 0"] if seat == (turn + step) % 3 else [] for seat in range(3)]
    assert hands_of(dump) == [[], [], []] and dump["pending"] is None


@pytest.mark.rule("TM-8")
def test_a_cat_released_into_the_wild():
    s = position([["tabby 0"], []], wild=["smoke 4"])
    dump = act(s, "cat tabby 0", "to the wild")
    assert dump["wild"] == ["tabby 0", "smoke 4"] and homes_of(dump) == [[], []] and hands_of(dump)[0] == []
    assert (dump["cat_played"], dump["cats_left"], dump["items_left"]) == (True, 0, 2) and dump["turn"] == 0


@pytest.mark.rule("TM-8")
@pytest.mark.rule("TM-18")
def test_not_into_a_home_that_is_out():
    s = position([["tabby 0"], [], []], out=[1])
    act(s, "cat tabby 0")
    assert legal(s) == {"to home +0", "to home +2", "to the wild"}


@pytest.mark.rule("TM-8")
def test_exactly_one_cat():
    s = position([["tabby 0", "tabby 1"], []])
    assert legal(s) == {"cat tabby 0", "cat tabby 1"}  # no end before it
    act(s, "cat tabby 0", "to home +0")
    assert legal(s) == {"end"}


@pytest.mark.rule("TM-8")
def test_a_replay_allows_one_more():
    s = position([["tabby 0", "tabby 1", "tabby 2", "replay"], []])
    act(s, "cat tabby 0", "to home +0")
    assert legal(s) == {"play replay", "discard replay", "end"}
    dump = act(s, "play replay")
    assert dump["cats_left"] == 1 and dump["items_left"] == 1 and dump["item_discard"] == ["replay"]
    assert legal(s) == {"cat tabby 1", "cat tabby 2", "end"}  # the second one is optional
    dump = act(s, "cat tabby 2", "to home +1")
    assert homes_of(dump) == [["tabby 0"], ["tabby 2"]] and legal(s) == {"end"}


@pytest.mark.rule("TM-8")
def test_a_replay_before_the_first_cat():
    s = position([["tabby 0", "tabby 1", "replay"], []])
    dump = act(s, "play replay")
    assert (dump["cat_played"], dump["cats_left"]) == (False, 2) and "end" not in legal(s)
    act(s, "cat tabby 0", "to home +0")
    assert legal(s) == {"cat tabby 1", "end"}
    act(s, "cat tabby 1", "to home +0")
    assert legal(s) == {"end"}


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_two_replays_allow_three_cats(first):
    s = position([["tabby 0", "tabby 1", "calico 2", "calico 3", "replay", "replay"], []])
    names = ["cat tabby 0", "to home +0"]
    orders = [
        ["play replay", "play replay", *names],
        ["play replay", *names, "play replay"],
        [*names, "play replay", "play replay"],
    ]
    dump = act(s, *orders[first])
    assert dump["cats_left"] == 2 and dump["items_left"] == 0
    dump = act(s, "cat tabby 1", "to home +0", "cat calico 2", "to home +1")
    assert legal(s) == {"end"} and hands_of(dump)[0] == ["calico 3"]


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize(("cats", "playable"), [(0, False), (1, False), (2, True), (3, True)])
def test_before_the_cat_a_replay_needs_two_in_hand(cats, playable):
    s = position([[*["tabby 0", "tabby 1", "tabby 2"][:cats], "replay"], []])
    assert ("play replay" in legal(s)) is playable and "discard replay" in legal(s)


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize(("cats", "playable"), [(0, False), (1, True), (2, True)])
def test_after_the_cat_a_replay_needs_one_in_hand(cats, playable):
    s = position([[*["tabby 0", "tabby 1"][:cats], "replay"], []], cat_played=True, cats_left=0)
    assert ("play replay" in legal(s)) is playable and "discard replay" in legal(s)


@pytest.mark.rule("TM-8")
@pytest.mark.parametrize(("cats", "playable"), [(1, False), (2, False), (3, True)])
def test_a_second_replay_needs_more_cats_than_are_still_playable(cats, playable):
    s = position([[*["tabby 0", "tabby 1", "tabby 2"][:cats], "replay"], []], cats_left=2, items_left=1)
    assert ("play replay" in legal(s)) is playable


@pytest.mark.rule("TM-8")
def test_equal_cats_count_one_by_one():
    s = position([["rainbow", "rainbow", "replay"], []])
    assert legal(s) == {"cat rainbow", "play replay", "discard replay"}
    dump = act(s, "play replay", "cat rainbow", "to home +0", "cat rainbow", "to the wild")
    assert homes_of(dump)[0] == ["rainbow"] == dump["wild"]


# ---------------------------------------------------------------- TM-9: items


@pytest.mark.rule("TM-9")
def test_up_to_two_items_a_turn():
    s = position([["tabby 0", "big dinner", "bad fish", "auto scooper"], []])
    assert item_actions(s) == {
        f"{verb} {item}" for verb in ("play", "discard") for item in MODIFIERS if item != "deluxe litter"
    }
    assert act(s, "play big dinner", "to home +1")["items_left"] == 1
    assert act(s, "discard bad fish")["items_left"] == 0
    assert legal(s) == {"cat tabby 0"}
    act(s, "cat tabby 0", "to home +0")
    assert legal(s) == {"end"}


@pytest.mark.rule("TM-9")
@pytest.mark.parametrize("item", ITEMS)
def test_every_item_may_be_discarded(item):
    s = position([["tabby 0", item], []], [["tabby 1", 1], ["smoke 3"]])
    dump = act(s, f"discard {item}")
    assert dump["item_discard"] == [item] and dump["items_left"] == 1 and hands_of(dump)[0] == ["tabby 0"]
    assert homes_of(dump) == [["tabby 1"], ["smoke 3"]] and poops_of(dump) == [1, 0]
    assert dump["homes"][0]["modifiers"] == dump["homes"][1]["modifiers"] == []
    assert dump["ask"] == dump["stack"] == [] and dump["cats_left"] == 1


@pytest.mark.rule("TM-9")
def test_a_discard_can_not_be_hissed():
    s = position([["tabby 0", "scoop"], ["hiss"]], [[5], []])
    assert act(s, "discard scoop")["ask"] == [] and GAME.current_player(s) == 0


@pytest.mark.rule("TM-9")
@pytest.mark.rule("TM-12")
def test_reactions_are_not_played_in_ones_own_time():
    s = position([["tabby 0", "hiss", "closed door"], ["hiss"]], [["tabby 1"], ["smoke 3"]])
    assert legal(s) == {"cat tabby 0", "discard hiss", "discard closed door"}


@pytest.mark.rule("TM-9")
@pytest.mark.parametrize(
    "order",
    [["cat", "scoop", "lure"], ["scoop", "cat", "lure"], ["scoop", "lure", "cat"], ["lure", "scoop", "cat"]],
)
def test_items_and_cat_in_any_order(order):
    s = position([["tabby 0", "scoop", "lure"], []], [[5], []], wild=["smoke 3"])
    words = {
        "cat": ["cat tabby 0", "to home +0"],
        "scoop": ["play scoop"],
        "lure": ["play lure", "cat smoke 3", "to home +1"],
    }
    for step in order:
        dump = act(s, *words[step])
        assert ("end" in legal(s)) is dump["cat_played"]
    assert homes_of(dump) == [["tabby 0"], ["smoke 3"]] and poops_of(dump) == [3, 0] and dump["items_left"] == 0
    assert legal(s) == {"end"}


@pytest.mark.rule("TM-9")
def test_end_closes_the_play_phase_though_items_are_left():
    s = position([["tabby 0", "scoop"], ["tabby 1"]], [[5], []], cat_played=True, cats_left=0)
    assert "end" in legal(s)
    assert act(s, "end")["turn"] == 1


@pytest.mark.rule("TM-9")
def test_a_choice_half_made_leaves_only_its_next_part():
    s = position([["tabby 0", "big dinner", "scoop"], []], [[5], []], cat_played=True, cats_left=0)
    dump = act(s, "play big dinner")
    assert dump["pending"] == {"act": "big dinner"} and legal(s) == {"to home +0", "to home +1"}
    assert hands_of(dump)[0] == ["tabby 0", "scoop", "big dinner"] and dump["stack"] == []


# ---------------------------------------------------------------- TM-10: action items


@pytest.mark.rule("TM-10")
def test_scoop_takes_two_poops():
    dump = act(position([["scoop"], []], [[7], [7]]), "play scoop")
    assert poops_of(dump) == [5, 7] and dump["item_discard"] == ["scoop"] and dump["items_left"] == 1


@pytest.mark.rule("TM-10")
@pytest.mark.parametrize(("before", "after"), [(1, 0), (2, 0), (3, 1), (9, 7)])
def test_scoop_with_few_poops(before, after):
    assert poops_of(act(position([["scoop"], []], [[before], []]), "play scoop")) == [after, 0]


@pytest.mark.rule("TM-10")
def test_scoop_without_poops_can_only_be_discarded():
    assert legal(position([["scoop"], []], [["tabby 0"], [5]])) == {"discard scoop", "end"}


@pytest.mark.rule("TM-10")
@pytest.mark.parametrize("step", [0, 1, 2])
def test_lure_moves_a_cat_from_the_wild_into_any_home(step):
    s = position([[], ["lure"], []], wild=["tabby 0", "rainbow", "rainbow"], turn=1)
    dump = act(s, "play lure")
    assert dump["pending"] == {"act": "lure"} and legal(s) == {"cat tabby 0", "cat rainbow"}
    dump = act(s, "cat rainbow")
    assert dump["pending"] == {"act": "lure", "cat": "rainbow"} and legal(s) == set(HOMES)
    assert dump["wild"] == ["tabby 0", "rainbow", "rainbow"]
    dump = act(s, f"to home +{step}")
    assert homes_of(dump) == [["rainbow"] if seat == (1 + step) % 3 else [] for seat in range(3)]
    assert dump["wild"] == ["tabby 0", "rainbow"] and dump["item_discard"] == ["lure"] and dump["items_left"] == 1
    assert dump["cats_left"] == 1 and dump["cat_played"] is False  # no cat of the hand was played


@pytest.mark.rule("TM-10")
def test_lure_with_an_empty_wild_can_only_be_discarded():
    assert legal(position([["lure"], []], [["tabby 0"], ["smoke 3"]])) == {"discard lure", "end"}


@pytest.mark.rule("TM-10")
def test_lure_not_into_a_home_that_is_out():
    s = position([["lure"], [], []], wild=["tabby 0"], out=[2])
    act(s, "play lure", "cat tabby 0")
    assert legal(s) == {"to home +0", "to home +1"}


@pytest.mark.rule("TM-10")
@pytest.mark.parametrize(("cat", "left"), [("tabby 1", [[], ["smoke 3"]]), ("smoke 3", [["tabby 1"], []])])
def test_shoo_moves_a_cat_from_any_home_to_the_wild(cat, left):
    s = position([["shoo"], []], [["tabby 1"], ["smoke 3"]], wild=["calico 2"])
    dump = act(s, "play shoo")
    assert dump["pending"] == {"act": "shoo"} and legal(s) == {"cat tabby 1", "cat smoke 3"}
    dump = act(s, f"cat {cat}")
    assert homes_of(dump) == left and set(dump["wild"]) == {"calico 2", cat}
    assert dump["item_discard"] == ["shoo"] and dump["pending"] is None


@pytest.mark.rule("TM-10")
def test_ones_own_home_is_a_target_of_shoo():
    s = position([["shoo"], []], [["tabby 1"], []])
    assert "play shoo" in legal(s)
    act(s, "play shoo")
    assert legal(s) == {"cat tabby 1"}


@pytest.mark.rule("TM-10")
def test_shoo_with_all_homes_empty_can_only_be_discarded():
    assert legal(position([["shoo"], []], wild=["tabby 0"])) == {"discard shoo", "end"}


@pytest.mark.rule("TM-10")
def test_shoo_of_a_rainbow_in_several_homes_names_the_home():
    s = position([[], ["shoo"], []], [["rainbow"], ["rainbow", "tabby 0"], ["tabby 1"]], turn=1)
    act(s, "play shoo")
    assert legal(s) == {"cat rainbow", "cat tabby 0", "cat tabby 1"}
    dump = act(s, "cat rainbow")
    assert dump["pending"] == {"act": "shoo", "cat": "rainbow"} and legal(s) == {"to home +0", "to home +2"}
    dump = act(s, "to home +2")
    assert homes_of(dump) == [[], ["tabby 0", "rainbow"], ["tabby 1"]] and dump["wild"] == ["rainbow"]


@pytest.mark.rule("TM-10")
def test_shoo_of_a_rainbow_in_one_home_does_not():
    s = position([["shoo"], []], [["tabby 0"], ["rainbow", "rainbow"]])
    dump = act(s, "play shoo", "cat rainbow")
    assert homes_of(dump) == [["tabby 0"], ["rainbow"]] and dump["wild"] == ["rainbow"]


@pytest.mark.rule("TM-10")
def test_swap_exchanges_a_cat_of_ones_own_for_another():
    s = position([[], ["swap"], []], [["tabby 0"], ["calico 1", "ginger 2"], ["smoke 3", "smoke 4"]], turn=1)
    dump = act(s, "play swap")
    assert dump["pending"] == {"act": "swap"} and legal(s) == {"cat calico 1", "cat ginger 2"}
    dump = act(s, "cat ginger 2")
    assert dump["pending"] == {"act": "swap", "own": "ginger 2"}
    assert legal(s) == {"cat tabby 0", "cat smoke 3", "cat smoke 4"}
    dump = act(s, "cat smoke 3")
    assert homes_of(dump) == [["tabby 0"], ["calico 1", "smoke 3"], ["ginger 2", "smoke 4"]]
    assert dump["item_discard"] == ["swap"] and dump["items_left"] == 1 and dump["wild"] == []


@pytest.mark.rule("TM-10")
@pytest.mark.parametrize("homes", [[[], ["tabby 0"]], [["tabby 0"], []], [[], []]])
def test_swap_unless_both_sides_have_a_cat_can_only_be_discarded(homes):
    assert legal(position([["swap"], []], homes)) == {"discard swap", "end"}


@pytest.mark.rule("TM-10")
def test_swap_of_a_rainbow_in_several_other_homes_names_the_home():
    s = position([["swap"], [], []], [["tabby 0"], ["rainbow"], ["rainbow", "smoke 3"]])
    dump = act(s, "play swap", "cat tabby 0", "cat rainbow")
    assert dump["pending"] == {"act": "swap", "own": "tabby 0", "cat": "rainbow"}
    assert legal(s) == {"to home +1", "to home +2"}
    dump = act(s, "to home +2")
    assert homes_of(dump) == [["rainbow"], ["rainbow"], ["tabby 0", "smoke 3"]]


@pytest.mark.rule("TM-10")
def test_ones_own_rainbow_is_not_one_of_those_homes():
    s = position([["swap"], [], []], [["tabby 0", "rainbow"], ["rainbow"], ["smoke 3"]])
    dump = act(s, "play swap", "cat tabby 0", "cat rainbow")
    assert homes_of(dump) == [["rainbow", "rainbow"], ["tabby 0"], ["smoke 3"]]


@pytest.mark.rule("TM-10")
def test_swap_of_rainbow_for_rainbow():
    s = position([["swap"], []], [["rainbow"], ["rainbow"]])
    dump = act(s, "play swap", "cat rainbow", "cat rainbow")
    assert homes_of(dump) == [["rainbow"], ["rainbow"]] and dump["item_discard"] == ["swap"]


@pytest.mark.rule("TM-10")
@pytest.mark.parametrize("item", ["replay", "lure", "shoo", "swap", "scoop"])
def test_with_nothing_anywhere_no_action_item_is_playable(item):
    assert legal(position([[item], []])) == {f"discard {item}", "end"}


# ---------------------------------------------------------------- TM-11: modifiers


@pytest.mark.rule("TM-11")
@pytest.mark.parametrize("item", MODIFIERS)
@pytest.mark.parametrize("step", [0, 1, 2])
def test_modifiers_go_into_any_home_and_stay(item, step):
    s = position([["tabby 0"], [], [item]], turn=2)
    act(s, f"play {item}")
    assert legal(s) == set(HOMES)
    dump = act(s, f"to home +{step}")
    expected = [[item] if seat == (2 + step) % 3 else [] for seat in range(3)]
    assert [home["modifiers"] for home in dump["homes"]] == expected
    assert dump["item_discard"] == [] and dump["items_left"] == 1
    dump = act(s, "end", "cat tabby 0", "to home +0", "end", "end")
    assert [home["modifiers"] for home in dump["homes"]] == expected and dump["item_discard"] == []


@pytest.mark.rule("TM-11")
@pytest.mark.rule("TM-18")
def test_modifiers_not_into_a_home_that_is_out():
    s = position([["big dinner"], [], []], out=[1])
    act(s, "play big dinner")
    assert legal(s) == {"to home +0", "to home +2"}


@pytest.mark.rule("TM-11")
def test_several_equal_modifiers_in_one_home():
    s = position([["big dinner", "big dinner"], []], [[], ["big dinner"]])
    dump = act(s, "play big dinner", "to home +1", "play big dinner", "to home +1")
    assert dump["homes"][1]["modifiers"] == ["big dinner"] * 3
