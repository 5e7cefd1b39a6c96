"""The search that a network learns from, guided by it: it proposes, plays on, and judges where playouts end early."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ....agents.loading import agent_names
from ....agents.network.agent import NetworkAgent
from ....agents.network.role_networks import RoleNetworks
from ....agents.search.agent import SearchAgent
from ....agents.search.models import load_models
from ....agents.search.options import SearchOptions
from ....envs.core.game import Game
from . import OWN, ExpertSection

PROPOSAL = "proposal"


class ExpertSearch(SearchAgent):
    """A search guided by networks, with the settings of a run; ``others`` are the agents of playouts by name."""

    def __init__(
        self, game: Game, networks: RoleNetworks, section: ExpertSection, others: Mapping[str, Any], seed: int
    ):
        own = {PROPOSAL: NetworkAgent(networks), OWN: NetworkAgent(networks, greedy=False)}
        models = load_models(PROPOSAL, section.playouts, agent_names(game), lambda name: (own | dict(others))[name])
        options = SearchOptions(deals=section.deals, root="policy", temperature=section.temperature, seed=seed)
        super().__init__(models, replace(options, horizon=1 if section.bootstrap else 0), "expert")
