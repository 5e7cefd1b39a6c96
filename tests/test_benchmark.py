"""Suites of algorithms: read, run, gone on with, measured and reported."""

import contextlib
import csv
import dataclasses
import json
import os
import signal
import threading
import time

import benchmark_page
import numpy as np
import pytest
import yaml
from tiny_suite import TINY

from poopdeck.agents.loading import load_agent
from poopdeck.envs.core import registry
from poopdeck.training.benchmark import cells
from poopdeck.training.benchmark.cells import train_cells
from poopdeck.training.benchmark.exploit import exploit, responder_config
from poopdeck.training.benchmark.figures import between_algorithms, over_seeds, reaching, score_of
from poopdeck.training.benchmark.report import report
from poopdeck.training.benchmark.run import headline, run_benchmark
from poopdeck.training.benchmark.suite import Cell, load_suite, parse_suite, suite_names
from poopdeck.training.config.files import ConfigError
from poopdeck.training.storage.run_folder import RunFolderError


def quiet(_what, _total):
    return contextlib.nullcontext(lambda done: None)


def run(text, folder):
    said = []
    return run_benchmark(parse_suite(text, "tiny"), folder, 1, quiet, said.append), said


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmark") / "tiny"
    content, _ = run(TINY, folder)
    return folder, content


def test_a_suite_leaves_runs_figures_rows_and_a_report(finished):
    folder, content = finished
    for algorithm in ("ppo", "slow"):
        for seed in (3, 4):
            path = folder / "cells" / "poop" / algorithm / f"seed{seed}"
            assert json.loads((path / "result.json").read_text())["timesteps"] >= 1024
            load_agent(str(path), registry.game("poop"), registry.spec("poop").settings(2))
    assert json.loads((folder / "figures.json").read_text()) == content
    assert (folder / "report.md").read_text() == report(content)
    assert {path.name for path in folder.glob("*.png")} == {"profiles.png", "curves.png"}
    rows = list(csv.DictReader((folder / "figures.csv").open()))
    pools = {"pool", "held_out", "networks"}
    assert {(row["algorithm"], row["seed"], row["mode"], row["pool"]) for row in rows} == {
        (algorithm, seed, mode, pool)
        for algorithm in ("ppo", "slow") for seed in "34" for mode in ("greedy", "sampled") for pool in pools
    }  # fmt: skip
    assert len(headline(content)) == 3


def test_finished_cells_are_never_trained_again(finished):
    folder, content = finished
    before = {path: path.stat().st_mtime_ns for path in folder.glob("cells/**/result.json")}
    again, said = run(TINY, folder)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not said
    assert again == content


def test_a_score_is_what_random_and_the_best_agent_make_of_it(finished):
    _, content = finished
    game = content["games"]["poop"]
    mine = game["algorithms"]["ppo"]["greedy"]["held_out"]["heuristic:highest"]["mean_payoff"]["value"]
    anchors = game["anchors"]["held_out"]["heuristic:highest"]
    low, high = anchors["random"]["mean_payoff"], anchors["best"]["mean_payoff"]
    assert score_of(mine, {"table": anchors}) == pytest.approx((mine - low) / (high - low))
    with pytest.raises(ValueError, match="no scale"):
        score_of(mine, {"table": {"random": anchors["best"], "best": anchors["random"]}})


def test_a_lead_is_over_the_best_agent_at_the_same_table_and_knows_what_is_uncertain(finished):
    _, content = finished
    game = content["games"]["poop"]
    lead = game["leads"]["ppo"]["greedy"]["held_out"]["heuristic:highest"]
    mine = game["algorithms"]["ppo"]["greedy"]["held_out"]["heuristic:highest"]["mean_payoff"]
    best = game["anchors"]["held_out"]["heuristic:highest"]["best"]
    assert lead["value"] == pytest.approx(mine["value"] - best["mean_payoff"])
    low, high = best["mean_payoff_ci"]
    wide = lead["ci"][1] - lead["ci"][0]
    assert wide == pytest.approx(np.hypot(mine["ci"][1] - mine["ci"][0], high - low))
    two = over_seeds([0.0, 2.0])  # Student's: 12.7 standard errors of two runs
    assert two["ci"] == pytest.approx([1 - 12.7062, 1 + 12.7062])


