"""What a benchmark compares: a suite of games, algorithms and seeds, from a YAML file or one that is shipped."""

import pathlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml
from pydantic import Field, ValidationError, model_validator

from ...envs.core import registry as games
from ...envs.core.plain_yaml import Loader
from ..config.files import ConfigError, Layers
from ..config.schema import Count, Flag, Part, TrainConfig

SCHEDULES = {"minutes": "time", "samples": "samples"}


class GameEntry(Part):
    """A game at which all algorithms are compared."""

    game: str = Field(description="The game, by name.")
    players: int | None = Field(default=None, description="Players at the table; none means the game's usual number.")
    variant: str | None = Field(default=None, description="A variant, as `poopdeck games` lists them.")
    options: dict[str, Any] = Field(default={}, description="Other parameters, one by one.")
    role: str | None = Field(default=None, description="Of a game with roles the one that is measured.")
    pool: list[str] = Field(default=["heuristic"], min_length=1, description="Agents that may be trained with.")
    held_out: list[str] = Field(
        default=["random"], min_length=1, description="Agents that nobody trains with, to be measured against."
    )
    best: str = Field(default="heuristic", description="The agent that is to be reached: it counts as score 1.")


class AlgorithmEntry(Part):
    """A way of learning with its settings, as a config has them."""

    config: dict[str, Any] = Field(description="Keys of a training config, `algo` among them.")
    by_game: dict[str, dict[str, Any]] = Field(default={}, description="Further keys for one game of the suite.")


class Exploiting(Part):
    """Best responses to the finished agents."""

    responders: list[str] = Field(default=["fresh"], description="Which ones, see `poopdeck exploit`.")
    share: float = Field(default=0.3, gt=0, description="Their budget, as a share of the suite's budget of a cell.")
    seeds: Count = Field(default=1, description="Of so many of the suite's seeds the agent is a victim.")
    games: Count = Field(default=2000, description="Games that the gain is measured in.")


class Suite(Part):
    """One comparison. Every cell (game, algorithm, seed) is a training run of the same budget."""

    title: str = Field(description="What the report is called.")
    games: dict[str, GameEntry] = Field(min_length=1, description="The games, by a name of their own.")
    algorithms: dict[str, AlgorithmEntry] = Field(min_length=1, description="The algorithms, by a name of their own.")
    seeds: list[int] = Field(default=[0, 1, 2, 3, 4], min_length=1, description="Each algorithm is run once for each.")
    samples: Count | None = Field(default=None, description="The budget of a cell in samples.")
    minutes: float | None = Field(default=None, gt=0, description="Or in minutes of one core (processor time).")
    evaluation_games: Count = Field(default=2000, description="Games of each measurement.")
    curve_points: Count = Field(default=10, description="Evaluations against `best` while learning.")
    curve_games: Count = Field(default=400, description="Games of each of them.")
    tournament_games: Count = Field(default=4000, description="Games between all finished agents of a game.")
    exploit: Exploiting | None = Field(default=None, description="Best responses; none are trained if left out.")
    networks_held_out: Flag = Field(
        default=True, description="Whether agents of other algorithms and seeds are among the held-out ones."
    )

    @model_validator(mode="after")
    def _check(self) -> "Suite":
        if (self.samples is None) == (self.minutes is None):
            raise ValueError("budget: either samples or minutes is wanted")
        if len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise ValueError(f"seeds={self.seeds}: different whole numbers from 0 are wanted")
        for name, entry in self.algorithms.items():
            unknown = set(entry.by_game) - set(self.games)
            if unknown:
                raise ValueError(f"algorithms.{name}.by_game: {min(unknown)!r} is none of {', '.join(self.games)}")
        for label in [*self.games, *self.algorithms]:
            if not label.replace("_", "").replace("-", "").isalnum():
                raise ValueError(f"name {label!r}: letters, digits, - and _ are allowed, since folders are called so")
        return self

    def cells(self) -> "list[Cell]":
        """All of them, seed by seed, so that an interrupted benchmark has some of everything."""
        return [
            Cell(self, game, algorithm, seed)
            for seed in self.seeds
            for game in self.games
            for algorithm in self.algorithms
        ]


