"""Opponents that grow with the learner, and the ladder that a run is rated on."""

import math

from ...agents.loading import load_agent
from ...agents.network.agent import NetworkAgent
from ..evaluation.evaluate import Evaluation, evaluate
from ..evaluation.ladder import Ladder, find_ladder
from ..learners.base import Task

LOOKS = 41  # branch of the seed: deals of the looks


class Curriculum:
    """The agents of a config's curriculum, and how far the policy is ahead of each."""

    def __init__(self, task: Task):
        self.task, self.config = task, task.config.curriculum
        self.agents = [load_agent(name, task.game, task.settings) for name in self.config.agents]

    def lead(self, policy: NetworkAgent, roles: list[str], rung: int, look: int) -> tuple[float, float]:
        """By how much more the policy gets at a table of the agent ``rung`` than that agent itself gets there, and half
        of the 95 % interval of that; of several roles that are learnt the one in which it is behind most."""
        present = self.agents[rung]
        seed = self.task.config.seed + LOOKS * 1_000_003 + look

        def payoff(agent: object, role: str) -> Evaluation:
            games, task = self.config.games, self.task
            return evaluate(task.game, task.settings, agent, [present], games, seed, threads=1, role=role or None)  # type: ignore[arg-type]

        found = []
        for role in roles:
            own, par = payoff(policy, role), payoff(present, role)
            found.append((own.mean_payoff - par.mean_payoff, math.hypot(_half(own), _half(par))))
        return min(found, key=lambda entry: entry[0] - entry[1])


def _half(found: Evaluation) -> float:
    return (found.mean_payoff_ci[1] - found.mean_payoff_ci[0]) / 2


def training_ladder(task: Task) -> Ladder | None:
    """The ladder that the run is rated on, without rungs that search; None where that is not asked for.

    Raises:
        ValueError: it is asked for, but there is no ladder for this table, or not all its roles are learnt.
    """
    games = task.config.evaluation.rating_games
    if not games:
        return None
    spec = task.game.spec
    roles = {spec.roles[role].name for role in spec.seat_roles(task.settings)}
    if len(roles) > 1 and not roles <= set(task.roles):
        raise ValueError(
            f"evaluation.rating_games={games}: a rating needs a policy of all roles, {', '.join(sorted(roles))}"
        )
    ladder = find_ladder(spec, task.settings)
    return ladder.without(ladder.slow)
