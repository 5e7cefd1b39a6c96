"""Heuristics of Too Many Poops, from the observation and the mask alone.

``best`` looks one step ahead: it gives every cat in every home, every item with every target, every draw and every
reaction the change that it makes to a sum of a few facts (own and others' points, chances to win with the next cat,
poops, ...) times the weights of ``reading.py``, and takes the highest. ``racer`` does the same for its own
home alone: it collects its litters and keeps its box clean, and does nothing against others.

A choice that has parts is thought through anew for each part; nothing has changed meanwhile, so the parts agree.
"""

import numpy as np

from ....envs.core.compiler import rule
from ....envs.games.too_many_poops.record import (
    AUTO_SCOOPER,
    BIG_DINNER,
    CAT,
    CLOSED_DOOR,
    DELUXE_LITTER,
    DISCARD,
    DRAW_CAT,
    DRAW_ITEM,
    DRAW_STORE_CAT,
    DRAW_STORE_ITEM,
    DRAW_WILD,
    END,
    HISS,
    ITEMS,
    KINDS,
    LITTER_SIZE,
    LURE,
    NONE,
    PASS,
    PLAIN,
    PLAY_CAT,
    PLAY_ITEM,
    RAINBOW,
    REPLAY,
    SCOOP,
    SCOOPED,
    SHOO,
    STORE,
    SWAP,
    TO_HOME,
    TO_WILD,
    WILD,
)
from .reading import (
    ACT,
    BOX,
    BY,
    GOAL,
    HAND_ITEMS,
    HISSES,
    IN_WILD,
    OWN,
    PHASE,
    PLACE,
    STAGE,
    STORE_CATS,
    STORE_ITEMS,
    SUBJECT,
    VICTORY,
    as_it_is,
    best_with,
    count,
    has_cat,
    home_of,
    is_out,
    look,
    own_value,
    points,
    quarrelling,
    shift,
    their_value,
    with_cat,
    without_cat,
)

STRENGTHS = {"best": 0, "racer": 1}
BEST, RACER = STRENGTHS["best"], STRENGTHS["racer"]

# What it must gain that an item is played, by kind: it could do more later. And what it is worth in the hand.
KEPT = (
    (20.0, 15.0, 20.0, 20.0, 8.0, 4.0, 4.0, 4.0, 4.0, 30.0, 15.0),
    (30.0, 30.0, 30.0, 30.0, 14.0, 8.0, 8.0, 10.0, 12.0, 60.0, 30.0),
)
IN_HAND = (
    (40.0, 32.0, 36.0, 32.0, 28.0, 30.0, 40.0, 16.0, 22.0, 26.0, 20.0),
    (40.0, 28.0, 5.0, 0.0, 24.0, 26.0, 40.0, 0.0, 0.0, 0.0, 0.0),
)
HIDDEN_ITEM = (27.0, 16.0)  # an item from the deck
WORTHLESS = (27.0, 4.0)  # an item worth less is discarded to make room
DENIED = 0.5  # what it is worth to take from the store what another seat needs, as a share
SPARE = 0.4  # the same for a cat that could do another seat harm
REPLAY_FEARED = 15.0  # another seat's replay, and the same per point of that seat
REPLAY_FEARED_POINT = 8.0


def params_of(strength, settings):
    """What ``choose`` gets as its params."""
    return (STRENGTHS[strength],)


@rule
def choose(observation, mask, starts, params, chance):
    """The action of a heuristic; ``starts`` says where the observation's blocks lie."""
    only = single(mask)
    if only >= 0:
        return only
    here = look(observation, starts, int(params[0]))
    if observation[starts[PHASE]] > 0:
        return first_cat(observation, mask, starts, here)
    if mask[PASS]:
        return answer(observation, mask, starts, here)
    if observation[starts[STAGE]] > 0:
        return next_part(observation, mask, starts, here)
    if observation[starts[PHASE] + 1] > 0:
        if mask[TO_HOME] == 0 and drawing_wild(mask):
            return cat_from_wild(observation, mask, starts, here)
        return best_draw(observation, mask, starts, here)
    return best_play(observation, mask, starts, here)


@rule
def single(mask):
    """The legal action if there is just one, else -1."""
    found = NONE
    for action in range(len(mask)):
        if mask[action]:
            if found >= 0:
                return NONE
            found = action
    return found


