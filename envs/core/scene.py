"""What a picture of a table is made of: cards in zones, zones at places and in the centre.

A game's `scene(s, seat)` returns a `Scene` that holds only what that seat may see; the drawing room
(`envs/render`) turns it into text or pixels and knows no rules. Everything is frozen and made of plain Python
values, so scenes can be compared, hashed and kept.

Conventions: `places[0]` is the viewer, drawn at the bottom; the others follow clockwise, so `places[1]` sits
to the viewer's left. Colours are semantic names (`COLOURS`), the drawing room chooses their shades; a picture
without colours must still be understood, so a label says all by itself ("yellow 3", not "3").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

COLOURS = ("plain", "green", "blue", "red", "yellow", "grey", "purple", "orange", "brown")
"""The colour names that cards and tokens may carry; an unknown name is drawn as "plain"."""


@dataclass(frozen=True)
class Card:
    """One card, or `count` equal ones lying together.

    A card that is not `face_up` is drawn as a back: its label is never drawn, its colour is, since the backs
    of different decks differ. Games leave the label of a hidden card empty and give its deck as the colour.
    """

    label: str
    """What the card says, for example "7" or "poo head"."""
    colour: str = "plain"
    """One of `COLOURS`: of the face, or of the back when the card lies face down."""
    face_up: bool = True
    """False: the viewer sees only the back."""
    turned: bool = False
    """True: it lies crosswise, for example because it does not count at the moment."""
    count: int = 1
    """How many equal cards this one stands for, at least 1."""


@dataclass(frozen=True)
class Zone:
    """Cards that lie together under one name, such as a hand or the draw pile."""

    name: str
    """The caption, for example "face up"."""
    cards: tuple[Card, ...]
    """From left to right; in a fan or stack from bottom to top, so that the last one is the top."""
    style: str = "row"
    """"row": side by side; "fan": overlapping; "stack": only the top is drawn, with the number of cards."""


@dataclass(frozen=True)
class Place:
    """Where one player sits, with all that lies in front of it."""

    name: str
    """Who sits here, for example "player_0"."""
    zones: tuple[Zone, ...]
    """In reading order."""
    active: bool = False
    """True: this place is to act."""
    note: str = ""
    """A short remark, for example "out: 1st" or "4 points"."""
    out: bool = False
    """True: it takes no part any more and is drawn dimmed."""


@dataclass(frozen=True)
class Grid:
    """A room of `width` by `height` cells with tokens in it; row 0 is the wall at the top."""

    width: int
    """Number of columns, at least 1."""
    height: int
    """Number of rows, at least 1."""
    tokens: tuple[tuple[int, int, str, str], ...]
    """(column, row, label, colour) of each token; several may share a cell."""


@dataclass(frozen=True)
class Scene:
    """The whole table as one viewer sees it."""

    title: str
    """For example "Poo Head"."""
    places: tuple[Place, ...]
    """`places[0]` is drawn at the bottom (the viewer), the others clockwise."""
    centre: tuple[Zone, ...]
    """What belongs to nobody: draw pile, pile, discard."""
    lines: tuple[str, ...] = ()
    """Remarks below the table."""
    grid: Grid | None = None
    """A room in the middle of the table, if the game has one."""


LARGE_HAND = 9
"""Cards of a hand that are drawn one by one; of a larger one equal cards are drawn together."""


def backs(count: int, colour: str = "plain") -> tuple[Card, ...]:
    """Cards of which only the back is seen."""
    return (Card("", colour, face_up=False),) * int(count)


def open_hand(counts: Iterable[int], face: Callable[[int, int], Card]) -> tuple[Card, ...]:
    """A hand of ``counts`` by kind, as ``face(kind, count)`` shows them; a large one with equal cards together."""
    held = [(kind, int(count)) for kind, count in enumerate(counts) if count]
    if sum(count for _, count in held) > LARGE_HAND:
        return tuple(face(kind, count) for kind, count in held)
    return tuple(face(kind, 1) for kind, count in held for _ in range(count))


def clockwise(viewer: int | None, players: int) -> list[int]:
    """All seats from the viewer's, for None from the first, in the order of a scene's places."""
    return [((viewer or 0) + step) % players for step in range(players)]
