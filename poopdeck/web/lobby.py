"""The tables of a server: opened, found by their secrets, cleared away when nobody comes."""

import pathlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..agents.base import AnyAgent
from ..agents.loading import agent_names, all_names, load_agent, table_settings
from ..envs.core import registry
from ..envs.core.game import Game
from ..training.storage.replay import ReplayWriter
from .table import Refused, Table

PERSON = "person"
KNOWN_AGENTS = 64  # loaded ones that are kept
KEYS = ("game", "players", "variant", "parameters", "agents", "seed", "practice")


@dataclass
class Sitting:
    """A table and who is connected to it. ``used`` is the time of the last sign of life."""

    table: Table
    name: str
    used: float
    connected: dict[int, list[Any]] = field(default_factory=dict)  # seat -> connections
    left: dict[int, float] = field(default_factory=dict)  # seat -> since when its person is gone
    shown: dict[int, str] = field(default_factory=dict)  # seat -> the position as it was sent last
    turns: dict[int, int] = field(default_factory=dict)  # seat -> how many different positions it was sent


class Lobby:
    """At most ``most`` tables; one without a sign of life for ``idle`` seconds goes.

    ``offered`` are run folders and other agents beside those known by name; with ``any_agent`` people may name others,
    too. ``save`` is a folder for the replays of all games.
    """

    def __init__(
        self,
        most: int = 500,
        idle: float = 1800.0,
        offered: tuple[str, ...] = (),
        any_agent: bool = True,
        save: pathlib.Path | None = None,
    ):
        self.most, self.idle, self.offered, self.any_agent, self.save = most, idle, offered, any_agent, save
        self.sittings: dict[str, Sitting] = {}
        self._games: dict[str, Game] = {}
        self._agents: dict[Any, AnyAgent] = {}

    def game(self, name: Any) -> Game:
        """The game of a name; ValueError lists those that there are."""
        if not isinstance(name, str) or ":" in name:  # which would import what it names
            raise Refused(f"game={name!r}: allowed is {', '.join(registry.names())}")
        if name not in self._games:
            self._games[name] = registry.game(name)
        return self._games[name]

    def agents(self, game: Game) -> list[str]:
        """Names to choose from."""
        return [*all_names(game), *self.offered]

    def agent(self, name: Any, game: Game, settings: Mapping[str, Any]) -> AnyAgent:
        """The agent of a name, loaded once for the same settings; ValueError says what there is."""
        if not isinstance(name, str) or not (self.any_agent or name in self.agents(game)):
            raise Refused(f"agent {name!r}: there are {', '.join(self.agents(game))}")
        key = (game.spec.id, name, repr(sorted(settings.items())))
        if key not in self._agents:
            if len(self._agents) >= KNOWN_AGENTS:
                self._agents.clear()
            self._agents[key] = load_agent(name, game, settings)
        return self._agents[key]

    def open(self, asked: Any) -> Sitting:
        """A table as it was asked for; ValueError says what is wrong with that and what is allowed."""
        if not isinstance(asked, dict):
            raise Refused("a JSON object is wanted, with game and agents")
        strange = [key for key in asked if key not in KEYS]
        if strange:
            raise Refused(f"{strange[0]!r}: allowed is {', '.join(KEYS)}")
        self.clear()
        if len(self.sittings) >= self.most:
            raise Refused(f"all {self.most} tables are taken; try again later")
        game = self.game(asked.get("game"))
        names = asked.get("agents")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Refused(f'agents: a list of names is wanted, one for each seat; "{PERSON}" is a person')
        table = self._table(game, asked, names)
        name = secrets.token_urlsafe(8)
        sitting = Sitting(table, name, time.monotonic())
        self.sittings[name] = sitting
        return sitting

    def _table(self, game: Game, asked: dict[str, Any], names: list[str]) -> Table:
        players, seed, parameters = asked.get("players"), asked.get("seed"), asked.get("parameters", {})
        if not isinstance(parameters, dict):
            raise Refused("parameters: an object with the game's parameters is wanted")
        given = game.spec.parse_options(parameters)
        others = [name for name in names if name != PERSON]
        settings, _ = table_settings(game.spec, others, players, asked.get("variant"), given)
        seats = game.spec.num_seats(settings)
        if len(names) != seats or PERSON not in names:
            raise Refused(f'agents: {seats} names are wanted, one for each seat, at least one of them "{PERSON}"')
        options = dict(settings)
        state = game.new_state(seed, options.pop("num_players"), **options)
        record = None
        if self.save is not None:
            record = ReplayWriter(self.save / f"{game.spec.name}-{secrets.token_hex(6)}.jsonl")
        table = Table(
            game,
            state,
            [None if name == PERSON else self.agent(name, game, settings) for name in names],
            stand_in=self.agent("heuristic" if "heuristic" in agent_names(game) else "random", game, settings),
            practice=asked.get("practice") is True,
            seed=state.seed or 0,
            record=record,
            hint_agents=self.agents(game),
        )
        table.advance()
        return table

    def find(self, name: Any, key: Any) -> tuple[Sitting, int]:
        """A table and the seat that a secret opens there; Refused does not say which of the two was wrong."""
        sitting = self.sittings.get(name) if isinstance(name, str) else None
        seat = None if sitting is None else sitting.table.seat_of(key)
        if sitting is None or seat is None:
            raise Refused("there is no such table, or it has been cleared away")
        return sitting, seat

    def clear(self) -> list[Sitting]:
        """Clears tables away at which nobody has done anything for long; returns them."""
        now = time.monotonic()
        gone = [sitting for sitting in self.sittings.values() if now - sitting.used > self.idle]
        for sitting in gone:
            sitting.table.close()
            del self.sittings[sitting.name]
        return gone
