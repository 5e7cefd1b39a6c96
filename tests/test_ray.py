"""Work on a Ray cluster, here one of two workers with a core each; needs the extra ``ray`` (``make test-extras``)."""

import contextlib
import json
import os
import shutil
import signal
import sys
import threading
import time

import psutil
import pytest

pytest.importorskip("ray", reason='needs Ray: pip install "poopdeck[ray]"')

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402
from tiny_suite import TINY  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from poopdeck.agents.loading import load_agent  # noqa: E402
from poopdeck.cli.app import app  # noqa: E402
from poopdeck.envs.core import registry  # noqa: E402
from poopdeck.training.benchmark import cells  # noqa: E402
from poopdeck.training.benchmark.cells import there  # noqa: E402
from poopdeck.training.benchmark.run import run_benchmark  # noqa: E402
from poopdeck.training.benchmark.suite import parse_suite  # noqa: E402
from poopdeck.training.cluster import ray_executor  # noqa: E402
from poopdeck.training.cluster.ray_executor import RayExecutor  # noqa: E402
from poopdeck.training.evaluation import match, schedule  # noqa: E402
from poopdeck.training.evaluation.evaluate import evaluate  # noqa: E402
from poopdeck.training.evaluation.saved_games import SavedGames  # noqa: E402
from poopdeck.training.evaluation.tournament import load_entries, make_plan, run_tournament  # noqa: E402
from poopdeck.training.storage.checkpoint import checkpoint_files  # noqa: E402
from poopdeck.training.storage.run_folder import RunFolderError  # noqa: E402

SMALL = {"object_store_memory": 80 * 2**20}


class Workers:
    """A cluster of a head, which takes no work, and workers of one core."""

    def __init__(self, count):
        self.cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **SMALL}
        )
        self.address = self.cluster.address
        self.nodes = [self.add() for _ in range(count)]

    def add(self):
        return self.cluster.add_node(num_cpus=1, **SMALL)

    def lose(self, pid):
        """Kills the machine that a process runs on, and has another one start."""
        above = {process.pid for process in psutil.Process(pid).parents()}
        [node] = [node for node in self.nodes if node.all_processes["raylet"][0].process.pid in above]
        self.nodes.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)


@pytest.fixture(scope="module")
def workers():
    made = Workers(2)
    yield made
    made.cluster.shutdown()


def quiet(_what, _total):
    return contextlib.nullcontext(lambda done: None)


def run(text, folder, cluster=None, say=print):
    return run_benchmark(parse_suite(text, "tiny"), folder, 1, quiet, say, cluster)


