"""Neural fictitious self-play (Heinrich & Silver 2016): its section of a config."""

from typing import Any, ClassVar

from pydantic import Field

from ...config.registry import LearnerSpec
from ...config.schema import Count
from ..dqn import DQNSettings


class NFSPSection(DQNSettings):
    """Learning a best response, and the average of what the best responses were."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (*DQNSettings.CHANGEABLE, "anticipation")

    anticipation: float = Field(
        default=0.1, gt=0, le=1, description="With which probability a seat plays its best response in a game."
    )
    reservoir: Count = Field(
        default=100_000, description="Choices of best responses that are kept, a fair share of all, of each role."
    )


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import NFSPLearner

    return NFSPLearner(task, pool)


LEARNER = LearnerSpec(
    "nfsp", "Neural fictitious self-play: a best response by `dqn`, and the average of them.", NFSPSection, make, True
)
