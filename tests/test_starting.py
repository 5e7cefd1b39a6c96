"""The first game of a new installation is played at once, in plain Python, while another process compiles."""

import copy
import json
import os
import pathlib
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest

import poopdeck
from poopdeck.envs.core import compiler, drivers, elsewhere, plain, starting, switches
from poopdeck.envs.core.game import Game

HERE = pathlib.Path(__file__).parent
pytestmark = pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")

# Plays from an empty cache: what comes of it, seconds, what was compiled in this process at each of the two times.
PLAY = """
import gc, json, os, sys, time
start = time.monotonic()
import poopdeck
from poopdeck.envs.adapters.aec import GameEnv
from poopdeck.envs.core import elsewhere, starting
from poopdeck.envs.core.game import Game
from poopdeck.envs.core.registry import spec
from numba.core.dispatcher import Dispatcher

def play(env, games):
    seen = []
    for seed in range(games):
        env.reset(seed=seed)
        for _ in range(50 // games):
            if env.agents:
                observation, reward, terminated, truncated, info = env.last()
                over = terminated or truncated
                seen.append([observation["observation"].tolist(), float(reward)])
                env.step(None if over else int(observation["action_mask"].nonzero()[0][-1]))
        seen.append([env.state().tolist(), 0.0])
    return seen

def compiled():
    return sum(len(thing.signatures) - sum(thing.stats.cache_hits.values()) for thing in gc.get_objects()
               if isinstance(thing, Dispatcher) and "poopdeck" in thing.py_func.__module__)

env = GameEnv(Game(spec(sys.argv[1])))
seen = play(env, 2)
found = {"seen": seen, "seconds": time.monotonic() - start, "compiled": compiled()}
found["plain"] = isinstance(env._turn, starting.PlainFirst)
if len(sys.argv) > 2:
    limit = time.monotonic() + 300
    while any(process.poll() is None for process in elsewhere._started.values()) and time.monotonic() < limit:
        time.sleep(0.1)
    found["again"], found["compiled_again"] = play(env, 2), compiled()
    found["settled"] = not isinstance(env._turn, starting.PlainFirst)
print(json.dumps(found))
"""


