"""All figures of a benchmark: scores summed up over games and seeds, with intervals, ready for JSON and CSV."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..evaluation.intervals import half_width
from ..storage.plain_json import plain
from .measure import BEST, HELD_OUT, MODES, NETWORKS, POOL
from .statistics import interquartile_mean, performance_profile, probability_of_improvement, stratified_interval
from .suite import Suite

THRESHOLDS = [round(0.05 * k, 2) for k in range(-10, 51)]  # of scores, for profiles
Measured = Mapping[tuple[str, str, int], Mapping[str, Any]]  # (game, algorithm, seed) -> what was measured


def budget(suite: Suite) -> str:
    """The budget of a cell, in words."""
    return f"{suite.samples:,} samples" if suite.samples else f"{suite.minutes:g} minutes of one core"


def mean_payoff(tables: Mapping[str, Mapping[str, Any]]) -> float:
    """The mean over all tables of a pool."""
    return float(np.mean([found["mean_payoff"] for found in tables.values()]))


def score_of(payoff: float, anchors: Mapping[str, Mapping[str, Any]]) -> float:
    """0 is what random gets at the same tables, 1 what the best agent gets.

    Raises:
        ValueError: the best agent gets no more than random there.
    """
    low, high = (
        float(np.mean([table[name]["mean_payoff"] for table in anchors.values()])) for name in ("random", BEST)
    )
    if high <= low:
        raise ValueError(f"the best agent gets {high:.4f}, random {low:.4f} at the same tables: no scale of scores")
    return (payoff - low) / (high - low)


def scores(suite: Suite, measured: Measured, anchors: Mapping[str, Any], mode: str, pool: str) -> dict[str, np.ndarray]:
    """algorithm -> scores (seeds, games)."""
    return {
        algorithm: np.array(
            [
                [
                    score_of(mean_payoff(measured[game, algorithm, seed]["tables"][mode][pool]), anchors[game][pool])
                    for game in suite.games
                ]
                for seed in suite.seeds
            ]
        )
        for algorithm in suite.algorithms
    }


def _with_interval(statistic: Callable[..., Any], *parts: np.ndarray) -> dict[str, Any]:
    low, high = stratified_interval(statistic, *parts)
    return {"value": statistic(*parts), "ci": [low, high]}


def summed_up(found: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Interquartile mean, profile and probabilities of improvement of algorithms by their scores (seeds, games)."""

    def profile(values: np.ndarray) -> np.ndarray:
        return performance_profile(values, np.array(THRESHOLDS))

    names = list(found)
    return {
        "interquartile_mean": {name: _with_interval(interquartile_mean, found[name]) for name in names},
        "profile": {name: _with_interval(profile, found[name]) for name in names},
        "improvement": {
            one: {
                other: _with_interval(probability_of_improvement, found[one], found[other])
                for other in names
                if other != one
            }
            for one in names
        },
    }


def over_seeds(values: Sequence[float]) -> dict[str, Any]:
    """Mean over seeds, with Student's interval of the mean of so many runs (none of one run)."""
    array = np.asarray(values, float)
    if len(array) < 2:
        return {"value": float(array.mean()), "ci": [None, None], "runs": len(array)}
    half = half_width(array)
    return {"value": float(array.mean()), "ci": [array.mean() - half, array.mean() + half], "runs": len(array)}


def by_game(suite: Suite, measured: Measured, game: str) -> dict[str, Any]:
    """algorithm -> mode -> pool -> opponent -> figure -> mean over seeds."""
    content: dict[str, Any] = {}
    for algorithm in suite.algorithms:
        runs = [measured[game, algorithm, seed]["tables"] for seed in suite.seeds]
        content[algorithm] = {
            mode: {
                pool: {name: _figures_over_seeds([run[mode][pool][name] for run in runs]) for name in tables}
                for pool, tables in runs[0][mode].items()
                if pool != NETWORKS
            }
            for mode in MODES
        }
        for mode in MODES:
            if NETWORKS in runs[0][mode]:
                means = [_mean_table(run[mode][NETWORKS]) for run in runs]
                content[algorithm][mode][NETWORKS] = {"other networks": _figures_over_seeds(means)}
    return content


