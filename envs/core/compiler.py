"""Compiles rules and loops over them with numba, and keeps the machine code in a cache that cannot go stale.

A *rule* is a plain Python function over a state record. A *driver* is a loop over the rules of one game: a Python
function that closes over the game's modules, so that one text serves every game at the speed of a hand-written loop.

Numba's own disk cache looks only at the file that holds a cached function and would go on running an old rule after
an edit elsewhere, and it dies of a damaged file. Here every entry is named after a digest of the code that is really
compiled, all rules that it calls included; a damaged entry costs a compile, and so does having nowhere to write.

With ``NUMBA_DISABLE_JIT=1`` the same sources run as plain Python and give the same numbers.
"""

import contextlib
import functools
import hashlib
import inspect
import itertools
import os
import pathlib
import pickle
import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.core import bytecode

from . import announcement

PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
CACHE_VARIABLE = "POOPDECK_CACHE_DIR"
STALE_AFTER_DAYS = 30

# nogil: slices of a batch run in threads. error_model numpy: no exceptions in compiled code.
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

if PLAIN_PYTHON:
    np.seterr(over="ignore")  # the generator wraps round by design


def _tell_processes_apart() -> None:
    """Machine code of several processes meets in one that takes it from the cache, where its names must differ.

    Numba makes a name of the function's and two numbers, of the function and of the type of a record, both of which
    each process counts from the same start: the same name meant other code, and records were written beyond their end.
    It has no public interface for this. A test says whether it works with the numba at hand.
    """
    bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))  # type: ignore[attr-defined]


_tell_processes_apart()


def rule(function: Callable) -> Any:
    """Marks a function over a state record as compiled; it takes part in the drivers that call it."""
    compiled: Any = numba.njit(**FLAGS)(function)
    if not PLAIN_PYTHON:
        _compile_once_for_all_widths(compiled)
    return compiled


def writer(function: Callable) -> Any:
    """A rule that writes into an array, and neither it nor any other argument shares memory with another one.

    The compiler cannot know, and has to read the record anew after every entry written; so it does several at once.
    Numba has no public interface for this. With a numba that lacks this hook, a writer is a rule like others.
    """
    compiled = rule(function)
    if not PLAIN_PYTHON and hasattr(getattr(compiled, "_compiler", None), "_customize_flags"):
        compiled._compiler._customize_flags = _without_aliases
        compiled.is_writer = True
    return compiled


def _without_aliases(flags: Any) -> Any:
    flags.noalias = True
    return flags


def _compile_once_for_all_widths(compiled: Any) -> None:
    """Numba compiles a function anew for every width of its integers, and for every constant: a third of all time.

    It has no public interface for this. With a numba that lacks this hook, compiling takes that third longer.
    """
    template = getattr(compiled, "get_call_template", None)
    if template is None or list(inspect.signature(template).parameters) != ["args", "kws"]:
        return
    compiled.get_call_template = lambda args, kws: template(
        tuple(map(_wide, args)), {name: _wide(kind) for name, kind in kws.items()}
    )


def _wide(kind: Any) -> Any:
    """The type that a rule gets an argument in: int64 for whole numbers but unsigned ones, which wrap round."""
    kind = numba.types.unliteral(kind)
    return numba.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind  # type: ignore[attr-defined]


