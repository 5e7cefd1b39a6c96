"""Magnetic mirror descent as a policy gradient (Sokota et al. 2023; Rudolph et al. 2025): the loss of proximal policy
optimisation, the reverse divergence from the policy that played, and that from a magnet.

Against itself a policy that only follows its advantage may circle for ever; with these two terms it comes to rest, the
closer to an equilibrium the weaker the magnet is in the end (``entropy_end``).
"""

import copy
from typing import Any

import numpy as np
import torch

from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..ppo.learner import PPOLearner
from ..ppo.policy import Policy
from ..ppo.update import Figures, clipped_loss, judge
from ..snapshot_pool import SnapshotPool
from ..tensors import load_network_tensors, network_tensors
from . import MMDSection

NEVER = 1e-12  # below it a probability counts as this


class MMDLearner(PPOLearner):
    """Self-play with another loss, and a slow copy of each role's policy where that is the magnet."""

    def __init__(self, task: Task, pool: SnapshotPool):
        super().__init__(task, pool, loss=self.mmd_loss, keep_policy=True)
        slow = self.section.magnet == "slow"
        self.magnets: list[Policy] = [copy.deepcopy(policy) for policy in self.policies] if slow else []

    def mmd_loss(
        self, policy: Policy, part: dict[str, torch.Tensor], config: MMDSection
    ) -> tuple[torch.Tensor, Figures]:
        """The loss of one batch, and figures to watch."""
        log_probs, entropy, taken, value_loss = judge(policy, part)
        policy_loss, figures = clipped_loss(taken, part, config.clip)
        # Softmax again: the exponential is very slow for masked entries.
        probs, legal = torch.softmax(log_probs, dim=1), part["masks"]
        moved = divergence(probs, log_probs, part["policy"].clamp_min(NEVER).log(), legal)
        drawn = -entropy
        if self.magnets:
            with torch.no_grad():
                magnet = self.magnets[self.policies.index(policy)]
                logits, _ = magnet(part["observations"], legal, part.get("critic"))
            drawn = divergence(probs, log_probs, torch.log_softmax(logits, dim=1), legal)
        loss = policy_loss + config.kl * moved + config.entropy * drawn + config.value_weight * value_loss
        return loss, {
            **figures,
            "value_loss": value_loss.detach(),
            "entropy": entropy.detach(),
            "magnet_divergence": drawn.detach(),
        }

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout, one update, and the slow copies follow."""
        values = super().iterate(remaining)
        rate = self.section.magnet_rate
        with torch.no_grad():
            for magnet, policy in zip(self.magnets, self.policies, strict=False):
                for slow, fast in zip(magnet.state_dict().values(), policy.state_dict().values(), strict=True):
                    if slow.is_floating_point():
                        slow.lerp_(fast, rate)
                    else:  # what a kind of network counts
                        slow.copy_(fast)
        return values

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """That of self-play, and the slow copies."""
        tensors, facts = super().state_dict()
        for role, magnet in enumerate(self.magnets):
            tensors |= prefixed(f"magnet{role}", network_tensors(magnet))
        return tensors, facts

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        super().load_state_dict(tensors, facts)
        kept = Checkpoint(tensors, facts)
        for role, magnet in enumerate(self.magnets):
            load_network_tensors(magnet, kept.part(f"magnet{role}"))


def divergence(
    probs: torch.Tensor, log_probs: torch.Tensor, log_others: torch.Tensor, legal: torch.Tensor
) -> torch.Tensor:
    """The mean of KL(policy | other) over the legal actions, all (B, A)."""
    return torch.where(legal, probs * (log_probs - log_others), 0.0).sum(dim=1).mean()
