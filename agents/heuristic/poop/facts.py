"""What can be seen of a legal choice in Poop: The Game, as numbers from about -1 to 1, in the order of FACTS.

``look`` gathers once for every decision what does not depend on the choice, ``follow`` says what a card leads to; a
function for each group of facts judges one choice. How cards are counted counts.py says.
"""

from typing import Any, NamedTuple

from ....envs.core.compiler import rule
from ....envs.games.poop.cards import EDITIONS, LIDS
from ....envs.games.poop.observation import SCALE, blocks
from ....envs.games.poop.record import BLIND, COLOURS, DEEP, FACES, FLUSHERS, INTERCEPTOR, KINDS, NUMBERS, REVERSE, SKIP
from .counts import ONE, SPECIALS, WIDTH, cards_at, count, has_none, held, numbers_below

CARD_FACTS = (
    "two",  # a 2, ... , what card it is; a 1 has none of these
    "three",
    "four",
    "five",
    "wild",
    "reverse",
    "skip",
    "value_few",  # its number / 5, over the cards in hand
    "special_few",  # it is worth nothing, over the cards in hand
    "special_room",  # it is worth nothing, times the room below the lid
    "value_room",  # its number / 5, times the room that it leaves
    "flush",  # it flushes
    "flush_few",  # over the cards in hand
    "flush_leader",  # over the cards of the seat with fewest
    "flush_table",  # times the table
    "flush_value",  # times its number / 5
)
MOVER_FACTS = (
    "row_two",  # a second of its colour
    "give_flush",  # chance that the seat that moves next can flush
    "give_flush_soon",  # over the cards of that seat
    "stuck",  # chance that it has to take the table
    "stuck_table",  # times the table
    "stuck_leader",  # over its cards
    "stuck_few",  # over the own cards
    "mover",  # 1 over its cards
    "mover_out",  # chance that it plays its last card
    "again",  # the viewer itself moves next
)
OWN_FACTS = (  # of the cards left in hand, and the room that the card leaves
    "again_fits",  # share that may be played, if the viewer itself moves next
    "again_none",  # none may
    "again_flush",  # one flushes
    "again_flush_few",  # over the cards left
    "again_out",  # the last one may be played
    "fits",  # share below the lid, if others move before
    "fits_3",  # with 3 less room
    "fits_6",  # with 6 less room
    "none",  # none may be played
    "none_3",
    "none_6",
    "none_3_table",  # times the table
    "row_one_own",  # the first of its colour, times the cards left of that colour
    "row_two_own",  # the second of its colour, and one is left
    "colours",  # how many colours are left
    "kept",  # share of cards worth nothing
    "last_fits",  # a single card is left and fits
    "last_fits_3",
    "last_kept",  # and is worth nothing
)
VARIANT_FACTS = (
    "risk",  # blind_pooper: chance to reach the lid
    "risk_table",  # times the table
    "risk_few",  # over the cards in hand
    "copies",  # interceptor: chance that another seat has the same card
    "copies_few",  # over the cards in hand
    "copies_last",  # and a single card is left
    "delight",  # flushers_delight: a flush, times cards given minus cards received
    "delight_given",  # chance that the next seat flushes, times the same
)
INTERCEPT_FACTS = (  # interceptor, of saying yes
    "yes",
    "yes_few",  # over the cards in hand
    "yes_fits",  # share of the cards left that may be played
    "yes_none",  # none may
    "yes_next",  # it would be the viewer's turn anyway
    "yes_leader",  # over the cards of the seat that played
    "yes_flush",  # one of the cards left flushes
    "yes_table",  # the table
)
FACTS = CARD_FACTS + MOVER_FACTS + OWN_FACTS + VARIANT_FACTS + INTERCEPT_FACTS
# Where in FACTS what begins.
OF_CARD = 0
OF_MOVER = len(CARD_FACTS)
OF_OWN = OF_MOVER + len(MOVER_FACTS)
OF_VARIANT = OF_OWN + len(OWN_FACTS)
OF_INTERCEPT = OF_VARIANT + len(VARIANT_FACTS)

_NAMES = [block.name for block in blocks({"num_players": 2, "toilet_deck": None})]
HAND, TABLE, UNSEEN, KNOWN = (_NAMES.index(name) for name in ("hand", "table", "unseen", "others_known"))
LAST_COLOUR, LAST_FACE = (_NAMES.index(name) for name in ("last_colour", "last_face"))
ROW, FLUSHING = _NAMES.index("row"), _NAMES.index("flushing")
TOTAL, LID, SURVIVED, WATER = (_NAMES.index(name) for name in ("total", "lid", "survived", "water"))
PHASE, DIRECTION, SKIPPING, TURN = (_NAMES.index(name) for name in ("phase", "direction", "skip_next", "turn"))
SIZES, USED = _NAMES.index("hand_size"), _NAMES.index("used_toilets")
FIRST_LIDS = tuple(edition.first_lid for edition in EDITIONS.values())


