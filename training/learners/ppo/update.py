"""One update from samples: by proximal policy optimisation (Schulman et al. 2017), or by imitation; with masks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ..gradient import gradient_step
from ..ppo_settings import ActorCriticSettings, PPOSettings
from .policy import Policy
from .samples import Samples

Figures = dict[str, torch.Tensor]
# What is made small: loss(policy, batch, settings) returns it for a batch (the arrays of Samples by name), and figures
# for the curves.
Loss = Callable[[Policy, dict[str, torch.Tensor], Any], tuple[torch.Tensor, Figures]]


def update(
    policy: Policy,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    config: ActorCriticSettings,
    generator: torch.Generator,
    loss_of: Loss,
) -> dict[str, float]:
    """Several passes over the samples in random batches; returns the means of the curves' values."""
    tensors = {name: torch.from_numpy(value) for name, value in vars(samples).items() if name != "roles"}
    advantages = tensors["advantages"]
    tensors["advantages"] = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    collected: list[list[float]] = []
    names: list[str] = []
    for _ in range(config.n_epochs):
        order = torch.randperm(len(advantages), generator=generator)
        for batch in order.split(config.batch_size):
            part = {name: tensor.index_select(0, batch) for name, tensor in tensors.items()}
            loss, figures = loss_of(policy, part, config)
            gradient_step(loss, optimizer, config.max_grad_norm)
            collected.append(torch.stack(list(figures.values())).tolist())
            names = list(figures)
    values = {f"train/{name}": float(value) for name, value in zip(names, np.mean(collected, axis=0), strict=True)}
    spread = float(samples.returns.var())
    unexplained = float((samples.returns - samples.values).var())
    values["train/explained_variance"] = 1 - unexplained / spread if spread > 0 else float("nan")
    return values


def ppo_loss(policy: Policy, part: dict[str, torch.Tensor], config: PPOSettings) -> tuple[torch.Tensor, Figures]:
    """The loss of one batch, and figures to watch."""
    _, entropy, taken, value_loss = judge(policy, part)
    policy_loss, figures = clipped_loss(taken, part, config.clip)
    loss = policy_loss - config.entropy * entropy + config.value_weight * value_loss
    return loss, {**figures, "value_loss": value_loss.detach(), "entropy": entropy.detach()}


def clipped_loss(taken: torch.Tensor, part: dict[str, torch.Tensor], clip: float) -> tuple[torch.Tensor, Figures]:
    """The policy's part of the loss, from the log-probabilities (B,) of the actions taken, and figures to watch."""
    log_ratio = taken - part["log_probs"]
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    policy_loss = -torch.minimum(part["advantages"] * ratio, part["advantages"] * clipped).mean()
    with torch.no_grad():
        figures = {
            "policy_loss": policy_loss.detach(),
            "approx_kl": (ratio - 1 - log_ratio).mean(),  # Schulman's low-variance estimate
            "clip_fraction": (ratio != clipped).float().mean(),
        }
    return policy_loss, figures


def imitation_loss(
    policy: Policy, part: dict[str, torch.Tensor], config: ActorCriticSettings
) -> tuple[torch.Tensor, Figures]:
    """Cross-entropy to the actions that were taken, and the value loss."""
    log_probs, entropy, taken, value_loss = judge(policy, part)
    policy_loss = -taken.mean()
    with torch.no_grad():
        agreement = (log_probs.argmax(dim=1) == part["actions"]).float().mean()
        figures = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy, "agreement": agreement}
    return policy_loss + config.value_weight * value_loss, figures


def judge(
    policy: Policy, part: dict[str, torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Log-probabilities (B, A), mean entropy, log-probabilities of the actions taken (B,), and the value loss."""
    logits, values = policy(part["observations"], part["masks"], part.get("critic"))
    log_probs = torch.log_softmax(logits, dim=1)
    # Softmax again instead of the exponential of log_probs: that is very slow for masked entries.
    entropy = -(torch.softmax(logits, dim=1) * log_probs).sum(dim=1).mean()
    taken = log_probs.gather(1, part["actions"][:, None]).flatten()
    return log_probs, entropy, taken, (part["returns"] - values).square().mean()
