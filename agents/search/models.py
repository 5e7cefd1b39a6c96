"""Who proposes, and who plays on where positions are played out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core.chance import SHIFT_32

MIXED = "mixed"
EXPLORING = 0.1  # what all legal actions get of the probability of an agent that tells only its choice


@dataclass(frozen=True)
class Models:
    """``proposal`` is agent 0 of ``agents``, those by which positions are played on; the others, of which one is drawn
    for every deal and seat, are ``drawn``, their numbers. At the own seat plays ``own``: the proposal, or LEARNER where
    playouts wait at its choices. ``believed`` are those whom the other seats are taken for where their past decisions
    are weighed."""

    agents: tuple[Any, ...]
    drawn: np.ndarray  # int16
    own: int = 0
    believed: tuple[Any, ...] = ()

    @property
    def proposal(self) -> Any:
        """Whose choice is overridden only by what is surely better; it plays on at the own seat, too."""
        return self.agents[0]

    def priors(self, observations: np.ndarray, masks: np.ndarray, proposals: np.ndarray) -> np.ndarray:
        """With which probability the proposal takes each action, float64 (B, A): a network's own. Others tell only
        what they do: a little is given to all legal actions."""
        legal = masks != 0
        networks = getattr(self.proposal, "networks", None)
        if networks is None:
            even = legal / legal.sum(axis=1, keepdims=True)
            return EXPLORING * even + (1 - EXPLORING) * np.eye(masks.shape[1])[proposals]
        logits = np.where(legal, networks.logits(observations).astype(float), -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def lineups(self, seat: int, words: np.ndarray) -> np.ndarray:
        """Who plays on, int16 (K, P), for random words uint64 (K, P): ``own`` at the own seat, drawn at others."""
        found = self.drawn[((words >> SHIFT_32) % np.uint64(len(self.drawn))).astype(np.int64)]
        found[:, seat] = self.own
        return found


def load_models(
    proposal: str,
    playouts: Sequence[str],
    known: Sequence[str],
    load: Callable[[str], Any],
    believed: Sequence[str] = (),
) -> Models:
    """The agents of these names; ``known`` are the game's own: what is not given is the best of them, and ``mixed``
    stands for all but random. Whoever is not said to be believed in is as in the playouts."""
    usual = "heuristic" if "heuristic" in known else "random"
    heuristics = [name for name in known if name.partition(":")[0] == "heuristic"] or [usual]

    def listed(names: Sequence[str]) -> list[str]:
        return [one for name in names for one in (heuristics if name == MIXED else [name])]

    names = listed(playouts or [usual])
    every = list(dict.fromkeys([proposal or usual, *names]))
    numbers = np.array([every.index(name) for name in names], np.int16)
    loaded = {name: load(name) for name in every}
    others = {name: loaded[name] if name in loaded else load(name) for name in listed(believed) or names}
    return Models(tuple(loaded.values()), numbers, believed=tuple(others.values()))
