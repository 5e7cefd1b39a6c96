"""Every registered game keeps the contract at every table, and the check that says so notices what is broken."""

import dataclasses
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
from random import Random

import highest_sum
import numpy as np
import pytest
from broken_games import BREAKS
from highest_sum import SPEC as DUMMY

from poopdeck.envs.adapters.aec import GameEnv
from poopdeck.envs.conformance import check as interfaces
from poopdeck.envs.conformance import contract as core
from poopdeck.envs.conformance.case import Case
from poopdeck.envs.conformance.contract import Report
from poopdeck.envs.conformance.replay import pick, steps
from poopdeck.envs.core import registry
from poopdeck.envs.core.game import Game

HERE = pathlib.Path(__file__).parent


def usual_tables(name):
    """The first variant at all numbers of players worth a check, the others at two of them."""
    spec = registry.spec(name)
    counts = interfaces.player_counts(spec)
    few = sorted({spec.min_players, spec.default_players})
    for number, variant in enumerate(spec.variants):
        yield from ((name, variant, players) for players in (counts if number == 0 else few))


TABLES = [table for name in registry.names() for table in usual_tables(name)]


@pytest.mark.parametrize(("name", "variant", "players"), TABLES)
def test_every_table_keeps_the_contract(name, variant, players):
    report = Report()
    tables = interfaces.cases(name, [variant], [players], games=1, seed=players)
    interfaces.check_cases(tables, report, processes=False)
    assert report.passed, f"\n{report}"
    assert {line.point for line in report.lines} == set(range(1, 16)) - {13}
    assert not [line for line in report.lines if "not looked at" in line.detail], f"{name} lacks a hook for the check"


@pytest.mark.parametrize(
    ("name", "variant"),
    [("poo_head", "default"), ("pooman", "fast"), ("poop", "interceptor"), ("too_many_poops", "reactions")],
)
def test_a_table_that_keeps_its_last_events_keeps_the_contract(name, variant):
    """Nothing of what is kept tells what a seat cannot know; copies, scenarios and plain Python have the same."""
    report = Report()
    table = interfaces.with_events(interfaces.cases(name, [variant], games=1, players=[3])[0])
    if name == "poo_head":  # through all adapters
        interfaces.check_cases([table], report, processes=False)
    else:
        core.check_case(table, report)
    assert report.passed, f"\n{report}"
    assert {6, 7, 14} <= {line.point for line in report.lines}


def test_a_check_of_all_variants_looks_at_a_table_that_keeps_its_last_events():
    tables = interfaces.cases("pooman", games=1)
    assert [table.label for table in tables if "history" in table.settings] == ["fast with history=6, 6 players"]


@pytest.mark.parametrize("name", registry.names())
def test_other_processes_play_the_same(name):
    report = Report()
    tables = [
        table for _, variant, players in usual_tables(name) for table in interfaces.cases(name, [variant], [players], 1)
    ]
    assert all(report.run(1, table, core.play_games) for table in tables)
    core.check_processes(tables, report)
    assert report.passed, f"\n{report}"
    assert {line.point for line in report.lines} == {1, 3, 7, 13}


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_all_of_it(name):
    report = interfaces.check_game(name, games=2)
    assert report.passed, f"\n{report}"


def play_on(game, state, env, actions):
    """What a spawned process makes of things sent to it."""
    for action in actions:
        env.step(action)
    return list(steps(game, state, actions)), game.dump(env.snapshot())


def test_state_game_and_environment_are_sent_to_spawned_processes():
    game = registry.game("poo_head")
    env = GameEnv(game, num_players=3)
    env.reset(seed=5)
    state, actions = env.snapshot(), []
    ahead = game.clone(state)
    while len(actions) < 30:
        actions.append(game.legal_actions(ahead)[0])
        game.apply_action(ahead, actions[-1])
    for action in actions[:10]:
        env.step(action)
        game.apply_action(state, action)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(play_on, (game, state, env, actions[10:]))
    assert there == play_on(game, state, env, actions[10:])


