"""Opponents that grow with the learner, and ratings as a curve."""

import json

import numpy as np
import pytest
from training_runs import small_config

from poopdeck.agents.loading import load_agent
from poopdeck.envs.core import registry
from poopdeck.envs.tables.arena import Arena
from poopdeck.training.config.files import ConfigError
from poopdeck.training.evaluation import ladder as ladders
from poopdeck.training.evaluation.ladder_making import make_ladder
from poopdeck.training.evaluation.pair_games import Table
from poopdeck.training.learners.base import Task
from poopdeck.training.run.curriculum import Curriculum
from poopdeck.training.run.curves import read_metrics
from poopdeck.training.run.train import train

CURRICULUM = (
    "opponents=[]",
    "curriculum.agents=[random, 'heuristic:lowest']",
    "curriculum.every=512",
    "curriculum.games=400",
    "snapshots.weight=0",
)


def test_tables_draw_by_the_weights_that_they_are_given():
    game = registry.game("poo_head")
    agents = [(load_agent(name, game, game.spec.settings(3)), weight) for name, weight in (("random", 1), ("easy", 0))]
    arena = Arena(game, 64, agents, 3)
    arena.reset(5)

    def drawn():
        lineups = arena.lineups
        return set(np.unique(lineups[lineups >= 0]).tolist())

    assert drawn() == {0}
    arena.weigh([0, 1])
    arena.reset(6)
    assert drawn() == {1}
    with pytest.raises(ValueError, match="weights: 1 for 2 opponents"):
        arena.weigh([1])


def test_a_policy_that_is_surely_better_is_ahead():
    config = small_config(*CURRICULUM, "players=2")
    task = Task.of(config)
    curriculum = Curriculum(task)
    best = load_agent("heuristic", task.game, task.settings)
    lead, error = curriculum.lead(best, [""], 0, 0)
    assert lead - error > 0
    lead, error = curriculum.lead(load_agent("random", task.game, task.settings), [""], 1, 0)
    assert lead + error < 0
    lead, error = curriculum.lead(load_agent("heuristic:lowest", task.game, task.settings), [""], 1, 0)
    assert lead == 0  # itself, on the same deals


@pytest.mark.parametrize("algo", ["maskable_ppo", "ppo", "dqn"])
def test_a_run_climbs_when_the_agent_is_beaten_and_goes_on_there(algo, tmp_path, monkeypatch):
    """The looks are replaced, since so short a run beats nobody."""
    leads = iter([(0.1, 0.2), (0.3, 0.1), *[(0.0, 0.1)] * 100])
    monkeypatch.setattr(Curriculum, "lead", lambda *_: next(leads))
    said = (f"algo={algo}", *CURRICULUM, "total_timesteps=3072", "checkpoint.every=512", "evaluation.every=0")
    train(small_config(*said), tmp_path / "run", quiet=True)
    rows = [row for row in read_metrics(tmp_path / "run" / "metrics.jsonl") if "curriculum/rung" in row]
    assert [row["curriculum/rung"] for row in rows][:3] == [0, 1, 1]
    climbed = []
    module = {"maskable_ppo": "maskable_ppo.learner.MaskablePPOLearner", "ppo": "ppo.learner.PPOLearner"}
    name = module.get(algo, "action_values.base.ActionValueLearner")
    monkeypatch.setattr(f"poopdeck.training.learners.{name}.climb", lambda _, rung: climbed.append(rung))
    train(small_config(*said, "total_timesteps=4096"), tmp_path / "run", resume=True, quiet=True)
    assert climbed == [1]


def test_a_curriculum_of_nobody_needs_opponents():
    with pytest.raises((ConfigError, ValueError), match="nobody to play against"):
        small_config("opponents=[]", "snapshots.weight=0")


def test_a_run_can_be_rated_while_it_learns(tmp_path, monkeypatch):
    game = registry.game("poo_head")
    config = small_config("evaluation.rating_games=200", "total_timesteps=1024")
    settings = config.settings()
    made = make_ladder(Table(game, settings, 1), "default", ["random", "medium"], 200)
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps({"format": ladders.FORMAT, "ladders": [made.to_json()]}), encoding="utf-8")
    monkeypatch.setattr(ladders, "PATH", path)
    train(config, tmp_path / "run", quiet=True)
    rows = [row for row in read_metrics(tmp_path / "run" / "metrics.jsonl") if "evaluation/rating" in row]
    assert rows and all(row["evaluation/rating_low"] < row["evaluation/rating"] for row in rows)
    with pytest.raises(ValueError, match="no ladder for poo_head"):
        train(small_config("evaluation.rating_games=200", "players=9"), tmp_path / "other", quiet=True)
