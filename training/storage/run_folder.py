"""The folder of a training run: what lies where, who may write, what is told at the end.

::

    config.yaml      the resolved config           versions.json    what it ran with
    metrics.jsonl    one row per update            tensorboard/     the same as curves
    checkpoint/      the last two, to resume from  snapshots/       earlier selves in the opponent pool
    weights/         network.safetensors, card.json: the agent
    result.json      how it ended

Nothing in it is ever pickled.
"""

import datetime
import json
import os
import pathlib
import platform
from importlib import metadata
from typing import IO, Any, Self

from ...envs.core.errors import naming_file
from ..config.files import dump_config, former_keys, load_config
from ..config.schema import TrainConfig
from .plain_json import json_text

LOCK = "run.lock"
LOCKED_BYTE = 2**30  # far behind the text: where locks are mandatory, others can read the text all the same
VERSIONS = (
    "numpy numba torch stable-baselines3 sb3-contrib gymnasium pettingzoo safetensors pydantic tensorboard".split()
)
# A run can be resumed with other values of these; the rest is what its state was made by.
CHANGEABLE = ("total_timesteps", "time_limit", "threads", "evaluation", "checkpoint")


class RunFolderError(ValueError):
    """A folder that cannot be written or resumed; the message says what to do instead."""


class FolderInUseError(RunFolderError):
    """A folder that another process writes at this moment."""


def default_folder(config: TrainConfig) -> pathlib.Path:
    """``runs/<game>-<date>-<time>-<seed>``, numbered if that exists."""
    return new_folder(config.game, str(config.seed))


def new_folder(*parts: str) -> pathlib.Path:
    """``runs/<first part>-<date>-<time>-<further parts>``, numbered if that exists."""
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    stem = pathlib.Path("runs") / "-".join([parts[0], now, *parts[1:]])
    number, path = 1, stem
    while path.exists():
        number += 1
        path = stem.with_name(f"{stem.name}-{number}")
    return path


def read_config(folder: pathlib.Path, sets: list[str] | tuple[str, ...] = ()) -> TrainConfig:
    """The config that a run was started with, with ``key=value`` changes for its resumption."""
    path = folder / "config.yaml"
    if not path.is_file():
        raise RunFolderError(f"{folder}: no config.yaml there, so there is no run to resume")
    former = former_keys(path)
    if former:
        raise RunFolderError(
            f"{path}: written by an earlier version ({', '.join(former)} is called otherwise now), so the run cannot "
            "be resumed; its network can still be played and measured"
        )
    return load_config(str(path), sets)


def write_file(path: pathlib.Path, content: bytes | str) -> None:
    """Writes a file so that a reader, also after a crash, meets all of it or what was there before."""
    part = path.with_name(f".{path.name}.part")
    with naming_file(path), open(part, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":  # the new name itself must reach the disk too
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class RunFolder:
    """One run's folder, held by one process at a time. Use it as a context."""

    def __init__(self, path: pathlib.Path, resume: bool = False):
        self.path, self.resume = path, resume
        self.config_path = path / "config.yaml"
        self.metrics_path = path / "metrics.jsonl"
        self.result_path = path / "result.json"
        self.checkpoints = path / "checkpoint"
        self.tensorboard = path / "tensorboard"
        self.snapshots = path / "snapshots"
        self.weights = path / "weights"
        self._lock: IO[str] | None = None

    def __enter__(self) -> Self:
        if self.path.exists() and not self.path.is_dir():
            raise RunFolderError(f"{self.path}: not a folder")
        if self.resume and not self.path.exists():
            raise RunFolderError(f"{self.path}: no such folder, so there is no run to resume")
        used = self.path.exists() and any(not _left_over(item.name) for item in self.path.iterdir())
        if used and not self.resume:
            raise RunFolderError(
                f"{self.path}: the folder is not empty; choose another one, or resume the run that is in it"
            )
        if used and not self.config_path.is_file():
            raise RunFolderError(f"{self.path}: no {self.config_path.name} there, so there is no run to resume")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.path / LOCK, "a+", encoding="utf-8")  # noqa: SIM115 (held until the run ends)
        except OSError as error:
            raise RunFolderError(f"{self.path}: cannot be written ({error})") from None
        if not _lock_file(self._lock):
            holder = _holder(self._lock)
            self._lock.close()
            raise FolderInUseError(f"{self.path}: a run is being written there by {holder}")
        self._lock.truncate(0)
        self._lock.write(f"process {os.getpid()}\n")
        self._lock.flush()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._lock is not None
        self._lock.close()  # which gives the lock back; the file stays, since deleting it would race

    def begin(self, config: TrainConfig) -> list[str]:
        """Writes down config and versions; of a resumed run, checks that they fit. Returns warnings."""
        warnings = []
        if self.config_path.is_file():
            refuse_other_config(self.path, read_config(self.path), config)
            warnings = self._changed_versions()
        write_file(self.config_path, dump_config(config))
        write_file(self.path / "versions.json", json_text(versions(), 2) + "\n")
        self.result_path.unlink(missing_ok=True)
        return warnings

    def _changed_versions(self) -> list[str]:
        try:
            before = json.loads((self.path / "versions.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        now = versions()
        changed = [f"{k} {before.get(k)} -> {now[k]}" for k in now if before.get(k) != now[k]]
        if not changed:
            return []
        return [f"other versions than the run began with, so it may go on differently: {', '.join(changed)}"]

    def finish(self, result: dict[str, Any]) -> None:
        """Writes ``result.json``."""
        write_file(self.result_path, json_text(result, 2) + "\n")


def _left_over(name: str) -> bool:
    """What a run may leave that was stopped before it began: its lock, and a file that was never finished."""
    return name == LOCK or (name.startswith(".") and name.endswith(".part"))


def refuse_other_config(path: pathlib.Path, before: TrainConfig, now: TrainConfig) -> None:
    """RunFolderError if a run would be resumed with what its state was not made for."""
    old, new = before.model_dump(), now.model_dump()
    old |= {f"{before.algo}.{key}": value for key, value in old.pop(before.algo).items()}
    new |= {f"{now.algo}.{key}": value for key, value in new.pop(now.algo).items()}
    changeable = [*CHANGEABLE, *(f"{now.algo}.{key}" for key in now.section.CHANGEABLE)]
    for key in old:
        if key not in changeable and (key not in new or old[key] != new[key]):
            names = ", ".join(changeable)
            raise RunFolderError(
                f"{path}: the run was started with {key}={old[key]!r}, not {new.get(key)!r}; "
                f"a resumed run may change {names}"
            )


def versions() -> dict[str, str]:
    """Of everything that a run's numbers depend on."""
    found = {"poopdeck": _version("poopdeck"), "python": platform.python_version()}
    found |= {name: _version(name) for name in VERSIONS}
    return found | {"platform": platform.platform(), "cpu": platform.machine(), "cores": str(os.cpu_count())}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _holder(file: IO[str]) -> str:
    """Who holds the lock, as far as its file says."""
    try:
        file.seek(0)
        return file.read().strip() or "another process"
    except (OSError, ValueError):  # where locks are mandatory, nobody else may even read
        return "another process"


def _lock_file(file: IO[str]) -> bool:
    """Takes the system's lock on an open file, which goes when the process goes, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            file.seek(LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
