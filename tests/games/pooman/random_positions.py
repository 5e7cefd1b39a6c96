"""Random parameters, positions and ways of playing, from which the referee and the game are compared."""

import random
from collections import Counter

from reference.pooman import STEPS, Chase

from .table import CARDS, DREADED, FRESHNESS, KEPT

STARS = {"1 star": 1, "2 stars": 2}


def seeded(seed):
    return random.Random(seed)


def random_options(rng):
    """Keyword arguments of a game: every option, most often left as it is; small rooms make long chases eventful."""
    options = {}
    if rng.random() < 0.25:
        options["chase"] = "off"
        options["pooperman_unstoppable"] = rng.random() < 0.5
    if rng.random() < 0.6:
        options["room_size"] = rng.randint(3, 9)
        middle = options["room_size"] // 2
        options["start_distance"] = rng.randint(1, options["room_size"] - 1 + middle)
    for name, low, high in (
        ("pooman_speed", 1, 3), ("player_speed", 1, 3), ("chase_ticks", 1, 12), ("pooperman_ticks", 1, 20),
        ("freeze_ticks", 1, 6),
    ):  # fmt: skip
        if rng.random() < 0.3:
            options[name] = rng.randint(low, high)
    if rng.random() < 0.25:
        options["empty_handed_run"] = True
    if rng.random() < 0.1:
        options["max_decisions"] = rng.randint(1, 150)
    if rng.random() < 0.6:
        kinds = rng.sample(CARDS, rng.randint(1, 6))
        options["counts"] = {kind: rng.randint(0, 9) for kind in kinds} | {"balancer": rng.randint(0, 4)}
    if rng.random() < 0.1:
        options["counts"] = {kind: int(kind in ("pooman", "roll again", "dire ear", FRESHNESS)) * 3 for kind in CARDS}
    return options


def random_position(rng):
    """A scenario in mid-game, in any phase, few cards from the end."""
    players = rng.randint(2, 6)
    options = random_options(rng) | {"max_decisions": rng.randint(30, 600)}
    options["counts"] = dict.fromkeys(CARDS, 30)
    fronts = [random_front(rng) for _ in range(players)]
    deck = rng.choices(CARDS, weights=[3, 2, 4, 3, 2, 2, 3, 1, 1, 1, 1], k=rng.randint(1, 10))
    scenario = {
        **options, "players": players, "strict": True, "fronts": fronts, "deck": deck,
        "discard": rng.choices(CARDS, k=rng.randint(0, 3)), "turn": rng.randrange(players),
        "decisions": rng.randint(0, 20), "seed": rng.getrandbits(40),
    }  # fmt: skip
    if rng.random() < 0.2:
        scenario["pooman_seat"] = rng.randrange(6)
    kind = rng.choice(["draw", "again", "card", "card", "card"])
    if kind == "again":
        scenario["phase"] = "again"
    elif kind == "card":
        put_open_card(rng, scenario)
    return scenario


def random_front(rng):
    """Cards before a player: below five stars, rich in specials."""
    cards = rng.choices([FRESHNESS, *KEPT], k=rng.choice([0, 0, 1, 2, 3]))
    cards += rng.choice([[], [], ["1 star"], ["2 stars"], ["1 star", "2 stars"], ["2 stars"] * 2, ["1 star"] * 4])
    return cards


def put_open_card(rng, scenario):
    """A card that has just been turned over and asks for a decision, if one can."""
    fronts, turn = scenario["fronts"], scenario["turn"]
    if scenario.get("chase") == "off":
        card = rng.choice(DREADED)
        if set(fronts[turn]) & set(KEPT[:3]) and not (card == "pooperman" and scenario["pooperman_unstoppable"]):
            scenario["card"] = card
    elif rng.random() < 0.2:
        if any(set(cards) & set(STARS) for seat, cards in enumerate(fronts) if seat != turn):
            scenario["card"] = FRESHNESS
    elif any(fronts):
        scenario["card"] = rng.choice(DREADED)
        scenario["chase_state"] = random_chase(rng, scenario)


