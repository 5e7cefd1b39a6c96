"""Scores summed up: by hand, by properties, and against the library of those who defined them (a test extra)."""

import numpy as np
import pytest

from poopdeck.training.benchmark.statistics import (
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    stratified_interval,
)

RNG = np.random.default_rng(5)
SCORES = {"one": RNG.normal(0.5, 0.2, (6, 3)), "other": RNG.normal(0.6, 0.3, (6, 3))}


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert interquartile_mean(np.array([[0.0], [1.0], [2.0], [100.0]])) == 1.5
    assert interquartile_mean(np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 900.0]])) == 4.5
    assert interquartile_mean(np.array([[3.0]])) == 3.0


def test_a_profile_is_the_share_above_each_threshold():
    profile = performance_profile(np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([-1.0, 0.0, 1.5, 3.0]))
    assert profile.tolist() == [1.0, 0.75, 0.5, 0.0]


def test_the_probability_of_improvement_counts_pairs_within_a_game():
    one, other = np.array([[1.0, 10.0], [3.0, 10.0]]), np.array([[2.0, 10.0]])
    assert probability_of_improvement(one, other) == (0.5 + 0.5) / 2
    assert probability_of_improvement(other, one) == 0.5
    assert probability_of_improvement(one + 100, other) == 1.0


def test_intervals_hold_the_statistic_and_narrow_with_the_runs():
    few = stratified_interval(interquartile_mean, SCORES["one"][:3])
    many = stratified_interval(interquartile_mean, np.repeat(SCORES["one"], 8, axis=0))
    assert few[0] <= interquartile_mean(SCORES["one"][:3]) <= few[1]
    assert many[1] - many[0] < few[1] - few[0]
    assert np.isnan(stratified_interval(interquartile_mean, SCORES["one"][:1])).all()


def test_runs_are_drawn_within_their_game():
    """Two games far from each other and each without spread: nothing that is drawn can change the mean."""
    low, high = stratified_interval(lambda scores: float(scores.mean()), np.tile([0.0, 100.0], (4, 1)))
    assert low == high == 50.0


def test_an_interval_covers_as_often_as_it_says():
    hits = 0
    for k in range(200):
        scores = np.random.default_rng(k).normal(0, 1, (20, 2))
        low, high = stratified_interval(lambda s: float(s.mean()), scores, seed=k, resamples=200)
        hits += low <= 0 <= high
    assert 175 <= hits <= 200  # of 190 expected; 20 runs make the bootstrap a little too narrow


@pytest.mark.parametrize(
    ("scores", "message"),
    [(np.zeros(3), "shape"), (np.zeros((0, 2)), "at least one"), (np.array([[np.nan]]), "finite")],
)
def test_scores_that_cannot_be_summed_up_are_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        interquartile_mean(scores)
    with pytest.raises(ValueError, match="the same ones"):
        probability_of_improvement(np.zeros((2, 2)), np.zeros((2, 3)))


@pytest.fixture(scope="module")
def rliable():
    """The library of those who defined the figures; in an environment of its own, see ``make test-extras``."""
    pytest.importorskip("rliable", reason='needs rliable: pip install "poopdeck[rliable]"')
    from rliable import library, metrics

    np.random.seed(0)  # it draws from there
    return library, metrics


def random_scores(seed, runs, games, rounded):
    """Games of their own height and spread, runs that are good in all games or in none, and ties where rounded."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, (runs, 1)) + rng.normal(0, 2, games) + rng.normal(0, 1, (runs, games)) * rng.uniform(1, 3)
    return scores.round() if rounded else scores


@pytest.mark.parametrize("seed", range(30))
def test_the_figures_are_those_of_rliable(rliable, seed):
    library, metrics = rliable
    runs, others, games = np.random.default_rng(seed).integers((1, 1, 1), (12, 12, 7))
    one = random_scores(seed, runs, games, seed % 3 == 0)
    other = random_scores(1000 + seed, others, games, seed % 3 == 0)
    assert interquartile_mean(one) == pytest.approx(metrics.aggregate_iqm(one))
    assert probability_of_improvement(one, other) == pytest.approx(metrics.probability_of_improvement(one, other))
    thresholds = np.linspace(-3, 3, 25)
    assert performance_profile(one, thresholds) == pytest.approx(library.score_distributions(one, thresholds))


@pytest.mark.parametrize("seed", range(2))
def test_the_intervals_are_those_of_rliable(rliable, seed):
    """Both draw 3,000 times by generators of their own: bounds agree to a small part of the interval's width."""
    library, metrics = rliable
    one, other = random_scores(seed, 6, 4, False), random_scores(1000 + seed, 9, 4, False)
    thresholds = np.linspace(-3, 3, 5)
    compared = [
        (interquartile_mean, lambda x: np.array([metrics.aggregate_iqm(x)]), (one,)),
        (lambda x: performance_profile(x, thresholds), lambda x: library.score_distributions(x, thresholds), (one,)),
        (probability_of_improvement, lambda x, y: np.array([metrics.probability_of_improvement(x, y)]), (one, other)),
    ]
    for ours, theirs, scores in compared:
        found = stratified_interval(ours, *scores, resamples=3000)
        given = scores[0] if len(scores) == 1 else list(scores)
        _, wanted = library.get_interval_estimates({"it": given}, theirs, reps=3000)
        wanted = np.squeeze(wanted["it"])
        width = wanted[1] - wanted[0]
        steps = 2 / one.size if ours not in (interquartile_mean, probability_of_improvement) else 0.0
        assert (np.abs(found - wanted) <= 0.1 * width + steps).all()  # a profile goes in steps of one score
