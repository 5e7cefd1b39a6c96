"""Imports run one way, between the rooms of the house and within each of them.

envs.core <- envs.games                              a game's rules are numbers and loops over the core
envs.core <- envs.tables <- envs.adapters <- envs.conformance             drawing only when somebody looks
envs <- agents <- training <- poopdeck                                    and nothing imports docs or tests
training: config <- cluster <- storage <- evaluation <- learners <- run <- benchmark <- speed
"""

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

ENVS = ["poopdeck.envs.core", "poopdeck.envs.games", "poopdeck.envs.tables"]
BELOW_TRAINING = ["poopdeck.envs", "poopdeck.agents", "poopdeck.configs", "poopdeck.version"]
TRAINING = [
    f"poopdeck.training.{room}"
    for room in ("config", "cluster", "storage", "evaluation", "learners", "run", "benchmark", "speed")
]

# The rooms, and what each may import of the package beside itself; the longest name counts.
MAY_IMPORT = {
    "poopdeck.envs.core": [],
    "poopdeck.envs.games": ["poopdeck.envs.core"],  # of the games only its own folder, see below
    "poopdeck.envs.render": ["poopdeck.envs.core"],
    "poopdeck.envs.tables": ["poopdeck.envs.core"],
    "poopdeck.envs.adapters": ["poopdeck.envs.core", "poopdeck.envs.tables", "poopdeck.envs.render"],
    "poopdeck.envs.conformance": ["poopdeck.envs.core", "poopdeck.envs.tables", "poopdeck.envs.adapters"],
    "poopdeck.envs": ["poopdeck.envs"],
    "poopdeck.agents": ENVS,
    **{room: [*BELOW_TRAINING, *TRAINING[:place]] for place, room in enumerate(TRAINING)},
    "poopdeck.training": [],
    "poopdeck": ["poopdeck"],
}
OF_ONE_GAME = ("poopdeck.envs.games", "poopdeck.agents.heuristic")
"""Folders in which each game has its own: whatever else wants something of a game asks the registry."""
RULES_OF_A_GAME = re.compile(r"\.games\.\w+\.(rules|observation|parameters)(\.|$)")
SB3, TORCHRL = "poopdeck.envs.adapters.sb3", "poopdeck.envs.adapters.torchrl"
OURS = ("poopdeck", "envs", "agents", "training", "configs", "docs", "tests")
GAMES = sorted(path.name for path in (REPOSITORY / "envs" / "games").iterdir() if (path / "display.py").exists())
LEARNING = ("torch", "torchrl", "tensordict", "stable_baselines3", "sb3_contrib", "tensorboard")


def module_of(path):
    """The dotted name of a file's module, and of the package it is in."""
    folder, *inside = path.relative_to(REPOSITORY).with_suffix("").parts
    parts = [FOLDERS[folder], *inside]
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]), ".".join(parts[:-1])
    return ".".join(parts), ".".join(parts[:-1])


MODULES = {module_of(path)[0] for path in FILES}


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
            # ``from . import x`` may name a module or something in the package, ``from .y import x`` a module, too
            below = [f"{start}.{name.name}" for name in node.names]
            names = below if node.module is None or set(below) <= MODULES else [start]
            yield from ((name, True, node in at_top) for name in names)


def within(name, package):
    return name == package or name.startswith(package + ".")


def breaches(path):
    """What a file imports against the arrows."""
    module, _ = module_of(path)
    layer = max((name for name in MAY_IMPORT if within(module, name)), key=len)
    for name, relative, at_top in imports(path):
        if relative and not any(within(name, package) for package in [layer, *MAY_IMPORT[layer]]):
            yield f"{module} imports {name}"
        if not relative and name.split(".")[0] in OURS:
            yield f"{module} imports {name}: inside the package imports are relative"
        if game_of(name) and within(name, "poopdeck.envs.games") and game_of(name) != game_of(module):
            yield f"{module} imports {name}: of one game"
        if within(name, "poopdeck.envs.render") and layer == "poopdeck.envs.adapters" and at_top:
            yield f"{module} imports {name} before anything is drawn"
        if name.split(".")[0] in LEARNING and layer.startswith("poopdeck.envs") and module not in (SB3, TORCHRL):
            yield f"{module} imports {name}: no learning in the environments"
        if (within(name, SB3) or within(name, TORCHRL)) and layer.startswith("poopdeck.envs"):
            yield f"{module} imports {name}, which loads torch"
        # What rules import of their own folder is looked at in its turn, and the words are none of it.
        own = game_of(name) and game_of(name) == game_of(module) and not name.endswith((".display", ".scenario"))
        rules = module in RULES or RULES_OF_A_GAME.search(module)
        if rules and not own and not is_for_rules(name):
            yield f"{module} imports {name}: rules are numbers and loops"


