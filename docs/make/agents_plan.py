"""What the pages docs/agents/<game>.md are made of: which agents are trained, for how long, and against whom they are
measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poopdeck.training.config.files import load_config

DEFAULT = "default"
POOP_VARIANTS = ("blind_pooper", "flushers_delight", "interceptor", "super_pooper", "deep_doo_doo", "drinking")


@dataclass(frozen=True)
class Training:
    """Runs of one shipped config: minutes of each, how many seeds for each number of players, and the variant where
    the config names none."""

    config: str
    minutes: float
    seeds: Mapping[int, int]
    variant: str | None = None


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
            *(Training("poop_selfplay", 2, {4: 1}, variant) for variant in POOP_VARIANTS),
            *(Training("poop", 1, {4: 1}, variant) for variant in POOP_VARIANTS),
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
            Training("too_many_poops_selfplay", 3, {4: 1}, "golden_poople"),
            Training("too_many_poops", 1, {4: 1}, "golden_poople"),
        ),
    ),
}


@dataclass(frozen=True)
class Run:
    """One training run of a page; ``variant`` is the game's variant, ``chosen`` whether the command names it."""

    game: str
    config: str
    kind: str
    variant: str
    chosen: bool
    players: int
    seed: int
    minutes: float

    @property
    def name(self) -> str:
        """Its folder's name."""
        variant = f"-{self.variant}" if self.chosen else ""
        return f"{self.config}{variant}-{self.players}p-{self.seed}"

    def command(self, folder: str) -> list[str]:
        """The training command; the same for everybody but for the folder."""
        # The learning rate falls with the time, however many samples a machine makes in it.
        sets = [
            *([f"variant={self.variant}"] if self.chosen else []),
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
        kind = "self-play" if config.algo == "ppo" else "MaskablePPO"
        variant, chosen = training.variant or config.variant or DEFAULT, training.variant is not None
        for count, number in training.seeds.items():
            if players is None or count in players:
                runs = (training.config, kind, variant, chosen, count)
                found += [Run(game, *runs, seed, training.minutes * scale) for seed in range(number)]
    return found
