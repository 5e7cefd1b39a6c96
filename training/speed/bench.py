"""Speed on this machine, beside the peers that are installed, measured in one run: machines are noisy, ratios less so.

Every measurement is taken in several rounds, ours and the peers' by turns, and the median counts.
"""

import math
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ...envs.core import registry
from ...envs.core.chance import seed_streams
from ...envs.core.compiler import CACHE_VARIABLE
from ...envs.core.errors import naming_file
from ...envs.core.game import Game, copied
from ...envs.core.switches import WAIT_VARIABLE
from ...envs.tables.playouts import random_playouts
from ..storage.plain_json import json_text
from .peers import PEERS, Peer, Play, aec_player

ROUNDS = 5
LEARNT_FIRST = 4096  # samples before a learner is measured: all have begun to learn from their memories by then
LEARNER_SETS = {"expert": ["expert.n_steps=2"]}  # seconds, where a whole rollout by search takes minutes
BATCH = 256  # tables of the batch measurements: buffers that stay in a core's cache
VECTOR = 1024  # tables of vec_step
UNITS = {
    "batch_per_core": "decisions/s, one thread",
    "batch_two_threads": "decisions/s, two threads",
    "vec_step": "decisions/s, one thread, from Python",
    "plain": "decisions/s, plain interface from Python",
    "aec": "decisions/s, PettingZoo loop",
    "ppo_samples": "samples/s, MaskablePPO learning",
    "selfplay_samples": "samples/s, self-play learning",
    "clone_us": "µs, plain interface",
    "resample_us": "µs, plain interface",
    "first_compile_s": "s, everything, empty cache",
    "warm_start_s": "s, new process to its first step",
}
MEANINGS = {
    "batch_per_core": "mask and full observation at every decision, random legal actions, all compiled",
    "batch_two_threads": "the same on two threads",
    "vec_step": f"make_vec(...).step with {VECTOR:,} tables; drawing the actions is not counted",
    "plain": "legal_actions, random choice, apply_action, is_terminal; new games count",
    "aec": "last(), sample(mask), step() on env(); new games count",
    "ppo_samples": "the shipped config, rollouts and updates",
    "selfplay_samples": "the same config and network, from every seat; decisions without a choice are no samples",
    "clone_us": "a copy of a position, above the copy of its record",
    "resample_us": "a copy in which all that a seat cannot know is dealt anew, by a seed",
    "first_compile_s": "plain, AEC, vector, seat and evaluation interfaces",
    "warm_start_s": "python -c: import, make, reset, one step",
}
RATIOS = {"two_thread_ratio": "two threads / one", "selfplay_ratio": "self-play / MaskablePPO"}


