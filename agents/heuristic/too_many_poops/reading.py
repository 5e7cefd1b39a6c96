"""What a seat of Too Many Poops makes of its observation: homes, what they are worth, and to whom.

A home, a hand or the store is a whole number with a bit for each plain cat, and a count of its rainbow cats. How many
rainbow cats and items there are the observation does not say, so four and the usual items are assumed: with others,
the heuristics only judge them a little wrongly.
"""

from typing import Any, NamedTuple

import numpy as np

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
    SEATS,
    STORE,
    TOO_MANY,
)
from ....envs.games.too_many_poops.rules.homes import worth

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


# Where in ``Look.facts`` what begins, whole numbers by plain cat or by relative seat.
HUNTERS = 0  # the plain cats whose rival this one is, as bits
HOME = HUNTERS + PLAIN  # plain cats of the home, as bits, flipped ones too
HOME_RAINBOWS = HOME + SEATS
KNOWN = HOME_RAINBOWS + SEATS  # plain cats that the seat is known to hold, as bits
KNOWN_RAINBOWS = KNOWN + SEATS
BOX = KNOWN_RAINBOWS + SEATS  # poops
TO_COME = BOX + SEATS  # poops that its next end of a turn adds
GONE = TO_COME + SEATS  # 1: out of the game
FACTS = GONE + SEATS
# The same in ``Look.figures``: per relative seat.
UNKNOWN = 0  # cats that it holds unseen when its turn comes
AS_IT_IS = UNKNOWN + SEATS  # what its position is worth to the viewer, NaN until somebody asks
FIGURES = AS_IT_IS + SEATS

EVERY_LITTER = sum(1 << (j * LITTER_SIZE) for j in range(LITTERS))  # the first cat of each
A_LITTER = (1 << LITTER_SIZE) - 1


class Look(NamedTuple):
    """What does not change with what is tried: worked out once a decision."""

    strength: int
    players: int
    own_turn: int  # 0, 1
    left: int  # cats that the viewer can still play this turn
    hand: int
    hand_rainbows: int
    store: int
    store_rainbows: int
    wild: int
    wild_rainbows: int
    unseen: int  # cats that the viewer has not seen
    unseen_rainbows: int
    num_unseen: int
    poops: int  # own
    coming: int  # poops that the own next end of a turn adds
    facts: Any  # int64 (FACTS,)
    figures: Any  # float64 (FIGURES,)


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
def tenths(observation, at):
    """A whole number, from its tenths."""
    return int(observation[at] * 10 + 0.5)


@rule
def held(observation, at):
    """n, from n / (n + 3)."""
    return int(3.0 * observation[at] / (1.0 - observation[at]) + 0.5)


@rule
def count(cats):
    """How many plain cats there are."""
    total = 0
    while cats > 0:
        total += 1
        cats &= cats - 1
    return total


@rule
def quarrelling(here, cats):
    """The plain cats whose rival is among some cats, as bits."""
    found = 0
    for kind in range(PLAIN):
        found |= here.facts[HUNTERS + kind] & -((cats >> kind) & 1)
    return found


@rule
def sizes_of(cats):
    """How many cats of each litter there are, in as many bits as a litter has cats."""
    sizes = cats & EVERY_LITTER
    for k in range(1, LITTER_SIZE):
        sizes += (cats >> k) & EVERY_LITTER
    return sizes


@rule
def add_up(sizes):
    """The sum over all litters of numbers of as many bits as a litter has cats, at most 31."""
    return (sizes * EVERY_LITTER) >> ((LITTERS - 1) * LITTER_SIZE) & A_LITTER


@rule
def litters_of(sizes):
    """(those with one cat, those with more), a bit at the place of each litter's first cat."""
    more = (sizes >> 1 | sizes >> 2) & EVERY_LITTER
    return sizes & EVERY_LITTER & ~more, more


@rule
def some_of(cats):
    """The litters of which there are some cats, a bit at the place of each litter's first cat."""
    return (cats | cats >> 1 | cats >> 2 | cats >> 3 | cats >> 4) & EVERY_LITTER


@rule
def points(cats, quarrels, rainbows):
    """Points of a home (TM-15); ``quarrels`` are the cats whose rival is in it."""
    sizes = sizes_of(cats & ~quarrels)
    total, singles = add_up(sizes), add_up(litters_of(sizes)[0])
    return worth(total, singles, total - singles, rainbows)


@rule
def best_with(cats, quarrels, rainbows, hand, hand_rainbows):
    """The most points that a home has with at most one of some cats more."""
    sizes = sizes_of(cats & ~quarrels)
    one, more = litters_of(sizes)
    total, singles = add_up(sizes), add_up(one)
    company = total - singles
    best = worth(total, singles, company, rainbows)
    if hand_rainbows > 0:
        best = max(best, worth(total, singles, company, rainbows + 1))
    free = some_of(hand & ~cats & ~quarrels)
    if free & one:
        best = max(best, worth(total + 1, singles - 1, company + 2, rainbows))
    if free & more:
        best = max(best, worth(total + 1, singles, company + 1, rainbows))
    if free & ~(one | more):
        best = max(best, worth(total + 1, singles + 1, company, rainbows))
    return best