class Situation(NamedTuple):
    """What the facts need to know of the position, whatever is chosen."""

    players: int
    variant: int
    edition: int
    reverse_skips: bool
    lid_fits: int  # 1 if a total equal to the lid is not too much (PG-30), else 0
    cards: int  # in the own hand
    leader: int  # cards of the other seat with fewest
    lid: int  # the lowest total that is too much; in blind_pooper the expected one
    total: int
    table: int  # cards on the table
    colour: int  # of the row, -1 for none
    row: int  # 0, 1, 2
    flushing: int  # colour whose next card flushes, -1 for none
    water: int  # its colour, -1 if unseen
    step: int  # 1 clockwise, -1
    skipping: bool  # a skip waits
    unseen: int  # cards that lie nowhere where the viewer knows of them
    unseen_cards: Any  # the same by colour and face
    hand: Any  # the own cards by colour and face


class Seen(NamedTuple):
    """What is known of the seat that moves next."""

    seat: int  # relative
    size: int  # of its hand
    cards: Any  # those that it is known to hold, by colour and face


class After(NamedTuple):
    """What a play leads to."""

    flushes: bool
    room: int  # the lowest number that is too much
    row: int  # cards of one colour on top
    colour: int  # whose next card flushes, -1 for none
    mover: int  # the relative seat that moves next


@rule
def hand_size(observation, starts, other):
    """Cards of a relative seat, n from n / (n + 3)."""
    fraction = observation[starts[SIZES] + other]
    return int(3.0 * fraction / (1.0 - fraction) + 0.5)


@rule
def saturated(n):
    """n / (n + 3): the first cards count most."""
    return n / (n + 3.0)


@rule
def look(observation, starts, variant, edition, reverse_skips, lid_fits):
    """The situation of the viewer, who is to choose a card or whether to intercept."""
    players = starts[TURN + 1] - starts[TURN]
    leader = hand_size(observation, starts, 1)
    for other in range(2, players):
        leader = min(leader, hand_size(observation, starts, other))
    on_table = cards_at(observation, starts[TABLE])
    table = held(on_table[0] + on_table[1] + on_table[2])
    unseen_cards = cards_at(observation, starts[UNSEEN])
    unseen = held(unseen_cards[0] + unseen_cards[1] + unseen_cards[2])
    total = int(observation[starts[TOTAL]] * SCALE + 0.5)
    lid = int(observation[starts[LID]] * SCALE + 0.5) + lid_fits
    if variant == BLIND:
        lid = expected_lid(observation, starts, edition, lid_fits, total)
    colour = -1
    row = 0
    flushing = -1
    water = -1
    for hue in range(COLOURS):
        if observation[starts[ROW] + 2 * hue] > 0:
            colour = hue
            row = 2 if observation[starts[ROW] + 2 * hue + 1] > 0 else 1
        if observation[starts[FLUSHING] + hue] > 0:
            flushing = hue
        if observation[starts[WATER] + hue] > 0:
            water = hue
    step = 1 if observation[starts[DIRECTION]] > 0 else -1
    cards = hand_size(observation, starts, 0)
    skipping = observation[starts[SKIPPING]] > 0
    return Situation(
        players,
        variant,
        edition,
        reverse_skips,
        lid_fits,
        cards,
        leader,
        lid,
        total,
        table,
        colour,
        row,
        flushing,
        water,
        step,
        skipping,
        max(unseen, 1),
        unseen_cards,
        cards_at(observation, starts[HAND]),
    )


@rule
def unused(observation, starts, place):
    """Whether the toilet with the place-th lid of the usual ones is not known to be used."""
    return starts[USED + 1] - starts[USED] != LIDS or observation[starts[USED] + place] == 0


@rule
def expected_lid(observation, starts, edition, lid_fits, total):
    """blind_pooper: the mean of what can be the lowest total that is too much: the lid, or one more where it fits."""
    top = max(int(observation[starts[SURVIVED]] * SCALE + 0.5), total)
    weight = 0
    found = 0
    for place in range(LIDS):
        lid = FIRST_LIDS[edition] + place + lid_fits
        if lid > top and unused(observation, starts, place):
            weight += lid
            found += 1
    return int(weight / found + 0.5) if found > 0 else top + 3


