"""Poo Head told and shown: names of actions, words and pictures."""

from collections.abc import Iterable

import numpy as np

from ...core.game import State
from ...core.scene import Card, Place, Scene, Zone, backs, clockwise, open_hand
from ...core.spec import Settings
from .cards import CARDS, card_names, spell
from .record import ARRANGE, COPIES, DEALT, NUM_ACTIONS, NUMBERS, OVER, SCORE_POINTS, TABLE

COLOURS = {
    4: "blue",
    11: "green",
    12: "grey",
}  # as the game's own cards are coloured; other numbers are plain
PLACES = ("1st", "2nd", "3rd")


def _name_actions() -> tuple[str, ...]:
    plays = [f"play {rank}" + (f" x{k}" if k > 1 else "") for rank in range(NUMBERS) for k in range(1, COPIES + 1)]
    flips = [f"flip {k}" for k in range(1, DEALT + 1)]
    return (*plays, "play poo head", "play bomb", "pick up", *flips, *(f"table {card}" for card in CARDS))


ACTIONS = _name_actions()
assert len(ACTIONS) == NUM_ACTIONS


def action_names(settings: Settings) -> tuple[str, ...]:
    """The names of the actions by number."""
    return ACTIONS


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    s, n = state.record, state.settings["num_players"]
    lines = [_headline(s, n, seat)]
    for other in clockwise(seat, n):
        lines.append(_describe_seat(s, other, seat))
    pile = ", ".join(card_names(s["pile"][: s["pile_size"]])) or "empty"
    lines.append(f"pile, bottom to top: {pile}")
    lines.append(f"draw pile: {s['draw_size']} cards; burnt: {', '.join(spell(s['burnt'])) or 'none'}")
    if seat is None:
        lines.append(f"draw pile, next first: {', '.join(card_names(s['draw'][: s['draw_size']][::-1])) or 'none'}")
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
    opening = ", the lowest number is due" if s["opening"] else ""
    bound = ", bound by a 4" if s["pile_size"] and s["pile"][s["pile_size"] - 1] == 4 else ""
    return f"{head}: {acting} to play{opening}{bound}"


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
        parts.append(f"hand {', '.join(spell(s['hand'][other])) or 'empty'}")
    else:
        known = spell(s["known"][other])
        parts.append(f"{s['hand_size'][other]} hand cards" + (f" (known: {', '.join(known)})" if known else ""))
    if s["up_size"][other]:
        parts.append(f"face up {', '.join(spell(s['up'][other]))}")
    if s["down_size"][other]:
        hidden = s["down"][other][: s["down_size"][other]]
        parts.append(f"face down {', '.join(card_names(hidden))}" if viewer is None else f"{len(hidden)} face down")
    if mine and s["num_picks"][other]:
        parts.append(f"to lie face up {', '.join(spell(s['picks'][other]))}")
    if s["scoring"] == SCORE_POINTS:
        parts.append(f"{s['points'][other]} points")
    return f"{'you' if other == viewer else f'seat {other}'}: {'; '.join(parts)}"


def _place(s: np.void, seat: int) -> str:
    place = s["out"][: s["num_out"]].tolist().index(seat)
    return PLACES[place] if place < len(PLACES) else f"{place + 1}th"


def _faces(cards: Iterable[str]) -> tuple[Card, ...]:
    return tuple(Card(label, COLOURS.get(CARDS.index(label), "plain")) for label in cards)


def _face(rank: int, count: int) -> Card:
    return Card(CARDS[rank], COLOURS.get(rank, "plain"), count=count)


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all hands open."""
    s, n = state.record, state.settings["num_players"]
    places = tuple(_seat_place(s, other, seat) for other in clockwise(seat, n))
    centre = (
        Zone("draw pile", backs(s["draw_size"]), "stack"),
        Zone("pile", _faces(card_names(s["pile"][: s["pile_size"]])), "fan"),
        Zone("burnt", _faces(spell(s["burnt"])), "stack"),
    )
    return Scene("Poo Head", places, centre, (_headline(s, n, seat),))


def _seat_place(s: np.void, other: int, viewer: int | None) -> Place:
    is_open = viewer is None or other == viewer
    hand = open_hand(s["hand"][other], _face) if is_open else backs(s["hand_size"][other])
    zones = [
        Zone("hand", hand, "row" if is_open else "fan"),
        Zone("face up", _faces(spell(s["up"][other]))),
        Zone("face down", backs(s["down_size"][other])),
    ]
    if is_open and s["num_picks"][other]:
        zones.append(Zone("to lie face up", _faces(spell(s["picks"][other]))))
    notes = []
    out = other in s["out"][: s["num_out"]]
    if out:
        notes.append(f"out: {_place(s, other)}")
    elif s["phase"] == OVER and not s["truncated"] and s["scoring"] != SCORE_POINTS:
        notes.append("Poo Head!")
    known = spell(s["known"][other])
    if known and not is_open:
        notes.append(f"known: {' '.join(known)}")
    if s["scoring"] == SCORE_POINTS:
        notes.append(f"{s['points'][other]} points")
    return Place(f"player_{other}", tuple(zones), bool(s["turn"] == other), ", ".join(notes), out)
