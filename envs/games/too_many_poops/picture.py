"""The table of Too Many Poops as a picture's parts, as a seat sees it."""

from collections.abc import Iterable

import numpy as np

from ...core.game import State
from ...core.scene import Card, Place, Scene, Zone
from .record import CATS, GOAL, LITTER_SIZE, PLAIN
from .scenario import dump_stack, spell_cats, spell_items, spell_modifiers
from .words import acting_seat, cat_name, flipped_cats, headline, home_poops, on_its_way

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


def backs(count: int, colour: str) -> tuple[Card, ...]:
    """Cards of which only the back is seen."""
    return (Card("", colour, face_up=False),) * int(count)


def scene(state: State, seat: int | None) -> Scene:
    """The table as a seat sees it, or, for None, with all hands open."""
    s, settings = state.record, state.settings
    n, litters = settings["num_players"], settings["litters"]
    first = seat or 0
    places = tuple(_place(state, (first + step) % n, seat) for step in range(n))
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
    stack = dump_stack(s)
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
