"""Too Many Poops told and shown: words and pictures."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.game import State
from ...core.scene import Card, Place, Scene, Zone, backs, clockwise
from ...core.spec import Settings
from .cards import CATS, ITEM_NAMES, LITTER_NAMES, spell_cats, spell_items, spell_modifiers
from .record import (
    CAT,
    CHOOSE,
    CLOSED_DOOR,
    DISCARD,
    DRAW,
    DRAW_WILD,
    GOAL,
    HISS,
    LITTER_SIZE,
    OVER,
    PASS,
    PLAIN,
    PLAY_ITEM,
    REPLAY,
    SCOOP,
    SEATS,
    STORE,
    TO_HOME,
)
from .scenario import ARRIVAL, ASK, PENDING, STACK, dump


def cat_name(cat: str, litters: list[str]) -> str:
    """What a cat is called at this table."""
    kind = CATS.index(cat)
    return cat if kind >= PLAIN else f"{litters[kind // LITTER_SIZE]} {kind % LITTER_SIZE}"


def action_names(settings: Settings) -> tuple[str, ...]:
    """The names of the actions by number, cats by the names of their litters."""
    slots = range(1, STORE + 1)
    return (
        "draw cat",
        "draw item",
        *(f"draw store cat {k}" for k in slots),
        *(f"draw store item {k}" for k in slots),
        *(f"cat {cat_name(cat, settings['litters'])}" for cat in CATS),
        *(f"to home +{j}" for j in range(SEATS)),
        "to the wild",
        *(f"play {item}" for item in ITEM_NAMES),
        *(f"discard {item}" for item in ITEM_NAMES),
        "draw from the wild",
        "end",
        "pass",
    )


def grouped(cards: list[str]) -> str:
    """Cards in words, equal ones together."""
    return ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in Counter(cards).items()) or "none"


def home_poops(s: np.void, seat: int) -> int:
    """Poops that a seat's turn adds as it stands (TM-17)."""
    scooper, deluxe, dinner, fish = (int(count) for count in s["modifiers"][seat])
    return max(0, int(s["home_size"][seat]) - scooper - 2 * deluxe + dinner + 2 * fish)


def acting_seat(s: np.void, viewer: int | None) -> int:
    """The seat to act, as far as the viewer can see: another seat that is asked for a reaction is no sight."""
    n = int(s["num_players"])
    if s["phase"] == OVER:
        return -1
    if s["phase"] == CHOOSE:
        order = [(int(s["turn"]) + step) % n for step in range(n)]
        return next(seat for seat in order if s["chosen"][seat] < 0)
    asked = int(s["asked"])
    return asked if asked >= 0 and viewer in (None, asked) else int(s["turn"])


def headline(state: State, viewer: int | None) -> str:
    """Whose turn it is and what is to be done."""
    s, n = state.record, state.settings["num_players"]
    head = f"Too Many Poops, {n} players"
    if s["truncated"]:
        return f"{head}: cut short at the decision cap"
    if s["phase"] == OVER:
        how = "with ten points" if s["points"][s["winner"]] >= 10 else "as the last one left"
        return f"{head}: {_seat(int(s['winner']), viewer, 'win')} {how}"
    seat = acting_seat(s, viewer)
    if s["phase"] == CHOOSE:
        return f"{head}: {_seat(seat, viewer, 'choose')} the cat to keep"
    if seat == s["asked"] and viewer in (None, seat):
        wanted = "a hiss" if s["stack_size"] else "a closed door"
        return f"{head}: turn of seat {s['turn']}; {_seat(seat, viewer, 'may')} answer with {wanted}"
    doing = "draw" if s["phase"] == DRAW else "play"
    return f"{head}: {_seat(seat, viewer, doing)}, {_left(s)}"


def _left(s: np.void) -> str:
    played = ", a cat is played" if s["cat_played"] else ""
    return f"{_count(s['cats_left'], 'cat')} and {_count(s['items_left'], 'item')} left{played}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _seat(seat: int, viewer: int | None, verb: str) -> str:
    if seat == viewer:
        return f"you {verb}"
    return f"seat {seat} {verb}" + ("" if verb == "may" else "s")


def on_its_way(state: State, viewer: int | None) -> list[str]:
    """What the viewer sees of choices half made, of the stack and of questions."""
    s, litters = state.record, state.settings["litters"]
    lines = []
    pending, stack, arrival = PENDING.get(state), STACK.get(state), ARRIVAL.get(state)
    if pending and viewer in (None, int(s["turn"])):
        lines.append(f"half chosen: {_parts(pending, litters)}")
    if stack:
        lines.append("stack, lowest first: " + "; ".join(_parts(entry, litters) for entry in stack))
    if arrival and (stack or viewer in (None, arrival["home"])):
        lines.append(f"a closed door may turn away: {_parts(arrival, litters)}")
    if viewer is None and (asked := ASK.get(state)):
        lines.append(f"still asked: {', '.join(map(str, asked))}")
    return lines


