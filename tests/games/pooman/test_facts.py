"""Known numbers, reproduced."""

from random import Random

import pytest

from .table import GAME


def random_games(chase, count):
    """Who wins when everybody plays at random: the share of the Pooman, over 2 to 6 players."""
    random, won = Random(1), 0
    for seed in range(count):
        s = GAME.new_state(seed=seed, num_players=2 + seed % 5, chase=chase)
        while legal := GAME.legal_actions(s):
            GAME.apply_action(s, legal[random.randrange(len(legal))])
        won += GAME.returns(s)[-1] == 1.0
    return won / count


def test_random_players_lose_a_random_chase_rarely():
    """About .07 of the games are known to go to the Pooman; 800 games have a standard deviation of .009."""
    assert random_games("grid", 800) == pytest.approx(0.075, abs=0.027)


def test_most_decisions_without_the_chase_are_forced():
    """About 86 % of them."""
    random, forced, decisions = Random(2), 0, 0
    for seed in range(300):
        s = GAME.new_state(seed=seed, num_players=2 + seed % 5, chase="off")
        while legal := GAME.legal_actions(s):
            forced += len(legal) == 1
            decisions += 1
            GAME.apply_action(s, legal[random.randrange(len(legal))])
    assert forced / decisions == pytest.approx(0.86, abs=0.06)