def _mean_table(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    first = next(iter(tables.values()))
    names = [key for key in first if not key.endswith("_ci")]
    return {key: float(np.mean([table[key] for table in tables.values()])) for key in names}


def _figures_over_seeds(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = [key for key in runs[0] if not key.endswith("_ci") and key not in ("games", "deals")]
    return {name: over_seeds([run[name] for run in runs]) for name in names}


def leads(suite: Suite, measured: Measured, anchors: Mapping[str, Any], game: str) -> dict[str, Any]:
    """algorithm -> mode -> pool -> opponent -> mean payoff over seeds less what the best agent gets at the same table.

    The interval is that over seeds, and as the best agent's own payoff is measured, too, its interval beside it.
    """
    content: dict[str, Any] = {}
    for algorithm in suite.algorithms:
        runs = [measured[game, algorithm, seed]["tables"] for seed in suite.seeds]
        content[algorithm] = {
            mode: {
                pool: {
                    name: _lead([run[mode][pool][name]["mean_payoff"] for run in runs], anchors[game][pool][name][BEST])
                    for name in runs[0][mode][pool]
                }
                for pool in (POOL, HELD_OUT)
            }
            for mode in MODES
        }
    return content


def _lead(payoffs: Sequence[float], best: Mapping[str, Any]) -> dict[str, Any]:
    found = over_seeds([payoff - best["mean_payoff"] for payoff in payoffs])
    low, high = found["ci"]
    if low is not None:
        half = float(np.hypot((high - low) / 2, (best["mean_payoff_ci"][1] - best["mean_payoff_ci"][0]) / 2))
        found["ci"] = [found["value"] - half, found["value"] + half]
    return found


def between_algorithms(crossing: Mapping[str, Any], algorithms: Sequence[str]) -> dict[str, Any]:
    """A tournament's cross table with all seeds of an algorithm taken together: row -> column -> games and lead.

    The lead is what the row's seats were paid more than the column's where both sit at the table; its interval takes
    pairs of agents as independent. Agents that no algorithm made stay by themselves.
    """
    cross = crossing["cross_table"]
    made = [next((name for name in algorithms if label == name or label.rpartition("-")[0] == name), label)
            for label in cross["agents"]]  # fmt: skip
    rows = [*algorithms, *(name for name in made if name not in algorithms)]
    return {
        row: {column: _taken_together(cross, made, row, column) for column in rows if column != row} for row in rows
    }


def _taken_together(cross: Mapping[str, Any], made: Sequence[str], row: str, column: str) -> dict[str, Any]:
    games, leads, halves = [], [], []
    for i, one in enumerate(made):
        for j, other in enumerate(made):
            lead = cross["lead"][i][j]
            if one == row and other == column and lead is not None:
                low, high = cross["lead_ci"][i][j]
                games.append(cross["games"][i][j])
                leads.append(lead)
                halves.append((high - low) / 2 if low is not None else np.nan)
    if not games:
        return {"value": None, "ci": [None, None], "games": 0}
    weights = np.array(games) / sum(games)
    value, half = float(weights @ leads), float(np.sqrt(((weights * halves) ** 2).sum()))
    interval = [None, None] if np.isnan(half) else [value - half, value + half]
    return {"value": value, "ci": interval, "games": sum(games)}


def costs(suite: Suite, measured: Measured, anchors: Mapping[str, Any], game: str) -> dict[str, Any]:
    """algorithm -> samples, seconds, memory, when its runs reached the best agent (median; None if under half)."""
    level = anchors[game][BEST][suite.games[game].best][BEST]["mean_payoff"]
    content: dict[str, Any] = {}
    for algorithm in suite.algorithms:
        runs = [measured[game, algorithm, seed] for seed in suite.seeds]
        reached = [reaching(run["curve"], level) for run in runs]
        content[algorithm] = {
            key: float(np.mean([run[key] for run in runs])) for key in ("samples", "seconds", "samples_per_second")
        }
        memory = [run["peak_memory_mb"] for run in runs if run["peak_memory_mb"] is not None]
        content[algorithm]["peak_memory_mb"] = max(memory) if memory else None
        content[algorithm]["reached"] = sum(one is not None for one in reached)
        for place, name in enumerate(("reached_samples", "reached_seconds")):
            median = float(np.median([one[place] if one is not None else np.inf for one in reached]))
            content[algorithm][name] = median if np.isfinite(median) else None
    return content


def reaching(points: Sequence[Sequence[float]], level: float) -> list[float] | None:
    """Samples and seconds at which a curve (samples, seconds, payoff) was first not below a level; None if never."""
    return next(([samples, seconds] for samples, seconds, payoff in points if payoff >= level), None)


def curves(suite: Suite, measured: Measured, game: str) -> dict[str, Any]:
    """algorithm -> samples, mean payoff at the best agent's table, and the band of lowest to highest seed.

    The runs are laid over each other at the samples that all of them have reached.
    """
    content: dict[str, Any] = {}
    for algorithm in suite.algorithms:
        runs = [np.array(measured[game, algorithm, seed]["curve"], float) for seed in suite.seeds]
        runs = [run for run in runs if len(run)]
        if not runs:
            continue
        grid = np.linspace(0, min(run[-1, 0] for run in runs), suite.curve_points + 1)
        lines = np.array([np.interp(grid, run[:, 0], run[:, 2]) for run in runs])
        content[algorithm] = {
            "samples": grid,
            "mean": lines.mean(axis=0),
            "low": lines.min(axis=0),
            "high": lines.max(axis=0),
        }
    return content


def collect(
    suite: Suite, measured: Measured, anchors: Mapping[str, Any], crossing: Mapping[str, Any]
) -> dict[str, Any]:
    """Everything, ready for JSON. ``crossing``: game -> the standings of its tournament."""
    return plain(
        {
            "title": suite.title,
            "budget": budget(suite),
            "seeds": suite.seeds,
            "suite": suite.model_dump(),
            "scores": {
                mode: {pool: summed_up(scores(suite, measured, anchors, mode, pool)) for pool in (POOL, HELD_OUT)}
                for mode in MODES
            },
            "games": {
                game: {
                    "anchors": anchors[game],
                    "algorithms": by_game(suite, measured, game),
                    "leads": leads(suite, measured, anchors, game),
                    "costs": costs(suite, measured, anchors, game),
                    "curves": curves(suite, measured, game),
                    "exploited": exploited(suite, measured, game),
                    "crossing": crossing.get(game),
                    "between_algorithms": between_algorithms(crossing[game], list(suite.algorithms))
                    if game in crossing
                    else None,
                }
                for game in suite.games
            },
        }
    )


def exploited(suite: Suite, measured: Measured, game: str) -> dict[str, Any]:
    """algorithm -> seed -> responder -> what it gained, as ``poopdeck exploit`` measures it; only those measured."""
    content: dict[str, Any] = {}
    for algorithm in suite.algorithms:
        for seed in suite.seeds:
            found = measured[game, algorithm, seed].get("exploit")
            if found:
                content.setdefault(algorithm, {})[str(seed)] = found
    return content


def csv_text(measured: Measured) -> str:
    """One row for every cell, mode, pool and opponent."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["game", "algorithm", "seed", "mode", "pool", "opponent", "figure", "value", "low", "high"])
    for (game, algorithm, seed), content in measured.items():
        for mode, pools in content["tables"].items():
            for pool, tables in pools.items():
                for opponent, found in tables.items():
                    for name, value in found.items():
                        if not name.endswith("_ci"):
                            interval = found.get(f"{name}_ci", [None, None])
                            rows.writerow([game, algorithm, seed, mode, pool, opponent, name, value, *interval])
    return out.getvalue()
