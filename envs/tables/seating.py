"""Agents round many tables of one game.

Those with a compiled form (random, heuristics, small networks) play inside the compiled loop; the others are asked in
batches, all tables that wait for them at once.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from ..core.compiler import driver, rule
from ..core.contract import Observation, Rules
from ..core.drivers import random_legal
from ..core.game import Game
from ..core.spec import GameSpec, Settings
from . import no_heuristic
from .perceptron import NetworkBank, choose_by_network

# Who decides at a seat, as a number: 0 somebody outside (the learner), -1 - k the k-th agent asked in Python, else
OUTSIDE = 0
RANDOM = 1
ABSENT = -(2**31)  # nobody: the agent cannot play that seat's role
HEURISTIC = 2  # + strength
GREEDY = 100  # + network
SAMPLED = 10_000  # + network


@dataclass(frozen=True)
class Bot:
    """The compiled form of an agent, its attribute ``bot``: exactly one of random, a strength, networks.

    ``module`` names the module of the game's heuristics, with a compiled ``choose(observation, mask, starts, strength,
    chance)``;
    ``networks.of(role)`` is the perceptron, as the core's bank takes it, that plays a role, or None; ``greedy`` whether
    they take their likeliest action or draw one by its probabilities.
    """

    random: bool = False
    module: str | None = None
    strength: int | None = None
    networks: Any = None
    greedy: bool = True


def block_starts(spec: GameSpec, settings: Settings) -> np.ndarray:
    """Where the observation's blocks start, int64 (blocks + 1,), the last entry its length."""
    slices = spec.observation_slices(settings)
    return np.array([place.start for place in slices.values()] + [spec.observation_size(settings)], np.int64)


@rule
def decide(bot, view, s, seat, controller, observation, mask, starts, plans, values, scratch, chance):
    """What a compiled agent does; writes the observation if it needs one."""
    if controller == RANDOM:
        return random_legal(chance, mask)
    view.observe(s, seat, observation)
    if controller >= SAMPLED:
        plan = plans[controller - SAMPLED]
        return choose_by_network(plan, values, observation, mask, scratch, False, chance)
    if controller >= GREEDY:
        plan = plans[controller - GREEDY]
        return choose_by_network(plan, values, observation, mask, scratch, True, chance)
    return bot.choose(observation, mask, starts, controller - HEURISTIC, chance)


@driver
def play_tables(rules, view, bot):
    """Plays the games ``which`` on until each is over or waits for somebody who is not compiled.

    Applies ``actions[i]`` first where ``due[i]``; ``waiting[i]`` tells afterwards: 1 over, OUTSIDE or a negative
    number whose turn it is, with ``seats``, mask and observation written; 2 a compiled agent's action was illegal
    (``seats``, ``actions`` say which). ``lengths`` counts decisions.
    """

    def run(
        states,
        which,
        actions,
        due,
        controllers,
        observations,
        masks,
        seats,
        waiting,
        lengths,
        chance,
        starts,
        plans,
        values,
        scratch,
    ):
        for i in which:
            s = states[i]
            mask = masks[i]
            if due[i]:
                rules.apply_action(s, actions[i])
                lengths[i] += 1
                due[i] = False
            waiting[i] = 1
            while not rules.is_terminal(s):
                seat = rules.current_player(s)
                controller = controllers[i, seat]
                rules.legal_actions(s, mask)
                seats[i] = seat
                if controller <= OUTSIDE:
                    view.observe(s, seat, observations[i])
                    waiting[i] = controller
                    break
                action = decide(
                    bot,
                    view,
                    s,
                    seat,
                    controller,
                    observations[i],
                    mask,
                    starts,
                    plans,
                    values,
                    scratch,
                    chance[i],
                )
                if action < 0 or action >= len(mask) or mask[action] == 0:
                    actions[i] = action
                    waiting[i] = 2
                    break
                rules.apply_action(s, action)
                lengths[i] += 1

    return run


class Seating:
    """The agents who may sit at the tables of one game, each known by its controller number.

    An agent has ``name`` and ``act(observations, masks, rng)``; one with a ``bot`` plays in the compiled loop. Agent k
    can be replaced later by another of its kind that plays the same roles (``replace``), as pools of snapshots do.
    """

    def __init__(self, game: Game, settings: Settings, agents: Sequence[Any]):
        self.game, self.settings, self.agents = game, settings, list(agents)
        bots = [getattr(agent, "bot", None) for agent in self.agents]
        modules = {bot.module for bot in bots if bot is not None and bot.module is not None}
        if len(modules) > 1:
            raise ValueError(f"heuristics of several modules at one table: {sorted(modules)}")
        self.heuristics: str = modules.pop() if modules else no_heuristic.__name__
        self.starts = block_starts(game.spec, settings)
        self.roles = np.array(game.spec.seat_roles(settings))
        self.asked: list[Any] = []
        self.networks: list[Any] = []
        # int64 (agents, roles): what an agent is at a seat of each role
        self.controllers = np.array([self._seat(agent, bot) for agent, bot in zip(self.agents, bots, strict=True)])
        self.bank = NetworkBank(self.networks)

    def _seat(self, agent: Any, bot: Bot | None) -> list[int]:
        roles = self.game.spec.roles
        if bot is None:
            self.asked.append(agent)
            return [-len(self.asked)] * len(roles)
        if bot.random:
            return [RANDOM] * len(roles)
        if bot.networks is not None:
            return [self._seat_network(bot.networks.of(role.name), bot.greedy) for role in roles]
        assert bot.strength is not None
        return [HEURISTIC + bot.strength] * len(roles)

    def _seat_network(self, network: Any, greedy: bool) -> int:
        if network is None:
            return ABSENT
        self.networks.append(network)
        return (GREEDY if greedy else SAMPLED) + len(self.networks) - 1

    def controllers_of(self, lineups: np.ndarray) -> np.ndarray:
        """Who decides at every seat, int64 (n, P), for line-ups of agents' numbers (n, P).

        Raises:
            ValueError: an agent is to sit at a seat whose role it has no network for.
        """
        found = self.controllers[lineups, self.roles]
        if (found == ABSENT).any():
            row, seat = (int(place[0]) for place in np.nonzero(found == ABSENT))
            raise ValueError(self._absent(self.agents[lineups[row, seat]], seat))
        return found

    def _absent(self, agent: Any, seat: int) -> str:
        role = self.game.spec.roles[self.roles[seat]].name
        return f"agent {agent.name}: no network for the role {role!r}, which seat {seat} plays"

    @property
    def modules(self) -> tuple[Rules, Observation, ModuleType]:
        """What the drivers over this game's tables close over."""
        return (self.game.spec.rules, self.game.spec.observation, importlib.import_module(self.heuristics))

    def replace(self, k: int, agent: Any) -> None:
        """Seats another agent in place of agent k, at once and also in games under way."""
        kept = [*self.agents[:k], agent, *self.agents[k + 1 :]]
        new = Seating(self.game, self.settings, kept)
        if new.heuristics == no_heuristic.__name__:
            new.heuristics = self.heuristics  # spares compiling the loops anew
        self.__dict__.update(new.__dict__)

    def ask(self, waiting: int, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The actions of the agent asked in Python whose number ``waiting`` is, for rows of observations."""
        agent = self.asked[-1 - waiting]
        actions = np.asarray(agent.act(observations, masks, rng))
        if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
            found = f"{actions.dtype} {actions.shape}"
            raise ValueError(f"agent {agent.name}: {len(masks)} whole numbers are wanted, not {found}")
        return actions.astype(np.int64)
