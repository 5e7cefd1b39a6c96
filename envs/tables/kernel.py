"""The one compiled loop over tables of any game: applies actions, deals, lets agents decide, pays.

Its arguments are NamedTuples of arrays, so that no two arrays can be swapped. They are handed over as plain tuples,
which numba takes apart at half the cost, and get their names back inside.

Shapes, for n tables, P seats, A actions, D features, K agents, R roles: see the NamedTuples.
"""

from typing import Any, NamedTuple

import numpy as np

from ..core.chance import below
from ..core.compiler import driver, layout, rule
from .kinds import ABSENT, ASKED, HEURISTIC, RANDOM
from .perceptron import NetworkRun, choose_by_network
from .playouts import random_legal

LEARNER = -1  # in a line-up: the seat's actions come from outside
DEAL, STEP, ANSWER = range(3)  # what a call begins with: a new game, a learner's action, that of an agent asked
FOR_LEARNER, FOR_ASKED, FOR_NOBODY, ILLEGAL = range(4)  # what a table waits for; FOR_NOBODY: the game is over
PAYOFF, RANKED, LOSS = range(3)
COUNTED_AS = {"payoff": PAYOFF, "ranked": RANKED, "loss": LOSS}  # a truncated game, see truncation
ODDS = 2**32 - 1  # shares of games, and odds of agents, are in parts of this

# As small as may be: what is touched of a table at every decision should lie in few lines of the cache.
TABLE = layout(
    seat="i8",  # to act
    length="i8",  # decisions so far
    final_length="i8",  # decisions of the game that ended last
    learner_seat="i2",  # one of them where the learner has several; -1 where line-ups are not drawn
    self_play="i1",  # 1: all seats are the learner's
    waiting="i1",  # FOR_LEARNER, FOR_ASKED, FOR_NOBODY or ILLEGAL
    ended="?",  # a game ended in this step
    terminated="?",  # it came to its own end
    truncated="?",  # the decision cap ended it
)


class Buffers(NamedTuple):
    """What is written at the tables."""

    states: Any  # records (n,) of the game
    tables: Any  # TABLE (n,)
    observations: Any  # float32 (n, D): of the seat to act
    masks: Any  # int8 (n, A)
    rewards: Any  # float32 (n, P): of this step
    totals: Any  # float32 (n, P): what has been paid in this game
    now: Any  # float32 (n, P): room for the returns
    final_returns: Any  # float32 (n, P): of the game that ended last


MASKS = Buffers._fields.index("masks")


class Seats(NamedTuple):
    """Who sits where at the tables."""

    lineups: Any  # int16 (n, P): the number of the agent at each seat, or LEARNER
    unasked: Any  # bool (n, P): whether the seat is yet to be asked in Python for the first time in its game
    chance: Any  # STREAM (n,): of line-ups and agents
    final_observations: Any  # float32 (n, D): the learner's in the game that ended; (0, D) if line-ups are not drawn


class Trail(NamedTuple):
    """The last N decisions of the games under way, for agents that think about what others did; often N is 0."""

    records: Any  # (n, N) of the game: before each decision
    seats: Any  # int16 (n, N)
    actions: Any  # int16 (n, N)
    counts: Any  # int64 (n,): decisions so far; the last one is at (count - 1) % N


class Agents(NamedTuple):
    """Who may decide at the seats that are not the learner's."""

    players: Any  # PLAYER (K, R)
    params: Any  # float64 (K, parameters): of heuristics
    starts: Any  # int64 (blocks + 1,): where the observation's blocks begin
    plans: Any  # int64 (networks, _): see NetworkBank
    values: Any  # float32 (weights,)
    scratch: Any  # float32 (2, width): one per thread


class Drawing(NamedTuple):
    """How line-ups come about; nothing in it changes."""

    roles: Any  # int64 (P,): of the seats
    draws_lineups: bool = False  # every new game has a line-up drawn by the fields below; else the caller writes them
    learner_seats: Any = np.zeros(0, np.int64)  # one of these
    self_play: int = 0  # the learner has all seats in so many parts of ODDS of the games
    whole_roles: bool = False  # the learner has all seats of its seat's role
    odds: Any = np.zeros((0, 0), np.int64)  # int64 (P - 1, K): cumulated odds of agents, clockwise from the learner


