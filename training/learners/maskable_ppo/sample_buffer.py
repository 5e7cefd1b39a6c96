"""The rollout buffer for MaskablePPO, without the copies that SB3's makes at every update."""

from collections.abc import Generator

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class SampleBuffer(MaskableRolloutBuffer):
    """Arrays (steps, tables, ...) that live as long as the run; batches are gathered by torch."""

    def reset(self) -> None:
        """Empties the buffer; every entry is written again before it is read."""
        if getattr(self, "observations", None) is None:
            super().reset()
            self.action_masks = self.action_masks.astype(np.bool_)
        self.pos, self.full = 0, False

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:  # type: ignore[override]
        """Batches in random order. The order of samples does not matter, so steps and tables are not swapped."""
        assert self.full
        total = self.buffer_size * self.n_envs
        names = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks")
        columns = {name: torch.from_numpy(getattr(self, name).reshape(total, -1)) for name in names}
        order = torch.from_numpy(np.random.permutation(total))
        for batch in order.split(batch_size or total):
            part = {name: column.index_select(0, batch) for name, column in columns.items()}
            yield MaskableRolloutBufferSamples(
                part["observations"],
                part["actions"],
                part["values"].flatten(),
                part["log_probs"].flatten(),
                part["advantages"].flatten(),
                part["returns"].flatten(),
                part["action_masks"],
            )
