"""Pooman told and shown: words and pictures."""

import numpy as np

from ...core.game import State
from ...core.scene import Card, Grid, Place, Scene, Zone, backs, clockwise
from ...core.spec import Settings
from .cards import ACTIONS, CARDS, deck_names, spell
from .record import (
    AGAIN,
    BALANCED,
    CHASE,
    DEFEND,
    DIRE_EAR,
    DRAW,
    FRESHNESS,
    HIDDEN,
    KINDS,
    OVER,
    POOMAN,
    POOPERMAN,
    ROLL_AGAIN,
    TAKE,
    TOUCHED,
    TWO_STARS,
)

FATES = {TOUCHED: "touched", HIDDEN: "hidden", BALANCED: "balanced"}
HUNTERS = ("the Pooman", "The Pooperman")


def action_names(settings: Settings) -> tuple[str, ...]:
    """The names of the actions by number."""
    return ACTIONS


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    s = state.record
    n = int(s["num_players"])
    first = seat if seat is not None and seat < n else 0
    left = ", ".join(f"{s['left'][kind]} x {name}" for kind, name in enumerate(CARDS) if s["left"][kind])
    lines = [
        headline(s, seat),
        *(_describe_player(s, other, seat) for other in clockwise(first, n)),
        _describe_pooman(s, seat),
        f"face down, {s['deck_size']} cards: {left or 'none'}",
        f"discard: {', '.join(spell(s['discard'])) or 'empty'}",
    ]
    if seat is None:
        lines.append(f"face-down cards, next first: {', '.join(deck_names(s)) or 'none'}")
    return "\n".join(lines)


def headline(s: np.void, viewer: int | None) -> str:
    """What the game waits for."""
    n = int(s["num_players"])
    head = f"Pooman, {n} players"
    if s["phase"] == OVER:
        return f"{head}: {_ending(s)}"
    acting = "you are" if s["acting"] == viewer else f"{call(s, int(s['acting']))} is"
    if s["phase"] == CHASE:
        clock = f"{_ticks(s['ticks'])} left" + (f", frozen for {_ticks(s['freeze'])}" if s["freeze"] else "")
        return f"{head}, chased by {_hunter(s)}, {clock}: {acting} to choose"
    waits = {
        DRAW: "to draw",
        AGAIN: "to draw again",
        TAKE: "to take a character from another player",
        DEFEND: f"to use a card against {_hunter(s)}, or to lose all",
    }
    return f"{head}: {acting} {waits[int(s['phase'])]}"


def _ticks(number: int) -> str:
    return f"{number} tick" if number == 1 else f"{number} ticks"


def call(s: np.void, seat: int) -> str:
    """How a seat is called."""
    return "the Pooman" if seat == s["num_players"] else f"seat {seat}"


def _hunter(s: np.void) -> str:
    return HUNTERS[bool(s["card"] == POOPERMAN)]


def _ending(s: np.void) -> str:
    if s["truncated"]:
        return "cut short at the decision cap"
    if s["winner"] == s["num_players"]:
        return "the cards have run out, the Pooman wins"
    return f"seat {s['winner']} wins with {s['stars'][s['winner']]} stars"


def chosen(s: np.void, seat: int, viewer: int | None) -> str:
    """The choices of this tick that the viewer may see: its own, or, for None, everybody's."""
    if s["phase"] != CHASE or viewer not in (None, seat) or not s["num_moves"][seat]:
        return ""
    return "chosen: " + ", ".join(ACTIONS[move] for move in s["moves"][seat][: s["num_moves"][seat]])


def place(s: np.void, seat: int, viewer: int | None) -> str:
    """Where a seat is in a chase and what has become of it, as far as the viewer may know."""
    if s["phase"] != CHASE:
        return ""
    n = int(s["num_players"])
    column, row = s["cell"][seat].tolist()
    here = f"at [{column}, {row}]"
    if seat == n:
        return here
    fate = FATES.get(int(s["fate"][seat]))
    if fate is None:
        return here if s["running"][seat] else f"{here}, takes no part"
    return fate if is_unseen(s, seat, viewer) else f"{here}, {fate}"


