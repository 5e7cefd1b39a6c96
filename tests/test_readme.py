"""The README is the first thing that people try, so all of it is tried here."""

import re

import pytest
from documents import ROOT, code_blocks, run

from poopdeck.envs.core import registry

README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")


@pytest.mark.parametrize("block", code_blocks(README, "python"), ids=lambda block: f"line {block.line}")
def test_each_block_runs_alone(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(block, README, {"__name__": "__readme__"})


def test_ten_lines_are_ten_lines():
    for block in code_blocks(README, "python"):
        assert len([line for line in block.text.splitlines() if line]) <= 10


def test_it_is_about_one_screen():
    assert len(TEXT.splitlines()) <= 80


def test_every_game_is_listed():
    assert [game for game in registry.BUILT_IN if f"(docs/games/{game}.md)" not in TEXT] == []


def test_there_is_a_picture():
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert pictures and all((ROOT / picture).is_file() for picture in pictures)
