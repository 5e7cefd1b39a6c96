"""Proximal policy optimisation in which every choice of every seat is a sample: its section of a config."""

from typing import Any, Literal

from pydantic import Field

from ...config.registry import LearnerSpec
from ...config.schema import CountOrNone, LearnerSection, Part
from ..ppo_settings import PPOSettings


class ImitationConfig(Part):
    """Learning to play as a given agent does, before learning to play better."""

    agent: str = Field(default="heuristic", description="The agent that is imitated; it plays all seats meanwhile.")
    samples: CountOrNone = Field(
        default=0, description="Samples to learn from it; 0 means that play starts from nothing."
    )
    learning_rate: float | None = Field(
        default=None, gt=0, description="Adam's step size meanwhile; by default it falls as in the rest of the run."
    )


class SelfPlaySection(LearnerSection):
    """Who plays while a policy and its value learn from every seat, and what they begin with."""

    self_play_share: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Share of the games with the policy at every seat; in the others it has one seat among opponents, "
        "or, where there are several roles, all seats of one role.",
    )
    critic: Literal["observation", "all_seats"] = Field(
        default="observation",
        description="What the value is judged by while learning: what the seat sees, or what all seats see, with "
        "layers of its own. The policy itself always sees what its seat sees.",
    )
    initial_weights: str | None = Field(
        default=None,
        description="The folder of a training run whose networks learning begins with; they have to be of the form "
        "that `network` says. By default it begins with nothing.",
    )
    imitation: ImitationConfig = Field(default=ImitationConfig(), description="A start from what an agent can do.")


class PPOSection(SelfPlaySection, PPOSettings):
    """Learning from every seat."""


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import PPOLearner

    return PPOLearner(task, pool)


LEARNER = LearnerSpec(
    "ppo", "Self-play: proximal policy optimisation from every seat.", PPOSection, make, every_role=True
)