# -- the check itself -------------------------------------------------------------------------------------------------


def test_a_game_registered_nowhere_is_checked():
    lines = []
    report = interfaces.check_game(DUMMY, games=2, on_progress=lines.append)
    assert report.passed, f"\n{report}"
    assert report.lines == lines and not report.failures
    assert {line.point for line in lines} == set(range(1, 16))
    exchanged = [line.detail for line in lines if line.point == 6 and "placements" in line.detail]
    assert exchanged and not [detail for detail in exchanged if " 0 other placements" in detail]


def test_one_table_of_a_game_is_checked():
    report = core.check_game(DUMMY, 2, games=1, kinds=5)
    assert report.passed, f"\n{report}"
    assert "kinds=5, 2 players" in report.lines[0].detail
    assert {line.point for line in report.lines} == set(range(1, 16)) - {9, 10}


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """What the check finds in games broken on purpose."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, str(HERE / "broken_games.py"), str(tmp_path_factory.mktemp("broken"))]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_nothing_is_found_where_nothing_is_broken(findings):
    assert findings["nothing"] == []


@pytest.mark.parametrize("case", BREAKS)
def test_what_is_broken_is_found(findings, case):
    point, says = BREAKS[case].point, BREAKS[case].says
    assert [(number, says in detail) for number, detail in findings[case]] == [(point, True)], findings[case]
    assert "default, 3 players" in findings[case][0][1]


def failing(point, check, game=None):
    """What a check of its own finds at a table of the dummy game."""
    report = Report()
    table = Case(game or Game(DUMMY), 3, {}, range(2))
    assert report.run(1, table, core.play_games), f"\n{report}"
    report.run(point, table, check)
    assert len(report.failures) == 1, "nothing was noticed"
    assert report.failures[0].point == point and not report.passed
    return report.failures[0].detail


class Sharing(Game):
    """Clones are no copies."""

    def clone(self, s):
        return s


class Repairing(Game):
    """Plays something legal instead of an illegal action."""

    def apply_action(self, s, action):
        legal = self.legal_actions(s)
        super().apply_action(s, action if action in legal else legal[0])


def test_clones_that_share_are_found():
    assert "seed 0, decision 0" in failing(7, core.check_copies, Sharing(DUMMY))


def test_repaired_actions_are_found():
    assert "nothing is raised" in failing(11, core.check_illegal, Repairing(DUMMY))


def test_what_cannot_be_turned_is_not_compared(monkeypatch):
    rotate, asked = DUMMY.scenario.rotate, []

    def at_the_deal_only(scenario, seats):
        asked.append(scenario)
        return rotate(scenario, seats) if scenario == asked[0] else None

    table = Case(Game(DUMMY), 3, {}, range(1))
    core.play_games(table)
    monkeypatch.setattr(DUMMY.scenario, "rotate", at_the_deal_only)
    assert core.check_rotation(table) == "2 positions turned"
    monkeypatch.setattr(DUMMY.scenario, "rotate", lambda scenario, seats: None)
    assert core.check_rotation(table).startswith("not looked at")


class Leaking(GameEnv):
    """The whole position is in the infos."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.infos = {agent: {**info, "state": self.game.dump(self.snapshot())} for agent, info in self.infos.items()}


class Forgetful(GameEnv):
    """The second game is dealt by another seed than it was asked for."""

    def reset(self, seed=None, options=None):
        again = hasattr(self, "agents")
        super().reset(seed + 1 if again and seed is not None else seed, options)


class Stale(GameEnv):
    """A copy starts a new game."""

    def __deepcopy__(self, memo):
        fresh = GameEnv(self.game, len(self.possible_agents))
        fresh.reset()
        return fresh


class Unpaid(GameEnv):
    """Who is not to act gets nothing at the end."""

    def _pay(self):
        super()._pay()
        for agent in self.rewards:
            if agent != self.agent_selection:
                self.rewards[agent] = self._cumulative_rewards[agent] = 0.0


