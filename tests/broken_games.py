"""The dummy game with one thing broken at a time: does the conformance check notice, and at the right point?

Run by tests/test_conformance.py as ``NUMBA_DISABLE_JIT=1 python broken_games.py FOLDER``, since plain Python needs no
compiling; prints ``{case: [[failing point, detail], ...]}`` as JSON.
"""

import importlib
import json
import pathlib
import shutil
import sys
from typing import NamedTuple

DUMMY = pathlib.Path(__file__).parents[1] / "docs/examples/new_game/highest_sum"


class Break(NamedTuple):
    """One thing to break: in ``file`` the text ``old`` becomes ``new``; the check should fail at ``point``."""

    point: int
    file: str
    old: str
    new: str
    says: str  # part of the message


BREAKS = {
    "a seat without a legal action": Break(
        1, "rules", "if s.hand[s.turn, kind] > 0:", "if s.hand[s.turn, kind] > 1:", "nothing is legal"
    ),
    "mask not written in full": Break(1, "rules", "        mask[kind] = 0\n", "        pass\n", "not written"),
    "mask with a 2": Break(1, "rules", "mask[kind] = 1", "mask[kind] = 2", "neither 0 nor 1"),
    "a seat that is none": Break(1, "rules", "            s.turn = other\n", "            s.turn = 9\n", "9"),
    "observation not written in full": Break(
        2, "observation", "    out[at + n * (MAX_KINDS + 2)] = ", "    unused = ", "not written"
    ),
    "observation out of bounds": Break(
        2, "observation", "hand_size(s, other) / DEALT", "hand_size(s, other)", "hand_size["
    ),
    "observation written too far": Break(
        2, "observation", "out[at + n * (MAX_KINDS + 2)]", "out[at + n * (MAX_KINDS + 2) + 1]", ""
    ),
    "looking changes the state": Break(
        2, "observation", "    n = s.num_players\n", "    n = s.num_players\n    s.rng += s.rng\n", "changes"
    ),
    "returns not written": Break(
        2, "rules", "        out[seat] = 0.0\n        if total", "        if total", "returns"
    ),
    "chance from elsewhere": Break(
        3,
        "rules",
        "s.turn = below(s, s.num_players)",
        "s.turn = __import__('random').randrange(s.num_players)",
        "deals",
    ),
    "games share something": Break(
        3,
        "rules",
        "    s.decisions += 1\n",
        "    SHARED[0] += 1\n    s.draw_size -= int(s.draw_size > 0 and SHARED[0] % 3 == 0)\n    s.decisions += 1\n",
        "",
    ),
    "payoff too high": Break(4, "rules", "out[best] = 1.0", "out[best] = 2.0", "are not in"),
    "payoffs of another sum": Break(4, "rules", "out[best] = 1.0", "out[best] = 0.9", "sum to"),
    "a card is lost": Break(5, "rules", "s.laid[seat, action] += 1", "pass", "too few"),
    "the next card is shown": Break(
        6,
        "observation",
        "= s.draw_size / (COPIES * s.kinds)",
        "= s.draw[s.draw_size - 1] / MAX_KINDS",
        "the observation",
    ),
    "other hands are described": Break(
        6, "display", "hand if seat in (None, other) else len(hand)", "hand", "description"
    ),
    "other hands are drawn": Break(6, "display", "face_up = seat in (None, other)", "face_up = True", "the scene"),
    "resampling deals the same": Break(6, "observation", "    shuffle_anew(s, s.draw, size)\n", "", "never gives"),
    "resampling leaves the bottom card": Break(
        6,
        "observation",
        "    shuffle_anew(s, s.draw, size)\n",
        "    shuffle_anew(s, s.draw[1:], size - 1)\n",
        "never gives",
    ),
    "resampling leaves other hands": Break(6, "observation", "if other != seat:", "if other == 99:", "never gives"),
    "resampling touches the own hand": Break(
        6, "observation", "if other != seat:", "if other >= 0:", "the observation"
    ),
    "resampling goes by the order that was there": Break(
        6,
        "observation",
        "import shuffle_anew\n",
        "import shuffle as shuffle_anew\n",
        "depends on what the seat cannot know",
    ),
    "resampling loses a card": Break(6, "observation", "range(held)", "range(held - 1)", ""),
    "resampling by other chance": Break(
        6,
        "observation",
        "    shuffle_anew(s, s.draw, size)\n",
        "    __import__('random').shuffle(s.draw[:size])\n",
        "not the same again",
    ),
    "seats are absolute": Break(8, "observation", "other = (seat + k) % n", "other = k", "sees something else"),
    "a game longer than the bound": Break(
        12, "parameters", 'COPIES * settings["kinds"]', 'COPIES * settings["kinds"] - 1', "the bound is"
    ),
    "a counter is not loaded": Break(
        14,
        "scenario",
        'Field("decisions", Number',
        'Field("decisions", type("Forgotten", (Number,), {"put": lambda *_: None})',
        "decisions is 0 instead of",
    ),
    "chance is not loaded": Break(
        14,
        "scenario",
        "= SCHEMA.load,",
        "= lambda game, scenario: SCHEMA.load(game, {**scenario, 'rng': 5}),",
        "rng is 5 instead of",
    ),
    "a dump that JSON changes": Break(
        14, "scenario", "SCHEMA.dump,", "lambda state: {**SCHEMA.dump(state), 'kept': (1, 2)},", "JSON changes"
    ),
    "two actions of one name": Break(15, "display", 'f"lay {kind}"', 'f"lay {kind // 2}"', "is the name of"),
}


def break_game(folder: pathlib.Path, name: str, broken: Break):
    """A copy of the dummy game, as a package of its own, with this broken; its GameSpec."""
    package = folder / name
    shutil.copytree(DUMMY, package, ignore=shutil.ignore_patterns("__pycache__"))
    path = package / f"{broken.file}.py"
    text = path.read_text()
    assert broken.old in text, f"{broken.old!r} is not in {broken.file}.py"
    path.write_text(text.replace(broken.old, broken.new) + "\n\nSHARED = [0]\n")
    return importlib.import_module(name).SPEC


def failures(spec, point: int) -> list[tuple[int, str]]:
    """What the check finds at one point."""
    from poopdeck.envs.conformance.case import Case
    from poopdeck.envs.conformance.contract import CHECKS, play_games
    from poopdeck.envs.conformance.report import Report
    from poopdeck.envs.core.game import Game

    report = Report()
    table = Case(Game(spec), 3, {}, range(2))
    if report.run(1, table, play_games):
        for number, check in CHECKS:
            if number == point:
                report.run(number, table, check)
    return [(line.point, line.detail) for line in report.failures]


def main(folder: str) -> None:
    """Breaks everything in turn."""
    sys.path.insert(0, folder)
    sys.path.insert(0, str(DUMMY.parent))
    dummy = importlib.import_module("highest_sum").SPEC
    found = {"nothing": [failure for point in range(2, 16) for failure in failures(dummy, point)]}
    for number, (case, broken) in enumerate(BREAKS.items()):
        spec = break_game(pathlib.Path(folder), f"broken_{number}", broken)
        found[case] = failures(spec, broken.point)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