@rule
def drawing_wild(mask):
    """Whether cats can be named: of The Wild, as the seat is drawing."""
    for kind in range(KINDS):
        if mask[CAT + kind]:
            return True
    return False


# -- cats --------------------------------------------------------------------------------------------------------------


@rule
def first_cat(observation, mask, starts, here):
    """TM-2: the cat that finds company soonest, in the other one and in the store."""
    best = NONE
    best_score = -np.inf
    for kind in range(KINDS):
        if mask[CAT + kind]:
            home = with_cat((0, 0), kind)
            quarrels = quarrelling(here, home[0])
            hand = without_cat((here.hand, here.hand_rainbows), kind)
            pool = (hand[0] | here.store, hand[1] + here.store_rainbows)
            score = 3.0 * best_with(home[0], quarrels, home[1], hand[0], hand[1])
            score += best_with(home[0], quarrels, home[1], pool[0], pool[1])
            if kind < PLAIN:
                litter = (here.unseen | pool[0]) >> (kind // LITTER_SIZE * LITTER_SIZE)
                score += 0.1 * count(litter & 31)
            if score > best_score:
                best_score = score
                best = kind
    return CAT + best


@rule
def best_cat(here, only):
    """(score, kind, home) of the best cat of the hand to play, of kind ``only`` if that is not NONE; NONE: The Wild."""
    best_score = -np.inf
    best = NONE
    best_home = NONE
    hand = (here.hand, here.hand_rainbows)
    before = as_it_is(here, 0)
    left = max(here.left - 1, 0)
    own = home_of(here, 0)
    for kind in range(KINDS):
        if has_cat(hand, kind) and (only == NONE or kind == only):
            rest = without_cat(hand, kind)
            spent = own_value(here, own, rest, left, here.poops, here.coming) - before
            for seat in range(NONE, here.players):
                if seat > 0 and is_out(here, seat):
                    continue
                if seat == NONE:
                    score = spent
                elif seat == 0:
                    home = with_cat(own, kind)
                    score = own_value(here, home, rest, left, here.poops, here.coming + 1) - before
                else:
                    home = with_cat(home_of(here, seat), kind)
                    score = spent + shift(here, seat, home, 1, 0)
                if score > best_score:
                    best_score = score
                    best = kind
                    best_home = seat
    return best_score, best, best_home


@rule
def to_home(seat):
    """The action that names a home, NONE: The Wild."""
    return TO_WILD if seat == NONE else TO_HOME + seat


# -- items -------------------------------------------------------------------------------------------------------------


@rule
def poops_of(item):
    """What a modifier adds to the poops of a turn."""
    if item == AUTO_SCOOPER:
        return -1
    if item == DELUXE_LITTER:
        return -2
    return 1 if item == BIG_DINNER else 2


@rule
def gain(here, act, by, own, kind, place):
    """What it is worth to the viewer that an item of a seat takes effect, or that a closed door turns a cat away.

    ``own``, ``kind`` and ``place``, a relative seat, are the parts that the item has. Not for a replay.
    """
    home = home_of(here, place)
    more_cats = 0
    more_poops = 0
    if act == SCOOP:
        more_poops = -min(here.facts[BOX + place], SCOOPED)
    elif act == LURE:
        home = with_cat(home, kind)
        more_cats = 1
    elif act == SWAP:
        home = with_cat(without_cat(home, kind), own)
    elif act == SHOO or act == CLOSED_DOOR:
        home = without_cat(home, kind)
        more_cats = -1
    else:
        more_cats = poops_of(act)
    total = shift(here, place, home, more_cats, more_poops)
    if act == SWAP:
        home = with_cat(without_cat(home_of(here, by), own), kind)
        total += shift(here, by, home, 0, 0)
    return total


@rule
def best_target(here, item, only_own, only):
    """(score, own kind, kind, home) of the best use of an item; ``only_own`` and ``only`` are given if not NONE."""
    best_score = -np.inf
    best_own = NONE
    best = NONE
    best_home = NONE
    mine = home_of(here, 0)
    for own in range(NONE, KINDS):
        if (own >= 0) != (item == SWAP) or (own >= 0 and not has_cat(mine, own)) or (only_own >= 0 and own != only_own):
            continue
        for place in range(1 if item == SWAP else 0, 1 if item == SCOOP else here.players):
            if is_out(here, place):
                continue
            cats = home_of(here, place)
            if item == LURE:
                cats = (here.wild, here.wild_rainbows)
            for kind in range(NONE, KINDS):
                if (kind >= 0) != (LURE <= item <= SWAP) or (kind >= 0 and not has_cat(cats, kind)):
                    continue
                if only >= 0 and kind != only:
                    continue
                score = gain(here, item, 0, own, kind, place)
                if score > best_score:
                    best_score = score
                    best_own = own
                    best = kind
                    best_home = place
    return best_score, best_own, best, best_home


@rule
def one_more_cat(here):
    """What a replay is worth: playing the best cat that is left, once none may be played without."""
    hand = (here.hand, here.hand_rainbows)
    if here.left == 0:
        return best_cat(here, NONE)[0]
    own = home_of(here, 0)
    now = as_it_is(here, 0)
    more = own_value(here, own, hand, here.left + 1, here.poops, here.coming)
    return more - now if more > 0.8 * VICTORY else 0.0


@rule
def item_score(here, item):
    """What it is worth to play an item now, at its best."""
    if item == REPLAY:
        return one_more_cat(here)
    if item < HISS:
        return best_target(here, item, NONE, NONE)[0]
    return 0.0


# -- a turn ------------------------------------------------------------------------------------------------------------


@rule
def best_play(observation, mask, starts, here):
    """A winning cat, else the best item that is worth it, the best cat, items to be rid of, the end."""
    best = END
    cat_score = 0.0
    if drawing_wild(mask):
        cat_score, kind, home = best_cat(here, NONE)
        if home == 0:
            own = with_cat(home_of(here, 0), kind)
            if points(own[0], quarrelling(here, own[0]), own[1]) >= GOAL:
                return CAT + kind
        if mask[END] == 0 or cat_score > 0:
            best = CAT + kind
    item = best_item(observation, mask, starts, here)
    if item >= 0:
        return PLAY_ITEM + item
    if best == END:
        item = worst_item(observation, mask, starts, here)
        if item >= 0:
            return DISCARD + item
    return best


@rule
def best_item(observation, mask, starts, here):
    """The item that gains most over what it must, NONE if there is none."""
    best = NONE
    best_score = 0.0
    for item in range(HISS):
        if mask[PLAY_ITEM + item]:
            score = item_score(here, item) - KEPT[here.strength][item]
            if score > best_score:
                best_score = score
                best = item
    return best


@rule
def worst_item(observation, mask, starts, here):
    """The item that is worth least in the hand, if that is too little."""
    best = NONE
    best_score = WORTHLESS[here.strength]
    for item in range(ITEMS):
        if mask[DISCARD + item] and IN_HAND[here.strength][item] < best_score:
            best_score = IN_HAND[here.strength][item]
            best = item
    return best


@rule
def next_part(observation, mask, starts, here):
    """The next part of a choice half made."""
    act = named(observation, starts[ACT], WILD + 2)
    subject = named(observation, starts[SUBJECT], KINDS)
    if act == WILD:
        return cat_from_wild(observation, mask, starts, here)
    if act == PLAY_CAT:
        return to_home(best_cat(here, subject)[2])
    chosen = named(observation, starts[OWN], KINDS)
    _, own, kind, home = best_target(here, act, chosen, subject)
    if own != chosen:
        return CAT + own
    return CAT + kind if kind != subject else to_home(home)


@rule
def named(observation, at, size):
    """The place of the one in a one-hot block, NONE if there is none."""
    for k in range(size):
        if observation[at + k] > 0:
            return k
    return NONE


# -- drawing -----------------------------------------------------------------------------------------------------------


@rule
def best_draw(observation, mask, starts, here):
    """The card worth most: known ones for what they do, hidden ones for what they would do on average."""
    best = END
    best_score = 0.0 if mask[END] else -np.inf
    for action in range(DRAW_STORE_ITEM + STORE + 1):
        draw = action if action < DRAW_STORE_ITEM + STORE else DRAW_WILD
        if mask[draw]:
            score = draw_score(observation, starts, here, draw)
            if score > best_score:
                best_score = score
                best = draw
    return best


@rule
def draw_score(observation, starts, here, draw):
    """What a card is worth in the hand."""
    if draw == DRAW_CAT:
        return hidden_cat(here)
    if draw == DRAW_ITEM:
        return HIDDEN_ITEM[here.strength]
    if draw == DRAW_WILD:
        best = -np.inf
        for kind in range(KINDS):
            if observation[starts[IN_WILD] + kind] > 0:
                best = max(best, new_cat(here, kind))
        return best
    if draw < DRAW_STORE_ITEM:
        kind = named(observation, starts[STORE_CATS] + (draw - DRAW_STORE_CAT) * KINDS, KINDS)
        return new_cat(here, kind) + DENIED * denial(here, kind)
    item = named(observation, starts[STORE_ITEMS] + (draw - DRAW_STORE_ITEM) * ITEMS, ITEMS)
    return new_item(observation, starts, here, item)


@rule
def new_item(observation, starts, here, item):
    """What an item more is worth."""
    score = IN_HAND[here.strength][item]
    if observation[starts[HAND_ITEMS] + item] > 0:
        return 0.5 * score
    return max(score, item_score(here, item))


@rule
def for_own(here, kind, before):
    """What a cat more in the hand is worth for the own home, ``before`` without it."""
    hand = with_cat((here.hand, here.hand_rainbows), kind)
    own = home_of(here, 0)
    return own_value(here, own, hand, here.left, here.poops, here.coming) - before


@rule
def new_cat(here, kind):
    """What a known cat more in the hand is worth: at home, or in the home of another seat."""
    score = for_own(here, kind, as_it_is(here, 0))
    harm = 0.0
    for seat in range(1, here.players):
        if not is_out(here, seat):
            home = with_cat(home_of(here, seat), kind)
            harm = max(harm, shift(here, seat, home, 1, 0))
    return score + SPARE * harm


@rule
def hidden_cat(here):
    """What a cat that nobody has seen is worth on average, for the own home."""
    before = as_it_is(here, 0)
    cats = max(here.num_unseen + here.unseen_rainbows, 1)
    total = 0.0
    for kind in range(PLAIN):
        if (here.unseen >> kind) & 1:
            total += for_own(here, kind, before)
    if here.unseen_rainbows > 0:
        total += here.unseen_rainbows * for_own(here, RAINBOW, before)
    return total / cats


@rule
def denial(here, kind):
    """What it is worth that a cat of the store is gone for the others."""
    store = (here.store, here.store_rainbows)
    rest = without_cat(store, kind)
    gain = 0.0
    for seat in range(1, here.players):
        if not is_out(here, seat):
            home = home_of(here, seat)
            poops = here.facts[BOX + seat]
            gain += their_value(here, seat, home, rest, poops, 0)
            gain -= their_value(here, seat, home, store, poops, 0)
    return gain


@rule
def cat_from_wild(observation, mask, starts, here):
    """TM-7: the cat of The Wild that is worth most in the hand."""
    best = NONE
    best_score = -np.inf
    for kind in range(KINDS):
        if mask[CAT + kind]:
            score = new_cat(here, kind)
            if score > best_score:
                best_score = score
                best = kind
    return CAT + best


# -- reactions ---------------------------------------------------------------------------------------------------------


@rule
def answer(observation, mask, starts, here):
    """A hiss or a closed door if what it stops does more harm than the card is worth; the racer lets all happen."""
    if here.strength == RACER:
        return PASS
    act = named(observation, starts[ACT], WILD)
    subject = named(observation, starts[SUBJECT], KINDS)
    place = max(named(observation, starts[PLACE], here.players), 0)
    by = max(named(observation, starts[BY], here.players), 0)
    if act == REPLAY:
        home = home_of(here, by)
        change = REPLAY_FEARED + REPLAY_FEARED_POINT * points(home[0], quarrelling(here, home[0]), home[1])
        change = change if by == 0 else -change
    else:
        own = named(observation, starts[OWN], KINDS)
        change = gain(here, act, by, own, subject, by if act == SCOOP else place)
    reaction = CLOSED_DOOR if mask[PLAY_ITEM + CLOSED_DOOR] else HISS
    if reaction == HISS and observation[starts[HISSES] + 1] == 0:
        change = -change  # as it stands, it happens
    return PLAY_ITEM + reaction if change > KEPT[here.strength][reaction] else PASS
