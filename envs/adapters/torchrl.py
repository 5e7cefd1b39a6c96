"""One learning seat at many tables, as a TorchRL environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

try:
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:  # pragma: no cover - said where the extra is missing
    raise ImportError('this interface needs TorchRL: pip install "poopdeck[torchrl]"') from error

from ..core.game import Game
from ..tables.kernel import FOR_NOBODY
from ..tables.seat import SeatTables
from ..tables.truncation import FOR_LEARNERS, TruncatedAs
from .arguments import read_parameters


class SeatTorchEnv(EnvBase):
    """``num_envs`` tables in one process, batch size (n,); observation, opponents and rewards of each as in SeatEnv.

    Keys: ``observation`` float32 (n, D), ``action_mask`` bool (n, A), all false when a game is over, ``action`` int64
    (n,), and TorchRL's own ``reward`` (n, 1), ``done``, ``terminated`` and ``truncated``. Any tables may be reset, in
    the middle of a game, too. ``rand_step`` draws among the legal actions.

    Raises:
        IllegalActionError: by a step; it names the first table whose action is not legal.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Any],
        num_players: int | None = None,
        *,
        truncated_as: TruncatedAs = FOR_LEARNERS,
        learner_seats: Sequence[int] | None = None,
        **parameters: Any,
    ):
        settings = read_parameters(SeatTorchEnv, game.spec, num_players, parameters)
        self.seats = SeatTables(
            game,
            num_envs,
            opponents,
            truncated_as=truncated_as,
            learner_seats=learner_seats,
            deal_on=False,
            **settings,
        )
        count = self.seats.num_envs
        super().__init__(device="cpu", batch_size=[count])
        features, actions = self.seats.obs.shape[1], game.spec.num_actions
        self.observation_spec = Composite(
            observation=Unbounded((count, features), dtype=torch.float32),
            action_mask=Binary(actions, (count, actions), dtype=torch.bool),
            shape=(count,),
        )
        self.action_spec = Categorical(actions, (count,), dtype=torch.int64)
        self.reward_spec = Unbounded((count, 1), dtype=torch.float32)
        self.full_done_spec = Composite(
            {key: Binary(1, (count, 1), dtype=torch.bool) for key in ("done", "terminated", "truncated")},
            shape=(count,),
        )
        self._next_seed: int | None = None

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDict:
        asked = None if tensordict is None else tensordict.get("_reset", None)
        if asked is None:
            self.seats.reset(self._next_seed)
            self._next_seed = None
            wanted = np.flatnonzero(self.seats.tables["waiting"] == FOR_NOBODY)  # over before the learner's decision
        else:
            wanted = np.flatnonzero(asked.reshape(-1).numpy())
        while len(wanted):
            self.seats.deal_rows(wanted)
            wanted = wanted[self.seats.tables["waiting"][wanted] == FOR_NOBODY]
        return TensorDict(self._seen(), self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        learners = self.seats.learner.copy()
        self.seats.step(tensordict["action"].numpy())
        ended = self.seats.tables["waiting"] == FOR_NOBODY
        truncated = ended & self.seats.tables["truncated"].astype(bool) & (self.seats.truncated_as == "payoff")
        return TensorDict(
            {
                **self._seen(ended),
                "reward": torch.from_numpy(self.seats.learner_rewards(learners)[:, None].copy()),
                "done": torch.from_numpy(ended[:, None]),
                "terminated": torch.from_numpy((ended & ~truncated)[:, None]),
                "truncated": torch.from_numpy(truncated[:, None]),
            },
            self.batch_size,
        )

    def _seen(self, ended: np.ndarray | None = None) -> dict[str, torch.Tensor]:
        observations, masks = self.seats.obs.copy(), self.seats.mask != 0
        if ended is not None and ended.any():
            observations[ended], masks[ended] = self.seats.final_obs[ended], False
        return {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A uniformly random legal action at every table."""
        assert tensordict is not None
        masks = tensordict["action_mask"].float()
        return tensordict.set("action", torch.multinomial(masks, 1)[:, 0])

    def close(self, *, raise_if_closed: bool = True) -> None:
        """Ends the threads."""
        self.seats.close()
        super().close(raise_if_closed=raise_if_closed)