def test_seeds_of_an_algorithm_are_taken_together_in_the_cross_table():
    """Two agents of one algorithm beat the heuristic by 1 in 10 games and by .4 in 30: by .55 in 40."""
    lead = [[None, 0.0, 1.0], [0.0, None, 0.4], [-1.0, -0.4, None]]
    half = [[None, 0.1, 0.4], [0.1, None, 0.2], [0.4, 0.2, None]]
    cross = {
        "agents": ["ppo-0", "ppo-1", "heuristic"],
        "games": [[20, 5, 10], [5, 20, 30], [10, 30, 20]],
        "lead": lead,
        "lead_ci": [
            [[None, None] if value is None else [value - half[i][j], value + half[i][j]] for j, value in enumerate(row)]
            for i, row in enumerate(lead)
        ],
    }
    found = between_algorithms({"cross_table": cross}, ["ppo"])
    assert list(found) == ["ppo", "heuristic"]
    cell = found["ppo"]["heuristic"]
    assert cell["games"] == 40
    assert cell["value"] == pytest.approx(0.55)
    half_width = np.hypot(0.25 * 0.4, 0.75 * 0.2)
    assert cell["ci"] == pytest.approx([0.55 - half_width, 0.55 + half_width])
    assert found["heuristic"]["ppo"]["value"] == pytest.approx(-0.55)


def test_a_page_is_made_of_a_finished_benchmark_and_is_noticed_where_it_says_something_else(finished, tmp_path, capsys):
    folder, content = finished
    (tmp_path / "agents").mkdir()
    words = {"introduction": "# Compared", "conclusions": "## What it means\n\nNothing: it is tiny."}
    (tmp_path / "agents" / "benchmark.yaml").write_text(yaml.safe_dump(words))
    own = ["--docs", str(tmp_path)]
    assert benchmark_page.main(["--from", str(folder), *own]) == 0
    page = (tmp_path / "agents" / "benchmark.md").read_text()
    assert page.startswith("# Compared\n\n## What it means")
    assert "../images/agents_benchmark_curves.png" in page
    assert {path.name for path in (tmp_path / "images").iterdir()} == {
        "agents_benchmark_profiles.png", "agents_benchmark_curves.png"
    }  # fmt: skip
    assert benchmark_page.main(["--check", *own]) == 0
    path = tmp_path / "agents" / "benchmark.json"
    kept = json.loads(path.read_text())
    assert kept["scores"]["greedy"]["pool"].keys() == content["scores"]["greedy"]["pool"].keys()
    kept["games"]["poop"]["costs"]["ppo"]["samples"] += 1000
    path.write_text(json.dumps(kept))
    assert benchmark_page.main(["--check", *own]) == 1
    assert benchmark_page.main(own) == 0
    assert benchmark_page.main(["--check", *own]) == 0
    with pytest.raises(SystemExit):
        benchmark_page.main(["--from", str(tmp_path / "nowhere"), *own])
    assert "no finished benchmark" in capsys.readouterr().err


def test_the_page_of_the_standard_suite_fits_its_figures():
    """At least three games, six ways of learning and five seeds of each, and the page says what they give."""
    assert benchmark_page.main(["--check"]) == 0, "write it anew: python docs/make/benchmark_page.py"
    kept = json.loads((benchmark_page.DOCS / "agents" / "benchmark.json").read_text(encoding="utf-8"))
    suite = load_suite("standard")
    assert set(kept["games"]) == set(suite.games) and len(suite.games) >= 3
    assert (
        set(kept["scores"]["greedy"]["pool"]["interquartile_mean"]) == set(suite.algorithms)
        and len(suite.algorithms) >= 6
    )
    with (benchmark_page.DOCS / "agents" / "benchmark.csv").open(encoding="utf-8") as file:
        runs = {(row["game"], row["algorithm"], row["seed"]) for row in csv.DictReader(file)}
    assert len(runs) == len(suite.games) * len(suite.algorithms) * len(suite.seeds) == 90


