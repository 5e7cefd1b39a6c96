"""What a seat of Poop: The Game sees, with a perfect memory of what was public, and what it cannot know.

Seats are relative to the viewer: 0 is the viewer, 1 the next clockwise. Cards by kind (in the order of the actions) are
given as the fraction of all cards of that kind in the deck, totals and lids as n / 32 (1 above that), sizes of hands as
n / (n + 3) and as a fraction of the deck. Nothing depends on who is asked to intercept (PG-22), except for that seat
itself, and nothing on the number of decisions, which would tell of such questions.
"""

import numpy as np

from ...core import history
from ...core.chance import below, shuffle_anew
from ...core.compiler import rule, writer
from ...core.rewinding import rewind_hand
from ...core.spec import Block
from .record import (
    BLIND,
    COLOURS,
    DUTIES,
    EFFECTS,
    FACES,
    FLUSHERS,
    HELD,
    INTERCEPT,
    INTERCEPTOR,
    KINDS,
    NUMBERS,
    PLAY,
    ROW,
    SLAP,
    SLAPPED,
    SUPER,
    UNSAID,
)
from .rules.plays import flushing_colour

SCALE = 32  # of totals and lids
PHASES = 5
MAX_TRIES = 100_000  # of resample while a seat is asked to intercept; a consistent deal is found within some tens
STEPS = 16  # of the block of that name
TABLE_WIDTH = 43  # numbers from ``last_colour`` to ``skip_next``
FEW = 3  # cards: a hand of so many or fewer is told apart


def blocks(settings):
    """The observation's named parts in order; their sum is the observation."""
    n = settings["num_players"]
    toilets = settings["toilet_deck"]
    sorts = 11 if toilets is None else len({tuple(toilet) for toilet in toilets})
    return (
        Block("hand", (KINDS,), "own cards by kind; in super_pooper those of the own pile that are known"),
        Block("table", (KINDS,), "the table by kind"),
        Block("discard", (KINDS,), "the discard by kind"),
        Block("unseen", (KINDS,), "cards by kind that lie nowhere where the seat knows of them"),
        Block("others_known", (n - 1, KINDS), "per other relative seat: cards by kind that it is known to hold"),
        Block("last_colour", (COLOURS,), "colour of the last card played, one-hot; zeros before the first"),
        Block("last_face", (FACES,), "its face, one-hot: 1..5, wild of three actions, reverse, skip"),
        Block("row", (COLOURS, 2), "per colour: at least 1, 2 cards of it lie together on top of the table"),
        Block("flushing", (COLOURS,), "per colour: 1 if its next card makes a row that flushes or starts a slap"),
        Block("fits", (NUMBERS,), "1 if the number 1..5 is known not to make the total too much"),
        Block("total", (1,), "total of the table / 32"),
        Block("lid", (1,), "lid / 32; 0 in blind_pooper"),
        Block("room", (1,), "(lid - total) / 32, 0 if negative; 0 in blind_pooper"),
        Block("survived", (1,), "blind_pooper: highest total that this toilet has survived / 32"),
        Block("water", (COLOURS,), "colour of the water, one-hot; zeros in blind_pooper"),
        Block("phase", (PHASES,), "one-hot: play, share, intercept (only for the seat that is asked), slap, over"),
        Block("own_slap", (2,), "own answer to this slap: slap, hold; zeros while there is none"),
        Block("direction", (1,), "1 clockwise, 0 against it"),
        Block("skip_next", (1,), "1 if a skip is pending"),
        Block("turn", (n,), "relative seat whose turn it is, one-hot; kept while others are asked and when over"),
        Block("asked", (n,), "relative seat that answers now, one-hot: in a slap, or the viewer asked to intercept"),
        Block("hand_size", (n,), "per relative seat: n / (n + 3) for n cards in hand or pile"),
        Block("hand_share", (n,), "per relative seat: cards in hand or pile as a fraction of the deck"),
        Block("duties", (n, DUTIES), "per relative seat: actions of Wilds that it is bound to"),
        Block("drinks", (n,), "per relative seat: n / (n + 20) for n drinks"),
        Block("sizes", (2,), "draw pile as a fraction of the deck, toilet pile of the toilet deck"),
        Block("used_toilets", (sorts,), "used toilets, by lid and water, as a fraction of all such toilets"),
        Block(
            "steps",
            (STEPS,),
            f"lid - total, one-hot: 1, 2 .. {STEPS} or more (where the lid fits, 0, 1 .. {STEPS - 1} or more); "
            f"in blind_pooper the total: 0, 1 .. {STEPS - 1} or more",
        ),
        Block("few", (n, FEW), "per relative seat: at most 1, 2, 3 cards in hand or pile"),
        Block("next", (n,), "relative seat that is next in the direction of play, a pending skip counted, one-hot"),
        Block("next_few", (FEW,), "that seat: at most 1, 2, 3 cards in hand or pile"),
        *history.blocks(settings, EFFECTS),
    )


