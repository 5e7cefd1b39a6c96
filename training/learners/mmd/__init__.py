"""Magnetic mirror descent (Sokota et al. 2023) in the form of a policy gradient: its section of a config."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...config.registry import LearnerSpec
from ..ppo import PPOSection


class MMDSection(PPOSection):
    """Learning from every seat, drawn back to where the policy was and to a magnet."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (*PPOSection.CHANGEABLE, "kl", "magnet_rate")

    entropy: float = Field(
        default=0.05,
        ge=0,
        description="Weight of the divergence from the magnet; from the uniform one it is an entropy bonus.",
    )
    kl: float = Field(default=0.05, ge=0, description="Weight of the divergence from the policy that played.")
    magnet: Literal["uniform", "slow"] = Field(
        default="uniform", description="What the policy is drawn to: play without preferences, or a slow copy of it."
    )
    magnet_rate: float = Field(
        default=0.02, gt=0, le=1, description="By which part of the way the slow copy follows the policy in an update."
    )


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import MMDLearner

    return MMDLearner(task, pool)


LEARNER = LearnerSpec(
    "mmd", "Magnetic mirror descent: `ppo` drawn back to where it was and to a magnet.", MMDSection, make, True
)
