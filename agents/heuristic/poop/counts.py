"""Cards as the heuristic of Poop: The Game counts them.

The observation tells cards as fractions of those of a kind; they are turned back into counts by the usual deck. With
another deck they are a little wrong, and nothing else happens. The cards of a colour are one whole number, WIDTH bits
for each face, so that those of some faces are counted at once; so are those of all colours together.
"""

import numpy as np

from ....envs.core.compiler import rule
from ....envs.games.poop.cards import usual_deck
from ....envs.games.poop.record import FACES, KINDS, NUMBERS

COPIES = np.array([max(copies, 1) for copies in usual_deck()], np.float64)
WIDTH = 6  # bits of a face: the counts of a whole deck fit
ONE = (1 << WIDTH) - 1
EVERY_FACE = sum(1 << (WIDTH * face) for face in range(FACES))
LAST_FACE_AT = WIDTH * (FACES - 1)
SPECIALS = sum(ONE << (WIDTH * face) for face in range(NUMBERS, FACES))


@rule
def count(observation, at, kind):
    """Cards of a kind, from the fraction of those in the deck."""
    part = observation[at + kind]
    if part == 0:
        return 0
    return max(int(part * COPIES[kind] + 0.5), 1)


@rule
def cards_at(observation, at):
    """The cards of a block by colour and face."""
    block = observation[at : at + KINDS]
    return colour_of(block, 0), colour_of(block, 1), colour_of(block, 2)


@rule
def colour_of(block, hue):
    """The cards of a colour by face."""
    cards = 0
    for face in range(FACES):
        part = block[hue * FACES + face]
        cards |= max(int(part * COPIES[hue * FACES + face] + 0.5), int(part > 0)) << (WIDTH * face)
    return cards


@rule
def held(cards):
    """How many cards there are, all faces together."""
    return ((cards * EVERY_FACE) >> LAST_FACE_AT) & ONE


@rule
def numbers_below(room):
    """The faces of the numbers that leave the total below a room, as bits."""
    return (1 << (WIDTH * min(max(room - 1, 0), NUMBERS))) - 1


@rule
def has_none(unseen, wanted, hidden):
    """The chance that none of ``hidden`` cards, drawn from ``unseen`` ones, is among the ``wanted``."""
    if unseen - wanted < hidden:
        return 0.0
    chance = 1.0
    if wanted > 0:
        for k in range(hidden):
            chance *= (unseen - wanted - k) / (unseen - k)
    return chance
