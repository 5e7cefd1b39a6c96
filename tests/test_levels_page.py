"""The pages of the levels say what their figures say, and the figures are of what is shipped."""

import json

import levels_page
import pytest

from poopdeck.envs.core import registry
from poopdeck.training.evaluation.ladder import find_ladder

MEASURED = [name for name in registry.BUILT_IN if (levels_page.FOLDER / f"{name}.json").is_file()]


def test_the_pages_fit_their_figures():
    assert levels_page.main(["--check"]) == 0, "write them anew: python docs/make/levels_page.py"


def test_every_game_is_measured():
    assert MEASURED == list(registry.BUILT_IN)


@pytest.mark.parametrize("name", MEASURED)
def test_every_table_of_a_game_is_measured(name):
    game = registry.game(name)
    kept = json.loads((levels_page.FOLDER / f"{name}.json").read_text("utf-8"))
    assert {levels_page.key(variant, players) for variant, players in levels_page.tables(game)} == set(kept)
    for entry in kept.values():
        settings = game.spec.variant_settings(entry["variant"], entry["players"])
        ladder = find_ladder(game.spec, settings)
        assert set(entry["best"]) <= set(ladder.rungs)
        for found in (one for level in entry["best"].values() for one in level):
            assert found["interval"][0] <= found["value"] <= found["interval"][1] and found["games"] >= 10_000


def test_a_page_that_says_something_else_is_noticed(tmp_path, monkeypatch):
    name = MEASURED[0]
    for kind in ("json", "md"):
        text = (levels_page.FOLDER / f"{name}.{kind}").read_text("utf-8")
        (tmp_path / f"{name}.{kind}").write_text(text, encoding="utf-8")
    monkeypatch.setattr(levels_page, "FOLDER", tmp_path)
    assert levels_page.main(["--check", "--only", name]) == 0
    (tmp_path / f"{name}.md").write_text("another", encoding="utf-8")
    assert levels_page.main(["--check", "--only", name]) == 1
