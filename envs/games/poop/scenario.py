"""Positions of Poop: The Game as scenarios."""

import copy
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ...core import forms
from ...core.forms import BySeat, Card, Cards, Choice, Counts, Deck, Flag, Form, Number, Seat, Seats
from ...core.game import State
from ...core.scenario import Dealt, Field, Position, Refusals, Schema, most_decisions
from ...core.spec import Settings
from .cards import CARDS, EDITIONS, MOST_LID, card_names, deck_of, toilets_of
from .record import BLIND, DEALT, DEEP, DUTIES, FACES, FLUSHERS, INTERCEPTOR, KINDS, NUMBERS, ROW, SUPER, UNSAID

ANSWERS = ("hold", "slap")  # HELD, SLAPPED
MOST_DRINKS = 1_000_000
Toilet = tuple[int, int]  # lid and water


def pile_of(s: np.void, seat: int) -> np.ndarray:
    """super_pooper: a seat's pile, top first."""
    return np.roll(s["pile"][seat], -int(s["head"][seat]))[: int(s["hand_size"][seat])]


def hand_of(s: np.void, seat: int) -> np.ndarray:
    """All cards of a hand or pile, counts by kind."""
    return np.bincount(pile_of(s, seat), minlength=KINDS) if s["variant"] == SUPER else s["hand"][seat]


def duties_of(s: np.void, edition: str, seat: int) -> list[str]:
    """The actions that a seat is bound to."""
    return [EDITIONS[edition].duties[duty] for duty in range(DUTIES) if s["duty_seat"][duty] == seat]


def winners_of(s: np.void) -> list[int]:
    """The seats that have won."""
    return [seat for seat in range(int(s["num_players"])) if int(s["winners"]) >> seat & 1]


def _colours(settings: Settings) -> tuple[str, ...]:
    return EDITIONS[settings["edition"]].colours


# -- forms that only this game has -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand(Counts):
    """Cards in any order; in super_pooper a pile, top first."""

    def get(self, state: State, at: forms.At = ()) -> list[Any]:
        if state.record["variant"] != SUPER:
            return super().get(state, at)
        return card_names(state.settings["edition"], pile_of(state.record, *at))

    def put(self, state: State, value: list[int] | None, at: forms.At = ()) -> None:
        if state.record["variant"] != SUPER:
            return super().put(state, value, at)
        cards = value or []
        state.record["pile"][at][: len(cards)], state.record["hand_size"][at] = cards, len(cards)


class Toilets(Form):
    """Toilets. In the record they are sorts, which follow from all of them together: ``_store_toilets`` writes them."""

    words = "toilets"

    def read(self, label: str, value: Any, position: Position, at: forms.At = ()) -> list[Toilet]:
        colours, toilets = _colours(position.settings), []
        for entry in forms.entries(label, value, "toilets"):
            if not isinstance(entry, list | tuple) or len(entry) != 2 or entry[1] not in colours:
                raise ValueError(f"{label}: {entry!r} is no [lid, water] with water in {', '.join(colours)}")
            toilets.append((forms.whole_number(label, entry[0], 1, MOST_LID), colours.index(entry[1])))
        return toilets

    def sorts(self, s: np.void) -> list[int]:
        """Those of the toilet pile, next one first."""
        return s["toilets"][: s["toilet_size"]][::-1].tolist()

    def get(self, state: State, at: forms.At = ()) -> list[list[Any]]:
        s, colours = state.record, _colours(state.settings)
        return [[int(s["toilet_lid"][sort]), colours[s["toilet_water"][sort]]] for sort in self.sorts(s)]

    def put(self, state: State, value: list[Toilet], at: forms.At = ()) -> None:
        pass


class UsedToilets(Toilets):
    """Toilets in any order, written by lid and colour."""

    def sorts(self, s: np.void) -> list[int]:
        used = [sort for sort, count in enumerate(s["used"].tolist()) for _ in range(count)]
        return sorted(used, key=lambda sort: (s["toilet_lid"][sort], s["toilet_water"][sort]))