def is_unseen(s: np.void, seat: int, viewer: int | None) -> bool:
    """Whether the viewer is the Pooman and the seat is hidden from it (PM-17)."""
    return bool(viewer == s["num_players"] and seat != viewer and s["fate"][seat] == HIDDEN)


def _describe_player(s: np.void, other: int, viewer: int | None) -> str:
    stars = f"{s['stars'][other]} {'star' if s['stars'][other] == 1 else 'stars'}"
    parts = [
        stars,
        ", ".join(spell(s["front"][other])) or "no cards",
        place(s, other, viewer),
        chosen(s, other, viewer),
    ]
    name = "you" if other == viewer else call(s, other)
    return f"{name}: {'; '.join(filter(None, parts))}"


def _describe_pooman(s: np.void, viewer: int | None) -> str:
    n = int(s["num_players"])
    label = f"played by {s['pooman_seat']}" if s["pooman_seat"] >= 0 else ""
    shown = "; ".join(filter(None, (label, place(s, n, viewer), chosen(s, n, viewer))))
    return f"{'you, ' if viewer == n else ''}the Pooman: {shown or 'waits for its card'}"


COLOURS = {POOMAN: "red", POOPERMAN: "purple", ROLL_AGAIN: "grey", DIRE_EAR: "orange", FRESHNESS: "green"}
TOKENS = ("blue", "green", "yellow", "orange", "purple", "grey")  # by seat
HUNTER = "brown"


def face(kind: int, count: int = 1) -> Card:
    """A card, or some equal ones together."""
    return Card(CARDS[kind], "brown" if kind <= TWO_STARS else COLOURS.get(kind, "blue"), count=count)


def faces(counts: np.ndarray) -> tuple[Card, ...]:
    """Counts by kind as cards, in the order of the components."""
    return tuple(face(kind) for kind in range(KINDS) for _ in range(int(counts[kind])))


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all that is hidden from somebody."""
    s = state.record
    n = int(s["num_players"])
    viewer = 0 if seat is None else seat
    # The viewer comes first; the Pooman, who sits across the cards, comes last.
    order = [n, *range(n)] if viewer == n else [*clockwise(viewer, n), n]
    centre = [Zone("face down", backs(s["deck_size"]), "stack")]
    if s["card"] >= 0:
        centre.append(Zone("open", (face(int(s["card"])),)))
    centre.append(Zone("discard", tuple(face(k, int(s["discard"][k])) for k in range(KINDS) if s["discard"][k])))
    places = tuple(_place(s, other, seat) for other in order)
    return Scene("Pooman", places, tuple(centre), (headline(s, seat),), _room(s, seat))


def _place(s: np.void, seat: int, viewer: int | None) -> Place:
    n = int(s["num_players"])
    notes = [place(s, seat, viewer), chosen(s, seat, viewer)]
    if s["phase"] == OVER and s["winner"] == seat:
        notes.append("winner")
    active = bool(s["acting"] == seat)
    if seat == n:
        return Place("pooman", (), active, ", ".join(filter(None, notes)))
    notes.insert(0, f"{s['stars'][seat]} {'star' if s['stars'][seat] == 1 else 'stars'}")
    zones = (Zone("in front", faces(s["front"][seat])),)
    return Place(f"player_{seat}", zones, active, ", ".join(filter(None, notes)))


def _room(s: np.void, viewer: int | None) -> Grid | None:
    """The room as it was before this tick."""
    if s["phase"] != CHASE:
        return None
    n, size = int(s["num_players"]), int(s["room_size"])
    tokens = [(*s["cell"][n].tolist(), "pooman", HUNTER)]
    for seat in range(n):
        if not is_unseen(s, seat, viewer):
            tokens.append((*s["cell"][seat].tolist(), f"player_{seat}", TOKENS[seat]))
    return Grid(size, size, tuple(tokens))


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action the seat to act takes; choices in a chase are made unseen (PM-13)."""
    return bool(state.record["phase"] != CHASE)


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who chooses unseen in this tick, in the order asked, and how many choices of it are made (PM-13); None if
    only the seat to act chooses."""
    s, k = state.record, state.settings["num_players"]
    if s["phase"] != CHASE:
        return None
    seats = [seat for seat in range(k) if s["running"][seat]] + ([k] if s["freeze"] == 0 else [])
    return tuple(seats), int(s["num_moves"][: k + 1].sum())
