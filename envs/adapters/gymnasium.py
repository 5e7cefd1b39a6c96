"""One learning seat at one table, as a Gymnasium environment."""

import copy
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from ..core.errors import GameOverError
from ..core.game import Game
from ..core.numbers import whole_number
from ..tables.kernel import FOR_LEARNER
from ..tables.seat import SeatTables
from ..tables.truncation import FOR_LEARNERS, TruncatedAs
from . import spaces
from .arguments import read_parameters
from .screen import RENDER_MODES, Screen


class SeatEnv(gymnasium.Env):
    """A learner against agents who play the other seats inside ``step``; its seat is drawn for every game.

    Observation ``{"observation": float32[D], "action_mask": int8[A]}``, the mask also in ``info`` and by
    ``action_masks()`` as sb3-contrib asks for it; with ``observation="features"`` it is there only, and an observation
    is the array float32[D], as in ``make_sb3``. ``opponents`` as in SeatTables. The reward is all that came to the
    learner since its last decision. A game that the decision cap ended counts as ``truncated_as`` says: with "payoff"
    it is truncated for Gymnasium, too, else it is an end like any other.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: Game,
        opponents: Sequence[Any],
        num_players: int | None = None,
        *,
        truncated_as: TruncatedAs = FOR_LEARNERS,
        learner_seats: Sequence[int] | None = None,
        render_mode: str | None = None,
        observation: spaces.ObservationForm = "masked",
        **parameters: Any,
    ):
        self._screen = Screen(render_mode)
        self.game, self.render_mode = game, render_mode
        settings = read_parameters(SeatEnv, game.spec, num_players, parameters)
        self.seats = SeatTables(
            game,
            1,
            opponents,
            truncated_as=truncated_as,
            learner_seats=learner_seats,
            deal_on=False,
            **settings,
        )
        self._plain = spaces.check_form(observation)
        self.observation_space = (spaces.features if self._plain else spaces.masked)(game.spec, self.seats.settings)
        self.action_space = spaces.LegalActions(self.seats.mask[0], self._first_mask)
        self._running = False
        self._over = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deals a new game and lets the others play until the learner is to act."""
        super().reset(seed=seed)
        assert isinstance(self.action_space, spaces.LegalActions)
        self.action_space.forget_seed()
        self.seats.reset(seed)
        while self.seats.tables["waiting"][0] != FOR_LEARNER:  # over before the learner's first decision
            self.seats.reset()
        self._running, self._over = True, False
        if self.render_mode == "human":
            self.render()
        return self._seen(self.seats.obs), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action of the learner; IllegalActionError if it is not legal, nothing has changed then."""
        if not self._running:
            raise RuntimeError("step() needs a game: call reset() first")
        if self._over:
            raise GameOverError(f"{self.game.spec.id}, reset() deals anew")
        number = whole_number(action)
        if number < 0:
            agent = self.game.spec.agent_names(self.seats.settings)[self.learner]
            legal = np.flatnonzero(self.seats.mask[0]).tolist()
            raise self.game.spec.illegal_action(self.seats.settings, agent, action, legal)
        self.seats.step(np.array([number]))
        table = self.seats.tables[0]
        self._over = bool(table["ended"])
        truncated = self._over and bool(table["truncated"]) and self.seats.truncated_as == "payoff"
        seen = self._seen(self.seats.final_obs if self._over else self.seats.obs)
        if self.render_mode == "human":
            self.render()
        return seen, float(self.seats.rewards[0, self.learner]), self._over and not truncated, truncated, self._info()

    def _first_mask(self, seed: int) -> np.ndarray:
        ahead = copy.deepcopy(self.seats)
        ahead.reset(seed)
        return ahead.mask[0]

    @property
    def learner(self) -> int:
        """The learner's seat in this game."""
        return int(self.seats.learner[0])

    def _seen(self, observations: np.ndarray) -> Any:
        if self._plain:
            return observations[0].copy()
        return {"observation": observations[0].copy(), "action_mask": self.seats.mask[0].copy()}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.seats.mask[0].copy(), "seat": self.learner}
        if self._over:
            info["returns"] = self.seats.final_returns[0].copy()
        return info

    def action_masks(self) -> np.ndarray:
        """bool (A,): True is legal for the learner now."""
        return self.seats.mask[0] != 0

    def render(self) -> Any:
        """The table as the learner sees it: text, a picture uint8 (H, W, 3), or shown in a window."""
        if not self._running:
            raise RuntimeError("render() needs a game: call reset() first")
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: give one when making the environment")
            return None
        return self._screen.show(self.game.scene(self.seats.state(0), self.learner))

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()
        self.seats.close()
