"""Which folders are packages: all below the roots, so that a new room or game needs no line here."""

from setuptools import find_packages, setup

ROOTS = {"poopdeck": "poopdeck"} | {f"poopdeck.{name}": name for name in ("envs", "agents", "training", "configs")}

setup(
    package_dir=ROOTS,
    packages=sorted(
        name
        for package, folder in ROOTS.items()
        for name in (package, *(f"{package}.{below}" for below in find_packages(folder)))
    ),
)
