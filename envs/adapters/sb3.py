"""One learning seat at many tables, as a Stable-Baselines3 ``VecEnv`` with action masks (for MaskablePPO)."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.game import Game
from ..tables.seat import SeatTables
from ..tables.truncation import FOR_LEARNERS, TruncatedAs
from . import spaces
from .arguments import read_parameters
from .screen import Screen

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:  # pragma: no cover - the extra is always there in tests
    raise ImportError('this interface needs Stable-Baselines3: pip install "poopdeck[train]"') from error

MOST_PICTURES = 16  # of a batch, so that a picture of all of them can still be looked at


class SeatVecEnv(VecEnv):
    """``num_envs`` tables in one process; see SeatTables for opponents and truncated games.

    Observations float32 (n, D); ``action_masks()`` bool (n, A), also by ``env_method("action_masks")`` as sb3-contrib
    asks for it. A finished game's last observation is ``infos[i]["terminal_observation"]``; observation and mask are
    the next game's by then. With ``truncated_as="payoff"`` a truncated game is reported as such, which makes SB3 add
    the value of its last observation; else it is an end like any other. A game's reward and length are in
    ``infos[i]["episode"]``, as SB3's ``Monitor`` writes them, hence ``env_is_wrapped(Monitor)``. With
    ``render_mode="rgb_array"`` ``get_images()`` and ``render()`` show the first tables as their learners see them.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Any],
        num_players: int | None = None,
        *,
        truncated_as: TruncatedAs = FOR_LEARNERS,
        learner_seats: Sequence[int] | None = None,
        threads: int = 1,
        seed: int | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode={render_mode!r}: allowed is None and 'rgb_array'")
        self._screen = Screen(render_mode)
        settings = read_parameters(SeatVecEnv, game.spec, num_players, parameters)
        self.seats = SeatTables(
            game,
            num_envs,
            opponents,
            truncated_as=truncated_as,
            threads=threads,
            learner_seats=learner_seats,
            **settings,
        )
        self.render_mode = render_mode
        self._has_reset = False
        self._seed = seed
        self._began = time.time()
        self._returns = np.zeros(num_envs)
        self._statistics: list[tuple[float, int, int]] = []
        self._pending = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, spaces.features(game.spec, self.seats.settings), spaces.actions(game.spec))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next ``reset`` starts all chance streams from this seed."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> np.ndarray:
        """Deals all tables anew."""
        self.seats.reset(self._seed)
        self._seed = None  # as in SB3: a seed holds for one reset
        self._has_reset = True
        self._returns[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.seats.obs.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Keeps the actions for ``step_wait``."""
        self._pending = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """Plays the tables on; copies of observations (n, D), rewards float32 (n,), dones bool (n,), and infos."""
        learners = self.seats.learner.copy()
        self.seats.step(self._pending)
        tables = self.seats.tables
        rewards = self.seats.learner_rewards(learners)
        dones = tables["ended"] != 0
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        elapsed = round(time.time() - self._began, 3)
        for i in np.flatnonzero(dones).tolist():
            length, truncated = int(tables["final_length"][i]), bool(tables["truncated"][i])
            infos[i] = {
                "terminal_observation": self.seats.final_obs[i].copy(),
                "TimeLimit.truncated": truncated and self.seats.truncated_as == "payoff",
                "episode": {"r": float(self._returns[i]), "l": length, "t": elapsed},
                "truncated": truncated,
                "returns": self.seats.final_returns[i].copy(),
            }
            self._statistics.append((float(self._returns[i]), length, int(truncated)))
            self._returns[i] = 0
        return self.seats.obs.copy(), rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """bool (n, A) of the learners to act: True is legal."""
        return self.seats.mask != 0

    def set_opponent(self, slot: int, agent: Any) -> None:
        """Seats another agent in place of opponent ``slot``, at once and also in games under way."""
        self.seats.replace(slot, agent)

    def weigh_opponents(self, weights: Sequence[float]) -> None:
        """How often each of the opponents is drawn from the next game on."""
        self.seats.weigh(weights)

    def take_statistics(self) -> dict[str, float]:
        """Of the games that ended since the last call: episodes, mean payoff and length, truncated share."""
        taken, self._statistics = np.array(self._statistics, float).reshape(-1, 3), []
        means = taken.mean(axis=0) if len(taken) else np.full(3, np.nan)
        return {
            "episodes": len(taken),
            "payoff": float(means[0]),
            "length": float(means[1]),
            "truncated_share": float(means[2]),
            "illegal_actions": 0,  # an illegal action raises
        }

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that changes, as plain arrays."""
        return {**self.seats.state_dict(), "returns": self._returns.copy()}

    def load_state_dict(self, kept: dict[str, np.ndarray]) -> np.ndarray:
        """Goes on from what ``state_dict`` wrote; returns the observations, as ``reset`` would."""
        self.seats.load_state_dict({name: value for name, value in kept.items() if name != "returns"})
        self._returns[:] = kept["returns"]
        self._has_reset = True
        return self.seats.obs.copy()

    def get_images(self) -> list[np.ndarray]:
        """Pictures uint8 (H, W, 3) of the first tables, 16 at most, each as its learner sees it now.

        Raises:
            ValueError: made without ``render_mode="rgb_array"``.
            RuntimeError: before the first ``reset``.
        """
        if self.render_mode is None:
            raise ValueError("get_images() needs an environment made with render_mode='rgb_array'")
        if not self._has_reset:
            raise RuntimeError("get_images() needs games: call reset() first")
        game, tables = self.seats.game, self.seats
        shown = [game.scene(tables.state(i), int(tables.learner[i])) for i in range(min(self.num_envs, MOST_PICTURES))]
        return [self._screen.show(scene) for scene in shown]  # type: ignore[misc]

    def close(self) -> None:
        """Ends the threads."""
        self.seats.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same attribute for every table."""
        if attr_name == "action_masks":
            return [self.action_masks] * len(list(self._get_indices(indices)))
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of the whole batch; a single table has none of its own."""
        if indices is not None:
            raise ValueError("the tables are one batch: attributes are set for all, without indices")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """``action_masks`` row by row; other methods of the batch are called directly."""
        if method_name != "action_masks":
            raise AttributeError(f"the tables have no method {method_name!r} of their own, only 'action_masks'")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Whether the tables do what a wrapper would: they do ``Monitor``'s work, and no other's."""
        return [wrapper_class is Monitor] * len(list(self._get_indices(indices)))
