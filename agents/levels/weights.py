"""The trained networks that come with the package, and which tables each of them is for.

A network lies in ``shipped/GAME/NAME``, as a run's weights do, in half precision, beside ``level.json``: the variants
that it serves, how it was trained, and what was measured. ``python -m poopdeck.training.run.ship`` puts it there.
"""

import json
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...envs.core import history
from ...envs.core.spec import GameSpec, Settings
from ..network.role_networks import RoleNetworks

SHIPPED = pathlib.Path(__file__).parent / "shipped"
CARD = "level.json"


@dataclass(frozen=True)
class ShippedNetwork:
    """A folder below ``shipped`` and what its ``level.json`` says.

    ``facts`` has ``players`` (seats of the table), ``variants`` (by name, those that it serves), ``command``,
    ``seed``, ``commit``, ``hours`` (of processor time) and ``figures``.
    """

    folder: pathlib.Path
    facts: dict[str, Any]

    def networks(self) -> RoleNetworks:
        """Reads its weights."""
        return RoleNetworks.load(self.folder)

    def serves(self, spec: GameSpec, settings: Settings) -> bool:
        """Whether it is meant for a table with these complete parameters; how many events a table keeps is all the
        same to it."""
        if self.facts["players"] != settings["num_players"]:
            return False
        asked = _without_events(settings)
        served = (spec.variant_settings(variant, self.facts["players"]) for variant in self.facts["variants"])
        return any(_without_events(one) == asked for one in served)


def _without_events(settings: Settings) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key != history.NAME}


def shipped(spec: GameSpec) -> Iterator[ShippedNetwork]:
    """All that are shipped for a game, by name."""
    for path in sorted((SHIPPED / spec.name).glob(f"*/{CARD}")):
        yield ShippedNetwork(path.parent, json.loads(path.read_text(encoding="utf-8")))


def find_shipped(spec: GameSpec, settings: Settings) -> ShippedNetwork | None:
    """The network for a table; None if there is none."""
    return next((one for one in shipped(spec) if one.serves(spec, settings)), None)
