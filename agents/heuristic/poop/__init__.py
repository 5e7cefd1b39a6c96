"""Heuristics of Poop: The Game, from the observation and the mask alone.

``highest`` flushes if it can, otherwise plays its highest legal card: the yardstick.

``best`` gives every legal choice a score and takes the highest. A score is the sum of the facts about it (see
facts.py) times the weights of the variant (see weights.py). Which variant is played no observation tells;
``params_of`` says it.
"""

import numpy as np

from ....envs.core.compiler import rule
from ....envs.games.poop.cards import EDITIONS
from ....envs.games.poop.parameters import VARIANTS, lid_fits
from ....envs.games.poop.record import (
    BLIND,
    CLOG,
    FACES,
    FLIP,
    FLUSHERS,
    INTERCEPTOR,
    KINDS,
    NUM_ACTIONS,
    NUMBERS,
    SAY_INTERCEPT,
    SAY_PASS,
    SAY_SLAP,
    SHARE_WITH,
)
from .facts import (
    FLUSHING,
    OF_CARD,
    OF_INTERCEPT,
    OF_MOVER,
    OF_OWN,
    OF_VARIANT,
    card_facts,
    copies_elsewhere,
    follow,
    hand_size,
    intercept_facts,
    look,
    look_at,
    mover_facts,
    own_facts,
    variant_facts,
)
from .weights import COLUMNS, WEIGHTS

STRENGTHS = {"best": 0, "highest": 1}
BEST, HIGHEST = STRENGTHS["best"], STRENGTHS["highest"]
TWO, MORE = 0, 1  # players: columns of the weights
STRENGTH, VARIANT, EDITION, REVERSE_SKIPS, LID_FITS = range(5)  # params of ``choose``


def params_of(strength, settings):
    """What ``choose`` gets as its params: strength, variant and edition by number, and two parameters of the rules."""
    variant, edition = VARIANTS.index(settings["variant"]), list(EDITIONS).index(settings["edition"])
    return STRENGTHS[strength], variant, edition, settings["two_player_reverse"] == "skip", lid_fits(settings)


@rule
def choose(observation, mask, starts, params, chance):
    """The action of a heuristic; ``starts`` says where the observation's blocks lie."""
    if mask[FLIP]:
        return FLIP
    if mask[SAY_SLAP]:
        return SAY_SLAP  # cards are what wins
    if mask[CLOG]:
        return CLOG
    if mask[SHARE_WITH]:
        return share(observation, mask, starts)
    if params[STRENGTH] == HIGHEST:
        return SAY_INTERCEPT if mask[SAY_INTERCEPT] else highest_play(observation, mask, starts)
    return best_choice(observation, mask, starts, params)


@rule
def share(observation, mask, starts):
    """Drinks go to the seat with the fewest cards, which is most likely to be ahead."""
    best = 0
    for k in range(NUM_ACTIONS - SHARE_WITH):
        if mask[SHARE_WITH + k] and hand_size(observation, starts, k + 1) < hand_size(observation, starts, best + 1):
            best = k
    return SHARE_WITH + best


@rule
def highest_play(observation, mask, starts):
    """The highest flushing card, else the highest number, else a card that is worth nothing."""
    best = CLOG
    best_value = -1
    for kind in range(KINDS):
        if mask[kind]:
            face = kind % FACES
            value = face + 1 if face < NUMBERS else 0
            if observation[starts[FLUSHING] + kind // FACES] > 0:
                value += FACES
            if value > best_value:
                best = kind
                best_value = value
    return best


@rule
def add(total, facts, column, first):
    """A sum and some facts, of which the first one has this place in FACTS, times their weights."""
    for fact in range(len(facts)):
        total += facts[fact] * WEIGHTS[column, first + fact]
    return total


@rule
def column_of(here):
    """The column of the weights."""
    return COLUMNS[here.variant] + (TWO if here.players == 2 else MORE)


@rule
def play_worth(observation, starts, here, seen, kind, after):
    """What playing a card is worth; ``seen`` is the seat that moves next."""
    column = column_of(here)
    movers = mover_facts(observation, starts, here, seen, after)
    total = add(0.0, card_facts(here, kind, after.room, after.flushes), column, OF_CARD)
    total = add(total, movers, column, OF_MOVER)
    total = add(total, own_facts(here, kind, after), column, OF_OWN)
    if here.variant == BLIND or here.variant == FLUSHERS or here.variant == INTERCEPTOR:
        facts = variant_facts(observation, starts, here, kind, after.flushes, movers[1])
        total = add(total, facts, column, OF_VARIANT)
    return total


@rule
def situation(observation, starts, params):
    """What is the same for all choices."""
    variant, edition = int(params[VARIANT]), int(params[EDITION])
    return look(observation, starts, variant, edition, params[REVERSE_SKIPS] != 0, int(params[LID_FITS]))


@rule
def best_choice(observation, mask, starts, params):
    """The choice with the highest score."""
    here = situation(observation, starts, params)
    if mask[SAY_INTERCEPT]:
        if here.total >= here.lid:
            return SAY_INTERCEPT if here.cards == 1 else SAY_PASS  # who intercepts takes the table
        if here.cards == 1:
            return SAY_INTERCEPT
        yes = add(0.0, intercept_facts(observation, starts, here), column_of(here), OF_INTERCEPT)
        return SAY_INTERCEPT if yes > 0 else SAY_PASS
    best = CLOG
    best_score = -np.inf
    seen = look_at(observation, starts, 1)
    for kind in range(KINDS):
        if mask[kind]:
            if here.variant == INTERCEPTOR and lays(here, kind):
                worth = copies_elsewhere(observation, starts, here, kind) - 1e6
            else:
                after = follow(here, kind)
                if after.mover != 0 and after.mover != seen.seat:
                    seen = look_at(observation, starts, after.mover)
                worth = play_worth(observation, starts, here, seen, kind, after)
            if worth > best_score:
                best = kind
                best_score = worth
    return best


@rule
def lays(here, kind):
    """Whether a card is laid in place of a clog (PG-24), in the hope that somebody intercepts it."""
    face = kind % FACES
    return face < NUMBERS and here.total + face + 1 >= here.lid and kind // FACES != here.flushing
