"""Rivals, points and winning by them (TM-14 to TM-16), worked out by hand and by trying all ways of counting."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.too_many_poops import default_rivals, points

from .table import (
    CATS,
    GAME,
    LITTERS,
    TEN_POINTS,
    act,
    home,
    homes_of,
    legal,
    position,
    winner_of,
    written,
)

RIVALS = default_rivals()
NEAR = ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]  # eight points
KITTENS = ["ginger 0", "ginger 1", "calico 0", "calico 1"]  # eight points, no rivals among them


def ten_with_the_last(cats):
    """Whether a home reaches ten points when the last of these cats is played into it."""
    s = position([[cats[-1]], []], [cats[:-1], []])
    return act(s, f"cat {cats[-1]}", "to home +0")["winner"] == 0


# ---------------------------------------------------------------- TM-15: points


@pytest.mark.rule("TM-15")
@pytest.mark.parametrize(
    ("cats", "worth"),
    [
        (TEN_POINTS, 10),  # 5 x 2
        (["tabby 0", "tabby 1", "calico 2", "calico 3", "calico 4"], 10),  # 2 x 2 + 3 x 2
        (["tabby 0", "tabby 1", "tabby 2", "tabby 3"], 8),
        (["tabby 0", "tabby 1", "calico 2", "calico 3", "ginger 4"], 9),
        (["tabby 0", "tabby 1", "calico 2", "calico 3", "ginger 4", "siamese 2"], 10),
        (["tabby 0", "tabby 1", "tabby 2", "calico 2", "ginger 4", "siamese 3"], 9),
        (["tabby 0", "tabby 1", "tabby 2", "calico 2", "ginger 4", "siamese 3", "tuxedo 1"], 10),
        (["tabby 0", "tuxedo 1", "calico 2", "siamese 3", "ginger 4"], 5),
    ],
)
def test_singles_and_litters(cats, worth):
    assert points(cats, RIVALS) == worth  # the referee agrees with the hand
    assert ten_with_the_last(cats) is (worth >= 10)


@pytest.mark.rule("TM-15")
@pytest.mark.parametrize(
    ("cats", "worth"),
    [
        (["rainbow"], 1),
        (["rainbow", "rainbow"], 4),  # a litter with each other
        (["rainbow"] * 4, 8),
        (["tabby 0", "rainbow"], 4),
        (["rainbow"] * 4 + ["tabby 0"], 10),
        (["tabby 0", "tabby 1", "rainbow"], 6),
        (["tabby 0", "tabby 1", "tabby 2", "tabby 3", "rainbow"], 10),
        (["tabby 0", "tabby 1", "tabby 2", "calico 2", "rainbow"], 10),  # the single one, not the three
        (["tabby 0", "calico 2", "ginger 4", "rainbow", "rainbow"], 9),
        (["tabby 0", "calico 2", "ginger 4", "rainbow", "rainbow", "rainbow"], 12),
        (["tabby 0", "calico 2", "rainbow", "rainbow"], 8),
        (["tabby 0", "calico 2", "rainbow", "rainbow", "rainbow"], 10),
        (["tabby 0", "tuxedo 1", "calico 2", "siamese 3", "ginger 4", "rainbow"], 8),
        (["tabby 0", "smoke 0", "rainbow"], 1),  # flipped cats are no litter for it
        (["tabby 0", "smoke 0", "rainbow", "rainbow"], 4),
    ],
)
def test_rainbow_cats_count_for_the_best_total(cats, worth):
    assert points(cats, RIVALS) == worth
    if points(cats[:-1], RIVALS) < 10:
        assert ten_with_the_last(cats) is (worth >= 10)


@pytest.mark.rule("TM-15")
def test_a_rainbow_cat_changes_its_litter_at_any_time():
    """It makes four of the tabbies six, then, as one of them leaves, a litter with the calico."""
    s = position(
        [["calico 3", "shoo"], []], [["tabby 0", "tabby 1", "tabby 2", "tabby 3"], ["rainbow"]], cat_played=False
    )
    dump = act(s, "play shoo", "cat tabby 3", "cat calico 3", "to home +0")
    assert dump["winner"] is None  # 3 x 2 + 1
    s = position([["rainbow"], []], [["tabby 0", "tabby 1", "tabby 2", "calico 3"], []])
    assert act(s, "cat rainbow", "to home +0")["winner"] == 0  # 3 x 2 + 2 x 2


@pytest.mark.rule("TM-15")
@pytest.mark.rule("TM-14")
@pytest.mark.parametrize(
    ("cats", "worth"),
    [
        ([*NEAR, "smoke 0"], 6),  # tabby 0 and smoke 0 are flipped
        (["smoke 0", *NEAR, "tabby 4"], 8),
        ([*NEAR, "siamese 4", "tabby 4"], 8),
        (["tabby 0", "tabby 1", "smoke 0"], 1),  # the litter has only one unflipped cat
        ([*NEAR, "smoke 0", "smoke 1", "smoke 2"], 10),  # the other smokes are no rivals of anything here
        ([*KITTENS, "tabby 1"], 5),  # calico 1 is flipped: 2 x 2 + 1
        ([*KITTENS, "tabby 1", "rainbow"], 8),
        ([*KITTENS, "tabby 1", "rainbow", "rainbow"], 10),
    ],
)
def test_flipped_cats_count_nothing(cats, worth):
    assert points(cats, RIVALS) == worth
    assert ten_with_the_last(cats) is (worth >= 10)


def best_total_by_brute_force(cats, rivals):
    """TM-15 again, in other words: every litter for every rainbow cat, one after the other."""
    up = [cat for cat in cats if not any(cat in pair and pair <= set(cats) for pair in rivals)]
    ways = [[]]
    for cat in up:
        litters = LITTERS if cat == "rainbow" else [cat.split()[0]]
        ways = [[*way, litter] for way in ways for litter in litters]
    return max(sum(2 if way.count(litter) > 1 else 1 for litter in way) for way in ways)


some_home = st.tuples(
    st.lists(st.sampled_from(CATS[:-1]), unique=True, max_size=9), st.integers(min_value=0, max_value=4)
).map(lambda found: found[0] + ["rainbow"] * found[1])


@pytest.mark.rule("TM-15")
@settings(max_examples=150, deadline=None)
@given(some_home)
def test_the_best_total_is_that_of_all_ways_of_counting(cats):
    """Ten points cannot be loaded while nobody has won: so a load tells which side of ten a home is on."""
    best = best_total_by_brute_force(cats, RIVALS)
    assert points(cats, RIVALS) == best
    scenario = written([[], []], [cats, []])
    if best >= 10:
        with pytest.raises(ValueError, match="homes"):
            GAME.load(scenario)
    else:
        assert GAME.dump(GAME.load(scenario))["homes"][0] == home(sorted(cats, key=CATS.index))


@pytest.mark.rule("TM-15")
@settings(max_examples=150, deadline=None)
@given(some_home, st.sampled_from(CATS))
def test_a_cat_wins_where_it_makes_ten(cats, cat):
    if best_total_by_brute_force(cats, RIVALS) >= 10 or cats.count(cat) >= (4 if cat == "rainbow" else 1):
        return
    s = position([[cat], []], [cats, []])
    act(s, f"cat {cat}", "to home +0")
    assert winner_of(s) == (0 if best_total_by_brute_force([*cats, cat], RIVALS) >= 10 else None)


# ---------------------------------------------------------------- TM-14: rivals


@pytest.mark.rule("TM-14")
@pytest.mark.parametrize("pair", [sorted(pair) for pair in RIVALS])
def test_each_pair_of_rivals_is_flipped_in_one_home(pair):
    """Eight points by two litters without the pair; the pair adds nothing, and each of them alone adds something."""
    litters = [litter for litter in LITTERS if litter not in "".join(pair)]
    free = next(
        cats
        for one, other in combinations(litters, 2)
        for cats in [[f"{one} 0", f"{one} 1", f"{other} 3", f"{other} 4"]]
        if points([*cats, *pair], RIVALS) == 8 == points(cats, RIVALS)
    )
    s = position([[pair[1]], []], [[*free, pair[0]], []])
    assert act(s, f"cat {pair[1]}", "to home +0")["winner"] is None
    single = next(
        cat for cat in CATS[:-1]
        if cat not in (*free, *pair) and points([*free, pair[0], cat], RIVALS) == 10
    )  # fmt: skip
    s = position([[single], []], [[*free, pair[0]], []])
    assert act(s, f"cat {single}", "to home +0")["winner"] == 0


@pytest.mark.rule("TM-14")
def test_a_flipped_cat_turns_back_when_its_rival_leaves():
    """And the points that come back can win, on anyone's turn."""
    homes = [[*NEAR, "tabby 4", "smoke 0"], []]
    dump = act(position([["shoo"], []], homes), "play shoo", "cat smoke 0")
    assert dump["winner"] == 0 and dump["wild"] == ["smoke 0"] and dump["phase"] == "over"
    dump = act(position([[], ["shoo"]], homes, turn=1), "play shoo", "cat smoke 0")
    assert dump["winner"] == 0 and dump["turn"] == 1


