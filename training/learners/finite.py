"""Numbers that are none any more: learning that has run away is stopped where it happens, not by what comes of it."""

import math
from collections.abc import Mapping

import numpy as np

from ...agents.network.role_networks import RoleNetworks


class NotFiniteError(ValueError):
    """Learning has run away: a loss, a gradient or a weight is NaN or infinite. The message says which and when."""


def check_finite(networks: RoleNetworks, values: Mapping[str, float]) -> None:
    """NotFiniteError for the first loss among the curves' values, or array of a network's weights, that is not finite.

    Other values may be NaN, such as means over no games.
    """
    for name, value in values.items():
        if name.startswith("train/") and name.endswith(("loss", "entropy")) and not math.isfinite(value):
            raise NotFiniteError(f"{name.removeprefix('train/').replace('_', ' ')} is {value}")
    for network in networks.by_role.values():
        for name, tensor in network.all_parts()[0].items():
            if not np.isfinite(tensor).all():
                raise NotFiniteError(f"weights of the network ({name}) are NaN or infinite")
