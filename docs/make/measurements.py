"""What a page docs/agents/<game>.md measures: which agents are trained, for how long, and against whom they stand.

This is data of the game, ``docs/agents/<game>.yaml`` beside its page; a game without such a file is measured as
``usual`` says.
"""

import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml
from pydantic import BaseModel, ConfigDict, Field

from poopdeck.agents.loading import agent_names
from poopdeck.envs.core import registry
from poopdeck.training.config import registry as learners
from poopdeck.training.config.files import load_config

DEFAULT = "default"  # the variant with the usual rules
FOLDER = pathlib.Path(__file__).parents[1] / "agents"


class Training(BaseModel):
    """Runs of one config, once for each of ``variants`` (None: as the config has it)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str  # what the page calls the agents that come of it
    config: str
    variants: list[str | None] = [None]
    sets: list[str] = Field(default=[], alias="set")  # key=value, as for ``poopdeck train --set``
    minutes: float = Field(gt=0)  # of each run
    seeds: dict[int, int]  # number of players -> how many seeds


class Measurements(BaseModel):
    """One game's page: ``baselines`` are measured against each other, learning curves show ``yardstick``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    baselines: list[str] = Field(min_length=1)
    yardstick: str
    trainings: list[Training] = Field(min_length=1)


@dataclass(frozen=True)
class Run:
    """One training run of a page; ``variant`` is the game's name for the config's parameters."""

    game: str
    kind: str
    config: str
    sets: tuple[str, ...]
    variant: str
    players: int
    seed: int
    minutes: float

    @property
    def name(self) -> str:
        """Its folder's name."""
        changed = [pair.partition("=")[2] for pair in self.sets]
        return "-".join([self.config, *changed, f"{self.players}p", str(self.seed)])

    def command(self, folder: str) -> list[str]:
        """The training command; the same for everybody but for the folder."""
        # The learning rate falls with the time, however many samples a machine makes in it.
        sets = [
            *self.sets,
            f"players={self.players}",
            f"time_limit={self.minutes:g}",
            "schedule=time",
            "total_timesteps=1000000000",
        ]
        options = [part for pair in sets for part in ("--set", pair)]
        return ["train", self.config, *options, "--seed", str(self.seed), "--out", f"{folder}/{self.name}"]


def measurements(game: str, folder: pathlib.Path = FOLDER) -> Measurements:
    """What is measured of a game; ValueError if its file holds something else."""
    path = folder / f"{game}.yaml"
    if not path.is_file():
        return usual(game)
    return Measurements.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def usual(game: str) -> Measurements:
    """One run of each way of learning at the usual table, against all agents that need no training."""
    known = agent_names(registry.game(game))
    seeds = {registry.spec(game).default_players: 1}
    return Measurements(
        baselines=known,
        yardstick="heuristic" if "heuristic" in known else "random",
        trainings=[
            Training(kind=algo, config=game, set=[f"algo={algo}"], minutes=2, seeds=seeds) for algo in learners.BUILT_IN
        ],
    )


def planned_runs(game: str, scale: float = 1.0, players: Sequence[int] | None = None) -> list[Run]:
    """A game's runs in order, their minutes times ``scale``, for these numbers of players (None: all)."""
    runs: list[Run] = []
    for training in measurements(game).trainings:
        runs += [run for run in _runs(game, training, scale) if players is None or run.players in players]
    return runs


def _runs(game: str, training: Training, scale: float) -> Iterator[Run]:
    for variant in training.variants:
        sets = [*training.sets, *([f"variant={variant}"] if variant else [])]
        named = variant or load_config(training.config, sets).variant or DEFAULT
        for count, number in training.seeds.items():
            for seed in range(number):
                minutes = training.minutes * scale
                yield Run(game, training.kind, training.config, tuple(sets), named, count, seed, minutes)
