"""A table in the browser: one game, the people and agents at its seats, and what each seat is told.

Nothing here knows of connections. What a seat is told follows from what it may see alone: its scene, what was done in
its sight, and its own legal actions.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..agents.base import AnyAgent
from ..envs.core.game import Game, State
from ..envs.tables.context import ask_about, context_of
from ..envs.tables.past import PastDecisions, past_wanted
from ..training.storage.replay import ReplayWriter, player_facts
from .advice import advise

TOLD = 60  # lines of what was done that a message holds, the last ones


class Refused(ValueError):
    """Something that a person may not do now; the message says why."""


@dataclass
class Moves:
    """A position to go back to, and what had happened until then."""

    state: State
    told: list[list[str]]
    actions: int


@dataclass
class Table:
    """``agents`` has None at the seats of people, ``stand_in`` plays for those who have left.

    In ``practice`` one person may ask for hints and take moves back. ``record`` takes the game down as it is played.
    """

    game: Game
    state: State
    agents: Sequence[AnyAgent | None]
    stand_in: AnyAgent
    practice: bool = False
    seed: int = 0
    record: ReplayWriter | None = None
    hint_agents: Sequence[str] = ("heuristic",)  # that may be asked in practice
    keys: dict[int, str] = field(default_factory=dict)  # the secret of every person's seat
    away: set[int] = field(default_factory=set)  # people's seats that the stand-in plays

    def __post_init__(self) -> None:
        seats = self.game.num_seats(self.state)
        self.people = [seat for seat, agent in enumerate(self.agents) if agent is None]
        if self.practice and len(self.people) != 1:
            raise Refused("practice is for one person at a table of agents")
        self.keys = {seat: secrets.token_urlsafe(16) for seat in self.people}
        self.names = self.game.spec.agent_names(self.state.settings)
        self._rng = np.random.default_rng(self.seed)
        self._asked: set[int] = set()
        self._first = self.game.clone(self.state)
        self._actions: list[tuple[int, int]] = []
        self._told: list[list[str]] = [[] for _ in range(seats)]
        self._back: list[Moves] = []
        self._begin_record()

    def _players(self) -> list[dict[str, Any]]:
        return [{"agent": "human"} if agent is None else player_facts(agent) for agent in self.agents]

    def _begin_record(self) -> None:
        if self.record is not None:
            self.record.begin(self.game, self.state, self._players())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_terminal(self.state)

    def seat_of(self, key: Any) -> int | None:
        """The seat that a secret opens."""
        if not isinstance(key, str):
            return None
        return next(
            (seat for seat, own in self.keys.items() if secrets.compare_digest(own.encode(), key.encode())), None
        )

    def advance(self) -> None:
        """Lets agents, and the stand-in for people who are away, play until a person at the table is to act."""
        while not self.over:
            seat = self.game.current_player(self.state)
            agent = self.stand_in if seat in self.away else self.agents[seat]
            if agent is None:
                return
            action = ask_about(agent, self.game, self.state, self._rng, seat not in self._asked, self._before(agent))
            self._asked.add(seat)
            self._apply(seat, action)

    def _before(self, agent: AnyAgent) -> PastDecisions:
        """The decisions so far, for an agent that wants to know them."""
        before = PastDecisions(past_wanted([agent]))
        if before.most:
            state = self.game.clone(self._first)
            for seat, action in self._actions:
                before.note(state, seat, action)
                self.game.apply_action(state, action)
        return before

    def act(self, seat: int, action: Any) -> None:
        """A person's action, and what agents do after it.

        Raises:
            Refused: another seat is to act, or the rules do not allow it; nothing has changed.
        """
        legal = self._own_choices(seat)
        if action not in [entry["action"] for entry in legal] or isinstance(action, bool):
            names = ", ".join(f"{entry['action']} ({entry['name']})" for entry in legal)
            raise Refused(f"action={action!r}: legal now: {names}")
        if self.practice:
            self._back.append(
                Moves(self.game.clone(self.state), [list(lines) for lines in self._told], len(self._actions))
            )
        self._apply(seat, action)
        self.advance()

    def _own_choices(self, seat: int) -> list[dict[str, Any]]:
        """The legal actions of the seat; Refused where it is not to act. Says no more of who is."""
        legal = self._legal(seat)
        if not legal:
            raise Refused("the game is over" if self.over else "you are not to act now")
        return legal

    def _apply(self, seat: int, action: int) -> None:
        name = self.game.action_name(action, self.state)
        public = self.game.spec.display.is_public(self.state, action)
        for viewer in range(len(self._told)):
            if public or viewer == seat:
                self._told[viewer].append(f"{self.names[seat]}: {name}")
            elif self._seen_acting(seat, viewer):
                self._told[viewer].append(f"{self.names[seat]} chooses, unseen")
        self.game.apply_action(self.state, action)
        self._actions.append((seat, action))
        if self.record is not None:
            self.record.action(seat, action, name)
            if self.over:
                self.record.end(self.game.returns(self.state), self.game.is_truncated(self.state))

    def _seen_acting(self, seat: int, viewer: int) -> bool:
        scene = self.game.scene(self.state, viewer)
        return any(place.active and place.name == self.names[seat] for place in scene.places)

    def _legal(self, seat: int) -> list[dict[str, Any]]:
        if self.over or self.game.current_player(self.state) != seat:
            return []
        display = self.game.spec.display
        return [
            {
                "action": action,
                "name": self.game.action_name(action, self.state),
                "secret": not display.is_public(self.state, action),
            }
            for action in self.game.legal_actions(self.state)
        ]

    def message(self, seat: int) -> dict[str, Any]:
        """All that a seat is told of the position, as plain values."""
        told = self._told[seat]
        content: dict[str, Any] = {
            "type": "position",
            "seat": seat,
            "name": self.names[seat],
            "scene": asdict(self.game.scene(self.state, seat)),
            "legal": self._legal(seat),
            "told": told[-TOLD:],
            "told_count": len(told),
            "who": self._who(),
            "over": self.over,
            "practice": self.practice,
            "undo": bool(self._back),
        }
        if self.over:
            content["payoffs"] = dict(zip(self.names, map(float, self.game.returns(self.state)), strict=True))
            content["truncated"] = self.game.is_truncated(self.state)
        return content

    def _who(self) -> dict[str, str]:
        """Who plays each seat, which everybody knows."""
        return {
            name: agent.name if agent is not None else "away, an agent plays" if seat in self.away else "person"
            for seat, (name, agent) in enumerate(zip(self.names, self.agents, strict=True))
        }

    def hint(self, seat: int, agent: AnyAgent) -> dict[str, Any]:
        """What an agent thinks of the seat's legal actions; Refused outside practice."""
        if not self.practice:
            raise Refused("hints are there in practice only")
        self._own_choices(seat)
        rng = np.random.default_rng(len(self._actions))
        context = context_of(self.game, self.state, rng, True, self._before(agent))
        names = self.game.spec.action_names(self.state.settings)
        return {"type": "hint", "agent": agent.name, **advise(agent, context).to_json(names, context.masks[0])}

    def undo(self, seat: int) -> None:
        """Back to before the seat's last action; Refused outside practice, or where there is none."""
        if not self.practice:
            raise Refused("moves are taken back in practice only")
        if not self._back:
            raise Refused("there is no move to take back")
        before = self._back.pop()
        self.state, self._told = before.state, before.told
        del self._actions[before.actions :]
        self._begin_record()  # what was taken back stays in the file as a game left there

    def lines(self) -> list[dict[str, Any]]:
        """The game as the lines of a replay; Refused before its end, since they hold everything."""
        if not self.over:
            raise Refused("all hands are shown when the game is over")
        keeper = _Lines()
        keeper.begin(self.game, self._first, self._players())
        state = self.game.clone(self._first)
        for seat, action in self._actions:
            keeper.action(seat, action, self.game.action_name(action, state))
            self.game.apply_action(state, action)
        keeper.end(self.game.returns(self.state), self.game.is_truncated(self.state))
        return keeper.kept

    def close(self) -> None:
        """Nobody plays here any more."""
        if self.record is not None:
            self.record.close()


class _Lines(ReplayWriter):
    """A replay that is kept in memory."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []

    def _write(self, content: Mapping[str, Any]) -> None:
        self.kept.append(dict(content))