def test_networks_are_measured_against_those_of_other_algorithms_and_seeds(finished):
    folder, _ = finished
    measured = json.loads((folder / "cells/poop/ppo/seed3/measured.json").read_text())
    assert list(measured["tables"]["greedy"]["networks"]) == ["slow/seed4"]


def test_more_seeds_are_added_and_the_old_ones_kept(finished):
    folder, _ = finished
    before = (folder / "cells/poop/ppo/seed3/result.json").stat().st_mtime_ns
    _, said = run(TINY.replace("[3, 4]", "[3, 4, 5]"), folder)
    assert "2 of 6 cells" in said[0]
    assert (folder / "cells/poop/ppo/seed3/result.json").stat().st_mtime_ns == before
    run(TINY, folder)  # as the other tests expect it


def test_a_changed_suite_says_which_cells_no_longer_fit(finished):
    folder, _ = finished
    with pytest.raises(RunFolderError, match=r"cells/poop/slow/seed4.*num_envs=8"):
        run(TINY.replace("num_envs: 8", "num_envs: 4"), folder)


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="not empty"):
        run(TINY, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_killed_process_does_not_cost_its_cell(tmp_path):
    suite = parse_suite(TINY.replace("[3, 4]", "[3]").replace("samples: 1024", "samples: 30000"), "tiny")
    said: list[str] = []
    killed = []

    def kill_the_first():
        lock = tmp_path / suite.cells()[0].path / "metrics.jsonl"
        for _ in range(2400):
            if lock.exists() and lock.read_text().count("\n") > 3:
                holder = next((tmp_path / suite.cells()[0].path).glob("*.lock"), None) or next(
                    (tmp_path / suite.cells()[0].path).glob("*lock*")
                )
                os.kill(int(holder.read_text().split()[-1]), signal.SIGKILL)
                killed.append(True)
                return
            time.sleep(0.02)

    thread = threading.Thread(target=kill_the_first)
    thread.start()
    done: list[int] = []
    train_cells(suite.cells(), tmp_path, 1, said.append, done.append)
    thread.join()
    assert killed
    assert said and "killed" in said[0]
    assert all(cells.is_trained(tmp_path / cell.path) for cell in suite.cells())


def test_a_cell_that_fails_does_not_stop_the_others(tmp_path):
    text = TINY.replace("[3, 4]", "[3]").replace("ppo: {n_steps: 8", "ppo: {learning_rate: 1.0e+30, n_steps: 8")
    with pytest.raises(RuntimeError, match=r"cells/poop/slow/seed3: NotFiniteError"):
        run(text, tmp_path / "b")
    assert cells.is_trained(tmp_path / "b/cells/poop/ppo/seed3")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("samples: 1024", "", "either samples or minutes"),
        ("samples: 1024", "samples: 1024\nminutes: 1", "either samples or minutes"),
        ("[3, 4]", "[3, 3]", "different whole numbers"),
        ("game: poop,", "game: pop,", "there are poo_head"),
        ("algo: ppo, num_envs: 8", "algo: pppo, num_envs: 8", "algorithm slow, game poop.*did you mean 'ppo'"),
        ("num_envs: 8", "num_env: 8", "did you mean num_envs"),
        ("  slow:", "  s/low:", "letters, digits"),
        ("title: Tiny", "title: Tiny\nsead: 3", "sead"),
        ("title: Tiny", "title: [", "not YAML"),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused(old, new, message):
    with pytest.raises(ConfigError, match=f"(?s){message}"):
        parse_suite(TINY.replace(old, new), "tiny")


def test_suites_are_found_by_name():
    assert "smoke" in suite_names()
    for name in suite_names():
        assert load_suite(name).cells()
    with pytest.raises(ConfigError, match="there are .*smoke"):
        load_suite("smok")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_suite("nowhere/suite.yaml")


def test_a_config_for_one_game_counts_there_only():
    content = yaml.safe_load(TINY)
    content["games"]["two"] = {"game": "poo_head", "players": 2}
    content["algorithms"]["ppo"]["by_game"] = {"two": {"num_envs": 32}}
    suite = parse_suite(yaml.safe_dump(content), "tiny")
    assert [Cell(suite, game, "ppo", 3).config().num_envs for game in ("poop", "two")] == [16, 32]


def test_when_the_best_agent_was_reached():
    points = [[0, 0.0, -0.5], [100, 1.0, -0.1], [200, 2.0, 0.02], [300, 3.0, -0.2]]
    assert reaching(points, 0.0) == [200, 2.0]
    assert reaching(points, 0.5) is None


def test_a_best_response_gains_on_a_weak_agent_and_says_how_much(tmp_path):
    """Random play of Poop loses clearly to a short run; the gain is over what random gets at its own table."""
    gain = exploit("random", registry.game("poop"), {"players": 2}, tmp_path / "r", samples=60_000, games=2000)
    assert gain.gain_ci[0] > 0.05
    assert abs(gain.victim_payoff) < 0.1  # at its own table it gets what everybody gets there
    assert gain.gain == pytest.approx(gain.payoff - gain.victim_payoff)
    assert gain.gain_summed == pytest.approx(2 * gain.gain)
    assert len(gain.gain_by_seat) == 2
    kept = sorted(int(path.name) for path in (tmp_path / "r" / "candidates").iterdir())
    assert gain.candidate in kept
    assert len(kept) > 3


def test_the_responder_is_chosen_on_other_deals_than_it_is_reported_on(tmp_path, monkeypatch):
    from poopdeck.training.benchmark import exploit as module

    seeds = []
    evaluate = module.evaluate

    def noted(*arguments, **options):
        seeds.append(arguments[5])
        return evaluate(*arguments, **options)

    monkeypatch.setattr(module, "evaluate", noted)
    exploit("random", registry.game("poop"), {"players": 2}, tmp_path / "r", samples=2000, games=20)
    assert set(seeds[:-2]) == {module.CHOOSING}
    assert seeds[-2:] == [module.REPORTING, module.REPORTING]


def test_a_warm_responder_begins_with_the_networks_of_its_victim(finished, tmp_path):
    victim = str(finished[0] / "cells/poop/ppo/seed3")
    game = registry.game("poop")
    config = responder_config(victim, game, {"players": 2}, "warm", 4000, 0, None, True)
    assert config.network.hidden == [16] and config.ppo.initial_weights == victim
    assert config.ppo.imitation.samples == 0
    assert responder_config("heuristic", game, {"players": 2}, "warm", 4000, 0, None, True).ppo.imitation.samples
    gain = exploit(victim, game, {"players": 2}, tmp_path / "r", "warm", samples=2000, games=20)
    assert gain.responder == "warm"


def test_a_responder_that_begins_by_imitating_its_victim(tmp_path):
    gain = exploit(
        "heuristic", registry.game("poop"), {"players": 2}, tmp_path / "r", "warm", samples=20_000, games=400
    )
    assert gain.responder == "warm"
    assert np.isfinite(gain.gain)
    with pytest.raises(ValueError, match="allowed are fresh, warm, search"):
        exploit("heuristic", registry.game("poop"), {}, tmp_path / "s", "other")


def test_a_search_that_knows_its_victim_gains_on_it(tmp_path):
    """Against the agent that plays its highest card, a search with its model wins clearly more than half."""
    gain = exploit("heuristic:highest", registry.game("poop"), {"players": 2}, tmp_path / "r", "search", games=200)
    assert gain.gain_ci[0] > 0.05
    assert gain.samples == gain.candidate == 0


def test_a_registered_learner_is_found_and_one_of_the_package_is_not_replaced():
    from poopdeck.training.config import registry as learners

    ppo = learners.spec("ppo")
    mine = dataclasses.replace(ppo, name="mine_for_a_test")
    learners.register(mine)
    assert learners.spec("mine_for_a_test") is mine
    assert "mine_for_a_test" in learners.names()
    with pytest.raises(ValueError, match="'ppo'.*another name"):
        learners.register(ppo)
    with pytest.raises(TypeError, match="every config has a key"):
        learners.register(dataclasses.replace(ppo, name="players"))
    with pytest.raises(TypeError, match="LearnerSpec of this name"):
        learners.register("ppo")
    del learners._registered["mine_for_a_test"]
