"""What a seat of Too Many Poops makes of its observation: homes, what they are worth, and to whom.

A home, a hand or the store is a whole number with a bit for each plain cat, and a count of its rainbow cats. How many
rainbow cats and items there are the observation does not say, so four and the usual items are assumed: with others,
the heuristics only judge them a little wrongly.
"""

from typing import NamedTuple

from ....envs.core.compiler import rule
from ....envs.games.too_many_poops.observation import blocks
from ....envs.games.too_many_poops.record import (
    GOAL,
    HAND,
    KINDS,
    LITTER_SIZE,
    LITTERS,
    PLAIN,
    RAINBOW,
    STORE,
    TOO_MANY,
)
from ....envs.games.too_many_poops.rules.homes import lone, together, worth

RAINBOWS = 4  # assumed

_NAMES = [block.name for block in blocks({"num_players": 2})]
HAND_CATS, HAND_ITEMS, IN_WILD = (_NAMES.index(name) for name in ("hand_cats", "hand_items", "wild"))
RIVAL, STORE_CATS, STORE_ITEMS = (_NAMES.index(name) for name in ("rival", "store_cats", "store_items"))
PHASE, LEFT, ACT, STAGE = (_NAMES.index(name) for name in ("phase", "left", "act", "stage"))
SUBJECT, OWN, HISSES = (_NAMES.index(name) for name in ("subject", "own", "hisses"))
PLACE, BY, TURN, OUT = (_NAMES.index(name) for name in ("place", "by", "turn", "out"))
POOPS, COMING = (_NAMES.index(name) for name in ("poops", "coming"))
CATS_HELD, ITEMS_HELD = (_NAMES.index(name) for name in ("cats_held", "items_held"))
UPRIGHT, FLIPPED = (_NAMES.index(name) for name in ("upright", "flipped"))
KNOWN_CATS = _NAMES.index("known_cats")

# What a fact is worth, in hundredths of a win: best, then racer, to whom the others are nothing.
VICTORY = 1000.0
POINT = (25.0, 25.0)  # an own point
NEXT = (10.0, 10.0)  # a point that the best own cat in hand would add
AFTER = (4.0, 4.0)  # a point that one more would add
READY = (250.0, 250.0)  # chance to win with the next cat
POOP = (5.0, 5.0)  # an own poop, until the end of the next turn
OWN_DOOM = (200.0, 200.0)  # the next turn sends the seat out, unless it wins
OWN_TIGHT = (60.0, 60.0)  # the same once it takes in one more cat
THEIR_POINT = (25.0, 0.0)  # another seat's point, shared among the others
THREAT = (600.0, 0.0)  # chance that another seat wins with its next cat
THEIR_POOP = (5.0, 0.0)  # another seat's poop, shared among the others
THEIR_DOOM = (60.0, 0.0)  # its next turn sends it out, unless it wins
LOSS = (1000.0, 0.0)  # another seat wins


class Look(NamedTuple):
    """What does not change with what is tried."""

    strength: int
    players: int
    own_turn: int  # 0, 1
    left: int  # cats that the viewer can still play this turn
    hand: int
    hand_rainbows: int
    store: int
    store_rainbows: int
    unseen: int  # cats that the viewer has not seen
    unseen_rainbows: int
    poops: int  # own
    coming: int  # poops that the own next end of a turn adds


@rule
def cats_at(observation, at):
    """The plain cats of a block by kind, as bits."""
    cats = 0
    for kind in range(PLAIN):
        if observation[at + kind] > 0:
            cats |= 1 << kind
    return cats


@rule
def rainbows_at(observation, at):
    """The rainbow cats of a block by kind."""
    return int(observation[at + RAINBOW] * RAINBOWS + 0.5)


@rule
def home_cats(observation, starts, seat):
    """The plain cats of a home, as bits, flipped ones too."""
    upright = cats_at(observation, starts[UPRIGHT] + seat * KINDS)
    return upright | cats_at(observation, starts[FLIPPED] + seat * PLAIN)


@rule
def home_rainbows(observation, starts, seat):
    """The rainbow cats of a home."""
    return rainbows_at(observation, starts[UPRIGHT] + seat * KINDS)


@rule
def tenths(observation, at):
    """A whole number, from its tenths."""
    return int(observation[at] * 10 + 0.5)


@rule
def held(observation, at):
    """n, from n / (n + 3)."""
    return int(3.0 * observation[at] / (1.0 - observation[at]) + 0.5)


@rule
def rival_of(observation, starts, kind):
    """The rival of a plain cat, -1 for none."""
    return int(observation[starts[RIVAL] + kind] * PLAIN + 0.5) - 1


@rule
def quarrels(observation, starts, cats, kind):
    """Whether the rival of a plain cat is among some cats."""
    rival = rival_of(observation, starts, kind)
    return rival >= 0 and (cats >> rival) & 1 == 1


@rule
def count(cats):
    """How many plain cats there are."""
    total = 0
    while cats > 0:
        total += 1
        cats &= cats - 1
    return total


