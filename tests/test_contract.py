"""What a game must consist of: every kind of broken module is refused when its facts are put together."""

import ast
import importlib
import pickle
import subprocess
import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest
from documents import ROOT
from highest_sum import SPEC as DUMMY

from poopdeck.envs.core import compiler, contract, errors, registry
from poopdeck.envs.core.errors import ContractError, GameOverError, IllegalActionError, UnknownParameterError
from poopdeck.envs.core.game import Game

FUNCTIONS = [(module, name) for module in contract.REQUIRED for name in contract.required(module)]
OPTIONAL = [(module, name) for module in contract.OPTIONAL for name in contract.optional(module)]


def changed(module, **functions):
    """The dummy game with some functions of a module replaced; None takes one away."""
    content = {**vars(getattr(DUMMY, module)), **functions}
    kept = SimpleNamespace(**{name: value for name, value in content.items() if value is not None})
    return replace(DUMMY, **{module: kept})


def problems(module, **functions):
    with pytest.raises(ContractError) as error:
        changed(module, **functions)
    assert isinstance(error.value, ValueError) and error.value.game == "highest_sum"
    assert str(error.value).startswith("highest_sum does not keep the contract of a game:\n- ")
    return error.value.problems


def test_a_whole_game_is_taken_and_modules_may_be_any_objects():
    assert changed("display").display is not DUMMY.display
    assert changed("rules", an_own_rule=lambda s, x: 0, OTHER=5).num_actions == DUMMY.num_actions


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_a_missing_function_is_named(module, name):
    wanted = f"{name}({', '.join(contract.required(module)[name])})"
    assert problems(module, **{name: None}) == [f"{module} has no function {wanted}"]


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_a_misspelt_function_is_named(module, name):
    misspelt = name[:2] + name[3:]
    (problem,) = problems(module, **{name: None, misspelt: getattr(getattr(DUMMY, module), name)})
    assert problem.startswith(f"{module} has no function {name}(")
    assert problem.endswith(f"; did you mean it by {misspelt}?") or len(name) < 5  # too short to be sure


@pytest.mark.parametrize(("module", "name"), OPTIONAL)
def test_a_misspelt_function_that_may_be_left_out_is_named(module, name):
    default = getattr(contract.OPTIONAL[module], name)
    assert changed(module, **{name: None}).hooks._asdict()[name] == default
    (problem,) = problems(module, **{name: None, name[:-2] + name[-1]: default})
    assert problem.startswith(f"{module}.{name[:-2]}{name[-1]} is too like {name}(") and "may be left out" in problem
    takes = contract.optional(module)[name]
    wrong = " is not marked @rule, so it cannot be compiled" if takes[0] == "s" and not compiler.PLAIN_PYTHON else "()"
    assert problems(module, **{name: lambda: None}) == [f"{module}.{name}{wrong}; wanted is {name}({', '.join(takes)})"]


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (lambda s: None, "(s)"),
        (lambda s, seat: None, "(s, seat)"),
        (lambda s, out, seat: None, "(s, out, seat)"),
        (lambda s, seat, out, more: None, "(s, seat, out, more)"),
        (lambda s, seat, *, out: None, "(s, seat, *, out)"),
        (lambda record, seat, out: None, "(record, seat, out)"),
    ],
)
def test_a_function_of_another_shape_is_named(function, shown):
    wanted = "; wanted is observe(s, seat, out)"
    assert problems("observation", observe=compiler.rule(function)) == [f"observation.observe{shown}{wanted}"]


def test_more_arguments_are_allowed_where_they_have_defaults():
    changed("observation", blocks=lambda settings, scale=1: ())
    changed("display", describe=lambda state, seat, **colours: "")


def test_what_is_no_function_is_named():
    assert problems("rules", deal=5) == ["rules.deal is 5, no function; wanted is deal(s)"]
    assert problems("display", scene="x")[0].startswith("display.scene is 'x', no function")


@pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")
def test_rules_that_are_not_marked_are_named():
    assert problems("rules", deal=lambda s: None) == [
        "rules.deal is not marked @rule, so it cannot be compiled; wanted is deal(s)"
    ]


def test_all_problems_are_told_at_once():
    found = problems("scenario", dump=None, load=lambda scenario: None)
    assert [problem.split("(")[0] for problem in found] == ["scenario has no function dump", "scenario.load"]


@pytest.mark.parametrize("names", [("one",), ["a", "b", "c", "d", "e", "f"]])
def test_the_number_of_actions_is_that_of_their_names(names):
    (problem,) = problems("display", action_names=lambda settings: names)
    assert problem == (
        f"display.action_names(settings) gives {len(names)} names; a tuple of 6 names is wanted, as num_actions says"
    )


