"""Short words for the rule tests: a position written down, what is legal in it, what follows."""

from support.vocabulary import act_in, legal_in, play_on_in

import poopdeck

GAME = poopdeck.game("poo_head")
legal, act, play_on = legal_in(GAME), act_in(GAME), play_on_in(GAME)


def position(hands, **fields):
    """A position in play that holds exactly the cards given: what is left out is empty, not dealt."""
    empty = [[] for _ in hands]
    blank = {"face_up": empty, "face_down": empty, "pile": [], "draw_pile": []}
    return GAME.load({"strict": True, "hands": hands, **blank, **fields})


def arranging(hands, face_up, **fields):
    """A position before the first pick; face-down cards and draw pile are dealt by the seed."""
    return GAME.load({"phase": "arrange", "seed": 1, "hands": hands, "face_up": face_up, **fields})


def plays(*cards):
    """Names of laying one of each of these cards."""
    return {f"play {card}" for card in cards}


def numbers(lowest, highest):
    """The number cards from lowest to highest, both included."""
    return [str(number) for number in range(lowest, highest + 1)]


SPECIALS = ["poo head", "bomb"]
EVERY_CARD = [*numbers(0, 10), *SPECIALS]
