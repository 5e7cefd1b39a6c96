"""Ratings: known strengths are found, intervals cover them, chance is not called a difference."""

import numpy as np
import pytest

from poopdeck.training.evaluation.ratings import SCALE, count_wins, fit_strengths, letter_groups, rate

ELO = np.array([150.0, 60.0, -50.0, -160.0])


def lineups_of(agents, seats, games, rng):
    """Random tables with at least two different agents."""
    found = rng.integers(agents, size=(games, seats))
    same = (found == found[:, :1]).all(axis=1)
    found[same, 0] = (found[same, 0] + 1) % agents
    return found


def one_loser(elo, lineups, rng):
    """Payoffs (games, P) where Luce's choice says who loses."""
    weights = 10 ** (-elo[lineups] / 400)
    loser = (weights.cumsum(axis=1) / weights.sum(axis=1, keepdims=True) < rng.random((len(lineups), 1))).sum(axis=1)
    returns = np.full(lineups.shape, 1 / (lineups.shape[1] - 1))
    returns[np.arange(len(lineups)), loser] = -1
    return returns


def rankings(elo, lineups, rng):
    """Payoffs by place, where Plackett and Luce's model says who comes where (the Gumbel trick)."""
    score = elo[lineups] / SCALE + rng.gumbel(size=lineups.shape)
    return score.argsort(axis=1).argsort(axis=1).astype(float)


def simulated(results, elo, seats, deals, games_per_deal, rng, repeated=1):
    """Wins by deals; each game counted ``repeated`` times, as if the same happened again on the same cards."""
    lineups = lineups_of(len(elo), seats, deals * games_per_deal, rng)
    returns = results(elo, lineups, rng)
    deal = np.repeat(np.arange(deals), games_per_deal)
    return count_wins(len(elo), *(np.repeat(part, repeated, axis=0) for part in (lineups, returns, deal)))


def test_two_agents_have_the_closed_form():
    wins = np.array([[0.0, 75.0], [25.0, 0.0]])
    found = fit_strengths(wins)
    assert found[0] - found[1] == pytest.approx(np.log(75.5 / 25.5))
    assert found.sum() == pytest.approx(0)


def test_the_fit_solves_the_likelihood_equations():
    rng = np.random.default_rng(0)
    wins = rng.integers(0, 200, (6, 6)) * ~np.eye(6, dtype=bool)
    strengths = fit_strengths(wins.astype(float))
    counted = wins + 0.5 * ~np.eye(6, dtype=bool)
    expected = (counted + counted.T) / (1 + np.exp(strengths - strengths[:, None]))
    np.testing.assert_allclose(expected.sum(axis=1), counted.sum(axis=1), rtol=1e-6)


def test_wins_are_counted_between_different_agents_with_different_payoffs():
    lineups = np.array([[0, 1, 2], [2, 2, 0], [1, 0, 2]])
    returns = np.array([[0.5, -1.0, 0.5], [-1.0, 0.5, 0.5], [0.0, 0.0, 0.0]])
    wins = count_wins(3, lineups, returns, np.array([0, 0, 1]))
    np.testing.assert_array_equal(wins[0], [[0, 1, 1], [0, 0, 0], [0, 1, 0]])
    assert not wins[1].any()


def test_many_deals_are_bundled_and_none_is_lost():
    rng = np.random.default_rng(1)
    lineups = lineups_of(3, 2, 5000, rng)
    wins = count_wins(3, lineups, rankings(ELO[:3], lineups, rng), np.arange(5000) // 2)
    assert len(wins) == 1000 and wins.sum() == 5000


@pytest.mark.parametrize(("results", "seats"), [(one_loser, 4), (rankings, 5), (rankings, 2)])
def test_known_strengths_are_found_whatever_the_size_of_the_table(results, seats):
    wins = simulated(results, ELO, seats, 400, 20, np.random.default_rng(seats))
    found = rate(wins, replicates=200)
    # all four covered at once: a little wider than each one's 95 %
    half = 1.3 * np.diff(found.interval)[:, 0] / 2
    assert (np.abs(found.elo - ELO) < half).all(), found.elo
    assert half.max() < 30
    assert found.groups == ["a", "b", "c", "d"] and found.elo.sum() == pytest.approx(0)
    assert not found.unbounded and abs(found.misfit[2] - found.misfit[3]) < 0.05


def test_intervals_cover_the_truth_although_games_of_a_deal_are_alike():
    rng = np.random.default_rng(2)
    inside, apart = [], 0
    for _ in range(20):
        found = rate(simulated(one_loser, ELO, 4, 120, 2, rng, repeated=4), anchor=3, replicates=100)
        truth = ELO - ELO[3]
        inside += ((found.interval[:3, 0] < truth[:3]) & (truth[:3] < found.interval[:3, 1])).tolist()
        assert found.elo[3] == 0 and not found.interval[3].any()
        level = rate(simulated(one_loser, np.zeros(5), 4, 120, 2, rng, repeated=4), replicates=100)
        apart += bool(level.distinguishable.any())
    assert np.mean(inside) > 0.87, np.mean(inside)
    assert apart <= 4, f"equal agents were called different in {apart} of 20 tournaments"


def test_an_agent_that_never_lost_is_rated_and_told_of():
    wins = np.zeros((20, 3, 3))
    wins[:, 0, 1] = wins[:, 0, 2] = 10
    wins[:, 1, 2] = wins[:, 2, 1] = 5
    found = rate(wins, replicates=50)
    assert np.isfinite(found.elo).all() and found.elo[0] > 500
    assert found.unbounded == [([0], [1, 2])]
    assert found.distinguishable[0, 1] and not found.distinguishable[1, 2]


def test_games_without_a_winner_tell_nobody_apart():
    found = rate(np.zeros((20, 3, 3)), replicates=20)
    np.testing.assert_allclose(found.elo, 0, atol=1e-9)
    assert not found.distinguishable.any() and found.groups == ["a"] * 3 and found.misfit is None


def test_few_deals_are_no_evidence():
    wins = np.zeros((5, 2, 2))
    wins[:, 0, 1] = 100
    assert not rate(wins, replicates=20).distinguishable.any()


def test_two_agents_share_a_letter_exactly_if_they_cannot_be_told_apart():
    rng = np.random.default_rng(3)
    for _ in range(100):
        size = int(rng.integers(2, 9))
        apart = rng.random((size, size)) < rng.random()
        apart = np.triu(apart, 1) | np.triu(apart, 1).T
        order = rng.permutation(size).tolist()
        letters = letter_groups(apart, order)
        assert "a" in letters[order[0]]
        for one in range(size):
            for other in range(size):
                assert bool(set(letters[one]) & set(letters[other])) == (not apart[one, other])


def test_the_same_seed_gives_the_same_intervals():
    wins = simulated(one_loser, ELO, 4, 50, 4, np.random.default_rng(4))
    one, other, different = (rate(wins, seed=seed, replicates=50) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.interval, other.interval)
    assert (one.interval != different.interval).any()
