"""Scores of several runs in several games, summed up with intervals.

All take scores float (runs, games) of one algorithm: a run is a seed, and what a game's scores mean is the same for
all games. Source: Agarwal et al. 2021, Deep Reinforcement Learning at the Edge of the Statistical Precipice.
"""

from collections.abc import Callable

import numpy as np

CONFIDENCE = 0.95
RESAMPLES = 2000


def interquartile_mean(scores: np.ndarray) -> float:
    """Mean of the middle half of all scores, the lowest and the highest quarter left out.

    Of n scores, floor(n / 4) are left out at each end.
    """
    ordered = np.sort(_checked(scores), axis=None)
    out = len(ordered) // 4
    return float(ordered[out : len(ordered) - out].mean())


def performance_profile(scores: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """The share of scores above each threshold, float (thresholds,)."""
    return (_checked(scores).ravel()[None, :] > np.asarray(thresholds)[:, None]).mean(axis=1)


def probability_of_improvement(scores: np.ndarray, others: np.ndarray) -> float:
    """How likely a random run of the one is better than a random run of the other in a random game; ties count half.

    Both have the same games; the number of runs may differ. Per game this is Mann and Whitney's statistic.
    """
    scores, others = _checked(scores), _checked(others)
    if scores.shape[1] != others.shape[1]:
        raise ValueError(f"scores of {scores.shape[1]} and of {others.shape[1]} games: the same ones are wanted")
    above = (scores[:, None, :] > others[None, :, :]).mean()
    equal = (scores[:, None, :] == others[None, :, :]).mean()
    return float(above + equal / 2)


def stratified_interval(
    statistic: Callable[..., float | np.ndarray], *scores: np.ndarray, seed: int = 0, resamples: int = RESAMPLES
) -> np.ndarray:
    """Bounds of the 95 % percentile bootstrap interval of ``statistic(*scores)``, float (2,) or (2, values).

    The runs of each game are drawn anew, with replacement and apart from those of the other games (strata). With fewer
    than two runs there is no interval: NaN.
    """
    parts = [_checked(part) for part in scores]
    found = np.asarray(statistic(*parts), float)
    if min(len(part) for part in parts) < 2:
        return np.full((2, *found.shape), np.nan)
    rng = np.random.default_rng(seed)
    values = np.empty((resamples, *found.shape))
    for k in range(resamples):
        values[k] = statistic(*(_drawn(part, rng) for part in parts))
    tail = (1 - CONFIDENCE) / 2
    return np.quantile(values, [tail, 1 - tail], axis=0)


def _drawn(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    runs = rng.integers(len(scores), size=scores.shape)
    return np.take_along_axis(scores, runs, axis=0)


def _checked(scores: np.ndarray) -> np.ndarray:
    scores = np.asarray(scores, float)
    if scores.ndim != 2 or not scores.size:
        raise ValueError(f"scores of shape {scores.shape}: (runs, games) are wanted, at least one of each")
    if not np.isfinite(scores).all():
        raise ValueError("scores that are not finite: every run needs a score in every game")
    return scores
