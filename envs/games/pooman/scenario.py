"""Positions of Pooman as scenarios."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ...core.game import Game, State
from ...core.scenario import CardPool, ScenarioReader, card
from .cards import CARDS, PHASE_NAMES
from .chase_scenario import dump_chase, load_chase
from .record import (
    AGAIN,
    BALANCER,
    CHASE,
    DEFEND,
    DIRE_EAR,
    DRAW,
    FRESHNESS,
    GOAL,
    KINDS,
    OVER,
    POOCICLE,
    POODINI,
    POOMAN,
    POOPERMAN,
    POWER_FLUSH,
    ROLL_AGAIN,
    TAKE,
    TWO_STARS,
)

OPTIONS = (
    "chase",
    "room_size",
    "start_distance",
    "pooman_speed",
    "player_speed",
    "chase_ticks",
    "pooperman_ticks",
    "freeze_ticks",
    "empty_handed_run",
    "pooperman_unstoppable",
    "max_decisions",
    "counts",
)
FIELDS = (
    "players",
    *OPTIONS,
    "deck",
    "fronts",
    "discard",
    "card",
    "turn",
    "phase",
    "winner",
    "pooman_seat",
    "truncated",
    "decisions",
    "chase_state",
)
NOT_KEPT = (POOMAN, POOPERMAN, ROLL_AGAIN, DIRE_EAR)  # never in front of a player
MOST_STARS = 6  # PM-3


def parse_card(entry: Any) -> int:
    """The kind of card that a name means."""
    return CARDS.index(entry)


def spell(counts: np.ndarray) -> list[str]:
    """Counts by kind as names, in the order of the components."""
    return [CARDS[kind] for kind in range(KINDS) for _ in range(int(counts[kind]))]


def count(cards: Iterable[int]) -> np.ndarray:
    """Kinds as counts by kind."""
    return np.bincount(np.array(list(cards), int), minlength=KINDS)


def deck_names(s: np.void) -> list[str]:
    """The face-down cards, next first."""
    return [CARDS[kind] for kind in s["deck"][: s["deck_size"]][::-1]]


def dump(state: State) -> dict[str, Any]:
    """The whole position as a scenario; docs/games/pooman.md lists the fields."""
    s, settings = state.record, state.settings

    def seat_or_none(name: str) -> int | None:
        return int(s[name]) if s[name] >= 0 else None

    return {
        "players": settings["num_players"],
        **{name: settings[name] for name in OPTIONS[:-1]},
        "seed": state.seed,
        "counts": dict(settings["counts"]),
        "deck": deck_names(s),
        "fronts": [spell(s["front"][seat]) for seat in range(settings["num_players"])],
        "discard": spell(s["discard"]),
        "card": CARDS[s["card"]] if s["card"] >= 0 else None,
        "turn": int(s["turn"]),
        "phase": PHASE_NAMES[s["phase"]],
        "winner": seat_or_none("winner"),
        "pooman_seat": seat_or_none("pooman_seat"),
        "truncated": bool(s["truncated"]),
        "decisions": int(s["decisions"]),
        "chase_state": dump_chase(s),
        "rng": int(s["rng"]),
    }


def load(game: Game, scenario: Mapping[str, Any]) -> State:
    """The position that a scenario describes; ValueError names the field that cannot be."""
    reader = ScenarioReader(scenario, FIELDS)
    settings = reader.settings(game.spec, scenario.get("players"))
    records = game.empty_states(settings, 1)
    s = records[0]
    s["rng"] = reader.chance()
    _load_cards(reader, s, settings)
    _load_phase(reader, s, settings)
    _check_stars(s, settings["num_players"])
    _check_phase(s)
    load_chase(reader, s)
    if s["phase"] in (DRAW, AGAIN, TAKE, DEFEND):
        s["acting"] = s["turn"]
    return State(records, settings, reader.seed)


def _load_cards(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    n = settings["num_players"]
    pool = CardPool(dict(enumerate(settings["counts"].values())), lambda kind: CARDS[kind], reader.seed)
    open_card = reader.scenario.get("card")
    s["card"] = -1 if open_card is None else card("card", open_card, parse_card)
    fronts = reader.cards_by_seat("fronts", n, parse_card) or [[] for _ in range(n)]
    discard = reader.cards("discard", parse_card) or []
    deck = reader.cards("deck", parse_card)
    pool.place("card", [] if open_card is None else [int(s["card"])])
    for seat, front in enumerate(fronts):
        pool.place("fronts", front)
        for kind in front:
            if kind in NOT_KEPT:
                raise ValueError(f"fronts: {CARDS[kind]!r} of seat {seat} is no card that is kept")
        s["front"][seat], s["held"][seat] = count(front), len(front)
        s["stars"][seat] = sum(kind + 1 for kind in front if kind <= TWO_STARS)
    pool.place("discard", discard)
    s["discard"] = count(discard)
    pool.place("deck", deck or [])
    if deck is None:
        deck = [] if reader.strict else pool.rest(shuffled=True)
    s["deck"][: len(deck)], s["deck_size"], s["left"] = deck[::-1], len(deck), count(deck)
    s["turn"] = reader.whole("turn", int(pool.random.integers(n)), 0, n - 1)


def _load_phase(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    n = settings["num_players"]
    s["winner"] = reader.whole("winner", -1, 0, n)
    s["pooman_seat"] = reader.whole("pooman_seat", -1, 0, 2**31 - 1)
    s["truncated"] = reader.flag("truncated", False)
    ended = s["winner"] >= 0 or s["truncated"]
    s["phase"] = PHASE_NAMES.index(
        reader.choice("phase", PHASE_NAMES[OVER if ended else _phase_of_card(s)], PHASE_NAMES)
    )
    if s["truncated"] and s["winner"] >= 0:
        raise ValueError("truncated: a game that somebody has won was not cut short")
    if ended and s["phase"] != OVER:
        raise ValueError(
            f"phase: {PHASE_NAMES[s['phase']]!r} in a game with {'a winner' if s['winner'] >= 0 else 'an end'}"
        )
    if s["phase"] == OVER and not ended:
        raise ValueError("phase: 'over' needs a winner, or truncated")
    cap = settings["max_decisions"]
    s["decisions"] = reader.whole("decisions", 0, 0, cap if s["phase"] == OVER else cap - 1)
    s["acting"] = -1


def _phase_of_card(s: np.void) -> int:
    """The phase that the open card brings about."""
    if s["card"] == FRESHNESS:
        return TAKE
    if s["card"] in (POOMAN, POOPERMAN):
        return CHASE if s["chase"] else DEFEND
    return DRAW


def _check_stars(s: np.void, n: int) -> None:
    """PM-3, PM-4: who has won."""
    winner = int(s["winner"])
    for seat in range(n):
        if s["stars"][seat] >= GOAL and seat != winner and s["phase"] != OVER:
            raise ValueError(f"fronts: seat {seat} shows {s['stars'][seat]} stars and would have won")
        if s["stars"][seat] >= GOAL and seat != winner:
            raise ValueError(f"winner: seat {seat} shows {s['stars'][seat]} stars, so it is the winner")
        if s["stars"][seat] > MOST_STARS:
            raise ValueError(f"fronts: seat {seat} shows {s['stars'][seat]} stars, more than {MOST_STARS} cannot be")
    if 0 <= winner < n and s["stars"][winner] < GOAL:
        raise ValueError(f"winner: seat {winner} shows only {s['stars'][winner]} stars")
    if winner == n and s["deck_size"]:
        raise ValueError("winner: the Pooman has not won while there are cards face down")


def _check_phase(s: np.void) -> None:
    """The phase and the open card must go together, and with what lies where."""
    phase, kind = PHASE_NAMES[s["phase"]], int(s["card"])
    if s["phase"] in (DRAW, AGAIN, OVER):
        if kind >= 0:
            raise ValueError(f"card: {CARDS[kind]!r} is not open in the phase {phase!r}")
    elif kind < 0 or _phase_of_card(s) != s["phase"]:
        shown = "null" if kind < 0 else repr(CARDS[kind])
        chase = "grid" if s["chase"] else "off"
        raise ValueError(f"card: {shown} does not go with the phase {phase!r} and chase={chase!r}")
    if s["deck_size"] == 0 and s["phase"] in (DRAW, AGAIN, DEFEND, CHASE):
        raise ValueError(f"deck: empty, so the game is over and not in the phase {phase!r}")
    if s["phase"] == TAKE and not _others_have_characters(s):
        raise ValueError(f"card: {CARDS[kind]!r} is kept, since no other player has a character")
    if s["phase"] == DEFEND and not _can_defend(s):
        raise ValueError(f"card: {CARDS[kind]!r} needs no decision, since seat {s['turn']} has no card against it")


def _others_have_characters(s: np.void) -> bool:
    return any(s["stars"][seat] for seat in range(s["num_players"]) if seat != s["turn"])


def _can_defend(s: np.void) -> bool:
    """PM-21: whether the player has a card that is of use against the open one."""
    usable = [POWER_FLUSH, POODINI, POOCICLE]
    if s["card"] == POOMAN:
        usable.append(BALANCER)
    elif s["pooperman_unstoppable"]:
        return False
    return any(s["front"][s["turn"]][kind] for kind in usable)


def census(state: State) -> Counter[str]:
    """All cards of the game, wherever they lie."""
    position = dump(state)
    open_card = [position["card"]] if position["card"] else []
    return Counter(chain(position["deck"], *position["fronts"], position["discard"], open_card))


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any] | None:
    """The position with every player that many seats further clockwise, the Pooman staying.

    None in a chase, where players choose and their specials count in the order of their seats (PM-13, PM-15).
    """
    if scenario["phase"] == "chase":
        return None
    n = scenario["players"]
    winner = scenario["winner"]
    return {
        **scenario,
        "fronts": [scenario["fronts"][(seat - seats) % n] for seat in range(n)],
        "turn": (scenario["turn"] + seats) % n,
        "winner": winner if winner is None or winner == n else (winner + seats) % n,
    }
