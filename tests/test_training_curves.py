import math

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training_runs import UPDATE, small_config

from poopdeck.training.run.curves import Curves, read_metrics
from poopdeck.training.run.train import train

WANTED = {
    "train/payoff",
    "train/length",
    "train/truncated_share",
    "train/illegal_actions",
    "train/entropy",
    "train/approx_kl",
    "train/value_loss",
    "train/explained_variance",
    "train/learning_rate",
    "speed/samples_per_second",
}


def test_curves_are_cut_back_to_where_a_checkpoint_stood(tmp_path):
    path = tmp_path / "metrics.jsonl"
    curves = Curves(path, tmp_path / "tensorboard")
    for step in (10, 20):
        curves.row(step, {"a/b": step * 1.0})
    position = curves.position()
    curves.row(30, {"a/b": 30.0})
    curves.close()
    with open(path, "a") as file:
        file.write('{"timesteps": 40, "a')  # a kill in the middle of a line
    assert len(read_metrics(path)) == 3
    curves = Curves(path, tmp_path / "tensorboard", position, 20)
    curves.row(30, {"a/b": 31.0})
    curves.close()
    assert read_metrics(path) == [{"timesteps": step, "a/b": value} for step, value in ((10, 10), (20, 20), (30, 31))]
    shown = EventAccumulator(str(tmp_path / "tensorboard")).Reload().Scalars("a/b")
    assert [(event.step, event.value) for event in shown] == [(10, 10), (20, 20), (30, 31)]


def test_what_is_no_number_is_left_out(tmp_path):
    curves = Curves(tmp_path / "metrics.jsonl", None)
    curves.row(1, {"a": math.nan, "b": math.inf, "c": None, "d": 1})
    curves.close()
    assert read_metrics(tmp_path / "metrics.jsonl") == [{"timesteps": 1, "d": 1}]


def test_curves_that_somebody_shortened_are_told_of(tmp_path):
    curves = Curves(tmp_path / "metrics.jsonl", None, position=100)
    assert curves.lost == 100
    curves.close()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    config = small_config("total_timesteps=3072", "evaluation.every=1024", "num_envs=16")
    return folder, train(config, folder, quiet=True)


def test_a_run_draws_all_its_curves_in_both_places(run):
    folder, _ = run
    rows = read_metrics(folder / "metrics.jsonl")
    assert [row["timesteps"] for row in rows] == [UPDATE * k for k in range(7)]
    assert all(row.keys() >= WANTED for row in rows[3:])
    assert all(row["train/illegal_actions"] == 0 for row in rows[1:])
    shown = EventAccumulator(str(folder / "tensorboard")).Reload()
    for name in set().union(*rows) - {"timesteps"}:
        expected = [(row["timesteps"], row[name]) for row in rows if name in row]
        assert [(event.step, event.value) for event in shown.Scalars(name)] == [
            (step, pytest.approx(value, rel=1e-5)) for step, value in expected
        ], name


def test_every_baseline_is_measured_at_its_times_with_intervals(run):
    folder, result = run
    rows = read_metrics(folder / "metrics.jsonl")
    for name in ("random", "heuristic", "heuristic:lowest"):
        measured = [row for row in rows if f"evaluation/{name}/payoff" in row]
        assert [row["timesteps"] for row in measured] == [0, 1024, 2048, 3072]
        for row in measured:
            for figure in ("payoff", "loss_rate"):
                low, value, high = (row[f"evaluation/{name}/{figure}{end}"] for end in ("_low", "", "_high"))
                assert low < value < high
            assert row[f"evaluation/{name}/illegal_actions"] == 0
        assert result.evaluations[name]["loss_rate"] == measured[-1][f"evaluation/{name}/loss_rate"]
