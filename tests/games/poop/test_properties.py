"""What holds in every position of every game of Poop, whatever the parameters, the seed and the choices."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from .random_positions import LID_MAY_FIT, as_parameters, random_options, random_position
from .table import GAME, VARIANTS

EXAMPLES = settings(deadline=None, max_examples=40, derandomize=True)


@st.composite
def games(draw):
    """A game of any variant under any parameters, from its deal or from the middle of it, with a way to go on."""
    random = Random(draw(st.integers(0, 2**32)))
    variant = draw(st.sampled_from(VARIANTS))
    if draw(st.booleans()):
        s = GAME.load(random_position(random, variant))
    else:
        options = random_options(random, variant, draw(st.integers(2, 5)))
        s = GAME.new_state(seed=draw(st.integers(0, 2**70)), **as_parameters(options))
    return s, [random.getrandbits(16) for _ in range(draw(st.integers(1, 120)))]


def positions(s, choices):
    """The positions of a game played on, as dumps: each with the one before it and the action's name."""
    before, name = None, None
    for choice in choices:
        now = GAME.dump(s)
        yield before, name, now
        legal = GAME.legal_actions(s)
        if not legal:
            return
        before, name = now, GAME.action_name(legal[choice % len(legal)])
        GAME.apply_action(s, legal[choice % len(legal)])


def cards(dump):
    return Counter(sum(dump["hands"], []) + dump["table"] + dump["draw_pile"] + dump["discard"])


def toilets(dump):
    return Counter(map(tuple, [*dump["toilets"], *dump["used_toilets"], (dump["lid"], dump["water"])]))


def total(dump):
    return sum(int(card[-1]) for card in dump["table"] if card[-1].isdigit())


def row(dump):
    """How many cards on top of the table have the same colour."""
    length = 0
    for card in reversed(dump["table"]):
        if card.split(" ")[0] != dump["table"][-1].split(" ")[0]:
            break
        length += 1
    return length


@given(games())
@EXAMPLES
def test_cards_and_toilets_are_conserved(game):
    for before, _, now in positions(*game):
        if before is not None:
            assert cards(now) == cards(before) and toilets(now) == toilets(before)


@given(games())
@EXAMPLES
def test_while_it_is_a_seats_turn_the_total_is_not_too_much_and_no_row_lies_unflushed(game):
    for _, _, now in positions(*game):
        if now["phase"] == "share":
            assert now["table"] == [] and now["drinking"]
        if now["phase"] != "play":
            continue
        at_most = (
            now["lid"] if now["lid_itself"] == "fits" and now["variant"] in LID_MAY_FIT else now["lid"] - 1
        )  # PG-30
        assert total(now) <= at_most
        assert now["row"] == (row(now) % 3 if now["variant"] == "super_pooper" else row(now))
        if now["variant"] == "deep_doo_doo":
            assert now["row"] < 3 or now["table"][-1].split(" ")[0] != now["water"]
        assert now["row"] < 3 or now["variant"] == "deep_doo_doo"


@given(games())
@EXAMPLES
def test_known_cards_are_held_and_never_ones_own(game):
    for _, _, now in positions(*game):
        for seat, known in enumerate(now["known"]):
            for owner, held in enumerate(known):
                assert Counter(held) <= Counter(now["hands"][owner])
            assert now["variant"] == "super_pooper" or known[seat] == []


@given(games())
@EXAMPLES
def test_hands_are_empty_only_where_they_may_be(game):
    for _, _, now in positions(*game):
        empty = [seat for seat, hand in enumerate(now["hands"]) if not hand]
        if now["variant"] == "super_pooper":
            assert now["phase"] != "play" or (now["players"] - len(empty) >= 2 and now["turn"] not in empty)
        elif now["phase"] == "intercept":
            assert empty in ([], [now["turn"]])
        elif now["phase"] != "over":
            assert empty == []


@given(games())
@EXAMPLES
def test_each_duty_binds_one_seat_at_most_and_drinks_never_grow_less(game):
    for before, _, now in positions(*game):
        bound = sum(now["duties"], [])
        assert len(bound) == len(set(bound))
        if before is not None:
            assert all(new >= old for new, old in zip(now["drinks"], before["drinks"], strict=True))
            assert set(sum(before["duties"], [])) <= set(bound)
            assert now["drinking"] or now["drinks"] == before["drinks"]


@given(games())
@EXAMPLES
def test_payoffs_add_up_to_nothing_and_one_seat_wins_unless_cut(game):
    s, choices = game
    for _, _, now in positions(s, choices):
        payoffs = GAME.returns(s)
        assert abs(payoffs.sum()) < 1e-4
        if now["phase"] != "over":
            assert not payoffs.any() and now["winners"] == []
        elif not now["truncated"]:
            assert len(now["winners"]) == 1
        elif now["variant"] != "super_pooper":
            assert not payoffs.any() and now["winners"] == []
        assert now["decisions"] <= now["max_decisions"]


@given(games())
@EXAMPLES
def test_the_turn_stays_where_a_seat_plays_again(game):
    """After a clog, a share, a flush; an interception hands it to the seat that was asked."""
    for before, name, now in positions(*game):
        if name == "clog" or (name or "").startswith("share"):
            assert now["turn"] == before["turn"] and now["skip_next"] == before["skip_next"]
        if name == "intercept" and now["phase"] != "over":
            assert now["turn"] == before["asked"] and now["skip_next"] == before["skip_next"]
