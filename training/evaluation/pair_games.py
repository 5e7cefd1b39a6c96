"""Games that say which of two agents is the stronger, at mixed tables, in any game.

Where all seats play one role, a game of P seats compares every two of them. Where seats play several roles, an agent
has all seats of one role and another agent the rest; they play every deal twice with roles exchanged, and who got more
in both together has won that match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.spec import Settings
from .match import play_games


@dataclass(frozen=True)
class Table:
    """Where the games are played."""

    game: Game
    settings: Settings
    threads: int = 2

    @property
    def roles(self) -> np.ndarray:
        """The role of each seat, int64 (P,)."""
        return np.array(self.game.spec.seat_roles(self.settings))

    @property
    def has_roles(self) -> bool:
        """Whether seats play several roles."""
        return len(set(self.roles.tolist())) > 1

    @property
    def places(self) -> int:
        """How many agents a line-up of ``play`` names: the seats, or two where there are several roles."""
        return 2 if self.has_roles else len(self.roles)

    def play(
        self,
        agents: Sequence[Any],
        lineups: np.ndarray,
        deals: np.ndarray,
        seed: int,
        on_progress: Callable[[int], None] | None = None,
    ) -> np.ndarray:
        """What each place got, float (n, places), in n games or matches: ``lineups`` int (n, places) names the agents,
        ``deals`` int (n,) the deal."""
        if not self.has_roles:
            return self._returns(agents, lineups, deals, seed, on_progress)
        own, exchanged = self.roles == 0, lineups[:, ::-1]
        legs = np.concatenate([np.where(own, leg[:, [0]], leg[:, [1]]) for leg in (lineups, exchanged)])
        told = None if on_progress is None else lambda done: on_progress(done // 2)
        first, second = np.split(self._returns(agents, legs, np.tile(deals, 2), seed, told), 2)
        of_roles = [(leg[:, own].mean(axis=1), leg[:, ~own].mean(axis=1)) for leg in (first, second)]
        return np.stack([of_roles[0][0] + of_roles[1][1], of_roles[0][1] + of_roles[1][0]], axis=1)

    def _returns(
        self,
        agents: Sequence[Any],
        lineups: np.ndarray,
        deals: np.ndarray,
        seed: int,
        on_progress: Callable[[int], None] | None,
    ) -> np.ndarray:
        """Of games with an agent for every seat, float (n, P)."""
        played = play_games(self.game, self.settings, agents, lineups, deals, seed, self.threads, on_progress)
        return played.returns.astype(float)
