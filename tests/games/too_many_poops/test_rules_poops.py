"""Poops, elimination, the golden poople, payoffs and the cap (TM-17 to TM-22), worked out by hand."""

import numpy as np
import pytest

from .table import GAME, PLAIN, act, hands_of, homes_of, legal, poops_of, position

TABBIES = ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]  # eight points


def end_of_turn(homes, hands=None, **fields):
    """The dump after seat `turn` has ended its turn, and the state."""
    s = position(hands or [[] for _ in homes], homes, **{"cat_played": True, "cats_left": 0, **fields})
    return act(s, "end"), s


# ---------------------------------------------------------------- TM-17: poop


@pytest.mark.rule("TM-17")
@pytest.mark.parametrize("cats", range(6))
def test_one_poop_for_every_cat(cats):
    dump, _ = end_of_turn([[*PLAIN[:cats], 3], ["smoke 3", 3]])
    assert poops_of(dump) == [3 + cats, 3]


@pytest.mark.rule("TM-17")
def test_flipped_cats_too():
    dump, _ = end_of_turn([["tabby 0", "smoke 0", "rainbow"], []])
    assert poops_of(dump) == [3, 0]


@pytest.mark.rule("TM-17")
@pytest.mark.parametrize(
    ("modifiers", "added"),
    [
        ([], 3),
        (["auto scooper"], 2),
        (["auto scooper"] * 3, 0),
        (["deluxe litter"], 1),
        (["deluxe litter", "auto scooper"], 0),
        (["deluxe litter", "auto scooper", "auto scooper"], 0),  # never fewer than 0
        (["big dinner"], 4),
        (["bad fish"], 5),
        (["bad fish", "bad fish", "big dinner"], 8),
        (["bad fish", "deluxe litter"], 3),
        (["deluxe litter", "auto scooper", "auto scooper", "auto scooper", "big dinner"], 0),
    ],
)
def test_plus_and_minus_the_modifiers(modifiers, added):
    dump, _ = end_of_turn([[*PLAIN[:3], *modifiers, 1], []])
    assert poops_of(dump)[0] == 1 + added


@pytest.mark.rule("TM-17")
@pytest.mark.parametrize(("modifiers", "added"), [(["big dinner"], 1), (["bad fish"], 2), (["auto scooper"], 0)])
def test_modifiers_of_an_empty_home_count_too(modifiers, added):
    dump, _ = end_of_turn([[*modifiers, 1], []])
    assert poops_of(dump)[0] == 1 + added


@pytest.mark.rule("TM-17")
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_only_the_home_of_the_seat_whose_turn_ends(turn):
    dump, _ = end_of_turn([["tabby 0", 1], ["calico 1", "big dinner", 1], ["ginger 3", 1]], turn=turn)
    assert poops_of(dump) == [1 + (1 + (seat == 1)) * (seat == turn) for seat in range(3)]


@pytest.mark.rule("TM-17")
def test_poops_add_up_over_the_turns():
    s = position([[], []], [["tabby 0", "tabby 1"], ["calico 2"]])
    assert poops_of(act(s, "end", "end", "end")) == [4, 1]


# ---------------------------------------------------------------- TM-18: out


@pytest.mark.rule("TM-18")
@pytest.mark.parametrize(("before", "out"), [(7, []), (8, [0]), (9, [0])])
def test_ten_poops_or_more_are_out(before, out):
    dump, s = end_of_turn([["tabby 0", "tabby 1", before], [], []])
    assert dump["out"] == out and dump["turn"] == 1 and not GAME.is_terminal(s)
    assert poops_of(dump)[0] == (0 if out else 9)


