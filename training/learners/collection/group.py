"""Collectors that play at the same time, each in a thread and at tables of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import torch

from ....envs.core.chance import seed_streams
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from .collector import Collector, CollectorConfig

THREADS = 23  # branch of the seed: for the tables of every thread but the first
Found = TypeVar("Found")


class CollectorGroup:
    """The tables of ``config`` shared out among the threads of the run's config; ``seeds`` has one for each."""

    def __init__(self, task: Task, opponents: list[tuple[Any, float]], config: CollectorConfig):
        count = min(task.config.threads, config.tables)
        self.seeds = [task.config.seed, *map(int, seed_streams(task.config.seed, count - 1, THREADS))]
        self.collectors = [
            Collector(task, opponents, replace(config, tables=len(tables)), seed)
            for tables, seed in zip(np.array_split(np.arange(config.tables), count), self.seeds, strict=True)
        ]
        first = 0
        for collector in self.collectors:  # agents tell the tables of all threads apart
            collector.arena.batch.first_table = first
            first += collector.arena.num_envs
        # A thread of these computes alone; between two rollouts the threads of torch work together.
        self._threads = ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(1,))

    def begin(self) -> None:
        """Deals the first games."""
        for collector in self.collectors:
            collector.begin()

    def each(self, work: Callable[[int, Collector], Found]) -> list[Found]:
        """What ``work(number, collector)`` returns for each, all at the same time."""
        if len(self.collectors) == 1:
            return [work(0, self.collectors[0])]
        together = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return list(self._threads.map(work, range(len(self.collectors)), self.collectors))
        finally:
            torch.set_num_threads(together)

    def replace_opponent(self, place: int, agent: Any) -> None:
        """Seats another agent in place of one of the opponents, at once and also in games under way."""
        for collector in self.collectors:
            collector.replace_opponent(place, agent)

    def weigh_opponents(self, weights: Sequence[float]) -> None:
        """How often each of the opponents is drawn from the next game on."""
        for collector in self.collectors:
            collector.weigh_opponents(weights)

    def take_statistics(self) -> dict[str, float]:
        """Curves of the games that ended since the last call."""
        games = np.array([game for one in self.collectors for game in one.take_games()], float).reshape(-1, 2)
        means = games.mean(axis=0) if len(games) else np.full(2, np.nan)
        return {
            "train/episodes": len(games),
            "train/length": float(means[0]),
            "train/truncated_share": float(means[1]),
            "train/illegal_actions": 0,  # an illegal action raises
        }

    def state_dict(self) -> dict[str, np.ndarray]:
        """Tables and open decisions of every thread."""
        tensors: dict[str, np.ndarray] = {"count": np.array(len(self.collectors))}
        for number, collector in enumerate(self.collectors):
            tensors |= prefixed(str(number), collector.state_dict())
        return tensors

    def load_state_dict(self, tensors: dict[str, np.ndarray]) -> None:
        """The inverse; ValueError if the tables were shared out in another way."""
        if "count" not in tensors:
            raise ValueError("it was made by an earlier version, whose tables were not shared out so")
        made = int(tensors["count"])
        if made != len(self.collectors):
            raise ValueError(f"it was made with threads={made}, not {len(self.collectors)}")
        kept = Checkpoint(tensors, {})
        for number, collector in enumerate(self.collectors):
            collector.load_state_dict(kept.part(str(number)))

    def close(self) -> None:
        """Ends the threads."""
        self._threads.shutdown()
        for collector in self.collectors:
            collector.close()
