"""Schemas of scenarios: forms there and back, what is left out, what is refused, and the table on a game's page."""

from types import SimpleNamespace

import numpy as np
import pytest
from highest_sum import SPEC

from poopdeck.envs.core.forms import (
    BySeat,
    Card,
    Cards,
    Choice,
    Counts,
    Deck,
    Flag,
    MarkedSeats,
    Number,
    Parts,
    Seat,
    Seats,
)
from poopdeck.envs.core.game import Game, State
from poopdeck.envs.core.scenario import Dealt, Field, Schema

GAME = Game(SPEC)
SETTINGS = {"num_players": 3}
DECK = Deck(lambda settings: ("ace", "king", "queen"), lambda settings: [2, 2, 2], str.lower)
RECORD = np.dtype([
    ("number", "i2"), ("label", "i2"), ("flag", "i1"), ("word", "i1"), ("seat", "i1"), ("seats", "i1", 3),
    ("size", "i1"), ("marks", "i1", 3), ("card", "i1"), ("pile", "i1", 6), ("rows", "i1", (3, 6)), ("sizes", "i1", 3),
    ("counts", "i1", (3, 3)), ("points", "i2", 3),
])  # fmt: skip
HAND = Parts(Field("cards", Counts(DECK, "counts"), "", []), Field("points", Number("points", -5, 5), "", 0))


def empty():
    """A record of nothing, and what a form asks of the position that is being loaded."""
    return State(np.zeros(1, RECORD), SETTINGS), SimpleNamespace(players=3, settings=SETTINGS, strict=False)


@pytest.mark.parametrize(
    ("form", "value", "turned"),
    [
        (Number("number", -3, 9), -3, -3),
        (Number("label", or_none=True), 7, 7),
        (Flag("flag"), True, True),
        (Choice(("draw", "play"), "word"), "play", "play"),
        (Choice(lambda settings: ("no", f"{settings['num_players']}"), "word", words="a word"), "3", "3"),
        (BySeat(Choice(("hold", "slap"), "marks", or_none=True)), ["slap", None, "hold"], ["hold", "slap", None]),
        (Seat("seat"), 2, 0),
        (Seat("seat", high=3), 3, 3),  # an extra role stays where it is
        (Seats("seats", "size"), [2, 0], [0, 1]),
        (MarkedSeats("marks", mark=2), [1, 2], [0, 2]),
        (Card(DECK, "card"), "king", "king"),
        (Cards(DECK, "pile", "size"), ["queen", "ace", "queen"], ["queen", "ace", "queen"]),
        (Cards(DECK, "pile", "size", next_last=True), ["queen", "ace"], ["queen", "ace"]),
        (BySeat(Cards(DECK, "rows", "sizes")), [["king"], [], ["ace", "king"]], [["ace", "king"], ["king"], []]),
        (BySeat(Counts(DECK, "counts", "sizes")), [["ace", "ace"], [], ["king"]], [["king"], ["ace", "ace"], []]),
        (BySeat(Number("points", -5, 5)), [1, -2, 3], [3, 1, -2]),
        (
            BySeat(HAND),
            [{"cards": ["ace"], "points": 1}, {"cards": [], "points": 0}, {"cards": ["king"], "points": -1}],
            [{"cards": ["king"], "points": -1}, {"cards": ["ace"], "points": 1}, {"cards": [], "points": 0}],
        ),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "get") else None,
)
def test_a_value_comes_back_from_the_record_and_turns_with_the_seats(form, value, turned):
    state, position = empty()
    assert form.get(state) != value
    form.put(state, form.read("field", value, position))
    assert form.get(state) == value and form.turned(value, 1, 3) == turned
    assert form.turned(turned, 2, 3) == value and form.in_words()


@pytest.mark.parametrize(
    "form", [Number("label", or_none=True), Seat("seat"), Card(DECK, "card"), Choice(("a", "b"), "word", or_none=True)]
)
def test_none_is_written_as_minus_one(form):
    state, _ = empty()
    form.put(state, None)
    assert state.record[form.place] == -1 and form.get(state) is None


