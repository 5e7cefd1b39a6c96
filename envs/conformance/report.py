"""What came of a check: one line for every point of the contract and every case."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .case import Case

POINTS = {
    1: "every position has one seat to act, with a legal action",
    2: "observations are written in full, within their bounds, and change nothing",
    3: "the same seed and actions give the same game",
    4: "payoffs keep their bounds and their sum",
    5: "no card is lost or made",
    6: "what a seat cannot know is dealt anew, changes nothing it sees, and can lie anywhere it could",
    7: "copies are independent and complete",
    8: "seats are relative: a turned table looks the same",
    9: "two games in a row, under every wrapper",
    10: "every interface gives the same returns",
    11: "illegal actions are refused and change nothing",
    12: "every game ends in time",
    13: "compiled and plain Python rules agree",
    14: "a scenario plays on as the position it was made of",
    15: "names of actions lead back to their numbers",
}


class Line(NamedTuple):
    """What came of one point: ``detail`` is what was looked at, or, if not ``ok``, what is wrong and where."""

    point: int
    what: str
    ok: bool
    detail: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'} {self.point:2} {self.what}: {self.detail}"


class Report:
    """The lines of a check, one for every point and case."""

    def __init__(self, on_progress: Callable[[Line], Any] | None = None):
        self.lines: list[Line] = []
        self.on_progress = on_progress

    @property
    def passed(self) -> bool:
        """Whether something was looked at and nothing found wrong."""
        return bool(self.lines) and all(line.ok for line in self.lines)

    @property
    def failures(self) -> list[Line]:
        """The lines that are not ok."""
        return [line for line in self.lines if not line.ok]

    def __str__(self) -> str:
        return "\n".join(map(str, self.failures or self.lines))

    def add(self, point: int, ok: bool, detail: str) -> None:
        """Writes a line."""
        line = Line(point, POINTS[point], ok, detail)
        self.lines.append(line)
        if self.on_progress is not None:
            self.on_progress(line)

    def run(self, point: int, case: "Case", check: Callable[["Case"], str]) -> bool:
        """Makes one check; whatever it raises becomes a line that says where."""
        case.place = ""
        try:
            detail = check(case)
        except Exception as error:  # the game is somebody else's code, and a check must go on
            kind = "" if isinstance(error, Fault) else f"{type(error).__name__}: "
            self.add(point, False, f"{case.label}{case.place}: {kind}{error}")
            return False
        self.add(point, True, f"{case.label}: {detail}")
        return True


class Fault(Exception):
    """Something that the contract does not allow."""


def require(good: Any, message: str) -> None:
    """Raises Fault unless good."""
    if not good:
        raise Fault(message)
