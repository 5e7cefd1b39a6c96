"""The agents who may sit at the tables of one game."""

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ..core.contract import Observation, Rules
from ..core.game import Game
from ..core.spec import GameSpec, Settings
from . import no_heuristic
from .kernel import LEARNER, Agents
from .kinds import (
    ABSENT,
    ASKED,
    HEURISTIC,
    NETWORK,
    PLAYER,
    RANDOM,
    CompiledForm,
    HeuristicForm,
    NetworkForm,
    RandomForm,
    heuristic_params,
)
from .perceptron import NetworkBank


def block_starts(spec: GameSpec, settings: Settings) -> np.ndarray:
    """Where the observation's blocks start, int64 (blocks + 1,), the last entry its length."""
    slices = spec.observation_slices(settings)
    return np.array([place.start for place in slices.values()] + [spec.observation_size(settings)], np.int64)


class Seating:
    """Agents by number, as the compiled loop takes them: ``players`` PLAYER (K, R) tells how each decides in each role.

    An agent has ``name`` and ``act(observations, masks, rng)``. One with a ``compiled_form`` (see kinds.py) plays in
    the compiled loop, the others are asked in Python, all tables that wait for one at once. Agent k can be replaced
    later by another of its kind that plays the same roles, as pools of snapshots do.
    """

    def __init__(self, game: Game, settings: Settings, agents: Sequence[Any]):
        self.game, self.settings, self.agents = game, settings, list(agents)
        forms: list[CompiledForm | None] = [getattr(agent, "compiled_form", None) for agent in self.agents]
        modules = {form.module for form in forms if isinstance(form, HeuristicForm)}
        if len(modules) > 1:
            raise ValueError(f"heuristics of several modules at one table: {sorted(modules)}")
        self.heuristics: str = modules.pop() if modules else no_heuristic.__name__
        self.starts = block_starts(game.spec, settings)
        self.roles = np.array(game.spec.seat_roles(settings))
        self.networks: list[Any] = []
        self.players = np.zeros((len(forms), len(game.spec.roles)), PLAYER)
        for number, form in enumerate(forms):
            self._seat(self.players[number], number, form)
        self.params = heuristic_params(forms)
        self.bank = NetworkBank(self.networks)

    def _seat(self, players: np.ndarray, number: int, form: CompiledForm | None) -> None:
        """Writes how one agent decides, for every role."""
        players["agent"] = number
        if isinstance(form, NetworkForm):
            players["greedy"] = form.greedy
            for place, role in enumerate(self.game.spec.roles):
                network = form.networks.of(role.name)
                players["kind"][place] = ABSENT if network is None else NETWORK if network.compiled else ASKED
                if players["kind"][place] == NETWORK:
                    players["network"][place] = len(self.networks)
                    self.networks.append(network)
        elif isinstance(form, RandomForm):
            players["kind"] = RANDOM
        else:
            players["kind"] = ASKED if form is None else HEURISTIC

    @property
    def asked(self) -> list[int]:
        """The numbers of the agents who are asked in Python."""
        return np.flatnonzero((self.players["kind"] == ASKED).any(axis=1)).tolist()

    def check_lineups(self, lineups: np.ndarray) -> None:
        """ValueError if in a line-up, one of int (n, P), an agent sits at a seat whose role it has no network for."""
        absent = (self.players["kind"][lineups, self.roles] == ABSENT) & (lineups != LEARNER)
        if absent.any():
            row, seat = (int(place[0]) for place in np.nonzero(absent))
            agent, role = self.agents[lineups[row, seat]], self.game.spec.roles[self.roles[seat]].name
            raise ValueError(f"agent {agent.name}: no network for the role {role!r}, which seat {seat} plays")

    def check_odds(self, odds: np.ndarray) -> None:
        """ValueError if by these cumulated odds (P - 1, K) no agent could be drawn for a seat of some role."""
        drawn = np.diff(odds, axis=1, prepend=0) > 0
        for agents in drawn:
            for number in np.unique(self.roles):
                if (self.players["kind"][agents, number] == ABSENT).all():
                    role = self.game.spec.roles[number].name
                    names = ", ".join(agent.name for agent, one in zip(self.agents, agents, strict=True) if one)
                    raise ValueError(f"opponents: none of {names} has a network for the role {role!r}")

    @property
    def modules(self) -> tuple[Rules, Observation, ModuleType]:
        """What the drivers over this game's tables close over."""
        return (self.game.spec.rules, self.game.spec.observation, importlib.import_module(self.heuristics))

    def compiled(self) -> Agents:
        """The agents for one thread of compiled code."""
        return Agents(self.players, self.params, self.starts, self.bank.plans, self.bank.values, self.bank.scratch())

    def replace(self, k: int, agent: Any) -> None:
        """Seats another agent in place of agent k, at once and also in games under way."""
        new = Seating(self.game, self.settings, [*self.agents[:k], agent, *self.agents[k + 1 :]])
        if new.heuristics == no_heuristic.__name__:
            new.heuristics = self.heuristics  # spares compiling the loops anew
        self.__dict__.update(new.__dict__)
