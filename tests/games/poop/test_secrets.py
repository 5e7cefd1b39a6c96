"""What a seat cannot know shows in nothing that it is shown: observation, description, picture."""

import json
from itertools import permutations

import pytest

from .random_positions import random_position, seeded
from .table import GAME, VARIANTS, act, legal, position, shown

MORE = ["yellow 4", "yellow 5"]
DRAW = ["blue 4", "blue 5", "yellow 1", "yellow 2", "yellow 3"]


def same_for(seats, *positions):
    """All these positions look the same to these seats."""
    for seat in seats:
        views = [shown(s, seat) for s in positions]
        assert all(view == views[0] for view in views[1:]), f"seat {seat} sees the difference"


def differs_for(seat, one, other):
    return shown(one, seat)[0] != shown(other, seat)[0]


# ---------------------------------------------------------------- order of piles, hidden hands


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_order_of_the_piles_is_hidden(variant):
    hands, toilets = [["blue 1", "red 1"], MORE, MORE], [[8, "yellow"], [9, "blue"], [12, "red"]]
    fields = {"draw_pile": [] if variant == "super_pooper" else DRAW, "toilets": toilets, "table": ["blue 3"]}
    one = position(hands, variant, **fields)
    other = position(hands, variant, **{**fields, "draw_pile": fields["draw_pile"][::-1], "toilets": toilets[::-1]})
    same_for(range(3), one, other)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "super_pooper"])
def test_hidden_hands_and_the_draw_pile_cannot_be_told_apart(variant):
    def table(second, third, pile):
        return position([["blue 1", "red 1"], second, third], variant, draw_pile=pile, table=["blue 3"])

    one = table(MORE, ["blue 2", "red skip"], DRAW)
    same_for([0], one, table(["blue 2", "yellow 5"], ["yellow 4", "red skip"], DRAW))
    same_for([0], one, table(["blue 4", "yellow 5"], ["blue 2", "red skip"], ["yellow 4", *DRAW[1:]]))
    same_for([0, 2], one, table(["blue 4", "yellow 5"], ["blue 2", "red skip"], ["yellow 4", *DRAW[1:]]))
    assert differs_for(1, one, table(["blue 2", "yellow 5"], ["yellow 4", "red skip"], DRAW))


def test_known_cards_are_shown_to_those_who_know_them_and_to_nobody_else():
    hands = [["blue 1", "red 1"], ["yellow 4", "yellow 5"], ["blue 2", "red skip"]]
    nothing = [[[], [], []]] * 3
    one = position(hands, "flushers_delight", known=nothing)
    other = position(hands, "flushers_delight", known=[[[], ["yellow 4"], []], *nothing[1:]])
    same_for([1, 2], one, other)
    assert differs_for(0, one, other)


# ---------------------------------------------------------------- blind_pooper: the lid and the water


def blind(lid, water, toilets, **fields):
    hands = [["blue 1", "red 1"], MORE, ["red wild grunt", "blue 5"]]
    return position(hands, "blind_pooper", lid=lid, water=water, toilets=toilets, **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"table": ["red 2", "blue 2"]},
        {"table": ["red 1", "red 2"], "turn": 1},
        {"drinking": True, "drinks": [3, 0, 4], "used_toilets": [[6, "blue"]]},
        {"drinking": True, "phase": "share", "last_card": "red 5"},
        {"drinking": True, "phase": "share", "turn": 2, "decisions": 9, "survived": 4},
        {"table": ["red 1"], "survived": 6, "duties_model": "forgetful", "duties": [["grunt"], [], []]},
    ],
)
def test_nobody_sees_the_lid_nor_the_water(fields):
    """Any toilet that is not known to be used may be the open one."""
    toilets = [[8, "yellow"], [9, "blue"], [12, "red"]]
    positions = [blind(*order[0], [list(toilet) for toilet in order[1:]], **fields) for order in permutations(toilets)]
    same_for(range(3), *positions)
    for s in positions[1:]:
        assert legal(s) == legal(positions[0])


