"""The state of a torch network, of its Adam optimiser and of chance as arrays, for checkpoints."""

import json

import numpy as np
import torch

from ..storage.plain_json import json_text

ADAM = ("step", "exp_avg", "exp_avg_sq")


def network_tensors(network: torch.nn.Module) -> dict[str, np.ndarray]:
    """Every parameter and buffer by name, copied."""
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}


def load_network_tensors(network: torch.nn.Module, tensors: dict[str, np.ndarray]) -> None:
    """The inverse; ValueError names a parameter that is missing or of another shape."""
    for name, parameter in network.state_dict().items():
        kept = tensors.get(name)
        if kept is None or kept.shape != tuple(parameter.shape):
            found = "nothing" if kept is None else kept.shape
            raise ValueError(f"policy.{name}: {found} was kept, but this network needs {tuple(parameter.shape)}")
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(kept.copy()))


def adam_tensors(network: torch.nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, np.ndarray]:
    """What Adam keeps of every parameter, copied; nothing before its first step."""
    tensors = {}
    for name, parameter in network.named_parameters():
        for key in ADAM:
            if key in optimizer.state.get(parameter, {}):
                tensors[f"{key}.{name}"] = optimizer.state[parameter][key].numpy().copy()
    return tensors


def load_adam_tensors(
    network: torch.nn.Module, optimizer: torch.optim.Optimizer, tensors: dict[str, np.ndarray]
) -> None:
    """The inverse."""
    for name, parameter in network.named_parameters():
        kept = {key: tensors[f"{key}.{name}"] for key in ADAM if f"{key}.{name}" in tensors}
        optimizer.state[parameter] = {key: torch.from_numpy(value.copy()) for key, value in kept.items()}


def generator_array(rng: np.random.Generator) -> np.ndarray:
    """The state of a generator, uint8."""
    return np.frombuffer(json_text(rng.bit_generator.state).encode(), np.uint8).copy()


def set_generator(rng: np.random.Generator, kept: np.ndarray) -> None:
    """The inverse."""
    rng.bit_generator.state = json.loads(kept.tobytes())
