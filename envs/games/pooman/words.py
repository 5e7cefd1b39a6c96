"""Positions of Pooman in words."""

import numpy as np

from ...core.game import State
from .cards import ACTIONS, CARDS
from .record import AGAIN, BALANCED, CHASE, DEFEND, DRAW, HIDDEN, OVER, POOPERMAN, TAKE, TOUCHED
from .scenario import deck_names, spell

FATES = {TOUCHED: "touched", HIDDEN: "hidden", BALANCED: "balanced"}
HUNTERS = ("the Pooman", "The Pooperman")


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    s = state.record
    n = int(s["num_players"])
    first = seat if seat is not None and seat < n else 0
    left = ", ".join(f"{s['left'][kind]} x {name}" for kind, name in enumerate(CARDS) if s["left"][kind])
    lines = [
        headline(s, seat),
        *(_describe_player(s, (first + step) % n, seat) for step in range(n)),
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
