"""Expert iteration (Anthony et al. 2017): at every choice of the learner's seats a search looks further than the
network that guides it; the network learns the distribution that the search improved, and what games were worth.

The search (see agents/search) deals anew what a seat cannot know, so that nothing of the true position is learnt.
"""

from typing import Any

import numpy as np
import torch

from ....agents.loading import agent_names, load_agent
from ....agents.search.models import MIXED
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..collection.collector import Rows
from ..collection.decisions import Decisions
from ..ppo.actor import PolicyActor
from ..ppo.learner import PPOLearner
from ..ppo.policy import Policy
from ..ppo.samples import POLICY, Samples
from ..ppo.update import Figures, judge
from ..snapshot_pool import SnapshotPool
from . import OWN, ExpertSection
from .search import ExpertSearch


class ExpertActor(PolicyActor):
    """Plays what its search finds; the values that it keeps are the search's."""

    search: ExpertSearch | None = None

    def act(self, rows: Rows) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Actions (n,), and columns ``log_probs``, ``values`` and ``policy``."""
        actions, columns = super().act(rows)
        every = np.arange(len(actions))
        if self.teacher is not None or self.search is None:
            columns[POLICY] = np.eye(rows.masks.shape[1], dtype=np.float32)[actions]
            return actions, columns
        thought = self.search.think(rows.context())
        known = ~np.isnan(thought.values)  # unknown where there was no choice
        return thought.actions, {
            "log_probs": np.log(thought.policy[every, thought.actions]).astype(np.float32),
            "values": np.where(known, thought.values, columns["values"]).astype(np.float32),
            POLICY: thought.policy.astype(np.float32),
        }

    def judge(self, kept: Decisions) -> None:
        """Decisions that the last rollout left open stay as the search judged them."""


class ExpertLearner(PPOLearner):
    """Self-play in which a search decides, and what the latest rollouts of it are learnt from."""

    def __init__(self, task: Task, pool: SnapshotPool):
        section: ExpertSection = task.config.section
        known = agent_names(task.game)
        named = {name for name in section.playouts if name not in (OWN, MIXED)}
        if MIXED in section.playouts:
            named |= {name for name in known if name.startswith("heuristic")}
        self.others = {name: load_agent(name, task.game, task.settings) for name in sorted(named)}
        super().__init__(task, pool, loss=expert_loss, keep_policy=True)
        self.window: list[Samples] = []

    def actor(self, seed: int, keep_policy: bool) -> ExpertActor:
        """Who decides in one thread."""
        return ExpertActor(self.policies, seed, keep_policy)

    def rollout(self) -> Samples:
        """Plays at all tables, guided by the networks as they are."""
        networks = self.networks()
        for actor in self.actors:
            # Another seed for every rollout: the same position is searched on other deals then.
            actor.search = ExpertSearch(self.task.game, networks, self.section, self.others, self.timesteps)  # type: ignore[attr-defined]
        return super().rollout()

    def learnt_from(self, samples: Samples) -> Samples:
        """Those of the latest rollouts together; what was imitated is learnt from once."""
        if self.imitating:
            return samples
        self.window = [*self.window, samples][-self.section.window :]
        return Samples.joined(self.window)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """That of self-play, and the latest rollouts."""
        tensors, facts = super().state_dict()
        for place, samples in enumerate(self.window):
            tensors |= prefixed(f"window{place}", vars(samples))
        return tensors, {**facts, "window": len(self.window)}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        super().load_state_dict(tensors, facts)
        kept = Checkpoint(tensors, facts)
        self.window = [
            Samples(**{name: value.copy() for name, value in kept.part(f"window{place}").items()})
            for place in range(facts["window"])
        ]


def expert_loss(policy: Policy, part: dict[str, torch.Tensor], config: ExpertSection) -> tuple[torch.Tensor, Figures]:
    """Cross-entropy to the distribution that the search found, and the value loss."""
    log_probs, entropy, _, value_loss = judge(policy, part)
    wanted = part["policy"]
    policy_loss = -torch.where(part["masks"], wanted * log_probs, 0.0).sum(dim=1).mean()
    loss = policy_loss - config.entropy * entropy + config.value_weight * value_loss
    with torch.no_grad():
        figures = {
            "policy_loss": policy_loss.detach(),
            "value_loss": value_loss.detach(),
            "entropy": entropy.detach(),
            "search_entropy": -torch.special.xlogy(wanted, wanted).sum(dim=1).mean(),
            "agreement": (log_probs.argmax(dim=1) == wanted.argmax(dim=1)).float().mean(),
        }
    return loss, figures
