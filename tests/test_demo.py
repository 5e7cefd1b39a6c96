"""The demonstration behind ``make demo``, with a config of seconds."""

import json

import pytest

from poopdeck import demo
from poopdeck.training.config.files import load_config


def test_the_demonstration_trains_measures_and_is_not_done_twice(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "CONFIG", "poo_head_demo,smoke")
    monkeypatch.setattr(
        "poopdeck.training.config.files.load_config", lambda *given: load_config(["poo_head_demo", "smoke"])
    )
    folder = tmp_path / "demo"
    assert demo.main(str(folder)) == 0
    shown = capsys.readouterr()
    assert "vs heuristic:lowest" in shown.out + shown.err and "0.25" in shown.out
    weights = (folder / "weights" / "network.safetensors").read_bytes()
    assert set(json.loads((folder / "result.json").read_text())["evaluations"]) == {"random", "heuristic:lowest"}
    assert demo.main(str(folder)) == 0
    assert "finished demonstration" in capsys.readouterr().out
    assert (folder / "weights" / "network.safetensors").read_bytes() == weights


def test_the_demonstration_fits_into_four_minutes():
    config = load_config("poo_head_demo")
    assert config.time_limit is not None and config.time_limit <= 3
    assert config.evaluation.final_games >= 20_000
    assert set(config.evaluation.against) == {"random", "heuristic:lowest"}
    assert config.players == pytest.approx(4)