@rule
def overrun(observation, starts, here, below, total):
    """blind_pooper: the chance that a total is too much, where ``below`` is not."""
    top = max(int(observation[starts[SURVIVED]] * SCALE + 0.5), below)
    found = 0
    passed = 0
    for place in range(LIDS):
        lid = FIRST_LIDS[here.edition] + place + here.lid_fits
        if lid > top and unused(observation, starts, place):
            found += 1
            if lid <= total:
                passed += 1
    return passed / found if found > 0 else 0.5


@rule
def seat_after(here, step, skipping):
    """The relative seat that moves next, 0 the viewer."""
    return (step * (2 if skipping else 1)) % here.players


@rule
def look_at(observation, starts, seat):
    """What is known of another seat."""
    return Seen(seat, hand_size(observation, starts, seat), cards_at(observation, starts[KNOWN] + (seat - 1) * KINDS))


@rule
def mover_chances(here, seen, room, colour):
    """(chance that a seat cannot play, chance that it can flush) with this room and flushing colour (-1 for none)."""
    known = seen.cards[0] + seen.cards[1] + seen.cards[2]
    unseen = here.unseen_cards[0] + here.unseen_cards[1] + here.unseen_cards[2]
    hidden = max(seen.size - held(known), 0)
    fitting = SPECIALS | numbers_below(room)
    legal = held(known & fitting)
    unseen_legal = held(unseen & fitting)
    flush = 0.0 if hidden <= here.unseen else 1.0
    if colour >= 0:
        flushes = held(seen.cards[colour])
        legal += held(seen.cards[colour] & ~fitting)
        unseen_legal += held(here.unseen_cards[colour] & ~fitting)
        flush = 1.0 if flushes > 0 else 1.0 - has_none(here.unseen, held(here.unseen_cards[colour]), hidden)
    stuck = 0.0 if legal > 0 else has_none(here.unseen, unseen_legal, hidden)
    return stuck, flush


@rule
def card_facts(here, kind, room, flushes):
    """CARD_FACTS."""
    face = kind % FACES
    few = 1.0 / here.cards
    value = 0.2 * (face + 1) if face < NUMBERS else 0.0
    special = 1.0 if face >= NUMBERS else 0.0
    flush = 1.0 if flushes else 0.0
    return (
        1.0 if face == 1 else 0.0,
        1.0 if face == 2 else 0.0,
        1.0 if face == 3 else 0.0,
        1.0 if face == 4 else 0.0,
        1.0 if NUMBERS <= face < REVERSE else 0.0,
        1.0 if face == REVERSE else 0.0,
        1.0 if face == SKIP else 0.0,
        value * few,
        special * few,
        special * min(0.1 * (here.lid - here.total), 1.5),
        value * min(0.1 * room, 1.5),
        flush,
        flush * few,
        flush / max(here.leader, 1),
        flush * saturated(here.table),
        flush * value,
    )


@rule
def mover_facts(observation, starts, here, seen, after):
    """MOVER_FACTS; ``seen`` is the seat that moves next."""
    if after.mover == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    stuck, flush = mover_chances(here, seen, after.room, after.colour)
    if here.variant == BLIND:
        total = here.lid - after.room
        stuck = (1.0 - flush) * overrun(observation, starts, here, total, total + 2)
    size = max(seen.size, 1)
    return (
        1.0 if after.row == 2 else 0.0,
        flush,
        flush / size,
        stuck,
        stuck * saturated(here.table + 1),
        stuck / size,
        stuck / here.cards,
        1.0 / size,
        1.0 - stuck if size == 1 else 0.0,
        0.0,
    )


