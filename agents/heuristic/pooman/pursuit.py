"""How the heuristics of Pooman hunt: the steps of the Pooman in a chase.

``best`` weighs every pair of steps: whom they may touch now, given where each player may flee to, and how good the
place is from which it goes on. Pairs that are alike are drawn by lot, so that nobody can know its cells.
"""

from ....envs.core.chance import below
from ....envs.core.compiler import rule
from ....envs.games.pooman.record import STAY, STEPS
from .reading import (
    POOPERMAN_OPEN,
    all_kept_of,
    away,
    chance_to_touch,
    column_beside,
    is_running,
    kept_of,
    own_choice,
    row_beside,
    stars_of,
)

# What touching a player is worth, by the stars that it shows; only ratios matter.
WORTH = (0.1, 0.3, 0.6, 1.0, 1.5)
KEPT_WORTH = 0.05  # per special that it keeps
WARDED = 0.5  # times this for a player that can play a special against the touch
LATE = 0.05  # what every step that the target is away costs: who waits, lets it get out of a bad place
STANDS = 0.15  # how likely a player stands where a step could lead farther, against each step that leads farthest
ALIKE = 0.02  # pairs of steps whose values differ by less, in shares of the best, are drawn by lot


@rule
def steps_to(observation, starts, room, other):
    """Steps to where a relative player was before the tick."""
    return abs(away(observation, starts, room, other, 0)) + abs(away(observation, starts, room, other, 1))


@rule
def nearest(observation, starts, room, chance):
    """The relative player in the chase that is nearest, by lot among equals."""
    best = -1
    best_distance = 0
    alike = 0
    for other in range(room.players):
        if is_running(observation, starts, other):
            distance = steps_to(observation, starts, room, other)
            alike = alike + 1 if distance == best_distance else 1
            if best < 0 or distance < best_distance or (distance == best_distance and below(chance, alike) == 0):
                best = other
                best_distance = distance
    return best


@rule
def richest(observation, starts, room):
    """The relative player in the chase that shows most stars, the nearest of them."""
    best = -1
    best_worth = 0
    for other in range(room.players):
        if is_running(observation, starts, other):
            distance = steps_to(observation, starts, room, other)
            worth = 4 * room.size * (1 + stars_of(observation, starts, other)) - distance
            if worth > best_worth:
                best = other
                best_worth = worth
    return best


@rule
def pounce(observation, starts, room, other, chance, walls):
    """A step towards a player, along either axis by lot; once the way leads over its cell, one step on, by lot.

    There it never turns back, and steps into a wall, which nobody flees to, only if ``walls`` says so.
    """
    across = away(observation, starts, room, other, 0)
    down = away(observation, starts, room, other, 1)
    if across != 0 or down != 0:
        if below(chance, abs(across) + abs(down)) < abs(across):
            return STAY + (2 if across > 0 else 4)
        return STAY + (3 if down > 0 else 1)
    back = opposite(own_choice(observation, starts, room.made - 1)) if room.made > 0 else 0
    best = 0
    alike = 0
    for step in range(1, STEPS):
        if step != back and (walls or not leads_nowhere(room, room.x, room.y, step)):
            alike += 1
            if below(chance, alike) == 0:
                best = step
    return STAY + best


@rule
def opposite(step):
    """The step that leads back."""
    return 0 if step == 0 else 1 + (step + 1) % 4


@rule
def leads_nowhere(room, x, y, step):
    """Whether a step leads into a wall."""
    return step > 0 and column_beside(room, x, step) == x and row_beside(room, y, step) == y


@rule
def worth_of(observation, starts, other):
    """What touching a relative player is worth."""
    worth = WORTH[min(stars_of(observation, starts, other), 4)]
    worth += KEPT_WORTH * all_kept_of(observation, starts, other)
    if observation[starts[POOPERMAN_OPEN]] == 0:
        wards = 0
        for k in range(1, 5):
            wards += kept_of(observation, starts, other, k)
        if wards > 0:
            worth *= WARDED
    return worth


