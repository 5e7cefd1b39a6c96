"""Short words for the rule tests: a position written down, what is legal in it, what follows."""

from support.vocabulary import act_in, legal_in, play_on_in

import poopdeck

GAME = poopdeck.game("poop")
legal, act, play_on = legal_in(GAME), act_in(GAME), play_on_in(GAME)

COLOURS = ("blue", "red", "yellow")
DUTIES = ("hold nose", "grunt", "whistle")
FACES = ("1", "2", "3", "4", "5", *(f"wild {duty}" for duty in DUTIES), "reverse", "skip")
KINDS = tuple(f"{colour} {face}" for colour in COLOURS for face in FACES)
"""The classic edition's cards in the order of the action table."""
COMMON = {*(f"{colour} {value}" for colour in COLOURS for value in range(1, 6)), "red wild grunt"}
COMMON |= {f"{colour} {face}" for colour in ("blue", "red") for face in ("reverse", "skip")}
PLENTY = {card: 5 if card in COMMON else 2 for card in KINDS}
"""A deck of 120 cards, in which there is enough of everything that the tests put on their tables."""
TOILETS = [[lid, colour] for lid in range(1, 17) for colour in COLOURS]
"""A toilet deck with every lid in every colour."""
VARIANTS = ("classic", "blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo")
LOOK_UP = ("classic", "flushers_delight", "interceptor", "deep_doo_doo")
"""Variants in which hands are looked at and the lid is known."""


def position(hands, variant="classic", **fields):
    """A position of a game with cards and toilets in plenty: what is left out is empty, not dealt."""
    blank = {
        "deck": PLENTY, "toilet_deck": TOILETS, "table": [], "draw_pile": [], "discard": [],
        "lid": 10, "water": "red", "toilets": [[8, "yellow"], [9, "blue"]], "used_toilets": [],
    }  # fmt: skip
    return GAME.load({"strict": True, "variant": variant, "hands": hands, "seed": 1, **blank, **fields})


def plays(*cards):
    """Names of playing these cards."""
    return {f"play {card}" for card in cards}


def shown(s, seat):
    """All that a seat is shown of a position."""
    return GAME.observation(s, seat).tobytes(), GAME.describe(s, seat), GAME.scene(s, seat)


def returns(s):
    return [round(payoff, 5) for payoff in GAME.returns(s).tolist()]


def sizes(dump):
    return [len(hand) for hand in dump["hands"]]
