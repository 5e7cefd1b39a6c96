"""Random parameters, positions and ways of playing, from which the referee and the game are compared."""

import random

from reference.poop import EDITIONS, kinds, value_of

from .table import VARIANTS

LID_MAY_FIT = ("blind_pooper", "super_pooper")
RICH = 0.3  # share of positions whose deck has several of each kind


def deck(edition):
    """The cards of an edition, one by one."""
    colours, actions = EDITIONS[edition]
    cards = []
    for number, colour in enumerate(colours):
        wilds = [f"wild {actions[number]}", f"wild {actions[(number + 1) % 3]}"]
        cards += [f"{colour} {face}" for face in (1, 1, 2, 2, 3, 3, 4, 5, *wilds, "reverse", "skip")]
    return cards


def toilet_deck(edition):
    colours, lowest = EDITIONS[edition][0], 6 if edition == "classic" else 7
    return [[lowest + number, colours[number % 3]] for number in range(11)]


def random_options(rng, variant, players):
    """Fields of a scenario: every parameter, most often left as it is."""
    options = {"variant": variant, "players": players}
    if rng.random() < 0.3:
        options["edition"] = "party_pooper"
    if rng.random() < 0.4:
        options |= {"duties_model": "forgetful", "forget_probability": rng.choice([0.0, 0.3, 0.6, 1.0])}
        options["catch_probability"] = rng.choice([0.0, 0.5, 1.0])
    if rng.random() < 0.4:
        options["two_player_reverse"] = "skip"
    if variant in LID_MAY_FIT and rng.random() < 0.5:
        options["lid_itself"] = "fits"
    if rng.random() < 0.4:
        options["drinking"] = True
        if rng.random() < 0.5:
            options["drink_weight"] = rng.choice([0.01, 0.05])
    if rng.random() < 0.4:
        options["max_decisions"] = rng.choice([3, 12, 40, 150])
    if variant == "super_pooper" and rng.random() < 0.4:
        options["slap_weights"] = [rng.choice([0.5, 1.0, 2.0]) for _ in range(players)]
    return options


def as_parameters(options):
    """The same as keyword arguments of `new_state`."""
    names = {"players": "num_players", "duties_model": "duties"}
    return {names.get(name, name): value for name, value in options.items()}


def random_position(rng, variant=None):
    """A scenario in play near an end: few cards in hands, short piles, a table near the lid."""
    variant = variant or rng.choice(VARIANTS)
    players = rng.randint(2, 5)
    options = random_options(rng, variant, players)
    edition = options.get("edition", "classic")
    if rng.random() < RICH:
        options["deck"] = {card: rng.randint(0, 3) for card in kinds(edition)}
        cards = [card for card, count in options["deck"].items() for _ in range(count)]
        rng.shuffle(cards)
        if len(cards) < 25:
            return random_position(rng, variant)
        if rng.random() < 0.5:  # of few kinds: equal numbers in many hands
            cards.sort(key=lambda card: card.split(" ")[1] in "123", reverse=True)
            few = cards[:30]
            rng.shuffle(few)
            cards = few
    else:
        cards = deck(edition)
        rng.shuffle(cards)
    toilets = toilet_deck(edition)
    rng.shuffle(toilets)
    (lid, water), *toilets = toilets[: rng.choice([1, 2, 3, 11])]
    used = [toilets.pop() for _ in range(rng.randint(0, len(toilets)))]
    room = lid + (variant in LID_MAY_FIT and options.get("lid_itself") == "fits")  # the lowest total that is too much
    table = random_table(rng, cards, variant, room, water)
    sizes = random_sizes(rng, variant, players)
    hands = [[cards.pop() for _ in range(min(size, len(cards)))] for size in sizes]
    if sum(map(bool, hands)) < (2 if variant == "super_pooper" else players):
        return random_position(rng, variant)
    piles = variant != "super_pooper" or rng.random() < 0.3  # a game of super_pooper has none, a scenario may
    draw_pile = [cards.pop() for _ in range(min(rng.randint(0, 5), len(cards)))] if piles else []
    discard = cards[: rng.randint(0, 6)] if piles and rng.random() < 0.7 else []
    duties = [[] for _ in range(players)]
    for duty in EDITIONS[edition][1]:
        if rng.random() < 0.6:
            rng.choice(duties).append(duty)
    scenario = {
        **options, "strict": True, "hands": hands, "table": table, "lid": lid, "water": water,
        "toilets": toilets, "used_toilets": used, "draw_pile": draw_pile, "discard": discard,
        "turn": rng.choice([seat for seat in range(players) if hands[seat]]), "direction": rng.choice([1, -1]),
        "skip_next": rng.random() < 0.2, "duties": duties, "seed": rng.getrandbits(30),
        "decisions": rng.randrange(options.get("max_decisions", 30)),
        "known": [
            [
                [card for card in hand if rng.random() < 0.4] if seat != owner or variant == "super_pooper" else []
                for owner, hand in enumerate(hands)
            ]
            for seat in range(players)
        ],
    }  # fmt: skip
    if options.get("drinking"):
        scenario["drinks"] = [rng.randint(0, 9) for _ in range(players)]
    if not table and rng.random() < 0.5:
        scenario["last_card"] = rng.choice(cards or [None])
    return scenario


def random_table(rng, cards, variant, room, water):
    """Cards taken from the others that may lie on the table: not too much, no row of three left unflushed."""
    table, total, row = [], 0, 0
    for _ in range(rng.choice([0, 2, 4, 6, 9])):
        if not cards:
            break
        card = cards[-1]
        row = row + 1 if table and table[-1].split(" ")[0] == card.split(" ")[0] else 1
        flushes = row >= 3 and (variant != "deep_doo_doo" or card.split(" ")[0] == water)
        if total + value_of(card) >= room or flushes:
            break
        total += value_of(card)
        table.append(cards.pop())
    return table


def random_sizes(rng, variant, players):
    if variant != "super_pooper":
        return [rng.randint(1, 4) for _ in range(players)]
    sizes = [rng.choice([0, 1, 1, 2, 4]) for _ in range(players)]
    for seat in rng.sample(range(players), 2):
        sizes[seat] = max(sizes[seat], 1)
    return sizes


# ---------------------------------------------------------------- ways of playing
# Each chooses one of the legal names, which come sorted.


def uniform(rng, names):
    return rng.choice(names)


def highest(rng, names):
    return max(names, key=lambda name: (name[-1].isdigit(), name[-1], rng.random()))


def lowest(rng, names):
    return min(names, key=lambda name: (name[-1].isdigit(), name[-1], rng.random()))


def eager(rng, names):
    """Slaps and intercepts whenever it may."""
    return next((name for name in names if name in ("slap", "intercept")), rng.choice(names))


def one_colour(rng, names):
    """Towards rows, flushes and slaps."""
    return names[-1]


POLICIES = [uniform, uniform, uniform, highest, lowest, eager, one_colour]


def seeded(seed):
    return random.Random(seed)
