"""A new game takes three edits: its folder, its tests and one line. Done here to a copy of the repository.

All else is found: the game is played, checked, trained for, documented, measured and timed from there.
"""

import ast
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from documents import ROOT, quoted, section, table_rows

from poopdeck.envs.core import registry
from poopdeck.training.config import registry as learners

TEMPLATE = ROOT / "docs" / "examples" / "new_game"
REGISTRY = "envs/core/registry.py"
EDITS = ["envs/games/my_game", "tests/games/my_game", REGISTRY]
ROOMS = ("envs", "agents", "training", "configs")
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.egg-info", ".?*", "build", "dist", "runs")

PLAY = """
import gymnasium, numpy as np, poopdeck
from poopdeck.envs import my_game_v0
from poopdeck.training.speed import bench

rng = np.random.default_rng(0)
env = my_game_v0.env(num_players=4)
env.reset(seed=0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
batch = poopdeck.make_vec("my_game", 8)
batch.reset(seed=0)
agent = poopdeck.load_agent("random", "my_game")
for _ in range(30):
    batch.step(agent.act(batch.obs, batch.mask, rng))
seat = gymnasium.make("poopdeck/my_game-v0", opponents="random")
seat.reset(seed=0)
seat.step(int(seat.unwrapped.action_masks().argmax()))
parallel = my_game_v0.parallel_env()
observations, infos = parallel.reset(seed=0)
parallel.step({name: int(info["action_mask"].argmax()) for name, info in infos.items()})
assert bench.batch_player(poopdeck.game("my_game"), 1)(512) == 512
print(poopdeck.games(), poopdeck.__file__)
"""


