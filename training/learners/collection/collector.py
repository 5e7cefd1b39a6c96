"""Tables at which the learning policies decide, for a number of decisions at a time."""

import math
from typing import Any

import numpy as np
import torch

from ....agents.base import Agent
from ....envs.tables.arena import Arena
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..ppo.policy import Policy
from .decisions import Decisions, Samples


class Rollout:
    """``tables`` tables, what was decided there, and the chance of it all.

    Several may play at the same time in threads of their own: they share nothing but the policies and the agents.
    """

    def __init__(self, task: Task, policies: list[Policy], opponents: list[tuple[Any, float]], tables: int, seed: int):
        config, spec = task.config, task.game.spec
        self.config, self.policies, self.seed = config, policies, seed
        self.roles = np.array(spec.seat_roles(task.settings))
        self.generator = torch.Generator().manual_seed(seed % 2**63)
        self.arena = _arena(task, opponents, tables)
        features = spec.observation_size(task.settings)
        self.decisions = Decisions(config.section.n_steps, tables, len(self.roles), features, spec.num_actions)
        self.games: list[tuple[int, int]] = []  # length, truncated

    def begin(self) -> None:
        """Deals the first games."""
        self.arena.reset(self.seed)

    def play(self, teacher: Agent | None = None) -> Samples:
        """Plays n_steps decisions at every table, by the teacher if there is one, and returns every decision whose
        reward is known by now."""
        ppo = self.config.section
        self.judge_carried()
        for _ in range(ppo.n_steps):
            self.play_step(teacher)
        # What the teacher's decisions were worth is told by how the games ended, not by a value that knows nothing yet.
        samples = self.decisions.samples(ppo.gamma, ppo.gae_lambda if teacher is None else 1.0)
        self.decisions.carry()
        return samples

    def play_step(self, teacher: Agent | None = None) -> None:
        """One decision at every table, by the network of the role whose turn it is, or by the teacher."""
        arena = self.arena
        seats = arena.tables["seat"].copy()
        roles = self.roles[seats]
        observations, masks = arena.obs, arena.mask.astype(np.bool_)
        actions, log_probs, values = self.choose(observations, masks, roles, teacher)
        self.decisions.add(seats, observations, masks, actions, log_probs, values, roles)
        arena.step(actions)
        ended = arena.tables["ended"] != 0
        self.decisions.pay(arena.rewards, ended)
        for table in np.flatnonzero(ended):
            self.games.append((int(arena.tables["final_length"][table]), int(arena.tables["truncated"][table])))

    def choose(
        self, observations: np.ndarray, masks: np.ndarray, roles: np.ndarray, teacher: Agent | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn by the policy or taken by the teacher, the policy's log-probabilities of them, and the values,
        for rows of several roles."""
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
                if teacher is None:
                    action = draw(torch.softmax(logits, dim=1), self.generator)
                else:
                    action = self._ask(teacher, seen, mask)
                actions[rows] = action.numpy()
                log_probs[rows] = log_prob.gather(1, action[:, None]).flatten().numpy()
                values[rows] = value.numpy()
        return actions, log_probs, values

    def _ask(self, teacher: Agent, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        ticket = torch.randint(2**62, (1,), generator=self.generator).item()
        return torch.from_numpy(teacher.act(observations, masks.astype(np.int8), np.random.default_rng(int(ticket))))

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

    def take_games(self) -> list[tuple[int, int]]:
        """Length and whether it was truncated (1, 0) of every game that has ended since the last time."""
        games, self.games = self.games, []
        return games

    def state_dict(self) -> dict[str, np.ndarray]:
        """Tables, open decisions, the generator."""
        tensors = {"generator": self.generator.get_state().numpy().copy()}
        tensors |= prefixed("tables", self.arena.state_dict())
        return tensors | prefixed("decisions", self.decisions.state_dict())

    def load_state_dict(self, tensors: dict[str, np.ndarray]) -> None:
        """The inverse; ValueError if it belongs to other tables."""
        kept = Checkpoint(tensors, {})
        self.generator.set_state(torch.from_numpy(tensors["generator"].copy()))
        self.arena.load_state_dict(kept.part("tables"))
        self.decisions.load_state_dict(kept.part("decisions"))


def draw(probabilities: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """One action for every row of (B, A), with its probability; never one of probability 0."""
    # By the cumulated probabilities: ten times as fast as torch.multinomial on small batches.
    cumulated = probabilities.cumsum(dim=1)
    # Below the last sum whatever the rounding, so the first action that reaches past the ticket is a possible one.
    tickets = torch.rand(len(probabilities), 1, generator=generator) * cumulated[:, -1:] * (1 - 2**-20)
    return (cumulated > tickets).int().argmax(dim=1)


def _arena(task: Task, opponents: list[tuple[Any, float]], tables: int) -> Arena:
    config = task.config
    options = {name: value for name, value in task.settings.items() if name != "num_players"}
    roles = task.game.spec.seat_roles(task.settings)
    # Where the policy does not play all seats it has those of one role, each role as often as the others.
    times = [math.lcm(*map(roles.count, roles)) // roles.count(role) for role in roles]
    learner_seats = [seat for seat, number in enumerate(times) for _ in range(number)]
    return Arena(
        task.game,
        tables,
        opponents,
        task.settings["num_players"],
        truncated_as=config.truncated_as,
        self_play_share=config.section.self_play_share,
        learner_seats=learner_seats,
        whole_roles=len(set(roles)) > 1,
        choices_only=True,  # a third of all decisions are forced in some games, and nothing is learnt from them
        **options,
    )