def random_chase(rng, scenario):
    """A chase that somebody is in, in any tick of it, with some of the choices made."""
    defaults = {
        "room_size": 11, "start_distance": 4, "chase_ticks": 10, "pooperman_ticks": 20, "player_speed": 1,
        "pooman_speed": 2, "freeze_ticks": 5, "empty_handed_run": False,
    }  # fmt: skip
    options = defaults | scenario
    size, fronts = options["room_size"], options["fronts"]
    chase = Chase(options, fronts, scenario["card"])
    chase.ticks = rng.randint(1, chase.full_clock())
    if rng.random() < 0.9:  # near each other, or where a chase begins
        corner = [rng.randrange(size), rng.randrange(size)]
        near = [[min(size - 1, max(0, place + rng.randint(-2, 2))) for place in corner] for _ in range(9)]
        chase.pooman, chase.cells = near[8], near[: len(fronts)]
    left = chase.runners()
    for seat in rng.sample(left, rng.randint(0, len(left) - 1)):
        out = rng.choice([chase.touched, chase.hidden, chase.balanced] if chase.kind == "pooman" else [chase.touched])
        out.add(seat)
        if out is chase.touched:
            fronts[seat].clear()
    if chase.kind == "pooman" and rng.random() < 0.25:
        chase.freeze = rng.randint(0, options["freeze_ticks"] - 1)
        chase.ticks = chase.full_clock() if chase.freeze else chase.ticks
    for _ in range(rng.choice([0, 0, 1, 2, 5, 20])):
        made = chase.dump()
        seat = chase.chooser()
        moves = chase.pooman_moves if seat == len(fronts) else chase.moves[seat]
        moves.append(rng.choice(sorted(chase.legal_actions())))
        if chase.chooser() is None:  # that would carry the tick out
            return made
    return chase.dump()


# ---------------------------------------------------------------- ways of playing
# Each chooses one of the legal names, which come sorted, for the seat that is to act.


def uniform(rng, names, referee):
    return rng.choice(names)


def spender(rng, names, referee):
    """Plays specials and takes characters as soon as it can."""
    good = [name for name in names if name.startswith(("use", "take"))]
    return rng.choice(good) if good and rng.random() < 0.8 else hunter(rng, names, referee)


def saver(rng, names, referee):
    """Never plays a special, so that many gather."""
    plain = [name for name in names if not name.startswith("use")]
    return hunter(rng, plain, referee)


def hunter(rng, names, referee):
    """In a chase, runs towards the Pooman or, as the Pooman, towards a player: there is much to be touched."""
    chase = referee.chase
    if chase is None or rng.random() < 0.2:
        return rng.choice(names)
    seat = chase.chooser()
    if seat < referee.players:
        here, prey = chase.cells[seat], chase.pooman
    else:
        here, prey = chase.pooman, chase.cells[chase.runners()[0]]
        for move in chase.pooman_moves:
            here = [here[0] + STEPS[move][0], here[1] + STEPS[move][1]]
    return min(
        (name for name in names if name in STEPS),
        key=lambda name: (
            abs(here[0] + STEPS[name][0] - prey[0]) + abs(here[1] + STEPS[name][1] - prey[1]),
            rng.random(),
        ),
    )


def runaway(rng, names, referee):
    """A player runs from the Pooman; the Pooman runs after players."""
    if referee.chase is None or referee.chase.chooser() == referee.players:
        return hunter(rng, names, referee)
    here, enemy = referee.chase.cells[referee.chase.chooser()], referee.chase.pooman
    steps = [name for name in names if name in STEPS]
    return max(
        steps,
        key=lambda name: (
            abs(here[0] + STEPS[name][0] - enemy[0]) + abs(here[1] + STEPS[name][1] - enemy[1]),
            rng.random(),
        ),
    )


POLICIES = [uniform, spender, saver, hunter, runaway]


def census(dump):
    """All cards of a position, wherever they lie."""
    rows = [*dump["fronts"], dump["deck"], dump["discard"], [dump["card"]] if dump["card"] else []]
    return Counter(card for row in rows for card in row)
