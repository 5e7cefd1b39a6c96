"""Drawing, the pet store and empty decks (TM-4 to TM-7), worked out by hand."""

from collections import Counter

import pytest

from .table import GAME, act, hands_of, legal, position

FULL_STORE = {"cats": ["smoke 0", "smoke 1", "smoke 2"], "items": ["scoop", "lure", "shoo"]}
DECKS = {"cat_deck": ["siamese 0", "siamese 1", "siamese 2"], "item_deck": ["replay", "swap", "hiss"]}
CAT_DRAWS = {"draw cat", "draw store cat 1", "draw store cat 2", "draw store cat 3"}
ITEM_DRAWS = {"draw item", "draw store item 1", "draw store item 2", "draw store item 3"}
SIX_ITEMS = ["scoop", "replay", "swap", "bad fish", "auto scooper", "big dinner"]


def drawing(cards, **fields):
    """Seat 0 draws; seat 1 has an empty hand."""
    return position([cards, []], phase="draw", **fields)


# ---------------------------------------------------------------- TM-4: drawing


@pytest.mark.rule("TM-4")
def test_from_either_deck_or_the_six_face_up_cards():
    assert legal(drawing(["tabby 0"], store=FULL_STORE, **DECKS)) == CAT_DRAWS | ITEM_DRAWS


@pytest.mark.rule("TM-4")
def test_one_card_at_a_time_each_seen_before_the_next():
    s = drawing(["tabby 0"], store=FULL_STORE, **DECKS)
    dump = act(s, "draw cat")
    assert hands_of(dump)[0] == ["tabby 0", "siamese 0"] and dump["cat_deck"] == ["siamese 1", "siamese 2"]
    dump = act(s, "draw item")
    assert hands_of(dump)[0] == ["tabby 0", "siamese 0", "replay"] and dump["item_deck"] == ["swap", "hiss"]
    dump = act(s, "draw store cat 2")
    assert hands_of(dump)[0] == ["tabby 0", "siamese 0", "smoke 1", "replay"]
    dump = act(s, "draw store item 3")
    assert hands_of(dump)[0] == ["tabby 0", "siamese 0", "smoke 1", "replay", "shoo"] and dump["phase"] == "draw"
    assert GAME.current_player(s) == 0


@pytest.mark.rule("TM-4")
def test_it_ends_by_itself_with_six_cards():
    s = drawing(["tabby 0", "tabby 1", "scoop", "replay"], store=FULL_STORE, **DECKS)
    assert act(s, "draw cat")["phase"] == "draw"
    assert act(s, "draw item")["phase"] == "play"
    assert not legal(s) & (CAT_DRAWS | ITEM_DRAWS)


@pytest.mark.rule("TM-4")
@pytest.mark.parametrize("size", range(1, 6))
def test_it_goes_on_below_six_cards(size):
    s = drawing(["tabby 0", *SIX_ITEMS[: size - 1]], cat_deck=[f"smoke {k}" for k in range(5)])
    for _ in range(6 - size):
        assert GAME.dump(s)["phase"] == "draw" and legal(s) == {"draw cat"}
        act(s, "draw cat")
    assert GAME.dump(s)["phase"] == "play" and len(hands_of(GAME.dump(s))[0]) == 6


@pytest.mark.rule("TM-4")
@pytest.mark.parametrize(
    "fields", [{"cat_deck": ["smoke 0"]}, {"store": {"cats": [None, None, "smoke 0"], "items": []}}]
)
def test_it_ends_by_itself_when_nothing_can_be_drawn(fields):
    s = drawing(["tabby 0", "scoop"], **fields)
    (only,) = legal(s)
    dump = act(s, only)
    assert dump["phase"] == "play" and hands_of(dump)[0] == ["tabby 0", "smoke 0", "scoop"]


@pytest.mark.rule("TM-4")
@pytest.mark.parametrize(
    ("hand", "fields"), [(["tabby 0", *SIX_ITEMS[:5]], DECKS), (["tabby 0"], {}), ([], {}), (SIX_ITEMS, {})]
)
def test_a_turn_with_nothing_to_draw_begins_with_play(hand, fields):
    s = position([["smoke 4"], hand], **fields)
    dump = act(s, "cat smoke 4", "to home +0", "end")
    assert dump["turn"] == 1 and dump["phase"] == "play"


@pytest.mark.rule("TM-4")
def test_a_full_hand_with_a_cat_draws_nothing_even_with_seven_cards():
    s = position([["smoke 4"], ["tabby 0", *SIX_ITEMS]], **DECKS)
    assert act(s, "cat smoke 4", "to home +0", "end")["phase"] == "play"


