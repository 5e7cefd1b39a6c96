"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of 2 to 6 players and positions in mid-game, in the midst of chases too, under all options;
seats play by different policies so that all situations are reached.
"""

from collections import Counter

import pytest
from reference.pooman import Referee
from support.referees import Comparison, never_met

from .random_positions import POLICIES, census, random_options, random_position, seeded, spender
from .table import CARDS, DREADED, GAME, KEPT


def note_chase(seen, before, name, seat, after):
    old, new = before["chase_state"], after["chase_state"]
    seen[f"{old['kind']}: {name}"] += seat < before["players"]
    if new is None:
        seen[f"{old['kind']} chase ends"] += 1
        seen["chase ends in time"] += old["ticks"] > 1
        choices = [move for moves in old["moves"] for move in moves or [] if move.startswith("use")]
        flushed = old["kind"] == "pooman" and "use power flush" in choices
        seen["flushed"] += flushed
        seen["flushed before a later special"] += flushed and choices[-1] != "use power flush"
        seen["flushed after an earlier special"] += flushed and choices[0] != "use power flush"
    elif seat == before["players"] or old["freeze"]:
        seen["touched"] += len(new["touched"]) > len(old["touched"])
        seen["two touched at once"] += len(new["touched"]) > len(old["touched"]) + 1
        seen["frozen"] += new["freeze"] > 0
        seen["frozen again"] += 0 < old["freeze"] <= new["freeze"]
        seen["empty-handed touched"] += len(new["touched"]) > len(old["touched"]) and (
            before["discard"] == after["discard"]
        )
        taken = [moves[0] for moves in old["moves"] if moves and moves[0].startswith("use")]
        seen["two specials in one tick"] += len(taken) > 1


class Games(Comparison):
    """The Pooman is a seat of its own in chases; no card may vanish."""

    game, referee, policies = GAME, Referee, POLICIES

    def choose_policies(self, rng, referee):
        seats = referee.players + 1
        policies = [rng.choice(POLICIES) for _ in range(seats)]
        return [spender] * seats if rng.random() < 0.2 else policies  # many specials in the same tick

    def choose(self, policy, rng, referee):
        return policy(rng, sorted(referee.legal_actions()), referee)

    def note(self, seen, before, name, seat, after, referee):
        """Tally the situations that the runs must have met."""
        seen["decisions"] += 1
        seen[f"phase {before['phase']}, chase {before['chase']}"] += 1
        seen[f"{before['players']} players"] += 1
        if before["phase"] == "chase":
            note_chase(seen, before, name, seat, after)
        elif name == "draw":
            card = before["deck"][0]
            seen[f"drew {card}"] += 1
            seen[f"last card {card}"] += after["deck"] == []
            kept = after["fronts"][seat].count(card) > before["fronts"][seat].count(card)
            seen["kept a freshness"] += card == "smell the freshness" and kept
            seen["chase did not begin"] += card in DREADED and before["chase"] == "grid" and after["phase"] == "draw"
        elif name.startswith("take"):
            seen[f"took in phase {before['phase']}"] += 1
            seen[f"won by taking in phase {before['phase']}"] += after["winner"] == seat
        if after["phase"] == "over":
            seen["truncated" if after["truncated"] else "won by a player"] += after["winner"] != after["players"]
            seen["won by the pooman"] += after["winner"] == after["players"]
            seen[f"truncated in phase {before['phase']}"] += after["truncated"]

    def check_also(self, start, now, history):
        assert census(now) == census(start), history


GAMES = Games()


def run(seeds, most=100_000):
    """A fresh game and some positions per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        fresh = GAME.new_state(seed=seed, num_players=rng.randint(2, 6), **random_options(rng))
        seen += GAMES.follow(fresh, rng, most)
        for _ in range(6):
            seen += GAMES.follow(GAME.load(random_position(rng)), rng, most // 4)
    return seen


ALWAYS_MET = [
    *[f"phase {phase}, chase {chase}" for phase in ("draw", "again", "take") for chase in ("grid", "off")],
    "phase chase, chase grid", "phase defend, chase off",
    *[f"{players} players" for players in range(2, 7)],
    *[f"drew {card}" for card in CARDS],
    *[f"last card {card}" for card in CARDS],
    *[f"{kind}: use {card}" for kind in DREADED for card in KEPT],
    "kept a freshness", "chase did not begin", "took in phase draw", "took in phase take",
    "won by taking in phase draw", "won by taking in phase take",
    "pooman chase ends", "pooperman chase ends", "chase ends in time", "flushed", "flushed before a later special",
    "flushed after an earlier special", "touched", "two touched at once",
    "frozen", "frozen again", "empty-handed touched", "two specials in one tick",
    "won by a player", "won by the pooman", "truncated", "truncated in phase chase", "truncated in phase draw",
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(60), most=800)
    assert never_met(seen, ALWAYS_MET) == []


@pytest.mark.parametrize("variant", sorted(GAME.spec.variants))
@pytest.mark.parametrize("players", range(2, 7))
def test_game_follows_the_referee_in_every_variant(players, variant):
    rng = seeded(players)
    for seed in range(2):
        s = GAME.new_state(seed=seed, num_players=players, **GAME.spec.variants[variant])
        assert GAMES.follow(s, rng)["decisions"] > 5


def extreme_options(rng):
    """Every parameter at one of its bounds."""
    options = {option.name: rng.choice([option.low, option.high]) for option in GAME.spec.options if option.high}
    farthest = options["room_size"] - 1 + options["room_size"] // 2
    options["start_distance"] = rng.choice([1, farthest])
    options["max_decisions"] = GAME.spec.settings()["max_decisions"]
    options["empty_handed_run"] = rng.random() < 0.5
    options["history"] = 0  # the referee keeps none; test_history has one that does
    options["counts"] = {card: rng.choice([0, 1, 50]) for card in CARDS} | {"pooman": 50, "1 star": 2}
    return options


def test_game_follows_the_referee_where_parameters_are_extreme():
    for seed in range(12):
        rng = seeded(seed)
        s = GAME.new_state(seed=2**64 + seed, num_players=rng.choice([2, 6]), **extreme_options(rng))
        GAMES.follow(s, rng, most=400)


def test_the_last_of_a_million_decisions():
    rng = seeded(1)
    for last in (1, 5, 30):
        fields = {"players": 2, "max_decisions": 1_000_000, "decisions": 1_000_000 - last, "pooman_seat": 6}
        s = GAME.load({"fronts": [["1 star"], ["poodini"]], "deck": ["pooman", "dire ear", "dire ear"], **fields})
        assert 0 < GAMES.follow(s, rng)["decisions"] <= last


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3])
def test_game_follows_the_referee_for_long(part):
    """2,100 games a part, each to its end."""
    seen = run(range(1000 * part, 1000 * part + 300))
    assert never_met(seen, ALWAYS_MET) == []
