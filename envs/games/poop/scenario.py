"""Scenarios of Poop: The Game: whole positions written and read, and what the conformance check asks of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ...core.game import Game, State
from ...core.scenario import CardPool, ScenarioReader, card, whole_number
from .cards import CARDS, EDITIONS, MOST_LID, deck_of, toilets_of
from .record import (
    BLIND,
    DEALT,
    DEEP,
    DUTIES,
    FACES,
    FLUSHERS,
    HELD,
    INTERCEPT,
    INTERCEPTOR,
    KINDS,
    NUMBERS,
    OVER,
    PLAY,
    ROW,
    SHARE,
    SLAP,
    SLAPPED,
    SUPER,
    UNSAID,
)

PHASES = ("play", "share", "intercept", "slap", "over")
ANSWERS = {None: UNSAID, "hold": HELD, "slap": SLAPPED}
MOST_DRINKS = 1_000_000
# A parameter and a field of every position would have the same name.
RENAMED = {"duties": "duties_model"}
PARAMETERS = (
    "variant",
    "edition",
    "duties",
    "forget_probability",
    "catch_probability",
    "two_player_reverse",
    "drinking",
    "drink_weight",
    "max_decisions",
    "slap_weights",
    "deck",
    "toilet_deck",
)
FIELDS = (
    "players",
    *(RENAMED.get(name, name) for name in PARAMETERS),
    "hands",
    "table",
    "draw_pile",
    "discard",
    "lid",
    "water",
    "toilets",
    "used_toilets",
    "turn",
    "direction",
    "skip_next",
    "phase",
    "asked",
    "slaps",
    "row",
    "last_card",
    "survived",
    "duties",
    "drinks",
    "known",
    "decisions",
    "winners",
    "truncated",
)


def spell(edition: str, counts: np.ndarray) -> list[str]:
    """Counts by kind as sorted names."""
    return [CARDS[edition][kind] for kind in range(KINDS) for _ in range(int(counts[kind]))]


def name_all(edition: str, cards: Any) -> list[str]:
    """Kinds as names, in their order."""
    return [CARDS[edition][int(kind)] for kind in cards]


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


# -- writing ---------------------------------------------------------------------------------------------------------


def dump(state: State) -> dict[str, Any]:
    """The whole position as a scenario; docs/games/poop.md lists the fields."""
    s, settings = state.record, state.settings
    edition, seats = settings["edition"], range(settings["num_players"])
    colours = EDITIONS[edition].colours

    def toilet(sort: Any) -> list[Any]:
        return [int(s["toilet_lid"][sort]), colours[s["toilet_water"][sort]]]

    piles = s["variant"] == SUPER
    answers = {code: word for word, code in ANSWERS.items()}
    used = [toilet(sort) for sort in range(len(s["used"])) for _ in range(int(s["used"][sort]))]
    return {
        "players": settings["num_players"],
        **{RENAMED.get(name, name): settings[name] for name in PARAMETERS},
        "seed": state.seed,
        "hands": [name_all(edition, pile_of(s, seat)) if piles else spell(edition, s["hand"][seat]) for seat in seats],
        "table": name_all(edition, s["table"][: s["table_size"]]),
        "draw_pile": name_all(edition, s["draw"][: s["draw_size"]][::-1]),
        "discard": spell(edition, s["discard"]),
        "lid": int(s["lid"]),
        "water": colours[s["water"]],
        "toilets": [toilet(sort) for sort in s["toilets"][: s["toilet_size"]][::-1]],
        "used_toilets": sorted(used, key=lambda entry: (entry[0], colours.index(entry[1]))),
        "turn": int(s["turn"]),
        "direction": int(s["direction"]),
        "skip_next": bool(s["skip_next"]),
        "phase": PHASES[s["phase"]],
        "asked": int(s["asked"]) if s["asked"] >= 0 else None,
        "slaps": [answers[int(s["slaps"][seat])] for seat in seats],
        "row": int(s["row"]),
        "last_card": CARDS[edition][s["last"]] if s["last"] >= 0 else None,
        "survived": int(s["survived"]),
        "duties": [duties_of(s, edition, seat) for seat in seats],
        "drinks": [int(s["drinks"][seat]) for seat in seats],
        "known": [[spell(edition, s["known"][observer][owner]) for owner in seats] for observer in seats],
        "decisions": int(s["decisions"]),
        "winners": winners_of(s),
        "truncated": bool(s["truncated"]),
        "rng": int(s["rng"]),
    }


# -- reading ---------------------------------------------------------------------------------------------------------


def parse_card(edition: str, entry: Any) -> int:
    """The card that a name of the edition means."""
    return CARDS[edition].index(entry)


def load(game: Game, scenario: Mapping[str, Any]) -> State:
    """The position that a scenario describes; ValueError names the field that cannot be."""
    reader = ScenarioReader(scenario, FIELDS)
    settings = _load_settings(reader, game)
    records = game.empty_states(settings, 1)
    s = records[0]
    s["rng"] = reader.chance()
    s["phase"] = PHASES.index(reader.choice("phase", "play", PHASES))
    s["truncated"] = reader.flag("truncated", False)
    n = settings["num_players"]
    s["turn"] = reader.whole("turn", 0, 0, n - 1)
    pool = CardPool(dict(enumerate(deck_of(settings))), lambda kind: CARDS[settings["edition"]][kind], reader.seed)
    _load_cards(reader, s, settings, pool)
    _load_toilets(reader, s, settings, pool)
    _load_course(reader, s, settings)
    _load_row(reader, s)
    _load_phase(reader, s, n)
    _load_seats(reader, s, settings)
    _load_end(reader, s, settings)
    return State(records, settings, reader.seed)


def _load_settings(reader: ScenarioReader, game: Game) -> dict[str, Any]:
    hands, players = reader.entries("hands"), reader.scenario.get("players")
    if players is None and hands is not None:
        players = len(hands)
    if players is not None:
        whole_number("players", players, game.spec.min_players, game.spec.max_players)
    for option in game.spec.options:
        if option.name in RENAMED:  # refused under the name that scenarios have for it
            reader.choice(RENAMED[option.name], option.default, option.choices)
    given = {name: reader.scenario[field] for name in PARAMETERS if reader.given(field := RENAMED.get(name, name))}
    return game.spec.settings(players, **given)


def _load_cards(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any], pool: CardPool) -> None:
    n, parse = settings["num_players"], partial(parse_card, settings["edition"])
    hands = reader.cards_by_seat("hands", n, parse)
    zones = {name: reader.cards(name, parse) for name in ("table", "draw_pile", "discard")}
    for row in hands or []:
        pool.place("hands", row)
    for name, cards in zones.items():
        pool.place(name, cards or [])
    if hands is None:
        hands = [[] for _ in range(n)]
        if not reader.strict:
            _deal_hands(hands, s, pool)
    table, discard, draw = (zones[name] for name in ("table", "discard", "draw_pile"))
    if draw is None:
        draw = [] if reader.strict else pool.rest(shuffled=True)
    for seat, hand in enumerate(hands):
        s["hand_size"][seat] = len(hand)
        if s["variant"] == SUPER:
            s["pile"][seat][: len(hand)] = hand
        else:
            s["hand"][seat] = _count(hand)
    s["table"][: len(table or [])], s["table_size"] = table or [], len(table or [])
    s["table_count"], s["discard"] = _count(table or []), _count(discard or [])
    s["total"] = sum(kind % FACES + 1 for kind in table or [] if kind % FACES < NUMBERS)
    s["draw"][: len(draw)], s["draw_size"] = draw[::-1], len(draw)


def _deal_hands(hands: list[list[int]], s: np.void, pool: CardPool) -> None:
    """Five cards each, in super_pooper one by one all that are left, beginning with the seat whose turn it is."""
    if s["variant"] != SUPER:
        for hand in hands:
            hand += pool.deal("hands", DEALT)
        return
    cards = pool.rest(shuffled=True)
    pool.place("hands", cards)
    for number, kind in enumerate(cards):
        hands[(int(s["turn"]) + number) % len(hands)].append(kind)


def _count(cards: Sequence[int]) -> np.ndarray:
    return np.bincount(np.array(list(cards), int), minlength=KINDS)


def _load_toilets(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any], pool: CardPool) -> None:
    """The open toilet may be any; otherwise all of them together have at most that one which the deck has not."""
    colours = EDITIONS[settings["edition"]].colours
    zones = {name: _read_toilets(reader, name, colours) for name in ("toilets", "used_toilets")}
    left = Counter(toilets_of(settings))
    extra: list[tuple[int, int]] = []
    for name, toilets in zones.items():
        for toilet in toilets or []:
            _take_toilet(left, toilet, name, extra, colours)
    lid = reader.whole("lid", 0, 1, MOST_LID)
    water = colours.index(reader.choice("water", colours[0], colours)) if reader.given("water") else -1
    rest = sorted(left.elements())
    pool.random.shuffle(rest)
    if reader.given("lid") and reader.given("water"):
        shown = (lid, water)
    else:
        fitting = [tuple(map(int, toilet)) for toilet in rest if toilet[0] == lid or toilet[1] == water]
        top = next(iter(fitting), None) or (tuple(map(int, rest[0])) if rest else None)
        if top is None:
            raise ValueError("lid: every toilet has its place elsewhere, so none is left to be the open one")
        shown = (lid or top[0], water if water >= 0 else top[1])
    _take_toilet(left, shown, "lid", extra, colours)
    if zones["toilets"] is None:
        zones["toilets"] = [] if reader.strict else [toilet for toilet in rest if _taken(left, toilet)]
    _store_toilets(s, settings, shown, extra, zones["toilets"] or [], zones["used_toilets"] or [])


def _read_toilets(reader: ScenarioReader, field: str, colours: Sequence[str]) -> list[tuple[int, int]] | None:
    found = reader.entries(field)
    if found is None:
        return None
    toilets = []
    for entry in found:
        if not isinstance(entry, list | tuple) or len(entry) != 2 or entry[1] not in colours:
            raise ValueError(f"{field}: {entry!r} is no [lid, water] with water in {', '.join(colours)}")
        toilets.append((whole_number(field, entry[0], 1, MOST_LID), colours.index(entry[1])))
    return toilets


def _taken(left: Counter, toilet: tuple[int, int]) -> bool:
    """Takes a toilet out of those left; False if there is none."""
    toilet = (int(toilet[0]), int(toilet[1]))
    if left[toilet] <= 0:
        return False
    left[toilet] -= 1
    return True


def _take_toilet(
    left: Counter, toilet: tuple[int, int], field: str, extra: list[tuple[int, int]], colours: Sequence[str]
) -> None:
    if not _taken(left, toilet):
        extra.append(toilet)
        if len(extra) > 1:
            raise ValueError(f"{field}: {[toilet[0], colours[toilet[1]]]} is one toilet more than the toilet deck has")


def _store_toilets(
    s: np.void,
    settings: Mapping[str, Any],
    shown: tuple[int, int],
    extra: list[tuple[int, int]],
    pile: list[tuple[int, int]],
    used: list[tuple[int, int]],
) -> None:
    sorts = sorted(set(toilets_of(settings)))
    if extra and extra[0] not in sorts:
        s["toilet_lid"][len(sorts)], s["toilet_water"][len(sorts)] = extra[0]
        sorts.append(extra[0])
    numbers = {toilet: number for number, toilet in enumerate(sorts)}
    s["lid"], s["water"] = shown
    s["toilet"] = numbers[shown]
    s["toilets"][: len(pile)] = [numbers[int(lid), int(water)] for lid, water in reversed(pile)]
    s["toilet_size"] = len(pile)
    for toilet in used:
        s["used"][numbers[toilet]] += 1


def _load_course(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    """Direction, skip, the last card and the row; what a lid and a row forbid."""
    direction = reader.whole("direction", 1, -1, 1)
    if direction == 0:
        raise ValueError("direction: 0 is neither 1 nor -1")
    s["direction"], s["skip_next"] = direction, reader.flag("skip_next", False)
    s["last"] = int(s["table"][s["table_size"] - 1]) if s["table_size"] else -1
    if reader.given("last_card"):
        last = reader.choice("last_card", "", CARDS[settings["edition"]])
        if s["table_size"] and parse_card(settings["edition"], last) != s["last"]:
            raise ValueError(f"last_card: {last!r} is not the top of the table")
        s["last"] = parse_card(settings["edition"], last)
    phase, total, lid = int(s["phase"]), int(s["total"]), int(s["lid"])
    if phase == PLAY and total >= lid:
        raise ValueError(f"table: a total of {total} does not stay below the lid {lid}")
    if phase == SHARE and s["table_size"]:
        raise ValueError("table: empty while drinks are shared, it has been taken")
    s["survived"] = reader.whole("survived", total if s["variant"] == BLIND and total < lid else 0, 0, MOST_LID)
    if s["variant"] != BLIND and s["survived"]:
        raise ValueError("survived: only in the variant 'blind_pooper'")
    if s["variant"] == BLIND and s["survived"] >= lid:
        raise ValueError(f"survived: a toilet with the lid {lid} has not survived {s['survived']}")
    if s["variant"] == BLIND and phase == PLAY and s["survived"] < total:
        raise ValueError(f"survived: at least the total, {total}")


def _load_row(reader: ScenarioReader, s: np.void) -> None:
    """The row of colours, as far as the table leaves it open."""
    table = s["table"][: s["table_size"]].tolist()
    run = 0
    while run < len(table) and table[-1 - run] // FACES == table[-1] // FACES:
        run += 1
    piles, phase = s["variant"] == SUPER, int(s["phase"])
    default = run
    if piles and phase != OVER:
        default = ROW if phase == SLAP else run % ROW
    row = reader.whole("row", default, 0, len(table))
    possible = {run}
    if piles:
        possible = {run % ROW} | ({run, ROW} if run and run % ROW == 0 else set())
        if phase == PLAY:
            possible = {run % ROW}
        elif phase == SLAP:
            possible = {ROW} if run and run % ROW == 0 else set()
    if row not in possible:
        raise ValueError(f"row: {row}, where the table's last {run} cards have one colour, cannot be")
    deep = s["variant"] == DEEP and run and table[-1] // FACES != s["water"]
    if phase in (PLAY, INTERCEPT) and not piles and not deep and run >= ROW:
        raise ValueError(f"table: a row of {run} cards of one colour has not been flushed")
    s["row"] = row


def _asking_order(s: np.void, n: int) -> list[int]:
    """All seats from the one after the turn in the direction of play; that whose turn it is comes last."""
    return [(int(s["turn"]) + int(s["direction"]) * step) % n for step in range(1, n + 1)]


def _load_phase(reader: ScenarioReader, s: np.void, n: int) -> None:
    """Who is asked, and what is answered; a game cut short stays as it was then."""
    phase, cut = int(s["phase"]), bool(s["truncated"])
    if phase == SHARE and not s["drinking"]:
        raise ValueError("phase: 'share' needs drinking")
    if phase == INTERCEPT and s["variant"] != INTERCEPTOR:
        raise ValueError("phase: 'intercept' needs the variant 'interceptor'")
    if phase == SLAP and s["variant"] != SUPER:
        raise ValueError("phase: 'slap' needs the variant 'super_pooper'")
    slaps = reader.entries("slaps", n) or [None] * n
    for answer in slaps:
        if not (answer is None or answer in ("slap", "hold")):
            raise ValueError(f"slaps: {answer!r} is none of 'slap', 'hold', null")
    s["slaps"][:n] = [ANSWERS[answer] for answer in slaps]
    s["slaps"][n:] = UNSAID
    s["asked"] = -1
    asking = phase in (INTERCEPT, SLAP) or (phase == OVER and cut and reader.given("asked"))
    if not asking:
        if reader.given("asked"):
            raise ValueError("asked: null unless somebody is asked to intercept or slap")
        if any(slaps):
            raise ValueError("slaps: answers only while the phase is 'slap'")
        return
    if s["variant"] == SUPER:
        _load_slap(reader, s, n, slaps)
    elif s["variant"] == INTERCEPTOR:
        _load_interception(reader, s, n, slaps)
    else:
        raise ValueError("asked: needs the variant 'interceptor' or 'super_pooper'")


def _load_slap(reader: ScenarioReader, s: np.void, n: int, slaps: list[Any]) -> None:
    order = _asking_order(s, n)
    if not s["row"]:
        raise ValueError("table: a slap needs a row of three cards of one colour")
    first = next((seat for seat in order if slaps[seat] is None), None)
    if first is None:
        raise ValueError("slaps: all seats have answered, so the slap is past")
    asked = reader.whole("asked", first, 0, n - 1)
    answered = [slaps[seat] is not None for seat in order]
    if asked != first or answered != sorted(answered, reverse=True):
        raise ValueError(f"asked: seats answer in the order {order}, next is seat {first}, not {asked}")
    s["asked"] = asked


def _load_interception(reader: ScenarioReader, s: np.void, n: int, slaps: list[Any]) -> None:
    if any(slaps):
        raise ValueError("slaps: only in the variant 'super_pooper'")
    if not s["table_size"] or s["last"] % FACES >= NUMBERS:
        raise ValueError("table: only a number card on top can be intercepted")
    holders = [seat for seat in _asking_order(s, n)[:-1] if s["hand"][seat][s["last"]]]
    if not holders:
        raise ValueError("hands: nobody who could be asked holds the card on top of the table")
    asked = reader.whole("asked", holders[0], 0, n - 1)
    if asked not in holders:
        raise ValueError(f"asked: seat {asked} is not one of those that can intercept, {holders}")
    s["asked"] = asked


def _load_seats(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    """Duties, drinks, known cards."""
    n, edition = settings["num_players"], settings["edition"]
    s["duty_seat"] = -1
    for seat, row in enumerate(reader.entries("duties", n) or [[]] * n):
        if not isinstance(row, list | tuple):
            raise ValueError(f"duties: seat {seat} has {row!r} instead of a list")
        for duty in row:
            if duty not in EDITIONS[edition].duties:
                raise ValueError(f"duties: {duty!r} is none of {', '.join(EDITIONS[edition].duties)}")
            number = EDITIONS[edition].duties.index(duty)
            if s["duty_seat"][number] >= 0:
                raise ValueError(f"duties: {duty!r} twice")
            s["duty_seat"][number] = seat
    for seat, drinks in enumerate(reader.entries("drinks", n) or [0] * n):
        s["drinks"][seat] = whole_number("drinks", drinks, 0, MOST_DRINKS if settings["drinking"] else 0)
    for observer, rows in enumerate(reader.entries("known", n) or []):
        if not isinstance(rows, list | tuple) or len(rows) != n:
            raise ValueError(f"known: seat {observer} has {rows!r} instead of a list of cards for each of {n} seats")
        for owner, row in enumerate(rows):
            _load_known(s, edition, observer, owner, row)


def _load_known(s: np.void, edition: str, observer: int, owner: int, row: Any) -> None:
    if not isinstance(row, list | tuple):
        raise ValueError(f"known: seat {observer} has {row!r} instead of a list of cards of seat {owner}")
    if row and observer == owner and s["variant"] != SUPER:
        raise ValueError(f"known: seat {owner} sees its own hand, so nothing is written of it")
    s["known"][observer][owner] = _count([card("known", entry, partial(parse_card, edition)) for entry in row])
    if (s["known"][observer][owner] > hand_of(s, owner)).any():
        raise ValueError(f"known: seat {owner} does not hold {list(row)}")


def _load_end(reader: ScenarioReader, s: np.void, settings: Mapping[str, Any]) -> None:
    """Who has cards left, who has won, and how many decisions were taken."""
    n, over, cut = settings["num_players"], s["phase"] == OVER, bool(s["truncated"])
    cap = settings["max_decisions"]
    s["decisions"] = reader.whole("decisions", 0, 0, cap if over else cap - 1)
    if cut and not over:
        raise ValueError("truncated: only a game that is over can be")
    sizes = s["hand_size"][:n].tolist()
    piles = s["variant"] == SUPER
    if not over or cut:
        _check_holders(s, sizes)
    winners = reader.entries("winners")
    if not winners:
        winners = _apparent_winners(sizes, piles, over, cut)
    for seat in winners:
        whole_number("winners", seat, 0, n - 1)
    if len(set(winners)) != len(winners) or list(winners) != sorted(winners):
        raise ValueError(f"winners: {winners} are not different seats in order")
    if not over or cut:
        if winners != _apparent_winners(sizes, piles, over, cut):
            raise ValueError(f"winners: {winners} have not won")
    elif len(winners) != 1 or (sizes[winners[0]] == 0) == piles:
        raise ValueError("winners: a game that is over has one, with cards in super_pooper, without any otherwise")
    elif piles and sum(size > 0 for size in sizes) != 1:
        raise ValueError("winners: in super_pooper the only seat with cards wins")
    s["winners"] = sum(1 << seat for seat in winners)


def _apparent_winners(sizes: list[int], piles: bool, over: bool, cut: bool) -> list[int]:
    """The seats that have won, as far as hands tell."""
    if not over or (cut and not piles):
        return []
    if cut:
        return [seat for seat, size in enumerate(sizes) if size == max(sizes)]
    return [seat for seat, size in enumerate(sizes) if (size > 0) == piles]


def _check_holders(s: np.void, sizes: list[int]) -> None:
    """No empty hands while the game goes on, but for a laid card that may be intercepted (PG-24)."""
    turn, asking = int(s["turn"]), int(s["asked"]) >= 0
    if s["variant"] == SUPER:
        if not asking and sum(size > 0 for size in sizes) < 2:
            raise ValueError("hands: in super_pooper two seats or more have cards")
        if not asking and not sizes[turn]:
            raise ValueError(f"turn: seat {turn} has no cards")
        return
    for seat, size in enumerate(sizes):
        laid = asking and seat == turn and s["total"] >= s["lid"]
        if not size and not laid:
            raise ValueError(f"hands: seat {seat} has none, so the game would be over")


# -- for the conformance check ----------------------------------------------------------------------------------------


def census(state: State) -> Counter[str]:
    """All cards and toilets of the game, wherever they lie."""
    position = dump(state)
    cards = Counter(chain(*position["hands"], position["table"], position["draw_pile"], position["discard"]))
    toilets = [*position["toilets"], *position["used_toilets"], [position["lid"], position["water"]]]
    return cards + Counter(f"toilet with {water} water, lid {lid}" for lid, water in toilets)


def rotate(scenario: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The position of a whole scenario with everybody that many seats further clockwise."""
    n = scenario["players"]

    def moved(entries: Sequence[Any]) -> list[Any]:
        return [entries[(seat - seats) % n] for seat in range(n)]

    turned = dict(scenario)
    for field in ("hands", "duties", "drinks", "slaps", "slap_weights", "known"):
        turned[field] = moved(scenario[field])
    turned["known"] = [moved(row) for row in turned["known"]]
    for field in ("turn", "asked"):
        turned[field] = None if scenario[field] is None else (scenario[field] + seats) % n
    turned["winners"] = sorted((seat + seats) % n for seat in scenario["winners"])
    return turned


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