def game_of(name):
    """The game whose folder this module or package is in, None for what serves all games."""
    for folder in OF_ONE_GAME:
        if within(name, folder):
            game = name.removeprefix(folder).split(".")[1:2]
            return next((known for known in GAMES if known in game), None)
    return None


def is_for_rules(name):
    core = ("compiler", "chance", "history", "rewinding", "seats", "spec")
    last = name.rpartition(".")[2]
    return (
        name in ("numpy", "math", "typing", "collections.abc")
        or last in core
        or name.startswith("poopdeck.envs.core.spec")
    )


def rules_modules():
    """Rules, observations and parameters of all games, and what they import of their own folder."""
    paths = {module_of(path)[0]: path for path in FILES}
    waiting = [name for name in paths if RULES_OF_A_GAME.search(name)]
    found = set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            own = [name for name, *_ in imports(paths[module]) if game_of(name) == game_of(module)]
            waiting.extend(name for name in own if name in paths)
    return found


RULES = rules_modules()


def test_every_room_has_its_arrows():
    rooms = {
        f"poopdeck.{house}.{path.parent.name}"
        for house in ("envs", "training")
        for path in (REPOSITORY / house).glob("*/__init__.py")
    }
    assert sorted(rooms - set(MAY_IMPORT)) == []


def test_every_game_has_the_same_plan():
    """What it is may be a folder, of files that each have their noun; other names there are not."""
    plan = {"__init__", "cards", "record", "parameters", "rules", "observation", "scenario", "display"}
    games = REPOSITORY / "envs" / "games", REPOSITORY / "docs" / "examples" / "new_game"
    folders = [path.parent for place in games for path in place.glob("*/cards.py")]
    assert len(folders) >= 5
    for folder in folders:
        found = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
        assert found == plan, folder.name


def test_what_rules_import_of_their_game_is_looked_at_too():
    """Also from inside a folder of rules."""
    for game in ("poop", "too_many_poops"):
        assert {f"poopdeck.envs.games.{game}.{module}" for module in ("cards", "record", "rules")} <= RULES
    assert {"poopdeck.envs.games.poop.rules.zones", "poopdeck.envs.games.too_many_poops.rules.homes"} <= RULES


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
    naming = {
        path.name
        for folder in ("core", "tables", "adapters", "render", "conformance")
        for path in (REPOSITORY / "envs" / folder).rglob("*.py")
        if any(re.search(rf"(?<![a-z]){game}(?![a-z])", word) for game in GAMES for word in words_in_code(path))
    }
    assert naming <= {"registry.py", "cards.py"}


DOCUMENTS = sorted((REPOSITORY / "docs").rglob("*.py"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.relative_to(REPOSITORY).as_posix() for path in DOCUMENTS])
def test_documents_use_what_everybody_can_use(path):
    """Scripts of docs stand outside the package: they import it by its name, and nothing that begins with _."""
    tree = ast.parse(path.read_text())
    modules = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert (path.parent / "__init__.py").exists() or not [node.module for node in modules if node.level]
    modules = [node for node in modules if not node.level]  # a game that is a package imports its own modules
    assert not [node.module for node in modules if node.module.split(".")[0] in OURS[1:]]
    names = [f"{node.module}.{alias.name}" for node in modules for alias in node.names]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert not [name for name in names if "._" in name and not name.endswith("__")]


