"""Work on a Ray cluster, here one of two workers with a core each; needs the extra ``ray`` (``make test-extras``)."""

import contextlib
import json
import os
import threading
import time

import psutil
import pytest

pytest.importorskip("ray", reason='needs Ray: pip install "poopdeck[ray]"')

from ray.cluster_utils import Cluster  # noqa: E402

from poopdeck.training.benchmark import cells  # noqa: E402
from poopdeck.training.benchmark.cells import there  # noqa: E402
from poopdeck.training.benchmark.run import run_benchmark  # noqa: E402
from poopdeck.training.benchmark.suite import parse_suite  # noqa: E402
from poopdeck.training.cluster.ray_executor import RayExecutor  # noqa: E402
from poopdeck.training.storage.checkpoint import checkpoint_files  # noqa: E402
from poopdeck.training.storage.run_folder import RunFolderError  # noqa: E402

SMALL = {"object_store_memory": 80 * 2**20}
SUITE = """
title: Tiny
samples: 1024
seeds: [3, 4]
evaluation_games: 20
curve_points: 2
curve_games: 10
tournament_games: 24
games:
  poop: {game: poop, players: 2, pool: [heuristic], held_out: ["heuristic:highest"]}
algorithms:
  ppo: {config: {algo: ppo, num_envs: 16, network: {hidden: [16]}, ppo: {n_steps: 16, batch_size: 128}}}
  slow: {config: {algo: ppo, num_envs: 8, network: {hidden: [16]}, ppo: {n_steps: 8, batch_size: 64}}}
"""


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


def test_a_folder_that_a_machine_does_not_see_is_refused(workers, tmp_path):
    with RayExecutor(workers.address) as cluster:
        call = cluster.submit(there, tmp_path / "nowhere", time.time)
        with pytest.raises(RunFolderError, match="nowhere: not to be seen from"):
            call.result()


def test_a_benchmark_on_a_cluster_finds_what_it_finds_here(workers, tmp_path, monkeypatch):
    text = SUITE.replace("[3, 4]", "[3]")
    with RayExecutor(workers.address, own_processes=True) as cluster:
        found = run(text, tmp_path / "there", cluster)
    here = run(text, tmp_path / "here")
    for content in (found, here):
        for costs in content["games"]["poop"]["costs"].values():
            assert costs.pop("samples") >= 1024
            costs.clear()  # times are those of machines
    assert found["scores"] == here["scores"]
    assert found["games"]["poop"]["algorithms"] == here["games"]["poop"]["algorithms"]


def test_cells_of_a_worker_that_is_killed_go_on_from_their_checkpoints_elsewhere(workers, tmp_path):
    """Two cells run at the same time; the machine of one is killed after its first checkpoint."""
    text = SUITE.replace("[3, 4]", "[3]").replace("samples: 1024", "samples: 80000")
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
