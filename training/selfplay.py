"""Self-play: proximal policy optimisation in which every decision of every seat is a sample.

A part of the games has the policy at every seat, the others have it at one seat among past snapshots and baselines.
It may begin by imitating an agent. Seats of one role share a network. The parts: envs' arena plays, decisions.py gives
credit, ppo_update.py learns.
"""

import math
from typing import Any

import numpy as np
import torch

from ..agents.loading import load_agent
from ..agents.neural.role_networks import RoleNetworks
from ..envs.adapters.arena import Arena
from .checkpoint import Checkpoint, prefixed
from .decisions import Decisions, Samples
from .learner import Task
from .opponents import Opponents
from .policy import Policy
from .ppo_update import imitation_loss, ppo_loss, update
from .snapshot_pool import SnapshotPool
from .tensors import adam_tensors, load_adam_tensors, load_network_tensors, network_tensors


class SelfPlayLearner:
    """A learner (see learner.py) that learns from all seats."""

    def __init__(self, task: Task, pool: SnapshotPool):
        config, self.task = task.config, task
        spec = task.game.spec
        self.roles = np.array(spec.seat_roles(task.settings))
        features = spec.observation_size(task.settings)
        network = config.network
        self.policies = [
            Policy(features, spec.num_actions, network.hidden, network.activation) for _ in range(self.roles.max() + 1)
        ]
        self.optimizers = [
            torch.optim.Adam(policy.parameters(), lr=config.ppo.learning_rate, eps=1e-5) for policy in self.policies
        ]
        self.generator = torch.Generator().manual_seed(config.seed % 2**63)
        self.opponents = Opponents(task, pool)
        self.arena = _arena(task, self.opponents)
        self.decisions = Decisions(config.ppo.n_steps, config.num_envs, len(self.roles), features, spec.num_actions)
        imitation = config.selfplay.imitation
        self.teacher = load_agent(imitation.agent, task.game, task.settings) if imitation.samples else None
        self.timesteps = 0
        self._games: list[tuple[int, int]] = []  # length, capped

    def begin(self) -> None:
        """Deals the first games."""
        self.arena.reset(self.task.config.seed)

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout and one update."""
        ppo = self.task.config.ppo
        rate = ppo.learning_rate_end + remaining * (ppo.learning_rate - ppo.learning_rate_end)
        if self.imitating:
            rate = self.task.config.selfplay.imitation.learning_rate or rate
        loss_of = imitation_loss if self.imitating else ppo_loss
        samples = self.rollout()
        self.decisions.carry()
        self.timesteps += len(samples.actions)
        figures: list[dict[str, float]] = []
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            for group in optimizer.param_groups:
                group["lr"] = rate
            own = samples if len(self.policies) == 1 else samples.of_role(role)
            if len(own.actions) > 1:
                figures.append(update(policy, optimizer, own, ppo, self.generator, loss_of))
        values = {name: float(np.mean([entry[name] for entry in figures])) for name in figures[0]} if figures else {}
        return {**values, "train/learning_rate": rate, **self._take_statistics()}

    @property
    def imitating(self) -> bool:
        """Whether the samples are still the teacher's decisions."""
        return self.teacher is not None and self.timesteps < self.task.config.selfplay.imitation.samples

    def rollout(self) -> Samples:
        """Plays, and returns every decision whose reward is known by now."""
        ppo = self.task.config.ppo
        self.judge_carried()
        for _ in range(ppo.n_steps):
            self.play_step()
        # What the teacher's decisions were worth is told by how the games ended, not by a value that knows nothing yet.
        return self.decisions.samples(ppo.gamma, 1.0 if self.imitating else ppo.gae_lambda)

    def play_step(self) -> None:
        """One decision at every table, by the network of the role whose turn it is."""
        arena = self.arena
        seats = arena.tables["seat"].copy()
        roles = self.roles[seats]
        observations, masks = arena.obs, arena.mask.astype(np.bool_)
        actions, log_probs, values = self.choose(observations, masks, roles)
        self.decisions.add(seats, observations, masks, actions, log_probs, values, roles)
        arena.step(actions)
        ended = arena.tables["ended"] != 0
        self.decisions.pay(arena.rewards, ended)
        for table in np.flatnonzero(ended):
            self._games.append((int(arena.tables["final_length"][table]), int(arena.tables["capped"][table])))

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, roles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn by the policy, their log-probabilities, and the values, for rows of several roles."""
        actions, log_probs = np.zeros(len(roles), np.int64), np.zeros(len(roles), np.float32)
        values = np.zeros(len(roles), np.float32)
        with torch.no_grad():
            for role, policy in enumerate(self.policies):
                rows = np.flatnonzero(roles == role)
                if not len(rows):
                    continue
                every = len(rows) == len(roles)
                seen, mask = (observations, masks) if every else (observations[rows], masks[rows])
                logits, value = policy(torch.from_numpy(seen), torch.from_numpy(mask))
                log_prob = torch.log_softmax(logits, dim=1)
                if self.imitating:
                    action = self._ask_teacher(seen, mask)
                else:
                    action = draw(torch.softmax(logits, dim=1), self.generator)
                actions[rows] = action.numpy()
                log_probs[rows] = log_prob.gather(1, action[:, None]).flatten().numpy()
                values[rows] = value.numpy()
        return actions, log_probs, values

    def _ask_teacher(self, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        assert self.teacher is not None
        ticket = torch.randint(2**62, (1,), generator=self.generator).item()
        return torch.from_numpy(
            self.teacher.act(observations, masks.astype(np.int8), np.random.default_rng(int(ticket)))
        )

    def judge_carried(self) -> None:
        """Decisions that the last rollout left open were taken by the policy before its update; they are judged anew,
        so that all samples of an update start from the policy as it is."""
        kept, count = self.decisions, self.decisions.count
        with torch.no_grad():
            for role, policy in enumerate(self.policies):
                rows = np.flatnonzero(kept.roles[:count] == role)
                if not len(rows):
                    continue
                seen, mask = torch.from_numpy(kept.observations[rows]), torch.from_numpy(kept.masks[rows])
                logits, value = policy(seen, mask)
                action = torch.from_numpy(kept.actions[rows])[:, None]
                kept.log_probs[rows] = torch.log_softmax(logits, dim=1).gather(1, action).flatten().numpy()
                kept.values[rows] = value.numpy()

    def _take_statistics(self) -> dict[str, float]:
        games, self._games = np.array(self._games, float).reshape(-1, 2), []
        means = games.mean(axis=0) if len(games) else np.full(2, np.nan)
        return {
            "train/episodes": len(games),
            "train/length": float(means[0]),
            "train/capped_share": float(means[1]),
            "train/illegal_actions": 0,  # an illegal action raises
        }

    def networks(self) -> RoleNetworks:
        """Every role's trunk and action head."""
        card = self.task.card(self.timesteps)
        return RoleNetworks(
            {role: policy.network(card) for role, policy in zip(self.task.roles, self.policies, strict=True)}
        )

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""
        self.opponents.seat_snapshots(pool, self.arena.seating.replace)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, optimisers, tables, open decisions, the generator."""
        tensors: dict[str, np.ndarray] = {"generator": self.generator.get_state().numpy().copy()}
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            tensors |= prefixed(f"policy{role}", network_tensors(policy))
            tensors |= prefixed(f"adam{role}", adam_tensors(policy, optimizer))
        tensors |= prefixed("tables", self.arena.state_dict())
        tensors |= prefixed("decisions", self.decisions.state_dict())
        return tensors, {"timesteps": self.timesteps}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        kept = Checkpoint(tensors, facts)
        for role, (policy, optimizer) in enumerate(zip(self.policies, self.optimizers, strict=True)):
            load_network_tensors(policy, kept.part(f"policy{role}"))
            load_adam_tensors(policy, optimizer, kept.part(f"adam{role}"))
        self.generator.set_state(torch.from_numpy(tensors["generator"].copy()))
        self.arena.load_state_dict(kept.part("tables"))
        self.decisions.load_state_dict(kept.part("decisions"))
        self.timesteps = facts["timesteps"]

    def close(self) -> None:
        """Ends the arena's threads."""
        self.arena.close()


def draw(probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """One action for every row of (B, A), with its probability; never one of probability 0."""
    # By the cumulated probabilities: ten times as fast as torch.multinomial on small batches.
    cumulated = probabilities.cumsum(dim=1)
    # Below the last sum whatever the rounding, so the first action that reaches past the ticket is a possible one.
    tickets = torch.rand(len(probabilities), 1, generator=generator) * cumulated[:, -1:] * (1 - 2**-20)
    return (cumulated > tickets).int().argmax(dim=1)


def _arena(task: Task, opponents: Opponents) -> Arena:
    config = task.config
    options = {name: value for name, value in task.settings.items() if name != "num_players"}
    roles = task.game.spec.seat_roles(task.settings)
    # Where the policy does not play all seats it has those of one role, each role as often as the others.
    times = [math.lcm(*map(roles.count, roles)) // roles.count(role) for role in roles]
    own_seats = [seat for seat, number in enumerate(times) for _ in range(number)]
    return Arena(
        task.game,
        config.num_envs,
        opponents.weighted,
        task.settings["num_players"],
        capped=config.capped,
        mirror_share=config.selfplay.mirror_share,
        own_seats=own_seats,
        whole_roles=len(set(roles)) > 1,
        **options,
    )
