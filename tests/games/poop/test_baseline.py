"""Random play, and play by the simplest of rules, gives the lengths and win rates that the rules lead to.

The expected values were measured by a program of its own; here they must come out within what chance allows for as
many games as are played. All games are played at once by the compiled drivers.
"""

import numpy as np
import pytest

from poopdeck.envs.core import drivers
from poopdeck.envs.core.chance import seed_streams

from .table import GAME

STEP = drivers.step_games(GAME.spec.rules, GAME.spec.observation)
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
        settings = GAME.spec.settings(players, **options)
        states = GAME.empty_states(settings, count)
        states["rng"] = seed_streams(seed, count)
        actions = GAME.spec.num_actions
        masks, seats = np.zeros((count, actions), np.int8), np.zeros(count, np.int64)
        for game in range(count):
            GAME._deal(states, game)
            seats[game] = GAME._legal(states, game, masks[game])
        self.starters = seats.copy()
        self.heroes = np.arange(count) % players
        self.lengths, self.truncated = np.zeros(count, int), np.zeros(count, bool)
        self.returns, self.forced = np.zeros((count, players)), 0
        playing, rng = np.arange(count), np.random.default_rng(seed)
        rows = {
            "states": states, "actions": np.zeros(count, np.int64), "masks": masks, "seats": seats,
            "observations": np.zeros((count, GAME.spec.observation_size(settings)), np.float32),
            "lengths": np.zeros(count, np.int64), "final_lengths": np.zeros(count, np.int64),
            **{name: np.zeros((count, players), np.float32) for name in ("rewards", "totals", "final_returns")},
            **{name: np.zeros(count, np.bool_) for name in ("terminated", "truncated")},
        }  # fmt: skip
        order = (
            "states", "actions", "observations", "masks", "seats", "rewards", "totals", "lengths", "terminated",
            "truncated", "final_returns", "final_lengths",
        )  # fmt: skip
        while len(playing):
            scores = rng.random(rows["masks"].shape)
            if hero is not None:
                mine = rows["seats"] == self.heroes[playing]
                scores[mine] = hero(scores[mine], rows["masks"][mine])
            scores[rows["masks"] == 0] = -99
            rows["actions"] = scores.argmax(axis=1)
            self.forced += int((rows["masks"].sum(axis=1) == 1).sum())
            STEP(*[rows[name] for name in order], 0, len(playing))
            done = rows["terminated"] | rows["truncated"]
            over = playing[done]
            self.lengths[over], self.truncated[over] = rows["final_lengths"][done], rows["truncated"][done]
            self.returns[over] = rows["final_returns"][done]
            if done.any():
                playing, rows = playing[~done], {name: array[~done] for name, array in rows.items()}

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