@pytest.mark.rule("TM-4")
def test_drawing_cannot_be_ended_by_default():
    s = drawing(["tabby 0", *SIX_ITEMS[:4]], store=FULL_STORE, **DECKS)
    assert "end" not in legal(s) and GAME.dump(s)["optional_draw"] is False


@pytest.mark.rule("TM-4")
@pytest.mark.parametrize("size", range(1, 6))
def test_optional_draw_adds_end(size):
    s = drawing(["tabby 0", *SIX_ITEMS[: size - 1]], store=FULL_STORE, **DECKS, optional_draw=True)
    assert legal(s) == CAT_DRAWS | ITEM_DRAWS | {"end"}
    dump = act(s, "end")
    assert dump["phase"] == "play" and dump["turn"] == 0 and len(hands_of(dump)[0]) == size


@pytest.mark.rule("TM-4")
@pytest.mark.rule("TM-5")
@pytest.mark.parametrize("size", range(0, 7))
def test_optional_draw_has_no_end_while_a_cat_is_due(size):
    s = drawing(SIX_ITEMS[:size], store=FULL_STORE, **DECKS, optional_draw=True)
    assert "end" not in legal(s)
    act(s, "draw store cat 1")
    assert ("end" in legal(s)) is (size < 5)


@pytest.mark.rule("TM-4")
@pytest.mark.rule("TM-7")
def test_optional_draw_has_end_where_no_cat_can_be_had():
    s = drawing(["scoop"], item_deck=["lure", "hiss"], optional_draw=True)
    assert legal(s) == {"draw item", "end"}
    assert act(s, "end")["phase"] == "play"


# ---------------------------------------------------------------- TM-5: a cat is due


@pytest.mark.rule("TM-5")
def test_the_last_draw_of_a_hand_without_cats_is_a_cat():
    s = drawing(SIX_ITEMS[:4], store=FULL_STORE, **DECKS)
    assert legal(s) == CAT_DRAWS | ITEM_DRAWS
    act(s, "draw item")
    assert legal(s) == CAT_DRAWS
    assert act(s, "draw store cat 3")["phase"] == "play"


@pytest.mark.rule("TM-5")
def test_a_cat_drawn_earlier_will_do():
    s = drawing(SIX_ITEMS[:4], store=FULL_STORE, **DECKS)
    act(s, "draw cat")
    assert legal(s) == (CAT_DRAWS | ITEM_DRAWS)


@pytest.mark.rule("TM-5")
def test_a_hand_with_a_cat_may_fill_up_with_items():
    assert legal(drawing(["rainbow", *SIX_ITEMS[:4]], store=FULL_STORE, **DECKS)) == CAT_DRAWS | ITEM_DRAWS


@pytest.mark.rule("TM-5")
def test_six_items_draw_a_seventh_card():
    s = position([["smoke 4"], SIX_ITEMS], store=FULL_STORE, **DECKS)
    dump = act(s, "cat smoke 4", "to home +0", "end")
    assert dump["turn"] == 1 and dump["phase"] == "draw" and legal(s) == CAT_DRAWS
    dump = act(s, "draw cat")
    assert dump["phase"] == "play" and len(hands_of(dump)[1]) == 7 and dump["hands"][1]["cats"] == ["siamese 0"]


@pytest.mark.rule("TM-5")
def test_only_the_cats_that_are_there():
    assert legal(drawing(SIX_ITEMS, cat_deck=["smoke 0"], item_deck=["hiss"])) == {"draw cat"}
    store = {"cats": [None, "smoke 0"], "items": ["hiss"]}
    assert legal(drawing(SIX_ITEMS[:5], store=store, item_deck=["lure"])) == {"draw store cat 2"}
    assert legal(drawing(SIX_ITEMS[:5], wild=["smoke 0"], item_deck=["lure"])) == {"draw from the wild"}


# ---------------------------------------------------------------- TM-6: the store and the item deck


@pytest.mark.rule("TM-6")
def test_slots_keep_their_numbers_and_gaps_stay_until_after_the_turn():
    s = drawing(["tabby 0", *SIX_ITEMS[3:5]], store=FULL_STORE, **DECKS)
    dump = act(s, "draw store cat 1", "draw store item 2")
    gaps = {"cats": [None, "smoke 1", "smoke 2"], "items": ["scoop", None, "shoo"]}
    assert dump["store"] == gaps
    assert not legal(s) & {"draw store cat 1", "draw store item 2"}
    assert {"draw store cat 2", "draw store cat 3", "draw store item 1", "draw store item 3"} <= legal(s)
    dump = act(s, "draw store cat 3", "cat tabby 0", "to the wild")
    assert dump["store"] == {**gaps, "cats": [None, "smoke 1", None]}
    dump = act(s, "end")
    assert dump["store"] == {"cats": ["siamese 0", "smoke 1", "siamese 1"], "items": ["scoop", "replay", "shoo"]}
    assert dump["cat_deck"] == ["siamese 2"] and dump["item_deck"] == ["swap", "hiss"] and dump["turn"] == 1


