"""A person at a table of agents."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .agents.base import Agent
from .agents.human import HumanAgent
from .envs.core.game import Game, State
from .envs.render import ansi


def play(
    game: Game,
    state: State,
    agents: Sequence[Agent | HumanAgent],
    seed: int = 0,
    show: Callable[[str], None] = print,
    colour: bool = True,
) -> np.ndarray:
    """Plays a state to its end, the people among the agents asked through their own doors; returns the payoffs.

    After each decision of an agent one line tells what it did, as far as everybody sees it.
    """
    rng = np.random.default_rng(seed)
    people = [seat for seat, agent in enumerate(agents) if isinstance(agent, HumanAgent)]
    while not game.is_terminal(state):
        seat = game.current_player(state)
        agent = agents[seat]
        if isinstance(agent, HumanAgent):
            show(ansi.draw(game.scene(state, seat), colour=colour))
            action = agent.choose([(a, game.action_name(a)) for a in game.legal_actions(state)])
        else:
            action = _ask(game, state, seat, agent, rng)
        name = game.spec.agent_names(state.settings)[seat]
        public = game.spec.text.is_public(state, action) or seat in people
        game.apply_action(state, action)
        show(f"{name} ({agent.name}): {game.action_name(action) if public else 'chooses, unseen'}")
    show(ansi.draw(game.scene(state, people[0] if people else None), colour=colour))
    return game.returns(state)


def _ask(game: Game, state: State, seat: int, agent: Any, rng: np.random.Generator) -> int:
    observation = game.observation(state, seat)[None]
    return int(agent.act(observation, game.action_mask(state)[None], rng)[0])
