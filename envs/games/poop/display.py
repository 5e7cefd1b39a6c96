"""Poop: The Game told and shown: names of actions, words and pictures."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from ...core.game import State
from ...core.scene import Card, Place, Scene, Zone, backs, clockwise, open_hand
from ...core.spec import Settings
from .cards import CARDS, EDITIONS, card_names
from .record import (
    BLIND,
    FACES,
    INTERCEPT,
    KINDS,
    OVER,
    PLAY,
    SAY_HOLD,
    SAY_PASS,
    SAY_SLAP,
    SEATS,
    SHARE,
    SLAP,
    SUPER,
)
from .scenario import ANSWERS, duties_of, hand_of, pile_of, winners_of

SAID = ("clog", "intercept", "pass", "flip", "slap", "hold", *(f"share +{k}" for k in range(1, SEATS)))
ACTIONS = {edition: (*(f"play {card}" for card in cards), *SAID) for edition, cards in CARDS.items()}


def action_names(settings: Settings) -> tuple[str, ...]:
    """The names of the actions by number, in the words of the edition."""
    return ACTIONS[settings["edition"]]


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action the seat to act takes; a pass and answers to a slap are secret (PG-22, PG-26).

    Nobody sees that a seat was asked to intercept and passed; an interception itself is seen.
    """
    return action not in (SAY_PASS, SAY_SLAP, SAY_HOLD)


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who says slap or hold unseen, in the order asked, and how many have said it (PG-26); None if only one chooses."""
    s, n = state.record, state.settings["num_players"]
    if s["phase"] != SLAP:
        return None
    order = ((int(s["turn"]) + int(s["direction"]) * step) % n for step in range(1, n + 1))
    return tuple(order), int((s["slaps"][:n] >= 0).sum())


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    s, edition, n = state.record, state.settings["edition"], state.settings["num_players"]
    lines = [_headline(state, seat), _toilet_line(state, seat)]
    lines += [_describe_seat(state, other, seat) for other in clockwise(seat, n)]
    table = ", ".join(card_names(edition, s["table"][: s["table_size"]])) or "empty"
    lines.append(f"table, oldest first: {table}; total {s['total']}, row of {s['row']}")
    if s["last"] >= 0:
        lines.append(f"last card played: {CARDS[edition][s['last']]}")
    lines.append(f"draw pile: {s['draw_size']} cards; discard: {_list(_grouped(edition, s['discard']))}")
    if seat is None:
        lines.append(f"draw pile, next first: {_list(card_names(edition, s['draw'][: s['draw_size']][::-1]))}")
        lines.append(f"toilets, next first: {_list(_toilets(state, s['toilets'][: s['toilet_size']][::-1]))}")
    return "\n".join(lines)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _grouped(edition: str, counts: np.ndarray) -> list[str]:
    """Counts by kind in words, equal cards together."""
    return [CARDS[edition][kind] + (f" x{counts[kind]}" if counts[kind] > 1 else "") for kind in np.flatnonzero(counts)]


def _toilets(state: State, sorts: Iterable[Any]) -> list[str]:
    s, colours = state.record, EDITIONS[state.settings["edition"]].colours
    return [f"{s['toilet_lid'][sort]} {colours[s['toilet_water'][sort]]}" for sort in sorts]


def _shown_phase(s: np.void, viewer: int | None) -> int:
    """The phase as a seat is shown it: that somebody else is asked to intercept is secret (PG-22)."""
    return PLAY if s["phase"] == INTERCEPT and viewer not in (None, int(s["asked"])) else int(s["phase"])


def _headline(state: State, viewer: int | None) -> str:
    s, settings = state.record, state.settings
    head = f"Poop: The Game, {settings['variant'].replace('_', ' ')}, {settings['num_players']} players"
    phase = _shown_phase(s, viewer)
    if phase == OVER:
        return f"{head}: {_ending(s)}"
    acting = int(s["asked"]) if phase in (INTERCEPT, SLAP) else int(s["turn"])
    who = "you are" if acting == viewer else f"seat {acting} is"
    if phase == SHARE:
        return f"{head}: {who} to choose who shares the drinks"
    if phase == INTERCEPT:
        return f"{head}: {who} asked whether to intercept seat {s['turn']}'s card"
    if phase == SLAP:
        return f"{head}: {who} to say slap or hold, seat {s['turn']} flipped the third of a colour"
    return f"{head}: {who} to {'flip' if s['variant'] == SUPER else 'play'}"


def _ending(s: np.void) -> str:
    winners = winners_of(s)
    names = " and ".join(f"seat {seat}" for seat in winners)
    if s["truncated"]:
        return "cut short at the decision cap" + (f", the largest pile has {names}" if winners else "")
    return f"{names} wins"


def _toilet_line(state: State, viewer: int | None) -> str:
    s, colours = state.record, EDITIONS[state.settings["edition"]].colours
    if s["variant"] == BLIND and viewer is not None:
        lid = f"lid and water unseen, a total of {s['survived']} survived"
    else:
        lid = f"lid {s['lid']}, {colours[s['water']]} water"
        if s["variant"] == BLIND:
            lid += f", unseen by the players, a total of {s['survived']} survived"
    used = [sort for sort in range(len(s["used"])) for _ in range(int(s["used"][sort]))]
    course = "clockwise" if s["direction"] > 0 else "anticlockwise"
    if s["skip_next"]:
        course += ", the next seat is skipped"
    return f"toilet: {lid}; {s['toilet_size']} to come; used: {_list(_toilets(state, used))}; play goes {course}"


def _describe_seat(state: State, other: int, viewer: int | None) -> str:
    s, edition, piles = state.record, state.settings["edition"], state.record["variant"] == SUPER
    size = int(s["hand_size"][other])
    known = _known(s, other, viewer)
    if viewer is None and piles:
        parts = [f"pile, top first: {_list(card_names(edition, pile_of(s, other)))}"]
    elif piles or (viewer is not None and other != viewer):
        parts = [f"{size} cards in the {'pile' if piles else 'hand'}"]
        if known.any():
            parts[0] += f" (known: {_list(_grouped(edition, known))})"
    else:
        parts = [f"hand {_list(_grouped(edition, s['hand'][other]))}"]
    duties = duties_of(s, edition, other)
    if duties:
        parts.append(f"has to {_list(duties)}")
    if s["drinking"]:
        parts.append(f"{s['drinks'][other]} drinks")
    answer = _own_answer(s, other, viewer)
    if answer:
        parts.append(f"says {answer}")
    return f"{'you' if other == viewer else f'seat {other}'}: {'; '.join(parts)}"


def _known(s: np.void, owner: int, viewer: int | None) -> np.ndarray:
    """What a seat knows of a hand beside its own."""
    return np.zeros(KINDS, np.int8) if viewer is None else s["known"][viewer][owner]


def _own_answer(s: np.void, other: int, viewer: int | None) -> str:
    """The answer to a slap, for those who may see it."""
    if viewer not in (None, other):
        return ""
    return ANSWERS[s["slaps"][other]] if s["slaps"][other] >= 0 else ""


def _card(edition: str, kind: int, count: int = 1) -> Card:
    return Card(CARDS[edition][kind], EDITIONS[edition].colours[kind // FACES], count=count)


def _faces(edition: str, kinds: Iterable[Any]) -> tuple[Card, ...]:
    return tuple(_card(edition, int(kind)) for kind in kinds)


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all hands open."""
    s, edition, n = state.record, state.settings["edition"], state.settings["num_players"]
    places = tuple(_seat_place(state, other, seat) for other in clockwise(seat, n))
    discard = np.repeat(np.arange(KINDS), s["discard"])
    centre = (
        Zone("toilet", (_toilet_card(state, seat),)),
        Zone(f"table, total {s['total']}", _faces(edition, s["table"][: s["table_size"]]), "fan"),
        Zone("draw pile", backs(s["draw_size"]), "stack"),
        Zone("discard", _faces(edition, discard), "stack"),
        Zone("toilets", backs(s["toilet_size"]), "stack"),
    )
    return Scene("Poop: The Game", places, centre, (_headline(state, seat), _toilet_line(state, seat)))