class Repository:
    """A copy of this repository, and how its commands are run."""

    def __init__(self, folder: pathlib.Path):
        self.root = folder / "repository"
        shutil.copytree(ROOT, self.root, ignore=LEFT_BEHIND)
        package = folder / "site" / "poopdeck"  # as an installed one lies: everything under one name
        package.mkdir(parents=True)
        for source in [*(self.root / "poopdeck").iterdir(), *(self.root / room for room in ROOMS)]:
            (package / source.name).symlink_to(source)
        path = os.pathsep.join([str(package.parent), str(self.root / "docs" / "make")])
        # Safe: the folder that a command is run in, which has a part of the package only, is not searched.
        self.environment = {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment.pop("PYTEST_ADDOPTS", None)

    def run(self, *command: object) -> str:
        """What Python prints for a command line of the copy."""
        done = subprocess.run(
            [sys.executable, *map(str, command)],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def changes(self) -> list[str]:
        """Folders and files that are new or changed, by their paths."""

        def found(comparison: filecmp.dircmp, prefix: str) -> list[str]:
            here = [f"{prefix}{name}" for name in [*comparison.right_only, *comparison.diff_files]]
            return here + [
                path for name, below in comparison.subdirs.items() for path in found(below, f"{prefix}{name}/")
            ]

        ignored = ["__pycache__", "poopdeck.egg-info", "runs", "build", "dist"]
        ignored += [path.name for path in ROOT.iterdir() if path.name.startswith(".")]
        return sorted(found(filecmp.dircmp(ROOT, self.root, ignore=ignored), ""))


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The copy with the three edits that docs/examples/new_game/README.md tells."""
    copy = Repository(tmp_path_factory.mktemp("new_game"))
    assert copy.changes() == []
    for source, target in (("highest_sum", EDITS[0]), ("tests", EDITS[1])):
        shutil.copytree(TEMPLATE / source, copy.root / target, ignore=LEFT_BEHIND)
        for path in (copy.root / target).glob("*.py"):
            text = re.sub(r"version=\d+", "version=0", path.read_text(encoding="utf-8"))
            path.write_text(text.replace("highest_sum", "my_game"), encoding="utf-8")
    listed = copy.root / REGISTRY
    before = listed.read_text(encoding="utf-8")
    (line,) = re.findall(r"`(\"my_game\".*)`", (TEMPLATE / "README.md").read_text(encoding="utf-8"))
    after = before.replace("BUILT_IN = {\n", f"BUILT_IN = {{\n    {line},\n")
    assert len(after.splitlines()) == len(before.splitlines()) + 1
    listed.write_text(after, encoding="utf-8")
    assert copy.changes() == sorted(EDITS)
    return copy


def test_it_can_be_played(repository):
    printed = repository.run("-c", PLAY)
    assert "my_game" in printed and str(repository.root.parent) in printed
    assert "poopdeck/my_game-v0" in repository.run("-m", "poopdeck", "games")


def test_it_can_be_checked(repository):
    printed = repository.run("-m", "poopdeck", "check", "my_game", "--players", 2, "--variant", "default", "--games", 1)
    assert printed.count("ok ") >= 15 and printed.endswith("conforms\n")


def test_it_can_be_trained_for_and_evaluated(repository):
    for algo in learners.BUILT_IN:
        run = f"runs/{algo}"
        repository.run("-m", "poopdeck", "train", "my_game,smoke", "--set", f"algo={algo}", "--out", run)
        evaluate = ["evaluate", run, "--against", "random", "--game", "my_game", "--games", 120, "--json", "found.json"]
        repository.run("-m", "poopdeck", *evaluate)
        assert '"illegal_actions": 0' in (repository.root / "found.json").read_text()
        (repository.root / "found.json").unlink()


def test_it_is_documented_and_its_tests_pass(repository):
    """What is written by ``make docs`` is all that is new; the tests of the house pass for this game then."""
    repository.run("docs/make/pages.py")
    assert "my_game" in repository.run("-m", "poopdeck.envs.conformance.playthrough", "--write", "tests/playthroughs")
    page = (repository.root / "docs" / "games" / "my_game.md").read_text(encoding="utf-8")
    assert "**HS-1** There are three cards of each kind" in page and "| `lay N` |" in page and "`draw_pile`" in page
    new = [path for path in repository.changes() if path not in EDITS]
    written = [path for path in new if path.startswith("tests/playthroughs/my_game-")]
    assert len(written) == 4 and sorted(set(new) - set(written)) == [
        "README.md",
        "agents/language/rules/my_game.txt",
        "docs/games/my_game.md",
    ]
    assert repository.run("docs/make/pages.py", "--check") == "all parts are up to date\n"
    files = ["test_docs", "test_playthroughs", "test_registry", "test_readme", "test_measured_pages"]
    tests = ["tests/games/my_game", *(f"tests/{file}.py" for file in files)]
    # Its agents have not been measured: the page docs/agents/my_game.md is written by a command, below.
    chosen = "my_game and not page_of_agents and not commands_of_a_page and not every_figure_of_the_pages"
    printed = repository.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *tests)
    assert int(re.search(r"(\d+) passed", printed)[1]) > 30


@pytest.mark.slow
def test_one_command_measures_its_agents(repository):
    """With the measurements that every game has which says nothing else."""
    repository.run("docs/make/agents_page.py", "my_game", "--scale", 0.02)
    page = (repository.root / "docs" / "agents" / "my_game.md").read_text(encoding="utf-8")
    assert all(f"| {algo}, `my_game` |" in page for algo in learners.BUILT_IN)
    repository.run("docs/make/pages.py")
    assert "docs/agents/my_game.md" in (repository.root / "README.md").read_text(encoding="utf-8")


def named_games(path: pathlib.Path) -> list[str]:
    """Names of games, and ids and configs made of them, that stand as a text of their own in a file of Python."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    pattern = re.compile(rf"(poopdeck/)?({'|'.join(registry.BUILT_IN)})([-_:/.]\S*)?")
    return [text for text in texts if pattern.fullmatch(text)]


def test_only_the_registry_names_games():
    """What serves all games never asks which one it has."""
    rooms = ("envs/core", "envs/tables", "envs/adapters", "envs/conformance", "training", "agents", "docs/make")
    own = {ROOT / "agents" / "heuristic" / name for name in registry.BUILT_IN}  # a game's heuristics may
    files = [
        path
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        if not own & {path.with_suffix(""), *path.parents}
    ]
    named = {path.relative_to(ROOT).as_posix(): named_games(path) for path in files}
    assert len(files) > 60
    assert sorted(path for path, games in named.items() if games) == [REGISTRY]


def test_contributing_counts_these_places():
    text = section(ROOT / "CONTRIBUTING.md", "A new game")
    places = [word for row in table_rows(text.partition("Beyond")[0]) for word in quoted(row[0])]
    assert [place.replace("<game>", "my_game") for place in places] == EDITS
