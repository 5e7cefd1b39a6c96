"""A run's numbers over time: ``metrics.jsonl``, one row per update, and the same as TensorBoard events."""

import json
import math
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from ...envs.core.errors import naming_file
from ..storage.plain_json import json_text

STEP = "timesteps"


class Curves:
    """Both files. A resumed run cuts them back to where its checkpoint stood, so nothing appears twice."""

    def __init__(self, metrics: pathlib.Path, tensorboard: pathlib.Path | None, position: int = 0, step: int = 0):
        """``position`` is the length of ``metrics`` in bytes to keep, ``step`` the last sample that counts."""
        metrics.touch()
        size = metrics.stat().st_size
        self.lost = max(position - size, 0)  # bytes that somebody took away
        self._file = open(metrics, "r+b")  # noqa: SIM115 (closed by close)
        self._file.truncate(min(position, size))
        self._file.seek(0, os.SEEK_END)
        self._writer: Any = None
        if tensorboard is not None:
            from torch.utils.tensorboard import SummaryWriter

            # Events from after the checkpoint, which a killed run left behind, are hidden.
            self._writer = SummaryWriter(str(tensorboard), purge_step=step + 1 if step else None)

    def row(self, step: int, values: Mapping[str, Any]) -> None:
        """One row; values that are not numbers now (such as a mean of no games) are left out."""
        kept = {name: value for name, value in values.items() if value is not None and math.isfinite(value)}
        with naming_file(self._file.name):
            self._file.write(json_text({STEP: step, **kept}).encode("utf-8") + b"\n")
            self._file.flush()
        if self._writer is not None:
            for name, value in kept.items():
                self._writer.add_scalar(name, value, step)

    def position(self) -> int:
        """Bytes written so far, once they are safely on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        if self._writer is not None:
            self._writer.flush()
        return self._file.tell()

    def close(self) -> None:
        """Ends both files."""
        self._file.close()
        if self._writer is not None:
            self._writer.close()


def read_metrics(path: pathlib.Path) -> list[dict[str, Any]]:
    """All rows of a ``metrics.jsonl``; a half-written last one is left out."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows
