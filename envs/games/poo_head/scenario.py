"""Positions of Poo Head as scenarios."""

from collections.abc import Mapping
from typing import Any

from ...core.forms import BySeat, Cards, Choice, Counts, Deck, Flag, Number, Seat, Seats
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Refusals, Schema, most_decisions
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


MOST_POINTS, LEAST_POINTS = 3, -4  # of a seat in a round (PH-21)


def _is_match(position: Position) -> bool:
    return position.settings["scoring"] == "points"


def _most_rounds(position: Position) -> int:
    return position.settings["max_rounds"] if _is_match(position) else 1


def _most_points(position: Position) -> int:
    return MOST_POINTS * position.settings["max_rounds"]


def _first_round(position: Position) -> int:
    """The first round in which a match can have these points (PH-21)."""
    points = position["points"]
    played = max(-(-max(points) // MOST_POINTS), -(-min(points) // LEAST_POINTS), 0)
    return min(max(played + (position["phase"] != "over"), 1), _most_rounds(position))


def _check_points(position: Position) -> Refusals:
    """PH-21: what the rounds that were played can have given, and a match that is won is over."""
    points, running = position["points"], position["phase"] != "over"
    played = position["round"] - running
    for seat, own in enumerate(points if _is_match(position) else []):
        wrong = not LEAST_POINTS * played <= own <= MOST_POINTS * played
        yield wrong, f"points: seat {seat} cannot have {own} after {played} rounds"
    most, target = max(points), position.settings["target"]
    won = _is_match(position) and running and most >= target and points.count(most) == 1
    yield (
        won,
        f"points: seat {points.index(most)} has {most}, alone and not below the target {target}: the match is over",
    )


# -- what does not go together ---------------------------------------------------------------------------------------


def _check_pile(position: Position) -> Refusals:
    pile, run = position["pile"], 0
    yield POO_HEAD + 1 in pile, "pile: a bomb never lies there"
    while run < len(pile) and pile[-1] < NUMBERS and pile[-1 - run] == pile[-1]:
        run += 1
    yield run >= COPIES, f"pile: {run} equal numbers on top would have burnt it"
    position.record["run"], position.record["pile_count"] = run, card_counts(pile)


def _check_seats(position: Position) -> Refusals:
    """Known cards, and who is out."""
    for seat, row in enumerate(position["known"]):
        unknown = (card_counts(row) > position.record["hand"][seat]).any()
        yield unknown, f"known: seat {seat} does not hold {card_names(row)}"
    phase, out, without = position["phase"], position["out"], _without_cards(position)
    holders = position.players - len(without)
    yield sorted(out) != without, f"out: {out} are not the seats without cards, {without}"
    few = f"hands: while the phase is {phase!r} two seats or more hold cards, not {holders}"
    yield phase != "over" and holders < 2, few
    yield holders < 1, "hands: at the end of a game one seat still holds cards"


def _check_turn(position: Position) -> Refusals:
    turn, able, phase = position["turn"], _able(position), position["phase"]
    if phase == "over":
        yield turn is not None, "turn: null when the game is over"
        return
    yield not able, "picks: all seats have named three cards, so the reveal is past"
    yield turn not in able, f"turn: seat {turn} {'has named its three cards' if phase == 'arrange' else 'is out'}"


def _check_picks(position: Position) -> Refusals:
    s, picks, arranging = position.record, position["picks"], position["phase"] == "arrange"
    if not arranging and not any(picks):
        return
    yield not arranging and not _cut_short(position), "picks: only while the phase is 'arrange'"
    yield position["pile"], "pile: empty while the phase is 'arrange'"
    for seat, row in enumerate(picks):
        for field in ("hands", "face_up"):
            wrong = len(position[field][seat]) != DEALT
            yield wrong, f"{field}: while arranging each seat has three hand and three face-up cards"
        wrong = len(row) > DEALT or (card_counts(row) > s["hand"][seat] + s["up"][seat]).any()
        yield wrong, f"picks: {card_names(row)} are not up to three of seat {seat}'s six cards"


def _cut_short(position: Position) -> bool:
    """Whether the decision cap may have ended the game, whose position then stays as it was (PH-23)."""
    return position["phase"] == "over" and (position["truncated"] or _is_match(position))


def _check_end(position: Position) -> Refusals:
    s, match, over, truncated = position.record, _is_match(position), position["phase"] == "over", position["truncated"]
    if position["opening"] and not _cut_short(position):
        wrong = s["phase"] != PLAY or s["pile_size"] or not s["hand"][s["turn"]][:NUMBERS].any()
        yield wrong, "opening: needs the phase 'play', an empty pile and a number in the hand of who is to act"
    yield truncated and (match or not over), "truncated: only a game that is over can be, and a match never is"
    alone = len(position["out"]) == position.players - 1
    yield over and not (match or truncated or alone), "phase: 'over' needs one seat alone with cards, or truncated"
    yield not match and any(position["points"]), "points: only with scoring 'points'"


# -- the fields ------------------------------------------------------------------------------------------------------

DECK = Deck(lambda settings: CARDS, _deck, spelling)
SCHEMA = Schema(
    Field("hands", BySeat(Counts(DECK, "hand", "hand_size")), "its hand cards, in any order", Dealt(DEALT)),
    Field(
        "face_up", BySeat(Counts(DECK, "up", "up_size", most=DEALT)), "its face-up cards, in any order", Dealt(DEALT)
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
    Field("decisions", Number("decisions", 0, most_decisions), "decisions taken in this round", 0),
    Field(
        "round", Number("round", 1, _most_rounds), "the round of a match", _first_round, "the first with such points"
    ),
    Field(
        "points",
        BySeat(Number("points", lambda position: LEAST_POINTS * position.settings["max_rounds"], _most_points)),
        "its points in the match",
        0,
    ),
    Field("truncated", Flag("truncated"), "whether the decision cap ended the game", False),
    players_from=("hands",),
    checks=(_check_pile, _check_seats, _check_turn, _check_picks, _check_end, _check_points),
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
