"""Poo Head told: names of cards and actions, scenarios, words and pictures."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ...core.game import Game, State
from ...core.scenario import CardPool, ScenarioReader, whole_number
from ...core.scene import Card, Place, Scene, Zone
from .rules import ARRANGE, COPIES, DEALT, NUM_ACTIONS, NUMBERS, OVER, PLAY, POO_HEAD, RANKS, SCORE_POINTS, TABLE

CARDS = (*(str(number) for number in range(NUMBERS)), "poo head", "bomb")
PHASES = ("arrange", "play", "over")
COLOURS = {
    4: "blue",
    11: "green",
    12: "grey",
}  # as the game's own cards are coloured; other numbers are plain
LARGE_HAND = 9  # more cards than this are drawn with equal ones together
PLACES = ("1st", "2nd", "3rd")
FIELDS = (
    "players",
    "poo_heads",
    "bombs",
    "voluntary_pickup",
    "scoring",
    "reward",
    "target",
    "max_decisions",
    "max_rounds",
    "hands",
    "face_up",
    "face_down",
    "pile",
    "draw_pile",
    "burnt",
    "phase",
    "dealer",
    "turn",
    "picks",
    "opening",
    "known",
    "out",
    "decisions",
    "round",
    "points",
    "truncated",
)


def _action_names() -> tuple[str, ...]:
    plays = [f"play {rank}" + (f" x{k}" if k > 1 else "") for rank in range(NUMBERS) for k in range(1, COPIES + 1)]
    flips = [f"flip {k}" for k in range(1, DEALT + 1)]
    return (*plays, "play poo head", "play bomb", "pick up", *flips, *(f"table {card}" for card in CARDS))


ACTIONS = _action_names()
assert len(ACTIONS) == NUM_ACTIONS


def parse_card(entry: Any) -> int:
    """The card that a name ("7", "poo head") or a number (7) means."""
    return CARDS.index(str(entry) if isinstance(entry, int) and not isinstance(entry, bool) else entry)


def _spell(counts: np.ndarray) -> list[str]:
    """Counts by rank as sorted names."""
    return [CARDS[rank] for rank in range(RANKS) for _ in range(int(counts[rank]))]


def _names(cards: Iterable[int]) -> list[str]:
    return [CARDS[int(card)] for card in cards]


def _count(cards: Iterable[int]) -> np.ndarray:
    return np.bincount(np.array(list(cards), int), minlength=RANKS)


# -- scenarios -------------------------------------------------------------------------------------------------------


def dump(state: State) -> dict[str, Any]:
    """The whole position as a scenario; docs/games/poo_head.md lists the fields."""
    s, settings = state.record, state.settings
    seats = range(settings["num_players"])
    return {
        "players": settings["num_players"],
        **{name: settings[name] for name in FIELDS[1:9]},
        "seed": state.seed,
        "hands": [_spell(s["hand"][seat]) for seat in seats],
        "face_up": [_spell(s["up"][seat]) for seat in seats],
        "face_down": [_names(s["down"][seat][: s["down_size"][seat]]) for seat in seats],
        "pile": _names(s["pile"][: s["pile_size"]]),
        "draw_pile": _names(s["draw"][: s["draw_size"]][::-1]),
        "burnt": _spell(s["burnt"]),
        "phase": PHASES[s["phase"]],
        "dealer": int(s["dealer"]),
        "turn": int(s["turn"]) if s["turn"] >= 0 else None,
        "picks": [_spell(s["picks"][seat]) for seat in seats],
        "opening": bool(s["opening"]),
        "known": [_spell(s["known"][seat]) for seat in seats],
        "out": [int(seat) for seat in s["out"][: s["num_out"]]],
        "decisions": int(s["decisions"]),
        "round": int(s["round"]),
        "points": [int(s["points"][seat]) for seat in seats],
        "truncated": bool(s["truncated"]),
        "rng": int(s["rng"]),
    }


def load(game: Game, scenario: Mapping[str, Any]) -> State:
    """The position that a scenario describes; ValueError names the field that cannot be."""
    reader = ScenarioReader(scenario, FIELDS)
    hands = reader.entries("hands")
    players = scenario.get("players")
    settings = reader.settings(game.spec, len(hands) if players is None and hands is not None else players)
    records = game.empty_states(settings, 1)
    s = records[0]
    s["rng"] = reader.chance()
    s["phase"] = PHASES.index(reader.choice("phase", "play", PHASES))
    _load_cards(reader, s, settings)
    _load_turn(reader, s, settings["num_players"])
    _load_picks(reader, s, settings["num_players"])
    _load_counters(reader, s, settings)
    return State(records, settings, reader.seed)


def _load_cards(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    n = settings["num_players"]
    decks = int(s["decks"])
    deck = dict.fromkeys(range(NUMBERS), COPIES * decks)
    deck |= {POO_HEAD: settings["poo_heads"] * decks, POO_HEAD + 1: settings["bombs"] * decks}
    pool = CardPool(deck, lambda kind: CARDS[kind], reader.seed)
    zones = {name: reader.cards_by_seat(name, n, parse_card) for name in ("hands", "face_up", "face_down")}
    piles = {name: reader.cards(name, parse_card) for name in ("pile", "draw_pile", "burnt")}
    for name, rows in zones.items():
        for row in rows or []:
            pool.place(name, row)
    for name, cards in piles.items():
        pool.place(name, cards or [])
    for name, rows in zones.items():
        if rows is None:
            zones[name] = [[] if reader.strict else pool.deal(name, DEALT) for _ in range(n)]
    if piles["draw_pile"] is None:
        piles["draw_pile"] = [] if reader.strict else pool.rest(shuffled=True)
    for name in ("face_up", "face_down"):
        for seat, row in enumerate(zones[name] or []):
            if len(row) > DEALT:
                raise ValueError(f"{name}: seat {seat} has {len(row)} cards, at most three are allowed")
    for seat in range(n):
        hand, up, down = (zones[name][seat] for name in ("hands", "face_up", "face_down"))  # type: ignore[index]
        s["hand"][seat], s["hand_size"][seat] = _count(hand), len(hand)
        s["up"][seat], s["up_size"][seat] = _count(up), len(up)
        s["down"][seat][: len(down)], s["down_size"][seat] = down, len(down)
    _load_pile(s, piles["pile"] or [])
    draw = piles["draw_pile"] or []
    s["draw"][: len(draw)], s["draw_size"] = draw[::-1], len(draw)
    s["burnt"] = _count(piles["burnt"] or [])
    _load_known(reader, s, n)
    _load_out(reader, s, n)


def _load_pile(s: np.void, pile: list[int]) -> None:
    if POO_HEAD + 1 in pile:
        raise ValueError("pile: a bomb never lies there")
    run = 0
    while run < len(pile) and pile[-1] < NUMBERS and pile[-1 - run] == pile[-1]:
        run += 1
    if run >= COPIES:
        raise ValueError(f"pile: {run} equal numbers on top would have burnt it")
    s["pile"][: len(pile)], s["pile_size"], s["run"] = pile, len(pile), run
    s["pile_count"] = _count(pile)


def _load_known(reader: ScenarioReader, s: np.void, n: int) -> None:
    for seat, row in enumerate(reader.cards_by_seat("known", n, parse_card) or [[]] * n):
        s["known"][seat] = _count(row)
        if (s["known"][seat] > s["hand"][seat]).any():
            raise ValueError(f"known: seat {seat} does not hold {_names(row)}")


def _load_out(reader: ScenarioReader, s: np.void, n: int) -> None:
    without = [seat for seat in range(n) if s["hand_size"][seat] + s["up_size"][seat] + s["down_size"][seat] == 0]
    out = reader.entries("out")
    if out is None:
        out = without
    if sorted(map(str, out)) != sorted(map(str, without)):
        raise ValueError(f"out: {out} are not the seats without cards, {without}")
    s["out"][: len(out)], s["num_out"] = out, len(out)
    holders = n - len(out)
    if s["phase"] != OVER and holders < 2:
        raise ValueError(
            f"hands: while the phase is {PHASES[s['phase']]!r} two seats or more hold cards, not {holders}"
        )
    if holders < 1:
        raise ValueError("hands: at the end of a game one seat still holds cards")


def _load_turn(reader: ScenarioReader, s: np.void, n: int) -> None:
    s["dealer"] = reader.whole("dealer", n - 1, 0, n - 1)
    picks = reader.cards_by_seat("picks", n, parse_card) or [[]] * n
    if s["phase"] == OVER:
        if reader.given("turn"):
            raise ValueError("turn: null when the game is over")
        s["turn"] = -1
        return
    order = [(int(s["dealer"]) + step) % n for step in range(1, n + 1)]
    arranging = s["phase"] == ARRANGE
    out = s["out"][: s["num_out"]].tolist()
    able = [seat for seat in order if (len(picks[seat]) < DEALT if arranging else seat not in out)]
    if not able:
        raise ValueError("picks: all seats have named three cards, so the reveal is past")
    turn = reader.whole("turn", able[0], 0, n - 1)
    if turn not in able:
        raise ValueError(f"turn: seat {turn} {'has named its three cards' if arranging else 'is out'}")
    s["turn"] = turn


def _load_picks(reader: ScenarioReader, s: np.void, n: int) -> None:
    picks = reader.cards_by_seat("picks", n, parse_card) or [[]] * n
    if s["phase"] != ARRANGE and not any(picks):
        return
    if s["phase"] != ARRANGE and not _cut_short(reader, s):
        raise ValueError("picks: only while the phase is 'arrange'")
    if s["pile_size"]:
        raise ValueError("pile: empty while the phase is 'arrange'")
    for seat in range(n):
        if s["hand_size"][seat] != DEALT or s["up_size"][seat] != DEALT:
            field = "hands" if s["hand_size"][seat] != DEALT else "face_up"
            raise ValueError(f"{field}: while arranging each seat has three hand and three face-up cards")
        s["picks"][seat], s["num_picks"][seat] = _count(picks[seat]), len(picks[seat])
        six = s["hand"][seat] + s["up"][seat]
        if len(picks[seat]) > DEALT or (s["picks"][seat] > six).any():
            raise ValueError(f"picks: {_names(picks[seat])} are not up to three of seat {seat}'s six cards")


def _cut_short(reader: ScenarioReader, s: np.void) -> bool:
    """Whether the decision cap may have ended the game, whose position then stays as it was (PH-23)."""
    return bool(s["phase"] == OVER and (reader.flag("truncated", False) or s["scoring"] == SCORE_POINTS))


def _load_counters(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    n, over = settings["num_players"], s["phase"] == OVER
    match = settings["scoring"] == "points"
    s["opening"] = reader.flag("opening", False)
    if s["opening"] and not _cut_short(reader, s):
        if s["phase"] != PLAY or s["pile_size"] or not s["hand"][s["turn"]][:NUMBERS].any():
            raise ValueError("opening: needs the phase 'play', an empty pile and a number in the hand of who is to act")
    s["truncated"] = reader.flag("truncated", False)
    if s["truncated"] and (match or not over):
        raise ValueError("truncated: only a game that is over can be, and a match never is")
    if over and not match and not s["truncated"] and s["num_out"] != n - 1:
        raise ValueError("phase: 'over' needs one seat alone with cards, or truncated")
    cap = settings["max_decisions"]
    s["decisions"] = reader.whole("decisions", 0, 0, cap if over else cap - 1)
    s["round"] = reader.whole("round", 1, 1, settings["max_rounds"] if match else 1)
    points = reader.entries("points", n) or [0] * n
    if not match and any(points):
        raise ValueError("points: only with scoring 'points'")
    limit = 4 * settings["max_rounds"]
    for seat, value in enumerate(points):
        s["points"][seat] = whole_number("points", value, -limit, limit)


# -- for the conformance check ----------------------------------------------------------------------------------------


def census(state: State) -> Counter[str]:
    """All cards of the game, wherever they lie."""
    position = dump(state)
    rows = [*position["hands"], *position["face_up"], *position["face_down"]]
    return Counter(chain(*rows, position["pile"], position["draw_pile"], position["burnt"]))


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The position of a whole scenario with everybody that many seats further clockwise."""
    n = scenario["players"]
    turned = dict(scenario)
    for field in ("hands", "face_up", "face_down", "picks", "known", "points"):
        turned[field] = [scenario[field][(seat - seats) % n] for seat in range(n)]
    turned["dealer"] = (scenario["dealer"] + seats) % n
    turned["turn"] = None if scenario["turn"] is None else (scenario["turn"] + seats) % n
    turned["out"] = [(seat + seats) % n for seat in scenario["out"]]
    return turned


