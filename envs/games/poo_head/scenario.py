"""Positions of Poo Head as scenarios."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from ...core.game import Game, State
from ...core.scenario import CardPool, ScenarioReader, whole_number
from .cards import CARDS, card_counts, card_names, parse_card, spell
from .rules import ARRANGE, COPIES, DEALT, NUMBERS, OVER, PLAY, POO_HEAD, SCORE_POINTS

PHASES = ("arrange", "play", "over")
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


def dump(state: State) -> dict[str, Any]:
    """The whole position as a scenario; docs/games/poo_head.md lists the fields."""
    s, settings = state.record, state.settings
    seats = range(settings["num_players"])
    return {
        "players": settings["num_players"],
        **{name: settings[name] for name in FIELDS[1:9]},
        "seed": state.seed,
        "hands": [spell(s["hand"][seat]) for seat in seats],
        "face_up": [spell(s["up"][seat]) for seat in seats],
        "face_down": [card_names(s["down"][seat][: s["down_size"][seat]]) for seat in seats],
        "pile": card_names(s["pile"][: s["pile_size"]]),
        "draw_pile": card_names(s["draw"][: s["draw_size"]][::-1]),
        "burnt": spell(s["burnt"]),
        "phase": PHASES[s["phase"]],
        "dealer": int(s["dealer"]),
        "turn": int(s["turn"]) if s["turn"] >= 0 else None,
        "picks": [spell(s["picks"][seat]) for seat in seats],
        "opening": bool(s["opening"]),
        "known": [spell(s["known"][seat]) for seat in seats],
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
        s["hand"][seat], s["hand_size"][seat] = card_counts(hand), len(hand)
        s["up"][seat], s["up_size"][seat] = card_counts(up), len(up)
        s["down"][seat][: len(down)], s["down_size"][seat] = down, len(down)
    _load_pile(s, piles["pile"] or [])
    draw = piles["draw_pile"] or []
    s["draw"][: len(draw)], s["draw_size"] = draw[::-1], len(draw)
    s["burnt"] = card_counts(piles["burnt"] or [])
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
    s["pile_count"] = card_counts(pile)


def _load_known(reader: ScenarioReader, s: np.void, n: int) -> None:
    for seat, row in enumerate(reader.cards_by_seat("known", n, parse_card) or [[]] * n):
        s["known"][seat] = card_counts(row)
        if (s["known"][seat] > s["hand"][seat]).any():
            raise ValueError(f"known: seat {seat} does not hold {card_names(row)}")


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
        s["picks"][seat], s["num_picks"][seat] = card_counts(picks[seat]), len(picks[seat])
        six = s["hand"][seat] + s["up"][seat]
        if len(picks[seat]) > DEALT or (s["picks"][seat] > six).any():
            raise ValueError(f"picks: {card_names(picks[seat])} are not up to three of seat {seat}'s six cards")


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
