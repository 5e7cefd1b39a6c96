"""What a seat of Too Many Poops sees, with a perfect memory of what was public, and what it cannot know.

Seats are relative to the viewer: 0 is the viewer, 1 the next clockwise. Cats by kind are counts, rainbow cats as the
share of all of them; items by kind are the share of all of that kind. Points and poops are tenths, up to 2.
Nothing tells whether another seat is asked for a reaction: to the others the position is that before the answer.
"""

import numpy as np

from ...core import history
from ...core.chance import below, shuffle_anew
from ...core.compiler import rule, writer
from ...core.seats import relative
from ...core.spec import Block
from .record import (
    ACTS,
    CHOOSE,
    CLOSED_DOOR,
    EFFECTS,
    FIRST_MODIFIER,
    GOAL,
    HISS,
    ITEMS,
    ITEMS_A_TURN,
    KINDS,
    LITTER_SIZE,
    LITTERS,
    MODIFIERS,
    MOST_CATS,
    NONE,
    OVER,
    PLAIN,
    RAINBOW,
    SEATS,
    STORE,
    TOO_MANY,
)
from .rules.poops import poops_to_come

ONE = np.float32(1.0)
TENTH = np.float32(0.1)
FIFTH = np.float32(1.0 / LITTER_SIZE)
QUARTER = np.float32(0.25)
MOST = 20  # points and poops beyond this are shown as this
# Where the blocks begin that lie at the same place for every number of players, and where those by seat do.
AT_ITEMS = KINDS
AT_WILD = AT_ITEMS + ITEMS
AT_DISCARD = AT_WILD + KINDS
AT_RIVAL = AT_DISCARD + ITEMS
AT_STORE_CATS = AT_RIVAL + PLAIN
AT_STORE_ITEMS = AT_STORE_CATS + STORE * KINDS
AT_DECKS = AT_STORE_ITEMS + STORE * ITEMS
AT_PHASE = AT_DECKS + 2
AT_ACTING = AT_PHASE + 4
AT_LEFT = AT_ACTING + 1
AT_ACT = AT_LEFT + 3
AT_STAGE = AT_ACT + ACTS
AT_SUBJECT = AT_STAGE + 3
AT_OWN = AT_SUBJECT + KINDS
AT_HISSES = AT_OWN + KINDS
AT_SEATS = AT_HISSES + 2
SEAT_FLAGS = 13  # blocks of one feature per seat
MAX_TRIES = 100_000  # of resample while a reaction is asked for; a consistent deal is found within some tens


