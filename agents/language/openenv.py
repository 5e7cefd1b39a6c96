"""The games in OpenEnv: one seat decides by texts, agents at the others."""

from collections.abc import Sequence
from typing import Any

try:
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation
    from openenv.core.env_server.types import State as Progress
except ImportError as error:  # pragma: no cover - said where the extra is missing
    raise ImportError('this interface needs OpenEnv: pip install "poopdeck[openenv]"') from error

import numpy as np
from pydantic import Field

from ...envs.core.game import Game
from ...envs.tables.kernel import FOR_NOBODY
from ...envs.tables.seat import SeatTables
from ...envs.tables.truncation import FOR_LEARNERS, TruncatedAs
from .answers import READ, check_retries, read_answer
from .rules import Extent, check_extent, system_text
from .told import decision_text


class TextAction(Action):
    """An answer."""

    answer: str = Field(description="What the model says; it names exactly one legal action.")


class TextObservation(Observation):
    """What the seat is told of its next decision; ``done`` and ``reward`` are OpenEnv's."""

    text: str = Field(default="", description="Rules, position and legal actions, or what was wrong with an answer.")
    legal_actions: dict[int, str] = Field(default={}, description="The legal actions: number and name.")
    seat: int = Field(default=0, description="The seat that is asked, from 0.")
    reading: str = Field(default=READ, description="How the last answer was read: read, illegal, unreadable ...")


class LanguageEnvironment(Environment[TextAction, TextObservation, Progress]):
    """One table at which a language model has one seat, drawn anew for every game, and agents the others.

    ``opponents`` are agents as elsewhere. The reward is all that came to the seat since its last decision. An answer
    that is not exactly one legal action is told what was wrong, ``retries`` times in a decision; after that the seat
    forfeits: the game is done with a reward of -1. ``rules`` is "short", "full" or "none". Decisions with one legal
    action are asked, too. Other arguments are the game's parameters.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: Game,
        opponents: Sequence[Any],
        num_players: int | None = None,
        *,
        rules: Extent = "short",
        retries: int = 2,
        truncated_as: TruncatedAs = FOR_LEARNERS,
        learner_seats: Sequence[int] | None = None,
        **parameters: Any,
    ):
        super().__init__()
        self.game, self.rules, self.retries = game, check_extent(rules), check_retries(retries)
        settings = game.spec.settings(num_players, **parameters)
        options = {key: value for key, value in settings.items() if key != "num_players"}
        own: dict[str, Any] = {"truncated_as": truncated_as, "learner_seats": learner_seats, "deal_on": False}
        self.table = SeatTables(game, 1, opponents, settings["num_players"], **own, **options)
        self._progress = Progress()
        self._wrong, self._running = 0, False

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> TextObservation:
        """Deals a game and plays it to the seat's first decision; the same seed deals the same game."""
        self.table.reset(seed)
        while self.table.tables["waiting"][0] == FOR_NOBODY:  # over before its first decision
            self.table.deal_rows(np.arange(1))
        self._progress = Progress(episode_id=episode_id)
        self._wrong, self._running = 0, True
        return self._asked(None, f"{system_text(self.game, self.table.settings, self.rules)}\n\n")

    def step(self, action: TextAction, timeout_s: float | None = None, **_: Any) -> TextObservation:
        """The seat's answer, then all others' actions until it is asked again."""
        if not self._running:
            raise RuntimeError("step() needs a game: call reset() first")
        self._progress.step_count += 1
        names = self.game.spec.action_names(self.table.settings)
        legal = self.table.mask[0].nonzero()[0].tolist()
        reading = read_answer(action.answer, names, legal)
        if reading.action is None:
            self._wrong += 1
            if self._wrong <= self.retries:
                told = f"This could not be played: {reading.problem}."
                return self._asked(0.0, "", told, reading.kind)
            self._running = False
            text = f"You forfeit: {reading.problem}."
            return TextObservation(text=text, seat=self._seat, done=True, reward=-1.0, reading=reading.kind)
        self._wrong = 0
        seats = self.table.learner.copy()
        self.table.step(np.array([reading.action]))
        reward = round(float(self.table.learner_rewards(seats)[0]), 6)
        if self.table.tables["waiting"][0] == FOR_NOBODY:
            self._running = False
            return TextObservation(text="The game is over.", seat=int(seats[0]), done=True, reward=reward)
        return self._asked(reward)

    @property
    def _seat(self) -> int:
        return int(self.table.learner[0])

    def _asked(
        self, reward: float | None, before: str = "", told: str | None = None, reading: str = READ
    ) -> TextObservation:
        """What the seat is told: of a position in which all that it cannot know was dealt anew."""
        if told is None:
            shown = self.game.resample(self.table.state(0), self._seat, 0)
            told = decision_text(self.game, shown, self._seat)
        names = self.game.spec.action_names(self.table.settings)
        legal = {int(number): names[number] for number in self.table.mask[0].nonzero()[0]}
        return TextObservation(
            text=f"{before}{told}", legal_actions=legal, seat=self._seat, reward=reward, reading=reading
        )

    @property
    def state(self) -> Progress:
        """The episode's name and how many answers it had."""
        return self._progress

    def get_metadata(self) -> EnvironmentMetadata:
        """Of the game."""
        spec = self.game.spec
        return EnvironmentMetadata(name=spec.id, description=spec.summary, version=str(spec.version))

    def close(self) -> None:
        """Ends the threads."""
        self.table.close()
