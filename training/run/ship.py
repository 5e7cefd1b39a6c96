"""``python -m poopdeck.training.run.ship RUN``: puts a run's networks among those that come with the package.

They are written in half precision.
"""

import argparse
import pathlib
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

import yaml

from ...agents.levels.weights import CARD, SHIPPED
from ...agents.loading import trained_for
from ...agents.network.role_networks import RoleNetworks
from ...envs.core import registry
from ..storage.plain_json import json_text
from .train import read_result


def ship(run: pathlib.Path, name: str, variants: Sequence[str], commit: str, replace: bool = False) -> pathlib.Path:
    """Writes a run's networks and their card into ``shipped/GAME/name``; returns that folder.

    Raises:
        ValueError: no run there, a variant that there is not, or a folder that is taken and not to be replaced.
    """
    made = trained_for(str(run))
    if made is None:
        raise ValueError(f"{run}: no trained network there")
    spec = registry.spec(made[0])
    unknown = sorted(set(variants) - set(spec.variants))
    if unknown or not variants:
        raise ValueError(f"variants={','.join(unknown)!r}: {spec.name} has {', '.join(spec.variants)}")
    folder = SHIPPED / spec.name / name
    if folder.exists():
        if not replace:
            raise ValueError(f"{folder}: there is a network already; --replace puts this one in its place")
        shutil.rmtree(folder)
    RoleNetworks.load(run / "weights").save(folder, half=True)
    (folder / CARD).write_text(json_text(_facts(run, made[1], variants, commit), 2) + "\n", encoding="utf-8")
    return folder


def _facts(run: pathlib.Path, settings: dict[str, Any], variants: Sequence[str], commit: str) -> dict[str, Any]:
    result = read_result(run)
    config = yaml.safe_load((run / "config.yaml").read_text(encoding="utf-8"))
    evaluations = result["evaluations"]
    return {
        "players": settings["num_players"],
        "variants": list(variants),
        "command": shlex.join(["poopdeck", "train", "config.yaml"]),
        "config": config,
        "seed": result["seed"],
        "commit": commit,
        "samples": result["timesteps"],
        "hours": round(result["seconds"] / 3600, 3),
        "figures": {
            name: {key: found[key] for key in found if key.endswith(("_rate", "_rate_ci", "mean_payoff", "_payoff_ci"))}
            | {"games": found["games"]}
            for name, found in evaluations.items()
        },
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path, help="the folder of a finished run")
    parser.add_argument("--name", required=True, help="the folder below shipped/GAME, such as 4p")
    parser.add_argument("--variants", default="default", help="the variants that it serves, by commas")
    parser.add_argument("--commit", required=True, help="the version of the source that trained it")
    parser.add_argument("--replace", action="store_true", help="in place of one that is there")
    given = parser.parse_args()
    print(ship(given.run, given.name, given.variants.split(","), given.commit, given.replace))


if __name__ == "__main__":
    main()
