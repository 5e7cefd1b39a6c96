"""The environments: rules, and interfaces for the field's libraries. No learning in here.

``from poopdeck.envs import poo_head_v0`` finds a module for every game of this package, as PettingZoo users know it.
"""

import sys
from typing import TYPE_CHECKING, Any

from .adapters.versions import VersionModule
from .core import registry

for _id in registry.ids():
    _short = _id.partition("/")[2].replace("-", "_")
    sys.modules[f"{__name__}.{_short}"] = globals()[_short] = VersionModule(f"{__name__}.{_short}", _id)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The modules of the games."""
