"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of all variants and mid-game positions near an end, under all parameters; seats play by different
policies so that everything comes up. Where chance plays a part, the referee says what may come of an action, and the
game must have come to one of these; how often each comes is a matter of the tests of rules.
"""

from collections import Counter

import pytest
from reference.poop import Referee
from support.referees import Comparison, never_met

from .random_positions import POLICIES, as_parameters, random_options, random_position, seeded
from .table import GAME, VARIANTS


class Games(Comparison):
    """The referee works out what may come of an action, and goes on with what the game came to."""

    game, referee, policies = GAME, Referee, POLICIES
    change_of_policy, reload, tolerance = 0.2, 0.02, 1e-5

    def tell(self, referee, name, s):
        referee.follow(name, GAME.dump(s))

    def note(self, seen, before, name, seat, after, referee):
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
        seen["back in"] += name in ("slap", "hold") and any(
            a and not b for a, b in zip(after["hands"], held, strict=True)
        )
        if after["phase"] == "over":
            seen[f"{variant}: {'truncated' if after['truncated'] else 'won'} in {before['phase']}"] += 1
            seen[f"{variant}: won by another"] += after["winners"] != [] and after["winners"] != [seat]
            seen["tie"] += len(after["winners"]) > 1


GAMES = Games()


def run(seeds, most=100_000):
    """One fresh game and some positions per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        variant = VARIANTS[seed % len(VARIANTS)]
        options = random_options(rng, variant, rng.randint(2, 5))
        seen += GAMES.follow(GAME.new_state(seed=seed, **as_parameters(options)), rng, most)
        for _ in range(6):
            seen += GAMES.follow(GAME.load(random_position(rng, variant)), rng, most)
    return seen


ALWAYS_MET = [
    "classic: clog", "classic: flush", "classic: share", "classic: won in play", "classic: truncated in play",
    "blind_pooper: flush", "blind_pooper: share", "blind_pooper: won in play", "flushers_delight: flush",
    "flushers_delight: won by another", "interceptor: intercept", "interceptor: pass", "interceptor: share",
    "interceptor: won in intercept", "interceptor: won by another", "laid and asked",
    "super_pooper: flip", "super_pooper: slap", "super_pooper: hold", "super_pooper: share",
    "super_pooper: won in play", "super_pooper: won in slap", "super_pooper: truncated in play", "back in", "tie",
    "deep_doo_doo: flush",
    "toilets shuffled", "discard shuffled", "nobody could draw", "caught", "duty taken over", "direction turned",
    "skip pending",
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(90), most=100)
    assert never_met(seen, ALWAYS_MET) == []


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", range(2, 6))
def test_game_follows_the_referee_with_any_number_of_players(players, variant):
    rng = seeded(players)
    for drinking in (False, True):
        s = GAME.new_state(seed=players, num_players=players, variant=variant, drinking=drinking, duties="forgetful")
        GAMES.follow(s, rng, most=300)


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3, 4])
def test_game_follows_the_referee_for_long(part):
    seen = run(range(10_000 * part, 10_000 * part + 600))
    assert never_met(seen, ALWAYS_MET) == []
