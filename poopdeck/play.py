"""A person at a table of agents."""

import copy
from collections.abc import Callable, Sequence

import numpy as np

from .agents.base import AnyAgent
from .agents.human import HumanAgent, TakeBack
from .envs.core.game import Game, State
from .envs.core.scene import Scene
from .envs.render import ansi
from .envs.tables.context import ask_about
from .envs.tables.past import PastDecisions, past_wanted
from .training.storage.replay import ReplayWriter, player_facts


def play(
    game: Game,
    state: State,
    agents: Sequence[AnyAgent | HumanAgent],
    seed: int = 0,
    show: Callable[[str], None] = print,
    draw: Callable[[Scene], str] = ansi.draw,
    record: ReplayWriter | None = None,
) -> np.ndarray:
    """Plays a state to its end, the people among the agents asked through their own interfaces; returns the payoffs.

    After each decision of an agent one line tells what it did, as far as everybody sees it; nothing is told of one
    that people do not see being asked. ``record`` takes the game down as it is played.
    One person alone may take moves back (see ``TakeBack``).
    """
    rng = np.random.default_rng(seed)
    people = [seat for seat, agent in enumerate(agents) if isinstance(agent, HumanAgent)]
    asked: set[int] = set()
    back: list[tuple[State, PastDecisions]] = []
    before = PastDecisions(past_wanted(agents))
    if record is not None:
        record.begin(game, state, [player_facts(agent) for agent in agents])
    while not game.is_terminal(state):
        seat = game.current_player(state)
        agent = agents[seat]
        if isinstance(agent, HumanAgent):
            show(draw(game.scene(state, seat)))
            try:
                action = agent.choose([(a, game.action_name(a, state)) for a in game.legal_actions(state)])
            except TakeBack:
                before = _take_back(game, state, back, show, record, agents) or before
                continue
            if len(people) == 1:
                back.append((game.clone(state), copy.copy(before)))
        else:
            action = ask_about(agent, game, state, rng, seat not in asked, before)
            asked.add(seat)
        name = game.spec.agent_names(state.settings)[seat]
        public = game.spec.display.is_public(state, action) or seat in people
        told = public or _seen_acting(game, state, name, people)
        before.note(state, seat, action)
        game.apply_action(state, action)
        if record is not None:
            record.action(seat, action, game.action_name(action, state))
        if told:
            show(f"{name} ({agent.name}): {game.action_name(action, state) if public else 'chooses, unseen'}")
    if record is not None:
        record.end(game.returns(state), game.is_truncated(state))
    show(draw(game.scene(state, people[0] if people else None)))
    return game.returns(state)


def _take_back(
    game: Game,
    state: State,
    back: list[tuple[State, PastDecisions]],
    show: Callable[[str], None],
    record: ReplayWriter | None,
    agents: Sequence[AnyAgent | HumanAgent],
) -> PastDecisions | None:
    """Sets the state back to before the last move of the only person, and returns what was decided before that; says
    so where there is none."""
    if not back:
        show("there is no move to take back")
        return None
    earlier, before = back.pop()
    state.records = earlier.records
    show("taken back")
    if record is not None:  # what was taken back stays in the file as a game left there
        record.begin(game, state, [player_facts(agent) for agent in agents])
    return before


def _seen_acting(game: Game, state: State, name: str, people: Sequence[int]) -> bool:
    """Whether somebody at the table sees that it is this seat who is to act."""
    return any(place.active and place.name == name for seat in people for place in game.scene(state, seat).places)
