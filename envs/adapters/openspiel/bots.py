"""OpenSpiel's bots among our agents, and our agents among its bots."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from ...tables.context import Context, ask_about
from .game import SpielGame


class BotAgent:
    """An OpenSpiel bot as an agent, for evaluations, tournaments and tables of ours.

    ``make(game)`` makes the bot for a ``SpielGame``. It is asked by its ``step`` for positions in which all that its
    seat cannot know was dealt anew, so that it cannot see others' cards; it hears of no other player's actions.
    """

    def __init__(self, make: Callable[[SpielGame], Any], name: str = "openspiel bot"):
        self.name, self._make = name, make
        self._bots: dict[str, tuple[SpielGame, Any]] = {}

    def act_in(self, context: Context) -> np.ndarray:
        """What the bot does in every row."""
        key = repr((context.game, sorted(context.settings.items(), key=lambda entry: entry[0])))
        if key not in self._bots:
            game = SpielGame.of(context.game, context.settings)
            self._bots[key] = game, self._make(game)
        game, bot = self._bots[key]
        seeds = context.rng.integers(2**32, size=len(context.seats))
        states = [game.state_at(context.deal(row, 1, int(seed))[0]) for row, seed in enumerate(seeds)]
        return np.array([bot.step(state) for state in states], np.int64)


class AgentBot(pyspiel.Bot):
    """An agent of ours as an OpenSpiel bot, for states of our games; ``seed`` of its random choices."""

    def __init__(self, agent: Any, seed: int | None = None):
        super().__init__()
        self.agent = agent
        self._rng = np.random.default_rng(seed)
        self._new_game = True

    def restart(self) -> None:
        """A new game begins."""
        self._new_game = True

    def restart_at(self, state: Any) -> None:
        """A new game begins at a state."""
        self._new_game = True

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Others' actions are of no use to it: it sees what they led to."""

    def step(self, state: Any) -> int:
        """The agent's action at the seat to act."""
        action = ask_about(self.agent, state.poopdeck, state.position, self._rng, self._new_game)
        self._new_game = False
        return action
