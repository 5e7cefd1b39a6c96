"""Self-play with a critic that sees the true position: its section of a config."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...config.registry import LearnerSpec
from ..ppo import PPOSection


class OracleSection(PPOSection):
    """Learning from every seat, judged by what all seats see and what nobody sees."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = PPOSection.CHANGEABLE

    critic: Literal["oracle"] = Field(  # type: ignore[assignment]
        default="oracle",
        description="What the value is judged by while learning: the observations of all seats, and the hidden cards.",
    )


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from ..collection.critic_view import Oracle
    from ..ppo.learner import PPOLearner

    return PPOLearner(task, pool, critic_view=Oracle(task.game, task.settings))


LEARNER = LearnerSpec(
    "ppo_oracle", "`ppo` whose critic sees all hands and what is hidden.", OracleSection, make, every_role=True
)
