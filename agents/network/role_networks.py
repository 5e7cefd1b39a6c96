"""The networks of one agent: one for every role that it can play."""

import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...envs.core.spec import GameSpec, Settings
from .network import StoredNetwork

EVERY = ""  # stands for every role: all there is where a game has but one
ROLE_BLOCK = "role"  # the observation's one-hot of the role, in the order of the game's roles


@dataclass(frozen=True)
class RoleNetworks:
    """A network by the name of each role; under EVERY, one that plays whatever role has none of its own."""

    by_role: Mapping[str, StoredNetwork]

    def of(self, role: str) -> StoredNetwork | None:
        """The network that plays a role; None if there is none."""
        return self.by_role.get(role, self.by_role.get(EVERY))

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """Logits float32 (B, A) of observations (B, D), each row by the network of the role that it shows.

        Raises:
            ValueError: no network for a role that is shown.
        """
        return self._by_role(observations, lambda network, rows: network.logits(rows))

    @property
    def has_values(self) -> bool:
        """Whether all of them tell what a position is worth, too."""
        return all(network.has_values for network in self.by_role.values())

    def values(self, observations: np.ndarray) -> np.ndarray:
        """What the seat that sees each of the observations (B, D) may expect, as returns of its training, float32
        (B,), by the network of the role that it shows.

        Raises:
            ValueError: no network for a role that is shown, or one without a value head (see ``has_values``).
        """
        return self._by_role(observations, lambda network, rows: network.values(rows))

    def _by_role(
        self, observations: np.ndarray, asked: Callable[[StoredNetwork, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """What ``asked(network, observations)`` gives for all rows, each by the network of the role that it shows.

        A network that reads fewer events than are kept gets the beginning of an observation.
        """
        if list(self.by_role) == [EVERY]:
            return asked(self.by_role[EVERY], observations[:, : self.by_role[EVERY].sizes[0]])
        card = next(iter(self.by_role.values())).card
        shown = observations[:, _block(card["observation"], ROLE_BLOCK)].argmax(axis=1)
        found: np.ndarray | None = None
        for number in np.unique(shown):
            role = card["roles"][number]
            network = self.of(role)
            if network is None:
                raise ValueError(f"no network for the role {role!r}; there are {', '.join(self.by_role)}")
            rows = shown == number
            its = asked(network, observations[rows, : network.sizes[0]])
            if found is None:
                found = np.zeros((len(observations), *its.shape[1:]), np.float32)
            found[rows] = its
        assert found is not None
        return found

    def save(self, folder: pathlib.Path, half: bool = False) -> None:
        """Writes each network (see StoredNetwork): one for every role into the folder, others into one named so."""
        for role, network in self.by_role.items():
            network.save(folder / role, half)

    @classmethod
    def load(cls, folder: pathlib.Path) -> "RoleNetworks":
        """Reads what ``save`` wrote; ValueError says what is missing or damaged."""
        below = sorted(path.parent for path in folder.glob("*/card.json")) if folder.is_dir() else []
        if (folder / "card.json").is_file() or not below:
            return cls({EVERY: StoredNetwork.load(folder)})
        return cls({path.name: StoredNetwork.load(path) for path in below})

    def check_fits(self, spec: GameSpec, settings: Settings, any_settings: bool = False) -> None:
        """ValueError if a network was made for another game (see StoredNetwork) or a role that there is not."""
        known = [EVERY, *(role.name for role in spec.roles)]
        for role, network in self.by_role.items():
            network.check_fits(spec, settings, any_settings)
            if role not in known:
                raise ValueError(f"a network for the role {role!r}; {spec.name} has {', '.join(known[1:])}")


def _block(blocks: list, name: str) -> slice:
    """Where a block lies, by a card's list of (name, shape)."""
    start = 0
    for block, shape in blocks:
        size = int(np.prod(shape))
        if block == name:
            return slice(start, start + size)
        start += size
    raise ValueError(f"the observation has no block {name!r}, so networks of several roles cannot be told apart")
