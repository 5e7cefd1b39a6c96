"""Positions of Too Many Poops written as scenarios, field by field; ``loading`` reads them."""

from typing import Any

import numpy as np

from ...core.game import State
from .cards import ITEM_NAMES
from .record import CATS, FIRST_MODIFIER, HISS, ITEMS, KINDS, MODIFIERS

PHASES = ("choose", "draw", "play", "over")
ACT_NAMES = (*ITEM_NAMES, "wild", "play")
MODIFIER_NAMES = ITEM_NAMES[FIRST_MODIFIER : FIRST_MODIFIER + MODIFIERS]
PARAMETERS = ("items", "rivals", "litters", "optional_draw", "golden_poople", "rainbow_cats", "max_decisions")
FIELDS = (
    "players",
    *PARAMETERS,
    "hands",
    "homes",
    "store",
    "wild",
    "item_discard",
    "cat_deck",
    "item_deck",
    "turn",
    "phase",
    "chosen",
    "known",
    "cat_played",
    "cats_left",
    "items_left",
    "pending",
    "stack",
    "ask",
    "arrival",
    "out",
    "winner",
    "truncated",
    "decisions",
)


def spell_cats(counts: np.ndarray) -> list[str]:
    """Counts by kind as names in order."""
    return [CATS[kind] for kind in np.repeat(np.arange(KINDS), counts)]


def spell_items(counts: np.ndarray) -> list[str]:
    """Counts by item as names in the order of the table."""
    return [ITEM_NAMES[item] for item in np.repeat(np.arange(ITEMS), counts)]


def spell_modifiers(counts: np.ndarray) -> list[str]:
    """Counts by modifier as names."""
    return [MODIFIER_NAMES[k] for k in np.repeat(np.arange(MODIFIERS), counts)]


def _name(names: tuple[str, ...], number: int) -> str | None:
    return names[number] if number >= 0 else None


def _given(**parts: Any) -> dict[str, Any]:
    """Those parts that there are."""
    return {name: part for name, part in parts.items() if part is not None}


def dump(state: State) -> dict[str, Any]:
    """The whole position as a scenario; docs/games/too_many_poops.md lists the fields."""
    s, settings = state.record, state.settings
    seats = range(settings["num_players"])
    return {
        "players": settings["num_players"],
        **{name: _copy(settings[name]) for name in PARAMETERS},
        "seed": state.seed,
        "hands": [
            {"cats": spell_cats(s["hand_cats"][seat]), "items": spell_items(s["hand_items"][seat])} for seat in seats
        ],
        "homes": [
            {
                "cats": spell_cats(s["home"][seat]),
                "modifiers": spell_modifiers(s["modifiers"][seat]),
                "poops": int(s["poops"][seat]),
            }
            for seat in seats
        ],
        "store": {
            "cats": [_name(CATS, kind) for kind in s["store_cats"]],
            "items": [_name(ITEM_NAMES, item) for item in s["store_items"]],
        },
        "wild": spell_cats(s["wild"]),
        "item_discard": spell_items(s["discard"]),
        "cat_deck": [CATS[kind] for kind in s["cat_deck"][: s["cat_deck_size"]][::-1]],
        "item_deck": [ITEM_NAMES[item] for item in s["item_deck"][: s["item_deck_size"]][::-1]],
        "turn": int(s["turn"]),
        "phase": PHASES[s["phase"]],
        "chosen": [_name(CATS, s["chosen"][seat]) for seat in seats],
        "known": [
            {"cats": spell_cats(s["known_cats"][seat]), "items": spell_items(s["known_items"][seat])} for seat in seats
        ],
        "cat_played": bool(s["cat_played"]),
        "cats_left": int(s["cats_left"]),
        "items_left": int(s["items_left"]),
        "pending": dump_pending(s),
        "stack": dump_stack(s),
        "ask": dump_ask(s),
        "arrival": dump_arrival(s),
        "out": [seat for seat in seats if s["out"][seat]],
        "winner": int(s["winner"]) if s["winner"] >= 0 else None,
        "truncated": bool(s["truncated"]),
        "decisions": int(s["decisions"]),
        "rng": int(s["rng"]),
    }


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return dict(value)
    return [_copy(part) for part in value] if isinstance(value, list) else value


def dump_pending(s: np.void) -> dict[str, str] | None:
    """A choice half made, or None."""
    if s["pending_act"] < 0:
        return None
    own, cat = _name(CATS, s["pending_own"]), _name(CATS, s["pending_cat"])
    return {"act": ACT_NAMES[s["pending_act"]], **_given(own=own, cat=cat)}


def dump_stack(s: np.void) -> list[dict[str, Any]]:
    """The items and reactions not yet in effect, lowest first."""
    stack: list[dict[str, Any]] = [
        {"item": ITEM_NAMES[s["stack_item"][k]], "by": int(s["stack_by"][k])} for k in range(int(s["stack_size"]))
    ]
    if stack:
        home = int(s["stack_home"]) if s["stack_home"] >= 0 else None
        stack[0] |= _given(home=home, own=_name(CATS, s["stack_own"]), cat=_name(CATS, s["stack_cat"]))
    return stack


def dump_ask(s: np.void) -> list[int]:
    """The seats still to be asked about the top of the stack, or about a closed door."""
    asked = int(s["asked"])
    if asked < 0:
        return []
    if s["stack_size"] == 0:
        return [asked]
    return [asked, *holders_after(s, asked)]


def holders_after(s: np.void, seat: int) -> list[int]:
    """The seats after ``seat`` that are to be asked about the top of the stack (TM-12)."""
    n, player = int(s["num_players"]), int(s["stack_by"][s["stack_size"] - 1])
    later = range(seat + 1, seat + (player - seat) % n if seat != player else seat + n)
    return [other % n for other in later if s["hand_items"][other % n][HISS]]


def dump_arrival(s: np.void) -> dict[str, Any] | None:
    """The cat that a closed door may turn away, and its home, or None."""
    if s["arrival_cat"] < 0:
        return None
    return {"cat": CATS[s["arrival_cat"]], "home": int(s["arrival_home"])}
