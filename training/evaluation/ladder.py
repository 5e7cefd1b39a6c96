"""The ladder that ``poopdeck rate`` measures by: agents that come with the package, and how strong each is.

``ladder.json`` holds one ladder for each table: its agents (rungs), their ratings on Elo's scale with the level
``medium`` at 1,000, how often each beat each, and the version and weights that all this was measured with. It is made
anew only with a new version of the rules, the heuristics or the shipped networks, so a rating means the same next year.
"""

import json
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...agents.levels.level import HARD, MEDIUM
from ...agents.loading import load_agent
from ...envs.core.game import Game
from ...envs.core.spec import GameSpec, Settings
from ..storage.replay import weights_digest

PATH = pathlib.Path(__file__).with_name("ladder.json")
ANCHOR, ANCHOR_POINTS = MEDIUM, 1000.0
FORMAT = "poopdeck-ladder-1"


@dataclass(frozen=True)
class Ladder:
    """n rungs of one table, from the lowest on.

    ``elo`` float (n,) and ``interval`` (n, 2), in points; ``beat`` (n, n): the share of the decided pairs of seats
    that the row won against the column, NaN where they never met, and ``pairs`` (n, n) how many; ``slow`` names the
    rungs that search and so are met only where that is asked for.
    """

    game: str
    players: int
    variant: str
    version: str
    digest: str | None  # of the weights of ``hard``
    games: int
    rungs: list[str]
    elo: np.ndarray
    interval: np.ndarray
    beat: np.ndarray
    pairs: np.ndarray
    slow: list[str]

    def to_json(self) -> dict[str, Any]:
        """As the file has it; ``of_json`` is the inverse."""
        return {
            "game": self.game,
            "players": self.players,
            "variant": self.variant,
            "version": self.version,
            "digest": self.digest,
            "games": self.games,
            "rungs": self.rungs,
            "elo": [round(float(value), 1) for value in self.elo],
            "interval": [[round(float(value), 1) for value in pair] for pair in self.interval],
            "beat": [[None if np.isnan(value) else round(float(value), 4) for value in row] for row in self.beat],
            "pairs": self.pairs.astype(int).tolist(),
            "slow": self.slow,
        }

    @classmethod
    def of_json(cls, content: dict[str, Any]) -> "Ladder":
        """What ``to_json`` wrote."""
        arrays = {
            "elo": np.array(content["elo"], float),
            "interval": np.array(content["interval"], float),
            "beat": np.array([[np.nan if value is None else value for value in row] for row in content["beat"]], float),
            "pairs": np.array(content["pairs"], float),
        }
        return cls(**{**content, **arrays})

    def without(self, names: Sequence[str]) -> "Ladder":
        """The same ladder with fewer rungs."""
        kept = [place for place, rung in enumerate(self.rungs) if rung not in names]
        fields: dict[str, Any] = {
            "rungs": [self.rungs[place] for place in kept],
            "elo": self.elo[kept],
            "interval": self.interval[kept],
            "beat": self.beat[np.ix_(kept, kept)],
            "pairs": self.pairs[np.ix_(kept, kept)],
            "slow": [name for name in self.slow if name not in names],
        }
        return replace(self, **fields)

    def agents(self, game: Game, settings: Settings) -> list[Any]:
        """The rungs as agents.

        Raises:
            ValueError: the shipped network is another one than the ladder was measured with.
        """
        agents = [load_agent(name, game, settings) for name in self.rungs]
        if self.digest is not None and HARD in self.rungs:
            found = weights_digest(agents[self.rungs.index(HARD)])
            if found != self.digest:
                raise ValueError(
                    f"the ladder of {self.game} with {self.players} players was measured with other weights of "
                    f"{HARD} than are installed ({self.digest[:12]}, not {(found or 'none')[:12]})"
                )
        return agents


def read_ladders() -> list[Ladder]:
    """All that there are."""
    path = PATH
    content = json.loads(path.read_text(encoding="utf-8"))
    if content.get("format") != FORMAT:
        raise ValueError(f"{path}: not of format {FORMAT}")
    return [Ladder.of_json(entry) for entry in content["ladders"]]


def find_ladder(spec: GameSpec, settings: Settings) -> Ladder:
    """The ladder of a table.

    Raises:
        ValueError: there is none; it says for which tables there is one.
    """
    ladders = [ladder for ladder in read_ladders() if ladder.game == spec.name]
    for ladder in ladders:
        if spec.variant_settings(ladder.variant, ladder.players) == {**settings}:
            return ladder
    known = "; ".join(f"{ladder.players} players, {ladder.variant}" for ladder in ladders) or "none"
    raise ValueError(f"no ladder for {spec.name} with these players and parameters; there are: {known}")
