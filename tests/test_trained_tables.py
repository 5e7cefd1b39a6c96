"""A trained network knows its game: commands set the table up by it, and another game is refused with what differs."""

import json
import re
import shlex

import numpy as np
import pytest
from test_cli import poopdeck

import poopdeck as package
from poopdeck.agents.loading import load_agent, table_settings, trained_for
from poopdeck.agents.network.network import Network
from poopdeck.envs.core import registry
from poopdeck.training.config.files import load_config
from poopdeck.training.learners.base import Task
from poopdeck.training.run.farewell import farewell
from poopdeck.training.run.train import RunResult

GAMES = sorted(registry.BUILT_IN)


def network_in(folder, name, players=None, variant=None, **options):
    """A network that has learnt nothing, as a run with these parameters leaves it."""
    task = Task.of(load_config([name], [f"variant={variant}"] if variant else []).model_copy(
        update={"players": players, "options": options}
    ))  # fmt: skip
    features, actions = task.game.spec.observation_size(task.settings), task.game.spec.num_actions
    Network([np.zeros((features, actions))], [np.zeros(actions)], card=task.card(0)).save(folder / "weights")
    return task


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "my run"
    network_in(folder, "poo_head", 3, "points", bombs=3)
    return folder


def test_evaluating_a_run_measures_the_game_that_it_was_trained_for(run, tmp_path):
    path = tmp_path / "figures.json"
    shown = poopdeck("evaluate", run, "--against", "random", "--games", 12, "--json", path)
    assert shown.returncode == 0, shown.stderr
    (line,) = shown.stderr.splitlines()
    assert line.startswith(f"poo_head as {run} was trained: 3 players, ") and "bombs=3" in line and "points" in line
    settings = json.loads(path.read_text(encoding="utf-8"))["settings"]
    assert settings == package.game("poo_head").spec.settings(3, "points", bombs=3)
    # where the network is the opponent, too
    shown = poopdeck("evaluate", "random", "--against", run, "--games", 12, "--json", path)
    assert shown.returncode == 0 and json.loads(path.read_text(encoding="utf-8"))["settings"] == settings


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--players", 4], "num_players=3"),
        (["--set", "bombs=2"], "bombs=3"),
        (["--variant", "default"], "scoring=points"),
        (["--game", "poop"], "trained for poopdeck/poo_head-v0, not for poopdeck/poop-v0"),
    ],
)
def test_what_contradicts_a_run_is_refused_with_what_differs(run, given, named):
    shown = poopdeck("evaluate", run, "--against", "random", "--games", 12, *given)
    assert shown.returncode == 2 and named in shown.stderr.splitlines()[-1], shown.stderr
    assert str(run) in shown.stderr and "Traceback" not in shown.stderr


def test_the_error_says_what_to_add_and_that_works(run):
    game = package.game("poo_head")
    with pytest.raises(ValueError, match=r"bombs=3.*here it is .*bombs=") as caught:
        load_agent(str(run), game, game.spec.settings(3))
    words = shlex.split(re.search(r"by (--.*)$", str(caught.value))[1])
    assert words[::2] == ["--set"] * (len(words) // 2)
    options = dict(pair.split("=") for pair in words[1::2])
    load_agent(str(run), game, game.spec.settings(3, **game.spec.parse_options(options)))


def test_other_parameters_may_be_asked_for(run):
    shown = poopdeck("evaluate", run, "--against", "random", "--game", "poo_head", "--players", 3, "--set", "bombs=2",
                     "--games", 12, "--any-settings")  # fmt: skip
    assert shown.returncode == 0 and "trained" not in shown.stderr, shown.stderr
    assert package.load_agent(str(run), "poo_head", 3, any_settings=True, bombs=2).name == "my run"
    with pytest.raises(ValueError, match="takes 169 features"):
        package.load_agent(str(run), "poo_head", 4, any_settings=True)


def test_play_watch_and_tournaments_take_the_run_s_table(run, tmp_path):
    shown = poopdeck("play", "poo_head", "--opponents", run, "--seed", 3, stdin="q\n")
    assert shown.returncode == 0 and "player_2" in shown.stdout and "player_3" not in shown.stdout, shown.stderr
    (again,) = re.findall(r"^  poopdeck (.*)$", shown.stdout, re.MULTILINE)
    assert poopdeck(*shlex.split(again), stdin="q\n").returncode == 0
    shown = poopdeck("watch", "poo_head", "--agents", f"{run},random,random", "--most", 2)
    assert shown.returncode == 0, shown.stderr
    shown = poopdeck("tournament", "poo_head", "random", f"mine={run}", "--games", 12, "--out", tmp_path / "t")
    assert shown.returncode == 0, shown.stderr
    kept = json.loads((tmp_path / "t" / "plan.json").read_text(encoding="utf-8"))["settings"]
    assert kept["num_players"] == 3 and kept["bombs"] == 3 and kept["scoring"] == "points"


def test_without_a_trained_network_the_game_has_to_be_named():
    shown = poopdeck("evaluate", "random", "--against", "heuristic")
    assert shown.returncode == 2 and "--game is missing" in shown.stderr and len(shown.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_variant_and_table_of_a_run_is_found_again(name, tmp_path):
    """The settings that a card holds, and those of the printed commands, are the run's, for each variant and size."""
    spec = registry.spec(name)
    for variant in spec.variants:
        for players in range(spec.min_players, spec.max_players + 1):
            try:
                task = network_in(tmp_path / f"{variant} {players}", name, players, variant)
            except ValueError:
                continue  # the variant is not for so many
            folder = str(tmp_path / f"{variant} {players}")
            assert table_settings(spec, ["random", folder]) == (dict(task.settings), folder)
            load_agent(folder, task.game, task.settings)
            config = task.config
            lines = farewell(RunResult(tmp_path / f"{variant} {players}", "finished", 1, 1.0, 1.0), config)
            for line in lines:
                words = shlex.split(line)
                if words[0] not in ("measure", "play"):
                    continue
                given = {
                    one: other
                    for one, other in zip(words, words[1:], strict=False)
                    if one in ("--players", "--variant")
                }
                pairs = [other for one, other in zip(words, words[1:], strict=False) if one == "--set"]
                options = spec.parse_options(dict(pair.split("=", 1) for pair in pairs))
                found = spec.variant_settings(given.get("--variant"), int(given["--players"]), options)
                assert found == task.settings, line


@pytest.mark.parametrize("name", GAMES)
def test_play_starts_with_its_defaults_in_every_game_and_variant(name):
    for variant in registry.spec(name).variants:
        shown = poopdeck("play", name, "--variant", variant, "--seed", 1, stdin="q\n")
        assert shown.returncode == 0 and "you are player_0" in shown.stdout, (variant, shown.stderr)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roles": ["hunter"]}, r"trained for the roles \['hunter'\]"),
        ({"observation": [["other", [169]]]}, "an observation with other parts than poopdeck/poo_head-v0 shows"),
    ],
)
def test_a_card_of_another_layout_is_refused_though_the_sizes_fit(run, change, message):
    path = run / "weights" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        package.load_agent(str(run), "poo_head", 3, variant="points", bombs=3)


def test_only_trained_networks_are_trained_for_something(tmp_path):
    assert trained_for("random") is None and trained_for("") is None and trained_for(str(tmp_path)) is None