@pytest.mark.rule("TM-14")
def test_a_flipped_cat_that_leaves_turns_its_rival_back():
    s = position([["shoo"], []], [["smoke 0", "smoke 1", "smoke 2", "smoke 3", "smoke 4", "tabby 0"], []])
    assert act(s, "play shoo", "cat tabby 0")["winner"] == 0


@pytest.mark.rule("TM-14")
def test_it_stays_flipped_while_its_rival_is_there():
    s = position([["shoo"], []], [[*NEAR, "tabby 4", "smoke 0", "smoke 3"], []])
    assert act(s, "play shoo", "cat smoke 3")["winner"] is None


@pytest.mark.rule("TM-14")
def test_rivals_in_different_homes_do_not_care():
    s = position([["tabby 4"], []], [NEAR, ["smoke 0", "siamese 4"]])
    assert act(s, "cat tabby 4", "to home +0")["winner"] == 0


@pytest.mark.rule("TM-14")
def test_there_is_no_rivalry_in_the_wild():
    """Rivals lie in The Wild, and one of them comes back unflipped."""
    s = position([["lure"], []], [["tabby 1", "tabby 2", "tabby 3", "tabby 4"], []], wild=["tabby 0", "smoke 0"])
    dump = act(s, "play lure", "cat tabby 0", "to home +0")
    assert dump["winner"] == 0 and dump["wild"] == ["smoke 0"]


