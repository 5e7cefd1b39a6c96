"""A small game with all of its chance in one deal, for OpenSpiel's exact algorithms."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from ...core.game import State
from .game import SpielState, game_info, game_type
from .observer import Observer

SHORT_NAME = "explicit"


class ExplicitGame(pyspiel.Game):
    """A game of ours that begins at one of few positions, drawn by a chance node; nothing is drawn after it.

    ``positions`` are states of one game with equal settings, all at their beginning for the players' knowledge;
    ``probabilities`` by default the same for all. What a shuffle would draw later is part of a position, in its chance
    stream. An information state is what its player saw and did since the deal, so recall is perfect.

    Raises:
        ValueError: no positions, positions of different settings, or probabilities that are none.
    """

    def __init__(self, game: Any, positions: Sequence[State], probabilities: Sequence[float] | None = None):
        self.poopdeck, self.positions = game, [game.clone(position) for position in positions]
        if not self.positions:
            raise ValueError("positions: one or more are wanted")
        self.settings = dict(self.positions[0].settings)
        if any(position.settings != self.settings for position in self.positions):
            raise ValueError("positions: all must have the same settings")
        count = len(self.positions)
        self.probabilities = [1.0 / count] * count if probabilities is None else [float(p) for p in probabilities]
        if len(self.probabilities) != count or min(self.probabilities) <= 0 or abs(sum(self.probabilities) - 1) > 1e-9:
            raise ValueError(f"probabilities: {count} above 0 with a sum of 1 are wanted")
        super().__init__(self._type(), game_info(game.spec, self.settings, count), {})

    def _type(self) -> pyspiel.GameType:
        kinds, base = pyspiel.GameType, game_type(self.poopdeck.spec, self.settings)
        return kinds(
            short_name=f"{base.short_name}_{SHORT_NAME}",
            long_name=f"{base.long_name}, few deals",
            dynamics=base.dynamics,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=base.information,
            utility=base.utility,
            reward_model=base.reward_model,
            max_num_players=base.max_num_players,
            min_num_players=base.min_num_players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            default_loadable=False,
        )

    def new_initial_state(self, *_: Any) -> "ExplicitState":
        """Before the deal."""
        return ExplicitState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Observations, or information states where perfect recall is asked for."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return RecallObserver()
        return Observer(self.poopdeck.spec, self.settings, iig_obs_type, params)


class ExplicitState(SpielState):
    """A position with the course of its game."""

    def __init__(self, game: ExplicitGame):
        super().__init__(game)
        self._deals, self._chances = game.positions, game.probabilities
        self._course: list[list[str]] = [[] for _ in range(game.num_players())]

    def __deepcopy__(self, memo: dict) -> "ExplicitState":
        return self.clone()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals."""
        return list(enumerate(self._chances))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._digits.append(int(action))
            self.position = self.poopdeck.clone(self._deals[int(action)])
        else:
            self._course[self.current_player()].append(f"does {action}")
            super()._apply_action(action)
        for player, course in enumerate(self._course):
            seen = hashlib.blake2b(
                self.poopdeck.observation(self.position, player).tobytes(), digest_size=8
            ).hexdigest()
            if seen not in course[-1:]:
                course.append(seen)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else super()._action_to_string(player, action)

    def course_of(self, player: int) -> str:
        """What a player saw and did."""
        return f"seat {player}: " + ", ".join(self._course[player])

    def __str__(self) -> str:
        return f"deal {self._digits}, actions {self.history()}"


class RecallObserver:
    """Information states as strings."""

    def __init__(self) -> None:
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}

    def set_from(self, state: ExplicitState, player: int) -> None:
        """There is no tensor of an information state."""

    def string_from(self, state: ExplicitState, player: int) -> str:
        """What the player saw and did."""
        return state.course_of(player)
