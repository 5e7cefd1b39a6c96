"""What finished agents of a benchmark are worth: payoffs and rates at the tables of each pool, greedy and sampled."""

import json
import pathlib
import resource
import sys
from collections.abc import Sequence
from typing import Any

from ...agents.base import AnyAgent
from ...agents.loading import load_agent
from ...envs.core import registry as games
from ..evaluation.evaluate import evaluate
from ..run.curves import read_metrics
from ..run.train import read_result
from .suite import Cell, GameEntry

POOL, HELD_OUT, NETWORKS, BEST = "pool", "held_out", "networks", "best"
MODES = {"greedy": True, "sampled": False}
SEED = 1_000_003  # of the measuring deals; training evaluates on others


def memory_of_process() -> float:
    """The most memory that this process has had, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def read_json(path: pathlib.Path) -> Any:
    """A JSON file of the benchmark, None where it is not written yet."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return None


def measure_table(
    entry: GameEntry, agent: AnyAgent, opponent: AnyAgent, count: int, greedy: bool = True
) -> dict[str, Any]:
    """An agent at a table of one kind of opponents: the figures of its evaluation that a benchmark keeps."""
    game, settings = games.game(entry.game), entry_settings(entry)
    found = evaluate(game, settings, agent, [opponent], count, SEED, threads=1, role=entry.role)
    kept = ("games", "deals", "mean_payoff", "mean_payoff_ci", "truncated_share", "illegal_actions", "mean_length")
    content = found.to_json()
    return {key: content[key] for key in kept} | found.rates


def entry_settings(entry: GameEntry) -> dict[str, Any]:
    """The game's complete parameters at a suite's game."""
    spec = games.spec(entry.game)
    return spec.variant_settings(entry.variant, entry.players, spec.parse_options(entry.options))


def measure_anchors(entry: GameEntry, count: int) -> dict[str, Any]:
    """Random and the best agent at every table of agents by name: pool -> opponent -> anchor -> figures.

    They are what scores of 0 and 1 mean; the pool ``best`` is the table of the best agent itself.
    """
    game, settings = games.game(entry.game), entry_settings(entry)
    anchors = {"random": load_agent("random", game, settings), "best": load_agent(entry.best, game, settings)}
    pools = {POOL: entry.pool, HELD_OUT: entry.held_out, BEST: [entry.best]}
    return {
        pool: {
            name: {
                anchor: measure_table(entry, agent, load_agent(name, game, settings), count)
                for anchor, agent in anchors.items()
            }
            for name in names
        }
        for pool, names in pools.items()
    }


def measure_cell(cell: Cell, folder: pathlib.Path) -> dict[str, Any]:
    """A finished cell: mode -> pool -> opponent -> figures, its curve and what it cost."""
    entry, count, path = cell.entry, cell.suite.evaluation_games, folder / cell.path
    game, settings = games.game(entry.game), entry_settings(entry)
    tables: dict[str, Any] = {}
    for mode, greedy in MODES.items():
        agent = load_agent(str(path), game, settings, greedy)
        tables[mode] = {
            pool: {name: measure_table(entry, agent, load_agent(name, game, settings), count) for name in names}
            for pool, names in ((POOL, entry.pool), (HELD_OUT, entry.held_out))
        }
    return {"tables": tables, **costs(cell, path)}


def rivals(cell: Cell) -> list[Cell]:
    """The cells whose agents are held-out networks for this one: of every other algorithm one of another seed."""
    suite = cell.suite
    place = suite.seeds.index(cell.seed)
    seed = suite.seeds[(place + 1) % len(suite.seeds)]
    return [Cell(suite, cell.game, name, seed) for name in suite.algorithms if name != cell.algorithm]


def measure_against_networks(cell: Cell, folder: pathlib.Path) -> dict[str, Any]:
    """A finished cell at tables of its rivals, who draw their actions: mode -> opponent -> figures."""
    entry, count = cell.entry, cell.suite.evaluation_games
    game, settings = games.game(entry.game), entry_settings(entry)
    found: dict[str, Any] = {}
    for mode, greedy in MODES.items():
        agent = load_agent(str(folder / cell.path), game, settings, greedy)
        found[mode] = {
            f"{rival.algorithm}/seed{rival.seed}": measure_table(
                entry, agent, load_agent(str(folder / rival.path), game, settings, greedy=False), count
            )
            for rival in rivals(cell)
        }
    return found


def costs(cell: Cell, path: pathlib.Path) -> dict[str, Any]:
    """What a run has cost, its curve against the best agent, and when it reached that one."""
    result = read_result(path)
    process = read_json(path / "process.json") or {}
    return {
        "samples": result["timesteps"],
        "seconds": result["seconds"],
        "samples_per_second": result["samples_per_second"],
        "curve": curve(read_metrics(path / "metrics.jsonl"), cell),
        "peak_memory_mb": process.get("peak_memory_mb"),
    }


def curve(rows: Sequence[dict[str, Any]], cell: Cell) -> list[list[float]]:
    """[samples, seconds, mean payoff at the table of the best agent], wherever it was measured."""
    points: list[list[float]] = []
    seconds = 0.0
    for row in rows:
        seconds = row.get("speed/seconds", seconds)
        payoff = next((value for key, value in row.items() if _is_payoff(key, cell)), None)
        if payoff is not None:
            points.append([row["timesteps"], round(seconds, 2), round(payoff, 4)])
    return points


def _is_payoff(key: str, cell: Cell) -> bool:
    """Whether a curve is the payoff against the best agent, in the role that is measured."""
    entry = cell.entry
    names = [entry.best] + ([f"{entry.best} as {entry.role}"] if entry.role else [])
    return key in [f"evaluation/{name}/payoff" for name in names]