@pytest.mark.parametrize("name", registry.names())
def test_a_game_is_of_modules_and_offers_hooks_of_the_right_kind(name):
    spec = registry.spec(name)
    for module in contract.REQUIRED:
        assert isinstance(getattr(spec, module), ModuleType)
    s = registry.game(name).new_state(seed=1)
    assert sum(spec.hooks.census(s).values()) > 20 and spec.hooks.possible(s) is True


def test_what_is_left_out_has_its_default():
    bare = replace(changed("scenario", census=None, rotate=None), name="bare")
    s = Game(DUMMY).new_state(seed=1)
    assert bare.hooks.census(s) is None and bare.hooks.rotate({}, 1) is None
    assert bare.hooks.possible(s) is True and bare.hooks.simultaneous(s) is None
    assert changed("scenario", SCHEMA=None).hooks.schema is None and DUMMY.hooks.schema is DUMMY.scenario.SCHEMA
    assert DUMMY.hooks.census is DUMMY.scenario.census


def test_building_facts_compiles_nothing():
    text = """
import gc, poopdeck
from poopdeck.envs.core import registry
for name in registry.names():
    registry.spec(name)
from numba.core.dispatcher import Dispatcher
compiled = [thing for thing in gc.get_objects() if isinstance(thing, Dispatcher)]
rules = [thing for thing in compiled if "poopdeck" in thing.py_func.__module__]
assert len(rules) > 100
print(sum(len(rule.signatures) for rule in rules))
"""
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout == "0\n"


# -- errors -----------------------------------------------------------------------------------------------------------


def examples():
    """An error of every kind, as they are raised."""
    game = Game(DUMMY)
    s = game.new_state(seed=1)
    found = {}
    for call in (
        lambda: game.apply_action(s, 77),
        lambda: game.spec.settings(kind=4),
        lambda: changed("rules", deal=None),
    ):
        with pytest.raises(ValueError) as error:
            call()
        found[type(error.value)] = error.value
    while not game.is_terminal(s):
        game.apply_action(s, game.legal_actions(s)[0])
    with pytest.raises(GameOverError) as error:
        game.apply_action(s, 0)
    found[GameOverError] = error.value
    return found


def error_classes():
    """All exceptions that the package defines."""
    for package in ("agents", "envs", "poopdeck", "training"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and any("E" in ast.unparse(base) for base in node.bases):
                    inside = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                    module = inside if package == "poopdeck" else f"poopdeck.{inside}"
                    try:
                        found = getattr(importlib.import_module(module), node.name)
                    except ImportError as missing:
                        assert "pip install" in str(missing)  # an extra's; its tests have it
                        continue
                    if issubclass(found, Exception):
                        yield found


def test_every_error_survives_pickling():
    kinds, found = set(error_classes()), examples()
    assert set(found) == {kind for kind in kinds if kind.__module__ == errors.__name__} != kinds
    for error in [*found.values(), *(kind("what is wrong") for kind in kinds - set(found))]:
        twin = pickle.loads(pickle.dumps(error))
        assert type(twin) is type(error) and str(twin) == str(error) and vars(twin) == vars(error)


def test_an_illegal_action_says_who_what_and_what_is_legal():
    error = examples()[IllegalActionError]
    twin = pickle.loads(pickle.dumps(error))
    assert twin.agent.startswith("player_") and twin.action == 77 and twin.legal
    assert str(twin).startswith(f"highest_sum: {twin.agent} may not choose 77 (no action: they go from 0 to 5)")


def test_an_unknown_parameter_is_an_unexpected_keyword_argument():
    error = examples()[UnknownParameterError]
    assert isinstance(error, ValueError) and isinstance(error, TypeError)
    assert "highest_sum has no parameter 'kind': did you mean 'kinds'" in str(error)
    assert "unexpected keyword argument 'kind'" in str(error)


def test_an_error_with_arguments_of_its_own_says_how_it_is_pickled():
    """Pickle calls an error's class with its text alone; whoever takes more needs ``__reduce__``."""
    seen = []
    for path in [path for room in ("envs", "agents", "training", "poopdeck") for path in ROOT.glob(f"{room}/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
            if any(base.endswith(("Error", "Exception")) for base in bases):
                methods = {entry.name for entry in node.body if isinstance(entry, ast.FunctionDef)}
                seen.append(node.name)
                assert "__init__" not in methods or "__reduce__" in methods, f"{path.name}: {node.name}"
    assert {"IllegalActionError", "RunFolderError", "NotFiniteError"} <= set(seen)
