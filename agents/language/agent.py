"""An agent that asks a language model, or whatever else answers a text with a text."""

import pathlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from ...envs.core.game import State
from ...envs.tables.batch import check_count
from ...envs.tables.context import Context
from . import answers
from .rules import Extent, check_extent, system_text
from .told import decision_text, position_text
from .transcripts import Transcripts

FORFEIT = -1  # no action of any game: whoever plays the games sees that it is illegal
Told = Literal["full", "changes"]


@dataclass
class Conversation:
    """What a seat was told in its game so far, and what it answered."""

    texts: list[str] = field(default_factory=list)
    position: str | None = None  # at its last decision


class LanguageAgent:
    """Asks ``ask``, any callable that takes a text and returns one, for each of its decisions.

    What it is told comes from positions in which all that its seat cannot know was dealt anew. With ``told="full"``
    each text stands alone: rules and position. With "changes" a text is the seat's whole conversation in its game so
    far, and a new decision adds what changed since the last one. ``rules`` is "short", "full" or "none".

    An answer is read by ``answers.read_answer``. After one that is not exactly one legal action the model is told what
    was wrong and asked again, ``retries`` times; then the agent forfeits (FORFEIT, an illegal action), which ends the
    game in evaluations and tournaments and is counted there. Decisions with one legal action are asked only with
    ``forced=True``. ``at_once`` is how many decisions of different tables may be asked at the same time, by threads.
    ``transcripts`` is a new file to write everything to.

    ``counts`` has the ``decisions``, the answers ``asked`` for, of these the kinds in ``answers.KINDS``, and the
    ``forfeits``.
    """

    def __init__(
        self,
        ask: Callable[[str], str | None],
        name: str = "language",
        *,
        told: Told = "full",
        rules: Extent = "short",
        retries: int = 2,
        forced: bool = False,
        at_once: int = 1,
        transcripts: str | pathlib.Path | None = None,
    ):
        if not callable(ask):
            raise ValueError(f"ask={ask!r}: a callable that takes a text and returns one is wanted")
        if told not in get_args(Told):
            raise ValueError(f"told={told!r}: allowed is {' or '.join(map(repr, get_args(Told)))}")
        self.ask, self.name, self.told, self.rules = ask, name, told, check_extent(rules)
        self.retries, self.forced, self.at_once = (
            answers.check_retries(retries),
            forced,
            check_count("at_once", at_once),
        )
        self.transcripts = None if transcripts is None else Transcripts(transcripts)
        self.counts = dict.fromkeys(("decisions", "asked", *answers.KINDS, "forfeits"), 0)
        self._games: dict[tuple[int, int], tuple[int, Conversation]] = {}
        self._begun = 0

    def act_in(self, context: Context) -> np.ndarray:
        """One action for every row, FORFEIT where none could be read."""
        system = system_text(context.game, context.settings, self.rules)
        rows = range(len(context.seats))
        places = [self._begin(context, row) for row in rows]
        if self.at_once == 1:
            made = [self._decide(context, row, places[row][1], system) for row in rows]
        else:
            with ThreadPoolExecutor(self.at_once) as pool:
                made = list(pool.map(lambda row: self._decide(context, row, places[row][1], system), rows))
        for row, decision in enumerate(made):
            self._count(decision)
            if self.transcripts is not None:
                self.transcripts.add(system, self._line(context, row, places[row][0], decision))
        return np.array([decision["action"] for decision in made], np.int64)

    def _begin(self, context: Context, row: int) -> tuple[int, Conversation]:
        """The number of the row's game among this agent's, and its conversation; new where the game is."""
        place = int(context.tables[row]), int(context.seats[row])
        if context.new_game[row] or place not in self._games:
            self._begun += 1
            self._games[place] = self._begun, Conversation()
        return self._games[place]

    def _decide(self, context: Context, row: int, talk: Conversation, system: str) -> dict[str, Any]:
        """Asks until an answer can be read: ``action``, what was ``told`` and the ``exchanges``."""
        seat, legal = int(context.seats[row]), np.flatnonzero(context.masks[row]).tolist()
        if len(legal) == 1 and not self.forced:
            return {"action": legal[0], "told": "", "exchanges": []}
        state: State = context.deal(row, 1, 0)[0]
        goes_on = self.told == "changes" and talk.texts
        told = decision_text(context.game, state, seat, talk.position if goes_on else None)
        talk.position = position_text(context.game, state, seat)
        texts = [*talk.texts, told] if goes_on else [system, told]
        names, exchanges, action = context.game.spec.action_names(context.settings), [], FORFEIT
        for _ in range(self.retries + 1):
            answer = self.ask("\n\n".join(texts))
            if answer is not None and not isinstance(answer, str):
                raise TypeError(f"agent {self.name}: the callable gave {type(answer).__name__}, a text is wanted")
            reading = answers.read_answer(answer, names, legal)
            exchanges.append({"answer": answer or "", "reading": reading.kind, "problem": reading.problem})
            texts.append(f"You answered:\n{answer or ''}")
            if reading.action is not None:
                action = reading.action
                break
            texts.append(f"This could not be played: {reading.problem}.")
        talk.texts = texts if self.told == "changes" else []
        return {"action": action, "told": told, "exchanges": exchanges}

    def _count(self, decision: dict[str, Any]) -> None:
        self.counts["decisions"] += 1
        self.counts["asked"] += len(decision["exchanges"])
        self.counts["forfeits"] += decision["action"] == FORFEIT
        for exchange in decision["exchanges"]:
            self.counts[exchange["reading"]] += 1

    def _line(self, context: Context, row: int, number: int, decision: dict[str, Any]) -> dict[str, Any]:
        """A decision as the transcripts have it."""
        action = decision["action"] if decision["action"] != FORFEIT else None
        names = context.game.spec.action_names(context.settings)
        return {
            "agent": self.name,
            "game": number,
            "table": int(context.tables[row]),
            "seat": int(context.seats[row]),
            "new_game": bool(context.new_game[row]),
            "told": decision["told"],
            "exchanges": decision["exchanges"],
            "action": action,
            "name": None if action is None else names[action],
        }