def possible(state: State) -> bool:
    """Whether a game can come to this position, as far as PH-3 goes: only the lowest number opens."""
    s, n = state.record, state.settings["num_players"]
    if not s["opening"] or s["phase"] != PLAY:
        return True

    def lowest(seat: int) -> int:
        return next((rank for rank in range(NUMBERS) if s["hand"][seat][rank]), NUMBERS)

    return bool(min(((int(s["dealer"]) + step) % n for step in range(1, n + 1)), key=lowest) == s["turn"])


# -- words -----------------------------------------------------------------------------------------------------------


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    s, n = state.record, state.settings["num_players"]
    lines = [_headline(s, n, seat)]
    for step in range(n):
        other = ((seat or 0) + step) % n
        lines.append(_describe_seat(s, other, seat))
    pile = ", ".join(_names(s["pile"][: s["pile_size"]])) or "empty"
    lines.append(f"pile, bottom to top: {pile}")
    lines.append(f"draw pile: {s['draw_size']} cards; burnt: {', '.join(_spell(s['burnt'])) or 'none'}")
    if seat is None:
        lines.append(f"draw pile, next first: {', '.join(_names(s['draw'][: s['draw_size']][::-1])) or 'none'}")
    return "\n".join(lines)


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action the seat to act takes; picks while arranging are private (PH-2)."""
    return action < TABLE


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who chooses unseen at the same time, in the order asked, and how many of these choices are made (PH-2); None if
    only the seat to act chooses."""
    s, n = state.record, state.settings["num_players"]
    if s["phase"] != ARRANGE:
        return None
    order = ((int(s["dealer"]) + step) % n for step in range(1, n + 1))
    return tuple(seat for seat in order if s["num_picks"][seat] < DEALT), int(s["num_picks"][:n].sum())