@rule
def scaled(count):
    """A total or a lid as a feature."""
    return np.float32(min(max(count, 0), SCALE)) * np.float32(1.0 / SCALE)


@rule
def own_cards(s, seat):
    """Counts by kind of the own cards that a seat knows."""
    return s.known[seat, seat] if s.variant == SUPER else s.hand[seat]


@rule
def write_cards(s, seat, out):
    """Writes the blocks from ``hand`` to ``others_known`` and returns where they end."""
    hand = own_cards(s, seat)
    others = 4 * KINDS
    for kind in range(KINDS):
        part = s.share[kind]
        out[kind] = np.float32(hand[kind]) * part
        out[KINDS + kind] = np.float32(s.table_count[kind]) * part
        out[2 * KINDS + kind] = np.float32(s.discard[kind]) * part
        seen = hand[kind] + s.table_count[kind] + s.discard[kind]
        out[3 * KINDS + kind] = np.float32(s.deck[kind] - seen)
    other = seat
    for k in range(s.num_players - 1):
        other = other + 1 if other + 1 < s.num_players else 0
        known = s.known[seat, other]
        for kind in range(KINDS):
            count = np.float32(known[kind])
            out[others + k * KINDS + kind] = count * s.share[kind]
            out[3 * KINDS + kind] -= count
    for kind in range(KINDS):
        out[3 * KINDS + kind] *= s.share[kind]
    return others + (s.num_players - 1) * KINDS


