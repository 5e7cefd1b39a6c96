"""Deep Q-learning (Mnih et al. 2015) with parts of Rainbow: its section of a config."""

from typing import Any, ClassVar

from pydantic import Field

from ...config.registry import LearnerSpec
from ...config.schema import Count, TrainConfig
from ..action_values import ActionValueSection, DrawingSection


class DQNSettings(ActionValueSection):
    """Learning what actions are worth from a replay of every seat's decisions."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (*ActionValueSection.CHANGEABLE, "gradient_steps", "target_every")

    memory: Count = Field(
        default=50_000, description="Decisions that are kept to learn from, the latest, of each role."
    )
    learning_starts: Count = Field(default=2000, description="So many are collected first.")
    gradient_steps: Count = Field(default=4, description="Gradient steps of one update.")
    target_every: Count = Field(default=200, description="Gradient steps after which the target network is renewed.")
    multi_step: Count = Field(
        default=3, description="Own decisions that payoffs are summed over before the target network tells the rest."
    )

    def check(self, config: TrainConfig) -> None:
        """ValueError for a memory that could never be learnt from."""
        if self.learning_starts > self.memory:
            raise ValueError(
                f"{config.algo}.learning_starts={self.learning_starts}: allowed is 1 to {config.algo}.memory="
                f"{self.memory}, since no more is kept"
            )


class DQNSection(DrawingSection, DQNSettings):
    """Deep Q-learning whose values are the agent."""


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import DQNLearner

    return DQNLearner(task, pool)


LEARNER = LearnerSpec("dqn", "Deep Q-learning: double, duelling, over several steps, masked.", DQNSection, make, True)
