"""What is exact in a small game: its value, best responses, and how much an agent can be exploited.

The equilibrium is found by linear programming over realization plans (the sequence form of Koller, Megiddo and von
Stengel 1996): a plan says how likely a seat's own choices make each of its sequences. A best response knows the whole
plan of the other seat.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix, csr_matrix

from ...agents.base import AnyAgent
from .tree import Decisions, Tree


@dataclass(frozen=True)
class Equilibrium:
    """A solution: what seat 0 gets, and a plan of each seat by which it gets no less against anybody."""

    value: float
    plans: tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Exploitability:
    """What best responses get against an agent.

    ``worst`` is the least that the agent gets as seat 0 and as seat 1; ``lost`` how far these are below what an
    equilibrium gets there, not below 0. The mean of ``lost`` is the exploitability: 0 of an equilibrium.
    """

    worst: tuple[float, float]
    lost: tuple[float, float]

    @property
    def mean(self) -> float:
        """Over both seats."""
        return sum(self.lost) / 2


def policy_of(agent: AnyAgent, decisions: Decisions) -> np.ndarray:
    """How likely an agent takes each action, float64 (I, A), from what its seat observes in each information state.

    Raises:
        ValueError: the agent does not tell its probabilities (see ``NetworkAgent.probabilities``).
    """
    if not hasattr(agent, "probabilities"):
        raise ValueError(f"agent {agent.name}: it does not tell the probabilities of its actions")
    found = agent.probabilities(decisions.observations, decisions.masks).astype(float) * decisions.masks
    return found / found.sum(axis=1, keepdims=True)


def plan_of(decisions: Decisions, policy: np.ndarray) -> np.ndarray:
    """The realization plan, float64 (sequences,), of probabilities (I, A) of actions."""
    plan = np.ones(decisions.sequences)
    for state, before, actions in decisions.places():
        plan[actions] = plan[before] * policy[state, decisions.masks[state] != 0]
    return plan


def policy_of_plan(decisions: Decisions, plan: np.ndarray) -> np.ndarray:
    """Probabilities (I, A) of actions by a realization plan; uniform where the plan never leads."""
    policy = decisions.masks / decisions.count[:, None]
    for state, before, actions in decisions.places():
        if plan[before] > 0:
            policy[state, decisions.masks[state] != 0] = plan[actions] / plan[before]
    return policy


def payoff(tree: Tree, plans: tuple[np.ndarray, np.ndarray]) -> float:
    """What seat 0 gets by two plans."""
    return float((tree.payoffs * plans[0][tree.ends[:, 0]] * plans[1][tree.ends[:, 1]]).sum())


def best_response(tree: Tree, seat: int, plan: np.ndarray) -> float:
    """The most that a seat can get where the other one keeps to a plan."""
    own, sign = tree.decisions[seat], 1.0 if seat == 0 else -1.0
    worth = np.bincount(tree.ends[:, seat], sign * tree.payoffs * plan[tree.ends[:, 1 - seat]], minlength=own.sequences)
    for _, before, actions in reversed(list(own.places())):
        worth[before] += worth[actions].max()
    return float(worth[0])


def exploitability(tree: Tree, value: float, policies: tuple[np.ndarray, np.ndarray]) -> Exploitability:
    """Of an agent whose policy, (I, A) probabilities, is given for each seat, in a game of this value."""
    plans = [plan_of(decisions, policy) for decisions, policy in zip(tree.decisions, policies, strict=True)]
    worst = (-best_response(tree, 1, plans[0]), -best_response(tree, 0, plans[1]))
    return Exploitability(worst, (max(value - worst[0], 0.0), max(-value - worst[1], 0.0)))


def solve(tree: Tree) -> Equilibrium:
    """The value of the game and a plan of each seat that secures it.

    Raises:
        RuntimeError: the linear program was not solved.
    """
    mine, its = tree.decisions
    paid = coo_matrix((tree.payoffs, (tree.ends[:, 0], tree.ends[:, 1])), shape=(mine.sequences, its.sequences))
    flow_mine, flow_its = _flow(mine), _flow(its)
    states_mine, states_its = flow_mine.shape[0], flow_its.shape[0]
    # Maximise the first of the other's dual values q subject to F' q <= A' x, E x = e, x >= 0.
    goal = np.zeros(mine.sequences + states_its)
    goal[mine.sequences] = -1.0
    found = linprog(
        goal,
        A_ub=bmat([[-paid.T, flow_its.T]], format="csr"),
        b_ub=np.zeros(its.sequences),
        A_eq=bmat([[flow_mine, csr_matrix((states_mine, states_its))]], format="csr"),
        b_eq=np.eye(1, states_mine)[0],
        bounds=[(0, None)] * mine.sequences + [(None, None)] * states_its,
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"the linear program was not solved: {found.message}")
    plans = (_cleaned(mine, found.x[: mine.sequences]), _cleaned(its, -found.ineqlin.marginals))
    return Equilibrium(-float(found.fun), plans)


def _flow(decisions: Decisions) -> csr_matrix:
    """The rows of a plan's constraints: the empty sequence has 1, and what leads to an information state leaves it."""
    states, counts = len(decisions.before), decisions.count
    rows = np.repeat(np.arange(1, states + 1), counts)
    columns = np.concatenate([[0], np.arange(1, decisions.sequences), decisions.before])
    rows = np.concatenate([[0], rows, np.arange(1, states + 1)])
    values = np.concatenate([np.ones(decisions.sequences), -np.ones(states)])
    return csr_matrix((values, (rows, columns)), shape=(states + 1, decisions.sequences))


def _cleaned(decisions: Decisions, plan: np.ndarray) -> np.ndarray:
    """A plan without what rounding left of it, so that it is one exactly."""
    policy = policy_of_plan(decisions, np.maximum(plan, 0.0))
    return plan_of(decisions, policy / policy.sum(axis=1, keepdims=True))