@pytest.mark.rule("TM-6")
def test_a_drawn_face_up_card_is_replaced_from_its_own_deck_only():
    s = position(
        [["tabby 0"], []],
        store={"cats": [None, "smoke 1", None], "items": [None] * 3},
        cat_deck=["siamese 0"],
        item_deck=["hiss", "lure"],
        wild=["calico 0"],
    )
    dump = act(s, "cat tabby 0", "to home +0", "end")
    assert dump["store"] == {"cats": ["siamese 0", "smoke 1", None], "items": ["hiss", "lure", None]}
    assert dump["cat_deck"] == dump["item_deck"] == [] and dump["wild"] == ["calico 0"]


@pytest.mark.rule("TM-6")
def test_an_empty_item_deck_is_made_anew_when_an_item_is_wanted():
    s = drawing(["tabby 0"], item_deck=["scoop"], item_discard=["hiss", "lure", "lure"])
    dump = act(s, "draw item")
    assert dump["item_deck"] == [] and dump["item_discard"] == ["lure", "lure", "hiss"]  # not wanted yet
    dump = act(s, "draw item")
    assert dump["item_discard"] == [] and len(dump["item_deck"]) == 2
    drawn = dump["hands"][0]["items"]
    assert Counter(drawn + dump["item_deck"]) == Counter(["scoop", "lure", "lure", "hiss"])


@pytest.mark.rule("TM-6")
def test_the_new_item_deck_is_shuffled():
    orders = Counter()
    for seed in range(240):
        s = drawing(["tabby 0"], item_discard=["lure", "shoo", "hiss"], seed=seed)
        dump = act(s, "draw item")
        orders[(*dump["hands"][0]["items"], *dump["item_deck"])] += 1
    assert len(orders) == 6 and all(abs(count - 40) < 5 * 40**0.5 for count in orders.values())


@pytest.mark.rule("TM-6")
def test_without_deck_and_discard_no_item_can_be_drawn():
    assert legal(drawing(["tabby 0"], cat_deck=["smoke 0"])) == {"draw cat"}
    assert legal(drawing(["tabby 0"], cat_deck=["smoke 0"], item_discard=["hiss"])) == {"draw cat", "draw item"}


@pytest.mark.rule("TM-6")
def test_the_store_is_refilled_from_a_deck_made_anew_half_way():
    s = position([["tabby 0"], []], store={"cats": [], "items": []}, item_deck=["scoop"], item_discard=["hiss", "lure"])
    dump = act(s, "cat tabby 0", "to home +0", "end")
    assert dump["store"]["items"][0] == "scoop" and sorted(dump["store"]["items"][1:]) == ["hiss", "lure"]
    assert dump["item_deck"] == dump["item_discard"] == []


@pytest.mark.rule("TM-6")
def test_gaps_stay_where_there_is_nothing_to_fill_them():
    s = position([["tabby 0"], []], store={"cats": [None, "smoke 0"], "items": [None, None, "hiss"]})
    dump = act(s, "cat tabby 0", "to home +0", "end")
    assert dump["store"] == {"cats": [None, "smoke 0", None], "items": [None, None, "hiss"]}


@pytest.mark.rule("TM-6")
@pytest.mark.rule("TM-18")
def test_poop_then_eliminations_then_refill_then_the_next_turn():
    """The items of a seat that goes out are there for the refill of the same turn; its cats are in The Wild."""
    s = position(
        [["tabby 0", "hiss", "lure"], [], ["scoop"]],
        [["smoke 4", "bad fish", 7], ["tuxedo 0"], []],
        item_deck=[],
        turn=0,
    )
    dump = act(s, "cat tabby 0", "to the wild", "end")
    assert dump["out"] == [0] and dump["item_discard"] == dump["item_deck"] == []
    assert sorted(dump["store"]["items"]) == ["bad fish", "hiss", "lure"]
    assert dump["wild"] == ["tabby 0", "smoke 4"] and dump["store"]["cats"] == [None] * 3
    assert dump["turn"] == 1 and dump["phase"] == "draw"  # now the cat deck is empty: from The Wild
    assert "draw from the wild" in legal(s) and "draw store item 1" in legal(s)