class PlainRecord(np.void):  # type: ignore[misc]
    """A record for plain Python: its fields are attributes, as in compiled code (np.record would hide ``round``)."""

    def __getattribute__(self, name: str) -> Any:
        ask = super().__getattribute__
        return self[name] if name in ask("dtype").fields else ask(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def layout(**fields: Any) -> np.dtype:
    """The dtype of a state record from ``name="i1"`` or ``name=("i1", shape)`` fields.

    In plain Python every integer is as wide as the arithmetic numba does on it (NumPy would wrap an int8), and the
    record's fields can be read as attributes, as in compiled code.
    """

    def width(code: str) -> np.dtype:
        kind = np.dtype(code)
        return np.dtype("i8") if PLAIN_PYTHON and kind.kind == "i" else kind

    columns: list[Any] = []
    for name, field in fields.items():
        if isinstance(field, tuple):
            columns.append((name, width(field[0]), field[1]))
        else:
            columns.append((name, width(field)))
    fields_only = np.dtype(columns, align=True)
    return np.dtype((PlainRecord, fields_only)) if PLAIN_PYTHON else fields_only


def driver(make: Callable[..., Callable]) -> Callable[..., Any]:
    """``driver(make)(*modules)`` is the compiled form of ``make(*modules)``, built once per process and cached."""

    @functools.cache
    def build(*modules: ModuleType) -> Any:
        function: Any = make(*modules)
        compiled = numba.njit(**FLAGS)(function)
        if not PLAIN_PYTHON:
            compiled.compile = _with_vectors(compiled.compile)
            cache = _open_cache(function, make, modules)
            if cache is not None:
                compiled._cache = cache
        return _quietly(compiled) if PLAIN_PYTHON else compiled

    return functools.wraps(make)(build)


def _with_vectors(compile_: Callable) -> Callable:
    """Compiles so that entries written one by one, as of an observation, are written several at once.

    Numba leaves LLVM's pass for this out unless told by NUMBA_SLP_VECTORIZE, for all code of a process: here for ours.
    """

    def run(kinds: Any) -> Any:
        config: Any = numba.config
        before = config.SLP_VECTORIZE
        config.SLP_VECTORIZE = 1
        try:
            return compile_(kinds)
        finally:
            config.SLP_VECTORIZE = before

    return run


def _quietly(function: Callable) -> Callable:
    """In plain Python, without warnings of what wraps round, in whichever thread it is called: NumPy asks each anew."""

    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run


def is_cached(compiled: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether the cache has a driver for arguments of these numba types; True where there is no cache to wait for."""
    if not hasattr(compiled._cache, "has"):
        return True
    return compiled._cache.has(kinds, compiled.targetctx.codegen())


_first_meant: dict[tuple[int, str], Any] = {}  # (namespace, name) -> the rule that it stood for when first looked up


def code_digest(function: FunctionType) -> str | None:
    """Names what a driver consists of: its bytecode and constants, and those of all rules that it calls.

    Read from the functions, not from their files, which may have been edited since they were imported. Modules in the
    driver's closure are looked through, whatever name they go by elsewhere. None if a rule has been replaced in this
    process: numba goes on using what it has compiled, so nobody can tell what is in the code now.
    """
    total, seen, waiting = hashlib.sha256(), set(), [function]
    inside = [cell.cell_contents for cell in function.__closure__ or ()]
    total.update(";".join(_show(value) for value in inside if not isinstance(value, ModuleType)).encode())
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        names = sorted(_hash_code(current.__code__, total))
        total.update(f"{_show(current.__defaults__)};".encode())
        known = [current.__globals__[name] for name in names if name in current.__globals__]
        places = [
            current.__globals__,
            *(vars(module) for module in [*inside, *known] if isinstance(module, ModuleType)),
        ]
        for name, place in [(name, place) for name in names for place in places if name in place]:
            value = place[name]
            total.update(f"{name}={_show(value)};".encode())
            if hasattr(value, "py_func"):
                total.update(b"writer;" if hasattr(value, "is_writer") else b"")
                waiting.append(value.py_func)
                if _first_meant.setdefault((id(place), name), value) is not value:
                    return None
    return total.hexdigest()


def _hash_code(code: CodeType, total: Any) -> set[str]:
    """Takes in a function's code, without names of files and numbers of lines; the names that it mentions."""
    names = set(code.co_names)
    # The code refers to names by their places: in another order the same code means something else.
    total.update(code.co_code + repr((code.co_names, code.co_varnames, code.co_freevars)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _hash_code(constant, total)
        else:
            total.update(f"{constant!r};".encode())
    return names


def _show(value: Any) -> str:
    """A constant by its value, anything else by its kind and name; the same in every process."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes()!r}"
    if type(value) is tuple:
        return f"({','.join(map(_show, value))})"
    if isinstance(value, int | float | str | tuple | np.generic | np.dtype) or value is None:
        return repr(value)
    if isinstance(value, type) and hasattr(value, "_fields"):  # a NamedTuple is compiled into places
        return f"{value.__qualname__}{value._fields}"
    return f"{type(value).__qualname__} {getattr(value, '__qualname__', getattr(value, '__name__', ''))}"


@functools.cache
def platform_digest() -> str:
    """Names what machine code depends on beside the rules: numba, NumPy, Python, and how this module compiles."""
    total = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    total.update(pathlib.Path(__file__).read_bytes())
    return total.hexdigest()[:20]


def cache_root() -> pathlib.Path | None:
    """The folder for machine code, private to this user, or None where none can be had."""
    chosen = os.environ.get(CACHE_VARIABLE)
    try:
        root = pathlib.Path(chosen) if chosen else platformdirs.user_cache_path("poopdeck") / "compiled"
        if not chosen and not root.is_absolute():  # older platformdirs where nobody has a home: "~/.cache"
            return None
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The entries are pickles: what somebody else could have written there is not read.
        if hasattr(os, "getuid") and root.stat().st_uid != os.getuid():
            return None
        return root if os.access(root, os.W_OK) else None
    except (OSError, RuntimeError):
        return None


@functools.cache
def _cache_folder(*modules: ModuleType) -> pathlib.Path | None:
    root = cache_root()
    if root is None:
        return None
    folder = root / f"{modules[0].__name__.rpartition('.')[0].rpartition('.')[2]}-{platform_digest()}"
    try:
        folder.mkdir(exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    return folder


@functools.cache  # once in a process is enough
def _forget_stale(root: pathlib.Path) -> None:
    limit = time.time() - STALE_AFTER_DAYS * 86_400
    for folder in root.iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir() and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
            elif folder.is_dir():
                for entry in folder.glob("*.nbc"):  # of rules as they were before an edit or an update
                    if entry.stat().st_mtime < limit:
                        entry.unlink()


def _open_cache(function: FunctionType, make: Callable, modules: tuple[ModuleType, ...]) -> Any:
    folder = _cache_folder(*modules)
    if folder is None:
        return None
    # Numba has no public interface for a cache of one's own. Should a later numba change these classes, every process
    # compiles anew: slower, never wrong. A test says whether the cache works with the numba at hand.
    try:
        return _cache_class()(function, f"{make.__module__.rpartition('.')[2]}.{make.__name__}", folder)
    except Exception:
        return None


@functools.cache
def _cache_class() -> type:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.core.serialize import dumps

    class Locator(_CacheLocator):
        def __init__(self, folder: pathlib.Path):
            self._py_file = str(folder)
            self.folder = folder

        def get_cache_path(self):
            return str(self.folder)

        def get_source_stamp(self):
            return self.folder.name

        def get_disambiguator(self):
            return ""

    class Implementation(CompileResultCacheImpl):
        def __init__(self, function, name, folder):
            self._lineno = function.__code__.co_firstlineno
            self._locator = Locator(folder)
            self._filename_base = name

    class Entries:
        """One file for every key, named after it, behind a checksum: a damaged file or another's is never run."""

        def __init__(self, folder: pathlib.Path, name: str):
            self.folder, self.name = folder, name

        def path(self, key: Any) -> pathlib.Path:
            return self.folder / f"{self.name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

        def seal(self, key: Any, content: bytes) -> bytes:
            return hashlib.sha256(repr(key).encode() + content).digest()

        def save(self, key: Any, data: Any) -> None:
            path, content = self.path(key), dumps(data)
            # Under its own name only when it is whole: other processes may be reading or writing at this moment.
            part = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
            try:
                part.write_bytes(self.seal(key, content) + content)
                os.replace(part, path)
            finally:
                part.unlink(missing_ok=True)

        def load(self, key: Any) -> Any:
            path = self.path(key)
            try:
                stored = path.read_bytes()
                os.utime(path)  # in use: what is not is forgotten one day
            except OSError:
                return None
            return pickle.loads(stored[32:]) if stored[:32] == self.seal(key, stored[32:]) else None

    class CheckedCache(FunctionCache):
        """Numba's disk cache, where a bad entry costs a compile instead of an error or the wrong code."""

        def __init__(self, function, name, folder):
            self._name = name
            self._py_func = function
            self._impl = Implementation(function, name, folder)
            self._cache_path = str(folder)
            self._cache_file = Entries(folder, name)
            self.enable()

        def _index_key(self, sig, codegen):
            code = code_digest(self._py_func)
            if code is None:
                raise LookupError("a rule has been replaced")  # neither loaded nor saved, see below
            return (sig, codegen.magic_tuple(), code)

        def has(self, sig, codegen):
            try:
                return self._cache_file.path(self._index_key(sig, codegen)).exists()
            except LookupError:
                return True  # a rule has been replaced: what is compiled here is what counts

        def flush(self):
            for path in self._cache_file.folder.glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)

        def load_overload(self, sig, target_context):
            try:
                result = super().load_overload(sig, target_context)
            except Exception:
                result = None
            if result is None or tuple(result.signature.args) != tuple(sig):
                announcement.compiling(self._cache_file.folder, self._name)
                return None
            return result

        def save_overload(self, sig, data):
            announcement.compiled(self._cache_file.folder, self._name)
            with contextlib.suppress(Exception):
                super().save_overload(sig, data)
                _forget_stale(self._cache_file.folder.parent)

    return CheckedCache