@rule
def tally(observation, starts, cats):
    """(unflipped cats, those alone in their litter, those in company, litter sizes of three bits each) of a home."""
    total = 0
    singles = 0
    company = 0
    sizes = 0
    for j in range(LITTERS):
        size = 0
        if (cats >> (j * LITTER_SIZE)) & 31:
            for kind in range(j * LITTER_SIZE, (j + 1) * LITTER_SIZE):
                if (cats >> kind) & 1 and not quarrels(observation, starts, cats, kind):
                    size += 1
        total += size
        singles += lone(size)
        company += together(size)
        sizes |= size << (3 * j)
    return total, singles, company, sizes


@rule
def points(observation, starts, cats, rainbows):
    """Points of a home (TM-15)."""
    total, singles, company, _ = tally(observation, starts, cats)
    return worth(total, singles, company, rainbows)


@rule
def with_one_more(total, singles, company, size, rainbows):
    """Points of a home with one more unflipped cat in a litter of so many."""
    more = size + 1
    return worth(total + 1, singles - lone(size) + lone(more), company - together(size) + together(more), rainbows)


@rule
def best_with(observation, starts, cats, rainbows, hand, hand_rainbows):
    """The most points that a home has with at most one of some cats more."""
    total, singles, company, sizes = tally(observation, starts, cats)
    best = worth(total, singles, company, rainbows)
    if hand_rainbows > 0:
        best = max(best, worth(total, singles, company, rainbows + 1))
    hand &= ~cats
    for j in range(LITTERS):
        if (hand >> (j * LITTER_SIZE)) & 31:
            after = with_one_more(total, singles, company, (sizes >> (3 * j)) & 7, rainbows)
            if after > best:
                for kind in range(j * LITTER_SIZE, (j + 1) * LITTER_SIZE):
                    if (hand >> kind) & 1 and not quarrels(observation, starts, cats, kind):
                        best = after
    return best


@rule
def best_with_two(observation, starts, cats, rainbows, hand, hand_rainbows):
    """The most points that a home has with at most two of some cats more."""
    best = best_with(observation, starts, cats, rainbows, hand, hand_rainbows)
    if hand_rainbows > 0:
        best = max(best, best_with(observation, starts, cats, rainbows + 1, hand, hand_rainbows - 1))
    for kind in range(PLAIN):
        if (hand >> kind) & 1 and not quarrels(observation, starts, cats, kind):
            bit = 1 << kind
            best = max(best, best_with(observation, starts, cats | bit, rainbows, hand & ~bit, hand_rainbows))
    return best


@rule
def winning_share(observation, starts, here, cats, rainbows):
    """The share of the unseen cats that would give a home ten points."""
    total, singles, company, sizes = tally(observation, starts, cats)
    wins = 0
    if worth(total, singles, company, rainbows + 1) >= GOAL:
        wins += here.unseen_rainbows
    for j in range(LITTERS):
        if with_one_more(total, singles, company, (sizes >> (3 * j)) & 7, rainbows) >= GOAL:
            for kind in range(j * LITTER_SIZE, (j + 1) * LITTER_SIZE):
                if (here.unseen >> kind) & 1 and not quarrels(observation, starts, cats, kind):
                    wins += 1
    return wins / max(count(here.unseen) + here.unseen_rainbows, 1)


@rule
def win_chance(observation, starts, here, home, hand, store, unknown):
    """About how likely the next cat wins: of a hand, the store, or one of so many cats that nobody has seen.

    ``home``, ``hand``, ``store``: (cats, rainbow cats).
    """
    cats, rainbows = home
    if points(observation, starts, cats, rainbows) < GOAL - 3:
        return 0.0
    if best_with(observation, starts, cats, rainbows, hand[0], hand[1]) >= GOAL:
        return 1.0
    miss = (1.0 - winning_share(observation, starts, here, cats, rainbows)) ** unknown
    if best_with(observation, starts, cats, rainbows, store[0], store[1]) >= GOAL:
        miss *= 0.2  # it may be gone by then
    return 1.0 - miss


@rule
def look(observation, starts, strength):
    """What does not change with what is tried."""
    players = starts[TURN + 1] - starts[TURN]
    hand = cats_at(observation, starts[HAND_CATS])
    hand_rainbows = rainbows_at(observation, starts[HAND_CATS])
    seen = hand | cats_at(observation, starts[IN_WILD])
    seen_rainbows = hand_rainbows + rainbows_at(observation, starts[IN_WILD])
    store = 0
    store_rainbows = 0
    for k in range(STORE):
        store |= cats_at(observation, starts[STORE_CATS] + k * KINDS)
        if observation[starts[STORE_CATS] + k * KINDS + RAINBOW] > 0:
            store_rainbows += 1
    seen |= store
    seen_rainbows += store_rainbows
    for seat in range(players):
        seen |= home_cats(observation, starts, seat)
        seen_rainbows += home_rainbows(observation, starts, seat)
        if seat > 0:
            known = starts[KNOWN_CATS] + (seat - 1) * KINDS
            seen |= cats_at(observation, known)
            seen_rainbows += rainbows_at(observation, known)
    own_turn = 1 if observation[starts[TURN]] > 0 and observation[starts[PHASE]] == 0 else 0
    left = 0
    if own_turn:
        left = int(observation[starts[LEFT] + 1] * 3 + 0.5)
    return Look(
        strength,
        players,
        own_turn,
        left,
        hand,
        hand_rainbows,
        store,
        store_rainbows,
        ((1 << PLAIN) - 1) & ~seen,
        max(RAINBOWS - seen_rainbows, 0),
        tenths(observation, starts[POOPS]),
        tenths(observation, starts[COMING]),
    )


