"""What the heuristics of Pooman read from an observation, as counts and cells."""

from typing import NamedTuple

from ....envs.core.compiler import rule
from ....envs.games.pooman.observation import CLOCK, KEPT, SMALL, blocks
from ....envs.games.pooman.record import MAX_PLAYERS, STEPS

_NAMES = [block.name for block in blocks({"num_players": MAX_PLAYERS, "pooman_speed": 1, "player_speed": 1})]
ROLE, PHASE, DECK_SIZE, DECK = (_NAMES.index(name) for name in ("role", "phase", "deck_size", "deck"))
TURN, STARS, CHARACTERS, KEPT_CARDS = (_NAMES.index(name) for name in ("turn", "stars", "characters", "kept"))
POOPERMAN_OPEN, ROOM, SPEEDS, TICKS = (_NAMES.index(name) for name in ("pooperman", "room", "speeds", "ticks"))
CELL, POOMAN_OFFSET, OFFSET = (_NAMES.index(name) for name in ("cell", "pooman", "offset"))
RUNNING, CHOICES = (_NAMES.index(name) for name in ("running", "choices"))


class Room(NamedTuple):
    """A chase as its viewer sees it; whole numbers."""

    players: int
    size: int  # columns and rows
    x: int  # the viewer's cell after its choices of this tick
    y: int
    ticks: int  # left
    frozen: int  # ticks that the Pooman is still frozen
    pooman_speed: int
    player_speed: int
    made: int  # choices that the viewer has made in this tick


@rule
def whole(value):
    """The nearest whole number, also of a negative one."""
    return int(value + 0.5) if value >= 0.0 else -int(0.5 - value)


@rule
def count(fraction, scale):
    """c, from c / (c + scale)."""
    return int(scale * fraction / (1.0 - fraction) + 0.5)


@rule
def num_players(starts):
    """From the length of the block turn."""
    return starts[TURN + 1] - starts[TURN]


@rule
def stars_of(observation, starts, other):
    """Stars that a relative player shows, 0 to 6."""
    return int(6.0 * observation[starts[STARS] + other] + 0.5)


@rule
def characters_of(observation, starts, other, kind):
    """Characters of one star (kind 0) or two (kind 1) in front of a relative player."""
    return count(observation[starts[CHARACTERS] + 2 * other + kind], SMALL)


@rule
def kept_of(observation, starts, other, k):
    """Kept specials of a relative player: 0 Smell the Freshness, 1 Power Flush, 2 Poodini, 3 Poocicle, 4 Balancer."""
    return count(observation[starts[KEPT_CARDS] + KEPT * other + k], SMALL)


@rule
def all_kept_of(observation, starts, other):
    """Kept specials of a relative player, all kinds together."""
    cards = 0
    for k in range(KEPT):
        cards += kept_of(observation, starts, other, k)
    return cards


@rule
def look_around(observation, starts):
    """The chase, from the observation of whoever is to choose in it."""
    size = count(observation[starts[ROOM]], CLOCK)
    made = 0
    for at in range(starts[CHOICES], starts[CHOICES + 1]):
        if observation[at] > 0:
            made += 1
    return Room(
        num_players(starts),
        size,
        whole(observation[starts[CELL]] * size),
        whole(observation[starts[CELL] + 1] * size),
        count(observation[starts[TICKS]], CLOCK),
        count(observation[starts[TICKS] + 1], CLOCK),
        whole(1.0 / observation[starts[SPEEDS]]),
        whole(1.0 / observation[starts[SPEEDS] + 1]),
        made,
    )


@rule
def away(observation, starts, room, other, axis):
    """Columns (axis 0) or rows (axis 1) from the viewer to a relative player, before the tick; to the Pooman for -1."""
    at = starts[POOMAN_OFFSET] if other < 0 else starts[OFFSET] + 2 * other
    return whole(observation[at + axis] * room.size)


@rule
def is_running(observation, starts, other):
    """Whether a relative player is in the chase."""
    return observation[starts[RUNNING] + other] > 0


@rule
def own_choice(observation, starts, k):
    """The viewer's k-th step of this tick: 0 stay, 1 north, 2 east, 3 south, 4 west."""
    at = starts[CHOICES] + STEPS * k
    for step in range(STEPS):
        if observation[at + step] > 0:
            return step
    return 0


@rule
def column_beside(room, x, step):
    """The column after a step: 0 stay, 1 north, 2 east, 3 south, 4 west."""
    if step == 2 and x + 1 < room.size:
        return x + 1
    if step == 4 and x > 0:
        return x - 1
    return x


@rule
def row_beside(room, y, step):
    """The row after a step."""
    if step == 3 and y + 1 < room.size:
        return y + 1
    if step == 1 and y > 0:
        return y - 1
    return y


@rule
def edge(room, x, y):
    """The number of walls at a cell: 0, 1, 2 in a corner."""
    walls = 0
    if x == 0 or x == room.size - 1:
        walls += 1
    if y == 0 or y == room.size - 1:
        walls += 1
    return walls


# Measured by solving the game of one Pooman and one player in a room of 11 x 11 for both sides' best play.
ESCAPE = (0.667, 0.55, 0.2)  # chance to get away from a touch, by the number of walls at the cell
LATER = (1.0, 1.0, 0.65, 0.42, 0.27, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02, 0.01)  # and from all after the first one


@rule
def chance_to_touch(room, x, y, ticks, distance):
    """About the chance that the Pooman touches a player at a cell, so many steps away, in so many ticks.

    In the open it comes nearer by a step a tick; beside the player it can try a touch in every other tick.
    """
    gain = max(room.pooman_speed - room.player_speed, 1)
    tries = (ticks - (max(distance - 1, 0) + gain - 1) // gain + 1) // 2
    if tries <= 0:
        return 0.0
    return 1.0 - ESCAPE[edge(room, x, y)] * LATER[min(tries, 11)]