@pytest.mark.rule("TM-18")
def test_where_its_things_go():
    dump, s = end_of_turn(
        [["smoke 3"], ["tabby 0", "rainbow", "auto scooper", "bad fish", 9], ["calico 2", 4]],
        [[], ["smoke 1", "ginger 4", "hiss", "lure"], []],
        turn=1,
        wild=["calico 0"],
        item_discard=["shoo"],
        store={"cats": [], "items": ["swap", "replay", "closed door"]},
        known=[[], ["smoke 1", "lure"], []],
    )
    assert dump["out"] == [1] and dump["turn"] == 2
    assert dump["homes"][1] == {"cats": [], "modifiers": [], "poops": 0} and hands_of(dump)[1] == []
    assert dump["wild"] == ["tabby 0", "calico 0", "ginger 4", "smoke 1", "rainbow"]
    assert dump["item_discard"] == ["lure", "shoo", "auto scooper", "bad fish", "hiss"]
    assert dump["known"][1] == {"cats": [], "items": []}
    assert dump["homes"][2] == {"cats": ["calico 2"], "modifiers": [], "poops": 4}


@pytest.mark.rule("TM-18")
def test_nothing_can_be_put_into_its_home_any_more():
    full = [
        ["smoke 2", "big dinner", "lure", "scoop", "swap", "shoo"],
        [],
        ["smoke 3", "replay", "replay", "bad fish", "auto scooper", "auto scooper"],
    ]
    s = position(full, [["tabby 1"], ["tabby 0", 9], ["tabby 3"]], turn=1, cat_played=True, cats_left=0)
    assert act(s, "end", "cat smoke 3", "to home +0", "end")["out"] == [1] and GAME.current_player(s) == 0
    for words in (["play big dinner"], ["cat smoke 2"], ["play lure", "cat tabby 0"]):
        copy = GAME.clone(s)
        act(copy, *words)
        assert legal(copy) - {"to the wild"} == {"to home +0", "to home +2"}


@pytest.mark.rule("TM-18")
def test_a_seat_that_is_out_has_no_more_turns():
    s = position([[], [], []], [["tabby 0"], [9, "big dinner"], ["tabby 2"]], optional_draw=True)
    turns = [act(s, "end")["turn"] for _ in range(11)]  # from the third on each turn has two: drawing and playing
    assert turns == [1, 2, 2, 0, 0, 2, 2, 0, 0, 2, 2] and GAME.dump(s)["out"] == [1]


# ---------------------------------------------------------------- TM-19: the last seat


@pytest.mark.rule("TM-19")
@pytest.mark.parametrize("turn", [0, 1])
def test_the_last_seat_left_wins(turn):
    homes = [["tabby 0", 9], ["tabby 1", 9]]
    dump, s = end_of_turn(homes, [["hiss"], ["scoop", "smoke 4"]], turn=turn, cat_deck=["calico 0"], item_deck=["lure"])
    assert dump["winner"] == 1 - turn and dump["out"] == [turn] and dump["phase"] == "over"
    assert GAME.returns(s)[1 - turn] == 1 and GAME.returns(s)[turn] == -1 and not GAME.is_truncated(s)
    assert dump["turn"] == turn  # the game ends there: no refill, no next turn
    assert dump["store"] == {"cats": [None] * 3, "items": [None] * 3}
    assert dump["cat_deck"] == ["calico 0"] and dump["item_deck"] == ["lure"]
    assert GAME.current_player(s) == -1 and legal(s) == set()


@pytest.mark.rule("TM-19")
def test_of_three_only_one_is_left_after_two_have_gone():
    dump, s = end_of_turn([[], ["tabby 1", 9], ["tabby 2"]], turn=1, out=[0])
    assert dump["winner"] == 2 and dump["out"] == [0, 1]


# ---------------------------------------------------------------- TM-20: debt


@pytest.mark.rule("TM-20")
def test_poops_are_counted_in_full_beyond_the_tokens():
    """Six boxes of nine and more: 50 tokens are not enough, and nobody gets fewer for it."""
    homes = [[*PLAIN[:2], 7], [9], [9], [9], [9], [9]]  # 52 in all
    dump, _ = end_of_turn(homes)
    assert poops_of(dump) == [9, 9, 9, 9, 9, 9]


