"""Reading exactly one action out of an answer: forgiving in spelling, strict in everything else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

READ, SILENT, UNREADABLE, SEVERAL, ILLEGAL = "read", "silent", "unreadable", "several", "illegal"
KINDS = (READ, SILENT, UNREADABLE, SEVERAL, ILLEGAL)
FORM = "write one line `action: NAME` with the number or the name of one legal action"
MARKED = re.compile(
    r"^\W*(?:my |final |the )*(?:action|answer|move|choice)\W*(?:is\b)?\s*[:=]\s*(.+?)\s*$", re.I | re.M
)
BRACKETS = re.compile(r"\[([^\[\]\n]+)\]")
LIKE = 0.75  # how much of a misspelt word must be right
AROUND = " \t.,;!\"'`*_()[]{}<>"
LEADING = ("i choose", "i choose to", "i will", "i ll", "i", "let me", "let s")


@dataclass(frozen=True)
class Reading:
    """What an answer says.

    ``kind`` is one of KINDS, ``action`` the number of the legal action that was read, if one was; ``problem`` tells the
    answerer what was wrong, and is empty if nothing was.
    """

    kind: str
    action: int | None = None
    problem: str = ""


def read_answer(text: str | None, names: Sequence[str], legal: Sequence[int]) -> Reading:
    """The one action of an answer, of a game whose actions have these names.

    It is the whole answer, or stands in a line ``action: NAME`` or in brackets ``[NAME]``; a number or a name, in any
    case, with spaces, hyphens and quotes as one likes, and with slips of the pen where only one action is like it.
    A longer text without a mark is not searched for names, and nothing but a legal action is ever read.
    """
    allowed = f"legal now: {', '.join(f'{action} ({names[action]})' for action in legal)}"
    if text is None or not text.strip():
        return Reading(SILENT, None, f"your answer was empty; {FORM}; {allowed}")
    found = _candidates(text)
    meant = {action for one in found if (action := _action(one, names)) is not None}
    if len(meant) > 1 or (meant and any(_action(one, names) is None for one in found)):
        given = ", ".join(repr(one) for one in found)
        return Reading(SEVERAL, None, f"your answer names several actions ({given}); {FORM}; {allowed}")
    if not meant:
        said = f"{found[0][:60]!r} is no action of this game" if len(found) == 1 else "no action could be read"
        return Reading(UNREADABLE, None, f"{said}; {FORM}; {allowed}")
    action = meant.pop()
    if action not in legal:
        return Reading(ILLEGAL, None, f"{action} ({names[action]}) is not legal now; {allowed}")
    return Reading(READ, action)


def check_retries(retries: int) -> int:
    """How often an answer may be asked for again; ValueError if it is no whole number from 0."""
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise ValueError(f"retries={retries!r}: allowed is a whole number from 0")
    return retries


def _candidates(text: str) -> list[str]:
    """The pieces of an answer that claim to be the action: marked lines, else brackets, else the whole."""
    marked = list(dict.fromkeys(piece for piece in MARKED.findall(text)))
    if marked:
        return marked
    brackets = list(dict.fromkeys(BRACKETS.findall(text)))
    return brackets or [text.strip()]


def _plain(text: str) -> str:
    """Lower case, words and numbers with single spaces between."""
    return " ".join(re.findall(r"[a-z]+|\d+|[+]", text.lower().replace("×", "x")))


def _action(piece: str, names: Sequence[str]) -> int | None:
    """The action that a piece of text is, if it is exactly one."""
    wanted = piece.strip(AROUND)
    if re.fullmatch(r"#?\d+", wanted):
        number = int(wanted.lstrip("#"))
        return number if number < len(names) else None
    numbered = re.fullmatch(r"#?(\d+)\s*(?:[:.)=-]|\()\s*(.+)", wanted, re.S)
    if numbered:  # as listed: "12: play 3" or "12 (play 3)"
        number, named = int(numbered[1]), _named(numbered[2], names)
        return number if named == number else None
    return _named(wanted, names)


def _named(text: str, names: Sequence[str]) -> int | None:
    plain = [_plain(name) for name in names]
    tries = [_plain(text)]
    tries += [tries[0][len(start) + 1 :] for start in LEADING if tries[0].startswith(start + " ")]
    for wanted in tries:
        for form in (str, lambda one: one.replace(" ", "")):
            same = [number for number, name in enumerate(plain) if form(name) == form(wanted)]
            if len(same) == 1:
                return same[0]
    like = [number for number, name in enumerate(plain) if _alike(tries[0], name)]
    return like[0] if len(like) == 1 else None


def _alike(one: str, other: str) -> bool:
    """Whether two names differ by slips of the pen only: as many words, numbers the same, words nearly."""
    words, others = one.split(), other.split()
    return len(words) == len(others) and all(
        a == b
        or (a.isalpha() and b.isalpha() and min(len(a), len(b)) > 2 and SequenceMatcher(a=a, b=b).ratio() >= LIKE)
        for a, b in zip(words, others, strict=True)
    )