class Setup(NamedTuple):
    """How games follow each other and what they pay; nothing in it changes."""

    deals_on: bool = True  # a finished game is followed by the next one at once
    choices_only: bool = False  # the learner's decisions with one legal action are taken for it
    truncated_as: int = PAYOFF


@rule
def is_legal(masks, i, action):
    """Whether an action, any whole number, is legal at table i."""
    return action >= 0 and action < masks.shape[1] and masks[i, action] != 0


@rule
def only_action(mask):
    """The legal action if there is but one, -1 if there is a choice."""
    found = -1
    for action in range(len(mask)):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


@rule
def draw_agent(odds, players, role, chance):
    """The number of one of the agents who can play a role, by the cumulated odds."""
    while True:
        agent = 0
        ticket = below(chance, ODDS)
        while ticket >= odds[agent]:
            agent += 1
        if players[agent, role].kind != ABSENT:
            return agent


@rule
def draw_lineup(t, lineup, drawing, players, chance):
    """Who sits where in the next game: the learner everywhere, at all seats of one role, or at one seat."""
    seats = len(lineup)
    roles = drawing.roles
    t.learner_seat = drawing.learner_seats[below(chance, len(drawing.learner_seats))]
    t.self_play = 1 if below(chance, ODDS) < drawing.self_play else 0
    lineup[t.learner_seat] = LEARNER
    for step in range(1, seats):
        seat = (t.learner_seat + step) % seats
        agent = draw_agent(drawing.odds[step - 1], players, roles[seat], chance)
        learns = t.self_play or (drawing.whole_roles and roles[seat] == roles[t.learner_seat])
        lineup[seat] = LEARNER if learns else agent


@rule
def seat_agents(t, i, seats, drawing, players):
    """Nobody has been asked in the new game at table i; draws its line-up where the caller has not written it."""
    for p in range(seats.unasked.shape[1]):
        seats.unasked[i, p] = True
    if drawing.draws_lineups:
        draw_lineup(t, seats.lineups[i], drawing, players, seats.chance[i])


@rule
def note_decision(trail, i, s, seat, action):
    """Keeps a decision at table i before it is carried out."""
    most = trail.seats.shape[1]
    if most > 0:
        place = trail.counts[i] % most
        trail.records[i, place] = s
        trail.seats[i, place] = seat
        trail.actions[i, place] = action
        trail.counts[i] += 1


@rule
def begin_step(t):
    """No game has ended in this step."""
    t.ended = False
    t.terminated = False
    t.truncated = False


@rule
def begin_game(t, totals, i):
    """Nothing has been paid in this game at table i."""
    t.length = 0
    for p in range(totals.shape[1]):
        totals[i, p] = 0.0


@rule
def pay_seats(now, totals, rewards, i):
    """The only payment of a step at table i: what each seat's returns ``now`` have risen by since the last one."""
    for p in range(now.shape[1]):
        rewards[i, p] = now[i, p] - totals[i, p]
        totals[i, p] = now[i, p]


@rule
def count_truncated(rules, s, truncated_as, now):
    """What the seats of a truncated game are paid in the end, in place of its returns."""
    if truncated_as == RANKED:
        rules.truncated_returns(s, now)
    elif truncated_as == LOSS:
        for p in range(len(now)):
            now[p] = -1.0


@rule
def end_game(t, truncated, now, final_returns, i):
    """Notes that a game ended at table i, and how."""
    t.ended = True
    t.truncated = truncated
    t.terminated = not truncated
    t.final_length = t.length
    for p in range(now.shape[1]):
        final_returns[i, p] = now[i, p]


@rule
def decide(heuristics, agents, player, observation, mask, chance):
    """What a heuristic or a network does."""
    if player.kind == HEURISTIC:
        return heuristics.choose(observation, mask, agents.starts, agents.params[player.agent], chance)
    network = NetworkRun(agents.plans[player.network], agents.values, agents.scratch)
    return choose_by_network(network, observation, mask, player.greedy, chance)


@driver
def first_illegal(rules, observation, heuristics):
    """first_illegal(masks, actions, rows) -> the first table whose action is not legal, -1 if all are."""

    def run(masks, actions, rows):
        for i in rows:
            if not is_legal(masks, i, actions[i]):
                return i
        return -1

    return run


