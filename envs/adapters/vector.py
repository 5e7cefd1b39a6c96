"""Many tables of one game, stepped together: the fast interface.

The environment owns flat buffers and writes into them; a caller that wants to keep what it reads copies it.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..core import drivers
from ..core.chance import fresh_seed, seed_streams
from ..core.game import Game
from ..tables.batch import batch_actions, check_count
from .arguments import read_parameters


class VectorEnv:
    """``num_envs`` tables; at each one some seat is to act, and ``step`` takes one action for every table.

    Buffers, valid until the next ``reset`` or ``step``, for n tables, P seats, A actions, D features:

    - ``obs`` float32 (n, D), ``mask`` int8 (n, A), ``seat`` int64 (n,): of the seat to act at each table;
    - ``rewards`` float32 (n, P): what each seat got by the last step;
    - ``terminated``, ``truncated`` bool (n,): the last step ended the game; the buffers above are then the next
      game's, which is dealt at once, and ``final_returns`` float32 (n, P) and ``final_lengths`` int64 (n,) the
      finished one's.

    ``threads`` slices of the batch run at the same time (the kernels release the interpreter lock).
    """

    def __init__(
        self, game: Game, num_envs: int, num_players: int | None = None, *, threads: int = 1, **parameters: Any
    ) -> None:
        self.game = game
        self.num_envs, self.threads = check_count("num_envs", num_envs), check_count("threads", threads)
        self.settings = read_parameters(VectorEnv, game.spec, num_players, parameters)
        self.num_seats = game.spec.num_seats(self.settings)
        self.num_actions = game.spec.num_actions
        n, seats = self.num_envs, self.num_seats
        self.states = game.empty_states(self.settings, n)
        self.obs = np.zeros((n, game.spec.observation_size(self.settings)), np.float32)
        self.mask = np.zeros((n, self.num_actions), np.int8)
        self.seat = np.zeros(n, np.int64)
        self.rewards = np.zeros((n, seats), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_returns = np.zeros((n, seats), np.float32)
        self.final_lengths = np.zeros(n, np.int64)
        self._totals = np.zeros((n, seats), np.float32)
        self._lengths = np.zeros(n, np.int64)
        self._ready = False
        self._bind()

    def _bind(self) -> None:
        modules = (self.game.spec.rules, self.game.spec.observation)
        self._reset = drivers.reset_games(*modules)
        self._step = drivers.step_games(*modules)
        self._find_illegal = drivers.find_illegal(*modules)
        self._pool: ThreadPoolExecutor | None = None
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._slices = list(zip(bounds[:-1], bounds[1:], strict=True))

    def __getstate__(self) -> dict[str, Any]:
        left = ("_reset", "_step", "_find_illegal", "_pool", "_slices")
        return {name: value for name, value in self.__dict__.items() if name not in left}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def reset(self, seed: int | None = None) -> None:
        """Deals all tables anew; each has its own chance stream, started from the seed (or from a fresh one)."""
        if seed is not None or not self._ready:
            self.states["rng"] = seed_streams(fresh_seed() if seed is None else seed, self.num_envs)
        self._lengths[:] = 0
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False
        self._over_slices(self._reset, self.states, self.obs, self.mask, self.seat, self._totals)
        self._ready = True

    def step(self, actions: np.ndarray) -> None:
        """One decision at every table: ``actions``, whole numbers (n,), each legal at its table.

        Raises:
            IllegalActionError: names the first table whose action is not legal; nothing has changed then.
        """
        if not self._ready:
            raise RuntimeError("step() needs games: call reset() first")
        actions = batch_actions(actions, self.num_envs)
        bad = self._find_illegal(self.mask, actions, 0, self.num_envs)
        if bad >= 0:
            agent = f"table {bad}, {self.game.spec.agent_names(self.settings)[self.seat[bad]]}"
            legal = np.flatnonzero(self.mask[bad]).tolist()
            raise self.game.spec.illegal_action(self.settings, agent, int(actions[bad]), legal)
        self._over_slices(
            self._step,
            self.states,
            actions,
            self.obs,
            self.mask,
            self.seat,
            self.rewards,
            self._totals,
            self._lengths,
            self.terminated,
            self.truncated,
            self.final_returns,
            self.final_lengths,
        )

    def _over_slices(self, kernel: Any, *buffers: np.ndarray) -> None:
        if self.threads == 1:
            kernel(*buffers, 0, self.num_envs)
            return
        if self._pool is None:  # made here, so that a forked or unpickled copy makes its own
            self._pool = ThreadPoolExecutor(self.threads)
        list(self._pool.map(lambda bounds: kernel(*buffers, *bounds), self._slices))

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
