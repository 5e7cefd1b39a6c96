"""How far a long command is, on the error stream of a terminal."""

import sys
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress_bar(what: str, total: int) -> Any:
    """Yields a function that is told how much is done and what comes next; draws a bar on a terminal, else nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)

        def update(done: int, doing: str = what) -> None:
            bar.update(task, completed=done, description=doing)

        yield update
