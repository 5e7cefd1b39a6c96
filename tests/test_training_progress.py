import io

from rich.console import Console
from training_runs import result_of, small_config

from poopdeck.training.run import progress as module
from poopdeck.training.run.farewell import farewell
from poopdeck.training.run.progress import TrainingProgress, clock
from poopdeck.training.run.train import train


def test_where_nobody_looks_on_a_line_comes_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(module, "QUIET", 100.0)
    with TrainingProgress("poo_head", 1_000_000, 60.0) as progress:
        progress.latest = "loss rate 0.250 vs random"
        for steps in range(1000, 11_000, 1000):
            progress.update(steps, 5000.0, steps / 5000)
    told = capsys.readouterr().err
    assert told == "poo_head: 1,000 of 1,000,000 samples, 5,000/s, 0:01:00 left, loss rate 0.250 vs random\n"


def test_quiet_is_quiet(tmp_path, capsys):
    train(small_config("total_timesteps=512"), tmp_path, quiet=True)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_rate_time_left_and_the_latest_evaluation():
    with TrainingProgress("poo_head", 1_000_000, None) as progress:
        progress._bar.live.console = progress.console = console = Console(
            file=io.StringIO(), force_terminal=True, width=140
        )
        progress.latest = "loss rate 0.250 vs random"
        progress.update(400_000, 20_000.0, 20.0)
        console.print(progress._bar.get_renderable())
    drawn = console.file.getvalue()
    for part in ("400,000/1,000,000", "20,000/s", "0:00:30 left", "loss rate 0.250 vs random"):
        assert part in drawn


def test_clock():
    assert [clock(seconds) for seconds in (0, 99.6, 3600, -5)] == ["0:00:00", "0:01:40", "1:00:00", "0:00:00"]


def test_the_end_says_where_the_results_lie_and_what_can_be_done_with_them(tmp_path, capsys):
    config = small_config("total_timesteps=512")
    result = train(config, tmp_path / "run")
    told = capsys.readouterr().err
    assert all(line in told for line in farewell(result, config))
    assert f"poopdeck evaluate {tmp_path / 'run'} --game poo_head --players 4" in told
    assert f"poopdeck play poo_head --opponents {tmp_path / 'run'}" in told
    written = result_of(tmp_path / "run")
    assert written["status"] == "finished"
    assert written["timesteps"] == 512
    assert written["settings"]["num_players"] == 4
    assert written["evaluations"] == result.evaluations