@pytest.mark.rule("TM-6")
def test_cats_are_refilled_slot_by_slot_in_order():
    s = position(
        [["tabby 0"], []], store={"cats": [None, "smoke 0", None], "items": []}, cat_deck=["calico 1", "calico 3"]
    )
    dump = act(s, "cat tabby 0", "to home +0", "end")
    assert dump["store"]["cats"] == ["calico 1", "smoke 0", "calico 3"]


# ---------------------------------------------------------------- TM-7: the cat deck is empty


@pytest.mark.rule("TM-7")
def test_the_wild_is_open_only_when_the_cat_deck_is_empty():
    fields = {"wild": ["calico 0", "rainbow", "rainbow"], "store": FULL_STORE}
    assert "draw from the wild" not in legal(drawing(["tabby 0"], cat_deck=["siamese 0"], **fields))
    s = drawing(["tabby 0"], cat_deck=[], **fields)
    assert legal(s) == {"draw from the wild", *CAT_DRAWS - {"draw cat"}, *ITEM_DRAWS - {"draw item"}}
    dump = act(s, "draw from the wild")
    assert dump["pending"] == {"act": "wild"} and legal(s) == {"cat calico 0", "cat rainbow"}
    assert dump["wild"] == ["calico 0", "rainbow", "rainbow"] and GAME.current_player(s) == 0
    dump = act(s, "cat rainbow")
    assert dump["wild"] == ["calico 0", "rainbow"] and hands_of(dump)[0] == ["tabby 0", "rainbow"]
    assert dump["pending"] is None and dump["phase"] == "draw"


@pytest.mark.rule("TM-7")
def test_an_empty_wild_gives_no_cat():
    assert legal(drawing(["tabby 0"], cat_deck=[], item_deck=["hiss"], store=FULL_STORE)) == {
        "draw item", *CAT_DRAWS - {"draw cat"}, *ITEM_DRAWS - {"draw item"},
    }  # fmt: skip


@pytest.mark.rule("TM-7")
def test_the_wild_opens_in_the_middle_of_drawing():
    s = drawing(["tabby 0"], cat_deck=["siamese 0"], wild=["calico 0"], item_deck=["hiss"])
    assert legal(s) == {"draw cat", "draw item"}
    act(s, "draw cat")
    assert legal(s) == {"draw from the wild", "draw item"}
    dump = act(s, "draw from the wild", "cat calico 0")
    assert legal(s) == {"draw item"} and dump["wild"] == []


@pytest.mark.rule("TM-7")
@pytest.mark.rule("TM-5")
def test_a_cat_of_the_wild_fulfils_the_duty():
    s = drawing(SIX_ITEMS, wild=["calico 0"], item_deck=["hiss"])
    dump = act(s, "draw from the wild", "cat calico 0")
    assert dump["phase"] == "play" and len(hands_of(dump)[0]) == 7


@pytest.mark.rule("TM-7")
def test_the_duty_to_draw_lapses_when_no_cat_can_be_had():
    s = drawing(SIX_ITEMS[:4], item_deck=["hiss", "lure"])
    assert legal(s) == {"draw item"}
    act(s, "draw item")
    assert legal(s) == {"draw item"}
    dump = act(s, "draw item")
    assert dump["phase"] == "play" and dump["hands"][0]["cats"] == [] and len(dump["hands"][0]["items"]) == 6


@pytest.mark.rule("TM-7")
def test_six_items_draw_nothing_when_no_cat_can_be_had():
    s = position([["smoke 4"], SIX_ITEMS], item_deck=["hiss"])
    assert act(s, "cat smoke 4", "to home +0", "end")["phase"] == "play"
    assert "end" in legal(s)


@pytest.mark.rule("TM-7")
@pytest.mark.rule("TM-9")
def test_the_duty_to_play_a_cat_lapses_too():
    s = position([["scoop"], []], [["tabby 0", 5], []])
    assert legal(s) == {"play scoop", "discard scoop", "end"}
    dump = act(s, "end")
    assert dump["turn"] == 1 and dump["homes"][0]["poops"] == 6


@pytest.mark.rule("TM-7")
def test_cats_elsewhere_cannot_be_drawn():
    """Cats in homes and other hands are not to be had."""
    s = position([["smoke 4"], SIX_ITEMS, ["calico 0"]], [["calico 1"], ["calico 2"], []])
    assert act(s, "cat smoke 4", "to home +0", "end")["phase"] == "play"
