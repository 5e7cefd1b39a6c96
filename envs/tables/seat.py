"""One learning seat per table, the other seats played by agents inside ``step``.

A learner's reward is all that came to its seat since its last decision, so payoffs that arrive on others' turns are
not lost. Its seat is drawn anew for every game.
"""

import numpy as np

from .arena import Arena


class SeatTables(Arena):
    """An arena in which the learner has one seat of every table; all of Arena's parameters but ``self_play_share``."""

    @property
    def learner(self) -> np.ndarray:
        """The learner's seat, int64 (n,), in the game that is on now."""
        return self.tables["learner_seat"]

    def learner_rewards(self, seats: np.ndarray) -> np.ndarray:
        """Of the last step, float32 (n,), at the seats that the learners had before it (a new game changes them)."""
        return self.rewards[np.arange(self.num_envs), seats]
