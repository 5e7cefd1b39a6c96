"""Writes games of a match down as replays: every n-th, or those that an agent lost."""

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...agents.base import AnyAgent
from ...envs.core.game import Game, State
from ...envs.core.spec import Settings
from ...envs.tables.batch import check_count
from ...envs.tables.context import Context, ask
from ...envs.tables.kinds import ASKED
from ...envs.tables.one_choice import one_choice
from ...envs.tables.seating import Seating
from ...envs.tables.streams import chance_records
from ..storage.replay import ReplayWriter, player_facts

if TYPE_CHECKING:
    from .match import Results


class Noting:
    """An agent whose actions are noted by table and seat, where it is asked in Python."""

    def __init__(self, agent: AnyAgent, noted: dict[tuple[int, int], list[int]]):
        self.name, self._agent, self._noted = agent.name, agent, noted
        self.compiled_form = getattr(agent, "compiled_form", None)

    def act_in(self, context: Context) -> np.ndarray:
        """What the agent does."""
        actions = ask(self._agent, context)
        for table, seat, action in zip(context.tables.tolist(), context.seats.tolist(), actions.tolist(), strict=True):
            self._noted[table, seat].append(action)
        return actions


class SavedGames:
    """Every ``every``-th game of a match, of those that agent ``lost_by`` lost (all, if None), in a new file.

    A seat has lost that is paid less than nothing. ``count`` is how many games were written. Games are written when the
    match is over: they are played once more, with the same cards and the same chance.

    Raises:
        ValueError: the file exists, or ``every`` is no whole number from 1.
    """

    def __init__(self, path: str | os.PathLike[str], every: int = 1, lost_by: int | None = None):
        self.every, self.lost_by, self.count = check_count("every", every), lost_by, 0
        self.writer = ReplayWriter(path)
        self._noted: dict[tuple[int, int], list[int]] = defaultdict(list)

    def noting(self, agents: Sequence[AnyAgent]) -> list[AnyAgent]:
        """The agents, as they must sit in the match."""
        self._noted.clear()
        return [Noting(agent, self._noted) for agent in agents]

    def chosen(self, lineups: np.ndarray, results: "Results") -> np.ndarray:
        """The rows of the games to write, int64."""
        rows = np.arange(len(lineups))
        if self.lost_by is not None:
            lost = ((lineups == self.lost_by) & (results.returns < 0)).any(axis=1)
            rows = rows[lost]
        return rows[:: self.every]

    def write(
        self,
        seating: Seating,
        agents: Sequence[AnyAgent],
        lineups: np.ndarray,
        starts: np.ndarray,
        choices: np.ndarray,
        results: "Results",
    ) -> None:
        """Writes games of a match; ``starts`` and ``choices`` uint64 (n,) are the chance of games and of agents."""
        for row in self.chosen(lineups, results).tolist():
            state = _dealt(seating.game, seating.settings, starts[row])
            self.writer.begin(seating.game, state, [player_facts(agents[number]) for number in lineups[row]])
            choose = self._chooser(seating, row, lineups[row], choices[row])
            finished = self._play(seating.game, state, choose)
            found = seating.game.returns(state)
            if finished and not np.allclose(found, results.returns[row], atol=1e-5):
                raise RuntimeError(f"game {row} went otherwise when it was written down: {found.tolist()}")
            self.count += 1
        self.writer.close()

    def _play(self, game: Game, state: State, choose: Callable[[State], int]) -> bool:
        """Plays and writes a game; False where an illegal action ended it, which is not written."""
        while not game.is_terminal(state):
            seat, action = game.current_player(state), choose(state)
            name = game.action_name(action, state) if 0 <= action < game.spec.num_actions else ""
            if not name or not game.action_mask(state)[action]:
                return False
            game.apply_action(state, action)
            self.writer.action(seat, action, name)
        self.writer.end(game.returns(state), game.is_truncated(state))
        return True

    def _chooser(self, seating: Seating, row: int, lineup: np.ndarray, stream: Any) -> Callable[[State], int]:
        """What the agents at a table do, one position after the other."""
        game, chance = seating.game, chance_records(np.array([stream], np.uint64))
        compiled, agents = one_choice(*seating.modules), tuple(seating.compiled())
        noted = {seat: iter(self._noted[row, seat]) for seat in range(len(lineup))}

        def choose(state: State) -> int:
            seat = game.current_player(state)
            number, role = int(lineup[seat]), int(seating.roles[seat])
            if seating.players["kind"][number, role] == ASKED:
                return next(noted[seat])
            return int(compiled(agents, number, role, game.observation(state, seat), game.action_mask(state), chance))

        return choose


def _dealt(game: Game, settings: Settings, stream: Any) -> State:
    """The game that a chance stream deals."""
    records = game.empty_states(settings, 1)
    records["rng"] = stream
    game.deal(records)
    return State.of_own(records, dict(settings))
