"""The search that a network learns from, guided by it: it proposes, plays on, and judges where playouts end early."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....agents.loading import agent_names
from ....agents.network.agent import NetworkAgent
from ....agents.network.role_networks import RoleNetworks
from ....agents.search.agent import SearchAgent
from ....agents.search.models import Models, load_models
from ....agents.search.options import SearchOptions
from ....agents.search.playouts import Playouts
from ....envs.core.game import Game
from ....envs.core.spec import Settings
from ....envs.tables.context import Context
from ....envs.tables.kernel import FOR_LEARNER, LEARNER
from . import OWN, ExpertSection

PROPOSAL = "proposal"


class BootstrapModels(Models):
    """Nobody plays on at the own seat."""

    def lineups(self, seat: int, words: np.ndarray) -> np.ndarray:
        """Who plays on at the other seats, int16 (K, P)."""
        found = super().lineups(seat, words)
        found[:, seat] = LEARNER
        return found


class BootstrapPlayouts(Playouts):
    """Playouts that end where the own seat has a choice again, at what the networks say that this is worth to it."""

    def __init__(self, game: Game, settings: Settings, models: Models, networks: RoleNetworks):
        super().__init__(game, settings, models.agents, choices_only=True)
        self.networks = networks

    def outcome(self, count: int) -> np.ndarray:
        """What the seats get, float32 (count, P); of one that ended early only the own seat's figure is right."""
        buffers, found = self.batch.buffers, super().outcome(count).copy()
        early = np.flatnonzero(buffers.tables["waiting"][:count] == FOR_LEARNER)
        if len(early):
            found[early] = buffers.totals[early]
            found[early, buffers.tables["seat"][early]] += self.networks.values(buffers.observations[early])
        return found


class ExpertSearch(SearchAgent):
    """A search guided by networks, with the settings of a run; ``others`` are the agents of playouts by name."""

    def __init__(
        self, game: Game, networks: RoleNetworks, section: ExpertSection, others: Mapping[str, Any], seed: int
    ):
        own = {PROPOSAL: NetworkAgent(networks), OWN: NetworkAgent(networks, greedy=False)}
        models = load_models(PROPOSAL, section.playouts, agent_names(game), lambda name: (own | dict(others))[name])
        self.networks, self.bootstrap = networks, section.bootstrap
        options = SearchOptions(deals=section.deals, root="policy", temperature=section.temperature, seed=seed)
        super().__init__(BootstrapModels(models.agents, models.drawn) if self.bootstrap else models, options, "expert")

    def _new_playouts(self, context: Context) -> Playouts:
        if not self.bootstrap:
            return super()._new_playouts(context)
        return BootstrapPlayouts(context.game, context.settings, self.models, self.networks)