def test_elsewhere_everybody_sees_them():
    hands = [["blue 1", "red 1"], MORE, ["red wild grunt", "blue 5"]]
    toilets = {"toilets": [[9, "blue"]]}
    one = position(hands, lid=8, water="yellow", **toilets)
    for seat in range(3):
        assert differs_for(seat, one, position(hands, lid=7, water="yellow", **toilets))
        assert differs_for(seat, one, position(hands, lid=8, water="red", **toilets))


def test_playing_below_the_lid_shows_only_that_it_was_survived():
    toilets = [[8, "yellow"], [12, "red"]]
    one, other = (blind(*toilets[k], [toilets[1 - k]], table=["blue 2"]) for k in (0, 1))
    for s in (one, other):
        assert act(s, "play red 1")["survived"] == 3 and act(s, "play yellow 4")["survived"] == 7
    same_for(range(3), one, other)


def test_the_highest_total_survived_is_shown():
    toilets = [[8, "yellow"], [14, "blue"]]
    one, other = (blind(12, "red", toilets, table=["blue 2"], survived=survived) for survived in (2, 7))
    assert all(differs_for(seat, one, other) for seat in range(3))


# ---------------------------------------------------------------- interceptor: who is asked


HELD = ["blue 1", "red 1"]


def interceptor(hands, **fields):
    fields = {"table": ["red 3", "blue 1"], "lid": 12, "turn": 0, "decisions": 5, **fields}
    return position([["blue 2", "red 4"], *hands], "interceptor", **fields)


def asked(*seats, now=None, **fields):
    """Seat 0 has played a blue 1, which these seats hold; `now` is asked (the first of them by default)."""
    hands = [HELD if seat in seats else MORE for seat in (1, 2, 3)]
    return interceptor(hands, phase="intercept", asked=now, **fields)


def nobody_asked(*holders, **fields):
    """The same cards in the same hands, but the question has not come up (yet, or at all)."""
    return interceptor([HELD if seat in holders else MORE for seat in (1, 2, 3)], **fields)


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("direction", [1, -1])
def test_seats_not_asked_see_what_they_see_when_nobody_is(seat, direction):
    one, other = asked(seat, direction=direction), nobody_asked(seat, direction=direction)
    assert GAME.current_player(one) == seat and GAME.current_player(other) == 0
    same_for([other for other in range(4) if other != seat], one, other)
    assert differs_for(seat, one, other), "the seat that is asked must see it"


@pytest.mark.parametrize("holders", [(1, 2), (1, 3), (2, 3), (1, 2, 3)])
def test_nor_do_they_see_who_is(holders):
    """Another holder does not know whether it will be asked, is asked after others, or has been."""
    views = {now: asked(*holders, now=now) for now in holders}
    for seat in range(4):
        same_for([seat], nobody_asked(*holders), *[s for now, s in views.items() if now != seat])


def test_who_holds_the_card_cannot_be_seen():
    one, other, none = asked(1), asked(3), interceptor([MORE, HELD, MORE])
    same_for([0], one, other, none)
    same_for([2], one, other)


@pytest.mark.parametrize("number", [0, 5, 40])
def test_the_count_of_decisions_tells_nobody_of_secret_questions(number):
    same_for(range(4), nobody_asked(1, decisions=number), nobody_asked(1))
    same_for(range(4), asked(1, decisions=number), asked(1))


def test_after_the_questions_nothing_is_left_of_them():
    """Passed by two, by one, or never asked: the seats without the card see the same afterwards."""
    ends = []
    for hands in ([HELD, HELD, MORE], [HELD, MORE, MORE], [MORE, HELD, MORE], [MORE, MORE, MORE]):
        s = position([["blue 1", "blue 2", "red 4"], *hands], "interceptor", table=["red 3"], lid=12, draw_pile=DRAW)
        act(s, "play blue 1")
        while GAME.dump(s)["phase"] == "intercept":
            act(s, "pass")
        ends.append(s)
    for s in ends:
        assert GAME.dump(s)["turn"] == 1
    same_for([0, 3], *ends)


