"""Random parameters, positions and ways of playing, from which the referee and the game are compared."""

import random

from reference.too_many_poops import default_rivals, points

from .table import CATS, ITEM_COUNTS, MODIFIERS, hand, home


def seeded(seed):
    return random.Random(seed)


def random_options(rng, players):
    """Keyword arguments of a game: every option, most often left as it is."""
    options = {}
    if rng.random() < 0.4:
        options["optional_draw"] = True
    if rng.random() < 0.4:
        options["golden_poople"] = True
    if rng.random() < 0.3:
        options["rainbow_cats"] = rng.randint(0, 8)
    if rng.random() < 0.3:
        options["max_decisions"] = rng.choice([3, players, 20, 60, 300])
    kind = rng.random()
    if kind < 0.2:  # reactions everywhere
        options["items"] = {"hiss": rng.randint(4, 9), "closed door": rng.randint(3, 8)}
    elif kind < 0.4:  # anything, but enough of it
        counts = {item: rng.randint(0, 6) for item in ITEM_COUNTS}
        counts["scoop"] = max(counts["scoop"], 3 * players + 3 - sum(counts.values()) + counts["scoop"])
        options["items"] = counts
    if rng.random() < 0.3:
        options["rivals"] = random_rivals(rng)
    return options


def random_rivals(rng):
    """Up to fifteen pairs, of one litter or of two."""
    cats = rng.sample(CATS[:-1], 2 * rng.randint(0, 15))
    return [[cats.pop(), cats.pop()] for _ in range(len(cats) // 2)]


class Piles:
    """All cards of a game, shuffled, to be dealt into a scenario."""

    def __init__(self, rng, options):
        counts = {**ITEM_COUNTS, **options.get("items", {})}
        self.rng = rng
        self.cats = CATS[:-1] + ["rainbow"] * options.get("rainbow_cats", 4)
        self.items = [item for item, count in counts.items() for _ in range(count)]
        rng.shuffle(self.cats)
        rng.shuffle(self.items)
        if rng.random() < 0.4:  # litters lie together, so homes are near ten points
            self.cats.sort(key=lambda cat: CATS.index(cat) + rng.uniform(0, 5))

    def take(self, pile, most):
        return [pile.pop() for _ in range(min(self.rng.randint(0, most), len(pile)))]

    def take_modifiers(self, most):
        found = [item for item in self.items if item in MODIFIERS][: self.rng.randint(0, most)]
        for item in found:
            self.items.remove(item)
        return found


def random_position(rng):
    """A scenario in the middle of a game: full and empty homes, hands, decks, a store with gaps."""
    players = rng.randint(2, 6)
    options = random_options(rng, players)
    rivals = [frozenset(pair) for pair in options["rivals"]] if "rivals" in options else default_rivals()
    piles = Piles(rng, options)
    in_game = sorted(rng.sample(range(players), rng.randint(2, players)))
    hands, homes = [[] for _ in range(players)], [[] for _ in range(players)]
    crowded = players > 4 and rng.random() < 0.3  # the tokens are used up
    for seat in in_game:
        own = piles.take(piles.cats, rng.choice([2, 5, 8]))
        while points(own, rivals) >= 10:
            piles.cats.insert(0, own.pop(0))
        poops = 9 if crowded else rng.choice([0, 1, 5, 8, 9, 9, rng.randint(0, 9)])
        homes[seat] = [*own, *piles.take_modifiers(rng.choice([0, 1, 3])), poops]
        cats = piles.take(piles.cats, rng.choice([1, 2, 4]))
        hands[seat] = cats + piles.take(piles.items, 6 - len(cats))
    rest = {"wild": piles.cats, "item_discard": piles.items}
    store = {
        "cats": (piles.take(piles.cats, 3) + [None] * 3)[:3],
        "items": (piles.take(piles.items, 3) + [None] * 3)[:3],
    }
    rng.shuffle(store["cats"])
    rng.shuffle(store["items"])
    if rng.random() < 0.7:  # else the cat deck is empty
        rest |= {"cat_deck": piles.cats, "wild": piles.take(piles.cats, rng.choice([0, 3, 10]))}
    if rng.random() < 0.2:  # many cats are nowhere
        rest |= {"cat_deck": [], "wild": piles.take(piles.cats, 2)}
    if rng.random() < 0.6:
        rest |= {"item_deck": piles.items, "item_discard": piles.take(piles.items, rng.choice([0, 4, 20]))}
    elif rng.random() < 0.3:
        rest |= {"item_deck": [], "item_discard": piles.take(piles.items, 2)}
    turn = rng.choice(in_game)
    return {
        "strict": True, "cat_deck": [], "item_deck": [], **options, "players": players, **rest, "store": store,
        "hands": [hand(cards) for cards in hands], "homes": [home(cards) for cards in homes],
        "known": [hand([card for card in cards if rng.random() < 0.4]) for cards in hands],
        "turn": turn, "out": [seat for seat in range(players) if seat not in in_game],
        "decisions": rng.randrange(options.get("max_decisions", 60)), "seed": rng.getrandbits(30),
        **random_turn(rng, hands[turn]),
    }  # fmt: skip


def random_turn(rng, cards):
    """How far the turn has come: drawing where the hand has room for sure, else playing."""
    if len(cards) < 6 and rng.random() < 0.3:
        return {"phase": "draw", "cat_played": False, "cats_left": 1, "items_left": 2}
    cat_played, cats_left, items_left = rng.choice(
        [
            (False, 1, 2),
            (False, 1, 2),
            (False, 1, 1),
            (False, 2, 1),
            (True, 0, 2),
            (True, 0, 1),
            (True, 0, 0),
            (True, 1, 1),
        ]
    )
    return {"phase": "play", "cat_played": cat_played, "cats_left": cats_left, "items_left": items_left}


# ---------------------------------------------------------------- ways of playing
# Each chooses one of the legal names, which come sorted.


def uniform(rng, names):
    return rng.choice(names)


def homebody(rng, names):
    """Its cats go home."""
    return "to home +0" if "to home +0" in names else rng.choice(names)


def spiteful(rng, names):
    """Its cats and modifiers go to others, and it draws and plays items rather than ending."""
    others = [name for name in names if name.startswith("to home") and name != "to home +0"]
    return rng.choice(others or [name for name in names if name != "end"] or names)


def player_of_items(rng, names):
    """Plays whatever item it can, reactions too."""
    items = [name for name in names if name.startswith("play") or name == "draw item" or "store item" in name]
    return rng.choice(items or names)


def collector(rng, names):
    """Draws cats, plays them home, and never into The Wild."""
    wanted = [
        name for name in names if name.startswith(("cat", "draw cat", "draw store cat", "draw from", "to home +0"))
    ]
    return rng.choice(wanted or [name for name in names if name != "to the wild"])


def releaser(rng, names):
    """Leaves its cats in The Wild and ends early."""
    return next((name for name in ("to the wild", "end") if name in names), None) or rng.choice(names)


POLICIES = [uniform, uniform, homebody, spiteful, player_of_items, collector, releaser]
