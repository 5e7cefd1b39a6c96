"""What a language model was told and what it answered, decision by decision, as JSON lines."""

import json
import pathlib
from collections.abc import Mapping
from typing import Any

from ...envs.core.errors import naming_file


class Transcripts:
    """A file that is written as games are played; it must be new.

    A line is an object: of a game's beginning ``{"system": ...}`` where it has changed, of a decision ``agent``,
    ``game``, ``table``, ``seat``, ``new_game``, ``told``, ``exchanges`` (a list of ``answer``, ``reading`` and
    ``problem``), and ``action`` with its ``name``, or null for a forfeit.
    """

    def __init__(self, path: str | pathlib.Path):
        self.path = pathlib.Path(path)
        self._system: str | None = None
        with naming_file(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self.path.open("x", encoding="utf-8").close()
            except FileExistsError:
                raise ValueError(f"transcripts={str(path)!r}: this file is there already; name a new one") from None

    def add(self, system: str, decision: Mapping[str, Any]) -> None:
        """Adds a decision, and the system text where it is another than before."""
        lines = [] if system == self._system else [json.dumps({"system": system}, ensure_ascii=False)]
        lines.append(json.dumps(decision, ensure_ascii=False))
        self._system = system
        with naming_file(self.path), self.path.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
