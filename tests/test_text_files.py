"""Text files are UTF-8 on every system, and figures in JSON are figures."""

import ast
import json
import math

import numpy as np
import pytest
from documents import ROOT
from test_cli import EVALUATE, poopdeck

from poopdeck.training.storage.plain_json import json_text, plain

SOURCES = [path for room in ("envs", "agents", "training", "poopdeck", "docs") for path in ROOT.glob(f"{room}/**/*.py")]
OTHER_OPENS = {"os.open", "Image.open", "PIL.Image.open"}


def unsaid(source: str) -> list[int]:
    """Lines that open, read or write text without saying in which encoding."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) in OTHER_OPENS:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        modes = [word.value for word in node.args + [k.value for k in node.keywords] if isinstance(word, ast.Constant)]
        binary = name == "open" and any(isinstance(mode, str) and "b" in mode and len(mode) <= 3 for mode in modes)
        said = any(word.arg == "encoding" for word in node.keywords) or "utf-8" in modes
        if name in ("open", "read_text", "write_text", "NamedTemporaryFile") and not binary and not said:
            found.append(node.lineno)
    return found


def test_every_text_file_is_opened_as_utf_8():
    lost = [f"{path.relative_to(ROOT)}:{line}" for path in SOURCES for line in unsaid(path.read_text("utf-8"))]
    assert not lost, f"no encoding is said in {', '.join(lost)}"


def test_a_file_opened_without_is_noticed():
    assert unsaid("open('x')\npath.read_text()\npath.write_text('x')\npath.open('a')") == [1, 2, 3, 4]
    assert not unsaid("open('x', 'rb')\npath.read_text('utf-8')\npath.write_text('x', encoding='utf-8')\nos.open('x')")


def test_json_is_written_by_what_refuses_what_is_no_json():
    """Whoever writes JSON with figures in it asks for an error where a figure is none, or goes by ``json_text``."""
    others = ("plain_json.py", "snapshot_pool.py")  # what holds no figures
    for path in SOURCES:
        if path.is_relative_to(ROOT / "training") and path.name not in others:
            assert "json.dumps" not in path.read_text("utf-8"), f"{path.name} writes JSON past json_text"


def test_a_figure_that_there_is_not_is_null():
    content = {"a": math.nan, "b": (np.float32(np.inf), np.int64(3)), "c": [{"d": -math.inf}], "e": np.array([1.5])}
    assert json.loads(json_text(content)) == {"a": None, "b": [None, 3], "c": [{"d": None}], "e": [1.5]}
    assert plain(content) == json.loads(json_text(content))


@pytest.mark.parametrize(("game", "more"), [("poo_head", ["--players", 2]), ("pooman", ["--role", "pooman"])])
def test_a_single_deal_has_no_interval_and_says_so(game, more, tmp_path):
    path = tmp_path / "one.json"
    shown = poopdeck(*EVALUATE, game, *more, "--games", 1, "--json", path)
    assert shown.returncode == 0 and "[no interval of a single deal]" in shown.stdout and "nan" not in shown.stdout

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    figures = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert figures["mean_payoff_ci"] == [None, None] and figures["deals"] == 1
