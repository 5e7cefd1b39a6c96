"""What holds in every position of Pooman, whatever the parameters, the seed and the choices."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.pooman import stars_of, start_cells

from .random_positions import census, random_options, random_position, seeded
from .table import DREADED, FRESHNESS, GAME, KEPT, act, position

EXAMPLES = settings(deadline=None, max_examples=60, derandomize=True)
SHORT = settings(deadline=None, max_examples=150, derandomize=True)


@st.composite
def games(draw):
    """A new game or one in the middle, and how it goes on."""
    rng = seeded(draw(st.integers(0, 2**40)))
    if draw(st.booleans()):
        s = GAME.load(random_position(rng))
    else:
        options = random_options(rng)
        s = GAME.new_state(seed=draw(st.integers(0, 2**70)), num_players=draw(st.integers(2, 6)), **options)
    return s, rng, draw(st.integers(0, 200))


def check_cards(dump, cards):
    assert census(dump) == cards
    for front in dump["fronts"]:
        assert not set(front) - {"1 star", "2 stars", FRESHNESS, *KEPT}
        assert stars_of(front) < 5 or dump["phase"] == "over"
    if dump["phase"] != "over":
        assert dump["winner"] is None and not dump["truncated"] and dump["decisions"] < dump["max_decisions"]
        assert dump["deck"] or dump["phase"] == "take"


def check_chase(dump):
    chase = dump["chase_state"]
    assert (chase is not None) == (dump["phase"] == "chase")
    if chase is None:
        return
    assert chase["kind"] == dump["card"] in DREADED
    size, players = dump["room_size"], dump["players"]
    assert all(0 <= place < size for cell in [*chase["players"], chase["pooman"]] for place in cell)
    full = dump["chase_ticks" if chase["kind"] == "pooman" else "pooperman_ticks"]
    assert 1 <= chase["ticks"] <= full and 0 <= chase["freeze"] < dump["freeze_ticks"]
    assert chase["ticks"] == full or not chase["freeze"]
    out = [*chase["touched"], *chase["hidden"], *chase["balanced"]]
    assert len(set(out)) == len(out) and set(out) < set(range(players))
    assert not any(dump["fronts"][seat] for seat in chase["touched"])
    for seat, moves in enumerate(chase["moves"]):
        assert moves is None or (1 <= len(moves) <= dump["player_speed"] and seat not in out)
    assert len(chase["pooman_moves"]) < dump["pooman_speed"]


def check_change(before, after):
    """What one decision can do."""
    assert after["decisions"] == before["decisions"] + 1
    assert before["deck"][len(before["deck"]) - len(after["deck"]) :] == after["deck"]
    assert len(before["deck"]) - len(after["deck"]) <= 1
    assert not Counter(before["discard"]) - Counter(after["discard"])  # nothing comes back
    assert after["turn"] in (before["turn"], (before["turn"] + 1) % before["players"])
    one, two = before["chase_state"], after["chase_state"]
    if one and two:
        walked = [distance(a, b) for a, b in zip(one["players"], two["players"], strict=True)]
        assert max(walked) <= before["player_speed"]
        assert distance(one["pooman"], two["pooman"]) <= before["pooman_speed"]
        for name in ("touched", "hidden", "balanced"):
            assert set(one[name]) <= set(two[name])
        for seat in {*one["touched"], *one["hidden"], *one["balanced"]}:
            assert one["players"][seat] == two["players"][seat]


def distance(cell, other):
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


@given(games())
@EXAMPLES
def test_every_position_is_sound(game):
    s, rng, count = game
    before = GAME.dump(s)
    cards = census(before)
    for _ in range(count):
        check_cards(before, cards)
        check_chase(before)
        if GAME.is_terminal(s):
            break
        GAME.apply_action(s, rng.choice(GAME.legal_actions(s)))
        after = GAME.dump(s)
        check_change(before, after)
        before = after
    returns = GAME.returns(s)
    assert abs(float(returns.sum())) < 1e-6
    assert (returns.max() == 1.0) == (before["winner"] is not None)


@pytest.mark.rule("PM-12")
@given(st.integers(2, 6), st.integers(3, 16), st.integers(1, 30))
@SHORT
def test_start_cells_of_all_rooms(players, room_size, start_distance):
    fields = {"room_size": room_size, "start_distance": start_distance}
    farthest = room_size - 1 + room_size // 2
    if start_distance > farthest:
        with pytest.raises(ValueError, match="start_distance"):
            position([["1 star"]] * players, **fields)
        return
    chase = act(position([["1 star"]] * players, deck=["pooman", "1 star"], **fields), "draw")["chase_state"]
    assert chase["pooman"] == [room_size // 2, 0]
    assert (chase["pooman"], chase["players"]) == start_cells(players, room_size, start_distance)
    assert chase["players"] == sorted(chase["players"])  # west to east: no column has two
    for column, row in chase["players"]:
        assert distance([column, row], chase["pooman"]) == start_distance
        assert 0 <= column < room_size and 1 <= row < room_size
