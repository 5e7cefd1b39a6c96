"""One step of an optimiser, refused where it would write numbers that are none."""

import math

import torch
from torch import nn

from .finite import NotFiniteError


def gradient_step(loss: torch.Tensor, optimizer: torch.optim.Optimizer, max_grad_norm: float) -> None:
    """Makes the loss smaller; NotFiniteError, before weights change, if loss or gradient are NaN or infinite."""
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    optimizer.zero_grad()
    loss.backward()
    length = nn.utils.clip_grad_norm_(parameters, max_grad_norm).item()
    if not math.isfinite(length):
        lost = loss.item()
        raise NotFiniteError(f"the gradient's length is {length}" if math.isfinite(lost) else f"the loss is {lost}")
    optimizer.step()
