"""The commands that a training run ends with are run as they are printed, for every game."""

import dataclasses
import re
import shlex

import pytest
from test_cli import poopdeck

from poopdeck.envs.core import registry
from poopdeck.training.config.files import load_config
from poopdeck.training.run.farewell import farewell
from poopdeck.training.run.train import RunResult, train

# Runs whose commands have something to say of players, variant and single parameters.
CHANGES = {
    "poo_head": ["players=3", "variant=points", "options.bombs=3", "opponents=[{agent: random}]"],
    "pooman": ["options={chase: off, counts: {balancer: 4}}"],
    "poop": ["variant=party_pooper", "options={variant: interceptor, drink_weight: 1e-3}"],
    "too_many_poops": ["players=2", "options.items={hiss: 9}"],
}


def commands(lines: list[str]) -> dict[str, list[str]]:
    found = (re.match(r"  (measure|play|go on) +poopdeck (.*)$", line) for line in lines)
    return {match[1]: shlex.split(match[2]) for match in found if match}


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_every_printed_command_works(name, tmp_path, capsys):
    folder = tmp_path / "a run"
    config = load_config([name, "smoke"], ["total_timesteps=512", *CHANGES[name]])
    result = train(config, folder)
    printed = capsys.readouterr().err
    lines = farewell(dataclasses.replace(result, timesteps=0), config)
    assert all(line in printed for line in lines if line.startswith(("  measure", "  play")))
    found = commands(lines)
    assert list(found) == ["measure", "play", "go on"]
    shown = poopdeck(*found["measure"], "--games", 24)
    assert shown.returncode == 0 and "mean payoff" in shown.stdout, shown.stderr
    shown = poopdeck(*found["play"], "--seed", 3, stdin="1\n1\n1\nq\n")
    assert shown.returncode == 0 and "you are player_0" in shown.stdout, shown.stderr
    assert "you left the table" in shown.stdout or "payoffs: " in shown.stdout
    shown = poopdeck(*found["go on"])
    assert shown.returncode == 0 and "finished" in shown.stderr, shown.stderr


def test_the_commands_of_a_run_name_all_that_makes_its_game(tmp_path):
    config = load_config("poo_head", ["players=3", "variant=points", "options={bombs: 3, target: null}"])
    result = RunResult(tmp_path / "it's here", "finished", 512, 1.0, 512.0)
    assert commands(farewell(result, config))["play"] == [
        "play", "poo_head", "--opponents", str(result.folder),
        "--players", "3", "--variant", "points", "--set", "bombs=3", "--set", "target=none",
    ]  # fmt: skip
