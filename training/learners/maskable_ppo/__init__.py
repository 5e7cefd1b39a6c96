"""sb3-contrib's MaskablePPO with one learner seat at every table: its section of a config."""

from typing import Any

from ...config.registry import LearnerSpec
from ..ppo_settings import PPOSettings


class MaskablePPOSection(PPOSettings):
    """Learning from one seat."""


def make(task: Any, pool: Any) -> Any:
    """The learner; torch and Stable-Baselines3 are loaded here."""
    from .learner import MaskablePPOLearner

    return MaskablePPOLearner(task, pool)


LEARNER = LearnerSpec(
    "maskable_ppo", "MaskablePPO of sb3-contrib, from one seat of every table.", MaskablePPOSection, make
)
