"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of 2 to 6 players and random positions in the middle of a game, under all options; seats
play by different policies so that all ends are reached. Where chance decides, the referee says whether what the
game did can be, and follows it.
"""

from collections import Counter

import pytest
from reference.too_many_poops import Referee
from support.referees import Comparison, never_met

from .random_positions import POLICIES, random_options, random_position, seeded
from .table import GAME


class Games(Comparison):
    """The referee says whether what the game did can be, and follows it."""

    game, referee, policies = GAME, Referee, POLICIES
    change_of_policy, reload = 0.15, 0.02

    def tell(self, referee, name, s):
        referee.apply(name, GAME.dump(s))

    def note(self, seen, before, name, seat, after, referee):
        """Tally the situations that the runs must have met."""
        turn, phase = before["turn"], before["phase"]
        seen["decisions"] += 1
        seen[f"phase {phase}"] += 1
        seen[f"{before['players']} players"] += 1
        pending, stack, arrival = before["pending"] or {}, before["stack"], before["arrival"]
        for word in ("draw from the wild", "to the wild", "end", "pass"):
            seen[f"{word}, {phase}"] += name == word
        seen[f"{name.split()[0]} {'reaction' if before['ask'] else 'item'}"] += name.startswith(("play ", "discard "))
        seen["a gap stays"] += name.startswith("draw store")
        if name == "play hiss":
            seen[f"hiss on {stack[-1]['item']}"] += 1
            seen["three hisses"] += sum(entry["item"] == "hiss" for entry in stack) == 2
        if stack and not after["stack"]:
            hisses = sum(entry["item"] == "hiss" for entry in stack) + (name == "play hiss")
            seen[f"{stack[0]['item']} {'cancelled' if hisses % 2 else 'holds'}"] += 1
            seen["holds after a hiss"] += hisses == 2
        if after["arrival"] and not arrival:
            seen[f"door asked after {'swap' if 'swap' in str(stack) or pending.get('act') == 'swap' else 'else'}"] += 1
        if name == "play closed door":
            seen["door shut"] += 1
        own_cats, own_items = (len(before["hands"][turn][kind]) for kind in ("cats", "items"))
        seen["a seventh card"] += phase == "draw" and own_items == 6
        seen["no cat can be had"] += phase == "play" and name == "end" and not own_cats and not before["cat_played"]
        seen["second cat"] += (
            name.startswith(("to home", "to the")) and pending.get("act") == "play" and before["cat_played"]
        )
        seen["rainbow of several homes"] += name.startswith("to home") and pending.get("act") in ("shoo", "swap")
        seen["item deck made anew"] += len(after["item_deck"]) > len(before["item_deck"])
        seen["seventh cat in a home"] += any(len(home["cats"]) > 6 for home in after["homes"])
        if name == "end" and phase == "play":
            newly = len(after["out"]) - len(before["out"])
            seen["out"] += newly > 0
            seen["several out at once"] += newly > 1
            seen["golden"] += any(
                after["homes"][seat]["poops"] == before["homes"][seat]["poops"] + 1
                for seat in range(before["players"])
                if seat != turn and seat not in after["out"]
            )
        if after["phase"] == "over":
            last = len(after["out"]) == after["players"] - 1
            end = "truncated" if after["truncated"] else "won as the last" if last else "won by points"
            seen[end] += 1
            seen[f"{end}, {'own' if after['winner'] == turn else 'other'} turn"] += 1
            seen["truncated in a choice"] += after["truncated"] and bool(after["pending"] or after["ask"])
            seen["survivor with ten poops"] += last and after["homes"][after["winner"] or 0]["poops"] >= 10


GAMES = Games()


def run(seeds, most=100_000, positions=4):
    """One fresh game and some positions per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        players = rng.randint(2, 6)
        fresh = GAME.new_state(seed=seed, num_players=players, **random_options(rng, players))
        seen += GAMES.follow(fresh, rng, most)
        for _ in range(positions):
            seen += GAMES.follow(GAME.load(random_position(rng)), rng, most // 3)
    return seen


ALWAYS_MET = [
    "phase choose", "phase draw", "phase play", *[f"{players} players" for players in range(2, 7)],
    "draw from the wild, draw", "end, draw", "end, play", "pass, play", "to the wild, play",
    "play item", "discard item", "play reaction", "a gap stays", "a seventh card", "no cat can be had", "second cat",
    *[f"hiss on {item}" for item in ("replay", "lure", "shoo", "swap", "scoop", "big dinner", "hiss", "closed door")],
    *[f"{item} {end}" for item in ("lure", "swap", "auto scooper", "closed door") for end in ("holds", "cancelled")],
    "holds after a hiss", "three hisses",
    "door asked after swap", "door asked after else", "door shut", "rainbow of several homes",
    "item deck made anew", "seventh cat in a home", "out", "several out at once", "golden",
    "survivor with ten poops", "truncated", "truncated in a choice", "won as the last", "won by points",
    "won by points, own turn", "won by points, other turn", "won as the last, own turn", "won as the last, other turn",
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(80), most=200)
    assert never_met(seen, ALWAYS_MET) == []


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("options", [{}, {"optional_draw": True}, {"golden_poople": True}, {"rainbow_cats": 8}])
def test_game_follows_the_referee_with_any_number_of_players(players, options):
    GAMES.follow(GAME.new_state(seed=players, num_players=players, **options), seeded(players))


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3])
def test_game_follows_the_referee_for_long(part):
    """1,000 games and 8,000 positions a part, to their ends."""
    seen = run(range(10_000 * part, 10_000 * part + 1000), positions=8)
    assert never_met(seen, ALWAYS_MET) == []
