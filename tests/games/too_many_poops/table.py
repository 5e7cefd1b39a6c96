"""Short words for the rule tests: a position written down, what is legal in it, what follows."""

from support.vocabulary import act_in, legal_in, play_on_in

import poopdeck

GAME = poopdeck.game("too_many_poops")
legal, act, play_on = legal_in(GAME), act_in(GAME), play_on_in(GAME)

LITTERS = ["tabby", "tuxedo", "calico", "siamese", "ginger", "smoke"]
CATS = [f"{litter} {number}" for litter in LITTERS for number in range(5)] + ["rainbow"]
ITEM_COUNTS = {
    "replay": 3, "lure": 3, "shoo": 3, "swap": 2, "scoop": 3, "auto scooper": 3, "deluxe litter": 1, "big dinner": 3,
    "bad fish": 2, "hiss": 3, "closed door": 3,
}  # fmt: skip
ITEMS = list(ITEM_COUNTS)
MODIFIERS = ["auto scooper", "deluxe litter", "big dinner", "bad fish"]
PLAIN = ["tabby 0", "tuxedo 1", "calico 2", "siamese 3", "ginger 4"]  # of five litters, no two of them rivals
TEN_POINTS = ["tabby 0", "tabby 1", "tabby 2", "tabby 3", "tabby 4"]


def hand(cards):
    """{"cats", "items"} of a list of names."""
    return {
        "cats": [card for card in cards if card in CATS],
        "items": [card for card in cards if card in ITEMS],
    }


def home(cards):
    """A home of a list of cats, modifiers and perhaps a number of poops."""
    return {
        "cats": [card for card in cards if card in CATS],
        "modifiers": [card for card in cards if card in ITEMS],
        "poops": sum(card for card in cards if isinstance(card, int)),
    }


def written(hands, homes=None, **fields):
    """A scenario that holds exactly the cards given: what is left out is empty, not dealt.

    Hands, homes and known cards are lists of names; a number in a home is its poops.
    """
    homes = [[] for _ in hands] if homes is None else homes
    blank = {"store": {"cats": [], "items": []}, "wild": [], "cat_deck": [], "item_deck": [], "item_discard": []}
    if "known" in fields:
        fields["known"] = [hand(cards) for cards in fields["known"]]
    return {"strict": True, "hands": [hand(c) for c in hands], "homes": [home(c) for c in homes], **blank, **fields}


def position(hands, homes=None, **fields):
    """The state of what `written` says."""
    return GAME.load(written(hands, homes, **fields))


def cards(zone):
    """All names of a hand or home of a dump."""
    return [*zone["cats"], *zone.get("items", []), *zone.get("modifiers", [])]


def hands_of(dump):
    """The hands of a dump as lists of names."""
    return [cards(zone) for zone in dump["hands"]]


def homes_of(dump):
    """The cats of the homes of a dump."""
    return [zone["cats"] for zone in dump["homes"]]


def poops_of(dump):
    return [zone["poops"] for zone in dump["homes"]]


def winner_of(s):
    """The seat that has won by now, or None."""
    return GAME.dump(s)["winner"]