class Duties(Form):
    """The actions of Wilds that a seat is bound to; in the record each action has its seat."""

    words = "actions of Wilds"

    def read(self, label: str, value: Any, position: Position, at: forms.At = ()) -> list[int]:
        known = EDITIONS[position.settings["edition"]].duties
        for duty in (found := forms.entries(label, value, "actions", at)):
            if duty not in known:
                raise ValueError(f"{label}: {duty!r} is none of {', '.join(known)}")
        return [known.index(duty) for duty in found]

    def get(self, state: State, at: forms.At = ()) -> list[str]:
        return duties_of(state.record, state.settings["edition"], *at)

    def put(self, state: State, value: list[int], at: forms.At = ()) -> None:
        bound = state.record["duty_seat"]
        if at == (0,):
            bound[:] = forms.NONE
        bound[value] = at


@dataclass(frozen=True)
class Winners(Seats):
    """Seats by number, a bit for each in the record; none is as good as left out."""

    size: str = ""

    words = "seats"

    def fill(self, label: str, value: list[int], position: Position) -> list[int]:
        return value or _apparent_winners(position)

    def get(self, state: State, at: forms.At = ()) -> list[int]:
        return winners_of(state.record)

    def put(self, state: State, value: list[int] | None, at: forms.At = ()) -> None:
        state.record["winners"] = sum(1 << seat for seat in value or [])

    def turned(self, value: list[int], seats: int, players: int) -> list[int]:
        return sorted(super().turned(value, seats, players))


# -- what follows when it is left out --------------------------------------------------------------------------------


def _dealt_hands(position: Position) -> list[list[int]]:
    """Five cards each, in super_pooper one by one all that are left, beginning with the seat whose turn it is."""
    n, pool = position.players, position.pool(DECK)
    if position.strict:
        return [[]] * n
    if position.record["variant"] != SUPER:
        return [pool.deal("hands", DEALT) for _ in range(n)]
    cards = pool.rest(shuffled=True)
    pool.place("hands", cards)
    return [cards[(seat - position["turn"]) % n :: n] for seat in range(n)]


def _toilets_left(position: Position) -> list[Toilet]:
    """The toilets of the deck that are neither in the pile nor used, shuffled; every time in the same order."""
    given = [toilet for name in ("toilets", "used_toilets") if position.given(name) for toilet in position[name]]
    left = sorted((Counter(toilets_of(position.settings)) - Counter(given)).elements())
    copy.deepcopy(position.pool(DECK).random).shuffle(left)
    return left


def _water(position: Position) -> int:
    return _colours(position.settings).index(position["water"])


def _open_toilet(position: Position) -> Toilet:
    """The open toilet as far as it is given, else the first without a place, of that lid or water if there is one."""
    lid = position["lid"] if position.given("lid") else None
    water = _water(position) if position.given("water") else None
    left = _toilets_left(position)
    if not left:
        raise ValueError("lid: every toilet has its place elsewhere, so none is left to be the open one")
    top = next((toilet for toilet in left if toilet[0] == lid or toilet[1] == water), left[0])
    return (top[0] if lid is None else lid, top[1] if water is None else water)


def _toilet_pile(position: Position) -> list[Toilet]:
    """What is left with the open toilet taken out."""
    left, shown = _toilets_left(position), (position["lid"], _water(position))
    if shown in left:
        del left[len(left) - 1 - left[::-1].index(shown)]
    return [] if position.strict else left


def _order(position: Position) -> list[int]:
    """All seats from the one after the turn in the direction of play; that whose turn it is comes last."""
    n = position.players
    return [(position["turn"] + position["direction"] * step) % n for step in range(1, n + 1)]


def _holders(position: Position) -> list[int]:
    """The seats that can intercept the last card, in the order in which they are asked."""
    return [seat for seat in _order(position)[:-1] if position["last_card"] in position["hands"][seat]]


def _silent(position: Position) -> list[int]:
    """The seats that have not answered a slap."""
    return [seat for seat in _order(position) if position["slaps"][seat] is None]


def _first_asked(position: Position) -> int | None:
    seats = {"intercept": _holders, "slap": _silent}.get(position["phase"])
    return next(iter(seats(position)), None) if seats else None


