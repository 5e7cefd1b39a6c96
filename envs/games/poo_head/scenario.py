"""Positions of Poo Head as scenarios."""

from collections.abc import Mapping
from typing import Any

from ...core.forms import BySeat, Cards, Choice, Counts, Deck, Flag, Number, Seat, Seats
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Schema
from .cards import CARDS, card_counts, card_names, spelling
from .record import COPIES, DEALT, NUMBERS, PLAY, PLAYERS_PER_DECK, POO_HEAD

PHASES = ("arrange", "play", "over")


def _deck(settings: Mapping[str, Any]) -> list[int]:
    """How many cards of each rank all decks together have."""
    decks = -(-settings["num_players"] // PLAYERS_PER_DECK)
    return [copies * decks for copies in (*[COPIES] * NUMBERS, settings["poo_heads"], settings["bombs"])]


# -- what follows when it is left out --------------------------------------------------------------------------------


def _without_cards(position: Position) -> list[int]:
    zones = [position[name] for name in ("hands", "face_up", "face_down")]
    return [seat for seat, held in enumerate(zip(*zones, strict=True)) if not any(held)]


def _able(position: Position) -> list[int]:
    """The seats that have a decision to make, from the dealer's left; none when over."""
    n, phase = position.players, position["phase"]
    order = [(position["dealer"] + step) % n for step in range(1, n + 1)]
    if phase == "arrange":
        return [seat for seat in order if len(position["picks"][seat]) < DEALT]
    return [seat for seat in order if phase == "play" and seat not in position["out"]]


def _most_decisions(position: Position) -> int:
    return position.settings["max_decisions"] - (position["phase"] != "over")


def _most_rounds(position: Position) -> int:
    return position.settings["max_rounds"] if position.settings["scoring"] == "points" else 1


def _most_points(position: Position) -> int:
    return 4 * position.settings["max_rounds"]


# -- what does not go together ---------------------------------------------------------------------------------------


def _check_pile(position: Position) -> None:
    pile, run = position["pile"], 0
    if POO_HEAD + 1 in pile:
        raise ValueError("pile: a bomb never lies there")
    while run < len(pile) and pile[-1] < NUMBERS and pile[-1 - run] == pile[-1]:
        run += 1
    if run >= COPIES:
        raise ValueError(f"pile: {run} equal numbers on top would have burnt it")
    position.record["run"], position.record["pile_count"] = run, card_counts(pile)


def _check_known(position: Position) -> None:
    for seat, row in enumerate(position["known"]):
        if (card_counts(row) > position.record["hand"][seat]).any():
            raise ValueError(f"known: seat {seat} does not hold {card_names(row)}")


def _check_holders(position: Position) -> None:
    out, without = position["out"], _without_cards(position)
    if sorted(out) != without:
        raise ValueError(f"out: {out} are not the seats without cards, {without}")
    holders = position.players - len(out)
    if position["phase"] != "over" and holders < 2:
        raise ValueError(f"hands: while the phase is {position['phase']!r} two seats or more hold cards, not {holders}")
    if holders < 1:
        raise ValueError("hands: at the end of a game one seat still holds cards")


def _check_turn(position: Position) -> None:
    turn, able, arranging = position["turn"], _able(position), position["phase"] == "arrange"
    if position["phase"] == "over":
        if turn is not None:
            raise ValueError("turn: null when the game is over")
    elif not able:
        raise ValueError("picks: all seats have named three cards, so the reveal is past")
    elif turn not in able:
        raise ValueError(f"turn: seat {turn} {'has named its three cards' if arranging else 'is out'}")


def _check_picks(position: Position) -> None:
    s, picks = position.record, position["picks"]
    if position["phase"] != "arrange" and not any(picks):
        return
    if position["phase"] != "arrange" and not _cut_short(position):
        raise ValueError("picks: only while the phase is 'arrange'")
    if position["pile"]:
        raise ValueError("pile: empty while the phase is 'arrange'")
    for seat, row in enumerate(picks):
        for field, size in (("hands", s["hand_size"][seat]), ("face_up", s["up_size"][seat])):
            if size != DEALT:
                raise ValueError(f"{field}: while arranging each seat has three hand and three face-up cards")
        if len(row) > DEALT or (card_counts(row) > s["hand"][seat] + s["up"][seat]).any():
            raise ValueError(f"picks: {card_names(row)} are not up to three of seat {seat}'s six cards")


def _cut_short(position: Position) -> bool:
    """Whether the decision cap may have ended the game, whose position then stays as it was (PH-23)."""
    match = position.settings["scoring"] == "points"
    return position["phase"] == "over" and (position["truncated"] or match)


def _check_end(position: Position) -> None:
    s, over, match = position.record, position["phase"] == "over", position.settings["scoring"] == "points"
    if position["opening"] and not _cut_short(position):
        if s["phase"] != PLAY or s["pile_size"] or not s["hand"][s["turn"]][:NUMBERS].any():
            raise ValueError("opening: needs the phase 'play', an empty pile and a number in the hand of who is to act")
    if position["truncated"] and (match or not over):
        raise ValueError("truncated: only a game that is over can be, and a match never is")
    if over and not match and not position["truncated"] and len(position["out"]) != position.players - 1:
        raise ValueError("phase: 'over' needs one seat alone with cards, or truncated")
    if not match and any(position["points"]):
        raise ValueError("points: only with scoring 'points'")


DECK = Deck(lambda settings: CARDS, _deck, spelling)
SCHEMA = Schema(
    Field("hands", BySeat(Counts(DECK, "hand", "hand_size")), "its hand cards, in any order", Dealt(DEALT)),
    Field(
        "face_up",
        BySeat(Counts(DECK, "up", "up_size", most=DEALT)),
        "its face-up cards, in any order",
        Dealt(DEALT),
    ),
    Field(
        "face_down",
        BySeat(Cards(DECK, "down", "down_size", most=DEALT)),
        "its face-down cards, in the order of `flip`",
        Dealt(DEALT),
    ),
    Field("pile", Cards(DECK, "pile", "pile_size"), "the pile, lowest card first", []),
    Field("draw_pile", Cards(DECK, "draw", "draw_size", next_last=True), "the draw pile, next card first", Dealt()),
    Field("burnt", Counts(DECK, "burnt"), "cards out of the game, in any order", []),
    Field("phase", Choice(PHASES, "phase"), "what the seat to act decides", "play"),
    Field("dealer", Seat("dealer"), "the dealer", lambda position: position.players - 1, "the last seat"),
    Field(
        "turn",
        Seat("turn"),
        "the seat to act; null when over",
        lambda position: next(iter(_able(position)), None),
        "the first from the dealer's left that has a decision to make",
    ),
    Field(
        "picks",
        BySeat(Counts(DECK, "picks", "num_picks", lies=False)),
        "while arranging: the cards named so far. They stay in `hands` and `face_up`, too",
        [],
    ),
    Field("opening", Flag("opening"), "whether PH-4 is due", False),
    Field("known", BySeat(Counts(DECK, "known", lies=False)), "hand cards that everybody knows of", []),
    Field(
        "out",
        Seats("out", "num_out"),
        "seats that are out, the first one first",
        _without_cards,
        "the seats without cards, by number",
    ),
    Field("decisions", Number("decisions", 0, _most_decisions), "decisions taken in this round", 0),
    Field("round", Number("round", 1, _most_rounds), "the round of a match", 1),
    Field(
        "points",
        BySeat(Number("points", lambda position: -_most_points(position), _most_points)),
        "its points in the match",
        0,
    ),
    Field("truncated", Flag("truncated"), "whether the game was truncated by its cap", False),
    players_from=("hands",),
    checks=(_check_pile, _check_known, _check_holders, _check_turn, _check_picks, _check_end),
)


load, dump, census, rotate = SCHEMA.load, SCHEMA.dump, SCHEMA.census, SCHEMA.rotate


def possible(state: State) -> bool:
    """Whether a game can come to this position, as far as PH-3 goes: only the lowest number opens."""
    s, n = state.record, state.settings["num_players"]
    if not s["opening"] or s["phase"] != PLAY:
        return True

    def lowest(seat: int) -> int:
        return next((rank for rank in range(NUMBERS) if s["hand"][seat][rank]), NUMBERS)

    return bool(min(((int(s["dealer"]) + step) % n for step in range(1, n + 1)), key=lowest) == s["turn"])