def _parts(entry: dict[str, Any], litters: list[str]) -> str:
    words = []
    for key, value in entry.items():
        if key in ("cat", "own"):
            words.append(f"{'for ' if key == 'own' else ''}{cat_name(value, litters)}")
        elif key in ("by", "home"):
            words.append(f"{'by' if key == 'by' else 'home of'} seat {value}")
        else:
            words.append(str(value))
    return " ".join(words)


def describe(state: State, seat: int | None) -> str:
    """The position in words: as a seat sees it, or, for None, with everything."""
    settings = state.settings
    n, litters = settings["num_players"], settings["litters"]
    at = dump(state)

    def cats(names: list[str]) -> str:
        return grouped([cat_name(name, litters) for name in names])

    lines = [headline(state, seat), *on_its_way(state, seat)]
    for other in clockwise(seat, n):
        lines += _describe_seat(state, other, seat)
    for key, names in (("cats", at["store"]["cats"]), ("items", at["store"]["items"])):
        shown = [name and (cat_name(name, litters) if key == "cats" else name) for name in names]
        lines.append(f"store, {key}: {', '.join(name or 'gap' for name in shown)}")
    lines.append(f"The Wild: {cats(at['wild'])}")
    lines.append(f"discarded: {grouped(at['item_discard'])}")
    lines.append(f"decks: {_count(len(at['cat_deck']), 'cat')}, {_count(len(at['item_deck']), 'item')}")
    if tuple(litters) != LITTER_NAMES:
        lines.append(f"litters: {', '.join(litters)}")
    if seat is None:
        lines.append(f"cats, next first: {', '.join(cat_name(cat, litters) for cat in at['cat_deck']) or 'none'}")
        lines.append(f"items, next first: {', '.join(at['item_deck']) or 'none'}")
    return "\n".join(lines)


def flipped_cats(s: np.void, seat: int) -> list[str]:
    """The cats that lie flipped in a home."""
    return [CATS[kind] for kind in range(PLAIN) if s["flipped"][seat][kind]]


def _describe_seat(state: State, other: int, viewer: int | None) -> list[str]:
    s, litters = state.record, state.settings["litters"]
    who = "you" if other == viewer else f"seat {other}"
    if s["out"][other]:
        return [f"{who}: out"]
    flipped = flipped_cats(s, other)
    cats = [cat_name(cat, litters) + (" (flipped)" if cat in flipped else "") for cat in spell_cats(s["home"][other])]
    facts = f"{_count(s['points'][other], 'point')}, {_count(s['poops'][other], 'poop')}"
    facts += f", {home_poops(s, other)} more each turn"
    lines = [f"{who}: {facts}; home {grouped(cats)}"]
    if s["modifiers"][other].any():
        lines[0] += f"; modifiers {grouped(spell_modifiers(s['modifiers'][other]))}"
    if viewer is None or other == viewer:
        held = [cat_name(cat, litters) for cat in spell_cats(s["hand_cats"][other])]
        lines.append(f"  hand: {grouped(held + spell_items(s['hand_items'][other]))}")
        if s["chosen"][other] >= 0:
            lines.append(f"  to keep: {cat_name(CATS[s['chosen'][other]], litters)}")
    else:
        known = [cat_name(cat, litters) for cat in spell_cats(s["known_cats"][other])]
        known += spell_items(s["known_items"][other])
        seen = f" (known: {grouped(known)})" if known else ""
        lines.append(f"  hand: {_count(s['num_cats'][other], 'cat')}, {_count(s['num_items'][other], 'item')}{seen}")
    return lines


LITTER_COLOURS = ("brown", "grey", "red", "blue", "orange", "purple")
RAINBOW_COLOUR = "green"
ITEM_COLOUR = "yellow"
CAT_BACK, ITEM_BACK = "orange", "yellow"


