"""What holds in every position, whatever the options, the seed and the choices; and what random games look like."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.too_many_poops import SUPPLY, flipped, points

from .random_positions import POLICIES, random_options, random_position, seeded
from .table import CATS, GAME, ITEM_COUNTS, cards, position

SEEDS = st.integers(min_value=0, max_value=2**40)


def card_counts(dump):
    """All cats and items, wherever they lie."""
    found = [card for zone in dump["hands"] + dump["homes"] for card in cards(zone)]
    found += [card for row in dump["store"].values() for card in row if card]
    found += dump["wild"] + dump["cat_deck"] + dump["item_deck"] + dump["item_discard"]
    return Counter(found + [entry["item"] for entry in dump["stack"]])


def check_position(dump):
    """What holds between the fields of any position that has come up."""
    seats = range(dump["players"])
    rivals = [frozenset(pair) for pair in dump["rivals"]]
    total = [points(home["cats"], rivals) for home in dump["homes"]]
    for seat in dump["out"]:
        assert not cards(dump["hands"][seat]) and not cards(dump["homes"][seat]) and not dump["homes"][seat]["poops"]
    left = [seat for seat in seats if seat not in dump["out"]]
    if dump["phase"] != "over":
        assert len(left) >= 2 and dump["turn"] in left and max(total) < 10
        assert all(dump["homes"][seat]["poops"] < 10 for seat in left)
    if dump["winner"] is not None:
        assert dump["phase"] == "over" and (total[dump["winner"]] >= 10 or left == [dump["winner"]])
    for seat in seats:
        for kind in ("cats", "items"):
            assert not Counter(dump["known"][seat][kind]) - Counter(dump["hands"][seat][kind])
    assert all(sum(map(len, hand.values())) <= 7 for hand in dump["hands"])
    assert 0 <= dump["cats_left"] <= 3 and 0 <= dump["items_left"] <= 2
    for home in dump["homes"]:
        assert flipped(home["cats"], rivals) == {
            cat for cat in home["cats"] if any(pair - {cat} <= set(home["cats"]) for pair in rivals if cat in pair)
        }


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, players=st.integers(2, 6))
def test_cards_are_conserved_in_every_game(seed, players):
    rng = seeded(seed)
    s = GAME.new_state(seed=seed, num_players=players, **random_options(rng, players))
    dump = GAME.dump(s)
    box = Counter({**{cat: 1 for cat in CATS}, "rainbow": dump["rainbow_cats"], **dump["items"]})
    policies = [rng.choice(POLICIES) for _ in range(players)]
    for _ in range(60):
        dump = GAME.dump(s)
        assert card_counts(dump) == +box
        check_position(dump)
        if GAME.is_terminal(s):
            break
        names = sorted(GAME.action_name(action) for action in GAME.legal_actions(s))
        GAME.apply_action(s, GAME.action(policies[GAME.current_player(s)](rng, names)))


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_cards_are_conserved_from_every_position(seed):
    rng = seeded(seed)
    s = GAME.load(random_position(rng))
    before = card_counts(GAME.dump(s))
    for _ in range(40):
        if GAME.is_terminal(s):
            break
        assert GAME.legal_actions(s)
        GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        dump = GAME.dump(s)
        assert card_counts(dump) == before
        check_position(dump)


# ---------------------------------------------------------------- flips and points as they are seen


@pytest.mark.rule("TM-14")
@pytest.mark.rule("TM-15")
@settings(max_examples=120, deadline=None)
@given(
    cats=st.lists(st.sampled_from(CATS[:-1]), unique=True, max_size=12),
    rainbows=st.integers(0, 4),
    seed=SEEDS,
)
def test_flips_and_points_are_those_of_the_referee(cats, rainbows, seed):
    """Two homes share the cats; each seat sees the same points and flips, from its own side."""
    rng = random.Random(seed)
    homes = [[], []]
    for cat in cats + ["rainbow"] * rainbows:
        homes[rng.randrange(2)].append(cat)
    s = position([[], []], homes, phase="play") if max(worth(home) for home in homes) < 10 else None
    if s is None:
        return
    places = GAME.spec.observation_slices(s.settings)
    for viewer in (0, 1):
        seen = GAME.observation(s, viewer)
        for step in (0, 1):
            home = homes[(viewer + step) % 2]
            assert seen[places["points"]][step] * 10 == pytest.approx(worth(home))
            turned = seen[places["flipped"]].reshape(2, -1)[step]
            shown = {CATS[kind] for kind in range(30) if turned[kind]}
            assert shown == flipped(home, RIVALS)
            upright = seen[places["upright"]].reshape(2, -1)[step]
            expected = Counter(cat for cat in home if cat not in shown)
            assert [upright[kind] > 0 for kind in range(31)] == [expected[cat] > 0 for cat in CATS]


RIVALS = [frozenset(pair) for pair in GAME.dump(GAME.new_state(seed=0))["rivals"]]


def worth(home):
    return points(home, RIVALS)


# ---------------------------------------------------------------- random games


FACTS = {2: (63, 0.09), 3: (100, 0.23), 4: (130, 0.40), 5: (159, 0.52), 6: (189, 0.67)}  # decisions, won by points
GAMES = 150


@pytest.mark.rule("TM-22")
@pytest.mark.parametrize("players", FACTS)
def test_random_games_are_as_the_rules_say(players):
    """Their mean length and the share won by points; the rest is won by the last seat left, and none is cut."""
    rng = random.Random(players)
    lengths, by_points = [], 0
    for seed in range(GAMES):
        s = GAME.new_state(seed=seed, num_players=players)
        count = 0
        while legal := GAME.legal_actions(s):
            GAME.apply_action(s, rng.choice(legal))
            count += 1
        assert not GAME.is_truncated(s) and sorted(GAME.returns(s))[-1] == 1
        lengths.append(count)
        by_points += len(GAME.dump(s)["out"]) < players - 1
    length, share = FACTS[players]
    mean = sum(lengths) / GAMES
    spread = (sum((n - mean) ** 2 for n in lengths) / GAMES / GAMES) ** 0.5
    assert abs(mean - length) < 4.5 * spread + 0.5
    assert abs(by_points / GAMES - share) < 4.5 * (share * (1 - share) / GAMES) ** 0.5 + 0.005
    assert max(lengths) <= 62 * players * 1.5


@pytest.mark.slow
@pytest.mark.parametrize("players", FACTS)
def test_many_random_games_are_as_the_rules_say(players, monkeypatch):
    monkeypatch.setattr(f"{__name__}.GAMES", 3000)
    test_random_games_are_as_the_rules_say(players)


@pytest.mark.rule("TM-1")
def test_the_default_items_are_those_of_the_rulebook():
    assert sum(ITEM_COUNTS.values()) == 29 and SUPPLY == {n: 20 + 5 * n for n in range(2, 7)}
