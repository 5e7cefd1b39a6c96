"""Learning that begins with the networks of a trained agent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ....agents.loading import load_agent
from ....agents.network.agent import NetworkAgent
from ....agents.network.built import BuiltNetwork
from ....agents.network.kinds import PERCEPTRON
from ....agents.network.network import Network, StoredNetwork
from ..base import Task
from .policy import Policy


def network_settings(network: StoredNetwork) -> dict[str, Any]:
    """The section ``network`` of a config that makes networks of this form."""
    if isinstance(network, BuiltNetwork):
        settings = dict(network.settings)
        known = {key: settings.pop(key) for key in ("hidden", "activation")}
        return {"kind": network.kind, **known, "options": settings}
    assert isinstance(network, Network)
    return {"kind": PERCEPTRON, "hidden": network.sizes[1:-1], "activation": network.activation}


def begin_with(name: str, task: Task, policies: Sequence[Policy]) -> None:
    """Copies the networks of a trained agent into the policies of its roles: trunk, action head and, where both have
    one over the trunk, value head.

    Raises:
        ValueError: the agent has no networks, or they are of another form than the config's.
    """
    agent = load_agent(name, task.game, task.settings)
    if not isinstance(agent, NetworkAgent):
        raise ValueError(f"initial_weights={name!r}: the folder of a training run is wanted, whose networks are taken")
    for role, policy in zip(task.roles, policies, strict=True):
        network = agent.networks.of(role)
        if network is None:
            raise ValueError(f"initial_weights={name!r}: it has no network for the role {role!r}")
        _check_form(name, network, policy)
        _copy(network, policy)


def _check_form(name: str, network: StoredNetwork, policy: Policy) -> None:
    made = network_settings(network)
    wanted = {"kind": policy.config.kind, **policy.config.trunk_settings()}
    mine = {"kind": made["kind"], "hidden": made["hidden"], "activation": made["activation"], **made.get("options", {})}
    other = [key for key in mine if mine[key] != wanted.get(key)]
    if other:
        here = ", ".join(f"network.{key}={mine[key]}" for key in other)
        raise ValueError(f"initial_weights={name!r}: its networks were made with {here}; set the same")


def _copy(network: StoredNetwork, policy: Policy) -> None:
    with torch.no_grad():
        if isinstance(network, Network):
            linear = [layer for layer in [*policy.trunk, policy.action_head] if isinstance(layer, torch.nn.Linear)]  # type: ignore[misc]
            for layer, weight, bias in zip(linear, network.weights, network.biases, strict=True):
                layer.weight.copy_(torch.from_numpy(weight.T.copy()))
                layer.bias.copy_(torch.from_numpy(bias))
        else:
            assert isinstance(network, BuiltNetwork)
            tensors = {key: torch.from_numpy(np.array(value)) for key, value in network.tensors.items()}
            parts = {"trunk": policy.trunk, "head": policy.action_head}
            for part, module in parts.items():
                own = {key.removeprefix(f"{part}."): value for key, value in tensors.items() if key.startswith(part)}
                module.load_state_dict(own)
        if network.value_head is not None and policy.critic_trunk is None:
            weight, bias = network.value_head
            policy.value_head.weight.copy_(torch.from_numpy(weight.T.copy()))
            policy.value_head.bias.copy_(torch.from_numpy(bias))
