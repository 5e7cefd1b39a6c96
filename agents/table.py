"""Agents round many tables of one game.

Those with a compiled form (random, heuristics, small networks) play inside the compiled loop; the others are asked in
batches, all tables that wait for them at once.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..envs.core.compiler import driver, rule
from ..envs.core.drivers import random_legal
from ..envs.core.game import Game
from ..envs.core.spec import Settings
from .base import Agent, Bot, bot_of
from .heuristic.agent import block_starts, heuristic_module
from .neural.network import Network, NetworkBank, choose_by_network

# Who decides at a seat, as a number: 0 somebody outside (the learner), -1 - k the k-th agent asked in Python, else
OUTSIDE = 0
RANDOM = 1
HEURISTIC = 2  # + strength
GREEDY = 100  # + network
SAMPLED = 10_000  # + network


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
    """The agents who may sit at the tables of one game, each known by its controller number."""

    def __init__(self, game: Game, settings: Settings, agents: Sequence[Agent]):
        self.game, self.settings, self.agents = game, settings, list(agents)
        self.module = heuristic_module(game.spec)
        self.starts = block_starts(game.spec, settings)
        self.controllers: list[int] = []
        self.asked: list[Agent] = []
        self.networks: list[Network] = []
        for agent in self.agents:
            self.controllers.append(self._seat(agent))
        self.bank = NetworkBank(self.networks)

    def _seat(self, agent: Agent) -> int:
        bot: Bot | None = bot_of(agent)
        if bot is None:
            self.asked.append(agent)
            return -len(self.asked)
        if bot.random:
            return RANDOM
        if bot.network is not None:
            self.networks.append(bot.network)
            return (GREEDY if bot.greedy else SAMPLED) + len(self.networks) - 1
        assert bot.strength is not None
        return HEURISTIC + bot.strength

    @property
    def modules(self) -> tuple[Any, Any, Any]:
        """What the drivers over this game's tables close over."""
        return (self.game.spec.rules, self.game.spec.view, self.module)

    def ask(
        self, waiting: int, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """The actions of the agent asked in Python whose number ``waiting`` is, for rows of observations."""
        actions = np.asarray(self.asked[-1 - waiting].act(observations, masks, rng))
        if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
            name = self.asked[-1 - waiting].name
            raise ValueError(
                f"agent {name}: {len(masks)} whole numbers are wanted, not {actions.dtype} {actions.shape}"
            )
        return actions.astype(np.int64)
