"""What learners of action values share: their settings, network, and who plays meanwhile."""

from typing import ClassVar

from pydantic import Field

from ...config.schema import Count, LearnerSection


class ActionValueSection(LearnerSection):
    """Learning what actions are worth, from every seat; the best one is played, or now and then any legal one."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (
        "learning_rate", "learning_rate_end", "max_grad_norm", "epsilon", "epsilon_end",
    )  # fmt: skip

    n_steps: Count = Field(default=8, description="Decisions at every table between two updates.")
    batch_size: Count = Field(default=256, description="Samples of one gradient step.")
    learning_rate: float = Field(default=1e-3, gt=0, description="Adam's step size at the start.")
    learning_rate_end: float = Field(
        default=1e-4, ge=0, description="Its size at the end; it falls in a straight line."
    )
    max_grad_norm: float = Field(default=10.0, gt=0, description="Longer gradients are shortened to this length.")
    gamma: float = Field(default=1.0, gt=0, le=1, description="Discount of later payoffs.")
    epsilon: float = Field(
        default=0.3, ge=0, le=1, description="With which probability any legal action is tried, at the start."
    )
    epsilon_end: float = Field(
        default=0.02, ge=0, le=1, description="That probability at the end; it falls in a straight line."
    )
    self_play_share: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Share of the games with the learner at every seat; in the others it has one seat among opponents, "
        "or, where there are several roles, all seats of one role.",
    )

    def falling(self, first: str, last: str, remaining: float) -> float:
        """Between two settings, in a straight line, where ``remaining`` of the run, 1 to 0, is left."""
        begin, end = getattr(self, first), getattr(self, last)
        return end + remaining * (begin - end)


class DrawingSection(LearnerSection):
    """How an agent draws its actions that has learnt what they are worth."""

    temperature: float = Field(
        default=0.05,
        gt=0,
        description="What values are divided by for an agent that draws its actions: they are its logits then.",
    )
