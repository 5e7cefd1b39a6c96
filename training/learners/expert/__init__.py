"""Expert iteration: a network learns from a search that the network itself guides: its section of a config."""

from typing import Any

from pydantic import Field

from ...config.registry import LearnerSpec
from ...config.schema import Count, Flag, TrainConfig
from ..ppo import SelfPlaySection
from ..ppo_settings import ActorCriticSettings

OWN = "network"  # among the agents of playouts: the network that learns


class ExpertSection(SelfPlaySection, ActorCriticSettings):
    """Learning from what a search chooses at every seat."""

    n_steps: Count = Field(default=16, description="Decisions at every table between two updates.")
    batch_size: Count = Field(default=1024, description="Samples of one gradient step.")
    learning_rate: float = Field(default=1e-3, gt=0, description="Adam's step size at the start.")
    entropy: float = Field(default=0.0, ge=0, description="Weight of the entropy bonus.")
    deals: Count = Field(default=8, description="Positions that a search deals anew for a decision.")
    temperature: float = Field(
        default=0.05,
        gt=0,
        description="The search plays, and the network learns, its policy times exp(gain / temperature).",
    )
    playouts: list[str] = Field(
        default=[OWN],
        min_length=1,
        description="The agents that play on at the other seats in a search, one drawn for every deal and seat: names "
        f"of agents, `mixed` for all of the game's heuristics, `{OWN}` for the network that learns.",
    )
    bootstrap: Flag = Field(
        default=True,
        description="Whether a playout ends at the own seat's next choice, where the network tells what it is worth; "
        "else it goes on to the end of the game.",
    )
    window: Count = Field(default=4, description="Of so many of the latest rollouts an update learns.")

    def check(self, config: TrainConfig) -> None:
        """ValueError for what a search cannot be guided by."""
        from ....agents.loading import SEARCHING

        if self.critic != "observation":
            raise ValueError(
                f"expert.critic={self.critic!r}: it must tell values of what a seat sees; allowed is 'observation'"
            )
        for name in self.playouts:
            if name.partition(":")[0] in SEARCHING:
                raise ValueError(f"expert.playouts: {name!r} searches itself; allowed are agents that do not")


def make(task: Any, pool: Any) -> Any:
    """The learner; torch is loaded here."""
    from .learner import ExpertLearner

    return ExpertLearner(task, pool)


LEARNER = LearnerSpec(
    "expert", "Expert iteration: a network learns what a search finds that it guides.", ExpertSection, make, True
)
