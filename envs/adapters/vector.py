"""Many tables of one game, stepped together: the fast interface.

The environment owns flat buffers and writes into them; a caller that wants to keep what it reads copies it.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.chance import fresh_seed, seed_streams
from ..core.game import Game
from ..tables.batch import Batch, batch_actions, check_count
from ..tables.kernel import COUNTED_AS, Setup
from ..tables.seating import Seating
from ..tables.truncation import FOR_ALL_SEATS, TruncatedAs, check_truncated_as
from .arguments import read_parameters

if TYPE_CHECKING:  # Gymnasium takes longer to load than the batch
    from gymnasium.spaces import Box, Discrete, Space


class VectorEnv:
    """``num_envs`` tables; at each one some seat is to act, and ``step`` takes one action for every table.

    Buffers, valid until the next ``reset`` or ``step``, for n tables, P seats, A actions, D features:

    - ``obs`` float32 (n, D), ``mask`` int8 (n, A), ``seat`` int64 (n,): of the seat to act at each table;
    - ``rewards`` float32 (n, P): what each seat got by the last step;
    - ``terminated``, ``truncated`` bool (n,): the last step ended the game; the buffers above are then the next
      game's, which is dealt at once, and ``final_returns`` float32 (n, P) and ``final_lengths`` int64 (n,) the
      finished one's.

    Spaces as in Gymnasium's vector environments: ``single_observation_space`` and ``single_action_space`` of one table,
    ``observation_space`` and ``action_space`` of all of them, for ``obs`` and the actions of ``step``.

    ``truncated_as`` is what a truncated game counts as in ``rewards``: "payoff" (as the environment pays), or "ranked"
    or "loss", which make it an end like any other (``terminated``). ``threads`` slices of the batch run at the same
    time (the kernels release the interpreter lock).
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_players: int | None = None,
        *,
        truncated_as: TruncatedAs = FOR_ALL_SEATS,
        threads: int = 1,
        **parameters: Any,
    ) -> None:
        self.game = game
        self.num_envs = check_count("num_envs", num_envs)
        self.settings = read_parameters(VectorEnv, game.spec, num_players, parameters)
        self.num_seats = game.spec.num_seats(self.settings)
        self.num_actions = game.spec.num_actions
        seating = Seating(game, self.settings, [])  # every seat's actions come from outside
        self.truncated_as = check_truncated_as(truncated_as)
        setup = Setup(truncated_as=COUNTED_AS[truncated_as])
        self._batch = Batch(seating, self.num_envs, setup, threads=check_count("threads", threads))
        self._ready = False
        self._bind()

    def _bind(self) -> None:
        buffers = self._batch.buffers
        self.states, self.obs, self.mask, self.rewards = (
            buffers.states, buffers.observations, buffers.masks, buffers.rewards,
        )  # fmt: skip
        self.final_returns, self.final_lengths = buffers.final_returns, buffers.tables["final_length"]
        self.seat = buffers.tables["seat"]
        self.terminated, self.truncated = buffers.tables["terminated"], buffers.tables["truncated"]

    @cached_property
    def single_observation_space(self) -> "Box":
        """Of one table's features, float32 (D,), each within its block's bounds."""
        from .spaces import features

        return features(self.game.spec, self.settings)

    @cached_property
    def single_action_space(self) -> "Discrete":
        """Of one table's action; draw with ``sample(mask)``."""
        from .spaces import actions

        return actions(self.game.spec)

    @cached_property
    def observation_space(self) -> "Space":
        """Of ``obs``, float32 (n, D)."""
        from gymnasium.vector.utils import batch_space

        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> "Space":
        """Of what ``step`` takes, whole numbers (n,)."""
        from gymnasium.vector.utils import batch_space

        return batch_space(self.single_action_space, self.num_envs)

    def __getstate__(self) -> dict[str, Any]:
        kept = ("game", "num_envs", "settings", "num_seats", "num_actions", "truncated_as", "_batch", "_ready")
        return {name: self.__dict__[name] for name in kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()  # buffers that are fields of others would be copies

    def reset(self, seed: int | None = None) -> None:
        """Deals all tables anew; each has its own chance stream, started from the seed (or from a fresh one)."""
        if seed is not None or not self._ready:
            self.states["rng"] = seed_streams(fresh_seed() if seed is None else seed, self.num_envs)
        self._batch.deal()
        self._ready = True

    def step(self, actions: np.ndarray) -> None:
        """One decision at every table: ``actions``, whole numbers (n,), each legal at its table.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._ready:
            raise RuntimeError("step() needs games: call reset() first")
        self._batch.step(batch_actions(actions, self.num_envs))
        if self.truncated_as != "payoff":  # what is ranked is an end like any other
            np.logical_or(self.terminated, self.truncated, out=self.terminated)
            self.truncated[:] = False

    def close(self) -> None:
        """Ends the threads."""
        self._batch.close()
