"""What a training run is made of: one validated model; with the section of its way of learning the only place of
defaults."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from ...agents.network import kinds
from ...envs.core.plain_yaml import yes_or_no
from ...envs.tables.truncation import FOR_LEARNERS, TruncatedAs


def whole(value: Any) -> Any:
    """1e6 is a float for YAML; as a count it is as good as 1000000."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Count = Annotated[int, BeforeValidator(whole), Field(ge=1)]
Flag = Annotated[bool, BeforeValidator(yes_or_no)]  # yes and no are words in our YAML
CountOrNone = Annotated[int, BeforeValidator(whole), Field(ge=0)]


class Part(BaseModel):
    """Unknown keys and wrong types are errors, and nobody changes a config that a run was started with."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class NetworkConfig(Part):
    """The policy: a trunk shared by the action head and the value head."""

    kind: str = Field(
        default=kinds.PERCEPTRON,
        description="The kind of trunk: `mlp`, which plays in compiled code; `residual`, with residual blocks and "
        "layer normalisation; `attention` and `recurrent`, which read the last events (`options.history`); one that "
        "a package adds; or `module:attribute`.",
    )
    hidden: list[Count] = Field(default=[128, 128], description="Widths of the trunk's layers.")
    activation: Literal["relu", "tanh"] = Field(default="relu", description="What follows each layer of the trunk.")
    options: dict[str, Any] = Field(default={}, description="Further settings of a kind that has some.")

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        kinds.check(kind)
        return kind

    def trunk_settings(self) -> dict[str, Any]:
        """What a kind is built by."""
        return {"hidden": self.hidden, "activation": self.activation, **self.options}


class LearnerSection(Part):
    """The settings of one way of learning: a section of the config, called like it.

    ``CHANGEABLE`` names those that a resumed run may have other values of.
    """

    CHANGEABLE: ClassVar[tuple[str, ...]] = ()

    def check(self, config: "TrainConfig") -> None:
        """ValueError where the settings do not fit the rest of the config."""


class OpponentConfig(Part):
    """One kind of opponent at the training tables."""

    agent: str = Field(description="An agent by name, or the folder of a training run.")
    weight: float = Field(default=1.0, gt=0, description="How often it is drawn, relative to the others.")
    greedy: Flag = Field(default=True, description="Whether a network plays its likeliest action or draws one.")


class CurriculumConfig(Part):
    """Opponents that grow with the learner: one of them at a time, the next one as soon as it is surely beaten."""

    agents: list[str] = Field(
        default=[], description="From the weakest on, such as `[easy, medium, hard]`; none means no curriculum."
    )
    weight: float = Field(
        default=1.0, gt=0, description="How often the present one is drawn, relative to the opponents."
    )
    every: Count = Field(default=250_000, description="Samples between two looks at whether it is beaten.")
    games: Count = Field(default=2000, description="Games of such a look, on new deals every time.")


class SnapshotsConfig(Part):
    """Earlier selves as opponents."""

    weight: float = Field(
        default=0.0, ge=0, description="How often a snapshot is drawn, relative to the opponents; 0 means never."
    )
    every: Count = Field(default=200_000, description="Samples between two snapshots.")
    size: Count = Field(default=8, description="Snapshots that are kept; the oldest goes first.")
    sampling: Literal["uniform", "newest"] = Field(
        default="uniform", description="All alike, or each half as likely as the one that came after it."
    )
    greedy: Flag = Field(default=False, description="Whether snapshots play their likeliest action or draw one.")


class EvaluationConfig(Part):
    """Measuring while training: the greedy policy against each baseline, the same deals every time."""

    every: CountOrNone = Field(default=250_000, description="Samples between two evaluations; 0 means only at the end.")
    games: Count = Field(default=1000, description="Games against each baseline.")
    final_games: Count = Field(default=4000, description="Games against each baseline after the last update.")
    against: list[str] = Field(
        default=["random"],
        description="The baselines; one game has the policy at one seat, the baseline at the others.",
    )
    rating_games: CountOrNone = Field(
        default=0, description="Games on the ladder that `poopdeck rate` measures by, at each evaluation; 0 for none."
    )


class CheckpointConfig(Part):
    """What a run can be resumed from."""

    every: Count = Field(default=250_000, description="Samples between two checkpoints.")


class TrainConfig(Part):
    """One training run. A loaded config has one field more: the section of its ``algo`` (see registry.config_model)."""

    game: str = Field(description="The game, by name.")
    players: int | None = Field(default=None, description="Players at the table; none means the game's usual number.")
    variant: str | None = Field(
        default=None, description="A named set of the game's parameters, as `poopdeck games` lists them."
    )
    options: dict[str, Any] = Field(
        default={}, description="The game's other parameters, one by one; they override the variant's."
    )
    algo: str = Field(
        default="maskable_ppo", description="The way of learning; its settings are in a section of its name."
    )
    role: str | None = Field(
        default=None,
        description="Of a game with several roles the one that is learnt, by default the first; "
        "`ppo` learns all of them, with a network for each.",
    )
    seed: int = Field(default=0, ge=0, description="Everything random follows from it.")
    total_timesteps: Count = Field(default=4_000_000, description="Samples (the learner's decisions) to learn from.")
    time_limit: float | None = Field(default=None, gt=0, description="Minutes after which the run ends even so.")
    schedule: Literal["samples", "time"] = Field(
        default="samples",
        description="What the learning rate falls with: samples, or whichever of samples and time limit is further; "
        "by time, two runs are no longer the same to the last bit.",
    )
    clock: Literal["wall", "processor"] = Field(
        default="wall",
        description="What minutes and rates count: time that goes by, or the processor time of this run, "
        "which stays fair when the machine has other work.",
    )
    num_envs: Count = Field(default=256, description="Tables that are played at the same time.")
    threads: Count = Field(
        default=1,
        description="Threads; in self-play each has a share of the tables. More are slower when anything else runs.",
    )
    truncated_as: TruncatedAs = Field(
        default=FOR_LEARNERS,
        description="What a game truncated by its limit of decisions counts as in learning: ranked by the game's own "
        "rule, a loss for all, or the payoff that the environment gives.",
    )
    network: NetworkConfig = Field(default=NetworkConfig(), description="The policy's network.")
    opponents: list[OpponentConfig] = Field(
        default=[OpponentConfig(agent="random")], description="Who sits at the other seats, drawn per seat and game."
    )
    curriculum: CurriculumConfig = Field(default=CurriculumConfig(), description="Opponents that grow with it.")
    snapshots: SnapshotsConfig = Field(default=SnapshotsConfig(), description="Earlier selves as opponents.")
    evaluation: EvaluationConfig = Field(default=EvaluationConfig(), description="Measuring while training.")
    checkpoint: CheckpointConfig = Field(default=CheckpointConfig(), description="What a run can be resumed from.")

    @model_validator(mode="after")
    def _check(self) -> "TrainConfig":
        if not self.opponents and not self.curriculum.agents and not self.snapshots.weight:
            raise ValueError("nobody to play against: give opponents, curriculum.agents, or snapshots.weight above 0")
        if self.network.kind in kinds.REMEMBERING and "events" not in self.network.options:
            options = {**self.network.options, "events": self._events()}
            self.__dict__["network"] = self.network.model_copy(update={"options": options})
        if self.algo in type(self).model_fields:
            self.section.check(self)
        return self

    def _events(self) -> list[int]:
        """The shape of the block of events; ValueError if the game's settings keep none."""
        from ...envs.core import history, registry

        shapes = dict(registry.spec(self.game).card_blocks(self.settings()))
        if history.NAME not in shapes:
            wanted = f"options.{history.NAME}, such as options.{history.NAME}=16"
            raise ValueError(f"network.kind={self.network.kind!r} reads the last events, so it needs {wanted}")
        return shapes[history.NAME]

    @property
    def section(self) -> Any:
        """The settings of the way of learning."""
        return getattr(self, self.algo)

    def settings(self) -> dict[str, Any]:
        """The game's complete parameters; ValueError if it refuses them."""
        from ...envs.core import registry

        spec = registry.spec(self.game)
        return spec.variant_settings(self.variant, self.players, spec.parse_options(self.options))


def fields(model: type[BaseModel] = TrainConfig, prefix: str = "") -> list[tuple[str, Any, str]]:
    """All keys, dotted, with default (None also where there is none) and meaning: for help and pages."""
    rows: list[tuple[str, Any, str]] = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            rows += fields(field.annotation, f"{prefix}{name}.")
        else:
            default = None if field.is_required() else field.default
            if isinstance(default, list):
                default = [item.model_dump() if isinstance(item, BaseModel) else item for item in default]
            rows.append((f"{prefix}{name}", default, field.description or ""))
    return rows
