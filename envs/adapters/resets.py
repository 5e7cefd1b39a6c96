"""What the PettingZoo environments make of the arguments of ``reset``."""

import warnings
from collections.abc import Mapping
from typing import Any

from ..core.game import Game, State
from ..core.spec import GameSpec, Settings


def read_options(spec: GameSpec, options: Mapping[str, Any] | None) -> tuple[Any, dict[str, int]]:
    """The scenario to set up (None: deal), and the labels that are given; a warning names options of no use.

    Raises:
        ValueError: a label that is no whole number in its range.
    """
    left = dict(options or {})
    scenario = left.pop("scenario", None)
    labels = {label.name: label.check(left.pop(label.name, None)) for label in spec.labels}
    if left:  # PettingZoo's own checker passes some, so this may not raise
        known = " and ".join(map(repr, ["scenario", *labels]))
        warnings.warn(f"reset: no use for options {sorted(left)}; there is only {known}", stacklevel=3)
    return scenario, {name: value for name, value in labels.items() if value is not None}


def load_fitting(game: Game, settings: Settings, scenario: Mapping[str, Any], seed: int | None) -> State:
    """The position of a scenario, its chance started from ``seed`` unless it brings its own.

    Raises:
        ValueError: a scenario that cannot be, or with other parameters than the environment's ``settings``.
    """
    state = game.load(scenario if seed is None or "rng" in scenario else {**scenario, "seed": seed})
    for name, value in state.settings.items():
        if value != settings[name]:
            raise ValueError(f"scenario: {name} is {value!r}, but this environment has {settings[name]!r}")
    return state
