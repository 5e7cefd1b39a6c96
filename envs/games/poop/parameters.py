"""The parameters of Poop: The Game: what follows from them, what cannot be, and the facts of a game with given ones."""

import numpy as np

from .cards import CARDS, EDITIONS, MOST_LID, deck_of, toilets_of
from .record import CAUGHT_DRINKS, DEALT, FLUSH_DRINKS, MOST_CARDS, MOST_TOILETS

VARIANTS = ("classic", "blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo")
MOST_WEIGHT = 1e6  # of a seat in a slap
WEIGHTS_FORM = f"a list of a number from 0 to {MOST_WEIGHT:g} per seat"
DECK_FORM = f"a dict of counts by card name, {MOST_CARDS} cards at most"
TOILETS_FORM = f"a list of [lid from 1 to {MOST_LID}, water colour], {MOST_TOILETS} toilets at most"


def _whole(value, low, high):
    """Whether a value is a whole number in [low, high]."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and low <= value <= high


def read_weights(value):
    """The weights of the seats in a slap (PG-26)."""
    numbers = (int, float, np.integer, np.floating)
    if not isinstance(value, list | tuple) or not all(
        isinstance(weight, numbers) and not isinstance(weight, bool) and 0 <= weight <= MOST_WEIGHT for weight in value
    ):
        raise ValueError("a number that is not negative is wanted for every seat")
    return [float(weight) for weight in value]


def read_deck(value):
    """A deck of one's own, in the order of the action list."""
    if not isinstance(value, dict):
        raise ValueError("no dict")
    names = [name for cards in CARDS.values() for name in cards]
    unknown = [name for name in value if name not in names]
    if unknown:
        raise ValueError(f"no card is called {unknown[0]!r}")
    if not all(_whole(count, 0, MOST_CARDS) for count in value.values()):
        raise ValueError("a count is no whole number, 0 or more")
    if sum(value.values()) > MOST_CARDS:
        raise ValueError(f"{sum(value.values())} cards")
    return {name: int(value[name]) for name in names if value.get(name, 0)}


def read_toilets(value):
    """A toilet deck of one's own, sorted."""
    colours = [colour for edition in EDITIONS.values() for colour in edition.colours]
    if not isinstance(value, list | tuple) or not value:
        raise ValueError("no list with a toilet in it")
    if len(value) > MOST_TOILETS:
        raise ValueError(f"{len(value)} toilets")
    for toilet in value:
        if not isinstance(toilet, list | tuple) or len(toilet) != 2 or not _whole(toilet[0], 1, MOST_LID):
            raise ValueError(f"{toilet!r} is no [lid, water]")
        if toilet[1] not in colours:
            raise ValueError(f"{toilet[1]!r} is no colour")
    return sorted(([int(lid), water] for lid, water in value), key=lambda toilet: (toilet[0], colours.index(toilet[1])))


def complete(values):
    """Fills in the parameters that follow from others; ValueError for what cannot be."""
    players, edition = values["num_players"], values["edition"]
    if values["max_decisions"] is None:
        values["max_decisions"] = 250 * players
    if values["slap_weights"] is None:
        values["slap_weights"] = [1.0] * players
    if len(values["slap_weights"]) != players:
        raise ValueError(f"slap_weights={values['slap_weights']!r}: allowed is {WEIGHTS_FORM}, here {players}")
    if values["variant"] == "blind_pooper" and values["duties"] == "forgetful":
        values["catch_probability"] = 1.0  # the Poop Patrol misses nothing (PG-20)
    for name in values["deck"] or ():
        if name not in CARDS[edition]:
            raise ValueError(f"deck={values['deck']!r}: {name!r} is no card of the edition {edition!r}")
    for _, water in values["toilet_deck"] or ():
        if water not in EDITIONS[edition].colours:
            raise ValueError(
                f"toilet_deck={values['toilet_deck']!r}: {water!r} is no colour of the edition {edition!r}"
            )
    cards = sum(deck_of(values))
    each = 1 if values["variant"] == "super_pooper" else DEALT
    if cards < each * players:
        raise ValueError(f"deck={values['deck']!r}: {cards} cards, but {each} for each of {players} seats are needed")
    return values


def lid_fits(settings):
    """Whether a total equal to the lid is not too much yet (PG-30)."""
    return settings["lid_itself"] == "fits" and settings["variant"] in ("blind_pooper", "super_pooper")


def prepare(record, settings):
    """Writes the parameters into a record."""
    record["num_players"] = settings["num_players"]
    record["variant"] = VARIANTS.index(settings["variant"])
    record["forgetful"] = settings["duties"] == "forgetful"
    record["lid_fits"] = lid_fits(settings)
    record["reverse_skips"] = settings["two_player_reverse"] == "skip"
    for name in ("forget_probability", "catch_probability", "drinking", "drink_weight", "max_decisions"):
        record[name] = settings[name]
    weights = settings["slap_weights"]
    record["slap_weights"][: len(weights)] = weights
    deck = np.array(deck_of(settings))
    record["deck"], record["cards"] = deck, deck.sum()
    record["share"] = np.where(deck > 0, 1 / np.maximum(deck, 1), 0)
    toilets = toilets_of(settings)
    sorts = sorted(set(toilets))
    record["num_toilets"], record["num_sorts"] = len(toilets), len(sorts)
    for sort, (lid, water) in enumerate(sorts):
        count = toilets.count((lid, water))
        record["toilet_lid"][sort], record["toilet_water"][sort] = lid, water
        record["toilet_count"][sort], record["toilet_share"][sort] = count, 1 / count


def payoff_bounds(settings):
    """(lowest, highest) return of a seat; drinks can cost as many as a game can have (PG-29)."""
    most = 0.0
    if settings["drinking"] and settings["drink_weight"]:
        lids = [lid for lid, _ in toilets_of(settings)]
        a_decision = max((max(lids) + 1) // 2, FLUSH_DRINKS + CAUGHT_DRINKS)
        most = settings["drink_weight"] * settings["max_decisions"] * a_decision
    return (-1.0 - most, 1.0 + most)


def payoff_sum(settings):
    """What the returns of a finished game add up to."""
    return 0.0


def length_bound(settings):
    """No game has more decisions than this (PG-17)."""
    return settings["max_decisions"]


def rates(settings):
    """How often a seat wins, alone or, in a super_pooper cut short, as one of several: returns (n, P), seats (n,)."""
    if settings["drinking"] and settings["drink_weight"]:
        return {"best_rate": lambda returns, seat: (_own(returns, seat) > 0) & (_own(returns, seat) >= returns.max(1))}
    return {"win_rate": lambda returns, seat: _own(returns, seat) > 0}


def _own(returns, seat):
    """The return of one seat in each game."""
    return returns[np.arange(len(seat)), seat]
