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
    def places(self) -> int:
        """How many agents a line-up of ``play`` names: the seats, or two where there are several roles."""
        return 2 if len(set(self.roles.tolist())) > 1 else len(self.roles)

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
        roles = self.roles
        if self.places == len(roles) and len(set(roles.tolist())) == 1:
            return play_games(
                self.game, self.settings, agents, lineups, deals, seed, self.threads, on_progress
            ).returns.astype(float)
        own = roles == 0
        legs = np.concatenate(
            [np.where(own, lineups[:, [0]], lineups[:, [1]]), np.where(own, lineups[:, [1]], lineups[:, [0]])]
        )
        told = None if on_progress is None else lambda done: on_progress(done // 2)
        found = play_games(self.game, self.settings, agents, legs, np.tile(deals, 2), seed, self.threads, told).returns
        first, second = np.split(found.astype(float), 2)
        return np.stack(
            [
                first[:, own].mean(axis=1) + second[:, ~own].mean(axis=1),
                first[:, ~own].mean(axis=1) + second[:, own].mean(axis=1),
            ],
            axis=1,
        )
