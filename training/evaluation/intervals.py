"""95 % intervals for means and rates of games that share deals."""

import math

import numpy as np

Z = 1.959963984540054  # 97.5 % point of the normal distribution


def mean_interval(values: np.ndarray, groups: np.ndarray) -> tuple[float, float, float]:
    """Mean and its 95 % interval; games of one group (a deal) are not independent, groups are.

    Source: the cluster-robust variance of a mean, Liang and Zeger 1986. ``values`` (n,), ``groups`` int (n,).
    NaN bounds with fewer than two groups.
    """
    mean = float(values.mean())
    _, place = np.unique(groups, return_inverse=True)
    sums = np.bincount(place, weights=values - mean)
    if len(sums) < 2:
        return mean, math.nan, math.nan
    error = math.sqrt(len(sums) / (len(sums) - 1) * float((sums**2).sum())) / len(values)
    return mean, mean - Z * error, mean + Z * error


def rate_interval(hits: np.ndarray, groups: np.ndarray) -> tuple[float, float, float]:
    """Rate and its 95 % interval, within [0, 1] and never of width 0.

    Wilson's score interval (1927) at the number of independent games that the clustered variance speaks for.
    """
    rate, low, high = mean_interval(hits.astype(float), groups)
    size = float(len(hits))
    if high > low:  # else all games ended alike, or one group: take them as they are
        size = min(rate * (1 - rate) / ((high - low) / (2 * Z)) ** 2, size)
    centre = (rate + Z * Z / (2 * size)) / (1 + Z * Z / size)
    half = Z / (1 + Z * Z / size) * math.sqrt(rate * (1 - rate) / size + Z * Z / (4 * size * size))
    # The rate itself is within, also where rounding would put it a hair outside.
    return rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
