"""A game as a sampled-stochastic Python game of OpenSpiel."""

from typing import Any

import numpy as np
import pyspiel

from ...core import registry
from ...core.chance import seed_streams
from ...core.game import Game, State
from ...core.spec import GameSpec, Settings
from .observer import Observer
from .parameters import PREFIX, given_for, parameters_of, settings_of

DIGITS, BASE = 3, 256  # a deal is drawn by so many chance nodes, each of which draws a digit of its seed
SLIP = 1e-6  # what payoffs, float32, may be off by
OUTCOMES = [(digit, 1.0 / BASE) for digit in range(BASE)]


def game_type(spec: GameSpec, settings: Settings | None = None) -> pyspiel.GameType:
    """What OpenSpiel knows of a game; with settings, also how it pays then."""
    kinds = pyspiel.GameType
    settled = spec.settings() if settings is None else settings
    fixed = spec.parameters.payoff_sum(settled)
    return kinds(
        short_name=PREFIX + spec.name,
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.SAMPLED_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if fixed == 0 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS if fixed is None else kinds.RewardModel.TERMINAL,
        max_num_players=spec.max_players + len(spec.extra_roles),
        min_num_players=spec.min_players + len(spec.extra_roles),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(spec),
    )


def game_info(spec: GameSpec, settings: Settings, outcomes: int) -> pyspiel.GameInfo:
    """Sizes and bounds of a game with these settings."""
    low, high = spec.parameters.payoff_bounds(settings)
    fixed = spec.parameters.payoff_sum(settings)
    return pyspiel.GameInfo(
        num_distinct_actions=spec.num_actions,
        max_chance_outcomes=outcomes,
        num_players=spec.num_seats(settings),
        min_utility=float(low) - SLIP,
        max_utility=float(high) + SLIP,
        **({} if fixed is None else {"utility_sum": float(fixed)}),
        max_game_length=int(spec.parameters.length_bound(settings)),
    )


class SpielGame(pyspiel.Game):
    """One of our games with its parameters; made by ``pyspiel.load_game``, or by ``of(game, settings)``.

    Three chance nodes draw the digits, from 0 to 255, of the seed that deals; later chance comes from the state's own
    stream. So the same history is the same game, and a state stands for itself when it is copied or serialised.
    """

    poopdeck: Game  # set by register_games, in a class for each game

    def __init__(self, params: dict[str, Any] | None = None):
        spec = self.poopdeck.spec
        self.settings = settings_of(spec, params or {})
        super().__init__(game_type(spec, self.settings), game_info(spec, self.settings, BASE), params or {})

    @staticmethod
    def of(game: Game, settings: Settings) -> "SpielGame":
        """The OpenSpiel game of a game with these settings."""
        return pyspiel.load_game(PREFIX + game.spec.name, given_for(game.spec, settings))

    def new_initial_state(self, *_: Any) -> "SpielState":
        """Before the deal."""
        return SpielState(self)

    def state_at(self, position: State) -> "SpielState":
        """A state that stands at a position; its history is empty."""
        state = SpielState(self)
        state.position = self.poopdeck.clone(position)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Observations of one player; ValueError for perfect recall or others' knowledge, which are not offered."""
        return Observer(self.poopdeck.spec, self.settings, iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position; ``position`` is ours, None before the deal. Serialising and pickling carry the chance stream."""

    def __init__(self, game: Any):
        super().__init__(game)
        self._name, self._settings = game.poopdeck.spec.name, game.settings
        self._digits: list[int] = []
        self.position: State | None = None
        self._paid = np.zeros(game.num_players())

    @property
    def poopdeck(self) -> Game:
        """The rules."""
        return registry.game(self._name)

    def __reduce__(self) -> tuple:
        game = self.get_game()
        return _restored, (game.get_type().short_name, game.get_parameters(), self.serialize())

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's numbers for chance and the end."""
        if self.position is None:
            return pyspiel.PlayerId.CHANCE
        seat = self.poopdeck.current_player(self.position)
        return seat if seat >= 0 else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        if self.position is None or player != self.poopdeck.current_player(self.position):
            return []
        return self.poopdeck.legal_actions(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next digit of the seed."""
        return OUTCOMES

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._digits.append(int(action))
            if len(self._digits) == DIGITS:
                seed = sum(digit * BASE**place for place, digit in enumerate(reversed(self._digits)))
                self.position = self._dealt(seed)
            return
        self._paid = np.array(self.returns())
        self.poopdeck.apply_action(self.position, int(action))

    def _dealt(self, seed: int) -> State:
        records = self.poopdeck.empty_states(self._settings, 1)
        records["rng"] = seed_streams(seed, 1)
        self.poopdeck.deal(records)
        return State.of_own(records, dict(self._settings), seed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"digit {action} of the deal's seed"
        return self.poopdeck.action_name(int(action), self._settings)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.poopdeck.is_terminal(self.position)

    def returns(self) -> list[float]:
        """Payoffs so far."""
        if self.position is None:
            return [0.0] * len(self._paid)
        return self._exact(self.poopdeck.returns(self.position).astype(float)).tolist()

    def rewards(self) -> list[float]:
        """What the last action paid."""
        return (np.array(self.returns()) - self._paid).tolist()

    def _exact(self, paid: np.ndarray) -> np.ndarray:
        """Payoffs without what float32 has rounded away of a sum of 0, which OpenSpiel wants to nine places."""
        slip = paid.mean()
        return paid - slip if abs(slip) < SLIP else paid

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> "SpielState":
        """A copy in which all that a player cannot know is dealt anew, its later chance too."""
        twin = self.clone()
        if self.position is not None:
            seed = int(probability_sampler() * 2**53)
            twin.position = self.poopdeck.resample(self.position, player_id, seed)
        return twin

    def __str__(self) -> str:
        if self.position is None:
            return f"before the deal, digits of its seed {self._digits}"
        return self.poopdeck.describe(self.position)


def _restored(name: str, parameters: dict[str, Any], text: str) -> Any:
    return pyspiel.load_game(name, parameters).deserialize_state(text)


def register_games() -> None:
    """Registers every game of the registry, installed ones included."""
    known = pyspiel.registered_names()
    for name in registry.names():
        game = registry.game(name)
        kind = game_type(game.spec)
        if kind.short_name not in known:
            made = type(f"Spiel_{name}", (SpielGame,), {"poopdeck": game, "__doc__": game.spec.summary})
            pyspiel.register_game(kind, made)
