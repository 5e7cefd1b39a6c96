"""95 % intervals for means and rates of games that share deals."""

import math

import numpy as np

Z = 1.959963984540054  # 97.5 % point of the normal distribution
# The same of Student's distribution, for 1 to 30 degrees of freedom: few runs spread less than they would.
T = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
    2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484,
    2.0452, 2.0423,
)  # fmt: skip


def half_width(values: np.ndarray) -> float:
    """Half of the 95 % interval of the mean of independent values (n,), by Student's distribution; NaN of one."""
    freedom = len(values) - 1
    if freedom < 1:
        return math.nan
    factor = T[freedom - 1] if freedom <= len(T) else Z
    return factor * float(values.std(ddof=1)) / math.sqrt(len(values))


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
