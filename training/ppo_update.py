"""One update by proximal policy optimisation (Schulman et al. 2017) with action masks."""

import numpy as np
import torch
from torch import nn

from .config import PPOConfig
from .decisions import Samples
from .policy import Policy


def update(
    policy: Policy,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    config: PPOConfig,
    generator: torch.Generator,
) -> dict[str, float]:
    """Several passes over the samples in random batches; returns the means of the curves' values.

    A decision with one legal action teaches nothing but its value, so it takes part in the first pass alone: a third of
    all decisions are forced in some games, and the time is better spent on the others.
    """
    tensors = {name: torch.from_numpy(value) for name, value in vars(samples).items() if name != "roles"}
    advantages = tensors["advantages"]
    tensors["advantages"] = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    every, free = torch.arange(len(advantages)), tensors["masks"].sum(dim=1).gt(1).nonzero().flatten()
    collected: list[list[float]] = []
    for epoch in range(config.n_epochs):
        rows = free if epoch else every
        order = rows[torch.randperm(len(rows), generator=generator)]
        for batch in order.split(config.batch_size):
            part = {name: tensor.index_select(0, batch) for name, tensor in tensors.items()}
            loss, figures = ppo_loss(policy, part, config)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, config.max_grad_norm)
            optimizer.step()
            collected.append(figures)
    names = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction")
    values = {f"train/{name}": float(value) for name, value in zip(names, np.mean(collected, axis=0), strict=True)}
    spread = float(samples.returns.var())
    unexplained = float((samples.returns - samples.values).var())
    values["train/explained_variance"] = 1 - unexplained / spread if spread > 0 else float("nan")
    return values


def ppo_loss(policy: Policy, part: dict[str, torch.Tensor], config: PPOConfig) -> tuple[torch.Tensor, list[float]]:
    """The loss of one batch, and policy loss, value loss, entropy, approximate KL and clipped share as numbers."""
    logits, values = policy(part["observations"], part["masks"])
    log_probs = torch.log_softmax(logits, dim=1)
    taken = log_probs.gather(1, part["actions"][:, None]).flatten()
    # Softmax again instead of the exponential of log_probs: that is very slow for masked entries.
    entropy = -(torch.softmax(logits, dim=1) * log_probs).sum(dim=1).mean()
    log_ratio = taken - part["log_probs"]
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(part["advantages"] * ratio, part["advantages"] * clipped).mean()
    value_loss = (part["returns"] - values).square().mean()
    loss = policy_loss - config.entropy * entropy + config.value_weight * value_loss
    with torch.no_grad():
        kl = (ratio - 1 - log_ratio).mean()  # Schulman's low-variance estimate
        share = (ratio != clipped).float().mean()
        figures = torch.stack([policy_loss, value_loss, entropy, kl, share]).tolist()
    return loss, figures
