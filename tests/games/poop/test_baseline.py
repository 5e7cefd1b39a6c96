"""Random play, and play by the simplest of rules, gives the lengths and win rates that the rules lead to.

The expected values were measured by a program of its own; here they must come out within what chance allows for as
many games as are played. All games are played at once by the compiled drivers.
"""

import numpy as np
import pytest

from poopdeck.envs.core.chance import seed_streams
from poopdeck.envs.tables.batch import Batch
from poopdeck.envs.tables.kernel import Setup
from poopdeck.envs.tables.seating import Seating

from .table import GAME

SLAP, HOLD, INTERCEPT = (GAME.action(name) for name in ("slap", "hold", "intercept"))
NAMES = GAME.spec.action_names(GAME.spec.settings())
VALUE = np.array([int(name[-1]) if name[-1].isdigit() and "play" in name else 0 for name in NAMES])


def highest(scores, masks):
    """Of the legal cards one of the highest number."""
    return scores + VALUE


def lowest(scores, masks):
    return scores - VALUE


def always(action):
    def choose(scores, masks):
        scores = scores.copy()
        scores[:, action] += 2
        return scores

    return choose


class Played:
    """`count` games, one seat of each (turn by turn another) choosing as `hero` prefers, all else at random."""

    def __init__(self, count, players, hero=None, seed=3, **options):
        seating = Seating(GAME, GAME.spec.settings(players, **options), [])
        batch = Batch(seating, count, Setup(deals_on=False))
        masks, tables = batch.buffers.masks, batch.buffers.tables
        batch.buffers.states["rng"] = seed_streams(seed, count)
        batch.deal()
        self.starters = tables["seat"].copy()
        self.heroes = np.arange(count) % players
        self.forced = 0
        playing, rng, actions = np.arange(count), np.random.default_rng(seed), np.zeros(count, np.int64)
        while len(playing):
            scores = rng.random((len(playing), GAME.spec.num_actions))
            if hero is not None:
                mine = tables["seat"][playing] == self.heroes[playing]
                scores[mine] = hero(scores[mine], masks[playing[mine]])
            scores[masks[playing] == 0] = -99
            actions[playing] = scores.argmax(axis=1)
            self.forced += int((masks[playing].sum(axis=1) == 1).sum())
            batch.step(actions, playing)
            playing = playing[~tables["ended"][playing]]
        self.lengths, self.truncated = tables["length"], tables["truncated"]
        self.returns = batch.buffers.final_returns

    def wins_of(self, seats):
        """Share of games in which these seats won alone."""
        return float((self.returns[np.arange(len(seats)), seats] == 1).mean())


def near(found, expected, spread, count, rounding):
    """Within four standard errors of the mean of `count` games, and what the expected value was rounded by."""
    assert abs(found - expected) < 4 * spread / count**0.5 + rounding, (found, expected)


@pytest.mark.parametrize(
    ("players", "length", "starter"), [(2, 11.2, 0.54), (3, 15.2, 0.37), (4, 19.8, 0.32), (5, 24.9, 0.25)]
)
def test_random_games(players, length, starter):
    games = Played(6000, players)
    near(games.lengths.mean(), length, games.lengths.std(), 6000, 0.1)
    near(games.wins_of(games.starters), starter, 0.5, 6000, 0.005)
    assert not games.truncated.any() and np.allclose(games.returns.sum(axis=1), 0, atol=1e-5)


@pytest.mark.parametrize(("players", "length"), [(2, 213), (3, 333), (4, 474), (5, 590)])
def test_random_games_of_super_pooper(players, length):
    games = Played(800, players, variant="super_pooper")
    near(games.lengths.mean(), length, games.lengths.std(), 800, 6)
    near(games.truncated.mean(), 0.09, 0.29, 800, 0.04)
    assert 0.78 < games.forced / games.lengths.sum() < 0.92
    assert np.allclose(games.returns.sum(axis=1), 0, atol=1e-5)


@pytest.mark.parametrize(
    ("hero", "players", "rate", "rounding"),
    [
        (None, 2, 0.504, 0.005), (None, 4, 0.258, 0.01), (highest, 2, 0.645, 0.015), (highest, 4, 0.387, 0.01),
        (lowest, 2, 0.344, 0.01), (lowest, 4, 0.151, 0.01),
    ],
)  # fmt: skip
def test_one_seat_that_plays_high_or_low(hero, players, rate, rounding):
    games = Played(6000, players, hero)
    near(games.wins_of(games.heroes), rate, 0.5, 6000, rounding)


@pytest.mark.parametrize(("players", "rate"), [(2, 0.51), (4, 0.29)])
def test_one_seat_that_always_intercepts(players, rate):
    games = Played(6000, players, always(INTERCEPT), variant="interceptor")
    near(games.wins_of(games.heroes), rate, 0.5, 6000, 0.01)


@pytest.mark.parametrize(
    ("action", "players", "rate"), [(SLAP, 2, 0.83), (SLAP, 4, 0.63), (HOLD, 2, 0.18), (HOLD, 4, 0.03)]
)
def test_one_seat_that_always_slaps_or_holds(action, players, rate):
    games = Played(800, players, always(action), variant="super_pooper")
    near(games.wins_of(games.heroes), rate, 0.5, 800, 0.03)
