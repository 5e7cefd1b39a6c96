"""The cards and toilets of both editions of Poop: The Game, by name, and how many of each there are.

Where the rulebook gives no number the value is assumed; docs/games/poop.md says which.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from .record import COLOURS, FACES, KINDS, NUMBERS, WILD

VALUES = (1, 1, 2, 2, 3, 3, 4, 5)  # of the eight number cards of each colour
LIDS = 11  # toilets
MOST_LID = 999


class Edition(NamedTuple):
    """What is printed on the cards."""

    colours: tuple[str, ...]
    duties: tuple[str, ...]  # the Wilds' actions; colour i carries the i-th and the next, cyclic
    first_lid: int  # the lids count up from here


EDITIONS = {
    "classic": Edition(("blue", "red", "yellow"), ("hold nose", "grunt", "whistle"), 6),
    "party_pooper": Edition(("green", "orange", "purple"), ("splash noise", "lean and fart", "high five"), 7),
}


def faces(edition: str) -> tuple[str, ...]:
    """What the ten faces of a colour say."""
    wilds = (f"wild {duty}" for duty in EDITIONS[edition].duties)
    return (*(str(value) for value in range(1, NUMBERS + 1)), *wilds, "reverse", "skip")


def _name_cards(edition: str) -> tuple[str, ...]:
    """The name of every kind, also of the three that the usual deck lacks."""
    return tuple(f"{colour} {face}" for colour in EDITIONS[edition].colours for face in faces(edition))


CARDS = {edition: _name_cards(edition) for edition in EDITIONS}


def card_names(edition: str, cards: Iterable[Any]) -> list[str]:
    """Kinds as names, in their order."""
    return [CARDS[edition][int(kind)] for kind in cards]


def usual_deck() -> list[int]:
    """Copies of every kind."""
    deck = [0] * KINDS
    for colour in range(COLOURS):
        for value in VALUES:
            deck[colour * FACES + value - 1] += 1
        for duty in (colour, (colour + 1) % COLOURS):
            deck[colour * FACES + WILD + duty] += 1
        for face in ("reverse", "skip"):
            deck[colour * FACES + faces("classic").index(face)] += 1
    return deck


def usual_toilets(edition: str) -> list[tuple[int, int]]:
    """(lid, water 0..2) of every toilet, in lid order, the colours by turns."""
    return [(EDITIONS[edition].first_lid + number, number % COLOURS) for number in range(LIDS)]


def deck_of(settings: Any) -> list[int]:
    """Copies of every kind in a game with these parameters."""
    if settings["deck"] is None:
        return usual_deck()
    return [settings["deck"].get(name, 0) for name in CARDS[settings["edition"]]]


def toilets_of(settings: Any) -> list[tuple[int, int]]:
    """(lid, water 0..2) of every toilet in a game with these parameters, ascending."""
    if settings["toilet_deck"] is None:
        return usual_toilets(settings["edition"])
    colours = EDITIONS[settings["edition"]].colours
    return sorted((lid, colours.index(water)) for lid, water in settings["toilet_deck"])
