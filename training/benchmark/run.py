"""A benchmark from its suite to its report: trains what is not trained, measures what is not measured, and writes."""

import pathlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from ...agents.loading import load_agent
from ...envs.core import registry as games
from ..cluster.ray_executor import RayExecutor
from ..evaluation.tournament import Entry, make_plan, run_tournament
from ..storage.plain_json import json_text
from ..storage.run_folder import write_file
from .cells import Say, is_trained, open_benchmark, there, train_cells
from .exploit import exploit_cell
from .figures import Measured, collect, csv_text
from .measure import MODES, NETWORKS, entry_settings, measure_against_networks, measure_anchors, measure_cell, read_json
from .report import pictures, report
from .suite import Cell, Suite

Bar = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]  # what is counted, how many
Step = tuple[str, Callable[[], None]]  # where below the folder it writes, and what is to be called


def run_benchmark(
    suite: Suite, folder: pathlib.Path, jobs: int, bar: Bar, say: Say, cluster: RayExecutor | None = None
) -> dict[str, Any]:
    """Runs a suite into a folder, or goes on there; returns all figures, which ``figures.json`` holds too.

    Cells are trained ``jobs`` at a time, and then measured, in this process. With a cluster both are done there, as
    many at a time as it has cores; the folder has to be one that all its machines see.

    Raises:
        RunFolderError: the folder is of another suite, or used for something else.
        RuntimeError: cells failed; all others are trained, and a second call tries these again.
    """
    if cluster is not None:
        folder = folder.absolute()  # others may stand elsewhere
    left = open_benchmark(suite, folder)
    if left:
        say(f"{len(left)} of {len(suite.cells())} cells are to be trained in {folder}")
        with bar("cells trained", len(left)) as update:
            train_cells(left, folder, jobs, say, update, cluster)
    steps = list(_measurements(suite, folder))
    if steps:
        with bar("measurements", len(steps)) as update:
            if cluster is None:
                for done, (_, step) in enumerate(steps, 1):
                    step()
                    update(done)
            else:
                _measure_on(cluster, folder, steps, update)
    return write_report(suite, folder)


def _measure_on(
    cluster: RayExecutor, folder: pathlib.Path, steps: Sequence[Step], update: Callable[[int], None]
) -> None:
    """Takes steps on a cluster: those that write the same file one after the other, the others at the same time."""
    chains: dict[str, list[Callable[[], None]]] = {}
    for place, step in steps:
        chains.setdefault(place, []).append(step)
    running = {cluster.submit(there, folder, _take, chain): place for place, chain in chains.items()}
    done, failed = 0, []
    for future in as_completed(running):
        place, error = running[future], future.exception()
        if error is not None:
            failed.append(f"  {place}: {type(error).__name__}: {error}")
        done += len(chains[place])
        update(done)
    if failed:
        raise RuntimeError("measurements that failed:\n" + "\n".join(failed))


def _take(steps: Sequence[Callable[[], None]]) -> None:
    for step in steps:
        step()


def _measurements(suite: Suite, folder: pathlib.Path) -> Iterator[Step]:
    """What is not yet measured, as steps to take one after the other."""
    kept = read_json(folder / "baselines.json") or {}
    for game in suite.games:
        if game not in kept:
            yield "baselines.json", partial(_keep_anchors, suite, game, folder)
    for cell in suite.cells():
        found = read_json(folder / cell.path / "measured.json")
        if found is None:
            yield str(cell.path), partial(_keep_tables, cell, folder)
        if suite.networks_held_out and len(suite.algorithms) > 1 and not _has_networks(found):
            yield str(cell.path), partial(_keep_networks, cell, folder)
    for cell in suite.cells():
        if suite.exploit and cell.seed in suite.seeds[: suite.exploit.seeds]:
            for responder in suite.exploit.responders:
                found = read_json(folder / cell.path / "measured.json") or {}
                if responder not in found.get("exploit", {}):
                    yield str(cell.path), partial(_keep_exploit, cell, responder, folder)
    for game in suite.games:
        if _crosses(suite, game) and not (folder / "crossing" / game / "tournament.json").exists():
            yield f"crossing/{game}", partial(_cross, suite, game, folder)