def _toilet_card(state: State, viewer: int | None) -> Card:
    s, colours = state.record, EDITIONS[state.settings["edition"]].colours
    if s["variant"] == BLIND and viewer is not None:
        return Card("", face_up=False)
    return Card(f"lid {s['lid']} {colours[s['water']]} water", colours[s["water"]])


def _seat_place(state: State, other: int, viewer: int | None) -> Place:
    s, edition, piles = state.record, state.settings["edition"], state.record["variant"] == SUPER
    if viewer is None and piles:
        zone = Zone("pile, top first", _faces(edition, pile_of(s, other)), "fan")
    elif piles:
        zone = Zone("pile", backs(s["hand_size"][other]), "stack")
    elif viewer in (None, other):
        zone = Zone("hand", open_hand(hand_of(s, other), partial(_card, edition)))
    else:
        zone = Zone("hand", backs(s["hand_size"][other]), "fan")
    notes = [*duties_of(s, edition, other)]
    known = _grouped(edition, _known(s, other, viewer))
    if known:
        notes.append(f"known: {' '.join(known)}")
    if s["drinking"]:
        notes.append(f"{s['drinks'][other]} drinks")
    answer = _own_answer(s, other, viewer)
    if answer:
        notes.append(f"says {answer}")
    if other in winners_of(s):
        notes.append("wins")
    phase = _shown_phase(s, viewer)
    acting = -1 if phase == OVER else int(s["asked"] if phase in (INTERCEPT, SLAP) else s["turn"])
    out = bool(piles and not s["hand_size"][other] and phase != OVER)
    return Place(f"player_{other}", (zone,), acting == other, ", ".join(notes), out)