def batch_player(game: Game, threads: int) -> Play:
    """Random play inside the compiled loop, mask and observation written at every decision."""
    settings = game.spec.settings()
    modules = (game.spec.rules, game.spec.observation)
    parts = []
    for part in range(threads):
        states = game.empty_states(settings, BATCH)
        states["rng"] = seed_streams(part, BATCH)
        obs = np.zeros((BATCH, game.spec.observation_size(settings)), np.float32)
        mask = np.zeros((BATCH, game.spec.num_actions), np.int8)
        for table in range(BATCH):
            game.deal(states[table : table + 1])
        parts.append((states, obs, mask))
    run = random_playouts(*modules)
    pool = ThreadPoolExecutor(threads)

    def play(steps: int) -> int:
        each = max(1, steps // (BATCH * threads))
        list(pool.map(lambda part: run(*part, each), parts))
        return each * BATCH * threads

    return play


def plain_player(game: Game) -> Play:
    """The loop of scripts over the plain interface, as OpenSpiel's is played."""

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            s = game.new_state()
            while not game.is_terminal(s):
                game.apply_action(s, random.choice(game.legal_actions(s)))
                done += 1
        return done

    return play


def searcher_times(game: Game) -> dict[str, float]:
    """Microseconds of the calls that searchers make at every node, of a game's first position; the best of many."""
    s = game.new_state(seed=0)
    records = game.clone(s).records
    game.current_player(s)

    def best(call: Callable[[], Any]) -> float:
        return min(timeit.repeat(call, number=200, repeat=50)) / 200 * 1e6

    clone, copy = best(lambda: game.clone(s)), best(lambda: copied(records))
    return {"clone_us": clone - copy, "resample_us": best(lambda: game.resample(s, 0, 1))}


def aec_game(game: Game) -> Play:
    """PettingZoo's loop over our environment."""
    from ...envs.adapters.aec import GameEnv

    return aec_player(GameEnv(game))


def vector_rate(game: Game, seconds: float) -> float:
    """Decisions a second of ``VectorEnv.step`` alone."""
    from ...envs.adapters.vector import VectorEnv

    env = VectorEnv(game, VECTOR)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    spent, steps, end = 0.0, 0, time.perf_counter() + seconds
    while time.perf_counter() < end or steps < 2:
        actions = (env.mask * rng.random(env.mask.shape, np.float32)).argmax(axis=1)
        began = time.perf_counter()
        env.step(actions)
        if steps:  # the first one may compile
            spent += time.perf_counter() - began
        steps += 1
    return (steps - 1) * VECTOR / spent


def learning_player(game: Game, algo: str) -> Play:
    """The shipped config learning by a learner: whole rollouts and updates."""
    from ..config import registry
    from ..config.files import load_config
    from ..learners.base import Task
    from ..learners.snapshot_pool import SnapshotPool

    config = load_config(game.spec.name, [f"algo={algo}", *LEARNER_SETS.get(algo, [])])
    pool = SnapshotPool(config.snapshots)
    learner = registry.spec(algo).make(Task.of(config), pool)
    if pool.active:
        pool.add(learner.networks(), 0)
        learner.seat_snapshots(pool)
    learner.begin()

    def play(steps: int) -> int:
        before = learner.timesteps
        while learner.timesteps < before + steps:
            learner.iterate(1.0)
        return learner.timesteps - before

    return play


def rate(play: Play, seconds: float) -> float:
    """Decisions a second over about so many seconds; the amount asked for grows until the clock is well used."""
    amount, done, began = 64, 0, time.perf_counter()
    while True:
        done += play(amount)
        spent = time.perf_counter() - began
        if spent >= seconds:
            return done / spent
        amount = max(amount, min(4 * amount, int(done / spent * (seconds - spent)) + 1))


def learner_rates(game: Game, seconds: float, tell: Callable[[str], None]) -> dict[str, float]:
    """Samples a second of every way of learning of this package, each by itself, for about so many seconds."""
    from ..config import registry

    found = {}
    for algo in registry.BUILT_IN:
        tell(f"{game.spec.name}: learning by {algo}")
        play = learning_player(game, algo)
        play(LEARNT_FIRST if algo not in LEARNER_SETS else 1)
        found[algo] = rate(play, seconds)
    return found


FIRST_USE = """
import numpy as np, poopdeck
from poopdeck.training.evaluation.evaluate import evaluate
name = {name!r}
game = poopdeck.game(name)
settings = game.spec.settings()
state = game.new_state(seed=0)
game.apply_action(state, game.legal_actions(state)[0])
game.observation(state, 0), game.resample(state, 0, 1), game.returns(state)
env = poopdeck.make(name)
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
batch = poopdeck.make_vec(name, 4)
batch.reset(seed=0)
batch.step(batch.mask.argmax(axis=1))
learner = poopdeck.make_gymnasium(name, "heuristic")
learner.reset(seed=0)
learner.step(int(learner.action_masks().argmax()))
agents = [poopdeck.load_agent(agent, name) for agent in ("heuristic", "random")]
evaluate(game, settings, agents[0], agents[1:], games=8)
"""
WARM_USE = """
import poopdeck
env = poopdeck.make({name!r})
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
"""


def start_times(game: Game) -> tuple[float, float]:
    """Seconds to compile everything in an empty cache, and of a new process to its first step with a full one."""
    if game.spec.name not in registry.names():
        raise ValueError(f"{game.spec.name}: only registered games can be started in another process")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, CACHE_VARIABLE: folder, WAIT_VARIABLE: "1"}

        def run(code: str) -> float:
            began = time.perf_counter()
            command = [sys.executable, "-c", code.format(name=game.spec.name)]
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
            return time.perf_counter() - began

        first = run(FIRST_USE)
        return first, statistics.median(run(WARM_USE) for _ in range(3))


def available_peers(wanted: bool) -> tuple[list[tuple[Peer, Play]], list[str]]:
    """The peers whose libraries are installed, set up, and the names of the others with the reason."""
    found, missing = [], []
    for peer in PEERS if wanted else ():
        try:
            found.append((peer, peer.make()))
        except Exception as error:  # a peer that breaks must not end our own measurement
            missing.append(f"{peer.name}: {type(error).__name__} {error}".splitlines()[0])
    return found, missing


