"""What a compiled agent does in one position, with the chance it has at a table: for writing games down."""

from ..core.compiler import driver
from .kernel import Agents, decide
from .kinds import RANDOM
from .playouts import random_legal


@driver
def one_choice(rules, observation, heuristics):
    """one_choice(agents, number, role, seen, mask, chance) -> the action of agent ``number`` in a role.

    ``agents`` are the kernel's Agents as a tuple, ``seen`` float32 (D,) is what its seat observes, ``mask`` int8 (A,);
    ``chance`` STREAM (1,) goes on as it does in the kernel.
    """

    def run(agents, number, role, seen, mask, chance):
        agents = Agents(*agents)
        player = agents.players[number, role]
        if player.kind == RANDOM:
            return random_legal(chance[0], mask)
        return decide(heuristics, agents, player, seen, mask, chance[0])

    return run