def blocks(settings):
    """The observation's named parts in order; their sum is the observation."""
    n = settings["num_players"]
    return (
        Block("hand_cats", (KINDS,), "own cats by kind"),
        Block("hand_items", (ITEMS,), "own items by kind"),
        Block("wild", (KINDS,), "cats of The Wild by kind"),
        Block("item_discard", (ITEMS,), "discarded items by kind"),
        Block("rival", (PLAIN,), "per cat, the kind of its rival, (kind + 1) / 30; 0 has none"),
        Block("store_cats", (STORE, KINDS), "per slot of the pet store, its cat, one-hot; zeros: a gap"),
        Block("store_items", (STORE, ITEMS), "per slot of the pet store, its item, one-hot; zeros: a gap"),
        Block("decks", (2,), "cat deck and item deck, as the share of all cats and items"),
        Block("phase", (4,), "one-hot: choosing, drawing, playing, over"),
        Block("acting", (1,), "1 if the viewer is to act, as far as it can see"),
        Block("left", (3,), "of this turn: a cat is played; cats still playable / 3; items still playable / 2"),
        Block(
            "act",
            (ACTS,),
            "what is on its way, one-hot: an item by kind, a cat from The Wild, a cat played; of a choice half made "
            "(for the seat that makes it), of the stack's lowest card, or the closed door that the viewer is asked for",
        ),
        Block("stage", (3,), "of that: half made; on the stack; the viewer is asked for a closed door"),
        Block(
            "subject", (KINDS,), "the cat that it is about, one-hot; while choosing, the one that the viewer has chosen"
        ),
        Block("own", (KINDS,), "of a swap: the own cat, one-hot"),
        Block("hisses", (2,), "hisses on the stack, n / (n + 1); 1 if they cancel its lowest card as it stands"),
        Block("place", (n,), "per relative seat: its home is the one that it is about"),
        Block("by", (n,), "per relative seat: it played the lowest card of the stack"),
        Block("top", (n,), "per relative seat: it played the highest card of the stack"),
        Block("turn", (n,), "relative seat whose turn it is, one-hot; while choosing, the one to begin"),
        Block("chosen", (n,), "per relative seat: it has chosen the cat to keep"),
        Block("out", (n,), "per relative seat: out of the game"),
        Block("points", (n,), "per relative seat: points / 10", 0.0, MOST / GOAL),
        Block("poops", (n,), "per relative seat: poops / 10", 0.0, MOST / TOO_MANY),
        Block("coming", (n,), "per relative seat: poops that its next turn would add as it stands / 10", 0.0, 2.0),
        Block("doomed", (n,), "per relative seat: 1 if they would send it out"),
        Block("cats_held", (n,), "per relative seat: n / (n + 3) for n cats in hand"),
        Block("items_held", (n,), "per relative seat: n / (n + 3) for n items in hand"),
        Block("rainbow_leaves", (n,), "per relative seat: change of its points / 4 if a rainbow cat left", -1.0, 0.0),
        Block("modifiers", (n, MODIFIERS), "per relative seat: modifiers of its home"),
        Block("litters", (n, LITTERS), "per relative seat: unflipped cats by litter / 5"),
        Block("upright", (n, KINDS), "per relative seat: unflipped cats of its home by kind"),
        Block("flipped", (n, PLAIN), "per relative seat: flipped cats of its home by kind"),
        Block(
            "change",
            (n, KINDS),
            "per relative seat and kind: change of its points / 4 if such a cat came, or, where it lies in that home, "
            "if it left (rainbow: came); zeros when out",
            -1.0,
            1.0,
        ),
        Block("known_cats", (n - 1, KINDS), "per other relative seat: cats that it is known to hold, by kind"),
        Block("known_items", (n - 1, ITEMS), "per other relative seat: items that it is known to hold, by kind"),
        *history.blocks(settings, EFFECTS),
    )


@rule
def write_cats(out, at, cats, rainbow):
    """Writes 31 cats by kind, float32, given one over the rainbow cats there are."""
    for kind in range(PLAIN):
        out[at + kind] = np.float32(cats[kind])
    out[at + RAINBOW] = np.float32(cats[RAINBOW]) * rainbow


@rule
def write_items(s, out, at, items):
    """Writes 11 items by kind, float32."""
    for item in range(ITEMS):
        out[at + item] = np.float32(items[item]) * s.item_share[item]


@rule
def portion(count):
    """n / (n + 3), float32: keeps small numbers apart and has no upper end."""
    return np.float32(count / (count + 3.0))


@rule
def tenths(count):
    """Points or poops as tenths, float32, up to 2."""
    return np.float32(min(count, MOST)) * TENTH


@rule
def write_table(s, seat, out):
    """Writes the blocks that lie at the same place for every number of players, but for what is on its way."""
    rainbow = np.float32(1.0 / s.rainbow_cats) if s.rainbow_cats > 0 else np.float32(0.0)
    write_cats(out, 0, s.hand_cats[seat], rainbow)
    write_items(s, out, AT_ITEMS, s.hand_items[seat])
    write_cats(out, AT_WILD, s.wild, rainbow)
    write_items(s, out, AT_DISCARD, s.discard)
    for kind in range(PLAIN):
        out[AT_RIVAL + kind] = s.rival_share[kind]
    items = 0
    for item in range(ITEMS):
        items += s.item_count[item]
    for k in range(STORE):
        if s.store_cats[k] >= 0:
            out[AT_STORE_CATS + k * KINDS + s.store_cats[k]] = ONE
        if s.store_items[k] >= 0:
            out[AT_STORE_ITEMS + k * ITEMS + s.store_items[k]] = ONE
    out[AT_DECKS] = np.float32(s.cat_deck_size / (PLAIN + s.rainbow_cats))
    out[AT_DECKS + 1] = np.float32(s.item_deck_size / items)
    out[AT_PHASE + s.phase] = ONE
    out[AT_LEFT] = np.float32(s.cat_played)
    out[AT_LEFT + 1] = np.float32(s.cats_left / MOST_CATS)
    out[AT_LEFT + 2] = np.float32(s.items_left / ITEMS_A_TURN)