@pytest.mark.rule("TM-14")
def test_rainbow_cats_have_no_rivals():
    s = position([["rainbow"], []], [[*NEAR], []], wild=["rainbow"] * 3)
    assert act(s, "cat rainbow", "to home +0")["winner"] == 0


@pytest.mark.rule("TM-14")
def test_other_rivals_by_parameter():
    """Rivals of one litter too; cats without a pair have no rival."""
    rivals = [["tabby 3", "tabby 4"], ["smoke 0", "ginger 1"]]
    s = position([["tabby 4"], []], [NEAR, []], rivals=rivals)
    assert act(s, "cat tabby 4", "to home +0")["winner"] is None
    s = position([["tabby 4"], []], [[*NEAR[:3], "smoke 0", "ginger 4"], []], rivals=rivals)  # no pair is here
    assert act(s, "cat tabby 4", "to home +0")["winner"] == 0
    s = position([["tabby 4"], []], [[*NEAR[:3], "smoke 0", "ginger 1"], []], rivals=rivals)
    assert act(s, "cat tabby 4", "to home +0")["winner"] is None


@pytest.mark.rule("TM-14")
def test_no_rivals_at_all():
    s = position([["smoke 0"], []], [[*NEAR, "ginger 4"], []], rivals=[])
    assert act(s, "cat smoke 0", "to home +0")["winner"] == 0


# ---------------------------------------------------------------- TM-16: ten points


