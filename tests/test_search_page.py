"""The page of agents that search: it says what its figures say, and the figures are what has been played."""

import json
import pathlib

import pytest
import search_page
import yaml

FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "agents"
PLAN = """
introduction: "# Searching"
networks: "None."
tables:
- {game: poop, players: 2, against: random, agents: {"search:deals=2": 20, "network:1": 16, "cheat:deals=2": 16}}
- {game: pooman, players: 2, role: pooman, against: random, agents: {random: 16}}
"""


def test_the_page_fits_its_figures():
    assert search_page.main(["--check"]) == 0, "write it anew: python docs/make/search_page.py"


def test_every_figure_is_of_games_without_an_illegal_action():
    plan = yaml.safe_load((FOLDER / "search.yaml").read_text())
    figures = json.loads((FOLDER / "search.json").read_text())
    wanted = {search_page.key_of(entry) for entry in search_page.wanted(plan)}
    assert figures and {search_page.key_of(entry) for entry in figures} <= wanted
    for entry in figures:
        rate, low, high, games = search_page.Measured(entry).figures()
        assert 0 <= low <= rate <= high <= 1 and high > low
        assert games == len(entry["hits"]) * entry["games_a_deal"] and rate == pytest.approx(sum(entry["hits"]) / games)
        assert entry["illegal"] == 0
        if entry["agent"].startswith("search:"):
            assert entry["moves"] > 0 and entry["seconds"] > 0


def test_measuring_goes_on_where_it_stopped_and_a_page_that_says_something_else_is_noticed(tmp_path):
    (tmp_path / "search.yaml").write_text(PLAN)
    (tmp_path / "search.json").write_text("[]")
    own = ["--folder", str(tmp_path)]
    measure = ["--measure", "--networks", str(tmp_path), *own]
    assert search_page.main([*measure, "--minutes", "0"]) == 0
    assert json.loads((tmp_path / "search.json").read_text()) == []
    assert search_page.main([*measure, "--only", "poop"]) == 0
    first = json.loads((tmp_path / "search.json").read_text())
    assert [(entry["agent"], len(entry["hits"])) for entry in first] == [("search:deals=2", 32), ("cheat:deals=2", 16)]
    assert search_page.main(measure) == 0
    both = json.loads((tmp_path / "search.json").read_text())
    assert both[:2] == first and both[2]["role"] == "pooman" and both[2]["games_a_deal"] == 1
    text = (tmp_path / "search.md").read_text()
    assert (
        "| `search:deals=2` | 0." in text and "Games won as pooman" in text and "network" not in text.split("## The")[0]
    )
    assert search_page.main(["--check", *own]) == 0
    both[0]["hits"].append(2)
    (tmp_path / "search.json").write_text(json.dumps(both))
    assert search_page.main(["--check", *own]) == 1