@pytest.mark.rule("TM-20")
@pytest.mark.rule("TM-21")
def test_debt_with_the_golden_poople():
    """48 poops in boxes, 50 tokens, four draws: the golden one is among the first three, and the rest is debt."""
    homes = [[*PLAIN[:4], 4], [9, "tabby 1"], [9], [9], [9], [8]]
    for seed in range(12):
        dump, _ = end_of_turn(homes, golden_poople=True, seed=seed)
        # golden: seat 0 adds three, the others one each; seats 1 to 4 are out
        assert dump["out"] == [1, 2, 3, 4] and poops_of(dump) == [7, 0, 0, 0, 0, 9]


# ---------------------------------------------------------------- TM-21: the golden poople


@pytest.mark.rule("TM-21")
def test_without_the_variant_there_is_no_golden_one():
    for seed in range(30):
        dump, _ = end_of_turn([[*PLAIN, 4], [8], [5]], seed=seed)
        assert poops_of(dump) == [9, 8, 5]
    assert GAME.dump(GAME.new_state(seed=0))["golden_poople"] is False


def golden_share(homes, seeds=500, **fields):
    """How often the golden one is drawn by seat 0; the two outcomes that there may be are checked."""
    before = [sum(entry for entry in home if isinstance(entry, int)) for home in homes]
    count = sum(isinstance(entry, str) and "rainbow" not in entry for entry in homes[0])
    plain = [before[0] + count, *before[1:]]
    golden = [before[0] + count - 1, *[poops + 1 for poops in before[1:]]]
    out = fields.get("out", [])
    for seat in out:
        golden[seat] = 0
    s = position([[] for _ in homes], homes, golden_poople=True, cat_played=True, cats_left=0, **fields)
    dump, hits = GAME.dump(s), 0
    del dump["rng"]
    for seed in range(seeds):
        after = poops_of(act(GAME.load({**dump, "seed": seed}), "end"))
        assert after in (plain, golden)
        hits += after == golden
    return hits / seeds


@pytest.mark.rule("TM-21")
@pytest.mark.parametrize(
    ("homes", "fields", "chance"),
    [
        # 30 tokens for two; of n draws from t tokens and the golden one, n / (t + 1) have it
        ([["tabby 0", 8], [8]], {}, 1 / 15),
        ([[*PLAIN[:3], 6], [8]], {}, 3 / 17),
        ([[*PLAIN[:4], 5], [8]], {}, 4 / 18),
        ([[*PLAIN[:2], 7], [8], [8]], {}, 2 / 13),  # 35 for three
        ([[*PLAIN[:2], 7], [8], [8], [8]], {}, 2 / 10),  # 40 for four
        ([[*PLAIN[:2], 7], [8], [8], [8], [8]], {}, 2 / 7),  # 45 for five
        ([[*PLAIN[:2], 7], [8], [8], [8], [8], [8]], {}, 2 / 4),  # 50 for six
        ([[*PLAIN[:2], 7], [8], [8], [8], [8], [0]], {"out": [5]}, 2 / 12),  # still the supply of six
        ([["tabby 0", 1], [1]], {}, 1 / 29),
    ],
)
def test_the_chance_of_the_golden_one(homes, fields, chance):
    share = golden_share(homes, **fields)
    assert abs(share - chance) < 4.5 * (chance * (1 - chance) / 500) ** 0.5


@pytest.mark.rule("TM-21")
def test_with_no_token_left_it_is_golden_for_sure():
    """Six boxes hold all 50 tokens."""
    homes = [["tabby 0", 8], [8], [8], [8], [9], [9]]
    for seed in range(20):
        dump, _ = end_of_turn(homes, golden_poople=True, seed=seed)
        assert poops_of(dump) == [8, 9, 9, 9, 0, 0] and dump["out"] == [4, 5]


@pytest.mark.rule("TM-21")
def test_once_a_turn_at_most():
    """It is out of the pouch for the rest of that turn's draws: those are tokens, or debt."""
    homes = [[*PLAIN[:5], 4], [9], [9], [9], [9], [8]]  # 48 of 50 tokens; five draws: tokens, golden, debt
    for seed in range(20):
        dump, _ = end_of_turn(homes, golden_poople=True, seed=seed)
        assert poops_of(dump) == [8, 0, 0, 0, 0, 9] and dump["out"] == [1, 2, 3, 4]