@rule
def own_facts(here, kind, after):
    """OWN_FACTS: what the cards left in hand can do with the room, row and flushing colour after a play."""
    hue = kind // FACES
    one = 1 << (WIDTH * (kind % FACES))
    played = one if here.hand[hue] & (ONE * one) else 0
    cards = here.hand[0] + here.hand[1] + here.hand[2] - played
    kept = held(cards & SPECIALS)
    same = held(here.hand[hue] - played)
    colours = 0
    for other in range(COLOURS):
        if here.hand[other] > (played if other == hue else 0):
            colours += 1
    room, row, colour, mover = after.room, after.row, after.colour, after.mover
    fits = held(cards & numbers_below(room))
    fits_3 = held(cards & numbers_below(room - 3))
    fits_6 = held(cards & numbers_below(room - 6))
    flushing = 0
    if colour >= 0:
        of_colour = here.hand[colour] - (played if colour == hue else 0)
        flushing = held(of_colour)
        if mover == 0:
            fits += held(of_colour & ~(SPECIALS | numbers_below(room)))  # they flush
    left = here.cards - 1
    few = 1.0 / max(left, 1)
    fits += kept
    fits_3 += kept
    fits_6 += kept
    last = 1.0 if left == 1 else 0.0
    none = 1.0 if fits == 0 else 0.0
    none_3 = 1.0 if fits_3 == 0 else 0.0
    flush = 1.0 if flushing > 0 else 0.0
    shared = (0.3333 * colours, kept * few, last * fits, last * fits_3, last * kept)
    if mover == 0:
        return (
            fits * few,
            none,
            flush,
            flush * few,
            last * fits,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            shared[0],
            shared[1],
            0.0,
            0.0,
            0.0,
        )
    return (
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        fits * few,
        fits_3 * few,
        fits_6 * few,
        none,
        none_3,
        1.0 if fits_6 == 0 else 0.0,
        none_3 * saturated(here.table + 1),
        saturated(same) if row == 1 else 0.0,
        1.0 if row == 2 and same > 0 else 0.0,
        shared[0],
        shared[1],
        shared[2],
        shared[3],
        shared[4],
    )


@rule
def copies_elsewhere(observation, starts, here, kind):
    """The chance that another seat holds a card of this kind."""
    hidden = 0
    for other in range(1, here.players):
        known = starts[KNOWN] + (other - 1) * KINDS
        if observation[known + kind] > 0:
            return 1.0
        cards = cards_at(observation, known)
        hidden += hand_size(observation, starts, other) - held(cards[0] + cards[1] + cards[2])
    return 1.0 - has_none(here.unseen, count(observation, starts[UNSEEN], kind), max(hidden, 0))


@rule
def variant_facts(observation, starts, here, kind, flushes, given):
    """VARIANT_FACTS, zeros where the variant has none; ``given`` is the chance that the next seat flushes."""
    face = kind % FACES
    risk, copies, delight, delight_given = 0.0, 0.0, 0.0, 0.0
    if here.variant == BLIND and not flushes and face < NUMBERS:
        risk = overrun(observation, starts, here, here.total, here.total + face + 1)
    if here.variant == INTERCEPTOR and not flushes and face < NUMBERS:
        copies = copies_elsewhere(observation, starts, here, kind)
    if here.variant == FLUSHERS:
        step = -here.step if face == REVERSE and here.players > 2 else here.step
        received = hand_size(observation, starts, (-step) % here.players)
        if flushes:
            delight = 0.2 * (here.cards - 2 - received)
        elif here.players == 2:
            delight_given = given * 0.2 * (here.cards + 1 - received)
        else:
            delight_given = given * 0.2 * (here.cards - 1 - received)
    return (
        risk,
        risk * saturated(here.table + 1),
        risk / here.cards,
        copies,
        copies / here.cards,
        copies if here.cards == 2 else 0.0,
        delight,
        delight_given,
    )


@rule
def follow(here, kind):
    """What playing a card leads to."""
    face = kind % FACES
    hue = kind // FACES
    if hue == here.flushing:
        return After(True, here.lid, 0, -1, 0)
    room = here.lid - here.total
    if face < NUMBERS:
        room -= face + 1
    row = here.row + 1 if hue == here.colour else 1
    colour = hue if row == 2 and (here.variant != DEEP or hue == here.water) else -1
    step = here.step
    skipping = here.skipping or face == SKIP
    if face == REVERSE:
        if here.players > 2:
            step = -step
        elif here.reverse_skips:
            skipping = True
    return After(False, room, row, colour, seat_after(here, step, skipping))


@rule
def turn_of(observation, starts, here):
    """The relative seat whose turn it is."""
    for other in range(here.players):
        if observation[starts[TURN] + other] > 0:
            return other
    return 0


@rule
def last_kind(observation, starts):
    """The card that was played last."""
    for kind in range(KINDS):
        if observation[starts[LAST_COLOUR] + kind // FACES] > 0 and observation[starts[LAST_FACE] + kind % FACES] > 0:
            return kind
    return 0


@rule
def intercept_facts(observation, starts, here):
    """INTERCEPT_FACTS of saying yes; passing has none."""
    kind = last_kind(observation, starts)
    player = turn_of(observation, starts, here)
    room = here.lid - here.total
    own = own_facts(here, kind, After(False, room, here.row, here.flushing, 0))
    following = (player + here.step * (2 if here.skipping else 1)) % here.players == 0
    return (
        1.0,
        1.0 / here.cards,
        own[0],
        own[1],
        1.0 if following else 0.0,
        1.0 / max(hand_size(observation, starts, player), 1),
        own[2],
        saturated(here.table),
    )