def _headline(s: np.void, n: int, viewer: int | None) -> str:
    head = f"Poo Head, {n} players"
    if s["scoring"] == SCORE_POINTS:
        head += f", round {s['round']} to {s['target']} points"
    if s["phase"] == OVER:
        return f"{head}: {_ending(s)}"
    acting = "you are" if s["turn"] == viewer else f"seat {s['turn']} is"
    if s["phase"] == ARRANGE:
        return f"{head}: {acting} to name a card that will lie face up"
    due = ", the lowest number is due" if s["opening"] else ""
    bound = ", bound by a 4" if s["pile_size"] and s["pile"][s["pile_size"] - 1] == 4 else ""
    return f"{head}: {acting} to play{due}{bound}"


def _ending(s: np.void) -> str:
    if s["truncated"]:
        return "cut short at the decision cap"
    if s["scoring"] == SCORE_POINTS:
        points = s["points"][: s["num_players"]]
        winner = int(np.argmax(points)) if (points == points.max()).sum() == 1 else -1
        return f"seat {winner} wins the match" if winner >= 0 else "the match is tied"
    n = int(s["num_players"])
    loser = next(seat for seat in range(n) if seat not in s["out"][: s["num_out"]])
    return f"seat {loser} is the Poo Head"


def _describe_seat(s: np.void, other: int, viewer: int | None) -> str:
    mine = viewer is None or other == viewer
    parts = []
    if other in s["out"][: s["num_out"]]:
        parts.append(f"out, {_place(s, other)}")
    elif mine:
        parts.append(f"hand {', '.join(_spell(s['hand'][other])) or 'empty'}")
    else:
        known = _spell(s["known"][other])
        parts.append(f"{s['hand_size'][other]} hand cards" + (f" (known: {', '.join(known)})" if known else ""))
    if s["up_size"][other]:
        parts.append(f"face up {', '.join(_spell(s['up'][other]))}")
    if s["down_size"][other]:
        hidden = s["down"][other][: s["down_size"][other]]
        parts.append(f"face down {', '.join(_names(hidden))}" if viewer is None else f"{len(hidden)} face down")
    if mine and s["num_picks"][other]:
        parts.append(f"to lie face up {', '.join(_spell(s['picks'][other]))}")
    if s["scoring"] == SCORE_POINTS:
        parts.append(f"{s['points'][other]} points")
    return f"{'you' if other == viewer else f'seat {other}'}: {'; '.join(parts)}"