def test_calls_are_made_on_all_cores_and_their_errors_come_back(workers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with RayExecutor(workers.address, own_processes=True) as cluster:
        assert cluster.workers == 2
        processes = [cluster.submit(os.getpid) for _ in range(3)]
        assert len({process.result() for process in processes} - {os.getpid()}) == 3
        assert cluster.submit(os.getcwd).result() == str(tmp_path)
        with pytest.raises(ValueError, match="'this'") as raised:
            cluster.submit(int, "this").result()
        assert type(raised.value) is ValueError
        shared = cluster.share(list(range(1000)))
        assert list(cluster.map(sum, [shared, shared])) == [499500, 499500]


@pytest.mark.parametrize(
    ("address", "message"), [("127.0.0.1:1", "refused"), ("nowhere", "the form is HOST:PORT"), ("a:b", "the form is")]
)
def test_an_address_where_no_cluster_answers_is_refused_at_once(address, message):
    began = time.monotonic()
    with pytest.raises(ValueError, match=f"(?s)Ray cluster {address}.*{message}"):
        RayExecutor(address)
    assert time.monotonic() - began < 10


def test_a_machine_with_another_version_is_told_of(workers, monkeypatch):
    monkeypatch.setattr(ray_executor, "__version__", "0.0.1")
    with (
        RayExecutor(workers.address) as cluster,
        pytest.raises(ValueError, match="command is of 0.0.1: install the same"),
    ):
        cluster.submit(os.getpid).result()


def test_a_folder_that_a_machine_does_not_see_is_refused(workers, tmp_path):
    with RayExecutor(workers.address) as cluster:
        call = cluster.submit(there, tmp_path / "nowhere", time.time)
        with pytest.raises(RunFolderError, match="nowhere: not to be seen from"):
            call.result()


def test_a_benchmark_on_a_cluster_finds_what_it_finds_here(workers, tmp_path, monkeypatch):
    text = TINY.replace("[3, 4]", "[3]")
    with RayExecutor(workers.address, own_processes=True) as cluster:
        found = run(text, tmp_path / "there", cluster)
    here = run(text, tmp_path / "here")
    for content in (found, here):
        for costs in content["games"]["poop"]["costs"].values():
            assert costs.pop("samples") >= 1024
            costs.clear()  # times are those of machines
    assert found["scores"] == here["scores"]
    assert found["games"]["poop"]["algorithms"] == here["games"]["poop"]["algorithms"]


def one_cell(samples):
    """A benchmark of one cell, in a suite of its own."""
    text = TINY[: TINY.index("  slow:")].replace("[3, 4]", "[3]").replace("samples: 1024", f"samples: {samples}")
    return parse_suite(text, "tiny")


def once_it_learns(path, then):
    """Calls ``then(pid)`` from a thread of its own when the run in a folder has learnt for some updates."""

    def look():
        metrics = path / "metrics.jsonl"
        for _ in range(6000):
            if metrics.exists() and metrics.read_text().count("\n") > 3:
                return then(int((path / "run.lock").read_text().split()[-1]))
            time.sleep(0.02)

    thread = threading.Thread(target=look)
    thread.start()
    return thread


def test_ctrl_c_lets_cells_save_themselves_before_the_cluster_is_left(workers, tmp_path):
    suite = one_cell(10_000_000)
    path = tmp_path / "b" / suite.cells()[0].path
    once_it_learns(path, lambda pid: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is started deaf to it
    with pytest.raises(KeyboardInterrupt), RayExecutor(workers.address, own_processes=True) as cluster:
        run_benchmark(suite, tmp_path / "b", 1, quiet, print, cluster)
    signal.signal(signal.SIGINT, before)
    result = json.loads((path / "result.json").read_text())
    assert result["status"] == "interrupted" and 0 < result["timesteps"] < 10_000_000
    assert checkpoint_files(path / "checkpoint")


def test_a_machine_that_is_taken_away_in_order_costs_no_more_than_the_update_under_way(workers, tmp_path):
    suite, said = one_cell(60_000), []
    path = tmp_path / "b" / suite.cells()[0].path
    once_it_learns(path, lambda pid: os.kill(pid, signal.SIGTERM))
    with RayExecutor(workers.address, own_processes=True) as cluster:
        run_benchmark(suite, tmp_path / "b", 1, quiet, said.append, cluster)
    assert any("was interrupted; it goes on" in line for line in said)
    assert cells.is_trained(path)


def test_cells_of_a_worker_that_is_killed_go_on_from_their_checkpoints_elsewhere(workers, tmp_path):
    """Two cells run at the same time; the machine of one is killed after its first checkpoint."""
    text = TINY.replace("[3, 4]", "[3]").replace("samples: 1024", "samples: 80000")
    suite = parse_suite(text.replace("{algo: ppo,", "{algo: ppo, checkpoint: {every: 8192},"), "tiny")
    first = tmp_path / "b" / suite.cells()[0].path
    lost = []

    def lose_the_first():
        for _ in range(6000):
            kept = checkpoint_files(first / "checkpoint")
            if kept:
                pid, rows = int((first / "run.lock").read_text().split()[-1]), (first / "metrics.jsonl").read_text()
                workers.lose(pid)
                lost.append((pid, int(kept[0].stem.removeprefix("step-")), rows))
                return
            time.sleep(0.02)

    thread = threading.Thread(target=lose_the_first)
    thread.start()
    with RayExecutor(workers.address, own_processes=True) as cluster:
        run_benchmark(suite, tmp_path / "b", 1, quiet, print, cluster)
    thread.join()
    workers.nodes.append(workers.add())
    [(pid, kept, rows)] = lost
    assert all(cells.is_trained(tmp_path / "b" / cell.path) for cell in suite.cells())
    assert json.loads((first / "result.json").read_text())["timesteps"] >= 80000
    assert int((first / "run.lock").read_text().split()[-1]) != pid  # the process that came after
    before = [row for row in rows.splitlines() if json.loads(row)["timesteps"] <= kept]
    assert before and (first / "metrics.jsonl").read_text().splitlines()[: len(before)] == before  # with their times


class Drawing:
    """Asked in Python, and its choices hang on the generator that it is given."""

    name = "drawing"

    def act(self, observations, masks, rng):
        return (rng.random(masks.shape) * (masks != 0)).argmax(axis=1)


def test_an_evaluation_on_a_cluster_has_the_same_figures_to_the_last_digit(workers, tmp_path, monkeypatch):
    game = registry.game("poo_head")
    settings = game.spec.settings(3)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers do not have the tests
    monkeypatch.setattr(match, "CHUNK", 64)  # an agent that is asked in Python is asked in parts of this size
    with RayExecutor(workers.address) as cluster:
        for agents, games in (
            (["heuristic", "random"], 3000),
            (["search:deals=2", "heuristic:lowest"], 12),
            (["ismcts:deals=8", "random"], 6),
            ([Drawing(), "heuristic"], 300),
        ):
            one, other = (load_agent(a, game, settings) if isinstance(a, str) else a for a in agents)
            told = []
            here = evaluate(game, settings, one, [other], games, seed=5).to_json()
            there = evaluate(game, settings, one, [other], games, 5, on_progress=told.append, cluster=cluster).to_json()
            for content in (here, there):
                del content["seconds"], content["decisions_per_second"]
            assert here == there
            assert told[-1] == here["games"] and len(told) >= 4
        with pytest.raises(ValueError, match="save: games that are played on a cluster"):
            evaluate(game, settings, one, [other], 6, save=SavedGames(tmp_path / "games.jsonl"), cluster=cluster)


def test_a_trained_network_goes_along(workers, tmp_path):
    """Whole: its folder is gone when the games are played."""
    [cell] = one_cell(1024).cells()
    cells.train_cell(cell, tmp_path)
    game = registry.game("poop")
    settings = game.spec.settings(2)
    network, other = load_agent(str(tmp_path / cell.path), game, settings, False), load_agent("random", game, settings)
    shutil.rmtree(tmp_path / cell.path)
    here = evaluate(game, settings, network, [other], 400)
    with RayExecutor(workers.address) as cluster:
        there = evaluate(game, settings, network, [other], 400, cluster=cluster)
    assert (here.mean_payoff, here.mean_payoff_ci) == (there.mean_payoff, there.mean_payoff_ci)


def test_a_tournament_on_a_cluster_has_the_same_figures_to_the_last_digit(workers, tmp_path, monkeypatch):
    """It is also stopped after its first block, with others under way, and gone on with."""
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 600)
    game = registry.game("poop")
    settings = game.spec.settings(3)
    plan = make_plan(game, settings, load_entries(["random", "heuristic", "heuristic:highest"], game, settings), 4000)
    assert len(plan.schedule.blocks()) > 5
    with RayExecutor(workers.address) as cluster:
        told = []
        noted = dict(stop=lambda: any(told), on_progress=told.append)
        began = run_tournament(plan, tmp_path / "there", **noted, cluster=cluster)
        assert began.content is None and 0 < began.played < began.games
        there = run_tournament(plan, tmp_path / "there", resume=True, cluster=cluster)
        with pytest.raises(ValueError, match="save_every"):
            run_tournament(plan, tmp_path / "no", save_every=1, cluster=cluster)
    here = run_tournament(plan, tmp_path / "here")
    for ended in (here, there):
        del ended.content["run"]
    assert here.content == there.content


def test_the_commands_play_on_a_cluster(workers, tmp_path):
    say = CliRunner()
    command = ["evaluate", "heuristic", "--against", "random", "--game", "poop", "--games", "200", "--json"]
    for name, more in (("here", []), ("there", ["--ray", workers.address])):
        ended = say.invoke(app, [*command, str(tmp_path / name), *more])
        assert ended.exit_code == 0, ended.output
    here, there = (json.loads((tmp_path / name).read_text()) for name in ("here", "there"))
    assert here["mean_payoff_ci"] == there["mean_payoff_ci"]
    command = ["tournament", "poop", "random", "heuristic", "--games", "400", "--players", "2"]
    ended = say.invoke(app, [*command, "--out", str(tmp_path / "t"), "--ray", workers.address])
    assert ended.exit_code == 0, ended.output
    assert (tmp_path / "t" / "cross_table.md").exists()
