"""Which deals are likely, by what the others have done: what a seat played, and did not play, tells what it holds.

A candidate is a position dealt anew. For each decision that another seat is known to have made it is taken back to
before that decision (the game's ``rewind``), and models of players are asked what they would have done there. A seat is
taken for one of the models through the whole game, but nobody knows which (their mixture is the likelihood), and every
model errs now and then.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...envs.core.compiler import driver
from ...envs.core.contract import OPTIONAL
from ...envs.core.game import Game
from ...envs.tables.context import Context
from ...envs.tables.past import Past

REMEMBERED = 10  # decisions that are looked at, the last ones: of earlier ones too much is guessed that was drawn since
ERRING = 0.2  # how often a model takes any legal action
AT_ONCE = 1 << 22  # numbers of observations in memory at a time
SMALLEST = 1e-6  # what a decision is said to be likely that a candidate does not allow


@driver
def rewind_all(rules, observation):
    """rewind_all(candidates, scratch, past, actions, seats, viewer, observations, masks, told, depths): takes every
    candidate (C,) back decision by decision over the past (K,), and writes what each seat that chose saw and could do.

    ``told`` int8 (C, K): 1 where another seat than the viewer chose, and the position could be taken back as far;
    ``depths`` int64 (C,): the first decision that it could be taken back to.
    """

    def run(candidates, scratch, past, actions, seats, viewer, observations, masks, told, depths):
        for c in range(len(candidates)):
            scratch[0] = candidates[c]
            depths[c] = len(past)
            now = 0
            for k in range(len(past) - 1, -1, -1):
                scratch[1 - now] = past[k]
                s = scratch[1 - now]
                if observation.rewind(s, scratch[now], actions[k], viewer) == 0:
                    break
                now = 1 - now
                depths[c] = k
                if seats[k] != viewer:
                    rules.legal_actions(s, masks[c, k])
                    legal = 0
                    for action in range(masks.shape[2]):
                        legal += masks[c, k, action]
                    if legal > 1:
                        observation.observe(s, seats[k], observations[c, k])
                        told[c, k] = 1

    return run


class Belief:
    """Weighs candidates by a mixture of agents that may sit at the other seats."""

    def __init__(self, models: Sequence[Any], erring: float = ERRING):
        self.models, self.erring = list(models), erring

    def log_weights(self, context: Context, row: int, candidates: np.ndarray) -> np.ndarray:
        """The logarithm of how likely the others' decisions were if each candidate (C,) is true, float64 (C,), up to
        what is the same for all. Zeros where nothing can be told."""
        past = context.past(row)
        if not len(past) or not can_rewind(context.game):
            return np.zeros(len(candidates))
        features = context.observations.shape[1]
        together = max(AT_ONCE // (len(past) * features), 1)
        parts = [
            self._decisions(context, row, past, candidates[low : low + together])
            for low in range(0, len(candidates), together)
        ]
        likely, depths = (np.concatenate(column) for column in zip(*parts, strict=True))
        return self._joined(past, likely, depths)

    def _decisions(
        self, context: Context, row: int, past: Past, candidates: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """How likely each decision was by each model, float64 (C, K, M), NaN where nothing is told; and the first
        decision that each candidate could be taken back to, int64 (C,)."""
        count, features, actions = len(candidates), context.observations.shape[1], context.masks.shape[1]
        observations = np.zeros((count, len(past), features), np.float32)
        masks, told = np.zeros((count, len(past), actions), np.int8), np.zeros((count, len(past)), np.int8)
        depths = np.zeros(count, np.int64)
        spec, scratch = context.game.spec, context.game.empty_states(context.settings, 2)
        rewind_all(spec.rules, spec.observation)(
            candidates, scratch, past.records, past.actions, past.seats, int(context.seats[row]),
            observations, masks, told, depths,
        )  # fmt: skip
        found = np.full((count, len(past), len(self.models)), np.nan)
        which, when = np.nonzero(told)
        if len(which):
            seen, could = observations[which, when], masks[which, when]
            for number, model in enumerate(self.models):
                found[which, when, number] = self._likelihood(model, seen, could, past.actions[when], context.rng)
        return found, depths

    def _likelihood(
        self, model: Any, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """With which probability a model takes the actions, float64 (B,)."""
        rows, legal = np.arange(len(actions)), masks != 0
        networks = getattr(model, "networks", None)
        if networks is None:
            chosen = (model.act(observations, masks, rng) == actions).astype(float)
        else:
            logits = np.where(legal, networks.logits(observations).astype(float), -np.inf)
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            chosen = shares[rows, actions] / shares.sum(axis=1)
        even = legal[rows, actions] / legal.sum(axis=1)
        return np.maximum((1 - self.erring) * np.where(legal[rows, actions], chosen, 0) + self.erring * even, SMALLEST)

    def _joined(self, past: Past, likely: np.ndarray, depths: np.ndarray) -> np.ndarray:
        """The candidates' log weights: over decisions a product, over the models of a seat a mixture."""
        logs, places = np.log(likely), np.arange(len(past))
        # What some candidates can be taken back to and others not speaks against those; forced moves tell nothing.
        told = ~np.isnan(logs[:, :, 0])
        logs[(places < depths[:, None]) & told.any(axis=0)] = np.log(SMALLEST)
        logs = np.nan_to_num(logs, nan=0.0)
        total = np.zeros(len(logs))
        for seat in np.unique(past.seats):
            of_seat = logs[:, past.seats == seat].sum(axis=1)
            top = of_seat.max(axis=1, keepdims=True)
            total += top[:, 0] + np.log(np.exp(of_seat - top).mean(axis=1))
        return total


def can_rewind(game: Game) -> bool:
    """Whether a game can take positions back."""
    return game.spec.hooks.rewind != OPTIONAL["observation"].rewind
