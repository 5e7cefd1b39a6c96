"""What the pages docs/agents/<game>.md are made of: which agents are trained, for how long, and against whom they are
measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poopdeck.envs.core import registry
from poopdeck.training.config.files import load_config

DEFAULT = "default"
POOP_VARIANTS = ("blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo", "drinking")


@dataclass(frozen=True)
class Training:
    """Runs of one shipped config: minutes of each, and how many seeds for each number of players."""

    config: str
    minutes: float
    seeds: Mapping[int, int]


@dataclass(frozen=True)
class GamePlan:
    """One game's page.

    ``baselines`` are measured against each other; ``yardstick`` is the evaluation that the learning curves show.
    """

    baselines: tuple[str, ...]
    yardstick: str
    trainings: tuple[Training, ...]


# Longer runs are stronger; these are what two cores make in about half an hour for each game.
PLANS: dict[str, GamePlan] = {
    "poo_head": GamePlan(
        ("random", "heuristic:lowest", "heuristic"),
        "heuristic:lowest",
        (
            Training("poo_head_selfplay", 10, {4: 3, 2: 1}),
            Training("poo_head_selfplay", 4, {3: 1, 5: 1}),
            Training("poo_head", 4, {4: 3, 2: 1, 3: 1, 5: 1}),
        ),
    ),
    "poop": GamePlan(
        ("random", "heuristic:highest", "heuristic"),
        "heuristic",
        (
            Training("poop_selfplay", 10, {2: 1, 4: 1}),
            Training("poop_four_selfplay", 9, {4: 2}),
            Training("poop", 1, {2: 1, 4: 1}),
            *(Training(f"poop_{variant}_selfplay", 2, {4: 1}) for variant in POOP_VARIANTS),
            *(Training(f"poop_{variant}", 1, {4: 1}) for variant in POOP_VARIANTS),
        ),
    ),
    "pooman": GamePlan(
        ("random", "heuristic:run", "heuristic:nearest", "heuristic:richest", "heuristic"),
        "heuristic as pooman",
        (
            Training("pooman_selfplay", 10, {4: 1}),
            Training("pooman", 1, {4: 1}),
            Training("pooman_quiet_selfplay", 2, {4: 1}),
            Training("pooman_quiet", 1, {4: 1}),
        ),
    ),
    "too_many_poops": GamePlan(
        ("random", "heuristic:racer", "heuristic"),
        "heuristic:racer",
        (
            Training("too_many_poops_selfplay", 10, {2: 1, 4: 1}),
            Training("too_many_poops", 1, {2: 1, 4: 1}),
            Training("too_many_poops_golden_selfplay", 3, {4: 1}),
            Training("too_many_poops_golden", 1, {4: 1}),
        ),
    ),
}


@dataclass(frozen=True)
class Run:
    """One training run of a page; ``variant`` is the game's name for the config's parameters."""

    game: str
    config: str
    kind: str
    variant: str
    players: int
    seed: int
    minutes: float

    @property
    def name(self) -> str:
        """Its folder's name."""
        return f"{self.config}-{self.players}p-{self.seed}"

    def command(self, folder: str) -> list[str]:
        """The training command; the same for everybody but for the folder."""
        # The learning rate falls with the time, however many samples a machine makes in it.
        sets = [
            f"players={self.players}",
            f"time_limit={self.minutes:g}",
            "schedule=time",
            "total_timesteps=1000000000",
        ]
        options = [part for pair in sets for part in ("--set", pair)]
        return ["train", self.config, *options, "--seed", str(self.seed), "--out", f"{folder}/{self.name}"]


def planned_runs(game: str, scale: float = 1.0, players: Sequence[int] | None = None) -> list[Run]:
    """The runs of a game's plan in order, their minutes times ``scale``, for these numbers of players (None: all)."""
    found = []
    for training in PLANS[game].trainings:
        config = load_config(training.config)
        kind = "self-play" if config.algo == "selfplay" else "MaskablePPO"
        variant = variant_name(game, config.options)
        for count, number in training.seeds.items():
            if players is None or count in players:
                minutes = training.minutes * scale
                found += [Run(game, training.config, kind, variant, count, seed, minutes) for seed in range(number)]
    return found


def variant_name(game: str, options: Mapping[str, object]) -> str:
    """The game's name for a set of parameters; the parameters themselves where it has none."""
    for name, values in registry.spec(game).variants.items():
        if dict(values) == dict(options):
            return name
    return ", ".join(f"{name}={value}" for name, value in options.items())
