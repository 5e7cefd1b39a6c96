"""``poopdeck warmup``."""

import os
import time
from typing import Annotated

import typer

from .progress import progress_bar


def warmup(
    game: Annotated[list[str] | None, typer.Argument(help="Only these games; all if left out.")] = None,
) -> None:
    """Compiles everything now: nothing is compiled later on this machine, until rules change or versions do."""
    from ..api import game as find_game
    from ..api import games as names
    from ..envs.core.compiler import PLAIN_PYTHON, cache_root
    from ..envs.core.switches import QUIET_VARIABLE
    from ..warmup import steps

    if PLAIN_PYTHON:
        raise ValueError("nothing is compiled with NUMBA_DISABLE_JIT=1")
    if cache_root() is None:
        raise ValueError("there is no folder to keep machine code in; POOPDECK_CACHE_DIR names one")
    os.environ[QUIET_VARIABLE] = "1"  # it says itself what it does
    work = [step for name in game or names() for step in steps(find_game(name))]
    began = time.monotonic()
    with progress_bar("compiling", len(work)) as update:
        for done, (what, compile_it) in enumerate(work):
            update(done, what)
            compile_it()
    typer.echo(f"compiled in {time.monotonic() - began:.1f} s; the machine code lies in {cache_root()}")
