"""Short words for the rule tests: a position written down, what is legal in it, what follows."""

import poopdeck

GAME = poopdeck.game("poo_head")


def position(hands, **fields):
    """A position in play that holds exactly the cards given: what is left out is empty, not dealt."""
    empty = [[] for _ in hands]
    blank = {"face_up": empty, "face_down": empty, "pile": [], "draw_pile": []}
    return GAME.load({"strict": True, "hands": hands, **blank, **fields})


def arranging(hands, face_up, **fields):
    """A position before the first pick; face-down cards and draw pile are dealt by the seed."""
    return GAME.load({"phase": "arrange", "seed": 1, "hands": hands, "face_up": face_up, **fields})


def legal(s):
    """The names of the legal actions."""
    return {GAME.action_name(action) for action in GAME.legal_actions(s)}


def act(s, *names):
    """Take these actions in turn, in place; the position after them, as a dump."""
    for name in names:
        GAME.apply_action(s, GAME.action(name))
    return GAME.dump(s)


def plays(*cards):
    """Names of laying one of each of these cards."""
    return {f"play {card}" for card in cards}


def numbers(lowest, highest):
    """The number cards from lowest to highest, both included."""
    return [str(number) for number in range(lowest, highest + 1)]


SPECIALS = ["poo head", "bomb"]
EVERY_CARD = [*numbers(0, 10), *SPECIALS]
