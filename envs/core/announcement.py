"""Says that something is compiled, since it takes seconds: one line for a game, with how long it took the last time.

The times lie beside the machine code. On a terminal a bar follows the line. Nothing is said where everything comes
from the cache, nor with ``POOPDECK_QUIET=1``.
"""

import contextlib
import json
import os
import pathlib
import sys
import threading
import time
from typing import Any

from .switches import is_quiet

SECONDS = "seconds.json"  # {game: {the driver that came first: seconds}}, in the folder of all machine code
GUESS = 10.0  # seconds, where nothing has been measured: for the bar alone


class _Work:
    """What this process compiles of one game."""

    def __init__(self, first: str):
        self.first, self.seconds, self.began = first, 0.0, 0.0
        self.bar: Any = None


_works: dict[str, _Work] = {}  # by game
_guard = threading.Lock()


def compiling(folder: pathlib.Path, driver: str) -> None:
    """Compiling a driver of the game whose machine code lies in ``folder`` begins."""
    game = folder.name.rpartition("-")[0]
    with _guard, contextlib.suppress(Exception):  # whatever is wrong with it, rules get compiled
        said = game in _works
        work = _works.setdefault(game, _Work(driver))
        work.began = time.monotonic()
        if is_quiet():
            return
        last = _times(folder).get(game, {}).get(work.first)
        if not said:
            took = "the first time takes longest" if last is None else f"{last:.0f} s the last time"
            print(f"poopdeck: compiling {game}, once for this machine ({took})", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            work.bar = _bar(game, max((last or GUESS) - work.seconds, 1.0))


def compiled(folder: pathlib.Path, driver: str) -> None:
    """It has ended."""
    game = folder.name.rpartition("-")[0]
    with _guard, contextlib.suppress(Exception):
        work = _works[game]
        work.seconds += time.monotonic() - work.began
        if work.bar is not None:
            work.bar.stop()
            work.bar = None
        times = _times(folder)
        times.setdefault(game, {})[work.first] = round(work.seconds, 1)
        path = folder.parent / SECONDS
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(times), encoding="utf-8")
        os.replace(part, path)


def _times(folder: pathlib.Path) -> dict[str, dict[str, float]]:
    try:
        times = json.loads((folder.parent / SECONDS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        times = None
    return times if isinstance(times, dict) else {}


def _bar(game: str, seconds: float) -> Any:
    """A bar that fills in so many seconds; rich draws it while numba works."""
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.progress_bar import ProgressBar

    class Filling(ProgressColumn):
        def render(self, task: Task) -> ProgressBar:
            return ProgressBar(total=seconds, completed=min(task.elapsed or 0.0, seconds), width=40)

    columns = (TextColumn("{task.description}"), Filling(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(f"compiling {game}", total=None)
    bar.start()
    return bar