def play(rules, observation, heuristics, agents_play):
    """The loop; ``agents_play`` is known when it is compiled, so that where it is False nothing is left of agents."""

    def run(rows, begins, actions, buffers, others, setup):
        if not agents_play and begins == STEP:
            for i in rows:
                if not is_legal(buffers[MASKS], i, actions[i]):
                    return i
        b = Buffers(*buffers)
        setup = Setup(*setup)
        # Each look into a tuple counts references to the array, a sixth of the time; so there is but one.
        states, tables, observations, masks = b.states, b.tables, b.observations, b.masks
        rewards, totals, now, final_returns = b.rewards, b.totals, b.now, b.final_returns
        if agents_play:
            seats, agents, drawing = Seats(*others[0]), Agents(*others[1]), Drawing(*others[2])
            trail, lineups, chance = Trail(*others[3]), seats.lineups, seats.chance
            final_observations, players, roles = seats.final_observations, agents.players, drawing.roles
        for i in rows:
            s = states[i]
            t = tables[i]
            if begins != ANSWER:
                begin_step(t)
            dealing = begins == DEAL
            action = actions[i]
            if agents_play and not dealing and not is_legal(masks, i, action):
                t.waiting = ILLEGAL
                continue
            games = 0
            # Every rule is called at one place, so that the compiler can write it out there.
            while True:
                if dealing:
                    rules.deal(s)
                    begin_game(t, totals, i)
                    if agents_play:
                        seat_agents(t, i, seats, drawing, players)
                        trail.counts[i] = 0
                    dealing = False
                else:
                    if agents_play:
                        note_decision(trail, i, s, t.seat, action)
                    rules.apply_action(s, action)
                    t.length += 1
                if rules.is_terminal(s):
                    games += 1
                    if not t.ended:
                        rules.returns(s, now[i])
                        end_game(t, rules.is_truncated(s), now, final_returns, i)
                        if t.truncated:
                            count_truncated(rules, s, setup.truncated_as, now[i])
                        pay_seats(now, totals, rewards, i)
                        if agents_play and drawing.draws_lineups and t.self_play == 0:
                            observation.observe(s, t.learner_seat, final_observations[i])
                    if agents_play and not setup.deals_on:
                        rules.legal_actions(s, masks[i])
                        t.waiting = FOR_NOBODY
                        break
                    dealing = True
                    continue
                seat = rules.current_player(s)
                rules.legal_actions(s, masks[i])
                t.seat = seat
                if agents_play and lineups[i, seat] != LEARNER:
                    player = players[lineups[i, seat], roles[seat]]
                    if player.kind == RANDOM:
                        action = random_legal(chance[i], masks[i])
                    else:
                        # What is forced needs neither an observation nor thought.
                        action = only_action(masks[i]) if player.kind == HEURISTIC else -1
                        if action < 0:
                            observation.observe(s, seat, observations[i])
                            if player.kind == ASKED:
                                t.waiting = FOR_ASKED
                                break
                            action = decide(heuristics, agents, player, observations[i], masks[i], chance[i])
                    if not is_legal(masks, i, action):
                        actions[i] = action
                        t.waiting = ILLEGAL
                        break
                else:
                    action = -1
                    if agents_play and setup.choices_only and games < 2:
                        # There may be games without any choice: in the second one the learner is asked all the same.
                        action = only_action(masks[i])
                    if action < 0:
                        observation.observe(s, seat, observations[i])
                        if not t.ended:
                            # Written out here: as a call it costs a tenth.
                            rules.returns(s, now[i])
                            for p in range(now.shape[1]):
                                paid = totals[i, p]
                                totals[i, p] = now[i, p]
                                rewards[i, p] = now[i, p] - paid
                        if agents_play:
                            t.waiting = FOR_LEARNER
                        break
        return -1

    return run


@driver
def play_on(rules, observation, heuristics):
    """play_on(rows, begins, actions, buffers, others, setup): tables ``rows`` until each waits for somebody outside.

    It begins with a new game (DEAL), or with ``actions``, int64 (n,): of learners (STEP, a new step) or of agents asked
    in Python (ANSWER, within a step). Should a second game end in one step, the learner decided nothing in it, and it
    is not counted; what is paid in a game that began in this step counts from the learner's first decision on.
    ``others`` are the Seats, Agents and Drawing.
    """
    return play(rules, observation, heuristics, True)


@driver
def step_learners(rules, observation, heuristics):
    """The same where learners have all seats, a finished game is followed by the next one, and every learner is asked.

    ``others`` is empty. Returns the first table whose action is not legal, nothing has changed then; or -1.
    """
    return play(rules, observation, heuristics, False)