class Lenient(GameEnv):
    """An illegal action passes silently."""

    def step(self, action):
        if action is None or not isinstance(action, int) or not 0 <= action < len(self._mask):
            action = int(self._mask.argmax())
        super().step(action)


@pytest.mark.parametrize(
    ("broken", "point", "check", "says"),
    [
        (Leaking, 6, interfaces.check_env_leaks, "what it cannot know"),
        (Stale, 7, interfaces.check_env_copies, ""),
        (Forgetful, 9, interfaces.check_wrappers, ""),
        (Unpaid, 10, interfaces.check_interfaces, "AEC: rewards"),
        (Lenient, 11, interfaces.check_env_illegal, "nothing is raised"),
    ],
)
def test_broken_environments_are_found(monkeypatch, broken, point, check, says):
    monkeypatch.setattr(interfaces, "GameEnv", broken)
    detail = failing(point, check)
    assert says in detail and "seed 0, decision" in detail


def test_an_interface_of_another_kind_can_be_handed_in():
    seen = []

    def interface(table, seed, actions):
        seen.append(len(actions))
        return np.zeros(table.num_players)

    detail = failing(10, lambda table: interfaces.check_interfaces(table, {"mine": interface}))
    assert detail.split(": ", 1)[1].startswith("mine: returns [0.0, 0.0, 0.0]")
    assert seen == [12]


def test_rules_that_compile_to_something_else_are_found(tmp_path, monkeypatch):
    shutil.copytree(
        pathlib.Path(highest_sum.__file__).parent, tmp_path / "two_faced", ignore=shutil.ignore_patterns("__pycache__")
    )
    rules = tmp_path / "two_faced" / "rules.py"
    text = rules.read_text().replace(
        "from poopdeck.envs.core.compiler import", "from poopdeck.envs.core.compiler import PLAIN_PYTHON,"
    )
    rules.write_text(text.replace("out[best] = 1.0", "out[best] = 0.5 if PLAIN_PYTHON else 1.0"))
    monkeypatch.syspath_prepend(str(tmp_path))
    import two_faced

    report = Report()
    table = Case(Game(two_faced.SPEC), 3, {}, range(1))
    assert report.run(1, table, core.play_games)
    core.check_processes([table], report)
    assert [line.point for line in report.failures] == [13], f"\n{report}"
    assert "another returns" in report.failures[0].detail


def test_another_process_that_cannot_find_the_game_is_a_finding():
    copy = dataclasses.replace(DUMMY)  # an equal GameSpec, but no attribute of any module
    report = Report()
    core.check_processes([Case(Game(copy), 2, {}, range(1))], report)
    assert [line.point for line in report.failures] == [3, 7, 13]
    assert "not registered" in report.failures[0].detail


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"variants": ["loud"]}, "variant 'loud'"),
        ({"players": [5]}, "num_players=5"),
        ({"games": 0}, "games=0"),
    ],
)
def test_parameters_of_the_check_are_checked(parameters, says):
    with pytest.raises(ValueError, match=says):
        interfaces.check_game(DUMMY, **parameters)


def test_compiled_code_that_writes_beyond_its_buffer_is_found():
    buffer = core.Buffer(5, np.float32)
    inside = buffer.fill(np.nan)
    assert inside.shape == (5,) and np.isnan(inside).all()
    inside[:] = 1.0
    buffer.check_margin("it")
    for place in (-1, 5):
        buffer.fill(np.nan)
        buffer.whole[buffer.MARGIN + place] = 0.0
        with pytest.raises(core.Fault, match="it is written beyond"):
            buffer.check_margin("it")


def test_random_choices_do_not_depend_on_the_version_of_python():
    random = Random(0)
    assert [pick(random, range(10)) for _ in range(8)] == [8, 7, 4, 2, 5, 4, 7, 3]