@pytest.mark.rule("TM-21")
def test_it_is_back_in_the_pouch_for_the_next_turn():
    """Where the first turn draws it, the boxes hold more than all tokens, and the second draws it for sure."""
    homes = [[*PLAIN[:4], 5], ["smoke 1", 8], [8], [8], [8], [8]]
    met = 0
    for seed in range(20):
        dump, s = end_of_turn(homes, golden_poople=True, seed=seed)
        if poops_of(dump) == [8, 9, 9, 9, 9, 9]:
            dump, met = act(s, "end"), met + 1
            assert poops_of(dump) == [9, 9, 0, 0, 0, 0] and dump["out"] == [2, 3, 4, 5]
        else:
            assert poops_of(dump) == [9, 8, 8, 8, 8, 8]
    assert met > 0


@pytest.mark.rule("TM-21")
def test_a_seat_without_poops_to_add_draws_nothing():
    homes = [["tabby 0", "auto scooper", 8], [8], [8], [8], [9], [9]]  # the pouch holds the golden one alone
    for seed in range(10):
        assert poops_of(end_of_turn(homes, golden_poople=True, seed=seed)[0]) == [8, 8, 8, 8, 9, 9]


@pytest.mark.rule("TM-21")
def test_seats_that_are_out_add_nothing():
    share = golden_share([[*PLAIN[:4], 4], [8], [0], [7]], seeds=150, out=[2])
    assert share > 0


@pytest.mark.rule("TM-21")
@pytest.mark.rule("TM-16")
def test_all_draws_are_made_before_anyone_is_tested():
    """Seat 0 ends with ten poops, so do the others by its golden one: they go from seat 0 on, the last one stays."""
    homes = [[*PLAIN[:3], 8], [9], [9], [9], [9], [9]]  # 53: the first draw is golden, then debt
    dump, s = end_of_turn(homes, golden_poople=True)
    assert dump["out"] == [0, 1, 2, 3, 4] and dump["winner"] == 5 and poops_of(dump)[5] == 10
    assert GAME.returns(s)[5] == 1


@pytest.mark.rule("TM-19")
@pytest.mark.rule("TM-21")
@pytest.mark.parametrize("turn", range(6))
def test_all_out_together_go_in_turn_order_until_one_is_left(turn):
    homes = [[9] for _ in range(6)]
    homes[turn] = [*PLAIN[:2], 9]
    dump, s = end_of_turn(homes, golden_poople=True, turn=turn)
    last = (turn - 1) % 6
    assert dump["winner"] == last and dump["out"] == [seat for seat in range(6) if seat != last]
    assert poops_of(dump) == [10 if seat == last else 0 for seat in range(6)] and dump["turn"] == turn
    assert GAME.returns(s)[last] == 1


@pytest.mark.rule("TM-19")
def test_the_seats_that_go_leave_their_things_though_the_game_ends():
    homes = [[*PLAIN[:2], 9], [9, "tuxedo 3"], [9], [9], [9], [9, "calico 0", "big dinner"]]
    hands = [["scoop", "siamese 0"], [], [], [], [], ["hiss"]]
    dump, _ = end_of_turn(homes, hands, golden_poople=True)
    assert dump["wild"] == ["tabby 0", "tuxedo 1", "tuxedo 3", "siamese 0"] and dump["item_discard"] == ["scoop"]
    assert homes_of(dump)[5] == ["calico 0"] and hands_of(dump)[5] == ["hiss"]


@pytest.mark.rule("TM-18")
@pytest.mark.rule("TM-21")
def test_another_seat_goes_out_by_the_golden_one_while_the_active_one_stays():
    homes = [["tabby 0", 5], [9], [9], [9], [9], [9]]
    homes[5] = ["calico 2", "calico 3", "calico 4", "ginger 4", 9]
    dump, _ = end_of_turn(homes, golden_poople=True)  # 50: the first draw is golden
    assert dump["out"] == [1, 2, 3, 4, 5] and dump["winner"] == 0 and poops_of(dump)[0] == 5