def test_a_laid_card_that_somebody_may_intercept():
    """Here the table reaches the lid, so that all see that somebody is asked; but not who."""
    fields = {"lid": 4}
    same_for([0, 2], asked(1, **fields), asked(3, **fields))
    same_for([0, 3], asked(1, **fields), asked(2, **fields))
    one, two = (asked(1, 2, now=now, **fields) for now in (1, 2))
    same_for([0, 3], one, two)


# ---------------------------------------------------------------- super_pooper: unflipped cards and slaps


def test_unflipped_cards_are_hidden_from_everybody():
    one = position(
        [["blue 1", "red 2", "red 3"], ["yellow 4", "yellow 5"], ["blue 4"]], "super_pooper", table=["red 1"]
    )
    for piles in (
        [["red 3", "blue 1", "red 2"], ["yellow 4", "yellow 5"], ["blue 4"]],
        [["blue 1", "red 2", "red 3"], ["yellow 5", "yellow 4"], ["blue 4"]],
        [["blue 4", "red 2", "yellow 5"], ["yellow 4", "red 3"], ["blue 1"]],
    ):
        same_for(range(3), one, position(piles, "super_pooper", table=["red 1"]))


def test_known_cards_of_the_own_pile_are_shown_but_not_where_they_lie():
    known = [[["red 2"], [], []], [["red 2"], ["yellow 5"], []], [[], [], []]]
    one = position([["blue 1", "red 2", "red 3"], ["yellow 4", "yellow 5"], ["blue 4"]], "super_pooper", known=known)
    other = position([["red 2", "blue 4", "red 3"], ["yellow 5", "yellow 4"], ["blue 1"]], "super_pooper", known=known)
    same_for(range(3), one, other)
    nothing = [[[], [], []], *known[1:]]
    forgotten = position(
        [["blue 1", "red 2", "red 3"], ["yellow 4", "yellow 5"], ["blue 4"]], "super_pooper", known=nothing
    )
    assert differs_for(0, one, forgotten)
    same_for([1, 2], one, forgotten)


def test_committed_answers_are_hidden():
    def slapping(first, second, asked=3):
        slaps = [None, first, second, None] if asked == 3 else [None, first, None, None]
        fields = {"table": ["red 1", "red 2", "red 3"], "phase": "slap", "asked": asked, "slaps": slaps}
        return position([["blue 1"], MORE, MORE, MORE], "super_pooper", **fields)

    same_for([0, 2, 3], slapping("slap", None, 2), slapping("hold", None, 2))
    positions = {answers: slapping(*answers) for answers in (("slap", "slap"), ("slap", "hold"), ("hold", "slap"))}
    same_for([0, 3], *positions.values())
    same_for([1], positions["slap", "slap"], positions["slap", "hold"])
    same_for([2], positions["slap", "slap"], positions["hold", "slap"])


def test_the_seat_that_is_asked_last_sees_nothing_of_the_others_slaps():
    views = []
    for answers in (["slap", "slap", "hold"], ["hold", "hold", "hold"], ["slap", "slap", "slap"]):
        s = position([["red 3", "blue 1"], MORE, MORE, MORE], "super_pooper", table=["red 1", "red 2"])
        act(s, "flip", *answers)
        assert GAME.current_player(s) == 0
        views.append(s)
    same_for([0], *views)


# ---------------------------------------------------------------- resampling


@pytest.mark.parametrize("variant", VARIANTS)
def test_resampling_changes_nothing_that_a_seat_sees_or_that_is_plain(variant):
    """And what it makes is a position that can be loaded, with the same cards in it."""
    rng = seeded(31)
    for _ in range(12):
        s = GAME.load(random_position(rng, variant))
        for _ in range(rng.randrange(6)):
            if not GAME.is_terminal(s):
                GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        before = GAME.dump(s)
        for seat in range(before["players"]):
            drawn = GAME.resample(s, seat, rng.getrandbits(30))
            after = GAME.dump(drawn)
            assert shown(drawn, seat) == shown(s, seat), before
            plain = ["turn", "direction", "skip_next", "duties", "drinks", "table", "discard", "used_toilets", "row"]
            plain += [] if variant in ("interceptor",) else ["phase", "asked"]
            assert {field: after[field] for field in plain} == {field: before[field] for field in plain}
            assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
            assert sorted(sum(after["hands"], after["draw_pile"])) == sorted(sum(before["hands"], before["draw_pile"]))
            if variant != "super_pooper":
                assert after["hands"][seat] == before["hands"][seat]
            assert after["known"][seat] == before["known"][seat]
            assert GAME.dump(GAME.load(json.loads(json.dumps(after))))["hands"] == after["hands"]


