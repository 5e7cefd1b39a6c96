"""Deep Q-learning from every seat: double (van Hasselt et al. 2016), duelling, over several steps.

What follows a decision is the same seat's next decision, whoever acts in between. Illegal actions are left out where
an action is chosen and where the best next one is looked for.
"""

import numpy as np
import torch
from torch import nn

from ..action_values.base import ActionValueLearner
from ..base import Task
from ..collection.decisions import Columns, Decisions, Transitions
from ..collection.memory import Replay
from ..gradient import gradient_step
from ..snapshot_pool import SnapshotPool


class DQNLearner(ActionValueLearner):
    """A learner (see learners/base.py): a replay, a network and its target for every role."""

    def __init__(self, task: Task, pool: SnapshotPool, columns: Columns | None = None):
        super().__init__(task, pool, columns)
        self.targets: list[nn.Module] = []
        self.replays: list[Replay[Transitions]] = []
        for role, values in enumerate(self.values):
            target = self.new_network(duelling=True)
            target.load_state_dict(values.state_dict())
            self.networks_by_name[f"target{role}"] = target
            self.targets.append(target)
            replay: Replay[Transitions] = Replay(self.section.memory, seed=task.config.seed + role)
            self.memories[f"replay{role}"] = replay
            self.replays.append(replay)

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout and some gradient steps."""
        for found in self.play(remaining, self.take):
            self.remember(found)
        rate = self.set_learning_rate(remaining)
        figures = [self.learn(role) for role in range(self.count_roles) for _ in range(self.section.gradient_steps)]
        figures = [entry for entry in figures if entry]
        values = {name: float(np.mean([entry[name] for entry in figures])) for name in figures[0]} if figures else {}
        epsilon = self.actors[0].epsilon
        return {
            **values,
            "train/learning_rate": rate,
            "train/epsilon": epsilon,
            "train/memory": sum(len(replay) for replay in self.replays),
            **self.group.take_statistics(),
        }

    def take(self, decisions: Decisions) -> Transitions:
        """What a rollout leaves to be learnt from."""
        return decisions.transitions(self.section.multi_step, self.section.gamma)

    def remember(self, found: Transitions) -> None:
        """Puts the decisions of each role's seats into its replay."""
        self.timesteps += len(found.actions)
        for role, replay in enumerate(self.replays):
            replay.add(found.rows(np.flatnonzero(found.roles == role)))

    def learn(self, role: int) -> dict[str, float]:
        """One gradient step from a replay; nothing while it is too empty."""
        section, values, target = self.section, self.values[role], self.targets[role]
        if len(self.replays[role]) < section.learning_starts:
            return {}
        sample = self.replays[role].sample(section.batch_size)
        batch = {name: torch.from_numpy(array) for name, array in vars(sample).items()}
        wanted = double_target(values, target, batch)
        told = values(batch["observations"]).gather(1, batch["actions"][:, None]).flatten()
        loss = nn.functional.smooth_l1_loss(told, wanted)
        gradient_step(loss, self.optimizers[f"values{role}"], section.max_grad_norm)
        self.updates += 1
        if self.updates % section.target_every == 0:
            for own, fixed in zip(self.values, self.targets, strict=True):
                fixed.load_state_dict(own.state_dict())
        return {"train/value_loss": loss.item(), "train/mean_value": told.mean().item()}


def double_target(values: nn.Module, target: nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """What decisions are worth by what came of them, (B,): the best legal next action is chosen by ``values`` and
    judged by ``target``."""
    with torch.no_grad():
        after, legal = batch["next_observations"], batch["next_masks"]
        best = values(after).masked_fill(~legal, -torch.inf).argmax(dim=1)
        worth = target(after).gather(1, best[:, None]).flatten()
        return batch["rewards"] + batch["discounts"] * torch.where(batch["ended"], 0.0, worth)
