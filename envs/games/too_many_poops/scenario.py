"""Positions of Too Many Poops as scenarios."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ...core.compiler import driver
from ...core.game import Game, State
from ...core.scenario import CardPool, ScenarioReader, card, whole_number
from . import rules
from .cards import CATS, ITEM_NAMES
from .record import (
    CAT,
    CHOOSE,
    CLOSED_DOOR,
    DEALT_CATS,
    DEALT_ITEMS,
    DRAW,
    DRAW_ITEM,
    DRAW_STORE_ITEM,
    DRAW_WILD,
    END,
    FIRST_MODIFIER,
    GOAL,
    HAND,
    HISS,
    ITEMS,
    ITEMS_A_TURN,
    KINDS,
    LURE,
    MAX_STACK,
    MODIFIERS,
    MOST_CATS,
    NONE,
    OVER,
    PLAIN,
    PLAY,
    PLAY_CAT,
    PLAY_ITEM,
    RAINBOW,
    REPLAY,
    SCOOP,
    SHOO,
    STORE,
    SWAP,
    TOO_MANY,
    WILD,
)

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


STORE_ITEM_DRAWS = range(DRAW_STORE_ITEM, DRAW_STORE_ITEM + STORE)
MOST_POOPS = 1000  # that a scenario may put into a litter box


@driver
def derive(rules):
    """derive(states, i): works out what follows from the cats in the homes of record i."""

    def run(states, i):
        rules.update_homes(states[i])

    return run


def load(game: Game, scenario: Mapping[str, Any]) -> State:
    """The position that a scenario describes; ValueError names the field that cannot be."""
    reader = ScenarioReader(scenario, FIELDS)
    rows = reader.entries("hands") or reader.entries("homes")
    players = scenario.get("players")
    settings = reader.settings(game.spec, len(rows) if players is None and rows is not None else players)
    records = game.empty_states(settings, 1)
    state, s, n = State(records, settings, reader.seed), records[0], settings["num_players"]
    s["rng"] = reader.chance()
    s["phase"] = PHASES.index(reader.choice("phase", "play", PHASES))
    s["turn"] = reader.whole("turn", 0, 0, n - 1)
    s["truncated"] = reader.flag("truncated", False)
    _load_out(reader, s, n)
    _load_cards(reader, s, settings)
    derive(rules)(records, 0)
    _load_counters(reader, s, settings)
    _check_homes(s, n)
    _load_choices(reader, s, n)
    _load_arrival(reader, s, n)
    _load_ask(reader, s, n)
    _load_pending(reader, game, state)
    _check_going_on(game, state)
    return state


def _load_out(reader: ScenarioReader, s: np.void, n: int) -> None:
    for entry in reader.entries("out") or []:
        seat = whole_number("out", entry, 0, n - 1)
        if s["out"][seat]:
            raise ValueError(f"out: seat {seat} is named twice")
        s["out"][seat] = 1
    winner = reader.scenario.get("winner")
    s["winner"] = NONE if winner is None else whole_number("winner", winner, 0, n - 1)


def _rows(reader: ScenarioReader, field: str, n: int, keys: tuple[str, ...]) -> list[dict[str, Any]] | None:
    """A list of objects for every seat, of which all keys are known."""
    rows = reader.entries(field, n)
    for seat, row in enumerate(rows or []):
        _require_object(f"{field}: seat {seat}", row, keys)
    return rows


def _require_object(what: str, value: Any, keys: tuple[str, ...]) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what}: an object with {', '.join(keys)} is wanted, not {value!r}")
    for key in value:
        if key not in keys:
            raise ValueError(f"{what}: {key!r} is none of {', '.join(keys)}")


def _cards(field: str, row: Mapping[str, Any], key: str, names: tuple[str, ...]) -> list[int]:
    """The cards of one list in an object; none if it is left out."""
    found = row.get(key)
    if found is None:
        return []
    if not isinstance(found, list | tuple):
        raise ValueError(f"{field}: {key} is {found!r} instead of a list of cards")
    return [card(field, entry, names.index) for entry in found]


def _slots(store: Mapping[str, Any], key: str, names: tuple[str, ...]) -> list[int] | None:
    """Three slots of the pet store, a gap is NONE; None if they are left out."""
    found = store.get(key)
    if found is None:
        return None
    if not isinstance(found, list | tuple) or len(found) > STORE:
        raise ValueError(f"store: {key} are {found!r} instead of at most {STORE} slots")
    slots = [NONE if entry is None else card("store", entry, names.index) for entry in found]
    return slots + [NONE] * (STORE - len(slots))


class _Sort:
    """Cats or items: their names, those that are not placed yet, and what a scenario says of them."""

    def __init__(self, reader: ScenarioReader, key: str, names: tuple[str, ...], deck: dict[int, int]):
        self.reader, self.key, self.names = reader, key, names
        self.pool = CardPool(deck, lambda kind: names[kind], reader.seed)
        single = key[:-1]
        self.deck_field = f"{single}_deck"
        self.loose_field = "wild" if key == "cats" else "item_discard"

    def place(self, field: str, cards: Iterable[int]) -> None:
        """Takes cards out of the pool."""
        self.pool.place(field, cards)

    def pile(self, field: str) -> list[int] | None:
        """A plain list of the scenario."""
        found = self.reader.cards(field, self.names.index)
        self.place(field, found or [])
        return found

    def deal(self, field: str, count: int) -> list[int]:
        """Random cards of those left; none where the scenario is strict."""
        return [] if self.reader.strict else self.pool.deal(field, count)


def _load_cards(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    n = settings["num_players"]
    cats = _Sort(reader, "cats", CATS, dict.fromkeys(range(PLAIN), 1) | {RAINBOW: settings["rainbow_cats"]})
    items = _Sort(reader, "items", ITEM_NAMES, dict(enumerate(settings["items"].values())))
    hands = _rows(reader, "hands", n, ("cats", "items"))
    _load_homes(reader, s, n, cats, items)
    _load_stack(reader, s, n, items)
    store = reader.scenario.get("store")
    if store is not None:
        _require_object("store", store, ("cats", "items"))
    dealt = (DEALT_CATS if s["phase"] == CHOOSE else 1, DEALT_ITEMS)
    for sort, count in zip((cats, items), dealt, strict=True):
        held = None if hands is None else [_cards("hands", row, sort.key, sort.names) for row in hands]
        for row in held or []:
            sort.place("hands", row)
        slots = None if store is None else _slots(store, sort.key, sort.names)
        sort.place("store", [kind for kind in slots or [] if kind >= 0])
        loose, deck = sort.pile(sort.loose_field) or [], sort.pile(sort.deck_field)
        if held is None:
            held = [[] if s["out"][seat] else sort.deal("hands", count) for seat in range(n)]
        if slots is None:
            slots = sort.deal("store", min(STORE, len(sort.pool.rest(shuffled=False))))
            slots += [NONE] * (STORE - len(slots))
        if deck is None:
            deck = [] if reader.strict else sort.pool.rest(shuffled=True)
        _write_cards(s, sort, held, slots, loose, deck)
    _load_known(reader, s, n)


def _write_cards(s: np.void, sort: _Sort, held: list[list[int]], slots: list[int], loose: list, deck: list) -> None:
    kinds = len(sort.names)
    for seat, row in enumerate(held):
        if row and s["out"][seat]:
            raise ValueError(f"hands: seat {seat} is out, yet it has {[sort.names[kind] for kind in row]}")
        s[f"hand_{sort.key}"][seat] = np.bincount(row, minlength=kinds) if row else 0
        s[f"num_{sort.key}"][seat] = len(row)
    s[f"store_{sort.key}"][:] = slots
    s[f"{sort.deck_field}"][: len(deck)] = deck[::-1]
    s[f"{sort.deck_field}_size"] = len(deck)
    counts = np.bincount(np.array(loose, int), minlength=kinds)
    pile = "wild" if sort.key == "cats" else "discard"
    s[pile], s[f"{pile}_size"] = counts, len(loose)


def _load_homes(reader: ScenarioReader, s: np.void, n: int, cats: _Sort, items: _Sort) -> None:
    for seat, row in enumerate(_rows(reader, "homes", n, ("cats", "modifiers", "poops")) or []):
        for kind in (found := _cards("homes", row, "cats", CATS)):
            s["home"][seat][kind] += 1
        cats.place("homes", found)
        for item in (found := _cards("homes", row, "modifiers", ITEM_NAMES)):
            if ITEM_NAMES[item] not in MODIFIER_NAMES:
                raise ValueError(f"homes: {ITEM_NAMES[item]!r} is no modifier, so it does not lie in a home")
            s["modifiers"][seat][item - FIRST_MODIFIER] += 1
        items.place("homes", found)
        poops = row.get("poops")
        s["poops"][seat] = 0 if poops is None else whole_number("homes", poops, 0, MOST_POOPS)
        if s["out"][seat] and (s["home"][seat].any() or s["modifiers"][seat].any() or s["poops"][seat]):
            raise ValueError(f"homes: seat {seat} is out, so its home is empty, without modifiers and poops")


def _load_known(reader: ScenarioReader, s: np.void, n: int) -> None:
    for seat, row in enumerate(_rows(reader, "known", n, ("cats", "items")) or []):
        for key, names in (("cats", CATS), ("items", ITEM_NAMES)):
            for kind in _cards("known", row, key, names):
                s[f"known_{key}"][seat][kind] += 1
            if (s[f"known_{key}"][seat] > s[f"hand_{key}"][seat]).any():
                raise ValueError(f"known: seat {seat} does not hold {row[key]}")


def _load_counters(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    over, cap = s["phase"] == OVER, settings["max_decisions"]
    s["cat_played"] = reader.flag("cat_played", False)
    s["cats_left"] = reader.whole("cats_left", 1, 0, MOST_CATS)
    s["items_left"] = reader.whole("items_left", ITEMS_A_TURN, 0, ITEMS_A_TURN)
    if not s["cat_played"] and s["cats_left"] == 0:
        raise ValueError("cats_left: 0 only once a cat is played this turn")
    s["decisions"] = reader.whole("decisions", 0, 0, cap if over else cap - 1)
    if s["truncated"] and not over:
        raise ValueError("truncated: only a game that is over can be")
    if s["truncated"] and s["winner"] >= 0:
        raise ValueError("winner: nobody has won a game that was cut short")
    if over and not s["truncated"] and s["winner"] < 0:
        raise ValueError("phase: 'over' needs a winner, or truncated")
    if s["winner"] >= 0 and not over:
        raise ValueError("winner: only when the phase is 'over'")


def _check_homes(s: np.void, n: int) -> None:
    """Nobody has ten points or poops, or too few are left, unless the game is won (TM-16, TM-18, TM-19)."""
    left = [seat for seat in range(n) if not s["out"][seat]]
    winner = int(s["winner"])
    if winner >= 0:
        if winner not in left or (s["points"][winner] < GOAL and len(left) > 1):
            raise ValueError(f"winner: seat {winner} neither has ten points nor is the last one left")
        return
    for seat in left:
        if s["points"][seat] >= GOAL:
            raise ValueError(f"homes: seat {seat} has {s['points'][seat]} points, so it would have won")
        if s["poops"][seat] >= TOO_MANY:
            raise ValueError(f"homes: seat {seat} has {s['poops'][seat]} poops, so it would be out")
    if len(left) < 2:
        raise ValueError(f"out: only {left} left, so the game would be won")
    if s["out"][s["turn"]]:
        raise ValueError(f"turn: seat {s['turn']} is out")


def _load_choices(reader: ScenarioReader, s: np.void, n: int) -> None:
    """The cats of TM-2."""
    chosen = reader.entries("chosen", n) or [None] * n
    kinds = [NONE if entry is None else card("chosen", entry, CATS.index) for entry in chosen]
    s["chosen"][:n] = kinds
    s["chosen"][n:] = NONE
    if max(kinds) >= 0 and s["phase"] != CHOOSE and not s["truncated"]:
        raise ValueError("chosen: only while the phase is 'choose'")
    if s["phase"] != CHOOSE and max(kinds) < 0:
        return
    order = [kinds[(int(s["turn"]) + step) % n] for step in range(n)]
    if min(kinds) >= 0:
        raise ValueError("chosen: all seats have chosen, so the cats would lie in the homes")
    if any(late >= 0 for early, late in zip(order, order[1:], strict=False) if early < 0):
        raise ValueError("chosen: the seats choose clockwise, beginning with the one whose turn it is")
    for seat, kind in enumerate(kinds):
        if kind >= 0 and not s["hand_cats"][seat][kind]:
            raise ValueError(f"chosen: seat {seat} does not hold {CATS[kind]!r}")
        if s["num_cats"][seat] != DEALT_CATS:
            raise ValueError(f"hands: while choosing each seat has two cats, seat {seat} has {s['num_cats'][seat]}")
    if s["home"].any() or s["modifiers"].any() or s["poops"].any() or s["out"].any():
        raise ValueError("homes: empty while the phase is 'choose', and nobody is out")


def _load_stack(reader: ScenarioReader, s: np.void, n: int, items: _Sort) -> None:
    """TM-12: an item of the seat at turn, or a closed door, and hisses on it, each by another seat than the last."""
    stack = reader.entries("stack") or []
    s["stack_home"] = s["stack_own"] = s["stack_cat"] = NONE
    if len(stack) > MAX_STACK:
        raise ValueError(f"stack: {len(stack)} cards are more than there can be")
    for k, entry in enumerate(stack):
        parts = ("home", "own", "cat") if k == 0 else ()
        _require_object("stack", entry, ("item", "by", *parts))
        item = card("stack", entry.get("item"), ITEM_NAMES.index)
        seat = whole_number("stack", entry.get("by"), 0, n - 1)
        if k > 0 and (item != HISS or seat == s["stack_by"][k - 1]):
            raise ValueError(f"stack: {entry!r} is no hiss of another seat on the card below it")
        if s["out"][seat]:
            raise ValueError(f"stack: seat {seat} is out")
        s["stack_item"][k], s["stack_by"][k] = item, seat
        items.place("stack", [item])
    s["stack_size"] = len(stack)
    if stack:
        _load_parts(s, n, stack[0])


def _load_parts(s: np.void, n: int, entry: Mapping[str, Any]) -> None:
    item, turn = int(s["stack_item"][0]), int(s["turn"])
    wanted = {LURE: {"home", "cat"}, SHOO: {"home", "cat"}, SWAP: {"home", "own", "cat"}}.get(item, set())
    if ITEM_NAMES[item] in MODIFIER_NAMES:
        wanted = {"home"}
    given = {key for key in ("home", "own", "cat") if entry.get(key) is not None}
    if item in (SHOO, SWAP) and given == wanted - {"home"}:
        entry = {**entry, "home": _only_home(s, n, entry)}
    elif given != wanted:
        raise ValueError(f"stack: {entry['item']!r} has the parts {sorted(wanted) or 'none'}, not {sorted(given)}")
    if item == HISS or (s["stack_by"][0] != turn) != (item == CLOSED_DOOR):
        raise ValueError("stack: lowest lies an item of the seat whose turn it is, or another seat's closed door")
    home = whole_number("stack", entry["home"], 0, n - 1) if wanted else NONE
    cat = card("stack", entry["cat"], CATS.index) if "cat" in wanted else NONE
    own = card("stack", entry["own"], CATS.index) if "own" in wanted else NONE
    s["stack_home"], s["stack_cat"], s["stack_own"] = home, cat, own
    good = home < 0 or not s["out"][home]
    if item in (SHOO, SWAP):
        good = good and bool(s["home"][home][cat])
    if item == SWAP:
        good = good and home != turn and bool(s["home"][turn][own])
    if item == SCOOP:
        good = bool(s["poops"][turn])
    if not good:
        raise ValueError(f"stack: {dict(entry)!r} has no such target")


def _only_home(s: np.void, n: int, entry: Mapping[str, Any]) -> int:
    """The home in which the cat of a shoo or swap lies."""
    cat = card("stack", entry["cat"], CATS.index)
    swap = s["stack_item"][0] == SWAP
    homes = [seat for seat in range(n) if s["home"][seat][cat] and not (swap and seat == s["turn"])]
    if len(homes) != 1:
        raise ValueError(f"stack: {CATS[cat]!r} lies in {len(homes)} homes, so 'home' has to say which is meant")
    return homes[0]


def _load_arrival(reader: ScenarioReader, s: np.void, n: int) -> None:
    """TM-13: the cat that a closed door may turn away, while its owner is asked or the door is on the stack."""
    s["arrival_cat"] = s["arrival_home"] = NONE
    arrival = reader.scenario.get("arrival")
    door = bool(s["stack_size"]) and s["stack_item"][0] == CLOSED_DOOR
    if arrival is None:
        if door:
            raise ValueError("arrival: a closed door on the stack turns a cat away")
        return
    _require_object("arrival", arrival, ("cat", "home"))
    kind = card("arrival", arrival.get("cat"), CATS.index)
    home = whole_number("arrival", arrival.get("home"), 0, n - 1)
    if not s["home"][home][kind] or home == s["turn"]:
        raise ValueError(f"arrival: no other seat has put {CATS[kind]!r} into the home of seat {home}")
    if s["stack_size"] and not (door and s["stack_by"][0] == home):
        raise ValueError("arrival: only while its owner is asked, or with its closed door on the stack")
    s["arrival_cat"], s["arrival_home"] = kind, home


def _load_ask(reader: ScenarioReader, s: np.void, n: int) -> None:
    """TM-12: the seats still to be asked follow from the hands and the first of them."""
    ask = [whole_number("ask", seat, 0, n - 1) for seat in reader.entries("ask") or []]
    s["asked"] = ask[0] if ask else NONE
    waiting = bool(s["stack_size"]) or s["arrival_cat"] >= 0
    if waiting != bool(ask):
        raise ValueError(f"ask: {ask}; seats are asked just as long as the stack or a closed door waits for them")
    if not ask:
        return
    if s["phase"] != PLAY and not s["truncated"]:
        raise ValueError("ask: only while the phase is 'play'")
    if s["stack_size"] == 0:
        if ask != [s["arrival_home"]] or not s["hand_items"][ask[0]][CLOSED_DOOR]:
            raise ValueError(f"ask: {ask} is not the owner of the home, holding a closed door")
        return
    asked, player = ask[0], s["stack_by"][s["stack_size"] - 1]
    if asked == player or not s["hand_items"][asked][HISS]:
        raise ValueError(f"ask: seat {asked} is not another seat that holds a hiss")
    if ask[1:] != holders_after(s, asked):
        raise ValueError(f"ask: after seat {asked} follow all that hold a hiss, {holders_after(s, asked)}")


def _load_pending(reader: ScenarioReader, game: Game, state: State) -> None:
    """A choice half made: what the seat at turn may choose, part by part, and could go on with."""
    s = state.record
    s["pending_act"] = s["pending_own"] = s["pending_cat"] = NONE
    pending = reader.scenario.get("pending")
    if pending is None:
        return
    _require_object("pending", pending, ("act", "own", "cat"))
    act = ACT_NAMES.index(pending["act"]) if pending.get("act") in ACT_NAMES else NONE
    if act in (NONE, REPLAY, SCOOP) or act in (HISS, CLOSED_DOOR):
        raise ValueError(f"pending: {pending.get('act')!r} has no parts to choose")
    phase = int(s["phase"])
    if s["asked"] >= 0 or phase not in (OVER, DRAW if act == WILD else PLAY) or (phase == OVER and not s["truncated"]):
        raise ValueError(f"pending: {pending['act']!r} is not chosen now")
    own = _part(pending, "own") if act == SWAP else NONE
    cat = _part(pending, "cat")
    first = {WILD: DRAW_WILD, PLAY_CAT: CAT + cat}.get(act, PLAY_ITEM + act)
    s["phase"] = DRAW if act == WILD else PLAY
    allowed = first in game.legal_actions(state)
    s["pending_act"] = act
    if own >= 0:
        allowed = allowed and CAT + own in game.legal_actions(state)
        s["pending_own"] = own
    if cat >= 0 and act != PLAY_CAT:
        allowed = allowed and CAT + cat in game.legal_actions(state) and _goes_on(s, act, cat)
    s["pending_cat"] = cat
    s["phase"] = phase
    if (
        not allowed
        or (act == PLAY_CAT and cat < 0)
        or ("own" in pending and act != SWAP)
        or (cat >= 0 > own and act == SWAP)
    ):
        raise ValueError(f"pending: {dict(pending)!r} is no choice that is half made here")


def _part(pending: Mapping[str, Any], key: str) -> int:
    return NONE if pending.get(key) is None else card("pending", pending[key], CATS.index)


def _goes_on(s: np.void, act: int, cat: int) -> bool:
    """Whether, this cat being named, the choice still lacks a home (TM-12)."""
    if act == LURE:
        return True
    homes = sum(bool(s["home"][seat][cat]) for seat in range(s["num_players"]) if act == SHOO or seat != s["turn"])
    return act in (SHOO, SWAP) and cat == RAINBOW and homes > 1


def _check_going_on(game: Game, state: State) -> None:
    """Somebody can act, and drawing has not ended by itself (TM-4)."""
    s = state.record
    if s["phase"] == DRAW and s["pending_act"] < 0:
        cats, items = int(s["num_cats"][s["turn"]]), int(s["num_items"][s["turn"]])
        drawable = set(game.legal_actions(state)) - {END}
        owes = cats == 0 and any(action not in (DRAW_ITEM, *STORE_ITEM_DRAWS) for action in drawable)
        if not drawable or (cats + items >= HAND and not owes):
            raise ValueError("phase: 'draw' is past, with nothing to be drawn by the seat whose turn it is")
    if s["phase"] != OVER and not game.legal_actions(state):
        raise ValueError("phase: nobody could act")


def census(state: State) -> Counter[str]:
    """All cards of the game, wherever they lie."""
    at = dump(state)
    rows = [at["wild"], at["item_discard"], at["cat_deck"], at["item_deck"], *at["store"].values()]
    for hand, home in zip(at["hands"], at["homes"], strict=True):
        rows += [hand["cats"], hand["items"], home["cats"], home["modifiers"]]
    rows.append([entry["item"] for entry in at["stack"]])
    return Counter(name for name in chain(*rows) if name is not None)


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The position of a whole scenario with everybody that many seats further clockwise."""
    n = scenario["players"]

    def further(seat: int) -> int:
        return (seat + seats) % n

    turned = dict(scenario)
    for field in ("hands", "homes", "known", "chosen"):
        turned[field] = [scenario[field][(seat - seats) % n] for seat in range(n)]
    turned["turn"] = further(scenario["turn"])
    turned["ask"] = [further(seat) for seat in scenario["ask"]]
    turned["out"] = sorted(further(seat) for seat in scenario["out"])
    turned["winner"] = None if scenario["winner"] is None else further(scenario["winner"])
    turned["stack"] = [_turned(entry, further) for entry in scenario["stack"]]
    turned["arrival"] = None if scenario["arrival"] is None else _turned(scenario["arrival"], further)
    return turned


def _turned(entry: Mapping[str, Any], further: Any) -> dict[str, Any]:
    return {key: further(value) if key in ("by", "home") else value for key, value in entry.items()}