def _has_networks(found: Any) -> bool:
    return found is not None and all(NETWORKS in found["tables"][mode] for mode in MODES)


def _keep(cell: Cell, folder: pathlib.Path, content: Any) -> None:
    write_file(folder / cell.path / "measured.json", json_text(content, 1) + "\n")


def _keep_tables(cell: Cell, folder: pathlib.Path) -> None:
    _keep(cell, folder, measure_cell(cell, folder))


def _keep_anchors(suite: Suite, game: str, folder: pathlib.Path) -> None:
    kept = read_json(folder / "baselines.json") or {}
    kept[game] = measure_anchors(suite.games[game], suite.evaluation_games)
    write_file(folder / "baselines.json", json_text(kept, 1) + "\n")


def _keep_networks(cell: Cell, folder: pathlib.Path) -> None:
    content = read_json(folder / cell.path / "measured.json")
    for mode, tables in measure_against_networks(cell, folder).items():
        content["tables"][mode][NETWORKS] = tables
    _keep(cell, folder, content)


def _keep_exploit(cell: Cell, responder: str, folder: pathlib.Path) -> None:
    content = read_json(folder / cell.path / "measured.json")
    content.setdefault("exploit", {})[responder] = exploit_cell(cell, responder, folder)
    _keep(cell, folder, content)


def _crosses(suite: Suite, game: str) -> bool:
    """Tournaments are for games with one role, and for more than one agent."""
    return len(games.spec(suite.games[game].game).roles) == 1 and len(suite.seeds) * len(suite.algorithms) > 1


def _cross(suite: Suite, game: str, folder: pathlib.Path) -> None:
    """All finished agents of a game, and its best agent, in one tournament with seats rotated."""
    entry = suite.games[game]
    interface, settings = games.game(entry.game), entry_settings(entry)
    cells = [cell for cell in suite.cells() if cell.game == game]
    entries = [
        Entry(
            f"{cell.algorithm}-{cell.seed}",
            load_agent(str(folder / cell.path), interface, settings),
            str(folder / cell.path),
        )
        for cell in cells
    ]
    entries.append(Entry(entry.best, load_agent(entry.best, interface, settings), entry.best))
    path = folder / "crossing" / game
    plan = make_plan(interface, settings, entries, suite.tournament_games)
    if run_tournament(plan, path, resume=path.exists()).content is None:
        raise KeyboardInterrupt


def write_report(suite: Suite, folder: pathlib.Path) -> dict[str, Any]:
    """Writes figures, rows and report from what was measured; returns the figures."""
    anchors = read_json(folder / "baselines.json")
    measured: Measured = {
        (cell.game, cell.algorithm, cell.seed): read_json(folder / cell.path / "measured.json")
        for cell in suite.cells()
        if is_trained(folder / cell.path)
    }
    crossing = {game: read_json(folder / "crossing" / game / "tournament.json") for game in suite.games}
    content = collect(suite, measured, anchors, {game: found for game, found in crossing.items() if found})
    write_file(folder / "figures.json", json_text(content, 1) + "\n")
    write_file(folder / "figures.csv", csv_text(measured))
    write_file(folder / "report.md", report(content))
    for name, picture in pictures(content).items():
        write_file(folder / name, picture)
    return content


def headline(content: dict[str, Any]) -> Sequence[str]:
    """The few lines that a terminal shows."""
    lines = [f"{content['title']}: {content['budget']} a cell, {len(content['seeds'])} seeds"]
    found = content["scores"]["greedy"]["held_out"]["interquartile_mean"]
    for name, value in sorted(found.items(), key=lambda item: -item[1]["value"]):
        low, high = value["ci"]
        interval = f"[{low:.3f}, {high:.3f}]" if low is not None else "(one seed: no interval)"
        lines.append(f"  {name:<20} {value['value']:.3f}  {interval}")
    return lines
