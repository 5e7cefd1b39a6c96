"""Positions of Too Many Poops as scenarios."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.compiler import driver
from ...core.forms import (
    At,
    BySeat,
    Card,
    Cards,
    Choice,
    Counts,
    Deck,
    Flag,
    Form,
    MarkedSeats,
    Number,
    Parts,
    Seat,
    Seats,
    entries,
)
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Refusals, Schema, most_decisions
from . import rules
from .cards import CATS, ITEM_NAMES, MODIFIER_NAMES, spell_modifiers
from .record import (
    CAT,
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
    ITEMS_A_TURN,
    LURE,
    MAX_STACK,
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

ACT_NAMES = (*ITEM_NAMES, "wild", "play")
MOST_POOPS = 1000  # that a scenario may put into a litter box
CAT_DECK = Deck(lambda settings: CATS, lambda settings: [1] * PLAIN + [settings["rainbow_cats"]])
ITEM_DECK = Deck(lambda settings: ITEM_NAMES, lambda settings: list(settings["items"].values()))


@driver
def derive(rules):
    """derive(states, i): works out what follows from the cats in the homes of record i."""

    def run(states, i):
        rules.update_homes(states[i])

    return run


def holders_after(s: np.void, seat: int) -> list[int]:
    """The seats after ``seat`` that are to be asked about the top of the stack (TM-12)."""
    n, player = int(s["num_players"]), int(s["stack_by"][s["stack_size"] - 1])
    later = range(seat + 1, seat + (player - seat) % n if seat != player else seat + n)
    return [other % n for other in later if s["hand_items"][other % n][HISS]]


# -- forms that only this game has -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Modifiers(Counts):
    """Items that lie in a home."""

    def read(self, label: str, value: Any, position: Position, at: At = ()) -> list[int]:
        kinds = super().read(label, value, position, at)
        for name in (ITEM_NAMES[kind] for kind in kinds):
            if name not in MODIFIER_NAMES:
                raise ValueError(f"{label}: {name!r} is no modifier, so it does not lie in a home")
        return kinds

    def get(self, state: State, at: At = ()) -> list[Any]:
        return spell_modifiers(state.record[self.place][at])

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        super().put(state, [kind - FIRST_MODIFIER for kind in value or []], at)


@dataclass(frozen=True)
class Slots(Cards):
    """The three slots of the pet store, a gap is None, -1 in the record."""

    def in_words(self) -> str:
        return f"at most {STORE} cards, null is a gap"

    def read(self, label: str, value: Any, position: Position, at: At = ()) -> list[int]:
        slots, settings = entries(label, value), position.settings
        if len(slots) > STORE:
            raise ValueError(f"{label}: {value!r} instead of at most {STORE} slots")
        return self._filled([NONE if slot is None else self.deck.kind(label, slot, settings) for slot in slots])

    def deal(self, label: str, position: Position, count: int | None) -> list[int]:
        left = len(position.pool(self.deck).rest(shuffled=False))
        return self._filled(super().deal(label, position, min(STORE, left)))

    def _filled(self, slots: list[int]) -> list[int]:
        return slots + [NONE] * (STORE - len(slots))

    def get(self, state: State, at: At = ()) -> list[Any]:
        names = self.deck.names(state.settings)
        return [None if kind == NONE else names[kind] for kind in state.record[self.place].tolist()]

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        state.record[self.place] = self._filled(value or [])

    def cards(self, value: list[Any]) -> Iterator[tuple[Deck, Any]]:
        return ((self.deck, card) for card in value if card not in (None, NONE))


TARGET = Parts(
    Field("home", Seat("stack_home"), "the home that it is about, where that does not follow from the cat"),
    Field("own", Card(CAT_DECK, "stack_own", lies=False), "of a swap, the own cat"),
    Field("cat", Card(CAT_DECK, "stack_cat", lies=False), "the cat that it is about"),
    absent=lambda record: record["stack_size"] == 0,
    sparse=True,
)
PLAYED = Parts(Field("item", Card(ITEM_DECK, "stack_item"), "the card"), Field("by", Seat("stack_by"), "by whom"))
LOWEST = Parts(*PLAYED.fields.values(), *TARGET.fields.values())


class Stack(Form):
    """An item or a closed door with its target, and the hisses on it, lowest first."""

    def in_words(self) -> str:
        return (
            f"objects with `item` and `by`, the lowest one also with {', '.join(f'`{part}`' for part in TARGET.fields)}"
        )

    def read(self, label: str, value: Any, position: Position, at: At = ()) -> list[dict[str, Any]]:
        stack = entries(label, value)
        if len(stack) > MAX_STACK:
            raise ValueError(f"{label}: {len(stack)} cards are more than there can be")
        return [(PLAYED if k else LOWEST).read(label, entry, position) for k, entry in enumerate(stack)]

    def fill(self, label: str, value: list[dict[str, Any]], position: Position) -> list[dict[str, Any]]:
        return [LOWEST.fill(label, entry, position) for entry in value]

    def get(self, state: State, at: At = ()) -> list[dict[str, Any]]:
        stack = [PLAYED.get(state, (k,)) or {} for k in range(state.record["stack_size"])]
        return [entry | (TARGET.get(state) or {}) if k == 0 else entry for k, entry in enumerate(stack)]

    def put(self, state: State, value: list[dict[str, Any]], at: At = ()) -> None:
        for k, entry in enumerate(value):
            PLAYED.put(state, entry, (k,))
        TARGET.put(state, value[0] if value else None)
        state.record["stack_size"] = len(value)

    def cards(self, value: list[dict[str, Any]]) -> Iterator[tuple[Deck, Any]]:
        return (card for entry in value for card in LOWEST.cards(entry))

    def turned(self, value: list[dict[str, Any]], seats: int, players: int) -> list[Any]:
        return [LOWEST.turned(entry, seats, players) for entry in value]


@dataclass(frozen=True)
class Ask(Seats):
    """The seats still to be asked about the top of the stack, or about a closed door; the record has the first."""

    size: str = ""

    def get(self, state: State, at: At = ()) -> list[int]:
        s, asked = state.record, int(state.record["asked"])
        if asked == NONE:
            return []
        return [asked, *holders_after(s, asked)] if s["stack_size"] else [asked]

    def put(self, state: State, value: list[int] | None, at: At = ()) -> None:
        state.record["asked"] = value[0] if value else NONE


# -- what follows when it is left out --------------------------------------------------------------------------------


def _dealt_hands(position: Position) -> list[dict[str, list[int]]]:
    counts = {"cats": DEALT_CATS if position["phase"] == "choose" else 1, "items": DEALT_ITEMS}
    return [
        {
            sort: [] if seat in position["out"] else HELD.fields[sort].form.deal("hands", position, count)
            for sort, count in counts.items()
        }
        for seat in range(position.players)
    ]


# -- what does not go together ---------------------------------------------------------------------------------------


def _check_cards(position: Position) -> Refusals:
    """Who is out has nothing, and what is known of a hand lies there; then what follows from the homes."""
    s = position.record
    for seat in range(position.players):
        held, home, known = (position[name][seat] for name in ("hands", "homes", "known"))
        out = seat in position["out"]
        yield out and any(held.values()), f"hands: seat {seat} is out, yet it has {sum(map(len, held.values()))} cards"
        wrong = out and any(home.values())
        yield wrong, f"homes: seat {seat} is out, so its home is empty, without modifiers and poops"
        for sort, names in (("cats", CATS), ("items", ITEM_NAMES)):
            missing = (s[f"known_{sort}"][seat] > s[f"hand_{sort}"][seat]).any()
            yield missing, f"known: seat {seat} does not hold {[names[kind] for kind in known[sort]]}"
    derive(rules)(position.state.records, 0)


def _check_counters(position: Position) -> Refusals:
    s, over, truncated, won = position.record, position["phase"] == "over", position["truncated"], position["winner"]
    yield not s["cat_played"] and s["cats_left"] == 0, "cats_left: 0 only once a cat is played this turn"
    yield truncated and not over, "truncated: only a game that is over can be"
    yield truncated and won is not None, "winner: nobody has won a truncated game"
    yield over and not truncated and won is None, "phase: 'over' needs a winner, or truncated"
    yield won is not None and not over, "winner: only when the phase is 'over'"


def _check_homes(position: Position) -> Refusals:
    """Nobody has ten points or poops, or too few are left, unless the game is won (TM-16, TM-18, TM-19)."""
    s, winner, out, turn = position.record, position["winner"], position["out"], position["turn"]
    left = [seat for seat in range(position.players) if seat not in out]
    if winner is not None:
        won = winner in left and (s["points"][winner] >= GOAL or len(left) == 1)
        yield not won, f"winner: seat {winner} neither has ten points nor is the last one left"
        return
    for seat in left:
        points, poops = s["points"][seat], s["poops"][seat]
        yield points >= GOAL, f"homes: seat {seat} has {points} points, so it would have won"
        yield poops >= TOO_MANY, f"homes: seat {seat} has {poops} poops, so it would be out"
    yield len(left) < 2, f"out: only {left} left, so the game would be won"
    yield turn in out, f"turn: seat {turn} is out"


def _check_choices(position: Position) -> Refusals:
    """The cats of TM-2."""
    s, n, chosen = position.record, position.players, position["chosen"]
    s["chosen"][n:] = NONE
    made, choosing = any(kind is not None for kind in chosen), position["phase"] == "choose"
    yield made and not choosing and not position["truncated"], "chosen: only while the phase is 'choose'"
    if not made and not choosing:
        return
    order = [chosen[(position["turn"] + step) % n] is not None for step in range(n)]
    yield all(order), "chosen: all seats have chosen, so the cats would lie in the homes"
    wrong = order != sorted(order, reverse=True)
    yield wrong, "chosen: the seats choose clockwise, beginning with the one whose turn it is"
    for seat, kind in enumerate(chosen):
        name, cats = kind if kind is None else CATS[kind], position["hands"][seat]["cats"]
        yield kind is not None and kind not in cats, f"chosen: seat {seat} does not hold {name!r}"
        few = len(cats) != DEALT_CATS
        yield few, f"hands: while choosing each seat has two cats, seat {seat} has {len(cats)}"
    wrong = any(any(home.values()) for home in position["homes"]) or position["out"]
    yield wrong, "homes: empty while the phase is 'choose', and nobody is out"


def _check_stack(position: Position) -> Refusals:
    """TM-12: an item of the seat at turn, or a closed door, and hisses on it, each by another seat than the last."""
    stack = position["stack"]
    for k, entry in enumerate(stack):
        item, seat = entry["item"], entry["by"]
        yield item is None or seat is None, "stack: an item and the seat that played it, 'by', are wanted"
        wrong = k > 0 and (item != HISS or seat == stack[k - 1]["by"])
        yield wrong, f"stack: {ITEM_NAMES[item]!r} of seat {seat} is no hiss of another seat on the card below it"
        yield seat in position["out"], f"stack: seat {seat} is out"
    if stack:
        yield from _check_target(position, stack[0])


def _check_target(position: Position, entry: dict[str, Any]) -> Refusals:
    s, item, turn = position.record, entry["item"], position["turn"]
    wanted = {LURE: {"home", "cat"}, SHOO: {"home", "cat"}, SWAP: {"home", "own", "cat"}}.get(item, set())
    if ITEM_NAMES[item] in MODIFIER_NAMES:
        wanted = {"home"}
    given = {part for part in TARGET.fields if entry[part] is not None}
    if item in (SHOO, SWAP) and given == wanted - {"home"}:
        homes = [seat for seat in _homes_with(s, entry["cat"]) if not (item == SWAP and seat == turn)]
        name = CATS[entry["cat"]]
        wrong = len(homes) != 1
        yield wrong, f"stack: {name!r} lies in {len(homes)} homes, so 'home' has to say which is meant"
        s["stack_home"] = entry["home"] = homes[0]
        given = wanted
    parts = sorted(wanted) or "none"
    yield given != wanted, f"stack: {ITEM_NAMES[item]!r} has the parts {parts}, not {sorted(given)}"
    wrong = item == HISS or (entry["by"] != turn) != (item == CLOSED_DOOR)
    yield wrong, "stack: lowest lies an item of the seat whose turn it is, or another seat's closed door"
    home, own, cat = (entry[part] for part in ("home", "own", "cat"))
    good = home is None or home not in position["out"]
    if item in (SHOO, SWAP):
        good = good and home in _homes_with(s, cat)
    if item == SWAP:
        good = good and home != turn and turn in _homes_with(s, own)
    if item == SCOOP:
        good = s["poops"][turn] > 0
    yield not good, f"stack: {ITEM_NAMES[item]!r} has no such target"


def _homes_with(s: np.void, cat: int) -> list[int]:
    """The seats in whose homes a cat of a kind lies."""
    return [seat for seat in range(s["num_players"]) if s["home"][seat][cat]]


def _check_arrival(position: Position) -> Refusals:
    """TM-13: the cat that a closed door may turn away, while its owner is asked or the door is on the stack."""
    s, stack, arrival = position.record, position["stack"], position["arrival"]
    door = bool(stack) and stack[0]["item"] == CLOSED_DOOR
    yield door and arrival is None, "arrival: a closed door on the stack turns a cat away"
    if arrival is None:
        return
    cat, home = arrival["cat"], arrival["home"]
    yield cat is None or home is None, "arrival: a cat and a home are wanted"
    wrong = home not in _homes_with(s, cat) or home == position["turn"]
    yield wrong, f"arrival: no other seat has put {CATS[cat]!r} into the home of seat {home}"
    wrong = stack and not (door and stack[0]["by"] == home)
    yield wrong, "arrival: only while its owner is asked, or with its closed door on the stack"


def _check_ask(position: Position) -> Refusals:
    """TM-12: the seats still to be asked follow from the hands and the first of them."""
    s, ask, stack, arrival = position.record, position["ask"], position["stack"], position["arrival"]
    wrong = bool(stack or arrival) != bool(ask)
    yield wrong, f"ask: {ask}; seats are asked just as long as the stack or a closed door waits for them"
    if not ask:
        return
    yield position["phase"] != "play" and not position["truncated"], "ask: only while the phase is 'play'"
    held = s["hand_items"][ask[0]]
    if not stack:
        wrong = ask != [arrival["home"]] or not held[CLOSED_DOOR]
        yield wrong, f"ask: {ask} is not the owner of the home, holding a closed door"
        return
    wrong = ask[0] == stack[-1]["by"] or not held[HISS]
    yield wrong, f"ask: seat {ask[0]} is not another seat that holds a hiss"
    later = holders_after(s, ask[0])
    yield ask[1:] != later, f"ask: after seat {ask[0]} follow all that hold a hiss, {later}"


def _check_pending(position: Position) -> Refusals:
    """A choice half made: what the seat at turn may choose, part by part, and could go on with."""
    s, pending = position.record, position["pending"]
    if pending is None:
        return
    act = NONE if pending["act"] is None else ACT_NAMES.index(pending["act"])
    wrong = act in (NONE, REPLAY, SCOOP, HISS, CLOSED_DOOR)
    yield wrong, f"pending: {pending['act']!r} has no parts to choose"
    phase, at = int(s["phase"]), DRAW if act == WILD else PLAY
    now = s["asked"] < 0 and (phase == at or (phase == OVER and position["truncated"]))
    yield not now, f"pending: {pending['act']!r} is not chosen now"
    s["phase"] = at
    own, cat = (NONE if pending[part] is None else pending[part] for part in ("own", "cat"))
    good = _can_choose(position, act, own, cat) and (act == SWAP or own < 0)
    s["phase"] = phase
    PENDING.put(position.state, pending)
    shown = {part: value if part == "act" else CATS[value] for part, value in pending.items() if value is not None}
    yield not good, f"pending: {shown!r} is no choice that is half made here"


def _can_choose(position: Position, act: int, own: int, cat: int) -> bool:
    """Whether the seat at turn can make the choice up to these parts, and then lacks another one (TM-12)."""
    s = position.record
    s["pending_act"] = s["pending_own"] = s["pending_cat"] = NONE

    def legal(action: int) -> bool:
        return action in position.game.legal_actions(position.state)

    if not legal({WILD: DRAW_WILD, PLAY_CAT: CAT + cat}.get(act, PLAY_ITEM + act)):
        return False
    s["pending_act"] = act
    if act == PLAY_CAT:
        return cat >= 0
    if act == SWAP and own >= 0:
        if not legal(CAT + own):
            return False
        s["pending_own"] = own
    if cat < 0:
        return True
    # With the cat named, the choice still lacks a home.
    homes = [seat for seat in _homes_with(s, cat) if act == SHOO or seat != position["turn"]]
    lacks = act == LURE or (act in (SHOO, SWAP) and cat == RAINBOW and len(homes) > 1)
    return legal(CAT + cat) and lacks and (act != SWAP or own >= 0)


def _check_going_on(position: Position) -> Refusals:
    """Somebody can act, and drawing has not ended by itself (TM-4)."""
    s, legal = position.record, position.game.legal_actions(position.state)
    if s["phase"] == DRAW and s["pending_act"] < 0:
        cats, items = int(s["num_cats"][s["turn"]]), int(s["num_items"][s["turn"]])
        drawable = set(legal) - {END}
        owes = cats == 0 and drawable - {DRAW_ITEM, *range(DRAW_STORE_ITEM, DRAW_STORE_ITEM + STORE)}
        over = not drawable or (cats + items >= HAND and not owes)
        yield over, "phase: 'draw' is past, with nothing to be drawn by the seat whose turn it is"
    yield s["phase"] != OVER and not legal, "phase: nobody could act"


# -- the fields ------------------------------------------------------------------------------------------------------


HELD = Parts(
    Field("cats", Counts(CAT_DECK, "hand_cats", "num_cats"), "its cats", []),
    Field("items", Counts(ITEM_DECK, "hand_items", "num_items"), "its items", []),
)
HOME = Parts(
    Field("cats", Counts(CAT_DECK, "home"), "its cats; which of them lie flipped, and the points, follow", []),
    Field("modifiers", Modifiers(ITEM_DECK, "modifiers"), "items that lie there", []),
    Field("poops", Number("poops", 0, MOST_POOPS), "poops in the litter box", 0),
)
SHOWN = Parts(
    Field("cats", Slots(CAT_DECK, "store_cats"), "face-up cats by slot", Dealt(STORE)),
    Field("items", Slots(ITEM_DECK, "store_items"), "face-up items by slot", Dealt(STORE)),
)
KNOWN = Parts(
    Field("cats", Counts(CAT_DECK, "known_cats", lies=False), "cats", []),
    Field("items", Counts(ITEM_DECK, "known_items", lies=False), "items", []),
)
PENDING = Parts(
    Field("act", Choice(ACT_NAMES, "pending_act", or_none=True), "an item, a cat drawn from The Wild, a cat played"),
    Field("own", Card(CAT_DECK, "pending_own", lies=False), "of a swap, the own cat"),
    Field("cat", Card(CAT_DECK, "pending_cat", lies=False), "the other cat"),
    absent=lambda record: record["pending_act"] == NONE,
    sparse=True,
)
ARRIVAL = Parts(
    Field("cat", Card(CAT_DECK, "arrival_cat", lies=False), "the cat"),
    Field("home", Seat("arrival_home"), "whose home it came into"),
    absent=lambda record: record["arrival_cat"] == NONE,
)
STACK, ASK = Stack(), Ask("asked")
SCHEMA = Schema(
    Field("hands", BySeat(HELD), "its cards", _dealt_hands, "a cat, while choosing two, and three items each, dealt"),
    Field("homes", BySeat(HOME), "its home", {}, "empty"),
    Field("store", SHOWN, "the pet store; short lists are filled up with gaps", {}, "dealt"),
    Field("wild", Counts(CAT_DECK, "wild", "wild_size"), "The Wild, in any order", []),
    Field("item_discard", Counts(ITEM_DECK, "discard", "discard_size"), "discarded items, in any order", []),
    Field(
        "cat_deck", Cards(CAT_DECK, "cat_deck", "cat_deck_size", next_last=True), "the deck, next card first", Dealt()
    ),
    Field(
        "item_deck",
        Cards(ITEM_DECK, "item_deck", "item_deck_size", next_last=True),
        "the deck, next card first",
        Dealt(),
    ),
    Field("turn", Seat("turn", or_none=False), "whose turn it is; while choosing, who is to begin", 0),
    Field("phase", Choice(("choose", "draw", "play", "over"), "phase"), "what the seat at turn does", "play"),
    Field(
        "chosen",
        BySeat(Card(CAT_DECK, "chosen", lies=False)),
        "the cat to keep, which is still in its hand; null: not chosen",
    ),
    Field("known", BySeat(KNOWN), "cards of its hand that everybody knows", {}, "none"),
    Field("cat_played", Flag("cat_played"), "whether a cat was played this turn", False),
    Field("cats_left", Number("cats_left", 0, MOST_CATS), "cats still playable this turn", 1),
    Field(
        "items_left",
        Number("items_left", 0, ITEMS_A_TURN),
        "items still to be played or discarded this turn",
        ITEMS_A_TURN,
    ),
    Field("pending", PENDING, "a choice half made, null for none"),
    Field("stack", STACK, "items and reactions not yet in effect, lowest first", []),
    Field("ask", ASK, "the seats still to be asked for a reaction, in order; the first one is to act", []),
    Field("arrival", ARRIVAL, "the cat that a closed door may turn away, null for none"),
    Field("out", MarkedSeats("out"), "the seats that are out", []),
    Field("winner", Seat("winner"), "who has won, null for nobody"),
    Field("truncated", Flag("truncated"), "whether the decision cap ended the game", False),
    Field("decisions", Number("decisions", 0, most_decisions), "decisions taken", 0),
    players_from=("hands", "homes"),
    checks=(
        _check_cards,
        _check_stack,
        _check_counters,
        _check_homes,
        _check_choices,
        _check_arrival,
        _check_ask,
        _check_pending,
        _check_going_on,
    ),
)
load, dump, census, rotate = SCHEMA.load, SCHEMA.dump, SCHEMA.census, SCHEMA.rotate
