"""Who decides while samples for proximal policy optimisation are collected: the policies, or a teacher."""

import math

import numpy as np
import torch

from ....agents.base import Agent
from ..collection.collector import Rows
from ..collection.critic_view import CRITIC
from ..collection.decisions import Decisions
from ..finite import NotFiniteError
from .policy import Policy
from .samples import POLICY


class PolicyActor:
    """Actions drawn by the policy of each row's role, or taken by the ``teacher`` if there is one.

    It keeps the policy's log-probabilities of them, and its values; with ``keep_policy`` all probabilities. Each thread
    has one, with chance of its own.
    """

    def __init__(self, policies: list[Policy], seed: int, keep_policy: bool = False):
        self.policies, self.keep_policy = policies, keep_policy
        self.teacher: Agent | None = None
        self.generator = torch.Generator().manual_seed(seed % 2**63)

    def act(self, rows: Rows) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Actions (n,), and columns ``log_probs`` and ``values``, perhaps ``policy``."""
        actions, log_probs = np.zeros(len(rows.roles), np.int64), np.zeros(len(rows.roles), np.float32)
        values = np.zeros(len(rows.roles), np.float32)
        shares = np.zeros(rows.masks.shape, np.float32) if self.keep_policy else None
        with torch.no_grad():
            for role, policy in enumerate(self.policies):
                which = np.flatnonzero(rows.roles == role)
                if not len(which):
                    continue
                every = len(which) == len(rows.roles)
                seen, mask = (array if every else array[which] for array in (rows.observations, rows.masks))
                critic = None if rows.critic is None else torch.from_numpy(rows.critic[which])
                logits, value = policy(torch.from_numpy(seen), torch.from_numpy(mask), critic)
                log_prob = torch.log_softmax(logits, dim=1)
                if shares is not None:
                    shares[which] = torch.softmax(logits, dim=1).numpy()
                if self.teacher is None:
                    action = draw(torch.softmax(logits, dim=1), self.generator)
                else:
                    action = self._ask(self.teacher, seen, mask)
                actions[which] = action.numpy()
                log_probs[which] = log_prob.gather(1, action[:, None]).flatten().numpy()
                values[which] = value.numpy()
        if not math.isfinite(log_probs.sum() + values.sum()):  # else action 0 would be played, legal or not
            raise NotFiniteError("what the policy makes of a position is NaN or infinite")
        columns = {"log_probs": log_probs, "values": values}
        return actions, columns if shares is None else {**columns, POLICY: shares}

    def _ask(self, teacher: Agent, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        ticket = torch.randint(2**62, (1,), generator=self.generator).item()
        return torch.from_numpy(teacher.act(observations, masks.astype(np.int8), np.random.default_rng(int(ticket))))

    def judge(self, kept: Decisions) -> None:
        """Decisions that the last rollout left open were taken by the policy before its update; they are judged anew,
        so that all samples of an update start from the policy as it is."""
        columns, count = kept.columns, kept.count
        with torch.no_grad():
            for role, policy in enumerate(self.policies):
                rows = np.flatnonzero(kept.roles[:count] == role)
                if not len(rows):
                    continue
                seen, mask = torch.from_numpy(kept.observations[rows]), torch.from_numpy(kept.masks[rows])
                critic = torch.from_numpy(columns[CRITIC][rows]) if CRITIC in columns else None
                logits, value = policy(seen, mask, critic)
                if POLICY in columns:
                    columns[POLICY][rows] = torch.softmax(logits, dim=1).numpy()
                action = torch.from_numpy(kept.actions[rows])[:, None]
                columns["log_probs"][rows] = torch.log_softmax(logits, dim=1).gather(1, action).flatten().numpy()
                columns["values"][rows] = value.numpy()


def draw(probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """One action for every row of (B, A), with its probability; never one of probability 0."""
    # By the cumulated probabilities: ten times as fast as torch.multinomial on small batches.
    cumulated = probabilities.cumsum(dim=1)
    # Below the last sum whatever the rounding, so the first action that reaches past the ticket is a possible one.
    tickets = torch.rand(len(probabilities), 1, generator=generator) * cumulated[:, -1:] * (1 - 2**-20)
    return (cumulated > tickets).int().argmax(dim=1)
