"""Heuristics of Pooman, from the observation and the mask alone.

Players: ``run`` runs from the Pooman on the straightest way and uses no specials in a chase; ``still`` stands;
``dodge`` and ``best`` draw by lot among the steps that lead farthest, so that a Pooman cannot know their cell. All but
``run`` use specials when a touch threatens. The Pooman: ``nearest`` and ``richest`` run to one player, ``best`` weighs
every way through a tick. A strength that is meant for one role plays as ``best`` in the other one. Cards are played
alike by all of them.
"""

from ....envs.core.compiler import rule
from ....envs.games.pooman.record import (
    BALANCER,
    DEFEND,
    DRAW_CARD,
    LOSE,
    OTHERS,
    POOCICLE,
    POODINI,
    POWER_FLUSH,
    STAY,
    TAKE_STAR,
    USE,
)
from .flight import dodge, farthest, flee_best, run_away, steps_apart
from .pursuit import best_step, nearest, pounce, richest
from .reading import PHASE, POOPERMAN_OPEN, ROLE, look_around, num_players, stars_of

STRENGTHS = {"best": 0, "run": 1, "dodge": 2, "still": 3, "nearest": 4, "richest": 5}
BEST, RUN, DODGE, STILL = STRENGTHS["best"], STRENGTHS["run"], STRENGTHS["dodge"], STRENGTHS["still"]
NEAREST, RICHEST = STRENGTHS["nearest"], STRENGTHS["richest"]


def params_of(strength, settings):
    """What ``choose`` gets as its params."""
    return (STRENGTHS[strength],)


@rule
def choose(observation, mask, starts, params, chance):
    """The action of a heuristic; ``starts`` says where the observation's blocks lie."""
    strength = int(params[0])
    if mask[STAY]:
        if observation[starts[ROLE]] > 0:
            return flee(observation, mask, starts, strength, chance)
        return hunt(observation, starts, strength, chance)
    if observation[starts[PHASE] + DEFEND] > 0:
        return defend(mask)
    return play_card(observation, mask, starts)


@rule
def flee(observation, mask, starts, strength, chance):
    """A player's choice in a chase."""
    room = look_around(observation, starts)
    if strength != RUN and room.made == 0 and observation[starts[POOPERMAN_OPEN]] == 0 and room.frozen == 0:
        special = save(observation, mask, starts, room, strength)
        if special >= 0:
            return special
    if strength == STILL:
        return STAY
    if strength == RUN:
        return run_away(observation, starts, room)
    if strength == BEST:
        return flee_best(observation, starts, room, chance)
    return dodge(observation, starts, room, chance)


@rule
def save(observation, mask, starts, room, strength):
    """The special to use in this tick, -1 for none: when it can end in a touch and enough is at stake.

    First those that nothing can follow, last the one that sets the clock back.
    """
    if stars_of(observation, starts, 0) < (2 if strength == DODGE else 1):
        return -1
    if strength == STILL:
        apart = steps_apart(observation, starts, room, room.x, room.y)
    else:
        apart = farthest(observation, starts, room)
    if apart > room.pooman_speed:
        return -1
    for kind in (POODINI, BALANCER, POWER_FLUSH, POOCICLE):
        if mask[USE + kind - POWER_FLUSH]:
            return USE + kind - POWER_FLUSH
    return -1


@rule
def hunt(observation, starts, strength, chance):
    """A step of the Pooman."""
    room = look_around(observation, starts)
    if strength == NEAREST:
        return pounce(observation, starts, room, nearest(observation, starts, room, chance), chance, False)
    if strength == RICHEST:
        return pounce(observation, starts, room, richest(observation, starts, room), chance, True)
    return best_step(observation, starts, room, chance)


@rule
def defend(mask):
    """Without the chase: the card that is of least use later, a Balancer first, since it stops no Pooperman."""
    for action in range(LOSE - 1, USE - 1, -1):
        if mask[action]:
            return action
    return LOSE


@rule
def play_card(observation, mask, starts):
    """Two stars before one, from whoever shows most, also with a kept Smell the Freshness; else the next card."""
    n = num_players(starts)
    for stars in range(2, 0, -1):
        best = -1
        most = -1
        for j in range(1, n):
            action = TAKE_STAR + OTHERS * (stars - 1) + j - 1
            if mask[action] and stars_of(observation, starts, j) > most:
                best = action
                most = stars_of(observation, starts, j)
        if best >= 0:
            return best
    return DRAW_CARD
