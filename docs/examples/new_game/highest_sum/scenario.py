"""Highest Sum: positions as scenarios."""

from poopdeck.envs.core.forms import BySeat, Cards, Counts, Deck, Flag, Number, Seat
from poopdeck.envs.core.scenario import Dealt, Field, Schema

from .cards import COPIES, MAX_KINDS
from .record import DEALT

DECK = Deck(lambda settings: range(MAX_KINDS), lambda settings: [COPIES] * settings["kinds"])
SCHEMA = Schema(
    Field("hands", BySeat(Counts(DECK, "hand")), "its hand cards, in any order", Dealt(DEALT)),
    Field("laid", BySeat(Counts(DECK, "laid")), "the cards that it has laid, in any order", []),
    Field("draw_pile", Cards(DECK, "draw", "draw_size", next_last=True), "next card first", Dealt()),
    Field("turn", Seat("turn"), "the seat to act, null when over"),
    Field("decisions", Number("decisions", 0, 1000), "decisions taken", 0),
    Field("truncated", Flag("truncated"), "whether the cap ended the game", False),
    players_from=("hands",),
)
load, dump, census, rotate = SCHEMA.load, SCHEMA.dump, SCHEMA.census, SCHEMA.rotate
