"""What commands write for people at a terminal."""

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..envs.core.scene import Scene

NARROWEST = 40  # cells; a narrower terminal breaks the lines itself


class Terminal:
    """Standard output as it is: whether somebody looks at it, in colour, how wide, and with which letters."""

    def __init__(self) -> None:
        self.watched = sys.stdout.isatty()
        self.colour = self.watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        columns = shutil.get_terminal_size().columns if self.watched else None
        self.columns = None if columns is None else max(columns, NARROWEST)
        self.encoding = getattr(sys.stdout, "encoding", None) or "utf-8"

    def draw(self, scene: "Scene") -> str:
        """A scene as text that fits."""
        from ..envs.render import ansi

        width = ansi.DEFAULT_WIDTH if self.columns is None else min(self.columns, ansi.DEFAULT_WIDTH)
        return ansi.draw(scene, colour=self.colour, width=width)

    def show(self, text: str) -> None:
        """Writes a text; where letters of it cannot be written here, all of it in plainer ones."""
        from ..envs.render import ansi

        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            text = ansi.plainer(text).encode(self.encoding, "replace").decode(self.encoding)
        typer.echo(text)


def never_fail_to_write() -> None:
    """A letter that the standard streams' encoding lacks is written as a question mark, and what is written to a stream
    that is closed is lost; neither ends a command."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the process began
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def payoffs_line(game: Any, state: Any, payoffs: Any) -> str:
    """Every seat's payoff, in one line."""
    named = zip(game.spec.agent_names(state.settings), map(float, payoffs), strict=True)
    return "payoffs: " + ", ".join(f"{name} {value:+.2f}" for name, value in named)