def bench_game(
    game: Game, peers: list[tuple[Peer, Play]], seconds: float, tell: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """All figures of one game; ``peers`` holds for each peer its rate and our ratio to it."""
    ours: dict[str, Play] = {
        "batch_per_core": batch_player(game, 1),
        "batch_two_threads": batch_player(game, 2),
        "plain": plain_player(game),
        "aec": aec_game(game),
    }
    try:
        ours["ppo_samples"] = learning_player(game, "maskable_ppo")
        ours["selfplay_samples"] = learning_player(game, "ppo")
        learners = learner_rates(game, seconds, tell)
    except ImportError as error:
        learners = {}
        tell(f"learning left out: {error}")
    plays: list[tuple[str, Play]] = [*ours.items(), *((peer.name, play) for peer, play in peers)]
    rates: dict[str, list[float]] = {name: [] for name in [*(name for name, _ in plays), "vec_step"]}
    for _, play in plays:
        play(64)  # compiles and warms
    vector_rate(game, 0.05)
    for round_ in range(ROUNDS):
        for name, play in plays:
            tell(f"{game.spec.name}, round {round_ + 1} of {ROUNDS}: {name}")
            rates[name].append(rate(play, seconds / ROUNDS))
        rates["vec_step"].append(vector_rate(game, seconds / ROUNDS))
    tell(f"{game.spec.name}: compiling from nothing")
    result: dict[str, Any] = {name: statistics.median(values) for name, values in rates.items() if name in UNITS}
    result |= searcher_times(game)
    result["first_compile_s"], result["warm_start_s"] = start_times(game)
    for name, (above, below) in {
        "two_thread_ratio": ("batch_two_threads", "batch_per_core"),
        "selfplay_ratio": ("selfplay_samples", "ppo_samples"),
    }.items():
        if rates.get(above):
            pairs = zip(rates[above], rates[below], strict=True)
            result[name] = statistics.median(one / other for one, other in pairs)
    result["learners"] = learners
    result["peers"] = {
        peer.name: {
            "against": peer.against,
            "steps_per_second": statistics.median(rates[peer.name]),
            # Round by round, so that a slow spell of the machine hits both.
            "ratio": statistics.median(
                us / them for us, them in zip(rates[peer.against], rates[peer.name], strict=True)
            ),
        }
        for peer, _ in peers
        if rates.get(peer.against)
    }
    return result


def machine() -> dict[str, Any]:
    """Where the figures were measured."""
    name = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        known = info.read_text(encoding="utf-8").splitlines()
        lines = [line.partition(":")[2].strip() for line in known if "model name" in line]
        name = lines[0] if lines else name
    return {"processor": name, "cores": os.cpu_count(), "python": platform.python_version(), "numpy": np.__version__}


def bench_command(name: str | None, seconds: float, peers: bool, path: pathlib.Path | None) -> None:
    """Measures one game or all, prints the table, and writes the JSON: game -> figures."""
    if not (seconds > 0 and math.isfinite(seconds)):
        raise ValueError(f"--seconds {seconds}: more than 0 is wanted, and less than forever")
    try:
        import torch

        torch.set_num_threads(1)  # for the learners of both sides: two threads are slower on small networks
    except ImportError:
        pass
    console = Console()
    names = [name] if name else registry.names()
    games = [registry.game(entry) for entry in names]
    results: dict[str, Any] = {}
    with console.status("setting up the peers") as status:
        found, missing = available_peers(peers)
        for game in games:
            results[game.spec.name] = bench_game(game, found, seconds, status.update)
            results[game.spec.name]["machine"] = machine()
    for game_name, figures in results.items():
        print_figures(console, game_name, figures)
    for line in missing:
        console.print(f"not measured: {line}", highlight=False)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with naming_file(path):
            path.write_text(json_text(results, 2) + "\n", encoding="utf-8")
        console.print(f"written to {path}")


def print_figures(console: Console, name: str, figures: dict[str, Any]) -> None:
    """The table of one game."""
    table = Table(title=f"{name} on {figures['machine']['processor']}", title_justify="left")
    for column, justify in (("figure", "left"), ("value", "right"), ("unit", "left"), ("what", "left")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for key, unit in UNITS.items():
        if key in figures:
            value = figures[key]
            table.add_row(key, f"{value:.2f}" if value < 100 else f"{value:,.0f}", unit, MEANINGS[key])
    for ratio, what in RATIOS.items():
        if ratio in figures:
            table.add_row(ratio, f"{figures[ratio]:.2f}", "", what)
    console.print(table)
    for algo, samples in figures.get("learners", {}).items():
        console.print(f"  {samples:10,.0f}    samples/s, learning by {algo}", highlight=False)
    for peer, theirs in figures["peers"].items():
        console.print(
            f"  {theirs['ratio']:10.1f} x  {peer} ({theirs['steps_per_second']:,.0f}/s, against {theirs['against']})",
            highlight=False,
        )
