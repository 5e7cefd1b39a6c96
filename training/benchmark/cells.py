"""The cells of a suite, trained in a folder; what is done is never done again.

A benchmark's folder::

    suite.yaml       what is compared
    cells/GAME/ALGORITHM/seedN/   an ordinary training run, with measured.json beside its result
    baselines.json   random and the best agent at the tables that the cells are measured at
    crossing/        a tournament of all finished agents, per game
    figures.json     all figures     figures.csv  one row per measurement     report.md, *.png  the same to read
"""

import multiprocessing
import pathlib
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import yaml

from ..cluster.ray_executor import RayExecutor
from ..config.files import ConfigError
from ..run.train import read_result, train
from ..storage.plain_json import json_text
from ..storage.run_folder import FolderInUseError, RunFolderError, read_config, refuse_other_config, write_file
from .measure import memory_of_process
from .suite import Cell, Suite, parse_suite

ENDED = ("finished", "time limit")
TRIES = 3  # of a cell whose process is killed
GIVEN_UP = 60.0  # seconds that a process may live on whose machine was lost to its cluster

Say = Callable[[str], None]
Result = TypeVar("Result")


def open_benchmark(suite: Suite, folder: pathlib.Path) -> list[Cell]:
    """Makes the folder, or looks whether what is in it fits the suite; returns the cells that are still to be trained.

    Raises:
        RunFolderError: the folder is of another suite; it says what no longer fits. A suite may get more games,
            algorithms and seeds; finished cells stay as they are.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"{folder}: not a folder")
    kept = folder / "suite.yaml"
    if folder.exists() and any(folder.iterdir()) and not kept.exists():
        raise RunFolderError(f"{folder}: the folder is not empty, and no benchmark is in it; choose another one")
    refuse_cells_that_do_not_fit(suite, folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(kept, yaml.safe_dump(suite.model_dump(), sort_keys=False, allow_unicode=True))
    return [cell for cell in suite.cells() if not is_trained(folder / cell.path)]


def refuse_cells_that_do_not_fit(suite: Suite, folder: pathlib.Path) -> None:
    """RunFolderError naming every cell in the folder that was begun with another config than the suite gives it."""
    wrong = []
    for cell in suite.cells():
        path = folder / cell.path
        if (path / "config.yaml").is_file():
            try:
                refuse_other_config(path, read_config(path), cell.config())
            except (ConfigError, RunFolderError) as error:
                wrong.append(f"  {cell.path}: {error}")
    if wrong:
        listed = "\n".join(wrong)
        raise RunFolderError(
            f"{folder}: the suite has changed, and these cells no longer fit (move them away):\n{listed}"
        )


def is_trained(path: pathlib.Path) -> bool:
    """Whether the run in a folder has come to its end."""
    try:
        return read_result(path)["status"] in ENDED
    except (RunFolderError, KeyError):
        return False


def train_cell(cell: Cell, folder: pathlib.Path) -> str:
    """Trains one cell, or goes on with it, in this process; returns the run's status."""
    path = folder / cell.path
    result = train(cell.config(), path, resume=(path / "config.yaml").is_file(), quiet=True)
    if result.status in ENDED:
        content = {"peak_memory_mb": memory_of_process()}
        write_file(path / "process.json", json_text(content) + "\n")
    return result.status


def train_cells(
    cells: Sequence[Cell],
    folder: pathlib.Path,
    jobs: int,
    say: Say,
    done: Callable[[int], None],
    cluster: RayExecutor | None = None,
) -> None:
    """Trains cells in processes of their own, ``jobs`` at a time or as many as the cluster has cores. A cell whose
    process is killed goes on in another.

    Raises:
        RuntimeError: a cell failed; the others are finished first, and the message names all that failed.
    """
    ended = _in_processes(cells, folder, jobs, say) if cluster is None else _on_cluster(cells, folder, cluster, say)
    failed, finished = [], 0
    for cell, problem in ended:
        if problem:
            failed.append(f"  {cell.path}: {problem}")
        else:
            finished += 1
            done(finished)
    if failed:
        raise RuntimeError("cells that failed:\n" + "\n".join(failed))


def _in_processes(cells: Sequence[Cell], folder: pathlib.Path, jobs: int, say: Say) -> Iterator[tuple[Cell, str]]:
    """Each cell as it ends, and what went wrong, if anything did."""
    waiting, tries = list(cells), dict.fromkeys((cell.path for cell in cells), 0)
    while waiting:
        killed: list[Cell] = []
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
            running: dict[Future[str], Cell] = {pool.submit(train_cell, cell, folder): cell for cell in waiting}
            try:
                for future in as_completed(running):
                    cell, error = running[future], future.exception()
                    if isinstance(error, BrokenProcessPool):
                        killed.append(cell)
                    elif error is None and future.result() not in ENDED:
                        raise KeyboardInterrupt
                    else:
                        yield cell, _told(error)
            except KeyboardInterrupt:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        waiting = []
        for cell in killed:  # all that had not ended, whichever process was killed
            begun = (folder / cell.path / "config.yaml").is_file()
            tries[cell.path] += begun
            if tries[cell.path] > TRIES:
                yield cell, f"its process was killed {TRIES} times"
            else:
                waiting.append(cell)
        if waiting:
            say(f"a process was killed; {len(waiting)} cells go on from their checkpoints")


def _on_cluster(
    cells: Sequence[Cell], folder: pathlib.Path, cluster: RayExecutor, say: Say
) -> Iterator[tuple[Cell, str]]:
    """Each cell as it ends, and what went wrong, if anything did.

    Ray calls again what was killed. A machine that is taken away in order lets a run save itself first, which then ends
    as if somebody had interrupted it: that is called again here.
    """
    running = {cluster.submit(there, folder, train_cell, cell, folder): cell for cell in cells}
    tries = dict.fromkeys((cell.path for cell in cells), 1)
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            cell, error = running.pop(future), future.exception()
            if error is not None or future.result() in ENDED:
                yield cell, _told(error)
            elif tries[cell.path] > TRIES:
                yield cell, f"it was interrupted {TRIES} times"
            else:
                tries[cell.path] += 1
                say(f"{cell.path} was interrupted; it goes on from its checkpoint")
                running[cluster.submit(there, folder, train_cell, cell, folder)] = cell


def _told(error: BaseException | None) -> str:
    return "" if error is None else f"{type(error).__name__}: {error}"


def there(folder: pathlib.Path, function: Callable[..., Result], *arguments: Any) -> Result:
    """Does a benchmark's work on another machine, where its folder has to be seen.

    Raises:
        RunFolderError: it is not seen, or a run in it is written by another process for more than a minute.
    """
    if not (folder / "suite.yaml").is_file():
        raise RunFolderError(
            f"{folder}: not to be seen from {socket.gethostname()}; the folder has to be one that all machines share"
        )
    until = time.monotonic() + GIVEN_UP
    while True:
        try:
            return function(*arguments)
        except FolderInUseError:  # a process whose machine was lost to the cluster may live a little longer
            if time.monotonic() > until:
                raise
            time.sleep(1)


def read_suite(folder: pathlib.Path) -> Suite:
    """The suite that a benchmark's folder was made with."""
    path = folder / "suite.yaml"
    try:
        return parse_suite(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise RunFolderError(f"{folder}: no benchmark there ({error})") from None
