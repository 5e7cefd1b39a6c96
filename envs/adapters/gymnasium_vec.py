"""One learning seat at many tables, as a Gymnasium vector environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..core.game import Game
from ..tables.kernel import FOR_NOBODY
from ..tables.seat import SeatTables
from ..tables.truncation import FOR_LEARNERS, TruncatedAs
from . import spaces
from .arguments import read_parameters
from .screen import Screen

MODES = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}
MOST_PICTURES = 16  # of a batch, so that a picture of all of them can still be looked at


class SeatVectorEnv(VectorEnv):
    """``num_envs`` tables in one process; observation, mask, opponents and rewards of each as in SeatEnv.

    ``step`` takes whole numbers (n,). Observations are ``{"observation": float32 (n, D), "action_mask": int8 (n, A)}``
    or, with ``observation="features"``, float32 (n, D); the mask is in ``infos["action_mask"]`` and, as bool, by
    ``action_masks()``. Of a game that ended ``infos["returns"]`` float32 (n, P) has all seats' returns, in the rows
    that ``infos["_returns"]`` marks.

    With ``autoreset_mode="next_step"`` a game that ended shows its last observation and an all-zero mask; the next
    step ignores the action of that table and deals, with a reward of 0. With ``"same_step"`` the next game is dealt at
    once, and the last observation is in ``infos["final_obs"]``: every mask has a legal action.
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
        render_mode: str | None = None,
        observation: spaces.ObservationForm = "masked",
        autoreset_mode: str | AutoresetMode = "next_step",
        **parameters: Any,
    ):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode={render_mode!r}: allowed is None and 'rgb_array'")
        self._screen, self.render_mode = Screen(render_mode), render_mode
        mode = MODES.get(autoreset_mode, autoreset_mode) if isinstance(autoreset_mode, str) else autoreset_mode
        if mode not in MODES.values():
            raise ValueError(f"autoreset_mode={autoreset_mode!r}: allowed is {' or '.join(map(repr, MODES))}")
        self.autoreset_mode = mode  # where Gymnasium's own vector environments have it, and some libraries look
        self._same_step = mode is AutoresetMode.SAME_STEP
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 2, "autoreset_mode": mode}
        self.game = game
        settings = read_parameters(SeatVectorEnv, game.spec, num_players, parameters)
        self.seats = SeatTables(
            game,
            num_envs,
            opponents,
            truncated_as=truncated_as,
            threads=threads,
            learner_seats=learner_seats,
            deal_on=self._same_step,
            **settings,
        )
        self.num_envs = self.seats.num_envs
        self._plain = spaces.check_form(observation)
        self.single_observation_space = (spaces.features if self._plain else spaces.masked)(game.spec, settings)
        self.single_action_space = spaces.actions(game.spec)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._has_reset = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deals all tables anew; a seed, one whole number for all, starts their chance streams."""
        super().reset(seed=seed)
        self.seats.reset(seed)
        self._deal_what_is_over()  # games that ended before the learner's first decision
        self._has_reset = True
        return self._seen(self.seats.obs), self._infos()

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The learners' actions, then all others' until the learners are to act again.

        Returns observations, rewards float32 (n,), terminations and truncations bool (n,), infos.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._has_reset:
            raise RuntimeError("step() needs games: call reset() first")
        learners, tables = self.seats.learner.copy(), self.seats.tables
        if self._same_step:
            self.seats.step(actions)
            ended, rewards = tables["ended"].copy(), self.seats.learner_rewards(learners)
        else:
            over = tables["waiting"] == FOR_NOBODY
            self.seats.step_rows(actions, np.flatnonzero(~over))
            rewards = np.where(over, np.float32(0), self.seats.learner_rewards(learners))
            self._deal_what_is_over(over)
            ended = (tables["waiting"] == FOR_NOBODY) & ~over
        truncated = ended & tables["truncated"] & (self.seats.truncated_as == "payoff")
        seen = self.seats.obs
        if not self._same_step and ended.any():
            seen = np.where(ended[:, None], self.seats.final_obs, seen)
        return self._seen(seen), rewards, ended & ~truncated, truncated, self._infos(ended)

    def _deal_what_is_over(self, asked: np.ndarray | None = None) -> None:
        """New games at the tables whose game is over, among those asked for, until their learners are to act."""
        among = np.ones(self.num_envs, bool) if asked is None else asked
        while len(rows := np.flatnonzero(among & (self.seats.tables["waiting"] == FOR_NOBODY))):
            self.seats.deal_rows(rows)

    def _seen(self, observations: np.ndarray) -> Any:
        if self._plain:
            return observations.copy()
        return {"observation": observations.copy(), "action_mask": self.seats.mask.copy()}

    def _infos(self, ended: np.ndarray | None = None) -> dict[str, Any]:
        every = np.ones(self.num_envs, bool)
        infos: dict[str, Any] = {"action_mask": self.seats.mask.copy(), "_action_mask": every}
        infos |= {"seat": self.seats.learner.copy(), "_seat": every.copy()}
        if ended is None or not ended.any():
            return infos
        infos |= {"returns": self.seats.final_returns.copy(), "_returns": ended}
        if self._same_step:
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(ended):
                features = self.seats.final_obs[i].copy()
                no_mask = np.zeros(self.game.spec.num_actions, np.int8)
                final[i] = features if self._plain else {"observation": features, "action_mask": no_mask}
            infos |= {"final_obs": final, "_final_obs": ended.copy()}
        return infos

    def action_masks(self) -> np.ndarray:
        """bool (n, A): True is legal for the learners now."""
        return self.seats.mask != 0

    def render(self) -> tuple[np.ndarray, ...] | None:
        """Pictures uint8 (H, W, 3) of the first tables, 16 at most, each as its learner sees it now."""
        if self.render_mode is None:
            return None
        if not self._has_reset:
            raise RuntimeError("render() needs games: call reset() first")
        shown = range(min(self.num_envs, MOST_PICTURES))
        scenes = (self.game.scene(self.seats.state(i), int(self.seats.learner[i])) for i in shown)
        return tuple(self._screen.show(scene) for scene in scenes)  # type: ignore[misc]

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self.seats.close()
