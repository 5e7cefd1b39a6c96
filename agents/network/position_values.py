"""What positions are worth to seats by the value heads of networks, many positions at once."""

from typing import Any

import numpy as np

from ...envs.core.compiler import driver
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ...envs.tables.perceptron import NetworkBank, forward
from .network import Network
from .role_networks import RoleNetworks


@driver
def judge(rules, observation):
    """judge(states, seats, numbers, plans, values, scratch, shown, out): what the seats (n,) see of the positions (n,)
    goes through the networks with the ``numbers`` (n,) of a bank; their first outputs are written to ``out`` (n,).
    ``shown`` float32 (D,) is room for an observation."""

    def run(states, seats, numbers, plans, values, scratch, shown, out):
        for i in range(len(states)):
            observation.observe(states[i], seats[i], shown)
            out[i] = scratch[forward(plans[numbers[i]], values, shown, scratch), 0]

    return run


@driver
def observe(rules, observation):
    """observe(states, seats, out): what the seats (n,) see of the positions (n,), into float32 (n, D)."""

    def run(states, seats, out):
        for i in range(len(states)):
            observation.observe(states[i], seats[i], out[i])

    return run


class PositionValues:
    """The value heads of an agent's networks over positions of one game: compiled where all are perceptrons.

    One object serves one thread. ValueError if a network has no value head.
    """

    def __init__(self, game: Game, settings: Settings, networks: RoleNetworks):
        spec = game.spec
        self.networks, self._modules = networks, (spec.rules, spec.observation)
        self._shown = np.zeros(spec.observation_size(settings), np.float32)
        every = list(networks.by_role.values())
        for network in every:
            network.values(self._shown[None])  # says so if it cannot
        perceptrons = [one.value_network() for one in every if isinstance(one, Network)]
        self._bank = NetworkBank(perceptrons) if len(perceptrons) == len(every) else None
        self._scratch = None if self._bank is None else self._bank.scratch()
        names = [spec.roles[role].name for role in spec.seat_roles(settings)]
        self._numbers = np.array([_place(networks.of(name), every) for name in names], np.int64)

    def of(self, records: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What each of the seats int64 (n,) may expect in the positions (n,), float32 (n,), from what it sees alone.

        Raises:
            ValueError: no network plays the role of one of the seats.
        """
        numbers = self._numbers[seats]
        if (numbers < 0).any():
            raise ValueError(f"no network for the role of seat {seats[(numbers < 0).argmax()]}")
        if self._bank is None:
            seen = np.zeros((len(seats), len(self._shown)), np.float32)
            observe(*self._modules)(records, seats, seen)
            return self.networks.values(seen)
        out, bank = np.zeros(len(seats), np.float32), self._bank
        judge(*self._modules)(records, seats, numbers, bank.plans, bank.values, self._scratch, self._shown, out)
        return out


def _place(network: Any, every: list[Any]) -> int:
    """Where a network stands among all, by identity; -1 for none."""
    return next((place for place, one in enumerate(every) if one is network), -1)
