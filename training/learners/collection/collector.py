"""Tables at which a learner decides, for a number of decisions at a time, whatever it learns from them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ....envs.tables.arena import Arena
from ....envs.tables.context import Context
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from .critic_view import CRITIC, CriticView
from .decisions import Columns, Decisions


@dataclass
class Rows:
    """Positions, one at each of n tables, in which the learner is to decide."""

    observations: np.ndarray  # float32 (n, D)
    masks: np.ndarray  # bool (n, A)
    roles: np.ndarray  # int64 (n,): of the seats that are to act
    critic: np.ndarray | None  # float32 (n, C): what a critic sees that sees more than the observation
    seats: np.ndarray  # int64 (n,): which are to act
    new_games: np.ndarray  # bool (n,): whether another game began since the last decision at the table
    context: Callable[[], Context]  # what an agent may be told that searches


class Actor(Protocol):
    """Who decides at the learner's seats."""

    def act(self, rows: Rows) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """An action for every row, int64 (n,), and the columns that the collector keeps of each decision."""
        ...


@dataclass(frozen=True)
class CollectorConfig:
    """How samples are collected: ``steps`` decisions at each of ``tables`` tables at a time, with ``columns`` kept of
    each; ``self_play_share`` of the games have the learner at every seat. ``whole_games``: decisions are kept until
    their game has ended."""

    tables: int
    steps: int
    self_play_share: float = 1.0
    columns: Columns | None = None
    critic_view: CriticView | None = None
    whole_games: bool = False


class Collector:
    """Tables, what was decided there (``decisions``), and the chance of the deals.

    Several may play at the same time in threads of their own: they share nothing but the agents at the other seats.
    """

    def __init__(self, task: Task, opponents: list[tuple[Any, float]], config: CollectorConfig, seed: int):
        spec = task.game.spec
        self.config, self.seed = config, seed
        self.roles = np.array(spec.seat_roles(task.settings))
        self.arena = _arena(task, opponents, config)
        columns = dict(config.columns or {})
        if config.critic_view is not None:
            columns[CRITIC] = ((config.critic_view.size,), np.float32)
        features = spec.observation_size(task.settings)
        self.decisions = Decisions(
            config.steps, config.tables, len(self.roles), features, spec.num_actions, columns, config.whole_games
        )
        self.games: list[tuple[int, int]] = []  # length, truncated
        self.new_games = np.ones(config.tables, np.bool_)

    def begin(self) -> None:
        """Deals the first games."""
        self.arena.reset(self.seed)

    def collect(self, actor: Actor) -> Decisions:
        """Plays the steps of its config at every table. Whoever has taken what it needs of the decisions calls their
        ``carry``, which keeps those whose reward is not known yet."""
        for _ in range(self.config.steps):
            self.step(actor)
        return self.decisions

    def step(self, actor: Actor) -> None:
        """One decision at every table."""
        arena = self.arena
        seats = arena.tables["seat"].copy()
        rows = Rows(
            observations=arena.obs,
            masks=arena.mask.astype(np.bool_),
            roles=self.roles[seats],
            critic=self._critic_rows(seats),
            seats=seats,
            new_games=self.new_games,
            context=arena.context,
        )
        actions, columns = actor.act(rows)
        if rows.critic is not None:
            columns = {**columns, CRITIC: rows.critic}
        self.decisions.add(seats, rows.observations, rows.masks, actions, rows.roles, columns)
        arena.step(actions)
        ended = arena.tables["ended"] != 0
        self.decisions.pay(arena.rewards, ended)
        self.new_games = ended
        for table in np.flatnonzero(ended):
            self.games.append((int(arena.tables["final_length"][table]), int(arena.tables["truncated"][table])))

    def _critic_rows(self, seats: np.ndarray) -> np.ndarray | None:
        critic_view = self.config.critic_view
        return None if critic_view is None else critic_view.rows(self.arena.states, seats)

    def replace_opponent(self, place: int, agent: Any) -> None:
        """Seats another agent in place of one of the opponents, at once and also in games under way."""
        self.arena.replace(place, agent)

    def weigh_opponents(self, weights: Sequence[float]) -> None:
        """How often each of the opponents is drawn from the next game on."""
        self.arena.weigh(weights)

    def take_games(self) -> list[tuple[int, int]]:
        """Length and whether it was truncated (1, 0) of every game that has ended since the last time."""
        games, self.games = self.games, []
        return games

    def state_dict(self) -> dict[str, np.ndarray]:
        """The tables and the open decisions."""
        kept = prefixed("tables", self.arena.state_dict()) | prefixed("decisions", self.decisions.state_dict())
        return {**kept, "new_games": self.new_games.copy()}

    def load_state_dict(self, tensors: dict[str, np.ndarray]) -> None:
        """The inverse; ValueError if it belongs to other tables."""
        kept = Checkpoint(tensors, {})
        self.arena.load_state_dict(kept.part("tables"))
        self.decisions.load_state_dict(kept.part("decisions"))
        self.new_games = tensors["new_games"].copy()

    def close(self) -> None:
        """Ends what runs in the background."""
        self.arena.close()


def _arena(task: Task, opponents: list[tuple[Any, float]], config: CollectorConfig) -> Arena:
    options = {name: value for name, value in task.settings.items() if name != "num_players"}
    roles = task.game.spec.seat_roles(task.settings)
    # Where the learner does not play all seats it has those of one role, each role as often as the others.
    times = [math.lcm(*map(roles.count, roles)) // roles.count(role) for role in roles]
    learner_seats = [seat for seat, number in enumerate(times) for _ in range(number)]
    return Arena(
        task.game,
        config.tables,
        opponents,
        task.settings["num_players"],
        truncated_as=task.config.truncated_as,
        self_play_share=config.self_play_share,
        learner_seats=learner_seats,
        whole_roles=len(set(roles)) > 1,
        choices_only=True,  # a third of all decisions are forced in some games, and nothing is learnt from them
        **options,
    )