@dataclass(frozen=True)
class Cell:
    """One training run of a suite."""

    suite: Suite
    game: str  # the suite's names of game and algorithm
    algorithm: str
    seed: int

    @property
    def path(self) -> pathlib.PurePosixPath:
        """Its folder within the benchmark's."""
        return pathlib.PurePosixPath("cells", self.game, self.algorithm, f"seed{self.seed}")

    @property
    def entry(self) -> GameEntry:
        """Its game."""
        return self.suite.games[self.game]

    def config(self) -> TrainConfig:
        """The run's config.

        Raises:
            ConfigError: the algorithm's settings cannot be used with the game; it says which cell.
        """
        algorithm = self.suite.algorithms[self.algorithm]
        layers = Layers()
        places = {"": f"suite, algorithm {self.algorithm}, game {self.game}"}
        try:
            for content in (self._frame(), algorithm.config, algorithm.by_game.get(self.game, {})):
                layers.lay(content, {key: places[""] for key in content})
            return layers.resolve()
        except ConfigError as error:
            raise ConfigError(f"{places['']}: {error}") from None

    def _frame(self) -> dict[str, Any]:
        """What all algorithms have in common."""
        suite, entry = self.suite, self.entry
        algo = suite.algorithms[self.algorithm].config.get("algo", TrainConfig.model_fields["algo"].default)
        budget: dict[str, Any] = {"total_timesteps": suite.samples}
        if suite.minutes is not None:
            budget = {"total_timesteps": 10**9, "time_limit": suite.minutes, "schedule": "time", "clock": "processor"}
        every = (suite.samples or 0) // suite.curve_points
        return {
            "algo": algo,
            "game": entry.game,
            "players": entry.players,
            "variant": entry.variant,
            "options": entry.options,
            "role": entry.role,
            "seed": self.seed,
            "opponents": [{"agent": name} for name in entry.pool],
            "evaluation": {
                "every": max(every, 1) if suite.samples else 250_000,
                "games": suite.curve_games,
                "final_games": suite.curve_games,
                "against": [entry.best],
            },
            **budget,
        }


def suite_names() -> list[str]:
    """The suites that are shipped."""
    files = resources.files("poopdeck.configs").joinpath("suites").iterdir()
    return sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml"))


def load_suite(name: str) -> Suite:
    """A suite by the path of its file or the name of a shipped one.

    Raises:
        ConfigError: there is none, or it cannot be used; it names the key and what is allowed.
    """
    path = pathlib.Path(name)
    if path.suffix in (".yaml", ".yml"):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"suite {name}: cannot be read ({error})") from None
    elif name in suite_names():
        text = resources.files("poopdeck.configs").joinpath("suites", f"{name}.yaml").read_text(encoding="utf-8")
    else:
        known = ", ".join(suite_names())
        raise ConfigError(f"unknown suite {name!r}: there are {known}, or the path of a YAML file")
    return parse_suite(text, name)


def parse_suite(text: str, source: str) -> Suite:
    """A suite from YAML; every cell's config is checked."""
    try:
        content = yaml.load(text, Loader)
        suite = Suite.model_validate(content)
    except yaml.YAMLError as error:
        raise ConfigError(f"suite {source}: not YAML ({' '.join(str(error).split())})") from None
    except ValidationError as error:
        raise ConfigError("\n".join(_explained(source, error))) from None
    for entry in suite.games.values():
        if entry.game not in games.names():
            raise ConfigError(f"suite {source}: game={entry.game!r}: there are {', '.join(games.names())}")
    for cell in suite.cells():
        cell.config()
    return suite


def _explained(source: str, error: ValidationError) -> Iterator[str]:
    for problem in error.errors():
        key = ".".join(str(part) for part in problem["loc"])
        yield f"suite {source}: {key or 'suite'}: {problem['msg']}"