@rule
def own_value(observation, starts, here, home, hand, left, poops, coming):
    """What a position is worth to the viewer, of its own things alone.

    With the home and the hand (cats, rainbow cats), so many cats still to be played this turn, so many poops in the box
    and so many that the end of its turn adds.
    """
    cats, rainbows = home
    now = points(observation, starts, cats, rainbows)
    if now >= GOAL:
        return VICTORY
    one = best_with(observation, starts, cats, rainbows, hand[0], hand[1])
    if left > 0 and one >= GOAL:
        return 0.9 * VICTORY
    two = best_with_two(observation, starts, cats, rainbows, hand[0], hand[1])
    if left > 1 and two >= GOAL:
        return 0.85 * VICTORY
    k = here.strength
    ahead = poops + (coming if here.own_turn else 0)
    value = POINT[k] * now + NEXT[k] * (one - now) + AFTER[k] * (two - one) - POOP[k] * (ahead + coming)
    if ahead >= TOO_MANY:
        return value - VICTORY
    chance = win_chance(observation, starts, here, home, hand, (here.store, here.store_rainbows), 2.0)
    value += READY[k] * chance
    if ahead + coming >= TOO_MANY:
        value -= OWN_DOOM[k] * (1.0 - chance)
    elif ahead + coming + 1 >= TOO_MANY:
        value -= OWN_TIGHT[k] * (1.0 - chance)
    return value


@rule
def their_value(observation, starts, here, seat, home, store, poops, coming):
    """What a position of another seat is worth to the viewer, negative for a good one of that seat."""
    k = here.strength
    cats, rainbows = home
    now = points(observation, starts, cats, rainbows)
    if now >= GOAL:
        return -LOSS[k]
    known = starts[KNOWN_CATS] + (seat - 1) * KINDS
    hand = (cats_at(observation, known), rainbows_at(observation, known))
    cats_held = held(observation, starts[CATS_HELD] + seat)
    drawn = max(HAND - cats_held - held(observation, starts[ITEMS_HELD] + seat), 0)
    unknown = cats_held - count(hand[0]) - hand[1] + 0.5 * drawn
    chance = win_chance(observation, starts, here, home, hand, store, unknown)
    share = 1.0 / (here.players - 1)
    value = share * (THEIR_POOP[k] * (poops + coming) - THEIR_POINT[k] * now) - THREAT[k] * chance
    if poops + coming >= TOO_MANY:
        value += THEIR_DOOM[k] * (1.0 - chance)
    return value


@rule
def home_of(observation, starts, seat):
    """(plain cats, rainbow cats) of a home."""
    return home_cats(observation, starts, seat), home_rainbows(observation, starts, seat)


@rule
def with_cat(home, kind):
    """A home, or a hand, with one cat more."""
    if kind == RAINBOW:
        return home[0], home[1] + 1
    return home[0] | (1 << kind), home[1]


@rule
def without_cat(home, kind):
    """A home, or a hand, with one cat less."""
    if kind == RAINBOW:
        return home[0], home[1] - 1
    return home[0] & ~(1 << kind), home[1]


@rule
def has_cat(home, kind):
    """Whether a cat is in a home or a hand."""
    return home[1] > 0 if kind == RAINBOW else (home[0] >> kind) & 1 == 1


@rule
def own_now(observation, starts, here):
    """The own value as it stands."""
    home = home_of(observation, starts, 0)
    hand = (here.hand, here.hand_rainbows)
    return own_value(observation, starts, here, home, hand, here.left, here.poops, here.coming)


@rule
def is_out(observation, starts, seat):
    """Whether a relative seat is out of the game."""
    return observation[starts[OUT] + seat] > 0


@rule
def shift(observation, starts, here, seat, home, more_cats, more_poops):
    """What it is worth to the viewer that a seat has this home, which has so many cats more, and so many poops more."""
    poops = tenths(observation, starts[POOPS] + seat)
    coming = tenths(observation, starts[COMING] + seat)
    at = home_of(observation, starts, seat)
    hand = (here.hand, here.hand_rainbows)
    store = (here.store, here.store_rainbows)
    change = 0.0
    for _ in range(2):  # as it is, then as it would be
        if seat == 0:
            value = own_value(observation, starts, here, at, hand, here.left, poops, coming)
        else:
            value = their_value(observation, starts, here, seat, at, store, poops, coming)
        change = value - change
        at = home
        poops += more_poops
        coming = max(coming + more_cats, 0)
    return change
