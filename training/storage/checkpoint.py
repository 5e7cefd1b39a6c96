"""Checkpoints: named arrays and JSON facts in one safetensors file, written so that a crash at any moment loses
nothing, and never pickled.

The last two are kept. A file that is cut short or altered is noticed by its length or its checksum, and the one before
it is taken.
"""

import hashlib
import json
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .plain_json import json_text
from .run_folder import write_file

FORMAT = "poopdeck-checkpoint-2"
KEPT = 2
PATTERN = "step-*.safetensors"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says which and why."""


@dataclass
class Checkpoint:
    """What a run was at one moment: arrays of any shape and plain dtype, and facts that JSON can hold."""

    tensors: dict[str, np.ndarray]
    facts: dict[str, Any]

    def part(self, prefix: str) -> dict[str, np.ndarray]:
        """The arrays whose names begin with ``prefix.``, without it."""
        start = f"{prefix}."
        return {name[len(start) :]: value for name, value in self.tensors.items() if name.startswith(start)}


def prefixed(prefix: str, tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The inverse of ``Checkpoint.part``."""
    return {f"{prefix}.{name}": value for name, value in tensors.items()}


def save_checkpoint(folder: pathlib.Path, timesteps: int, checkpoint: Checkpoint) -> pathlib.Path:
    """Writes a checkpoint, and only then removes those that are older than the last two."""
    from safetensors.numpy import save

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: np.asarray(value, order="C") for name, value in checkpoint.tensors.items()}
    facts = json_text(checkpoint.facts)
    header = {"format": FORMAT, "facts": facts, "checksum": _checksum(tensors, facts)}
    path = folder / f"step-{timesteps:012d}.safetensors"
    write_file(path, save(tensors, metadata=header))
    for old in [*checkpoint_files(folder)[KEPT:], *folder.glob(".*.part")]:
        old.unlink(missing_ok=True)
    return path


def checkpoint_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """Newest first."""
    return sorted(folder.glob(PATTERN), reverse=True)


def load_checkpoint(path: pathlib.Path) -> Checkpoint:
    """Reads one checkpoint; CheckpointError if it is not whole."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError(f"{path}: damaged ({error})") from None
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint of format {FORMAT}")
    facts = header.get("facts", "")
    if header.get("checksum") != _checksum(tensors, facts):
        raise CheckpointError(f"{path}: damaged (the checksum differs)")
    return Checkpoint(tensors, json.loads(facts))


def newest_checkpoint(
    folder: pathlib.Path, warn: Callable[[str], None] = lambda _: None
) -> tuple[pathlib.Path, Checkpoint] | None:
    """The newest checkpoint that is whole, None if there is none at all.

    Damaged ones are told of, passed over, and removed once a whole one is found: the run will write them again.
    """
    files = checkpoint_files(folder)
    for place, path in enumerate(files):
        try:
            found = load_checkpoint(path)
        except CheckpointError as error:
            warn(f"{error}; going back to the one before")
            continue
        for damaged in files[:place]:
            damaged.unlink()
        return path, found
    if files:
        raise CheckpointError(f"{folder}: all {len(files)} checkpoints are damaged, the run cannot be resumed")
    return None


def _checksum(tensors: Mapping[str, np.ndarray], facts: str) -> str:
    digest = hashlib.blake2b(facts.encode("utf-8"), digest_size=16)
    for name in sorted(tensors):
        value = tensors[name]
        digest.update(f"{name} {value.dtype} {value.shape}".encode())
        digest.update(value.tobytes())
    return digest.hexdigest()
