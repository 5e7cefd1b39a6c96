"""The benchmark: that it measures what it says; how fast things are is its own business."""

import json

import bench_page
import numpy as np
import pytest

import poopdeck
from poopdeck.training.config import registry
from poopdeck.training.speed import bench
from poopdeck.training.speed.peers import PEERS, Peer, aec_player

GAME = poopdeck.game("poo_head")
FIGURES = {
    "batch_per_core",
    "batch_two_threads",
    "vec_step",
    "plain",
    "aec",
    "ppo_samples",
    "first_compile_s",
    "warm_start_s",
}
FIGURES |= {"clone_us", "resample_us"}


def test_players_play_as_many_decisions_as_they_say():
    played = bench.batch_player(GAME, 2)(4096)
    assert played == 4096
    assert bench.aec_game(GAME)(50) == 50
    assert 50 <= bench.plain_player(GAME)(50) < 5_000, "whole games"
    assert bench.vector_rate(GAME, 0.05) > 0


def test_a_state_is_small_and_so_are_100_000_tables():
    settings = GAME.spec.settings(5)
    assert GAME.spec.rules.state_dtype(settings).itemsize <= 1024
    env = poopdeck.make_vec("poo_head", 1000, num_players=4)
    held = sum(value.nbytes for value in vars(env).values() if isinstance(value, np.ndarray))
    assert held * 100 <= 300e6


def test_the_command_writes_every_figure(tmp_path, monkeypatch, capsys):
    fixed = Peer("a slow peer", "aec", lambda: aec_player(poopdeck.make("poo_head")))
    broken = Peer("not there", "aec", lambda: __import__("no_such_library"))
    monkeypatch.setattr(bench, "PEERS", (fixed, broken))
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "start_times", lambda game: (1.0, 0.5))
    bench.bench_command("poo_head", 0.2, True, tmp_path / "bench.json")
    written = json.loads((tmp_path / "bench.json").read_text())
    assert set(written["poo_head"]) >= FIGURES | {"peers", "machine"}
    learners = written["poo_head"]["learners"]
    assert list(learners) == list(registry.BUILT_IN) and min(learners.values()) > 0
    text = bench_page.page(written)
    assert all(f"| `{name}` | {value:,.0f} |" in text for name, value in learners.items())
    assert written["poo_head"]["peers"]["a slow peer"]["ratio"] == pytest.approx(1, abs=0.9)
    shown = capsys.readouterr().out
    assert "learning by nfsp" in shown
    assert "a slow peer" in shown and "not measured: not there" in shown
    with pytest.raises(ValueError, match="--seconds"):
        bench.bench_command("poo_head", 0, False, None)


def test_each_peer_stands_against_one_of_our_figures():
    assert {peer.against for peer in PEERS} <= FIGURES
    assert len({peer.name for peer in PEERS}) == len(PEERS)
