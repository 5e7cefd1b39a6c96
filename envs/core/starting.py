"""Calls that need not wait for the compiler: plain Python until another process has filled the cache.

A driver that is *ready at once* plays the first game of a new installation in plain Python, with the same numbers,
while a process of its own compiles it; from the call on at which the cache has it, it is the compiled one. What is
made for speed does not wait for another process: it uses drivers that are compiled at their first call.
"""

import functools
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy as np

from . import elsewhere
from .compiler import PLAIN_PYTHON, driver, is_cached
from .plain import uncompiled
from .switches import waits_for_compiler


class ready_at_once:  # noqa: N801 (a decorator)
    """As ``driver``, for calls on an array of one record, their first argument; see ``settle``."""

    def __init__(self, make: Callable[..., Callable]):
        functools.update_wrapper(self, make)
        self.make = make
        self.compiled = driver(make)  # as who does not want to wait has it
        self._first = functools.cache(self._build)

    def __call__(self, *modules: Any) -> Any:
        """The driver over a game's modules."""
        at_once = PLAIN_PYTHON or waits_for_compiler()
        return self.compiled(*modules) if at_once else self._first(*modules)

    def _build(self, *modules: ModuleType) -> "PlainFirst":
        return PlainFirst(self.make, modules, self.compiled(*modules))


class PlainFirst:
    """A driver that runs as plain Python until it can be had compiled."""

    def __init__(self, make: Callable[..., Callable], modules: tuple[ModuleType, ...], compiled: Any):
        self._make, self._modules, self.compiled = make, modules, compiled
        self._plain: Callable[..., Any] | None = None
        self._ready: dict[int, np.dtype] = {}  # by id, which is looked up faster than its hash

    def is_ready(self, layout: np.dtype) -> bool:
        """Whether it is compiled for records of this layout."""
        return id(layout) in self._ready

    def __call__(self, states: np.ndarray, *rest: Any) -> Any:
        """As the driver."""
        layout = states.dtype
        if id(layout) in self._ready:
            return self.compiled(states, *rest)
        if len(states) != 1 or self._is_there(states, *rest) or not elsewhere.compiles(self._modules, layout):
            self._ready[id(layout)] = layout
            return self.compiled(states, *rest)
        if self._plain is None:
            self._plain = uncompiled(self._make, self._modules)
        return self._plain(states, *rest)

    def _is_there(self, *arguments: Any) -> bool:
        """Whether nothing would have to be compiled here."""
        kinds = tuple(map(self.compiled.typeof_pyval, arguments))
        return kinds in self.compiled.overloads or is_cached(self.compiled, kinds)


def settle(holder: Any, layouts: Iterable[np.dtype]) -> None:
    """Has an object call compiled drivers directly that are ready for all these layouts, in place of PlainFirst."""
    for name, call in vars(holder).items():
        if isinstance(call, PlainFirst) and all(map(call.is_ready, layouts)):
            vars(holder)[name] = call.compiled