@rule
def prey(observation, starts, room):
    """The relative player whose touch promises most in the ticks left."""
    best = -1
    best_value = -1.0
    for other in range(room.players):
        if is_running(observation, starts, other):
            x = room.x + away(observation, starts, room, other, 0)
            y = room.y + away(observation, starts, room, other, 1)
            distance = steps_to(observation, starts, room, other)
            value = worth_of(observation, starts, other) * (0.01 + chance_to_touch(room, x, y, room.ticks, distance))
            if value > best_value:
                best = other
                best_value = value
    return best


@rule
def origin(observation, starts, room, axis):
    """The column (axis 0) or row (axis 1) where the Pooman was before its choices of this tick."""
    place = room.x if axis == 0 else room.y
    for k in range(room.made):
        step = own_choice(observation, starts, k)
        if axis == 0:
            place -= 1 if step == 2 else (-1 if step == 4 else 0)
        else:
            place -= 1 if step == 3 else (-1 if step == 1 else 0)
    return place


@rule
def best_step(observation, starts, room, chance):
    """The step that begins the best way through this tick, by lot among ways that are nearly alike."""
    target = prey(observation, starts, room)
    left = room.pooman_speed - room.made
    reach = left + room.player_speed
    near = 0
    for other in range(room.players):
        if is_running(observation, starts, other) and steps_to(observation, starts, room, other) <= reach:
            near += 1
    if near == 0 or left > 2:
        return pounce(observation, starts, room, target, chance, False)
    best = 0
    best_value = -1.0
    alike = 0
    for first in range(STEPS):
        if not leads_nowhere(room, room.x, room.y, first):
            x = column_beside(room, room.x, first)
            y = row_beside(room, room.y, first)
            for second in range(STEPS if left == 2 else 1):
                if not leads_nowhere(room, x, y, second):
                    value = way_value(observation, starts, room, target, left, first, second)
                    if value > best_value * (1.0 + ALIKE):
                        alike = 0
                    if value >= best_value * (1.0 - ALIKE):
                        alike += 1
                        if below(chance, alike) == 0:
                            best = first
                    best_value = max(best_value, value)
    return STAY + best


@rule
def way_value(observation, starts, room, target, left, first, second):
    """What one or two steps promise: touches in this tick, and the hunt of the target in the ticks after it."""
    x1 = column_beside(room, room.x, first)
    y1 = row_beside(room, room.y, first)
    x2 = x1
    y2 = y1
    if left == 2:
        x2 = column_beside(room, x1, second)
        y2 = row_beside(room, y1, second)
    from_x = origin(observation, starts, room, 0)
    from_y = origin(observation, starts, room, 1)
    total = 0.0
    for other in range(room.players):
        if is_running(observation, starts, other):
            across = away(observation, starts, room, other, 0)
            down = away(observation, starts, room, other, 1)
            if other == target or abs(across) + abs(down) <= left + room.player_speed:
                x = room.x + across
                y = room.y + down
                far = 0
                for step in range(STEPS):
                    far = max(far, abs(column_beside(room, x, step) - from_x) + abs(row_beside(room, y, step) - from_y))
                weights = 0.0
                value = 0.0
                for step in range(STEPS):
                    cx = column_beside(room, x, step)
                    cy = row_beside(room, y, step)
                    weight = 0.0 if leads_nowhere(room, x, y, step) else 1.0
                    if abs(cx - from_x) + abs(cy - from_y) < far:
                        weight = STANDS if step == 0 else 0.0
                    weights += weight
                    if (cx == x1 and cy == y1) or (cx == x2 and cy == y2):
                        value += weight
                    elif other == target and weight > 0.0:
                        apart = abs(cx - x2) + abs(cy - y2)
                        value += weight * (chance_to_touch(room, cx, cy, room.ticks - 1, apart) - LATE * (1 + apart))
                total += worth_of(observation, starts, other) * value / weights
    return total
