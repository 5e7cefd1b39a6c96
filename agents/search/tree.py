"""Trees of information sets, one for each of several positions, grown by one deal at a time in compiled code."""

import math
from typing import Any, NamedTuple

import numpy as np

from ...envs.core.chance import below
from ...envs.core.compiler import driver, rule
from ...envs.tables.kernel import only_action

LONGEST = 256  # decisions of a path; beyond it only playouts go on


class Trees(NamedTuple):
    """Trees of B positions with up to N nodes, A actions, P seats; node 0 is the root.

    A node is what was done since the root, whoever holds what: all deals share it. ``paths`` hold the nodes of the last
    simulation, ``depths`` how many.
    """

    children: Any  # int32 (B, N, A): the node after an action, 0 where there is none yet
    visits: Any  # int64 (B, N)
    offered: Any  # int64 (B, N): how often the action that leads here was legal
    totals: Any  # float64 (B, N, P): sums of the seats' returns, scaled to 0..1
    sizes: Any  # int64 (B,): nodes in use
    paths: Any  # int32 (B, LONGEST)
    depths: Any  # int64 (B,)


def plant(count: int, nodes: int, actions: int, seats: int) -> Trees:
    """Trees that have nothing but their roots."""
    return Trees(
        children=np.zeros((count, nodes, actions), np.int32),
        visits=np.zeros((count, nodes), np.int64),
        offered=np.zeros((count, nodes), np.int64),
        totals=np.zeros((count, nodes, seats)),
        sizes=np.ones(count, np.int64),
        paths=np.zeros((count, LONGEST), np.int32),
        depths=np.zeros(count, np.int64),
    )


def back_up(trees: Trees, worth: np.ndarray) -> None:
    """Counts what the seats got in the last simulation, scaled float (B, P), at the nodes of its path and the root."""
    on_path = np.arange(LONGEST) < trees.depths[:, None]
    of, nodes = np.repeat(np.arange(len(worth)), trees.depths), trees.paths[on_path]
    trees.visits[of, nodes] += 1  # a path comes to a node but once
    trees.totals[of, nodes] += worth[of]
    trees.visits[:, 0] += 1
    trees.totals[:, 0] += worth


@rule
def select(children, visits, offered, totals, seat, mask, exploration, chance):
    """One of the legal actions: a new one by chance, else the one with the highest upper confidence bound."""
    new = 0
    for action in range(len(mask)):
        if mask[action] and children[action] == 0:
            new += 1
    if new > 0:
        skip = below(chance, new)
        for action in range(len(mask)):
            if mask[action] and children[action] == 0:
                if skip == 0:
                    return action
                skip -= 1
    best = -1
    highest = 0.0
    for action in range(len(mask)):
        if mask[action]:
            node = children[action]
            tries = visits[node]
            bound = totals[node, seat] / tries + exploration * math.sqrt(math.log(offered[node]) / tries)
            if best < 0 or bound > highest:
                best = action
                highest = bound
    return best


@driver
def grow(rules, observation):
    """grow(states, trees, masks, actions, over, returns, chance, exploration): plays on within each position's tree.

    It goes until an action is new, which gets a node and is left to be applied in ``actions`` int64 (B,), with its mask
    in ``masks`` int8 (B, A); or to the end: ``over`` bool (B,) is True, and ``returns`` float32 (B, P) are written.
    """

    def run(states, trees, masks, actions, over, returns, chance, exploration):
        children, visits, offered, totals, sizes, paths, depths = trees
        for i in range(len(states)):
            s = states[i]
            node = 0
            depth = 0
            over[i] = False
            while True:
                if rules.is_terminal(s):
                    over[i] = True
                    if rules.is_truncated(s):
                        rules.truncated_returns(s, returns[i])
                    else:
                        rules.returns(s, returns[i])
                    break
                rules.legal_actions(s, masks[i])
                action = only_action(masks[i])
                if action < 0:
                    seat = rules.current_player(s)
                    own = children[i, node]
                    action = select(own, visits[i], offered[i], totals[i], seat, masks[i], exploration, chance[i])
                    full = sizes[i] == visits.shape[1] or depth == LONGEST
                    if own[action] == 0 and not full:
                        own[action] = sizes[i]
                        sizes[i] += 1
                        paths[i, depth] = own[action]
                        depth += 1
                        offer(own, offered[i], masks[i])
                        actions[i] = action
                        break
                    if own[action] == 0 or depth == LONGEST:
                        actions[i] = action
                        break
                    offer(own, offered[i], masks[i])
                    node = own[action]
                    paths[i, depth] = node
                    depth += 1
                rules.apply_action(s, action)
            depths[i] = depth

    return run


@rule
def offer(children, offered, mask):
    """Counts that the legal actions which lead somewhere could have been taken."""
    for action in range(len(mask)):
        if mask[action] and children[action] > 0:
            offered[children[action]] += 1