@pytest.mark.parametrize(
    ("place", "line", "breach"),
    [
        ("envs/core/x.py", "from ..games.poo_head import rules", "imports poopdeck.envs.games.poo_head"),
        ("envs/core/x.py", "from ..tables import batch", "imports poopdeck.envs.tables"),
        ("envs/core/x.py", "from ..adapters import aec", "imports poopdeck.envs.adapters"),
        ("envs/core/x.py", "def f():\n    from ..render import ansi", "imports poopdeck.envs.render"),
        ("envs/core/x.py", "from ... import agents", "imports poopdeck.agents"),
        ("envs/core/x.py", "from poopdeck.envs.core import spec", "imports are relative"),
        ("envs/games/poop/x.py", "from ..pooman import rules", "imports poopdeck.envs.games.pooman"),
        ("envs/games/poop/rules.py", "from ...core.scene import Card", "rules are numbers"),
        ("envs/games/poop/rules/x.py", "from ....core.scene import Card", "rules are numbers"),
        ("envs/games/poop/rules/x.py", "import json", "rules are numbers"),
        ("envs/games/poop/rules/__init__.py", "from .. import display", "rules are numbers"),
        ("envs/games/poop/rules/x.py", "from ...pooman import record", "imports poopdeck.envs.games.pooman"),
        ("envs/games/poop/observation.py", "from . import display", "rules are numbers"),
        ("envs/tables/x.py", "from ..adapters import aec", "imports poopdeck.envs.adapters"),
        ("envs/tables/x.py", "from ..games.poop import rules", "imports poopdeck.envs.games.poop"),
        ("envs/render/x.py", "from ..adapters.aec import make", "imports poopdeck.envs.adapters.aec"),
        ("envs/adapters/x.py", "from ..render import ansi", "before anything is drawn"),
        ("envs/adapters/x.py", "import torch.nn", "no learning"),
        ("envs/adapters/x.py", "def f():\n    import stable_baselines3", "no learning"),
        ("envs/adapters/x.py", "from .sb3 import SeatVecEnv", "loads torch"),
        ("envs/adapters/x.py", "from .torchrl import SeatTorchEnv", "loads torch"),
        ("envs/x.py", "from ..agents.base import Agent", "imports poopdeck.agents.base"),
        ("envs/x.py", "from .games.poop import rules", "of one game"),
        ("agents/x.py", "from ..training import train", "imports poopdeck.training"),
        ("agents/x.py", "from ..envs.adapters import aec", "imports poopdeck.envs.adapters"),
        ("agents/x.py", "from ..envs.games.poop import rules", "of one game"),
        ("agents/heuristic/poop.py", "from ...envs.games.pooman import rules", "of one game"),
        ("agents/x.py", "import envs.core", "imports are relative"),
        ("training/config/x.py", "from ...api import make", "imports poopdeck.api"),
        ("training/config/x.py", "from ..storage import checkpoint", "imports poopdeck.training.storage"),
        ("training/evaluation/x.py", "from ..learners import base", "imports poopdeck.training.learners"),
        ("training/learners/x.py", "from ..run.loop import train", "imports poopdeck.training.run"),
        ("training/run/x.py", "from ..speed.bench import measure", "imports poopdeck.training.speed"),
        ("training/learners/x.py", "from ...envs.games.poop import rules", "of one game"),
        ("poopdeck/x.py", "from docs.make import pages", "imports are relative"),
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
        ("envs/games/poop/x.py", "from ...core.scene import Card\nfrom . import rules\nfrom .rules import blocks"),
        ("envs/games/poop/rules/x.py", "from ....core.chance import below\nfrom ..record import ROW\nfrom .y import z"),
        ("envs/adapters/x.py", "from ..core import drivers\ndef f():\n    from ..render import ansi"),
        ("agents/x.py", "import torch\nfrom ..envs.core.spec import GameSpec\nfrom .base import Agent"),
        ("agents/heuristic/poop/x.py", "from ....envs.games.poop import rules\nfrom ....envs.tables import seating"),
        ("training/config/x.py", "from ...agents.base import Agent\nfrom .schema import TrainConfig"),
        ("training/learners/ppo/x.py", "from ...evaluation import match\nfrom ..base import Task"),
        ("training/speed/x.py", "from ..run import loop\nfrom ...envs.adapters import aec"),
        ("poopdeck/x.py", "from .envs.core import registry\nfrom .training import train\nfrom . import interfaces"),
    ],
)
def test_right_imports_are_let_through(tmp_path, monkeypatch, place, line):
    monkeypatch.setitem(globals(), "REPOSITORY", tmp_path)
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(line)
    assert list(breaches(tmp_path / place)) == []