@rule
def write_subject(s, seat, out):
    """Writes what is on its way: a choice half made, the stack, or a cat that a closed door may turn away."""
    act = NONE
    cat = s.chosen[seat]
    own = NONE
    home = NONE
    if s.stack_size > 0:
        out[AT_STAGE + 1] = ONE
        act = s.stack_item[0]
        door = act == CLOSED_DOOR
        cat = s.arrival_cat if door else s.stack_cat
        home = s.arrival_home if door else s.stack_home
        own = s.stack_own
        hisses = s.stack_size - 1
        out[AT_HISSES] = np.float32(hisses / (hisses + 1.0))
        out[AT_HISSES + 1] = np.float32(hisses % 2)
        n = s.num_players
        out[AT_SEATS + n + relative(s, s.stack_by[0], seat)] = ONE
        out[AT_SEATS + 2 * n + relative(s, s.stack_by[hisses], seat)] = ONE
    elif s.asked == seat:  # nobody else may see that there is a question
        out[AT_STAGE + 2] = ONE
        act = CLOSED_DOOR
        cat = s.arrival_cat
        home = seat
    elif s.pending_act >= 0 and s.turn == seat:
        out[AT_STAGE] = ONE
        act = s.pending_act
        cat = s.pending_cat
        own = s.pending_own
    if act >= 0:
        out[AT_ACT + act] = ONE
    if cat >= 0:
        out[AT_SUBJECT + cat] = ONE
    if own >= 0:
        out[AT_OWN + own] = ONE
    if home >= 0:
        out[AT_SEATS + relative(s, home, seat)] = ONE


@rule
def is_acting(s, seat):
    """Whether a seat is to act as far as it can see: the seat at turn does not see that another one is asked."""
    if s.phase == OVER:
        return False
    if s.phase != CHOOSE:
        return s.asked == seat or s.turn == seat
    if s.chosen[seat] >= 0:
        return False
    other = s.turn
    while other != seat:
        if s.chosen[other] == NONE:
            return False
        other = other + 1 if other + 1 < s.num_players else 0
    return True


@rule
def write_seats(s, seat, out):
    """Writes the blocks of one feature per seat from ``turn`` on."""
    n = s.num_players
    out[AT_SEATS + 3 * n + relative(s, s.turn, seat)] = ONE
    other = seat
    for k in range(n):
        at = AT_SEATS + 4 * n + k
        poops = poops_to_come(s, other)
        out[at] = ONE if s.chosen[other] >= 0 else np.float32(0.0)
        out[at + n] = np.float32(s.out[other])
        out[at + 2 * n] = tenths(s.points[other])
        out[at + 3 * n] = tenths(s.poops[other])
        out[at + 4 * n] = tenths(poops)
        if s.poops[other] + poops >= TOO_MANY and s.points[other] < GOAL:
            out[at + 5 * n] = ONE
        out[at + 6 * n] = portion(s.num_cats[other])
        out[at + 7 * n] = portion(s.num_items[other])
        out[at + 8 * n] = np.float32(s.rainbow_change[other]) * QUARTER
        other = other + 1 if other + 1 < n else 0


@rule
def write_rows(s, out, at, rows, first, last, factor):
    """Writes counts by seat, (SEATS, width), times a factor: clockwise from a first seat to the one before ``last``."""
    # As one row each, for a loop of its own over a few cats is left as it is, where a long one is done by vectors.
    width = rows.shape[1]
    row = np.lib.stride_tricks.as_strided(rows, (SEATS * width,), (rows.itemsize,))
    part = out[at:]
    before = row[first * width : s.num_players * width]
    for i in range(len(before)):
        part[i] = np.float32(before[i]) * factor
    part = part[len(before) :]
    after = row[: last * width]
    for i in range(len(after)):
        part[i] = np.float32(after[i]) * factor


