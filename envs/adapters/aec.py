"""A game as PettingZoo's AEC environment.

PettingZoo's usual wrappers cost more than the game: they look every attribute up through Python. Their checks
(order of calls, bounds, legality) are made in here, just as strictly.
"""

from typing import Any

import numpy as np
from gymnasium import spaces as gym_spaces
from pettingzoo.utils.env import AECEnv

from ..core import drivers, registry
from ..core.chance import fresh_seed, seed_streams
from ..core.drivers import PAID
from ..core.errors import GameOverError
from ..core.game import Game, State, copied
from ..core.numbers import whole_number
from ..core.starting import settle
from ..tables.truncation import FOR_ALL_SEATS, TruncatedAs, check_truncated_as, counted_returns
from . import spaces
from .arguments import read_parameters
from .resets import load_fitting, read_options
from .screen import RENDER_MODES, Screen


class MadeByReset:
    """An attribute that is there from ``reset`` on, and says so before.

    A ``__getattr__`` would make every look at an attribute slow, the fast code of Python 3.11 is for classes without.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, env: Any, owner: type | None = None) -> Any:
        raise AttributeError(f"{self.name} cannot be accessed before reset()")


class GameEnv(AECEnv[str, Any, int]):
    """One table; the agents ``player_0``, ``player_1``, ... act when the rules ask them to.

    An observation is ``{"observation": float32[D], "action_mask": int8[A]}``; the mask, all zeros for a seat that is
    not to act, is in ``infos[agent]["action_mask"]`` too, and by ``action_masks()``. With ``observation="features"`` it
    is there only, and an observation is the array float32[D]. Payoffs come to every seat when the game ends (or, where
    the parameters say so, a round). ``render_mode`` is None, "ansi", "rgb_array" or "human";
    ``truncated_as`` says what a truncated game counts as, "payoff" (what the environment pays), "ranked" or "loss".

    Raises:
        ValueError: a parameter that is not allowed.
        IllegalActionError: from ``step``, for an action that is not legal; nothing has changed then.
        GameOverError: from ``step``, when all agents are done.
    """

    agents: Any = MadeByReset()
    agent_selection: Any = MadeByReset()
    rewards: Any = MadeByReset()
    terminations: Any = MadeByReset()
    truncations: Any = MadeByReset()
    infos: Any = MadeByReset()

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
        self.game = game
        self.settings = read_parameters(GameEnv, game.spec, num_players, parameters)
        self.render_mode = render_mode
        self.truncated_as = check_truncated_as(truncated_as)
        spec = game.spec
        self.metadata = {
            "name": f"{spec.name}_v{spec.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = spec.agent_names(self.settings)
        self._records = game.empty_states(self.settings, 1)
        self._seeded = False
        self._seed: int | None = None
        self._has_reset = False
        self._plain = spaces.check_form(observation)
        space = (spaces.features if self._plain else spaces.masked)(spec, self.settings)
        actions = spaces.actions(spec)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        features = spec.observation_size(self.settings)
        seats = len(self.possible_agents)
        self.state_space = spaces.all_seats(spec, self.settings)
        self._observation = np.zeros(features, np.float32)
        self._mask = np.zeros(spec.num_actions, np.int8)
        self._no_mask = np.zeros(spec.num_actions, np.int8)
        self._totals = np.zeros(seats, np.float32)
        self._now = np.zeros(seats, np.float32)
        self._bind()

    def _bind(self) -> None:
        modules = (self.game.spec.rules, self.game.spec.observation)
        self._turn = drivers.turn(*modules)
        self._observe = drivers.observe(*modules)
        self._deal = drivers.deal(*modules)
        self._look = drivers.look(*modules)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for name in ("_turn", "_observe", "_deal", "_look", "_seats"):
            del kept[name]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    @property
    def num_agents(self) -> int:
        """Agents that are not done."""
        if not self._has_reset:
            raise AttributeError("num_agents cannot be accessed before reset()")
        return len(self.agents)

    def _need_reset(self, what: str) -> None:
        if not self._has_reset:
            raise RuntimeError(f"{what} needs a game: call reset() first")

    def observation_space(self, agent: str) -> gym_spaces.Space:
        """The same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gym_spaces.Space:
        """The same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game.

        ``seed``, a whole number from 0, starts the environment's own chance stream; without it the stream goes on.
        ``options={"scenario": {...}}`` sets up that position instead of dealing; its parameters must be those of this
        environment. A game's ``labels`` are options, too; a label stays in the following games until another is given,
        or a scenario is set up.
        """
        settle(self, [self._records.dtype])
        scenario, labels = read_options(self.game.spec, options)
        if scenario is not None:
            state = load_fitting(self.game, self.settings, scenario, seed)
            self._records[:] = state.records
            self._seed, self._seeded = state.seed, True
        else:
            if seed is not None or not self._seeded:
                self._seed = fresh_seed() if seed is None else seed
                self._records["rng"] = seed_streams(self._seed, 1)
                self._seeded = True
            self._deal(self._records, 0)
        for name, value in labels.items():
            self._records[name] = value
        self._begin()

    def _begin(self) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self._has_reset = True
        self._over = False
        self._paid = False
        seat = self._look(self._records, 0, self._mask, self._totals) >> drivers.SEAT_SHIFT
        self._acting = seat
        if seat < 0:  # a scenario of a finished game
            self.agent_selection = self.agents[0]
            self._end()
        else:
            self._observe(self._records, 0, seat, self._observation)
            self.agent_selection = self.possible_agents[seat]
            self.infos[self.agent_selection] = {"action_mask": self._mask.copy()}
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last decision, terminated, truncated and info of the agent to act."""
        if not self._has_reset:
            self._need_reset("last()")
        agent = self.agent_selection
        seen = None
        if observe:
            if self._over:
                seen = self.observe(agent)
            elif self._plain:
                seen = self._observation.copy()
            else:
                seen = {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def action_masks(self) -> np.ndarray:
        """bool (A,): True is legal for the agent to act; all False when the game is over."""
        self._need_reset("action_masks()")
        return self._mask != 0

    def observe(self, agent: str) -> Any:
        """What any agent sees now; KeyError for a name that is none."""
        self._need_reset("observe()")
        seat = self._seats[agent]
        if seat == self._acting:
            out, mask = self._observation.copy(), self._mask
        else:
            out, mask = np.zeros(len(self._observation), np.float32), self._no_mask
            self._observe(self._records, 0, seat, out)
        return out if self._plain else {"observation": out, "action_mask": mask.copy()}

    def step(self, action: int | None) -> None:
        """Plays an action of ``agent_selection``; None for an agent whose game is over."""
        if not self._has_reset:
            self._need_reset("step()")
        if self._over:
            if not self.agents:
                raise GameOverError(f"{self.metadata['name']}, reset() deals anew")
            self._leave(action)
            return
        mask = self._mask
        number = whole_number(action)
        if not 0 <= number < len(mask) or not mask[number]:
            legal = np.flatnonzero(mask).tolist()
            raise self.game.spec.illegal_action(self.settings, self.agent_selection, action, legal)
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        seat = self._turn(self._records, 0, number, mask, self._observation, self._totals, self._now)
        self.infos[agent] = {"action_mask": self._no_mask.copy()}
        paid = seat >= PAID - 1
        if paid:
            seat -= PAID
        if seat < 0 and self.truncated_as != "payoff":
            paid |= self._count_truncated()
        if paid:
            self._pay()
        self._acting = seat
        if seat < 0:
            self._end()
        else:
            self.agent_selection = agent = self.possible_agents[seat]
            self.infos[agent] = {"action_mask": mask.copy()}
        if self.render_mode == "human":
            self.render()

    def _leave(self, action: int | None) -> None:
        """What PettingZoo's ``_was_dead_step`` does, where all agents are done at once."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        for kept in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del kept[agent]  # type: ignore[attr-defined]
        agents = self.agents
        agents.remove(agent)
        if agents:
            self.agent_selection = agents[0]
        if self._paid:
            self._clear_rewards()
            self._paid = False

    def _pay(self) -> None:
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(self._now[seat] - self._totals[seat])
        self._totals[:] = self._now
        self._accumulate_rewards()
        self._paid = True

    def _count_truncated(self) -> bool:
        """If the game that is over was truncated, what it counts as becomes the returns to pay."""
        state = State(self._records, self.settings, self._seed)
        truncated = self.game.is_truncated(state)
        if truncated:
            self._now[:] = counted_returns(self.game, state, self.truncated_as)
        return truncated

    def _end(self) -> None:
        self._over = True
        status = self._look(self._records, 0, self._mask, self._totals) & drivers.STATUS
        truncated = status == 2 and self.truncated_as == "payoff"
        for agent in self.agents:
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self.agent_selection = self.agents[0]

    def state(self) -> np.ndarray:
        """The observations of all seats, float32[seats * D], for a critic that sees everything."""
        self._need_reset("state()")
        out = np.zeros((len(self.possible_agents), len(self._observation)), np.float32)
        for seat in range(len(out)):
            self._observe(self._records, 0, seat, out[seat])
        return out.reshape(-1)

    def snapshot(self) -> State:
        """A copy of the true position, for the plain interface (scenarios, replays); not for agents."""
        self._need_reset("snapshot()")
        return State(copied(self._records), self.settings, self._seed)

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """The table as the seat to act sees it: text, a picture uint8 (H, W, 3), or shown in a window."""
        self._need_reset("render()")
        if self.render_mode is None:
            raise ValueError("render() needs an environment made with render_mode='ansi', 'rgb_array' or 'human'")
        return self._screen.show(self.game.scene(self.snapshot(), max(self._acting, 0)))

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._screen.close()


def make(name: str, **parameters: Any) -> GameEnv:
    """The AEC environment of a game, by name or id."""
    return GameEnv(registry.game(name), **parameters)