@rule
def write_table(s, seat, out, at):
    """Writes the blocks from ``last_colour`` to ``skip_next``."""
    # A slice: no place in it is counted from the end, which compiled code asks at every ``out[at + i]``.
    part = out[at : at + TABLE_WIDTH]
    for i in range(TABLE_WIDTH):
        part[i] = 0.0
    if s.last >= 0:
        part[s.last // FACES] = 1.0
        part[COLOURS + s.last % FACES] = 1.0
    at = COLOURS + FACES
    if s.row > 0:
        colour = s.table[s.table_size - 1] // FACES
        part[at + 2 * colour] = 1.0
        if s.row > 1:
            part[at + 2 * colour + 1] = 1.0
    at += 2 * COLOURS
    flushing = flushing_colour(s)
    if flushing >= 0:
        part[at + flushing] = 1.0
    at += COLOURS
    blind = s.variant == BLIND
    top = s.survived if blind else s.lid - 1 + s.lid_fits  # the highest total known to be safe
    for number in range(NUMBERS):
        part[at + number] = np.float32(s.total + number < top)
    at += NUMBERS
    part[at] = scaled(s.total)
    if blind:
        part[at + 3] = scaled(s.survived)
    else:
        part[at + 1] = scaled(s.lid)
        part[at + 2] = scaled(s.lid - s.total)
        part[at + 4 + s.water] = 1.0
    at += 4 + COLOURS
    phase = s.phase
    if phase == INTERCEPT and s.asked != seat:
        phase = PLAY
    part[at + phase] = 1.0
    if s.slaps[seat] == SLAPPED:
        part[at + PHASES] = 1.0
    elif s.slaps[seat] == HELD:
        part[at + PHASES + 1] = 1.0
    if s.direction > 0:
        part[at + PHASES + 2] = 1.0
    part[at + PHASES + 3] = s.skip_next


@rule
def write_seats(s, seat, out, at):
    """Writes the blocks from ``turn`` to ``drinks`` and returns where they end."""
    n = s.num_players
    whole = np.float32(1.0) / np.float32(s.cards)
    asked = s.asked if s.phase == SLAP or s.asked == seat else -1
    turns = out[at : at + n]
    asks = out[at + n : at + 2 * n]
    sizes = out[at + 2 * n : at + 3 * n]
    shares = out[at + 3 * n : at + 4 * n]
    duties = out[at + 4 * n : at + (4 + DUTIES) * n]
    drunk = out[at + (4 + DUTIES) * n : at + (5 + DUTIES) * n]
    other = seat
    for k in range(n):
        turns[k] = np.float32(other == s.turn)
        asks[k] = np.float32(other == asked)
        size = np.float32(s.hand_size[other])
        sizes[k] = size / (size + np.float32(3.0))
        shares[k] = size * whole
        for duty in range(DUTIES):
            duties[k * DUTIES + duty] = np.float32(s.duty_seat[duty] == other)
        drinks = np.float32(s.drinks[other])
        drunk[k] = drinks / (drinks + np.float32(20.0))
        other = other + 1 if other + 1 < n else 0
    return at + (5 + DUTIES) * n


@writer
def observe(s, seat, out):
    """Writes the observation of a seat, float32, every entry; any seat, also when the game is over."""
    at = write_cards(s, seat, out)
    write_table(s, seat, out, at)
    at = write_seats(s, seat, out, at + TABLE_WIDTH)
    out[at] = np.float32(s.draw_size) / np.float32(s.cards)
    out[at + 1] = np.float32(min(s.toilet_size, s.num_toilets)) / np.float32(s.num_toilets)
    at += 2
    for sort in range(s.num_sorts):
        out[at + sort] = min(np.float32(s.used[sort]) * s.toilet_share[sort], np.float32(1.0))
    write_steps(s, seat, out, at + s.num_sorts)
    history.write(s, seat, s.num_players, out)


@rule
def write_steps(s, seat, out, at):
    """Writes the blocks from ``steps`` to ``next_few``: what is known already, where a network sees it at a glance."""
    n = s.num_players
    nearness = out[at : at + STEPS]
    steps = s.total if s.variant == BLIND else s.lid - s.total - 1 + s.lid_fits
    for step in range(STEPS):
        nearness[step] = 0.0
    nearness[min(max(steps, 0), STEPS - 1)] = 1.0
    following = s.turn + s.direction * (2 if s.skip_next else 1)  # a division would cost more than all the rest
    while following < 0:
        following += n
    while following >= n:
        following -= n
    at += STEPS
    following_seat = out[at + n * FEW : at + n * (FEW + 1)]
    other = seat
    for k in range(n):
        write_few(s, other, out, at + k * FEW)
        following_seat[k] = np.float32(other == following)
        other = other + 1 if other + 1 < n else 0
    write_few(s, following, out, at + n * (FEW + 1))


@rule
def write_few(s, seat, out, at):
    """Writes whether a seat holds at most 1, 2, 3 cards."""
    part = out[at : at + FEW]
    size = s.hand_size[seat]
    for most in range(FEW):
        part[most] = np.float32(size <= most + 1)


# -- what it cannot know ---------------------------------------------------------------------------------------------


@rule
def resample(s, seat):
    """Replaces all that a seat cannot know by a uniformly random deal that agrees with what it knows.

    Unknown to it: other hands beyond the known cards (in super_pooper all piles, its own too), the order of every pile,
    in blind_pooper the open toilet, others' answers to a slap, what others know. Who is asked to intercept goes on
    holding the card. Uses the record's own generator, which the caller seeds.
    """
    if s.variant == SUPER:
        redraw_piles(s, seat)
        redraw_slaps(s, seat)
    else:
        redraw_hands(s, seat)
    redraw_toilets(s)
    redraw_known(s, seat)


@rule
def redraw_hands(s, seat):
    """The other hands, and the draw pile, by a new deal of the cards that the seat does not know."""
    size = s.draw_size
    for other in range(s.num_players):
        if other != seat:
            for kind in range(KINDS):
                for _ in range(s.hand[other, kind] - s.known[seat, other, kind]):
                    s.draw[size] = kind
                    size += 1
    bound = s.variant == INTERCEPTOR and s.asked >= 0 and s.asked != seat
    for _ in range(MAX_TRIES):
        shuffle_anew(s, s.draw, size)
        left = size
        for other in range(s.num_players):
            if other != seat:
                left = deal_hand(s, seat, other, left)
        if not bound or s.hand[s.asked, s.last] > 0:
            break


@rule
def deal_hand(s, seat, other, left):
    """A hand of what the seat knows of it and of gathered cards from the top; returns how many are left of those."""
    missing = s.hand_size[other]
    for kind in range(KINDS):
        s.hand[other, kind] = s.known[seat, other, kind]
        missing -= s.hand[other, kind]
    for _ in range(missing):
        left -= 1
        s.hand[other, s.draw[left]] += 1
    return left


@rule
def redraw_piles(s, seat):
    """super_pooper: all piles and the draw pile, with every pile's known cards anywhere in it."""
    size = s.draw_size
    room = s.pile.shape[1]
    for owner in range(s.num_players):
        for kind in range(KINDS):
            s.hand[owner, kind] = s.known[seat, owner, kind]  # known cards not yet met in this pile
        for k in range(s.hand_size[owner]):
            kind = s.pile[owner, (s.head[owner] + k) % room]
            if s.hand[owner, kind] > 0:
                s.hand[owner, kind] -= 1
            else:
                s.draw[size] = kind
                size += 1
    shuffle_anew(s, s.draw, size)
    for owner in range(s.num_players):
        s.head[owner] = 0
        filled = 0
        for kind in range(KINDS):
            for _ in range(s.known[seat, owner, kind]):
                s.pile[owner, filled] = kind
                filled += 1
        while filled < s.hand_size[owner]:
            size -= 1
            s.pile[owner, filled] = s.draw[size]
            filled += 1
        shuffle_anew(s, s.pile[owner], filled)


@rule
def redraw_slaps(s, seat):
    """The answers that others have given to a slap."""
    for other in range(s.num_players):
        if other != seat and s.slaps[other] != UNSAID:
            s.slaps[other] = below(s, 2)


@rule
def redraw_toilets(s):
    """The order of the toilet pile; in blind_pooper also the open one, above the highest total it has survived."""
    if s.variant == BLIND:
        s.toilets[s.toilet_size] = s.toilet
        size = s.toilet_size + 1
        shuffle_anew(s, s.toilets, size)
        fitting = 0
        for place in range(size):
            if s.toilet_lid[s.toilets[place]] + s.lid_fits > s.survived:
                fitting += 1
        skip = below(s, fitting)
        for place in range(size):
            if s.toilet_lid[s.toilets[place]] + s.lid_fits > s.survived:
                if skip == 0:
                    s.toilet = s.toilets[place]
                    s.toilets[place] = s.toilets[s.toilet_size]
                    break
                skip -= 1
        s.lid = s.toilet_lid[s.toilet]
        s.water = s.toilet_water[s.toilet]
    shuffle_anew(s, s.toilets, s.toilet_size)


@rule
def redraw_known(s, seat):
    """What others know: where it is public, what the seat knows too; else as many cards of the new hands (PG-21)."""
    for observer in range(s.num_players):
        if observer == seat:
            continue
        for owner in range(s.num_players):
            if s.variant == FLUSHERS:
                if owner != observer:
                    redraw_known_hand(s, observer, owner)
            elif s.variant == SUPER or (owner != seat and owner != observer):
                for kind in range(KINDS):
                    s.known[observer, owner, kind] = s.known[seat, owner, kind]


@rule
def redraw_known_hand(s, observer, owner):
    """As many cards as the observer knows of a hand, drawn from what it holds now."""
    count = 0
    for kind in range(KINDS):
        count += s.known[observer, owner, kind]
        s.known[observer, owner, kind] = 0
    for taken in range(count):
        skip = below(s, s.hand_size[owner] - taken)
        for kind in range(KINDS):
            left = s.hand[owner, kind] - s.known[observer, owner, kind]
            if skip < left:
                s.known[observer, owner, kind] += 1
                break
            skip -= left


assert ROW == 3  # the block row tells its lengths below that


@rule
def rewind(s, after, action, viewer):
    """Takes a position back over one decision (see the contract): what the others held before it.

    Not in super_pooper, where nobody chooses a card, and not over a pass of all hands (PG-21).
    """
    if s.variant == SUPER or (s.variant == FLUSHERS and after.table_size == 0):
        return 0
    plays = s.phase == PLAY and action < KINDS
    s.rng = after.rng
    for other in range(s.num_players):
        if other != viewer:
            left = 1 if plays and other == s.turn else 0
            gained = after.hand_size[other] - s.hand_size[other] + left
            known, known_after = s.known[viewer, other], after.known[viewer, other]
            kind = action if left else -1
            if rewind_hand(s, s.hand[other], after.hand[other], known, known_after, kind, left, gained) == 0:
                return 0
    return 1