@rule
def write_homes(s, seat, out):
    """Writes the blocks of several features per seat."""
    n = s.num_players
    rainbow = np.float32(1.0 / s.rainbow_cats) if s.rainbow_cats > 0 else np.float32(0.0)
    modifiers = AT_SEATS + SEAT_FLAGS * n
    litters = modifiers + n * MODIFIERS
    upright = litters + n * LITTERS
    flipped = upright + n * KINDS
    change = flipped + n * PLAIN
    known_cats = change + n * KINDS
    known_items = known_cats + (n - 1) * KINDS
    write_rows(s, out, litters, s.litter, seat, seat, FIFTH)
    write_rows(s, out, upright, s.upright, seat, seat, ONE)
    write_rows(s, out, flipped, s.flipped, seat, seat, ONE)
    write_rows(s, out, change, s.change, seat, seat, QUARTER)
    write_rows(s, out, known_cats, s.known_cats, seat + 1, seat, ONE)
    other = seat
    for k in range(n):
        for j in range(MODIFIERS):
            share = s.item_share[FIRST_MODIFIER + j]
            out[modifiers + k * MODIFIERS + j] = np.float32(s.modifiers[other, j]) * share
        out[upright + k * KINDS + RAINBOW] *= rainbow
        if k > 0:
            out[known_cats + (k - 1) * KINDS + RAINBOW] *= rainbow
            write_items(s, out, known_items + (k - 1) * ITEMS, s.known_items[other])
        other = other + 1 if other + 1 < n else 0


@writer
def observe(s, seat, out):
    """Writes the observation of a seat, float32, every entry; any seat, also when the game is over."""
    # What is written as a whole comes later; here those entries of which only some are written.
    for i in range(AT_STORE_CATS, AT_SEATS + SEAT_FLAGS * s.num_players):
        out[i] = 0.0
    write_table(s, seat, out)
    write_subject(s, seat, out)
    if is_acting(s, seat):
        out[AT_ACTING] = ONE
    write_seats(s, seat, out)
    write_homes(s, seat, out)
    history.write(s, seat, s.num_players, out)


@rule
def resample(s, seat):
    """Replaces all that a seat cannot know by a uniformly random deal that agrees with what it knows.

    Unknown to it: the order of the decks, other hands beyond the known cards, others' choices of TM-2, a choice that
    another seat has half made. Whom the rules ask for a reaction holds one, so deals that say otherwise are thrown
    away; who is asked after that follows from the hands. Uses the record's own generator, which the caller seeds.
    """
    if seat != s.turn:
        s.pending_act = NONE  # the seat at turn may as well be at the beginning of its choice
        s.pending_own = NONE
        s.pending_cat = NONE
    redraw_cats(s, seat)
    redraw_items(s, seat)
    for other in range(s.num_players):
        if other != seat and s.chosen[other] >= 0:
            redraw_choice(s, other)


@rule
def redraw_cats(s, seat):
    """Shuffles the cats that a seat cannot know, and deals them to the other hands and the deck."""
    deck = s.cat_deck
    size = s.cat_deck_size
    for other in range(s.num_players):
        if other != seat:
            for kind in range(KINDS):
                for _ in range(s.hand_cats[other, kind] - s.known_cats[other, kind]):
                    deck[size] = kind
                    size += 1
                s.hand_cats[other, kind] = s.known_cats[other, kind]
    shuffle_anew(s, deck, size)
    for other in range(s.num_players):
        if other != seat:
            missing = s.num_cats[other]
            for kind in range(KINDS):
                missing -= s.known_cats[other, kind]
            for _ in range(missing):
                size -= 1
                s.hand_cats[other, deck[size]] += 1


@rule
def redraw_items(s, seat):
    """The same for items, until whom the rules ask holds the reaction that they ask for."""
    deck = s.item_deck
    size = s.item_deck_size
    for other in range(s.num_players):
        if other != seat:
            for item in range(ITEMS):
                for _ in range(s.hand_items[other, item] - s.known_items[other, item]):
                    deck[size] = item
                    size += 1
    reaction = HISS if s.stack_size > 0 else CLOSED_DOOR
    bound = s.asked >= 0 and s.asked != seat
    for _ in range(MAX_TRIES):
        shuffle_anew(s, deck, size)
        deal_items(s, seat, size)
        if not bound or s.hand_items[s.asked, reaction] > 0:
            return


@rule
def deal_items(s, seat, size):
    """Deals the unknown items, of which the deck is what is left, to the other hands."""
    for other in range(s.num_players):
        if other != seat:
            missing = s.num_items[other]
            for item in range(ITEMS):
                s.hand_items[other, item] = s.known_items[other, item]
                missing -= s.known_items[other, item]
            for _ in range(missing):
                size -= 1
                s.hand_items[other, s.item_deck[size]] += 1


@rule
def redraw_choice(s, seat):
    """One of the cats in a hand, each card as likely, as the one that the seat has chosen to keep."""
    j = below(s, s.num_cats[seat])
    for kind in range(KINDS):
        j -= s.hand_cats[seat, kind]
        if j < 0:
            s.chosen[seat] = kind
            return
