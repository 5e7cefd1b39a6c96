"""Pages of measured figures: they say what the JSON beside them says, and one command makes them."""

import json
import pathlib

import pytest

from poopdeck.training import agents_page, bench_page

ROOT = pathlib.Path(__file__).parent.parent


def test_the_agents_page_fits_its_figures(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert agents_page.main(["--check"]) == 0, "write it anew: python -m poopdeck.training.agents_page --write-only"


def test_the_benchmarks_page_fits_its_figures(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert bench_page.main(["--check"]) == 0, "write it anew: python -m poopdeck.training.bench_page"


def test_a_page_that_says_something_else_is_noticed(tmp_path):
    for name in ("agents.json", "agents.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text())
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "agents.json").read_text())
    found["runs"][0]["samples"] += 1_000_000
    (tmp_path / "agents.json").write_text(json.dumps(found))
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 1


def test_every_figure_of_the_agents_page_has_its_games_and_interval():
    found = json.loads((ROOT / "docs" / "agents.json").read_text())
    assert {run["players"] for run in found["runs"]} == {2, 3, 4, 5}
    for run in found["runs"]:
        for figures in run["evaluations"].values():
            low, high = figures["loss_rate_or_capped_ci"]
            assert low <= figures["loss_rate_or_capped"] <= high and figures["games"] >= 4000
            assert figures["illegal_actions"] == 0


@pytest.mark.slow
def test_one_command_makes_the_page(tmp_path):
    arguments = ["--players", 2, "--scale", 0.005, "--docs", tmp_path, "--runs", tmp_path / "runs"]
    assert agents_page.main(list(map(str, arguments))) == 0
    assert "## 2 players" in (tmp_path / "agents.md").read_text()
    assert (tmp_path / "images" / "agents_curves.png").stat().st_size > 5000
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 0
