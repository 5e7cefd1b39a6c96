"""A process of its own that compiles what this one does without meanwhile.

``python -m poopdeck.envs.core.elsewhere`` compiles, into the cache, the drivers that are ready at once, for the
modules of a game and a layout of records that it reads from its standard input. It goes on if the process that
started it ends, changes nothing but the cache, and there is one of it at a time for each game.
"""

import atexit
import importlib
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from types import ModuleType
from typing import IO, Any

import numpy as np

from . import compiler

NICE = 10
LOOK_EVERY = 1.0  # seconds between two looks at what a process started by somebody else does

# What drivers take, by name of their arguments; these are looked at for their types alone.
ARGUMENTS: dict[str, Any] = {
    "i": 0,
    "seat": 0,
    "action": 0,
    "low": 0,
    "high": 0,
    "mask": np.zeros(1, np.int8),
    "out": np.zeros(1, np.float32),
    "totals": np.zeros(1, np.float32),
    "now": np.zeros(1, np.float32),
}

_started: dict[tuple[Any, ...], subprocess.Popen | None] = {}
_looked: dict[pathlib.Path, float] = {}  # lock -> when another's process was last seen to hold it
_guard = threading.Lock()


def compiles(modules: tuple[ModuleType, ...], layout: np.dtype) -> bool:
    """Whether another process compiles, or will soon have compiled, the drivers over these modules; starts one.

    False where there can be none, or where it has ended: then whoever needs the drivers compiles them.
    """
    key = (modules, id(layout))
    with _guard:
        if key not in _started:
            path = _lock_path(modules)
            if path is None or not _can(modules):
                _started[key] = None
            elif _is_held(path):
                return True
            else:
                _started[key] = _start(modules, layout)
        process = _started[key]
    return process is not None and process.poll() is None


def _lock_path(modules: Sequence[ModuleType]) -> pathlib.Path | None:
    root = compiler.cache_root()
    return None if root is None else root / f"{modules[0].__name__.rpartition('.')[0]}.lock"


def _is_held(path: pathlib.Path) -> bool:
    """Whether a process that somebody else started is at work."""
    if time.monotonic() < _looked.get(path, -LOOK_EVERY) + LOOK_EVERY:
        return True
    with open(path, "a", encoding="utf-8") as file:
        if _lock(file):
            return False
    _looked[path] = time.monotonic()
    return True


def _can(modules: tuple[ModuleType, ...]) -> bool:
    """Whether a new process would find the same modules, as it will look for them by name."""
    named = all(sys.modules.get(module.__name__) is module and module.__spec__ for module in modules)
    return named and bool(sys.executable) and not hasattr(sys, "frozen")


def _start(modules: tuple[ModuleType, ...], layout: np.dtype) -> subprocess.Popen | None:
    request = pickle.dumps((tuple(module.__name__ for module in modules), layout))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C is not meant for it
        )
        assert process.stdin is not None
        with process.stdin:
            process.stdin.write(request)
    except OSError:
        return None
    atexit.register(_leave, process)
    return process


def _leave(process: subprocess.Popen) -> None:
    """It may go on; without this, Python would warn of it."""
    if process.poll() is None:
        process.returncode = 0


# -- in the other process ---------------------------------------------------------------------------------------------


def compile_all(modules: Sequence[ModuleType], layout: np.dtype) -> None:
    """Compiles the drivers that are ready at once, or takes them from the cache."""
    from .drivers import FIRST_NEEDED

    records = np.zeros(1, layout)
    for maker in FIRST_NEEDED:
        compiled = maker.compiled(*modules)
        names = inspect.signature(compiled.py_func).parameters
        arguments = [records if name == "states" else ARGUMENTS[name] for name in names]
        compiled.compile(tuple(map(compiled.typeof_pyval, arguments)))


def _lock(file: IO[str]) -> bool:
    """Takes the system's lock on an open file, which goes when the process goes, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def main() -> None:
    """Compiles what standard input asks for."""
    names, layout = pickle.load(sys.stdin.buffer)
    if hasattr(os, "nice"):
        os.nice(NICE)
    modules = [importlib.import_module(name) for name in names]
    path = _lock_path(modules)
    if path is None:
        return
    with open(path, "a", encoding="utf-8") as file:
        while not _lock(file):
            time.sleep(LOOK_EVERY)
        compile_all(modules, layout)


if __name__ == "__main__":
    main()
