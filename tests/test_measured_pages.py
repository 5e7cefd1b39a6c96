"""Pages of measured figures: they say what the JSON beside them says, and one command makes them."""

import json
import pathlib
import shlex

import agents_page
import bench_page
import dqn_page
import pytest
from documents import code_blocks
from measurements import measurements, planned_runs

import poopdeck
from poopdeck.agents.loading import agent_names
from poopdeck.envs.core import registry
from poopdeck.training.config import registry as learners
from poopdeck.training.config.files import load_config

ROOT = pathlib.Path(__file__).parent.parent


def test_the_pages_of_agents_fit_their_figures(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert agents_page.main(["--check"]) == 0, "write anew: python docs/make/agents_page.py --rewrite"


@pytest.mark.parametrize("game", poopdeck.games())
def test_every_game_has_its_page_of_agents(game):
    page = ROOT / "docs" / "agents" / f"{game}.md"
    assert page.is_file(), f"`python docs/make/agents_page.py {game}` measures and writes it"


def test_the_benchmarks_page_fits_its_figures(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert bench_page.main(["--check"]) == 0, "write it anew: python docs/make/bench_page.py"


def test_the_page_beside_tianshou_fits_its_figures_and_they_are_of_its_plan(tmp_path):
    assert dqn_page.main(["--check"]) == 0, "write it anew: python docs/make/dqn_page.py"
    content = json.loads((dqn_page.FOLDER / dqn_page.FIGURES).read_text())
    assert content["plan"] == dqn_page.PLAN and content["shared"] == dqn_page.SHARED
    runs = {(run["learner"], run["seed"]): run for run in content["runs"]}
    wanted = {(name, seed) for name in (dqn_page.OURS, dqn_page.THEIRS) for seed in range(dqn_page.PLAN["seeds"])}
    assert set(runs) == wanted
    assert dqn_page.lead(content, dqn_page.AGAINST[0])["ci"][1] > 0  # no clear loss
    (tmp_path / dqn_page.PAGE).write_text((dqn_page.FOLDER / dqn_page.PAGE).read_text())
    content["runs"][0]["tables"]["random"]["mean_payoff"] += 0.1
    (tmp_path / dqn_page.FIGURES).write_text(json.dumps(content))
    assert dqn_page.main(["--check", "--folder", str(tmp_path)]) == 1


def test_a_page_that_says_something_else_is_noticed(tmp_path):
    (tmp_path / "agents").mkdir()
    for name in ("poo_head.json", "poo_head.md"):
        (tmp_path / "agents" / name).write_text((ROOT / "docs" / "agents" / name).read_text())
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 0
    found = json.loads((tmp_path / "agents" / "poo_head.json").read_text())
    found["runs"][0]["samples"] += 1_000_000
    (tmp_path / "agents" / "poo_head.json").write_text(json.dumps(found))
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 1
    assert agents_page.main(["--rewrite", "--docs", str(tmp_path)]) == 0
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 0


@pytest.mark.parametrize("game", poopdeck.games())
def test_every_figure_of_the_pages_has_its_games_and_interval(game):
    found = json.loads((ROOT / "docs" / "agents" / f"{game}.json").read_text())
    evaluations = [figures for run in found["runs"] for figures in run["evaluations"].values()]
    evaluations += [
        figures for entry in found["baselines"] for row in entry["rows"].values() for figures in row.values()
    ]
    assert len(evaluations) > 10
    for figures in evaluations:
        low, high = figures["ci"]
        assert low <= figures["value"] <= high and figures["games"] >= 4000
        assert figures["illegal_actions"] == 0


@pytest.mark.parametrize("game", poopdeck.games())
def test_measurements_name_configs_agents_and_a_yardstick_of_the_game(game):
    wanted, known = measurements(game), agent_names(registry.game(game))
    assert set(wanted.baselines) <= set(known) and wanted.yardstick.partition(" as ")[0] in known
    for run in planned_runs(game):
        assert load_config(run.config, run.sets).game == game and run.variant in registry.spec(game).variants
    names = [run.name for run in planned_runs(game)]
    assert len(set(names)) == len(names)


def test_a_game_without_a_file_is_measured_as_usual(tmp_path):
    found = measurements("poop", tmp_path)
    assert found.baselines == ["random", "heuristic", "heuristic:highest"] and found.yardstick == "heuristic"
    assert {f"algo={algo}" for algo in learners.BUILT_IN} == {pair for entry in found.trainings for pair in entry.sets}
    assert len({training.kind for training in found.trainings}) == len(learners.BUILT_IN)
    assert all(load_config(entry.config, entry.sets).game == "poop" for entry in found.trainings)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("baselines: [random]\nyardstick: random\ntrainings: []\n", "trainings"),
        ("baselines: [random]\nyardstik: random\n", "yardstik"),
        ("", "valid dictionary"),
    ],
)
def test_a_file_that_says_something_else_is_refused(tmp_path, text, says):
    (tmp_path / "poop.yaml").write_text(text)
    with pytest.raises(ValueError, match=says):
        measurements("poop", tmp_path)


@pytest.mark.parametrize("game", poopdeck.games())
def test_the_training_commands_of_a_page_can_be_run(game):
    """Its configs, variants and keys are there, and the run is one of the page's."""
    lines = [
        line
        for block in code_blocks(ROOT / "docs" / "agents" / f"{game}.md", "console")
        for line in block.text.splitlines()
    ]
    assert lines
    for line in lines:
        _, _, command, name, *options = shlex.split(line)
        sets = [value for key, value in zip(options, options[1:], strict=False) if key == "--set"]
        assert command == "train" and load_config(name, sets).game == game, line


@pytest.mark.slow
def test_one_command_makes_the_page(tmp_path):
    arguments = ["poo_head", "--players", 2, "--scale", 0.005, "--docs", tmp_path, "--runs", tmp_path / "runs"]
    assert agents_page.main(list(map(str, arguments))) == 0
    assert "## 2 players" in (tmp_path / "agents" / "poo_head.md").read_text()
    assert (tmp_path / "images" / "agents_poo_head_curves.png").stat().st_size > 5000
    assert agents_page.main(["--check", "--docs", str(tmp_path)]) == 0