def test_resampling_moves_what_is_hidden():
    s = position([["blue 1"], MORE, ["blue 2", "red skip"]], "blind_pooper", draw_pile=DRAW, table=["red 2"])
    drawn = [GAME.dump(GAME.resample(s, 0, seed)) for seed in range(60)]
    assert {dump["lid"] for dump in drawn} == {8, 9, 10}
    assert {card for dump in drawn for card in dump["hands"][1]} == {*MORE, "blue 2", "red skip", *DRAW}


def test_resampling_keeps_a_blind_lid_above_what_it_survived():
    toilets = [[8, "yellow"], [5, "blue"], [12, "red"]]
    s = position(
        [["blue 1"], MORE], "blind_pooper", draw_pile=DRAW, table=["red 2"], lid=10, toilets=toilets, survived=8
    )
    assert {GAME.dump(GAME.resample(s, 0, seed))["lid"] for seed in range(60)} == {10, 12}


# ---------------------------------------------------------------- what is plain is shown

PLAIN = {
    "hands": [["blue 1", "red 1"], MORE, ["blue 2", "red skip"]], "table": ["blue 3"], "draw_pile": DRAW,
    "discard": ["red 5"], "toilets": [[8, "yellow"], [9, "blue"]], "used_toilets": [[12, "blue"]], "drinking": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("table", ["blue 2"]),
        ("table", ["blue 3", "red wild grunt"]),
        ("lid", 11),
        ("water", "blue"),
        ("discard", ["red 4"]),
        ("discard", []),
        ("used_toilets", [[13, "blue"]]),
        ("draw_pile", DRAW[1:]),
        ("toilets", [[8, "yellow"]]),
        ("hands", [PLAIN["hands"][0], [*MORE, "red 3"], PLAIN["hands"][2]]),
        ("direction", -1),
        ("skip_next", True),
        ("duties", [[], ["grunt"], []]),
        ("duties", [[], [], ["grunt"]]),
        ("drinks", [0, 0, 3]),
        ("turn", 1),
    ],
)
def test_everybody_sees_what_lies_open(field, value):
    one, other = position(**PLAIN), position(**{**PLAIN, field: value})
    for seat in range(3):
        assert differs_for(seat, one, other), f"seat {seat} does not see the difference"


@pytest.mark.parametrize("variant", VARIANTS)
def test_everybody_sees_the_last_card_and_who_shares(variant):
    fields = {**PLAIN, "table": [], "draw_pile": [] if variant == "super_pooper" else DRAW}
    one, other = (position(variant=variant, last_card=card, **fields) for card in ("blue 4", "red skip"))
    share = position(variant=variant, last_card="blue 4", phase="share", **fields)
    for seat in range(3):
        assert differs_for(seat, one, other) and differs_for(seat, one, share)


def test_a_seat_sees_its_own_hand_and_its_own_slap():
    one = position(**PLAIN)
    other = position(**{**PLAIN, "hands": [["blue 1", "red 2"], *PLAIN["hands"][1:]], "draw_pile": DRAW})
    assert differs_for(0, one, other)
    fields = {"table": ["red 1", "red 2", "red 3"], "phase": "slap", "asked": 2, "variant": "super_pooper"}
    one, other = (position([["blue 1"], MORE, MORE], slaps=[None, a, None], **fields) for a in ("slap", "hold"))
    assert differs_for(1, one, other)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_at_the_end_everybody_sees_that_it_is_over(seat):
    one = position([["blue 1"], MORE, MORE])
    before = shown(one, seat)
    act(one, "play blue 1")
    assert shown(one, seat) != before and "win" in GAME.describe(one, seat).lower()