@pytest.mark.rule("TM-16")
def test_ten_points_win_at_once():
    s = position([["tabby 4", "scoop"], []], [[*NEAR, 9], []])
    dump = act(s, "cat tabby 4", "to home +0")
    assert dump["phase"] == "over" and dump["winner"] == 0 and dump["truncated"] is False
    assert dump["homes"][0]["poops"] == 9  # no poop any more
    assert legal(s) == set() and GAME.current_player(s) == -1 and GAME.returns(s).tolist() == [1, -1]


@pytest.mark.rule("TM-16")
@pytest.mark.parametrize("step", [1, 2])
def test_another_seat_wins_by_a_cat_put_into_its_home(step):
    homes = [[], [], []]
    homes[step] = NEAR
    dump = act(position([["tabby 4"], [], []], homes), "cat tabby 4", f"to home +{step}")
    assert dump["winner"] == step and dump["turn"] == 0


@pytest.mark.rule("TM-16")
def test_a_win_by_a_lure():
    dump = act(position([["lure"], []], [[], NEAR], wild=["tabby 4"]), "play lure", "cat tabby 4", "to home +1")
    assert dump["winner"] == 1 and dump["item_discard"] == ["lure"] and dump["stack"] == []


@pytest.mark.rule("TM-16")
def test_a_win_by_a_swap():
    s = position([["swap"], []], [[*NEAR, "smoke 4"], ["tabby 4"]])
    dump = act(s, "play swap", "cat smoke 4", "cat tabby 4")
    assert dump["winner"] == 0 and homes_of(dump)[1] == ["smoke 4"]


@pytest.mark.rule("TM-16")
@pytest.mark.rule("TM-14")
def test_a_departing_rival_gives_ten_points():
    """Swapped away out of another home: the flipped cat there turns back."""
    s = position([["swap"], []], [["calico 2"], [*NEAR, "tabby 4", "smoke 0"]])
    dump = act(s, "play swap", "cat calico 2", "cat smoke 0")
    assert dump["winner"] == 1 and homes_of(dump)[0] == ["smoke 0"]


TWO_TENS = [[*NEAR, "smoke 4"], ["tabby 4", "smoke 0", "smoke 1", "smoke 2", "smoke 3"]]


@pytest.mark.rule("TM-16")
@pytest.mark.parametrize("turn", [0, 1])
def test_if_two_reach_ten_the_seat_whose_turn_it_is_comes_first(turn):
    hands = [[], []]
    hands[turn] = ["swap"]
    own, other = ("smoke 4", "tabby 4") if turn == 0 else ("tabby 4", "smoke 4")
    s = position(hands, TWO_TENS, turn=turn)
    dump = act(s, "play swap", f"cat {own}", f"cat {other}")
    assert dump["winner"] == turn
    assert [points(cats, RIVALS) for cats in homes_of(dump)] == [10, 10]


@pytest.mark.rule("TM-16")
def test_a_win_needs_no_end_of_the_turn_and_poops_do_not_matter():
    s = position([[], ["tabby 4"]], [[9], [*NEAR, "bad fish", "big dinner", 9]], turn=1)
    assert act(s, "cat tabby 4", "to home +0")["winner"] == 1


@pytest.mark.rule("TM-16")
def test_nine_points_do_not_win():
    s = position([["ginger 4"], []], [["tabby 0", "tabby 1", "calico 2", "calico 3"], []])
    dump = act(s, "cat ginger 4", "to home +0")
    assert dump["winner"] is None and dump["phase"] == "play"


@pytest.mark.rule("TM-16")
def test_cats_in_the_hand_count_nothing():
    s = position([["tabby 4", "smoke 4"], []], [NEAR, []])
    assert act(s, "cat smoke 4", "to home +1")["winner"] is None


@pytest.mark.rule("TM-16")
def test_more_than_ten_points():
    s = position([["rainbow"], []], [["tabby 0", "tabby 1", "tabby 2", "calico 2", "ginger 4", "siamese 3"], []])
    assert act(s, "cat rainbow", "to home +0")["winner"] == 0  # 6 + 2 x 2 + 1 + 1 = 12
