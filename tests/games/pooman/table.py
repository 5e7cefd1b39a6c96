"""Short words for the rule tests: a position written down, what is legal in it, what follows."""

from support.vocabulary import act_in, legal_in, play_on_in

import poopdeck

GAME = poopdeck.game("pooman")
legal, act, play_on = legal_in(GAME), act_in(GAME), play_on_in(GAME)

CARDS = [
    "1 star", "2 stars", "pooman", "pooperman", "roll again", "dire ear", "smell the freshness", "power flush",
    "poodini", "poocicle", "balancer",
]  # fmt: skip
FRESHNESS = "smell the freshness"
FLUSH, POODINI, POOCICLE, BALANCER = KEPT = ["power flush", "poodini", "poocicle", "balancer"]
SHIELDS = KEPT[:3]
DREADED = ["pooman", "pooperman"]
STEPS = {"stay", "north", "east", "south", "west"}
PLENTY = dict.fromkeys(CARDS, 12)  # as many of everything as a test needs
FILLER = ["1 star", "1 star"]  # a deck that goes on


def position(fronts, deck=FILLER, **fields):
    """A position before a draw of player 0, with exactly the cards given."""
    return GAME.load({
        "strict": True, "players": len(fronts), "fronts": fronts, "deck": deck, "discard": [], "turn": 0,
        "counts": PLENTY, "seed": 1, **fields,
    })  # fmt: skip


def chasing(fronts, pooman=None, players=None, kind="pooman", deck=FILLER, state=None, **fields):
    """A position in a chase that player 0's card has begun; `state` holds further fields of the chase."""
    given = {"pooman": pooman, "players": players, **(state or {})}
    chase_state = {"kind": kind, **{field: value for field, value in given.items() if value is not None}}
    return position(fronts, deck, card=kind, phase="chase", chase_state=chase_state, **fields)


def uses(*cards):
    """Names of using these cards."""
    return {f"use {card}" for card in cards}


def takes(*kinds_and_steps):
    """Names of taking characters: takes(("1 star", 1), ...)."""
    return {f"take {kind} from +{step}" for kind, step in kinds_and_steps}


def won_by(s, seat):
    """Whether the game is over, not truncated, and that seat has won."""
    dump = GAME.dump(s)
    over = GAME.is_terminal(s) and not GAME.is_truncated(s) and dump["phase"] == "over" and not dump["truncated"]
    return over and dump["winner"] == seat and GAME.current_player(s) == -1
