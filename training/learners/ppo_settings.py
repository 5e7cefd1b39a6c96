"""The settings of learners with a policy and a value, and those of proximal policy optimisation (Schulman et al. 2017),
whoever collects the samples."""

from typing import ClassVar, Self

from pydantic import Field

from ..config.schema import Count, LearnerSection, TrainConfig


class ActorCriticSettings(LearnerSection):
    """How fast and from what a policy and its value learn."""

    # What a resumed run may have other values of: no array's size hangs on it, and a run that has run away needs it.
    CHANGEABLE: ClassVar[tuple[str, ...]] = (
        "learning_rate", "learning_rate_end", "entropy", "entropy_end", "value_weight", "max_grad_norm",
    )  # fmt: skip

    n_steps: Count = Field(default=64, description="Decisions at every table between two updates.")
    batch_size: Count = Field(default=4096, description="Samples of one gradient step.")
    n_epochs: Count = Field(default=4, description="Passes over the samples of one update.")
    learning_rate: float = Field(default=2e-3, gt=0, description="Adam's step size at the start.")
    learning_rate_end: float = Field(default=0.0, ge=0, description="Its size at the end; it falls in a straight line.")
    entropy: float = Field(default=0.01, ge=0, description="Weight of the entropy bonus.")
    entropy_end: float | None = Field(
        default=None, ge=0, description="Its weight at the end; it falls or rises in a straight line."
    )
    value_weight: float = Field(default=0.5, ge=0, description="Weight of the value loss.")
    max_grad_norm: float = Field(default=0.5, gt=0, description="Longer gradients are shortened to this length.")
    gamma: float = Field(default=1.0, gt=0, le=1, description="Discount of later payoffs.")
    gae_lambda: float = Field(default=0.95, ge=0, le=1, description="Trace length of the advantages (GAE).")

    def check(self, config: TrainConfig) -> None:
        """ValueError for a batch of one sample: advantages are normalised within a batch, which one alone cannot be."""
        samples = config.num_envs * self.n_steps
        if samples == 1 or samples % self.batch_size == 1:
            raise ValueError(
                f"{config.algo}.batch_size={self.batch_size}: it leaves a batch of one sample from "
                f"num_envs * {config.algo}.n_steps = {samples}"
            )

    def at(self, remaining: float) -> Self:
        """These settings with the entropy's weight as it is where ``remaining`` of the run, 1 to 0, is left."""
        if self.entropy_end is None:
            return self
        return self.model_copy(update={"entropy": self.entropy_end + remaining * (self.entropy - self.entropy_end)})


class PPOSettings(ActorCriticSettings):
    """How far a policy is moved by one update."""

    CHANGEABLE: ClassVar[tuple[str, ...]] = (*ActorCriticSettings.CHANGEABLE, "clip")

    clip: float = Field(default=0.2, gt=0, description="How far a probability ratio may leave 1.")
