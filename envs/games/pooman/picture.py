"""Pooman as a picture: the players with their cards, what lies in the middle, and in a chase the room."""

import numpy as np

from ...core.game import State
from ...core.scene import Card, Grid, Place, Scene, Zone
from .cards import CARDS
from .record import CHASE, DIRE_EAR, FRESHNESS, KINDS, OVER, POOMAN, POOPERMAN, ROLL_AGAIN, TWO_STARS
from .words import chosen, headline, is_unseen, place

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
    order = [n, *range(n)] if viewer == n else [*((viewer + step) % n for step in range(n)), n]
    centre = [Zone("face down", (Card("", face_up=False),) * int(s["deck_size"]), "stack")]
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
