"""The page of agents that remember: it says what its figures say, and the figures are of the runs that it plans."""

import json
import pathlib

import memory_page
import yaml

FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "agents"
SMALL = [
    "network.hidden=[8]", "num_envs=16", "ppo.n_steps=16", "ppo.batch_size=128", "ppo.imitation={samples: 0}",
    "snapshots.weight=0", "evaluation.every=0", "evaluation.final_games=4", "evaluation.against=[random]",
]  # fmt: skip
PLAN = {
    "introduction": "# Remembering",
    "seeds": 1,
    "forms": {"without": [], "attention": ["options.history=3", "network.kind=attention"]},
    "set": SMALL,
    "games": {"poo_head": {"config": "poo_head_selfplay", "samples": 256, "games": 8, "against": ["random"]}},
}


def test_the_page_fits_its_figures():
    assert memory_page.main(["--check"]) == 0, "write it anew: python docs/make/memory_page.py"


def test_the_figures_are_of_the_runs_that_are_planned():
    plan = yaml.safe_load((FOLDER / "memory.yaml").read_text())
    figures = json.loads((FOLDER / "memory.json").read_text())
    planned = [{**run, "set": memory_page.settings_of(plan, run)} for run in memory_page.planned(plan)]
    assert figures
    for entry in figures:
        assert any(memory_page.same(entry, run) for run in planned)
        assert list(entry["tables"]) == plan["games"][entry["game"]]["against"]
        for figure in entry["tables"].values():
            low, high = figure["interval"]
            assert 0 <= low <= figure["value"] <= high <= 1 and high > low
            assert figure["games"] >= plan["games"][entry["game"]]["games"]


def test_measuring_trains_once_and_a_page_that_says_something_else_is_noticed(tmp_path):
    own = ["--folder", str(tmp_path)]
    measure = ["--measure", "--runs", str(tmp_path / "runs"), *own]
    (tmp_path / "memory.yaml").write_text(yaml.safe_dump(PLAN, sort_keys=False))
    (tmp_path / "memory.json").write_text("[]")
    assert memory_page.main([*measure, "--only", "poop"]) == 0
    assert not (tmp_path / "runs").exists()
    assert memory_page.main(measure) == 0
    first = json.loads((tmp_path / "memory.json").read_text())
    assert [(entry["form"], list(entry["tables"])) for entry in first] == [
        ("without", ["random"]),
        ("attention", ["random"]),
    ]
    written = (tmp_path / "runs").stat().st_mtime_ns
    assert memory_page.main(measure) == 0  # nothing is left to do
    assert json.loads((tmp_path / "memory.json").read_text()) == first
    assert (tmp_path / "runs").stat().st_mtime_ns == written
    assert "| attention | " in (tmp_path / "memory.md").read_text()
    assert memory_page.main(["--check", *own]) == 0
    first[0]["tables"]["random"]["value"] += 0.1
    (tmp_path / "memory.json").write_text(json.dumps(first))
    assert memory_page.main(["--check", *own]) == 1


def test_a_difference_has_the_interval_of_both_its_rates():
    one, other = (
        {"value": value, "interval": [value - half, value + half]} for value, half in ((0.5, 0.03), (0.4, 0.04))
    )
    assert memory_page.difference({0: one}, {0: other}, [0]) == "+0.100 ± 0.050"
    assert memory_page.difference({0: one, 1: other}, {0: other, 1: other}, [0, 1]) == "+0.050 ± 0.038"
    assert memory_page.difference({}, {0: other}, []) == ""