@pytest.mark.parametrize(
    ("form", "value", "message"),
    [
        (Number("number", 1, 9), 10, "field: 10 is not a whole number from 1 to 9"),
        (Number("number", 1, 9), True, "field: True is not"),
        (Flag("flag"), 1, "field: 1 is not true or false"),
        (Choice(("draw", "play"), "word"), "pass", "field: 'pass' is none of draw, play"),
        (Choice(("draw", "play"), "word"), None, "field: None is none of draw, play"),
        (Choice(("draw", "play"), "word", or_none=True), 1, "field: 1 is none of draw, play, null"),
        (Seat("seat"), 3, "field: 3 is not a whole number from 0 to 2"),
        (Seats("seats", "size"), [1, 1], "field: seat 1 is named twice"),
        (Cards(DECK, "pile", "size"), ["jack"], "field: 'jack' is no card"),
        (Cards(DECK, "pile", "size"), "ace", "field: a list is wanted, not 'ace'"),
        (BySeat(Counts(DECK, "counts", most=1)), [[], ["ace"] * 2, []], "field: seat 1 has 2 cards, at most 1"),
        (BySeat(Counts(DECK, "counts")), [[], "ace", []], "field: seat 1 has 'ace' instead of a list of cards"),
        (BySeat(Counts(DECK, "counts")), [[], []], "field: 2 entries for 3 seats"),
        (HAND, [], "field: an object with cards, points is wanted"),
        (HAND, {"card": []}, "field: no key 'card'; did you mean 'cards'"),
        (BySeat(HAND), [{}, {"cards": "ace"}, {}], "field: seat 1: cards: a list is wanted, not 'ace'"),
        (BySeat(HAND), [{}, {"points": 6}, {}], "field: seat 1: points: 6 is not a whole number from -5 to 5"),
    ],
)  # fmt: skip
def test_what_is_none_of_a_form_is_refused(form, value, message):
    with pytest.raises(ValueError) as error:
        form.read("field", value, empty()[1])
    assert str(error.value).startswith(message)


def test_parts_that_are_none_are_not_written_where_parts_are_sparse():
    state, _ = empty()
    for sparse, written in ((False, {"card": None, "seat": 2}), (True, {"seat": 2})):
        form = Parts(Field("card", Card(DECK, "card"), ""), Field("seat", Seat("seat"), ""), sparse=sparse)
        form.put(state, {"card": None, "seat": 2})
        assert form.get(state) == written


def test_other_spellings_of_a_card_are_read():
    assert Cards(DECK, "pile", "size").read("field", ["KING", "Ace"], empty()[1]) == [1, 0]


def test_what_is_left_out_is_dealt_from_what_is_not_placed():
    first, again, other = (GAME.dump(GAME.load({"seed": seed, "laid": [[3, 3, 3], [], []]})) for seed in (1, 1, 2))
    assert first == again and first["hands"] != other["hands"]
    assert [len(hand) for hand in first["hands"]] == [2, 2, 2] and 3 not in sum(first["hands"], first["draw_pile"])
    assert GAME.spec.scenario.census(GAME.load({})) == {kind: 3 for kind in range(4)}


def test_one_card_too_many_is_refused_with_all_fields_that_have_one():
    with pytest.raises(ValueError, match=r"^draw_pile: one 3 more than the deck has, with those in hands and laid$"):
        GAME.load({"hands": [[3], [], []], "laid": [[3, 3], [], []], "draw_pile": [3]})


def test_parameters_by_seat_turn_with_the_seats():
    schema = Schema(Field("turn", Seat("turn"), "the seat to act"), by_seat=("weights",))
    turned = schema.rotate({"players": 3, "weights": [1, 2, 3], "turn": 2}, 1)
    assert turned == {"players": 3, "weights": [3, 1, 2], "turn": 0}


def test_strict_deals_nothing():
    dump = GAME.dump(GAME.load({"strict": True, "players": 3}))
    assert dump["hands"] == [[], [], []] and dump["draw_pile"] == []


def test_a_form_without_cards_cannot_be_dealt():
    schema = Schema(Field("turn", Seat("turn"), "the seat to act", Dealt(1)))
    with pytest.raises(TypeError, match="turn: Seat is no form that can be dealt"):
        schema.load(GAME, {})


def test_checks_come_in_their_order_and_the_first_error_is_raised():
    def some(position):
        yield False, "never"
        yield position["decisions"] > 2, "decisions: more than two"
        yield position["decisions"] > 1, "decisions: more than one"

    def last(position):
        position.record["truncated"] = position["decisions"]

    schema = Schema(Field("decisions", Number("decisions"), "decisions", 0), checks=(some, last))
    assert schema.load(GAME, {"decisions": 1}).record["truncated"] == 1
    for decisions, words in ((2, "one"), (3, "two")):
        with pytest.raises(ValueError, match=f"more than {words}"):
            schema.load(GAME, {"decisions": decisions})


def test_the_table_says_what_the_declaration_says():
    schema = Schema(
        Field("hand", BySeat(HAND), "what it holds"),
        Field("draw", Cards(DECK, "pile", "size"), "next first", Dealt()),
        Field("turn", Seat("seat"), "the seat to act", lambda position: 0, "the first"),
        players_from=("hand",),
    )
    rows = {row[0]: row[1:] for row in schema.table(SPEC)}
    assert list(rows) == [
        "players", "kinds, max_decisions, history", "seed", "hand", "hand.cards", "hand.points", "draw", "turn",
        "events", "rng", "strict",
    ]  # fmt: skip
    assert rows["players"] == ("a whole number from 2 to 4", "seats", "as many as `hand` has, else 3")
    assert rows["hand.points"] == ("a whole number from -5 to 5", "", "`0`")
    assert rows["draw"] == ("cards", "next first", "all cards without a place, shuffled")
    assert rows["turn"] == ("a seat", "the seat to act", "the first")