@rule
def best_with_two(here, cats, quarrels, rainbows, hand, hand_rainbows):
    """The most points that a home has with at most two of some cats more."""
    best = best_with(cats, quarrels, rainbows, hand, hand_rainbows)
    if hand_rainbows > 0:
        best = max(best, best_with(cats, quarrels, rainbows + 1, hand, hand_rainbows - 1))
    free = hand & ~quarrels
    kind = 0
    while free >> kind:
        bit = 1 << kind
        if free & bit:
            more = quarrels | here.facts[HUNTERS + kind]
            best = max(best, best_with(cats | bit, more, rainbows, hand & ~bit, hand_rainbows))
        kind += 1
    return best


@rule
def winning_share(here, cats, quarrels, rainbows):
    """The share of the unseen cats that would give a home ten points."""
    sizes = sizes_of(cats & ~quarrels)
    one, more = litters_of(sizes)
    total, singles = add_up(sizes), add_up(one)
    company = total - singles
    winning = 0
    if worth(total + 1, singles - 1, company + 2, rainbows) >= GOAL:
        winning |= one
    if worth(total + 1, singles, company + 1, rainbows) >= GOAL:
        winning |= more
    if worth(total + 1, singles + 1, company, rainbows) >= GOAL:
        winning |= EVERY_LITTER & ~(one | more)
    wins = count(here.unseen & ~quarrels & (winning * A_LITTER))
    if worth(total, singles, company, rainbows + 1) >= GOAL:
        wins += here.unseen_rainbows
    return wins / max(here.num_unseen + here.unseen_rainbows, 1)


@rule
def win_chance(here, home, quarrels, hand, store, unknown):
    """About how likely the next cat wins: of a hand, the store, or one of so many cats that nobody has seen.

    ``home``, ``hand``, ``store``: (cats, rainbow cats).
    """
    cats, rainbows = home
    if points(cats, quarrels, rainbows) < GOAL - 3:
        return 0.0
    if best_with(cats, quarrels, rainbows, hand[0], hand[1]) >= GOAL:
        return 1.0
    miss = (1.0 - winning_share(here, cats, quarrels, rainbows)) ** unknown
    if best_with(cats, quarrels, rainbows, store[0], store[1]) >= GOAL:
        miss *= 0.2  # it may be gone by then
    return 1.0 - miss


@rule
def read_seats(observation, starts, players, facts, figures):
    """Writes what there is to know of each seat."""
    for seat in range(players):
        upright = starts[UPRIGHT] + seat * KINDS
        facts[HOME + seat] = cats_at(observation, upright) | cats_at(observation, starts[FLIPPED] + seat * PLAIN)
        facts[HOME_RAINBOWS + seat] = rainbows_at(observation, upright)
        facts[BOX + seat] = tenths(observation, starts[POOPS] + seat)
        facts[TO_COME + seat] = tenths(observation, starts[COMING] + seat)
        facts[GONE + seat] = 1 if observation[starts[OUT] + seat] > 0 else 0
        figures[AS_IT_IS + seat] = np.nan
        facts[KNOWN + seat] = 0
        facts[KNOWN_RAINBOWS + seat] = 0
        if seat > 0:
            known = starts[KNOWN_CATS] + (seat - 1) * KINDS
            facts[KNOWN + seat] = cats_at(observation, known)
            facts[KNOWN_RAINBOWS + seat] = rainbows_at(observation, known)
        cats_held = held(observation, starts[CATS_HELD] + seat)
        drawn = max(HAND - cats_held - held(observation, starts[ITEMS_HELD] + seat), 0)
        figures[UNKNOWN + seat] = cats_held - count(facts[KNOWN + seat]) - facts[KNOWN_RAINBOWS + seat] + 0.5 * drawn


@rule
def read_rivals(observation, starts, facts):
    """Writes which cats quarrel."""
    for kind in range(PLAIN):
        facts[HUNTERS + kind] = 0
    for kind in range(PLAIN):
        rival = int(observation[starts[RIVAL] + kind] * PLAIN + 0.5) - 1
        if rival >= 0:
            facts[HUNTERS + rival] |= 1 << kind


