"""Imports run one way: envs.core <- envs.games <- envs.adapters, and envs <- agents <- training <- poopdeck."""

import ast
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
FOLDERS = {
    "envs": "poopdeck.envs",
    "agents": "poopdeck.agents",
    "training": "poopdeck.training",
    "poopdeck": "poopdeck",
}
FILES = sorted(path for folder in FOLDERS for path in (REPOSITORY / folder).rglob("*.py"))

# What a module whose name starts like this may import of the package; the longest name counts.
MAY_IMPORT = {
    "poopdeck.envs.core": ["poopdeck.envs.core"],
    "poopdeck.envs.games": ["poopdeck.envs.core"],  # and its own folder
    "poopdeck.envs.render": ["poopdeck.envs.core", "poopdeck.envs.render"],
    "poopdeck.envs.adapters": ["poopdeck.envs.core", "poopdeck.envs.adapters", "poopdeck.envs.render"],
    "poopdeck.envs": ["poopdeck.envs"],
    "poopdeck.agents": ["poopdeck.envs", "poopdeck.agents"],
    "poopdeck.training": [
        "poopdeck.envs",
        "poopdeck.agents",
        "poopdeck.training",
        "poopdeck.configs",
        "poopdeck.version",
    ],
    "poopdeck": ["poopdeck"],
}
RULES_OF_A_GAME = (".rules", ".observation", ".parameters")
SB3 = "poopdeck.envs.adapters.sb3"
LEARNING = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard")


def module_of(path):
    """The dotted name of a file's module, and of the package it is in."""
    folder, *inside = path.relative_to(REPOSITORY).with_suffix("").parts
    parts = [FOLDERS[folder], *inside]
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]), ".".join(parts[:-1])
    return ".".join(parts), ".".join(parts[:-1])


def imports(path):
    """(dotted name, whether relative, whether at the top level) of everything that a file imports."""
    _, package = module_of(path)
    tree = ast.parse(path.read_text())
    at_top = set()
    for node in ast.iter_child_nodes(tree):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if not isinstance(node, kinds) and not guarded:
            at_top.update(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, False, node in at_top) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module, False, node in at_top
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join([*base, *([node.module] if node.module else [])])
            # ``from . import x`` may name a module or something in the package
            names = [f"{start}.{name.name}" for name in node.names] if node.module is None else [start]
            yield from ((name, True, node in at_top) for name in names)


def within(name, package):
    return name == package or name.startswith(package + ".")


def breaches(path):
    """What a file imports against the arrows."""
    module, _ = module_of(path)
    layer = max((name for name in MAY_IMPORT if within(module, name)), key=len)
    allowed = list(MAY_IMPORT[layer])
    if layer == "poopdeck.envs.games":
        allowed.append(".".join(module.split(".")[:4]))
    for name, relative, at_top in imports(path):
        if relative and not any(within(name, package) for package in allowed):
            yield f"{module} imports {name}"
        if not relative and name.split(".")[0] in ("poopdeck", "envs", "agents", "training", "configs"):
            yield f"{module} imports {name}: inside the package imports are relative"
        if within(name, "poopdeck.envs.render") and layer == "poopdeck.envs.adapters" and at_top:
            yield f"{module} imports {name} before anything is drawn"
        if (
            name.split(".")[0] in LEARNING
            and layer.startswith("poopdeck.envs")
            and module != "poopdeck.envs.adapters.sb3"
        ):
            yield f"{module} imports {name}: no learning in the environments"
        if within(name, "poopdeck.envs.adapters.sb3") and layer.startswith("poopdeck.envs"):
            yield f"{module} imports {name}, which loads torch"
        # What rules import of their own folder is looked at in its turn, and the words are none of it.
        own = within(name, allowed[-1]) and not name.endswith((".display", ".scenario"))
        rules = module in RULES or module.endswith(RULES_OF_A_GAME)
        if rules and not own and not is_for_rules(name):
            yield f"{module} imports {name}: rules are numbers and loops"


def is_for_rules(name):
    core = ("compiler", "chance", "spec")
    last = name.rpartition(".")[2]
    return name in ("numpy", "math", "typing") or last in core or name.startswith("poopdeck.envs.core.spec")