def play(game, cache, *more, **environment):
    """What PLAY says, in a process of its own with this cache."""
    left_out = ("NUMBA_DISABLE_JIT", switches.WAIT_VARIABLE)
    known = {name: value for name, value in os.environ.items() if name not in left_out}
    path = os.pathsep.join([str(HERE.parent / "docs" / "examples" / "new_game"), *filter(None, sys.path)])
    known |= {compiler.CACHE_VARIABLE: str(cache), "PYTHONPATH": path, **environment}
    command = [sys.executable, "-c", PLAY, game, *more]
    done = subprocess.run(command, env=known, capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", poopdeck.games())
def test_the_first_fifty_steps_compile_nothing(game, tmp_path):
    # A process that holds the lock stands for the one that compiles, so that none is started in vain.
    cache = tmp_path / "cache"
    cache.mkdir()
    with open(cache / f"poopdeck.envs.games.{game}.lock", "a") as held:
        assert elsewhere._lock(held)
        found = play(game, cache)
    assert found["compiled"] == 0 and found["plain"]
    assert found["seconds"] < 20  # one where nothing else runs
    assert found["seen"] == play(game, tmp_path / "none", NUMBA_DISABLE_JIT="1")["seen"]


def test_compiled_code_takes_over_with_the_same_numbers(tmp_path):
    first = play("highest_sum:SPEC", tmp_path / "cache", "wait")
    assert first["plain"] and first["settled"]
    assert first["compiled"] == first["compiled_again"] == 0, "another process has compiled all that is needed"
    assert first["again"] == first["seen"]
    second = play("highest_sum:SPEC", tmp_path / "cache", "wait")
    assert second["seen"] == first["seen"] and second["compiled"] == 0 and second["settled"]


def test_who_cannot_or_will_not_wait_compiles_at_once(tmp_path):
    (tmp_path / "file").touch()
    nowhere = play("highest_sum:SPEC", tmp_path / "file" / "none")
    at_once = play("highest_sum:SPEC", tmp_path / "cache", **{switches.WAIT_VARIABLE: "1"})
    assert nowhere["compiled"] > 0 and at_once["compiled"] > 0
    assert nowhere["seen"] == at_once["seen"]


EVERYTHING = """
import numpy as np, poopdeck
from poopdeck.envs.core.registry import game as find
game = find("highest_sum:SPEC")
state = game.load(game.dump(game.new_state(seed=1)))
game.apply_action(state, game.legal_actions(state)[0])
game.resample(state, 0, 1), game.observation(state, 0), game.truncated_returns(state)
env = poopdeck.make("highest_sum:SPEC")
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
batch = poopdeck.make_vec("highest_sum:SPEC", 4)
batch.reset(seed=1)
batch.step(batch.mask.argmax(axis=1))
learner = poopdeck.make_gymnasium("highest_sum:SPEC", "random")
learner.reset(seed=1)
learner.step(int(learner.action_masks().argmax()))
"""


def test_after_warmup_nothing_is_compiled(tmp_path):
    path = os.pathsep.join([str(HERE.parent / "docs" / "examples" / "new_game"), *filter(None, sys.path)])
    known = os.environ | {compiler.CACHE_VARIABLE: str(tmp_path / "cache"), "PYTHONPATH": path}
    del known[switches.QUIET_VARIABLE]
    run = {"env": known, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-m", "poopdeck", "warmup", "highest_sum:SPEC"], **run)
    assert done.returncode == 0 and done.stdout.startswith("compiled in ") and not done.stderr, done.stderr[-3000:]
    entries = sorted(tmp_path.glob("cache/*/*.nbc"))
    assert len(entries) >= 9
    done = subprocess.run([sys.executable, "-c", EVERYTHING], **run)
    assert done.returncode == 0 and not done.stderr, done.stderr[-3000:]  # it would be said
    assert sorted(tmp_path.glob("cache/*/*.nbc")) == entries


# -- within one process -----------------------------------------------------------------------------------------------


@pytest.fixture
def never_ready(monkeypatch):
    """The cache stays empty, and another process is always said to compile."""
    monkeypatch.delenv(switches.WAIT_VARIABLE, raising=False)
    monkeypatch.setattr(starting, "is_cached", lambda compiled, kinds: False)
    monkeypatch.setattr(elsewhere, "compiles", lambda modules, layout: True)


def in_plain_python(spec):
    """The game with drivers that nothing has compiled yet."""
    game = Game(spec)
    for name, call in vars(game).items():
        if isinstance(call, starting.PlainFirst):
            # One of its own: others may have used, and so compiled, the shared one.
            twin = starting.PlainFirst(call._make, call._modules, call.compiled)
            twin._is_there = lambda *arguments: False
            vars(game)[name] = twin
    return game


@pytest.mark.parametrize("name", poopdeck.games())
def test_plain_and_compiled_rules_agree_to_the_bit(name, never_ready):
    compiled = poopdeck.game(name)
    spec = compiled.spec
    game = in_plain_python(spec)
    rng = np.random.default_rng(1)
    for seed, players in enumerate([spec.min_players, spec.default_players, spec.max_players]):
        a, b = compiled.new_state(seed=seed, num_players=players), game.new_state(seed=seed, num_players=players)
        for _ in range(60):
            assert a == b
            if compiled.is_terminal(a):
                break
            legal = compiled.legal_actions(a)
            assert game.legal_actions(b) == legal and game.current_player(b) == compiled.current_player(a)
            assert game.is_terminal(b) is False and (game.returns(b) == compiled.returns(a)).all()
            assert (game.truncated_returns(b) == compiled.truncated_returns(a)).all()
            seat = int(rng.integers(compiled.num_seats(a)))
            assert game.observation(b, seat).tobytes() == compiled.observation(a, seat).tobytes()
            assert game.resample(b, seat, 3) == compiled.resample(a, seat, 3)
            action = int(rng.choice(legal))
            compiled.apply_action(a, action)
            game.apply_action(b, action)


def test_states_and_environments_cross_from_plain_to_compiled(never_ready):
    game, compiled = in_plain_python(poopdeck.game("pooman").spec), poopdeck.game("pooman")
    state = game.new_state(seed=4)
    for _ in range(20):
        game.apply_action(state, game.legal_actions(state)[0])
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), compiled.load(game.dump(state))):
        assert compiled.dump(again) == game.dump(state)
        assert compiled.legal_actions(again) == game.legal_actions(state)
    env = poopdeck.make("pooman")
    env.reset(seed=4)
    twin = pickle.loads(pickle.dumps(env))
    assert (twin.state() == env.state()).all()


def test_it_compiles_here_when_the_other_process_dies(monkeypatch, tmp_path):
    monkeypatch.setenv(compiler.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(elsewhere, "_started", {})
    ended = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    ended.wait()
    asked = []
    monkeypatch.setattr(elsewhere, "_start", lambda *request: asked.append(request) or ended)
    spec = poopdeck.game("pooman").spec
    modules, layout = (spec.rules, spec.observation), np.dtype("i8")
    assert not elsewhere.compiles(modules, layout) and not elsewhere.compiles(modules, layout)
    assert len(asked) == 1, "it is tried once"


def test_one_process_compiles_for_all_that_wait(monkeypatch, tmp_path):
    monkeypatch.setenv(compiler.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(elsewhere, "_started", {})
    monkeypatch.setattr(elsewhere, "_looked", {})
    asked = []
    monkeypatch.setattr(elsewhere, "_start", lambda *request: asked.append(request))
    spec = poopdeck.game("pooman").spec
    modules, layout = (spec.rules, spec.observation), np.dtype("i8")
    with open(elsewhere._lock_path(modules), "a") as held:
        assert elsewhere._lock(held)
        assert elsewhere.compiles(modules, layout) and not asked
    time.sleep(elsewhere.LOOK_EVERY)
    elsewhere.compiles(modules, layout)
    assert len(asked) == 1


def test_every_driver_of_single_calls_is_compiled_elsewhere():
    made = {thing for thing in vars(drivers).values() if isinstance(thing, starting.ready_at_once)}
    assert made == set(drivers.FIRST_NEEDED)


def test_plain_records_come_back_as_they_are_stored():
    def make(rules):
        def run(states, i):
            states[i].small += 1
            return states[i].small

        return run

    states = np.array([(127,)], [("small", "i1")])
    assert plain.uncompiled(make, (drivers,))(states, 0) == 128
    assert states["small"][0] == -128, "as compiled code stores it"
