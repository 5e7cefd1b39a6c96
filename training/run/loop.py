"""The training loop, the same for every way of learning: iterate, draw curves, evaluate, take snapshots, keep
checkpoints, and stop so that nothing is lost."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...agents.loading import load_agent
from ...agents.network.agent import NetworkAgent
from ..evaluation.evaluate import Evaluation, evaluate, ranged
from ..evaluation.ladder_rating import rate_on_ladder
from ..evaluation.pair_games import Table
from ..learners.base import Learner, Task
from ..learners.finite import NotFiniteError, check_finite
from ..learners.snapshot_pool import SnapshotPool
from ..storage.checkpoint import Checkpoint, checkpoint_files, newest_checkpoint, prefixed, save_checkpoint
from ..storage.run_folder import RunFolder, RunFolderError
from .curriculum import Curriculum, training_ladder
from .curves import Curves
from .generators import generators_state, load_generators_state
from .interrupts import Interrupts
from .progress import TrainingProgress

FINISHED, TIME_LIMIT, INTERRUPTED, FAILED = "finished", "time limit", "interrupted", "failed"
OnUpdate = Callable[[int, dict[str, float]], None]


@dataclass
class Counters:
    """What the loop itself must remember."""

    updates: int = 0
    seconds: float = 0.0  # of the run, all its sessions together
    # Of all updates but the first of each session, which compiles; without evaluations and checkpoints.
    learning_seconds: float = 0.0
    learning_samples: int = 0
    evaluations: int = 0  # done
    checkpoints: int = 0  # samples at the last one
    rung: int = 0  # of the curriculum
    looks: int = 0  # that it took
    latest: dict[str, Any] = field(default_factory=dict)  # the last evaluation against each baseline, as JSON


class TrainingLoop:
    """One session of one run; ``run`` may be called once."""

    def __init__(
        self,
        task: Task,
        folder: RunFolder,
        pool: SnapshotPool,
        learner: Learner,
        progress: TrainingProgress,
        on_update: OnUpdate | None = None,
    ):
        self.task, self.config, self.folder = task, task.config, folder
        self.pool, self.learner, self.progress, self.on_update = pool, learner, progress, on_update
        self.counters = Counters()
        self.baselines = [load_agent(name, task.game, task.settings) for name in self.config.evaluation.against]
        self.curriculum = Curriculum(task)
        self.ladder = training_ladder(task)
        self._now = time.process_time if self.config.clock == "processor" else time.monotonic
        self._looked = self._now()
        self._first_rate: float | None = None  # of the first update of this session

    def run(self) -> str:
        """Trains to the end, the time limit or an interruption; returns the status."""
        position = self._start()
        curves = Curves(self.folder.metrics_path, self.folder.tensorboard, position, self.learner.timesteps)
        if curves.lost:
            self.progress.say(f"metrics.jsonl is shorter than it was: {curves.lost} bytes of curves are lost")
        try:
            with Interrupts() as interrupts:
                return self._iterate(curves, interrupts)
        finally:
            curves.close()

    def _start(self) -> int:
        """Takes up the newest checkpoint, or begins; returns how much of the curves' file counts."""
        found = newest_checkpoint(self.folder.checkpoints, self.progress.say)
        if found is None:
            if self.pool.active:
                self.pool.add(self.learner.networks(), 0)
            self.learner.seat_snapshots(self.pool)
            self.learner.begin()
            return 0
        path, checkpoint = found
        self._check_fits(checkpoint)
        facts = checkpoint.facts
        self.pool.load_state_dict(checkpoint.part("pool"), facts["pool"])
        self.learner.seat_snapshots(self.pool)
        self.learner.begin()
        try:
            self.learner.load_state_dict(checkpoint.part("learner"), facts["learner"])
        except (ValueError, KeyError) as error:
            raise RunFolderError(f"{path}: the checkpoint does not fit this run: {error}") from None
        try:
            check_finite(self.learner.networks(), {})
        except NotFiniteError as error:
            raise RunFolderError(f"{path}: the run cannot go on from it: {error}") from None
        load_generators_state(checkpoint.part("generators"), facts["generators"])
        self.counters = Counters(**facts["counters"])
        if self.curriculum.agents:
            self.learner.climb(self.counters.rung)
        self.progress.latest = self.summary()
        self.progress.say(f"going on from {self.learner.timesteps:,} samples ({path.name})")
        return facts["metrics_position"]

    def _check_fits(self, checkpoint: Checkpoint) -> None:
        made = {key: checkpoint.facts.get(key) for key in ("game", "settings", "algo")}
        for key, value in self._identity().items():
            if made[key] != value:
                raise RunFolderError(
                    f"{self.folder.checkpoints}: the checkpoint is of another run: its {key} is {made[key]!r}, "
                    f"the config's {value!r}"
                )

    def _identity(self) -> dict[str, Any]:
        settings = dict(self.task.settings)
        return {"game": self.task.game.spec.id, "settings": settings, "algo": self.config.algo}

    def _iterate(self, curves: Curves, interrupts: Interrupts) -> str:
        counters, config = self.counters, self.config
        if not counters.updates and config.evaluation.every:
            curves.row(0, self._evaluate(config.evaluation.games))
        status = self._status(interrupts)
        while not status:
            values = self._learn()
            timesteps, status = self.learner.timesteps, self._status(interrupts)
            if status in (FINISHED, TIME_LIMIT):
                values |= self._evaluate(config.evaluation.final_games)
            elif not status and 0 < config.evaluation.every * counters.evaluations <= timesteps:
                values |= self._evaluate(config.evaluation.games)
            if not status:
                values |= self._climb()
            curves.row(timesteps, values)
            if self.pool.is_due(timesteps):
                self.pool.add(self.learner.networks(), timesteps)
                self.learner.seat_snapshots(self.pool)
            if status or timesteps - counters.checkpoints >= config.checkpoint.every:
                self._save(curves)
            self.progress.update(timesteps, self.rate, self._seconds())
            if self.on_update is not None:
                self.on_update(timesteps, values)
        return status

    def _status(self, interrupts: Interrupts) -> str:
        """Why to stop now, or nothing."""
        if self.learner.timesteps >= self.config.total_timesteps:
            return FINISHED
        limit = self.config.time_limit
        if limit is not None and self.counters.updates and self._seconds() >= limit * 60:
            return TIME_LIMIT
        return INTERRUPTED if interrupts.asked else ""

    def _seconds(self) -> float:
        """Of the run so far, all its sessions together."""
        now = self._now()
        self.counters.seconds += now - self._looked
        self._looked = now
        return self.counters.seconds

    def _learn(self) -> dict[str, float]:
        """One iteration of the learner; the curves' values."""
        before, started = self.learner.timesteps, self._now()
        try:
            values = self.learner.iterate(1.0 - self._share_done())
            check_finite(self.learner.networks(), values)
        except NotFiniteError as error:
            raise NotFiniteError(self._ran_away(error)) from None
        seconds = self._now() - started
        self.counters.updates += 1
        samples = self.learner.timesteps - before
        if self._first_rate is None:  # it has compiled, too, which says nothing of how fast it learns
            self._first_rate = samples / seconds
            return values | {"speed/seconds": self._seconds()}
        self.counters.learning_seconds += seconds
        self.counters.learning_samples += samples
        return values | {"speed/samples_per_second": samples / seconds, "speed/seconds": self._seconds()}

    @property
    def rate(self) -> float:
        """Samples a second of playing and learning, without the first update of each session if there are others."""
        counters = self.counters
        if counters.learning_samples:
            return counters.learning_samples / counters.learning_seconds
        return self._first_rate or 0.0

    def _ran_away(self, error: NotFiniteError) -> str:
        """What to say of learning whose numbers are none any more."""
        algo, section = self.config.algo, self.config.section
        rate = getattr(section, "learning_rate", None)
        cause = f"{algo}.learning_rate={rate:g} is too high" if rate is not None else "steps of learning are too large"
        kept = checkpoint_files(self.folder.checkpoints)
        if kept:
            lower = f" --set {algo}.learning_rate={rate / 10:g}" if rate is not None else ""
            ahead = f"{kept[0].name} is from before; go on from there by --out {self.folder.path} --resume{lower}"
        else:
            ahead = "there is no checkpoint from before, so begin anew"
        return f"update {self.counters.updates + 1}: {error}; most likely {cause}. {ahead}"

    def _share_done(self) -> float:
        """How much of the run has gone by, for the learning rate, 0 to 1."""
        config, share = self.config, self.learner.timesteps / self.config.total_timesteps
        if config.schedule == "time" and config.time_limit is not None:
            share = max(share, self.counters.seconds / (60 * config.time_limit))
        return min(share, 1.0)

    def _evaluate(self, games: int) -> dict[str, float]:
        """The greedy policy against every baseline, on the same deals every time; values for the curves."""
        agent = NetworkAgent(self.learner.networks(), "policy")
        game, settings, seed = self.task.game, self.task.settings, self.config.seed
        values: dict[str, float] = {}
        for role in self.task.roles:
            for baseline in self.baselines:
                found = evaluate(game, settings, agent, [baseline], games, seed, threads=1, role=role or None)
                name = f"{baseline.name} as {role}" if role else baseline.name
                values |= evaluation_curves(found, f"evaluation/{name}")
                self.counters.latest[name] = found.to_json()
        values |= self._rate(agent)
        self.counters.evaluations = 1 + self.learner.timesteps // max(self.config.evaluation.every, 1)
        self.progress.latest = self.summary()
        return values

    def _climb(self) -> dict[str, float]:
        """A look at whether the curriculum's present agent is beaten, where one is due; values for the curves."""
        counters, curriculum = self.counters, self.curriculum
        if not curriculum.agents or self.learner.timesteps < self.config.curriculum.every * (counters.looks + 1):
            return {}
        agent = NetworkAgent(self.learner.networks(), "policy")
        lead, error = curriculum.lead(agent, self.task.roles, counters.rung, counters.looks)
        counters.looks = self.learner.timesteps // self.config.curriculum.every
        if lead - error > 0 and counters.rung + 1 < len(curriculum.agents):
            counters.rung += 1
            self.learner.climb(counters.rung)
            self.progress.say(f"curriculum: {curriculum.agents[counters.rung].name} from now on")
        return {"curriculum/lead": lead, "curriculum/lead_error": error, "curriculum/rung": counters.rung}

    def _rate(self, agent: NetworkAgent) -> dict[str, float]:
        """The policy's rating on the ladder, where that is asked for."""
        if self.ladder is None:
            return {}
        table, games = Table(self.task.game, self.task.settings, 1), self.config.evaluation.rating_games
        found = rate_on_ladder(table, agent, self.ladder, games, self.config.seed)
        low, high = found.interval
        return {"evaluation/rating": found.rating, "evaluation/rating_low": low, "evaluation/rating_high": high}

    def summary(self) -> str:
        """The latest evaluation in few words."""
        figures = [(name, figure(found), found) for name, found in self.counters.latest.items()]
        return ", ".join(f"{rate.replace('_', ' ')} {found[rate]:.3f} vs {name}" for name, rate, found in figures)

    def _save(self, curves: Curves) -> None:
        """A checkpoint; then, which nothing depends on, the weights and snapshots as agents."""
        counters = self.counters
        self._seconds()
        before, counters.checkpoints = counters.checkpoints, self.learner.timesteps
        learner, learner_facts = self.learner.state_dict()
        pool, pool_facts = self.pool.state_dict()
        generators, generators_facts = generators_state()
        facts = {
            **self._identity(),
            "metrics_position": curves.position(),
            "counters": vars(counters),
            "learner": learner_facts,
            "pool": pool_facts,
            "generators": generators_facts,
        }
        tensors = {**prefixed("learner", learner), **prefixed("pool", pool), **prefixed("generators", generators)}
        try:
            save_checkpoint(self.folder.checkpoints, self.learner.timesteps, Checkpoint(tensors, facts))
        except BaseException:
            counters.checkpoints = before
            raise
        self.learner.networks().save(self.folder.weights)
        if self.pool.active:
            self.pool.write(self.folder.snapshots)


def evaluation_curves(found: Evaluation, prefix: str) -> dict[str, float]:
    """An evaluation as numbers with their intervals."""
    values = {
        "payoff": found.mean_payoff,
        "payoff_low": found.mean_payoff_ci[0],
        "payoff_high": found.mean_payoff_ci[1],
        "truncated_share": found.truncated_share,
        "length": found.mean_length,
        "illegal_actions": found.illegal_actions,
    }
    for name, value in found.rates.items():
        if name.endswith("_ci"):
            rate = name.removesuffix("_ci")
            values |= {f"{rate}_low": value[0], f"{rate}_high": value[1]}
        else:
            values[name] = value
    return {f"{prefix}/{name}": float(value) for name, value in values.items()}


def figure(found: dict[str, Any]) -> str:
    """Which figure says most of an evaluation's JSON: the game's first rate, else the payoff."""
    rates = [name for name in found if f"{name}_ci" in found and name.endswith("_rate")]
    return rates[0] if rates else "mean_payoff"


def headline(found: dict[str, Any]) -> str:
    """That figure with its interval."""
    name = figure(found)
    return f"{name.replace('_', ' ')} {ranged(found[name], found[f'{name}_ci'], ' ')} in {found['games']:,} games"
