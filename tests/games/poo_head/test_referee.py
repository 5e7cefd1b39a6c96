"""The game beside the slow referee, decision by decision: who acts, what is legal, the position, returns.

Starts are fresh deals of 2 to 25 players, mid-game positions near an end, and half-made arrangements, under
all options; seats play by different policies so that all ends are reached. Where a round of a match is dealt,
the referee cannot know the cards: then the rest is compared, and it goes on from the game's position.
"""

from collections import Counter

import pytest
from reference.poo_head import Referee
from support.referees import Comparison, never_met

from .random_positions import (
    POLICIES,
    deck,
    random_arrangement,
    random_free_start,
    random_options,
    random_position,
    seeded,
)
from .table import GAME

CARDS_OF_A_DEAL = ("hands", "face_up", "face_down", "draw_pile")


def check_new_deal(referee, dump):
    """Of a round just dealt: all that is no chance."""
    expected = referee.dump()
    assert {f: v for f, v in dump.items() if f not in CARDS_OF_A_DEAL} == {
        f: v for f, v in expected.items() if f not in CARDS_OF_A_DEAL
    }
    rows = dump["hands"] + dump["face_up"] + dump["face_down"]
    assert [len(row) for row in rows] == [3] * (3 * dump["players"])
    assert Counter(sum(rows, []) + dump["draw_pile"]) == +deck(dump["players"], dump)


class Games(Comparison):
    """Where a round of a match is dealt, the referee cannot know the cards."""

    game, referee, policies = GAME, Referee, POLICIES

    def note(self, seen, before, name, seat, after, referee):
        """Tally the situations that the runs must have met."""
        seat, pile = before["turn"], before["pile"]
        seen["decisions"] += 1
        seen[f"phase {before['phase']}"] += 1
        seen[f"{before['players']} players"] += before["decisions"] == 0
        zone = "hand" if before["hands"][seat] else "face-up" if before["face_up"][seat] else "face-down"
        if name == "pick up":
            seen[f"taken from {zone}"] += 1
            seen["taken while bound"] += pile[-1] == "4"
        elif before["phase"] == "play":
            burnt = referee.burnt[len(before["burnt"]) :]
            row = next((k for k in (5, 4) if len(burnt) >= k and len(set(burnt[-k:])) == 1), 0)
            seen[f"laid from {zone}, {'burnt' if burnt else 'lies'}"] += 1
            seen["burnt by four"] += bool(burnt) and row == 4
            seen["burnt by more than four"] += row == 5
            seen["answer to a 4"] += pile[-1:] == ["4"]
            seen["out on a burn"] += bool(burnt) and seat in referee.out
            seen["flip failed"] += name.startswith("flip") and bool(referee.hands[seat])
            seen["opening"] += before["opening"]
            seen["four laid at once"] += name.endswith("x4")
        seen["free start"] += before["phase"] == "arrange" and referee.phase == "play" and not referee.opening
        seen["known after the reveal"] += before["phase"] == "arrange" and any(referee.known)
        seen["next round"] += referee.needs_deal
        seen["next round after a tie"] += referee.needs_deal and max(referee.points) >= before["target"]
        seen["next round after a truncation"] += referee.needs_deal and referee.points == before["points"]
        if referee.is_terminal():
            seen[f"truncated in phase {before['phase']}"] += referee.truncated
            match = before["scoring"] == "points"
            seen["lost" if not match else "match over"] += not referee.truncated
            seen["match tied"] += match and not any(referee.returns())
            seen["match ended by max_rounds"] += match and max(referee.points) < before["target"]

    def go_on(self, referee, s):
        if not referee.needs_deal:
            return referee
        check_new_deal(referee, self.common(GAME.dump(s)))
        return Referee(GAME.dump(s))


GAMES = Games()


def run(seeds, most=100_000):
    """One of each kind of start per seed."""
    seen = Counter()
    for seed in seeds:
        rng = seeded(seed)
        players = rng.choice([2, 2, 3, 3, 4, 4, 5, 6, rng.randint(7, 25)])
        fresh = GAME.new_state(seed=seed, num_players=players, **random_options(rng, players))
        seen += GAMES.follow(fresh, rng, most)
        loaded = [random_position(rng) for _ in range(6)] + [random_arrangement(rng), random_free_start(rng)]
        for scenario in loaded:
            seen += GAMES.follow(GAME.load(scenario), rng, most // 4)
    return seen


ALWAYS_MET = [
    "phase arrange", "known after the reveal", "free start", "phase play", "opening",
    "laid from hand, lies", "laid from face-up, lies", "laid from face-down, lies", "flip failed",
    "laid from hand, burnt", "laid from face-up, burnt", "laid from face-down, burnt", "out on a burn",
    "burnt by four", "burnt by more than four", "four laid at once", "answer to a 4", "taken while bound",
    "taken from hand", "taken from face-up", "taken from face-down", "lost",
    "truncated in phase arrange", "truncated in phase play", "next round", "next round after a truncation",
    "next round after a tie", "match over", "match tied", "match ended by max_rounds",
    *[f"{players} players" for players in (2, 3, 4, 5, 6, 7, 11, 25)],
]  # fmt: skip


def test_game_follows_the_referee():
    seen = run(range(60), most=400)
    assert never_met(seen, ALWAYS_MET) == []


@pytest.mark.parametrize("players", range(2, 26))
def test_game_follows_the_referee_with_any_number_of_players(players):
    rng = seeded(players)
    GAMES.follow(GAME.new_state(seed=players, num_players=players, max_decisions=12 * players), rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 2, 3])
def test_game_follows_the_referee_for_long(part):
    """900 games a part; 2,500 decisions are enough for the default cap of two players."""
    seen = run(range(1000 * part, 1000 * part + 100), most=2500)
    assert never_met(seen, ALWAYS_MET) == []
