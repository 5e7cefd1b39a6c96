"""A game's heuristics as agents."""

import importlib
from importlib.metadata import entry_points
from types import ModuleType

import numpy as np

from ...envs.core.chance import seed_streams
from ...envs.core.compiler import driver
from ...envs.core.spec import GameSpec, Settings
from ...envs.tables import no_heuristic
from ...envs.tables.kinds import HeuristicForm
from ...envs.tables.seating import block_starts
from ...envs.tables.streams import chance_records

ENTRY_POINTS = "poopdeck.heuristics"


def heuristic_module(spec: GameSpec) -> ModuleType:
    """The module with the game's STRENGTHS and compiled ``choose``; one without any if there is none."""
    package = __name__.rpartition(".")[0]
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == spec.name:
            return point.load()
    try:
        return importlib.import_module(f"{package}.{spec.name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{spec.name}":
            raise
        return no_heuristic


@driver
def choose_many(module):
    """choose_many(observations, masks, starts, params, chance, actions): one action for every row."""

    def run(observations, masks, starts, params, chance, actions):
        for i in range(len(actions)):
            actions[i] = module.choose(observations[i], masks[i], starts, params, chance[0])

    return run


class HeuristicAgent:
    """A scripted player of one game, at one of the strengths that its module names."""

    def __init__(self, spec: GameSpec, settings: Settings, strength: str = "best"):
        module = heuristic_module(spec)
        if not module.STRENGTHS:
            raise ValueError(f"{spec.name} has no heuristic agents")
        if strength not in module.STRENGTHS:
            raise ValueError(f"heuristic:{strength}: {spec.name} has {', '.join(module.STRENGTHS)}")
        self.name = "heuristic" if strength == "best" else f"heuristic:{strength}"
        self.starts = block_starts(spec, settings)
        self.compiled_form = HeuristicForm(module.__name__, tuple(map(float, module.params_of(strength, settings))))

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One action for every row."""
        actions = np.zeros(len(masks), np.int64)
        chance = chance_records(seed_streams(int(rng.integers(2**63)), 1))
        choose_many(importlib.import_module(self.compiled_form.module))(
            np.ascontiguousarray(observations, np.float32),
            np.ascontiguousarray(masks, np.int8),
            self.starts,
            np.array(self.compiled_form.params),
            chance,
            actions,
        )
        return actions
