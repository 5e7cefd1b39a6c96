"""The wheel holds the package and nothing else, and is used where there is no checkout.

It is built and installed without a network, into an environment of its own that borrows what the package depends on
from the one that runs the tests.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import venv
import zipfile

import pytest

from poopdeck.envs.core import registry

REPOSITORY = pathlib.Path(__file__).parents[1]
HOUSES = {"poopdeck": "poopdeck", "envs": "poopdeck/envs", "agents": "poopdeck/agents"}
HOUSES |= {"training": "poopdeck/training", "configs": "poopdeck/configs"}
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.egg-info", ".?*", "build", "dist", "runs")

PLAY = """
import pathlib, sys
import poopdeck

for name in poopdeck.games():
    env = poopdeck.make(name)
    env.reset(seed=1)
    for seat in env.agent_iter(max_iter=40):
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(seat).sample(observation["action_mask"]))
    print(name)
files = [
    pathlib.Path(module.__file__)
    for name, module in sys.modules.items()
    if name.split(".")[0] == "poopdeck" and getattr(module, "__file__", None)  # a game's version has no file
]
assert files and all(file.is_relative_to(sys.prefix) for file in files), files
"""


def run(*command, cwd):
    """Standard output of a command that succeeds, in an environment that names no folder of modules."""
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=known, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy: building leaves things beside the sources."""
    place = tmp_path_factory.mktemp("wheel")
    shutil.copytree(REPOSITORY, place / "source", ignore=LEFT_BEHIND)
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", place)
    run(sys.executable, *build, place / "source", cwd=place)
    [path] = place.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def bin_folder(wheel, tmp_path_factory):
    """The scripts of an environment into which the wheel is installed."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    folder = place / ("Scripts" if os.name == "nt" else "bin")
    options = ("--no-index", "--no-deps", "--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", folder / "python", "install", *options, wheel, cwd=place)
    script = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = pathlib.Path(run(folder / "python", "-c", script, cwd=place).strip())
    # A folder named in a .pth file is searched, but its own .pth files, such as an editable install's, are not read.
    borrowed = [path for path in sys.path if pathlib.Path(path).name == "site-packages"]
    (site / "borrowed.pth").write_text("\n".join(borrowed))
    return folder


def test_it_holds_all_of_the_package_and_nothing_else(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    kept = ("*.py", "*.yaml", "*.txt", "*.json", "*.safetensors", "py.typed", "static/*")
    shipped = {
        f"{inside}/{path.relative_to(REPOSITORY / house).as_posix()}"
        for house, inside in HOUSES.items()
        for pattern in kept
        for path in (REPOSITORY / house).rglob(pattern)
    }
    assert names == shipped
    assert {"poopdeck/py.typed", "poopdeck/configs/smoke.yaml", "poopdeck/envs/games/poop/__init__.py"} <= names


def test_it_says_what_it_is(wheel):
    archive = zipfile.ZipFile(wheel)
    [about] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    text = archive.read(about).decode()
    assert "Name: poopdeck" in text and "Requires-Dist: numba" in text and "License-File: LICENSE" in text


def test_every_game_is_played_without_the_checkout(bin_folder, tmp_path):
    assert run(bin_folder / "python", "-c", PLAY, cwd=tmp_path).split() == list(registry.BUILT_IN)
    listed = run(bin_folder / "poopdeck", "games", cwd=tmp_path)
    assert [name for name in registry.BUILT_IN if name not in listed] == []


def test_a_network_is_trained_and_measured_without_the_checkout(bin_folder, tmp_path):
    run(bin_folder / "poopdeck", "train", "poo_head,smoke", "--out", "trained", cwd=tmp_path)
    assert (tmp_path / "trained" / "weights" / "network.safetensors").is_file()
    command = ("evaluate", "trained", "--against", "random", "--game", "poo_head", "--games", "40")
    assert "random" in run(bin_folder / "poopdeck", *command, "--json", "figures.json", cwd=tmp_path)
    assert (tmp_path / "figures.json").stat().st_size > 0
