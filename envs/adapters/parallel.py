"""A game as PettingZoo's parallel environment: all seats that choose at the same moment act in one step.

The rules ask seat by seat; where a game says that several choose unseen by each other (its ``simultaneous``), they
are asked together here. A choice is handed to the rules as soon as all before it are there, so both environments play
the same game.
"""

from typing import Any

import numpy as np
from gymnasium import spaces as gym_spaces
from pettingzoo.utils.env import ParallelEnv

from ..core import registry
from ..core.chance import fresh_seed, seed_streams
from ..core.errors import GameOverError
from ..core.game import Game, State
from ..core.numbers import whole_number
from ..tables.truncation import FOR_ALL_SEATS, TruncatedAs, check_truncated_as, counted_returns
from . import spaces
from .arguments import read_parameters
from .resets import load_fitting, read_options
from .screen import RENDER_MODES, Screen


class ParallelGameEnv(ParallelEnv[str, Any, int]):
    """One table; every agent acts in every step, those who have nothing to choose with the no-op.

    An observation is ``{"observation": float32[D], "action_mask": int8[A + 1]}``: the game's actions, then the no-op,
    number A, which is the only legal action of an agent that does not choose now, and of nobody else. The mask is in
    ``infos[agent]["action_mask"]`` and by ``action_masks()`` too; with ``observation="features"`` it is there only, and
    an observation is the array float32[D]. All agents stay until the game ends; payoffs come as returns change. What a
    truncated game counts as, ``truncated_as`` says as in the AEC environment.

    Raises:
        ValueError: a parameter that is not allowed, or actions for other agents than all of ``agents``.
        IllegalActionError: from ``step``, for an action that is not legal; nothing has changed then.
        GameOverError: from ``step``, when the game is over.
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        *,
        render_mode: str | None = None,
        observation: spaces.ObservationForm = "masked",
        truncated_as: TruncatedAs = FOR_ALL_SEATS,
        **parameters: Any,
    ) -> None:
        self._screen = Screen(render_mode)
        self.game, self.render_mode = game, render_mode
        self.truncated_as = check_truncated_as(truncated_as)
        self.settings = read_parameters(ParallelGameEnv, game.spec, num_players, parameters)
        spec = game.spec
        name = f"{spec.name}_v{spec.version}"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "render_fps": 2}
        self.possible_agents = spec.agent_names(self.settings)
        self.agents: list[str] = []
        self.no_op = spec.num_actions
        self._plain = spaces.check_form(observation)
        masks = gym_spaces.Box(0, 1, (spec.num_actions + 1,), np.int8)
        space: gym_spaces.Space = spaces.features(spec, self.settings)
        if not self._plain:
            space = gym_spaces.Dict({"observation": space, "action_mask": masks})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Actions(spec.num_actions + 1))
        self.state_space = spaces.all_seats(spec, self.settings)
        self._state: State | None = None
        self._kept: dict[int, list[int]] = {}  # by seat: choices of this moment that the rules have not taken yet

    def observation_space(self, agent: str) -> gym_spaces.Space:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym_spaces.Space:
        """The same object at every call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deals a new game; seed and options as in the AEC environment.

        Raises:
            ValueError: a scenario that cannot be, or with other parameters than this environment's; a wrong label.
        """
        scenario, labels = read_options(self.game.spec, options)
        if scenario is not None:
            self._state = load_fitting(self.game, self.settings, scenario, seed)
        else:
            if seed is not None or self._state is None:
                seed = fresh_seed() if seed is None else seed
                records = self.game.empty_states(self.settings, 1) if self._state is None else self._state.records
                records["rng"] = seed_streams(seed, 1)
                self._state = State(records, self.settings, int(seed))
            self.game.deal(self._state.records)
        for name, value in labels.items():
            self._state.records[name] = value
        self._state = self.game.clone(self._state)  # nobody else holds the record of this one
        self.agents, self._kept = list(self.possible_agents), {}
        self._totals = self.game.returns(self._state)
        seen, infos = self._look()
        if self.render_mode == "human":
            self.render()
        return seen, infos

    def step(self, actions: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        """One action of every agent; observations, rewards, terminations, truncations, infos of all of them."""
        state = self._running("step()")
        if not self.agents:
            raise GameOverError(f"{self.metadata['name']}, reset() deals anew")
        if set(actions) != set(self.agents):
            raise ValueError(f"actions for {sorted(actions)}: one for each of {', '.join(self.agents)} is wanted")
        chosen = [self._checked(agent, seat, actions[agent]) for seat, agent in enumerate(self.possible_agents)]
        for seat, number in enumerate(chosen):
            if number != self.no_op:
                self._kept.setdefault(seat, []).append(number)
        while (seat := self.game.current_player(state)) >= 0 and self._kept.get(seat):
            self.game.apply_action(state, self._kept[seat].pop(0))
        over, truncated = self.game.is_terminal(state), self.game.is_truncated(state)
        now = counted_returns(self.game, state, self.truncated_as) if truncated else self.game.returns(state)
        truncated &= self.truncated_as == "payoff"
        rewards = {agent: float(now[k] - self._totals[k]) for k, agent in enumerate(self.possible_agents)}
        self._totals = now
        seen, infos = self._look()
        ends = dict.fromkeys(self.agents, over and not truncated), dict.fromkeys(self.agents, truncated)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, *ends, infos

    def _checked(self, agent: str, seat: int, action: Any) -> int:
        """The number of a legal action; IllegalActionError for any other."""
        mask, number = self._masks[seat], whole_number(action)
        if 0 <= number < len(mask) and mask[number]:
            return number
        if mask[self.no_op]:
            raise self.game.spec.illegal_action(self.settings, f"{agent} (who does not choose now)", action, [])
        raise self.game.spec.illegal_action(self.settings, agent, action, np.flatnonzero(mask).tolist())

    def action_masks(self) -> dict[str, np.ndarray]:
        """bool (A + 1,) for every agent: True is legal for it in the next step."""
        self._running("action_masks()")
        return {agent: self._masks[seat] != 0 for seat, agent in enumerate(self.possible_agents)}

    def _look(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """What every agent sees, its mask included."""
        state = self._running("a look")
        self._masks = np.zeros((len(self.possible_agents), self.no_op + 1), np.int8)
        seen: dict[str, Any] = {}
        infos = {}
        acting, (seats, made) = self.game.current_player(state), simultaneous(self.game, state)
        for seat, agent in enumerate(self.possible_agents):
            asked = state if seat == acting else self._ahead(state, seat, made) if seat in seats else None
            if asked is None:
                self._masks[seat, self.no_op] = 1
            else:
                self._masks[seat, : self.no_op] = self.game.action_mask(asked)
            observation = self.game.observation(asked or state, seat)
            masked = {"observation": observation, "action_mask": self._masks[seat].copy()}
            seen[agent] = observation if self._plain else masked
            infos[agent] = {"action_mask": self._masks[seat].copy()}
        return seen, infos

    def _ahead(self, state: State, seat: int, made: int) -> State | None:
        """The position in which the rules ask a seat in this simultaneous choice, with choices that it cannot see
        taken for granted where they are not made yet; None if it has none left. ``made`` counts those made so far."""
        ahead, kept = self.game.clone(state), {other: list(choices) for other, choices in self._kept.items()}
        while True:
            acting = self.game.current_player(ahead)
            if acting == seat and not kept.get(seat):
                return ahead
            choice = kept[acting].pop(0) if kept.get(acting) else self.game.legal_actions(ahead)[0]
            self.game.apply_action(ahead, choice)
            before, (seats, made) = made, simultaneous(self.game, ahead)
            if made <= before or seat not in seats:
                return None

    def _running(self, what: str) -> State:
        if self._state is None:
            raise RuntimeError(f"{what} needs a game: call reset() first")
        return self._state

    def state(self) -> np.ndarray:
        """The observations of all seats, float32[seats * D], for a critic that sees everything."""
        s = self._running("state()")
        return np.concatenate([self.game.observation(s, seat) for seat in range(len(self.possible_agents))])

    def snapshot(self) -> State:
        """A copy of the true position without the choices that the rules have not taken yet; not for agents."""
        return self.game.clone(self._running("snapshot()"))

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """The table with everything open: text, a picture uint8 (H, W, 3), or shown in a window."""
        if self.render_mode is None:
            raise ValueError("render() needs an environment made with render_mode='ansi', 'rgb_array' or 'human'")
        return self._screen.show(self.game.scene(self._running("render()")))

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()


def simultaneous(game: Game, state: State) -> tuple[tuple[int, ...], int]:
    """The seats that choose in this moment, unseen by each other, in the order in which the rules ask them, and how
    many of its choices are made: what the game says by ``simultaneous(state)``, where it offers that; where it does
    not, or says None, the seat to act is alone.
    """
    said = game.spec.hooks.simultaneous(state)
    if said is not None:
        return said
    acting = game.current_player(state)
    return ((acting,) if acting >= 0 else ()), 0


def make_parallel(name: str, **parameters: Any) -> ParallelGameEnv:
    """The parallel environment of a game, by name or id."""
    return ParallelGameEnv(registry.game(name), **parameters)