# ---------------------------------------------------------------- TM-22: payoffs and the cap


@pytest.mark.rule("TM-22")
@pytest.mark.parametrize("players", range(2, 7))
def test_payoffs(players):
    s = position([["tabby 4"]] + [[] for _ in range(players - 1)], [TABBIES] + [[] for _ in range(players - 1)])
    assert GAME.returns(s).tolist() == [0.0] * players
    act(s, "cat tabby 4", "to home +0")
    returns = GAME.returns(s)
    assert returns.dtype == np.float32 and returns.shape == (players,) and returns[0] == 1.0
    assert np.allclose(returns[1:], -1 / (players - 1)) and abs(returns.sum()) < 1e-6


@pytest.mark.rule("TM-22")
def test_seats_that_are_out_are_paid_as_the_others():
    s = position([["tabby 4"], [], [], []], [TABBIES, [], [], []], out=[2])
    act(s, "cat tabby 4", "to home +0")
    assert np.allclose(GAME.returns(s), [1, -1 / 3, -1 / 3, -1 / 3])


@pytest.mark.rule("TM-22")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_default_cap(players):
    assert GAME.dump(GAME.new_state(seed=0, num_players=players))["max_decisions"] == 150 * players


@pytest.mark.rule("TM-22")
def test_the_cap_truncates_and_pays_nothing():
    s = position([["tabby 0"], []], max_decisions=12, decisions=10)
    dump = act(s, "cat tabby 0")
    assert dump["decisions"] == 11 and not GAME.is_terminal(s)
    dump = act(s, "to home +0")
    assert GAME.is_terminal(s) and GAME.is_truncated(s) and dump["truncated"] is True and dump["phase"] == "over"
    assert dump["winner"] is None and GAME.returns(s).tolist() == [0, 0] and GAME.current_player(s) == -1
    assert homes_of(dump) == [["tabby 0"], []] and dump["turn"] == 0  # otherwise the position stays as it was


@pytest.mark.rule("TM-22")
def test_a_game_cut_in_the_middle_of_a_choice_stays_as_it_was():
    s = position([["tabby 0"], []], max_decisions=11, decisions=10)
    dump = act(s, "cat tabby 0")
    assert dump["truncated"] is True and dump["pending"] == {"act": "play", "cat": "tabby 0"}
    s = position([["scoop"], ["hiss"]], [[5], []], max_decisions=11, decisions=10)
    dump = act(s, "play scoop")
    assert dump["truncated"] is True and dump["stack"] == [{"item": "scoop", "by": 0}] and dump["ask"] == [1]


@pytest.mark.rule("TM-22")
@pytest.mark.parametrize("way", ["points", "last"])
def test_a_win_on_the_last_allowed_decision_counts(way):
    if way == "points":
        s = position([["tabby 4"], []], [TABBIES, []], max_decisions=12, decisions=10)
        dump = act(s, "cat tabby 4", "to home +0")
    else:
        dump, s = end_of_turn([[], ["tabby 4", 9]], turn=1, max_decisions=12, decisions=11)
    assert dump["decisions"] == 12 and dump["winner"] == 0 and dump["truncated"] is False
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and GAME.returns(s).tolist() == [1, -1]


@pytest.mark.rule("TM-22")
def test_every_action_is_a_decision():
    """Parts of choices, answers and draws too."""
    s = position([["scoop", "tabby 0"], ["hiss"]], [[5], []], phase="draw", cat_deck=["smoke 3"])
    for count, name in enumerate(["draw cat", "play scoop", "pass", "cat tabby 0", "to home +0", "end"], start=1):
        assert act(s, name)["decisions"] == count


@pytest.mark.rule("TM-22")
@pytest.mark.parametrize("cap", range(1, 9))
def test_short_games_are_cut_exactly(cap):
    s = GAME.new_state(seed=3, num_players=2, max_decisions=cap)
    for count in range(cap):
        assert not GAME.is_terminal(s) and GAME.dump(s)["decisions"] == count
        GAME.apply_action(s, GAME.legal_actions(s)[0])
    assert GAME.is_truncated(s)
