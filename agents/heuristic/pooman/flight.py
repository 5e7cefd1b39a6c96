"""How the heuristics of Pooman run from the Pooman: the steps of a player in a chase."""

from ....envs.core.chance import below, uniform
from ....envs.core.compiler import rule
from ....envs.games.pooman.record import STAY, STEPS
from .reading import away, chance_to_touch, column_beside, edge, row_beside

WALL_WEIGHT = 0.35  # how much rarer a step to a wall is than one into the open
FAR = 0.03  # what a step of distance is worth, in chance to be touched, beside what it means for the clock
NARROW = 0.02  # what it costs to be near a wall, for each of the steps that are missing to WIDE
WIDE = 3  # steps from a wall that are enough


@rule
def run_away(observation, starts, room):
    """The step that leads farthest from the Pooman as the crow flies: straight on, and into corners."""
    best = 0
    best_distance = -1
    for step in range(STEPS):
        x = column_beside(room, room.x, step)
        y = row_beside(room, room.y, step)
        across = room.x + away(observation, starts, room, -1, 0) - x
        down = room.y + away(observation, starts, room, -1, 1) - y
        distance = across * across + down * down
        if distance > best_distance:
            best = step
            best_distance = distance
    return STAY + best


@rule
def steps_apart(observation, starts, room, x, y):
    """Steps from a cell to where the Pooman is before the tick."""
    across = room.x + away(observation, starts, room, -1, 0) - x
    down = room.y + away(observation, starts, room, -1, 1) - y
    return abs(across) + abs(down)


@rule
def farthest(observation, starts, room):
    """The most steps that can lie between the viewer and where the Pooman is after one step."""
    most = -1
    for step in range(STEPS):
        x = column_beside(room, room.x, step)
        y = row_beside(room, room.y, step)
        most = max(most, steps_apart(observation, starts, room, x, y))
    return most


@rule
def dodge(observation, starts, room, chance):
    """One of the steps that lead as far from the Pooman as any, drawn by lot, walls less often."""
    far = farthest(observation, starts, room)
    best = 0
    total = 0.0
    for step in range(STEPS):
        x = column_beside(room, room.x, step)
        y = row_beside(room, room.y, step)
        blocked = step > 0 and x == room.x and y == room.y
        if not blocked and steps_apart(observation, starts, room, x, y) == far:
            weight = WALL_WEIGHT ** edge(room, x, y)
            total += weight
            if uniform(chance) * total < weight:
                best = step
    return STAY + best


@rule
def walls_near(room, place):
    """Steps that a column or row is too near to a wall."""
    return max(WIDE - min(place, room.size - 1 - place), 0)


@rule
def flee_best(observation, starts, room, chance):
    """The step after which a touch is least likely; where one threatens now, by lot, walls less often."""
    if farthest(observation, starts, room) <= room.pooman_speed:
        return dodge(observation, starts, room, chance)
    best = 0
    alike = 0
    best_risk = 2.0
    for step in range(STEPS):
        x = column_beside(room, room.x, step)
        y = row_beside(room, room.y, step)
        distance = steps_apart(observation, starts, room, x, y)
        if distance > room.pooman_speed and not (step > 0 and x == room.x and y == room.y):
            risk = chance_to_touch(room, x, y, room.ticks - 1, distance - room.pooman_speed) - FAR * distance
            risk += NARROW * (walls_near(room, x) + walls_near(room, y))
            if risk < best_risk - 0.001:
                alike = 0
                best_risk = risk
            if risk < best_risk + 0.001:
                alike += 1
                if below(chance, alike) == 0:
                    best = step
    return STAY + best
