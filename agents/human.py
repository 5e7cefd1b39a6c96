"""A person at the terminal."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

HELP = "type a number or an action's name (a unique beginning is enough); q leaves the table"


class Leave(Exception):
    """The person got up from the table."""


class TakeBack(Exception):
    """The person wants to take the last move back."""


class HumanAgent:
    """Asks a person. ``read`` takes a prompt and returns a line (EOFError at its end), ``write`` shows text; lines of
    choices are no longer than ``width``, if one is given."""

    def __init__(
        self,
        name: str = "you",
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        width: int | None = None,
    ):
        self.name, self._read, self._write, self._width = name, read, write, width

    def choose(self, legal: Sequence[tuple[int, str]]) -> int:
        """One of the legal actions, given as (number, name); asks until it gets one.

        Raises:
            Leave: the person typed q, or the input ended or was never there.
        """
        for line in rows([f"{place}: {name}" for place, (_, name) in enumerate(legal, 1)], self._width):
            self._write(line)
        while True:
            try:
                answer = self._read("your choice> ").strip()
            except (EOFError, RuntimeError):  # RuntimeError: standard input was closed before the process began
                raise Leave from None
            if answer.lower() in ("q", "quit", "exit"):
                raise Leave
            chosen = self._understand(answer, legal)
            if chosen is not None:
                return chosen

    def _understand(self, answer: str, legal: Sequence[tuple[int, str]]) -> int | None:
        if answer.isdecimal():
            place = int(answer)
            if 1 <= place <= len(legal):
                return legal[place - 1][0]
            self._write(f"there are choices 1 to {len(legal)}; {HELP}")
            return None
        names = {name: action for action, name in legal}
        whole = [name for name in names if name.lower() == answer.lower()]  # names may have capitals, people need not
        if answer in names or len(whole) == 1:
            return names[answer if answer in names else whole[0]]
        begun = [name for name in names if name.lower().startswith(answer.lower())] if answer else []
        if len(begun) == 1:
            return names[begun[0]]
        near = get_close_matches(answer.lower(), names, 1)
        hint = f"did you mean {near[0]!r}? " if near and not begun else ""
        several = f"{answer!r} could be {', '.join(begun)}; " if begun else ""
        self._write(f"{several}{hint}{HELP}")
        return None


def rows(entries: Sequence[str], width: int | None) -> list[str]:
    """Entries in lines of at most so many letters, broken between entries only; one that is longer has its own line."""
    lines: list[str] = []
    for entry in entries:
        joined = f"{lines[-1]}  {entry}" if lines else entry
        if lines and (width is None or len(joined) <= width):
            lines[-1] = joined
        else:
            lines.append(entry)
    return lines