def cat_card(cat: str, litters: list[str], flipped: bool = False, count: int = 1) -> Card:
    """A cat with its face up; a flipped one lies crosswise."""
    kind = CATS.index(cat)
    colour = RAINBOW_COLOUR if kind >= PLAIN else LITTER_COLOURS[kind // LITTER_SIZE]
    return Card(cat_name(cat, litters), colour, turned=flipped, count=count)


def cat_cards(cats: Iterable[str | None], litters: list[str]) -> tuple[Card, ...]:
    """Cats with their faces up."""
    return tuple(cat_card(cat, litters) for cat in cats if cat is not None)


def item_cards(items: Iterable[str | None]) -> tuple[Card, ...]:
    """Items with their faces up."""
    return tuple(Card(item, ITEM_COLOUR) for item in items if item is not None)


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all hands open."""
    s, settings = state.record, state.settings
    n, litters = settings["num_players"], settings["litters"]
    places = tuple(_place(state, other, seat) for other in clockwise(seat, n))
    store_cats = [CATS[kind] if kind >= 0 else None for kind in s["store_cats"]]
    counts = np.zeros_like(s["discard"])
    store_items: list[str | None] = []
    for item in s["store_items"]:
        counts[:] = 0
        if item >= 0:
            counts[item] = 1
        store_items += spell_items(counts) or [None]
    centre = [
        Zone("cat deck", backs(s["cat_deck_size"], CAT_BACK), "stack"),
        Zone("store cats", _slots(store_cats, litters)),
        Zone("item deck", backs(s["item_deck_size"], ITEM_BACK), "stack"),
        Zone("store items", tuple(Card(item or "-", ITEM_COLOUR if item else "plain") for item in store_items)),
        Zone("The Wild", cat_cards(spell_cats(s["wild"]), litters), "fan"),
        Zone("discard", item_cards(spell_items(s["discard"])), "fan"),
    ]
    stack = STACK.get(state)
    if stack:
        centre.append(Zone("played", item_cards(entry["item"] for entry in stack), "fan"))
    lines = (headline(state, seat), *on_its_way(state, seat), f"litters: {', '.join(litters)}")
    return Scene("Too Many Poops", places, tuple(centre), lines)


def _slots(cats: list[str | None], litters: list[str]) -> tuple[Card, ...]:
    """The face-up cats by slot; a gap stays to be seen, since slots keep their numbers."""
    return tuple(cat_card(cat, litters) if cat else Card("-") for cat in cats)


def _place(state: State, other: int, viewer: int | None) -> Place:
    s, litters = state.record, state.settings["litters"]
    open_hand = viewer is None or other == viewer
    if open_hand:
        cats = cat_cards(spell_cats(s["hand_cats"][other]), litters)
        items = item_cards(spell_items(s["hand_items"][other]))
    else:
        cats, items = backs(s["num_cats"][other], CAT_BACK), backs(s["num_items"][other], ITEM_BACK)
    flipped = flipped_cats(s, other)
    home = [cat_card(cat, litters, cat in flipped) for cat in spell_cats(s["home"][other])]
    zones = [
        Zone("hand", cats + items, "row" if open_hand else "fan"),
        Zone("home", tuple(home)),
    ]
    if s["modifiers"][other].any():
        zones.append(Zone("modifiers", item_cards(spell_modifiers(s["modifiers"][other]))))
    if open_hand and s["chosen"][other] >= 0:
        zones.append(Zone("to keep", cat_cards([CATS[s["chosen"][other]]], litters)))
    out = bool(s["out"][other])
    notes = ["out"] if out else []
    if not out:
        notes = [f"{s['points'][other]} of {GOAL} points", f"{s['poops'][other]} poops +{home_poops(s, other)}"]
    if s["winner"] == other:
        notes.append("wins!")
    known = [cat_name(cat, litters) for cat in spell_cats(s["known_cats"][other])]
    known += spell_items(s["known_items"][other])
    if known and not open_hand:
        notes.append(f"known: {', '.join(known)}")
    return Place(f"player_{other}", tuple(zones), acting_seat(s, viewer) == other, ", ".join(notes), out)


WITHOUT_PARTS = (REPLAY, SCOOP, HISS, CLOSED_DOOR)


def is_public(state: State, action: int) -> bool:
    """Whether all seats see which action is taken: not what is kept (TM-2), half chosen, or refused in secret."""
    if action >= PLAY_ITEM and action < DISCARD:
        return action - PLAY_ITEM in WITHOUT_PARTS
    return action < CAT or (TO_HOME <= action and action not in (DRAW_WILD, PASS))


def simultaneous(state: State) -> tuple[tuple[int, ...], int] | None:
    """Who chooses a cat to keep unseen, in the order asked, and how many have (TM-2); None if only one chooses."""
    s, n = state.record, state.settings["num_players"]
    if s["phase"] != CHOOSE:
        return None
    order = ((int(s["turn"]) + step) % n for step in range(n))
    return tuple(order), int((s["chosen"][:n] >= 0).sum())
