"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of all variants and mid-game positions near an end, under all parameters; seats play by different
policies so that everything comes up. Where chance plays a part, the referee says what may come of an action, and the
game must have come to one of these; how often each comes is a matter of the tests of rules.
"""

from collections import Counter

import pytest
from reference.poop import Referee

from tests.games.poop.random_positions import POLICIES, as_parameters, random_options, random_position, seeded
from tests.games.poop.table import GAME, VARIANTS

OWN_TO_THE_GAME = ("rng", "seed")  # chance and where it came from
RELOAD_SHARE = 0.02  # decisions after which the game's position is dumped and loaded again


def check_same(s, referee, history):
    """Everything the two have in common, at one decision; the position as a dump."""
    dump = referee.dump()
    found = {field: value for field, value in GAME.dump(s).items() if field not in OWN_TO_THE_GAME}
    assert found == dump, history
    assert GAME.current_player(s) == referee.current_player(), history
    assert {GAME.action_name(a) for a in GAME.legal_actions(s)} == referee.legal_actions(), history
    assert GAME.is_terminal(s) == referee.is_terminal() and GAME.is_truncated(s) == referee.truncated, history
    pairs = zip(GAME.returns(s).tolist(), referee.returns(), strict=True)
    assert all(abs(got - expected) < 1e-5 for got, expected in pairs), history
    return dump


def follow(s, rng, most=100_000):
    """Play to the end, or for `most` decisions, comparing at every step; a tally of what came up."""
    start, names, seen = GAME.dump(s), [], Counter()
    history = (start, names)  # shown where the two differ: load the first, take the second
    referee = Referee(start)
    policies = [rng.choice(POLICIES) for _ in range(referee.players)]
    before = check_same(s, referee, history)
    while not referee.is_terminal() and len(names) < most:
        policy = rng.choice(POLICIES) if rng.random() < 0.2 else policies[referee.current_player()]
        name = policy(rng, sorted(referee.legal_actions()))
        names.append(name)
        GAME.apply_action(s, GAME.action(name))
        referee.follow(name, GAME.dump(s))
        after = check_same(s, referee, history)
        note(seen, before, name, after)
        before = after
        if rng.random() < RELOAD_SHARE:
            s = GAME.load(GAME.dump(s))
            check_same(s, referee, history)
    check_same(GAME.load(GAME.dump(s)), referee, history)  # where it ended, too
    return seen


def note(seen, before, name, after):
    """Tally the situations that the runs must have met."""
    variant, seat = before["variant"], before["turn"]
    held = [len(hand) for hand in before["hands"]]
    same_toilet = before["toilets"] == after["toilets"] and after["phase"] != "share"
    flushed = name.startswith("play ") and not after["table"] and same_toilet
    seen["decisions"] += 1
    seen[f"{variant}: {name.split(' ')[0]}"] += 1
    seen[f"{variant}: flush"] += flushed
    seen["toilets shuffled"] += not before["toilets"] and before["lid"] != after["lid"]
    seen["discard shuffled"] += len(after["draw_pile"]) > len(before["draw_pile"])
    seen["nobody could draw"] += flushed and not after["draw_pile"] and not after["discard"]
    seen["caught"] += before["phase"] == "play" and len(after["hands"][seat]) == held[seat] and not flushed
    seen["duty taken over"] += sum(map(bool, before["duties"])) > 0 and before["duties"] != after["duties"]
    seen["direction turned"] += before["direction"] != after["direction"]
    seen["skip pending"] += after["skip_next"]
    seen["laid and asked"] += after["phase"] == "intercept" and held[seat] == 1
    seen["back in"] += name in ("slap", "hold") and any(a and not b for a, b in zip(after["hands"], held, strict=True))
    if after["phase"] == "over":
        seen[f"{variant}: {'cut' if after['truncated'] else 'won'} in {before['phase']}"] += 1
        seen[f"{variant}: won by another"] += after["winners"] != [] and after["winners"] != [seat]
        seen["tie"] += len(after["winners"]) > 1


def run(seeds, most=100_000):
    """One fresh game and some positions per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        variant = VARIANTS[seed % len(VARIANTS)]
        options = random_options(rng, variant, rng.randint(2, 5))
        seen += follow(GAME.new_state(seed=seed, **as_parameters(options)), rng, most)
        for _ in range(6):
            seen += follow(GAME.load(random_position(rng, variant)), rng, most)
    return seen


ALWAYS_MET = [
    "classic: clog", "classic: flush", "classic: share", "classic: won in play", "classic: cut in play",
    "blind_pooper: flush", "blind_pooper: share", "blind_pooper: won in play", "flushers_delight: flush",
    "flushers_delight: won by another", "interceptor: intercept", "interceptor: pass", "interceptor: share",
    "interceptor: won in intercept", "interceptor: won by another", "laid and asked",
    "super_pooper: flip", "super_pooper: slap", "super_pooper: hold", "super_pooper: share",
    "super_pooper: won in play", "super_pooper: won in slap", "super_pooper: cut in play", "back in", "tie",
    "deep_doo_doo: flush",
    "toilets shuffled", "discard shuffled", "nobody could draw", "caught", "duty taken over", "direction turned",
    "skip pending",
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(90), most=100)
    assert [situation for situation in ALWAYS_MET if not seen[situation]] == []


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", range(2, 6))
def test_game_follows_the_referee_with_any_number_of_players(players, variant):
    rng = seeded(players)
    for drinking in (False, True):
        s = GAME.new_state(seed=players, num_players=players, variant=variant, drinking=drinking, duties="forgetful")
        follow(s, rng, most=300)


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3, 4])
def test_game_follows_the_referee_for_long(part):
    seen = run(range(10_000 * part, 10_000 * part + 600))
    assert [situation for situation in ALWAYS_MET if not seen[situation]] == []