def _place(s: np.void, seat: int) -> str:
    place = s["out"][: s["num_out"]].tolist().index(seat)
    return PLACES[place] if place < len(PLACES) else f"{place + 1}th"


# -- pictures --------------------------------------------------------------------------------------------------------


def _faces(cards: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card(label, COLOURS.get(CARDS.index(label), "plain")) for label in cards)


def _hand(counts: np.ndarray) -> tuple[Card, ...]:
    """An open hand; a large one with equal cards together."""
    if counts.sum() <= LARGE_HAND:
        return _faces(_spell(counts))
    held = [rank for rank in range(RANKS) if counts[rank]]
    return tuple(Card(CARDS[rank], COLOURS.get(rank, "plain"), count=int(counts[rank])) for rank in held)


def _backs(count: int) -> tuple[Card, ...]:
    return (Card("", face_up=False),) * int(count)


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all hands open."""
    s, n = state.record, state.settings["num_players"]
    first = seat or 0
    places = tuple(_seat_place(s, (first + step) % n, seat) for step in range(n))
    centre = (
        Zone("draw pile", _backs(s["draw_size"]), "stack"),
        Zone("pile", _faces(_names(s["pile"][: s["pile_size"]])), "fan"),
        Zone("burnt", _faces(_spell(s["burnt"])), "stack"),
    )
    return Scene("Poo Head", places, centre, (_headline(s, n, seat),))


def _seat_place(s: np.void, other: int, viewer: int | None) -> Place:
    open_hand = viewer is None or other == viewer
    hand = _hand(s["hand"][other]) if open_hand else _backs(s["hand_size"][other])
    zones = [
        Zone("hand", hand, "row" if open_hand else "fan"),
        Zone("face up", _faces(_spell(s["up"][other]))),
        Zone("face down", _backs(s["down_size"][other])),
    ]
    if open_hand and s["num_picks"][other]:
        zones.append(Zone("to lie face up", _faces(_spell(s["picks"][other]))))
    notes = []
    out = other in s["out"][: s["num_out"]]
    if out:
        notes.append(f"out: {_place(s, other)}")
    elif s["phase"] == OVER and not s["truncated"] and s["scoring"] != SCORE_POINTS:
        notes.append("Poo Head!")
    known = _spell(s["known"][other])
    if known and not open_hand:
        notes.append(f"known: {' '.join(known)}")
    if s["scoring"] == SCORE_POINTS:
        notes.append(f"{s['points'][other]} points")
    return Place(f"player_{other}", tuple(zones), bool(s["turn"] == other), ", ".join(notes), out)
