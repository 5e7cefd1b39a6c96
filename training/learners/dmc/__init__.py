"""Deep Monte Carlo, as DouZero learns (Zha et al. 2021): its section of a config."""

from typing import Any, ClassVar

from pydantic import Field

from ...config.registry import LearnerSpec
from ...config.schema import Count
from ..action_values import ActionValueSection, DrawingSection


class DMCSection(DrawingSection, ActionValueSection):
    """Learning what actions are worth from whole games."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (*ActionValueSection.CHANGEABLE, "n_epochs")

    n_steps: Count = Field(default=32, description="Decisions at every table between two updates.")
    n_epochs: Count = Field(default=2, description="Passes over the decisions of the games that have ended since.")


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import DMCLearner

    return DMCLearner(task, pool)


LEARNER = LearnerSpec("dmc", "Deep Monte Carlo: what actions were worth in whole games.", DMCSection, make, True)
