"""Earlier selves as opponents: which are kept, and which of them sits in which slot at the training tables."""

import json
import pathlib
import shutil
from typing import Any

import numpy as np

from ...agents.network.agent import NetworkAgent
from ...agents.network.network import StoredNetwork
from ...agents.network.role_networks import RoleNetworks
from ..config.schema import SnapshotsConfig

NEWER = 2.0  # with "newest", how much likelier a snapshot is than the one before it


class SnapshotPool:
    """The last ``size`` snapshots, and ``size`` slots for them at the tables.

    A slot's odds never change; what changes is who sits in it. ``added`` counts all snapshots ever taken, so that a
    snapshot's number is its name for as long as the run lives.
    """

    def __init__(self, config: SnapshotsConfig):
        self.config = config
        self.added = 0
        self.networks: dict[int, RoleNetworks] = {}  # by number
        self.taken_at: dict[int, int] = {}  # samples

    @property
    def active(self) -> bool:
        """Whether the run has snapshots at all."""
        return self.config.weight > 0

    def weights(self) -> list[float]:
        """How often each slot is drawn; they add up to the config's weight."""
        odds = np.ones(self.config.size)
        if self.config.sampling == "newest":
            odds = NEWER ** -np.arange(self.config.size, dtype=float)
        return [float(weight) for weight in self.config.weight * odds / odds.sum()]

    def add(self, networks: RoleNetworks, timesteps: int) -> None:
        """Takes a snapshot; the oldest goes if there are too many."""
        self.networks[self.added] = networks
        self.taken_at[self.added] = timesteps
        self.added += 1
        for number in [number for number in self.networks if number < self.added - self.config.size]:
            del self.networks[number], self.taken_at[number]

    def is_due(self, timesteps: int) -> bool:
        """Whether the next one is to be taken; the first is taken before anything is learnt."""
        return self.active and timesteps >= self.added * self.config.every

    def seating(self) -> list[int]:
        """The number of the snapshot in each slot; while there are fewer than slots, some sit in several."""
        last = self.added - 1
        if self.config.sampling == "newest":
            return [max(last - slot, 0) for slot in range(self.config.size)]
        # Of the slots that are drawn alike only the oldest snapshot's changes, so games under way keep their players.
        return [
            last - (last - slot) % self.config.size if slot <= last else slot % self.added
            for slot in range(self.config.size)
        ]

    def agent(self, number: int) -> NetworkAgent:
        """The snapshot as a player."""
        return NetworkAgent(self.networks[number], f"snapshot {number}", self.config.greedy)

    def write(self, folder: pathlib.Path) -> None:
        """One folder per snapshot, each an agent that anybody can load; those of dropped snapshots are removed."""
        names = {f"{self.taken_at[number]:012d}": number for number in self.networks}
        for name, number in names.items():
            if not list((folder / name).glob("**/card.json")):
                self.networks[number].save(folder / name)
        for old in folder.iterdir() if folder.is_dir() else ():
            if old.name not in names and old.name.isdigit():
                shutil.rmtree(old)

    def state_dict(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts."""
        tensors: dict[str, np.ndarray] = {}
        snapshots = []
        for number, networks in self.networks.items():
            entry: dict[str, Any] = {"number": number, "taken_at": self.taken_at[number], "networks": []}
            for role, network in networks.by_role.items():
                place = f"{number}.{len(entry['networks'])}"
                arrays, facts = network.all_parts()
                tensors |= {f"{place}.{name}": value for name, value in arrays.items()}
                entry["networks"].append({"role": role, "facts": facts, "card": network.card})
            snapshots.append(entry)
        return tensors, json.loads(json.dumps({"added": self.added, "snapshots": snapshots}))

    def load_state_dict(self, tensors: dict[str, np.ndarray], facts: dict[str, Any]) -> None:
        """The inverse."""
        self.added, self.networks, self.taken_at = facts["added"], {}, {}
        for entry in facts["snapshots"]:
            number, by_role = entry["number"], {}
            for place, made in enumerate(entry["networks"]):
                start = f"{number}.{place}."
                arrays = {name[len(start) :]: value for name, value in tensors.items() if name.startswith(start)}
                by_role[made["role"]] = StoredNetwork.of_parts(arrays, made["facts"], made["card"])
            self.networks[number], self.taken_at[number] = RoleNetworks(by_role), entry["taken_at"]