def rules_modules():
    """Rules, observations and parameters of all games, and what they import of their own folder."""
    paths = {module_of(path)[0]: path for path in FILES}
    waiting = [name for name in paths if name.endswith(RULES_OF_A_GAME)]
    found = set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            own = [name for name, *_ in imports(paths[module]) if within(name, module_of(paths[module])[1])]
            waiting.extend(name for name in own if name in paths)
    return found


RULES = rules_modules()


@pytest.mark.parametrize("path", FILES, ids=[module_of(path)[0] for path in FILES])
def test_imports_run_one_way(path):
    assert list(breaches(path)) == []


def words_in_code(path):
    """All names and texts of a file but its documentation."""
    tree = ast.parse(path.read_text())
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value
        yield from (
            getattr(node, field) for field in ("id", "attr", "name") if isinstance(getattr(node, field, 0), str)
        )


def test_the_core_names_no_game():
    """Only the registry does, as text; and cards.py draws pictures on cards, one of which is called like its game."""
    games = [folder.name for folder in (REPOSITORY / "envs" / "games").iterdir() if (folder / "rules.py").exists()]
    naming = {
        path.name
        for folder in ("core", "adapters", "render")
        for path in (REPOSITORY / "envs" / folder).glob("*.py")
        if any(re.search(rf"(?<![a-z]){game}(?![a-z])", word) for game in games for word in words_in_code(path))
    }
    assert naming <= {"registry.py", "cards.py"}


@pytest.mark.parametrize(
    ("place", "line", "breach"),
    [
        (
            "envs/core/x.py",
            "from ..games.poo_head import rules",
            "imports poopdeck.envs.games.poo_head",
        ),
        ("envs/core/x.py", "from ..adapters import aec", "imports poopdeck.envs.adapters"),
        ("envs/core/x.py", "def f():\n    from ..render import ansi", "imports poopdeck.envs.render"),
        ("envs/core/x.py", "from ... import agents", "imports poopdeck.agents"),
        ("envs/core/x.py", "from poopdeck.envs.core import spec", "imports are relative"),
        ("envs/games/a/x.py", "from ..b import rules", "imports poopdeck.envs.games.b"),
        ("envs/games/a/rules.py", "from ...core.scene import Card", "rules are numbers"),
        ("envs/games/a/observation.py", "from . import display", "rules are numbers"),
        ("envs/render/x.py", "from ..adapters.aec import make", "imports poopdeck.envs.adapters.aec"),
        ("envs/adapters/x.py", "from ..render import ansi", "before anything is drawn"),
        ("envs/adapters/x.py", "import torch.nn", "no learning"),
        ("envs/adapters/x.py", "def f():\n    import stable_baselines3", "no learning"),
        ("envs/adapters/x.py", "from .sb3 import SeatVecEnv", "loads torch"),
        ("envs/x.py", "from ..agents.base import Agent", "imports poopdeck.agents.base"),
        ("agents/x.py", "from ..training import train", "imports poopdeck.training"),
        ("agents/x.py", "import envs.core", "imports are relative"),
        ("training/x.py", "from ..interfaces import make", "imports poopdeck.api"),
    ],
)
def test_a_wrong_import_is_noticed(tmp_path, monkeypatch, place, line, breach):
    monkeypatch.setitem(globals(), "REPOSITORY", tmp_path)
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(line)
    assert any(breach in found for found in breaches(tmp_path / place))


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("envs/core/x.py", "import numpy as np\nfrom .spec import GameSpec\nfrom . import drivers"),
        ("envs/games/a/x.py", "from ...core.scene import Card\nfrom . import rules\nfrom .observation import blocks"),
        ("envs/adapters/x.py", "from ..core import drivers\ndef f():\n    from ..render import ansi"),
        ("agents/x.py", "import torch\nfrom ..envs.core.spec import GameSpec\nfrom .base import Agent"),
        ("training/x.py", "from ..agents.base import Agent"),
        ("poopdeck/x.py", "from .envs.core import registry\nfrom .training import train\nfrom . import interfaces"),
    ],
)
def test_right_imports_are_let_through(tmp_path, monkeypatch, place, line):
    monkeypatch.setitem(globals(), "REPOSITORY", tmp_path)
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(line)
    assert list(breaches(tmp_path / place)) == []