def _run(position: Position) -> int:
    """How many cards of one colour lie together on top of the table."""
    colours = [kind // FACES for kind in position["table"]]
    return next((run for run, colour in enumerate(reversed(colours)) if colour != colours[-1]), len(colours))


def _row(position: Position) -> int:
    run, phase = _run(position), position["phase"]
    if position.record["variant"] != SUPER or phase == "over":
        return run
    return ROW if phase == "slap" else run % ROW


def _total(position: Position) -> int:
    return sum(kind % FACES + 1 for kind in position["table"] if kind % FACES < NUMBERS)


def _too_much(position: Position) -> int:
    """The lowest total that is too much (PG-3, PG-30)."""
    return int(position["lid"] + position.record["lid_fits"])


def _survived(position: Position) -> int:
    total = _total(position)
    return total if position.record["variant"] == BLIND and total < _too_much(position) else 0


def _apparent_winners(position: Position) -> list[int]:
    """The seats that have won, as far as hands tell."""
    sizes, piles = list(map(len, position["hands"])), position.record["variant"] == SUPER
    if position["phase"] != "over" or (position["truncated"] and not piles):
        return []
    if position["truncated"]:
        return [seat for seat, size in enumerate(sizes) if size == max(sizes)]
    return [seat for seat, size in enumerate(sizes) if (size > 0) == piles]


# -- what does not go together ---------------------------------------------------------------------------------------


def _store_toilets(position: Position) -> Refusals:
    """The open toilet may be any; otherwise all of them together have at most that one which the deck has not."""
    s, shown, used = position.record, (position["lid"], _water(position)), position["used_toilets"]
    deck, extra = toilets_of(position.settings), []
    left = Counter(deck)
    for name, toilets in (("toilets", position["toilets"]), ("used_toilets", used), ("lid", [shown])):
        for lid, water in toilets:
            left[lid, water] -= 1
            extra += [(lid, water)] if left[lid, water] < 0 else []
            named = [lid, _colours(position.settings)[water]]
            yield len(extra) > 1, f"{name}: {named} is one toilet more than the toilet deck has"
    sorts = sorted(set(deck))
    if extra and extra[0] not in sorts:
        s["toilet_lid"][len(sorts)], s["toilet_water"][len(sorts)] = extra[0]
        sorts.append(extra[0])
    pile = [sorts.index(toilet) for toilet in reversed(position["toilets"])]
    s["toilet"], s["toilets"][: len(pile)], s["toilet_size"] = sorts.index(shown), pile, len(pile)
    np.add.at(s["used"], [sorts.index(toilet) for toilet in used], 1)


def _check_course(position: Position) -> Refusals:
    """Direction, last card and survived totals, and what a lid forbids."""
    s, phase, table, lid = position.record, position["phase"], position["table"], position["lid"]
    total, survived, limit, blind = _total(position), position["survived"], _too_much(position), s["variant"] == BLIND
    s["table_count"], s["total"] = np.bincount(np.array(table, int), minlength=KINDS), total
    yield position["direction"] == 0, "direction: 0 is neither 1 nor -1"
    last = card_names(position.settings["edition"], [position["last_card"]] if table else [])
    yield table and position["last_card"] != table[-1], f"last_card: {last} is not the top of the table"
    below = "at or below" if s["lid_fits"] else "below"
    yield phase == "play" and total >= limit, f"table: a total of {total} does not stay {below} the lid {lid}"
    yield phase == "share" and table, "table: empty while drinks are shared, it has been taken"
    yield survived and not blind, "survived: only in the variant 'blind_pooper'"
    yield blind and survived >= limit, f"survived: a toilet with the lid {lid} has not survived {survived}"
    yield blind and phase == "play" and survived < total, f"survived: at least the total, {total}"


def _check_row(position: Position) -> Refusals:
    """The row of colours, as far as the table leaves it open."""
    s, run, phase, row = position.record, _run(position), position["phase"], position["row"]
    possible = {run}
    if s["variant"] == SUPER:
        whole = {run, ROW} if run and run % ROW == 0 else set()
        possible = {"play": {run % ROW}, "slap": whole & {ROW}}.get(phase, {run % ROW} | whole)
    yield row not in possible, f"row: {row}, where the table's last {run} cards have one colour, cannot be"
    flushes = s["variant"] != SUPER and run >= ROW
    if flushes and s["variant"] == DEEP:
        flushes = position["table"][-1] // FACES == _water(position)
    wrong = flushes and phase in ("play", "intercept")
    yield wrong, f"table: a row of {run} cards of one colour has not been flushed"


def _check_phase(position: Position) -> Refusals:
    """Who is asked, and what is answered; a truncated game stays as it was then."""
    s, phase, asked = position.record, position["phase"], position["asked"]
    yield phase == "share" and not s["drinking"], "phase: 'share' needs drinking"
    yield phase == "intercept" and s["variant"] != INTERCEPTOR, "phase: 'intercept' needs the variant 'interceptor'"
    yield phase == "slap" and s["variant"] != SUPER, "phase: 'slap' needs the variant 'super_pooper'"
    s["slaps"][position.players :] = UNSAID
    answered = any(answer is not None for answer in position["slaps"])
    if phase not in ("intercept", "slap") and not (phase == "over" and position["truncated"] and asked is not None):
        yield asked is not None, "asked: null unless somebody is asked to intercept or slap"
        yield answered, "slaps: answers only while the phase is 'slap'"
        return
    if s["variant"] == SUPER:
        order, silent = _order(position), _silent(position)
        yield not position["row"], "table: a slap needs a row of three cards of one colour"
        yield not silent, "slaps: all seats have answered, so the slap is past"
        wrong = asked != silent[0] or silent != order[order.index(asked) :]
        yield wrong, f"asked: seats answer in the order {order}, next is seat {silent[0]}, not {asked}"
        return
    yield s["variant"] != INTERCEPTOR, "asked: needs the variant 'interceptor' or 'super_pooper'"
    yield answered, "slaps: only in the variant 'super_pooper'"
    top, holders = position["table"][-1:], _holders(position)
    yield not top or top[0] % FACES >= NUMBERS, "table: only a number card on top can be intercepted"
    yield not holders, "hands: nobody who could be asked holds the card on top of the table"
    yield asked not in holders, f"asked: seat {asked} is not one of those that can intercept, {holders}"


def _check_seats(position: Position) -> Refusals:
    """Duties and known cards."""
    s, edition, bound = position.record, position.settings["edition"], list(chain(*position["duties"]))
    for duty in bound:
        yield bound.count(duty) > 1, f"duties: {EDITIONS[edition].duties[duty]!r} twice"
    for observer, rows in enumerate(position["known"]):
        for owner, row in enumerate(rows):
            own = row and observer == owner and s["variant"] != SUPER
            yield own, f"known: seat {owner} sees its own hand, so nothing is written of it"
            missing = (s["known"][observer][owner] > hand_of(s, owner)).any()
            yield missing, f"known: seat {owner} does not hold {card_names(edition, row)}"


def _check_hands(position: Position) -> Refusals:
    """No empty hands while the game goes on, but for a laid card that may be intercepted (PG-24)."""
    s, turn, asking = position.record, position["turn"], position["asked"] is not None
    sizes = list(map(len, position["hands"]))
    yield position["truncated"] and position["phase"] != "over", "truncated: only a game that is over can be"
    if position["phase"] == "over" and not position["truncated"]:
        return
    if s["variant"] == SUPER:
        few = not asking and sum(size > 0 for size in sizes) < 2
        yield few, "hands: in super_pooper two seats or more have cards"
        yield not asking and not sizes[turn], f"turn: seat {turn} has no cards"
        return
    for seat, size in enumerate(sizes):
        laid = asking and seat == turn and s["total"] >= s["lid"]
        yield not size and not laid, f"hands: seat {seat} has none, so the game would be over"


def _check_winners(position: Position) -> Refusals:
    sizes, piles = list(map(len, position["hands"])), position.record["variant"] == SUPER
    winners = position["winners"]
    yield winners != sorted(winners), f"winners: {winners} are not different seats in order"
    if position["phase"] != "over" or position["truncated"]:
        yield winners != _apparent_winners(position), f"winners: {winners} have not won"
        return
    wrong = len(winners) != 1 or (sizes[winners[0]] == 0) == piles
    yield wrong, "winners: a game that is over has one, with cards in super_pooper, without any otherwise"
    yield piles and sum(size > 0 for size in sizes) != 1, "winners: in super_pooper the only seat with cards wins"


# -- the fields ------------------------------------------------------------------------------------------------------


DECK = Deck(lambda settings: CARDS[settings["edition"]], deck_of)
SCHEMA = Schema(
    Field(
        "hands",
        BySeat(Hand(DECK, "hand", "hand_size")),
        "its cards, in any order; in super_pooper its pile, top first",
        _dealt_hands,
        f"{DEALT} each, dealt; in super_pooper all cards without a place",
    ),
    Field("table", Cards(DECK, "table", "table_size"), "the table, oldest card first", []),
    Field("draw_pile", Cards(DECK, "draw", "draw_size", next_last=True), "the draw pile, next card first", Dealt()),
    Field("discard", Counts(DECK, "discard"), "the discard, in any order", []),
    Field(
        "lid",
        Number("lid", 1, MOST_LID),
        "the number of the open toilet",
        lambda position: _open_toilet(position)[0],
        "that of a toilet without a place, of this water if that is given",
    ),
    Field(
        "water",
        Choice(_colours, "water", words="a colour of the edition"),
        "the colour of its water",
        lambda position: _colours(position.settings)[_open_toilet(position)[1]],
        "that of a toilet without a place, of this lid if there is one",
    ),
    Field(
        "toilets", Toilets(), "the toilet pile, next one first", _toilet_pile, "all toilets without a place, shuffled"
    ),
    Field("used_toilets", UsedToilets(), "the used toilets, in any order", []),
    Field("turn", Seat("turn", or_none=False), "whose turn it is; it is kept while others answer and when over", 0),
    Field("direction", Number("direction", -1, 1), "1 clockwise, −1 against it", 1),
    Field("skip_next", Flag("skip_next"), "whether a skip waits", False),
    Field("phase", Choice(("play", "share", "intercept", "slap", "over"), "phase"), "what is to be decided", "play"),
    Field(
        "asked",
        Seat("asked"),
        "the seat that answers now; null unless the phase is intercept or slap, or was when the game was truncated",
        _first_asked,
        "the first in order",
    ),
    Field("slaps", BySeat(Choice(ANSWERS, "slaps", or_none=True)), "its answer, null while there is none"),
    Field(
        "row",
        Number("row", 0, lambda position: len(position["table"])),
        "cards of one colour on top of the table, since the row began",
        _row,
        "from the table",
    ),
    Field(
        "last_card",
        Card(DECK, "last", lies=False),
        "the last card played, also when it has left the table; null for none",
        lambda position: next(reversed(position["table"]), None),
        "the top of the table",
    ),
    Field(
        "survived",
        Number("survived", 0, MOST_LID),
        "in blind_pooper, the highest total that this toilet has survived; 0 elsewhere",
        _survived,
        "the total",
    ),
    Field("duties", BySeat(Duties()), "what it is bound to do", []),
    Field(
        "drinks",
        BySeat(Number("drinks", 0, lambda position: MOST_DRINKS if position.settings["drinking"] else 0)),
        "its drinks",
        0,
    ),
    Field("known", BySeat(BySeat(Counts(DECK, "known", lies=False))), "cards that it knows another seat to hold", []),
    Field("decisions", Number("decisions", 0, most_decisions), "decisions taken", 0),
    Field(
        "winners",
        Winners("winners"),
        "the seats that have won; more than one only in super_pooper at the decision cap",
        _apparent_winners,
        "who must have",
    ),
    Field("truncated", Flag("truncated"), "whether the decision cap ended the game", False),
    players_from=("hands",),
    renamed={"duties": "duties_model"},
    parameters=("variant", "edition", "duties", "forget_probability", "catch_probability", "two_player_reverse")
    + ("lid_itself", "drinking", "drink_weight", "max_decisions", "slap_weights", "deck", "toilet_deck"),
    by_seat=("slap_weights",),
    checks=(_store_toilets, _check_course, _check_row, _check_phase, _check_seats, _check_hands, _check_winners),
)
load, dump, rotate = SCHEMA.load, SCHEMA.dump, SCHEMA.rotate


def census(state: State) -> Counter[str]:
    """All cards and toilets of the game, wherever they lie."""
    position = dump(state)
    toilets = [*position["toilets"], *position["used_toilets"], [position["lid"], position["water"]]]
    return SCHEMA.census(state) + Counter(f"toilet with {water} water, lid {lid}" for lid, water in toilets)


def possible(state: State) -> bool:
    """Whether a game can come to this position: except for passed hands (PG-21), all seats know the same of a hand."""
    s, n = state.record, state.settings["num_players"]
    if s["variant"] == FLUSHERS:
        return True
    for owner in range(n):
        rows = [s["known"][observer][owner] for observer in range(n) if observer != owner or s["variant"] == SUPER]
        if any((row != rows[0]).any() for row in rows):
            return False
    return True
