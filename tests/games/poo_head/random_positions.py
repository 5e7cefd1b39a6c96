"""Random parameters, positions and ways of playing, from which the referee and the game are compared."""

import random
from collections import Counter

from .table import EVERY_CARD, SPECIALS, numbers

COPIES = 4  # of each number in a deck


def random_options(rng, players):
    """Keyword arguments of a game: every option, most often left as it is."""
    options = {}
    if rng.random() < 0.4:
        options["poo_heads"] = rng.randint(1, 6)
    if rng.random() < 0.4:
        options["bombs"] = rng.randint(0, 6)
    if players % 5 and rng.random() < 0.05:
        options |= {"poo_heads": 0, "bombs": 0}  # 44 cards still leave nine to four seats
    if rng.random() < 0.3:
        options["voluntary_pickup"] = True
    if rng.random() < 0.4:
        options["scoring"] = "points"
        options["max_rounds"] = rng.choice([1, 2, 3, 5, 9])
        if rng.random() < 0.5:
            options["target"] = rng.randint(1, 9)
        if rng.random() < 0.5:
            options["reward"] = "points"
    if rng.random() < 0.5:
        options["max_decisions"] = rng.choice([3 * players - 1, 3 * players, 40, 150, 400])
    return options


def deck(players, options):
    """How many of each card there are, per name."""
    decks = -(-players // 5)
    specials = {"poo head": options.get("poo_heads", 4) * decks, "bomb": options.get("bombs", 4) * decks}
    return Counter({**{card: COPIES * decks for card in numbers(0, 10)}, **specials})


def random_position(rng):
    """A scenario near an end: few cards of few ranks, so that rows, burns, flips and exits abound."""
    players = rng.choice([2, 2, 3, 3, 4, 4, 5, 6, 7, 11, 25])
    options = random_options(rng, players)
    some = {*rng.sample(numbers(0, 10), rng.randint(2, 11)), *rng.sample(SPECIALS, rng.randint(0, 2))}
    cards = [card for card in deck(players, options).elements() if card in some]
    rng.shuffle(cards)

    def take(most):
        return [cards.pop() for _ in range(min(rng.randint(0, most), len(cards)))]

    largest = rng.choice([0, 1, 3, 3, 6])
    share = rng.choice([0.5, 0.8, 1.0])  # of seats that are dealt any cards
    rows = {zone: [[] for _ in range(players)] for zone in ("hands", "face_up", "face_down")}
    for seat in range(players):
        if rng.random() < share:
            for zone, most in (("hands", largest), ("face_up", 3), ("face_down", 3)):
                rows[zone][seat] = take(most) if rng.random() < 0.6 else []
    holders = [seat for seat in range(players) if any(rows[zone][seat] for zone in rows)]
    if len(holders) < 2:
        return random_position(rng)
    pile = [card for card in take(8) if card != "bomb"]
    while len(pile) >= 4 and len(set(pile[-4:])) == 1:
        pile.pop()
    out = [seat for seat in range(players) if seat not in holders]
    rng.shuffle(out)
    scenario = {
        **options, **rows, "players": players, "phase": "play", "out": out, "seed": rng.getrandbits(30),
        "pile": pile, "draw_pile": take(10) if rng.random() < 0.3 else [], "burnt": take(4),
        "dealer": rng.randrange(players), "turn": rng.choice(holders),
        "known": [[card for card in hand if rng.random() < 0.5] for hand in rows["hands"]],
        "decisions": rng.randrange(options.get("max_decisions", 30)),
    }  # fmt: skip
    scenario |= random_match_so_far(rng, players, options)
    return scenario | random_opening(rng, scenario)


def random_match_so_far(rng, players, options):
    """Round and points that a match can have reached without having ended."""
    if options.get("scoring") != "points":
        return {}
    played = rng.randrange(options["max_rounds"])
    target = options.get("target", 11 if players == 2 else 7)
    points = [rng.randint(-4 * played, min(3 * played, target - 1)) for _ in range(players)]
    if rng.random() < 0.4:  # some tied at the top, from where another round is likely to be due
        for seat in rng.sample(range(players), rng.randint(2, players)):
            points[seat] = min(3 * played, target + 1)
    return {"round": played + 1, "points": points}


def random_opening(rng, scenario):
    """Sometimes the first play is due: an empty pile, and the seat with the lowest number in hand to act."""
    ranks = [[int(card) for card in hand if card not in SPECIALS] for hand in scenario["hands"]]
    lowest = [min(row, default=99) for row in ranks]
    if min(lowest) == 99 or rng.random() < 0.8:
        return {}
    return {"opening": True, "pile": [], "turn": lowest.index(min(lowest)), "dealer": scenario["players"] - 1}


def random_arrangement(rng):
    """A scenario in the middle of arranging, after any number of picks, rich in equal cards."""
    players = rng.choice([2, 3, 4, 5, 8])
    options = random_options(rng, players)
    some = set(rng.sample(EVERY_CARD, rng.randint(7, 13)))
    cards = [card for card in deck(players, options).elements() if card in some or players > 2]
    rng.shuffle(cards)
    hands, face_up = ([[cards.pop() for _ in range(3)] for _ in range(players)] for _ in range(2))
    dealer, made = rng.randrange(players), rng.randrange(3 * players)
    made = min(made, options.get("max_decisions", made + 1) - 1)
    picks = [[] for _ in range(players)]
    for turn in range(1, players + 1):
        seat = (dealer + turn) % players
        picks[seat] = rng.sample(hands[seat] + face_up[seat], max(0, min(3, made - 3 * (turn - 1))))
    return {
        **options, "players": players, "hands": hands, "face_up": face_up, "picks": picks, "phase": "arrange",
        "dealer": dealer, "decisions": made, "seed": rng.getrandbits(30),
        **random_match_so_far(rng, players, options),
    }  # fmt: skip


def random_free_start(rng):
    """A scenario one pick before the reveal, in which no hand may be left with a number."""
    hands = [["poo head", "bomb", rng.choice(SPECIALS)] for _ in range(2)]
    face_up = [rng.sample(numbers(0, 10), 3) for _ in range(2)]
    dealer = rng.randrange(2)
    picks = [cards[:2] if seat == dealer else cards for seat, cards in enumerate(face_up)]
    return {
        "hands": hands, "face_up": face_up, "picks": picks, "phase": "arrange", "dealer": dealer,
        "decisions": 5, "max_decisions": 300, "seed": rng.getrandbits(30),
    }  # fmt: skip


# ---------------------------------------------------------------- ways of playing
# Each chooses one of the legal names, which come sorted.


def lowest(rng, names):
    """The lowest card, as many as there are; specials last, the pile when nothing else is legal."""
    return max(names, key=lambda name: (name != "pick up", -rank(name), name))


def highest(rng, names):
    """The highest card, one at a time; specials first."""
    return max(names, key=lambda name: (name != "pick up", rank(name), -len(name)))


def bulk(rng, names):
    """As many cards at once as it can."""
    return max(names, key=lambda name: (name[-2:] in ("x2", "x3", "x4"), name[-2:], rng.random()))


def hoarder(rng, names):
    """Takes the pile every third time that it may."""
    return "pick up" if "pick up" in names and rng.random() < 0.33 else rng.choice(names)


def special_first(rng, names):
    """Bombs and Poo Heads at once."""
    specials = [name for name in names if name.endswith(("bomb", "head"))]
    return rng.choice(specials or names)


def uniform(rng, names):
    return rng.choice(names)


def rank(name):
    """Where the card of an action's name stands: 0..10, poo head, bomb; -1 where the name holds no card."""
    word = name.removeprefix("play ").removeprefix("table ").split(" x")[0]
    return EVERY_CARD.index(word) if word in EVERY_CARD else -1


POLICIES = [lowest, highest, bulk, hoarder, special_first, uniform, uniform]


def seeded(seed):
    return random.Random(seed)