@rule
def look(observation, starts, strength):
    """What does not change with what is tried."""
    players = starts[TURN + 1] - starts[TURN]
    facts = np.empty(FACTS, np.int64)
    figures = np.empty(FIGURES, np.float64)
    read_rivals(observation, starts, facts)
    read_seats(observation, starts, players, facts, figures)
    hand = cats_at(observation, starts[HAND_CATS])
    hand_rainbows = rainbows_at(observation, starts[HAND_CATS])
    wild = cats_at(observation, starts[IN_WILD])
    wild_rainbows = rainbows_at(observation, starts[IN_WILD])
    store = 0
    store_rainbows = 0
    for k in range(STORE):
        store |= cats_at(observation, starts[STORE_CATS] + k * KINDS)
        if observation[starts[STORE_CATS] + k * KINDS + RAINBOW] > 0:
            store_rainbows += 1
    seen = hand | wild | store
    seen_rainbows = hand_rainbows + wild_rainbows + store_rainbows
    for seat in range(players):
        seen |= facts[HOME + seat] | facts[KNOWN + seat]
        seen_rainbows += facts[HOME_RAINBOWS + seat] + facts[KNOWN_RAINBOWS + seat]
    own_turn = 1 if observation[starts[TURN]] > 0 and observation[starts[PHASE]] == 0 else 0
    left = 0
    if own_turn:
        left = int(observation[starts[LEFT] + 1] * 3 + 0.5)
    unseen = ((1 << PLAIN) - 1) & ~seen
    return Look(
        strength,
        players,
        own_turn,
        left,
        hand,
        hand_rainbows,
        store,
        store_rainbows,
        wild,
        wild_rainbows,
        unseen,
        max(RAINBOWS - seen_rainbows, 0),
        count(unseen),
        facts[BOX],
        facts[TO_COME],
        facts,
        figures,
    )


@rule
def own_value(here, home, hand, left, poops, coming):
    """What a position is worth to the viewer, of its own things alone.

    With the home and the hand (cats, rainbow cats), so many cats still to be played this turn, so many poops in the box
    and so many that the end of its turn adds.
    """
    cats, rainbows = home
    quarrels = quarrelling(here, cats)
    now = points(cats, quarrels, rainbows)
    if now >= GOAL:
        return VICTORY
    one = best_with(cats, quarrels, rainbows, hand[0], hand[1])
    if left > 0 and one >= GOAL:
        return 0.9 * VICTORY
    two = best_with_two(here, cats, quarrels, rainbows, hand[0], hand[1])
    if left > 1 and two >= GOAL:
        return 0.85 * VICTORY
    k = here.strength
    ahead = poops + (coming if here.own_turn else 0)
    value = POINT[k] * now + NEXT[k] * (one - now) + AFTER[k] * (two - one) - POOP[k] * (ahead + coming)
    if ahead >= TOO_MANY:
        return value - VICTORY
    chance = win_chance(here, home, quarrels, hand, (here.store, here.store_rainbows), 2.0)
    value += READY[k] * chance
    if ahead + coming >= TOO_MANY:
        value -= OWN_DOOM[k] * (1.0 - chance)
    elif ahead + coming + 1 >= TOO_MANY:
        value -= OWN_TIGHT[k] * (1.0 - chance)
    return value


@rule
def their_value(here, seat, home, store, poops, coming):
    """What a position of another seat is worth to the viewer, negative for a good one of that seat."""
    k = here.strength
    cats, rainbows = home
    quarrels = quarrelling(here, cats)
    now = points(cats, quarrels, rainbows)
    if now >= GOAL:
        return -LOSS[k]
    hand = (here.facts[KNOWN + seat], here.facts[KNOWN_RAINBOWS + seat])
    chance = win_chance(here, home, quarrels, hand, store, here.figures[UNKNOWN + seat])
    share = 1.0 / (here.players - 1)
    value = share * (THEIR_POOP[k] * (poops + coming) - THEIR_POINT[k] * now) - THREAT[k] * chance
    if poops + coming >= TOO_MANY:
        value += THEIR_DOOM[k] * (1.0 - chance)
    return value


@rule
def home_of(here, seat):
    """(plain cats, rainbow cats) of a home."""
    return here.facts[HOME + seat], here.facts[HOME_RAINBOWS + seat]


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
def is_out(here, seat):
    """Whether a relative seat is out of the game."""
    return here.facts[GONE + seat] != 0


@rule
def value_of(here, seat, home, poops, coming):
    """What a position of a seat is worth to the viewer, with all else as it is."""
    if seat == 0:
        return own_value(here, home, (here.hand, here.hand_rainbows), here.left, poops, coming)
    return their_value(here, seat, home, (here.store, here.store_rainbows), poops, coming)


@rule
def as_it_is(here, seat):
    """The same of the position as it stands, worked out once."""
    place = AS_IT_IS + seat
    if np.isnan(here.figures[place]):
        here.figures[place] = value_of(
            here, seat, home_of(here, seat), here.facts[BOX + seat], here.facts[TO_COME + seat]
        )
    return here.figures[place]


@rule
def shift(here, seat, home, more_cats, more_poops):
    """What it is worth to the viewer that a seat has this home, which has so many cats more, and so many poops more."""
    poops = here.facts[BOX + seat] + more_poops
    coming = max(here.facts[TO_COME + seat] + more_cats, 0)
    return value_of(here, seat, home, poops, coming) - as_it_is(here, seat)
