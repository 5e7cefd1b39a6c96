"""Compiled rules as plain Python, in the same process: what a game is played with while its rules are compiled.

A rule keeps the Python function that it was made of. Twins of these functions, whose names lead to twins of other
rules, run uncompiled and give the same numbers to the bit: records are widened for them, as for all plain Python.
"""

import functools
from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from .compiler import PlainRecord

_twins: dict[int, tuple[dict[str, Any], SimpleNamespace]] = {}  # by id of a module's names, which it keeps alive


def uncompiled(make: Callable[..., Callable], modules: tuple[ModuleType, ...]) -> Callable[..., Any]:
    """``make(*modules)`` in plain Python; takes the same arrays as the compiled one, and writes the same into them."""
    run = _twin(make(*map(_twin, modules)))

    def play(*arguments: Any) -> Any:
        given = [_widened(value) if _is_records(value) else value for value in arguments]
        with np.errstate(all="ignore"):  # the generator wraps round by design; compiled code never warns
            result = run(*given)
        for value, wide in zip(arguments, given, strict=True):
            if wide is not value:
                value[...] = wide.view(_wide(value.dtype))
        return result.item() if isinstance(result, np.generic) else result

    return play


def _is_records(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.names is not None


def _widened(records: np.ndarray) -> np.ndarray:
    """A copy of records, with attributes for fields and room for what arithmetic gives before it is stored."""
    wide = np.empty(records.shape, _wide(records.dtype))
    wide[...] = records
    return wide.view(np.dtype((PlainRecord, wide.dtype)))


@functools.lru_cache(maxsize=64)
def _wide(dtype: np.dtype) -> np.dtype:
    columns: list[Any] = []
    for name in dtype.names or ():
        kind = dtype[name]
        columns.append((name, np.dtype("i8") if kind.base.kind == "i" else kind.base, kind.shape))
    return np.dtype(columns, align=True)


def _twin(value: Any) -> Any:
    """A rule or a module with rules as plain Python; anything else is itself."""
    if isinstance(value, ModuleType):
        return _namespace(vars(value)) if any(hasattr(held, "py_func") for held in vars(value).values()) else value
    function = getattr(value, "py_func", value)
    if not isinstance(function, FunctionType) or (function is value and not function.__closure__):
        return value
    return _function(function)


def _function(function: FunctionType) -> FunctionType:
    names = _namespace(function.__globals__).__dict__
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def _namespace(names: dict[str, Any]) -> SimpleNamespace:
    """What a module's names stand for in plain Python."""
    if id(names) not in _twins:
        found = SimpleNamespace(**names)
        _twins[id(names)] = names, found
        for name, value in names.items():
            if hasattr(value, "py_func") or isinstance(value, ModuleType):
                found.__dict__[name] = _twin(value)
    return _twins[id(names)][1]
