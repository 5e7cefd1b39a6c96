"""sb3-contrib's MaskablePPO over a batch of tables with one learning seat each."""

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from ....agents.network.role_networks import EVERY, RoleNetworks
from ....envs.adapters.sb3 import SeatVecEnv
from ...storage.checkpoint import Checkpoint, prefixed
from ..base import Task
from ..opponents import Opponents
from ..snapshot_pool import SnapshotPool
from ..tensors import adam_tensors, load_adam_tensors, load_network_tensors, network_tensors
from .sample_buffer import SampleBuffer
from .shared_trunk import SharedTrunkPolicy

# What MaskablePPO records under another name
CURVES = {
    "train/policy_gradient_loss": "train/policy_loss",
    "train/value_loss": "train/value_loss",
    "train/approx_kl": "train/approx_kl",
    "train/clip_fraction": "train/clip_fraction",
    "train/explained_variance": "train/explained_variance",
    "train/learning_rate": "train/learning_rate",
}


class MaskablePPOLearner:
    """A learner (see base.py) around MaskablePPO; its own loop, ``learn``, is not used."""

    def __init__(self, task: Task, pool: SnapshotPool):
        config, self.task = task.config, task
        # Checks every batch that probabilities sum to 1; masks are right without, and a tenth of the time is saved.
        torch.distributions.Distribution.set_default_validate_args(False)
        self.opponents = Opponents(task, pool)
        options = {name: value for name, value in task.settings.items() if name != "num_players"}
        self.env = SeatVecEnv(
            task.game,
            config.num_envs,
            self.opponents.weighted,
            task.settings["num_players"],
            truncated_as=config.truncated_as,
            seed=config.seed,
            learner_seats=learner_seats(task),
            **options,
        )
        self.model, self.policy = _model(self.env, task)
        self._callback: Any = None

    @property
    def timesteps(self) -> int:
        """Samples so far."""
        return self.model.num_timesteps

    def iterate(self, remaining: float) -> dict[str, float]:
        """One rollout and one update."""
        model = self.model
        model._current_progress_remaining = remaining
        model.ent_coef = self.task.config.section.at(remaining).entropy
        assert model.env is not None
        model.collect_rollouts(model.env, self._callback, model.rollout_buffer, model.n_steps)
        model.train()
        recorded = model.logger.name_to_value
        values = {name: float(recorded[theirs]) for theirs, name in CURVES.items()}
        values["train/entropy"] = -float(recorded["train/entropy_loss"])
        recorded.clear()
        return values | {f"train/{name}": value for name, value in self.env.take_statistics().items()}

    def networks(self) -> RoleNetworks:
        """Trunk and action head, for the role that is learnt."""
        network = self.policy.network(self.task.config.network, self.task.card(self.timesteps))
        return RoleNetworks(dict.fromkeys(self.task.roles, network))

    def seat_snapshots(self, pool: SnapshotPool) -> None:
        """Puts another snapshot into each slot whose snapshot has changed."""
        self.opponents.seat_snapshots(pool, self.env.set_opponent)

    def climb(self, rung: int) -> None:
        """From the next game on this of the curriculum's agents sits at the tables."""
        self.env.weigh_opponents(self.opponents.weights_at(rung))

    def begin(self) -> None:
        """Deals the first games."""
        self._callback = self.model._setup_learn(self.task.config.total_timesteps)[1]

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Policy, optimiser, tables, and what the next rollout starts from."""
        model = self.model
        loop = {"last_obs": np.asarray(model._last_obs), "episode_starts": np.asarray(model._last_episode_starts)}
        tensors = {
            **prefixed("policy", network_tensors(self.policy)),
            **prefixed("adam", adam_tensors(self.policy, self.policy.optimizer)),
            **prefixed("tables", self.env.state_dict()),
            **prefixed("loop", loop),
        }
        return tensors, {"timesteps": self.timesteps, "updates": model._n_updates}

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        kept, model = Checkpoint(tensors, facts), self.model
        load_network_tensors(self.policy, kept.part("policy"))
        load_adam_tensors(self.policy, self.policy.optimizer, kept.part("adam"))
        self.env.load_state_dict(kept.part("tables"))
        loop = kept.part("loop")
        model._last_obs = loop["last_obs"].copy()  # type: ignore[assignment]
        model._last_episode_starts = loop["episode_starts"].copy()  # type: ignore[assignment]
        model.num_timesteps, model._n_updates = facts["timesteps"], facts["updates"]

    def close(self) -> None:
        """Ends the environment's threads."""
        self.env.close()


def learner_seats(task: Task) -> list[int]:
    """The seats of the role that is learnt."""
    spec, [learnt] = task.game.spec, task.roles
    roles = spec.seat_roles(task.settings)
    return [seat for seat, role in enumerate(roles) if learnt in (EVERY, spec.roles[role].name)]


def _model(env: SeatVecEnv, task: Task) -> tuple[MaskablePPO, SharedTrunkPolicy]:
    ppo = task.config.section
    model = MaskablePPO(
        SharedTrunkPolicy,
        env,
        # SB3 asks with what remains of the run, from 1 to 0.
        learning_rate=lambda left: ppo.learning_rate_end + left * (ppo.learning_rate - ppo.learning_rate_end),
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value_weight,
        max_grad_norm=ppo.max_grad_norm,
        rollout_buffer_class=SampleBuffer,
        policy_kwargs={"features_extractor_kwargs": {"network": task.config.network}},
        seed=task.config.seed % 2**32,
        device="cpu",
    )
    env.seed(task.config.seed)  # SB3 has just seeded it with what is left of a large seed
    model.set_logger(Logger(None, []))
    assert isinstance(model.policy, SharedTrunkPolicy)
    return model, model.policy
