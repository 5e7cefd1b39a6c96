"""What a seat of Pooman sees, and what it cannot know.

Players are in relative order: for a player, itself first, then clockwise; for the Pooman, the player whose turn it is
first, then clockwise. All numbers can be read back exactly: small counts c stand as c / (c + 3), the clock's and the
deck's as c / (c + 8), and offsets and distances as fractions of the room's size, which is in the block ``room``. In a
chase ``cell`` is where the viewer is after its own choices of this tick, and offsets are from there to where the
others were before the tick; what others choose in it is not to be seen (PM-13).
"""

import numpy as np

from ...core import history
from ...core.chance import below, shuffle_anew
from ...core.compiler import rule, writer
from ...core.spec import Block
from .record import (
    BALANCER,
    CHASE,
    EFFECTS,
    FRESHNESS,
    HIDDEN,
    KINDS,
    ONE_STAR,
    PHASES,
    POOPERMAN,
    POWER_FLUSH,
    STAY,
    STEPS,
    TWO_STARS,
    USE,
)
from .rules.chase import column_after, row_after

KEPT = 5  # kinds of specials that are kept: Smell the Freshness, then those against the Pooman
SPECIALS = 4  # kinds of specials against the Pooman
CLOCK = 8.0  # c / (c + CLOCK)
SMALL = 3.0  # c / (c + SMALL)


def blocks(settings):
    """The observation's named parts in order; their sum is the observation."""
    n = settings["num_players"]
    speed = max(settings["pooman_speed"], settings["player_speed"])
    return (
        Block("role", (2,), "one-hot: the viewer is a player, the Pooman"),
        Block("phase", (PHASES,), "one-hot: draw, draw again, take, defend, chase, over"),
        Block("pooperman", (1,), "1 if the open card is The Pooperman"),
        Block("deck_size", (1,), "c / (c + 8) for c cards face down"),
        Block("deck", (KINDS,), "cards face down by kind, as fractions of all cards face down"),
        Block("turn", (n,), "whose turn it is, one-hot"),
        Block("acting", (n + 1,), "who is to act, one-hot: the players, then the Pooman; zeros when over"),
        Block("stars", (n,), "per player: stars that its characters show / 6"),
        Block("characters", (n, 2), "per player: c / (c + 3) for c characters of one star, of two stars"),
        Block(
            "kept",
            (n, KEPT),
            "per player: c / (c + 3) for c cards kept of Smell the Freshness, Power Flush, Poodini, Poocicle, Balancer",
        ),
        Block("room", (1,), "s / (s + 8) for a room of s columns and rows"),
        Block("speeds", (2,), "1 / choices in a tick: of the Pooman, of a player"),
        Block("ticks", (2,), "c / (c + 8) for c ticks of the chase left, for c ticks of the freeze left"),
        Block("cell", (2,), "column and row of the viewer after its choices of this tick / room size"),
        Block("walls", (4,), "1 if a step north, east, south, west from there leads into a wall"),
        Block("free", (4,), "cells from there to the wall in the north, east, south, west / room size"),
        Block("pooman", (2,), "columns and rows from there to the Pooman / room size", -1.0),
        Block("pooman_distance", (1,), "steps from there to the Pooman / twice the room size"),
        Block("offset", (n, 2), "per player: columns and rows from there to it / room size; zeros if not seen", -1.0),
        Block("distance", (n,), "per player: steps from there to it / twice the room size; 0 if not seen"),
        Block("running", (n,), "per player: 1 if it is in the chase"),
        Block("fate", (n, 3), "per player, one-hot: touched, hidden, balanced"),
        Block("choices", (speed, STEPS), "own steps of this tick, each one-hot: stay, north, east, south, west"),
        Block("using", (SPECIALS,), "own special of this tick, one-hot: Power Flush, Poodini, Poocicle, Balancer"),
        *history.blocks(settings, EFFECTS),
    )


@writer
def observe(s, seat, out):
    """Writes the observation of a seat, float32, every entry; any seat, also when the game is over."""
    for i in range(len(out)):
        out[i] = 0.0
    n = s.num_players
    first = seat if seat < n else s.turn
    at = write_table(s, seat, out)
    at = write_players(s, first, out, at)
    out[at] = s.room_size / (s.room_size + CLOCK)
    out[at + 1] = 1.0 / s.pooman_speed
    out[at + 2] = 1.0 / s.player_speed
    if s.phase == CHASE:
        write_chase(s, seat, first, out, at + 3)
    history.write(s, first, n, out)


@rule
def write_table(s, seat, out):
    """Writes the blocks from ``role`` to ``deck`` and returns where they end."""
    out[0 if seat < s.num_players else 1] = 1.0
    out[2 + s.phase] = 1.0
    at = 2 + PHASES
    if s.card == POOPERMAN:
        out[at] = 1.0
    out[at + 1] = s.deck_size / (s.deck_size + CLOCK)
    at += 2
    if s.deck_size > 0:
        each = np.float32(1.0 / s.deck_size)
        for kind in range(KINDS):
            out[at + kind] = np.float32(s.left[kind]) * each
    return at + KINDS


@rule
def write_players(s, first, out, at):
    """Writes the blocks from ``turn`` to ``kept`` and returns where they end."""
    n = s.num_players
    out[at + order(s, first, s.turn)] = 1.0
    at += n
    if s.acting == n:
        out[at + n] = 1.0
    elif s.acting >= 0:
        out[at + order(s, first, s.acting)] = 1.0
    at += n + 1
    other = first
    for k in range(n):
        if s.held[other] > 0:
            out[at + k] = s.stars[other] / 6.0
            out[at + n + 2 * k] = small(s.front[other, ONE_STAR])
            out[at + n + 2 * k + 1] = small(s.front[other, TWO_STARS])
            for kind in range(FRESHNESS, KINDS):
                out[at + 3 * n + KEPT * k + kind - FRESHNESS] = small(s.front[other, kind])
        other = other + 1 if other + 1 < n else 0
    return at + (3 + KEPT) * n


@rule
def order(s, first, seat):
    """The place of a player in the relative order that begins with ``first``."""
    return seat - first if seat >= first else seat - first + s.num_players


@rule
def small(count):
    """A small count as a feature; nearly all are 0."""
    return count / (count + SMALL) if count > 0 else 0.0


@rule
def write_chase(s, seat, first, out, at):
    """Writes the blocks from ``ticks`` to ``using``, which are zeros where there is no chase."""
    n = s.num_players
    out[at] = s.ticks / (s.ticks + CLOCK)
    out[at + 1] = s.freeze / (s.freeze + CLOCK)
    write_own_place(s, seat, out, at + 2)
    x = s.plan[seat, 0]
    y = s.plan[seat, 1]
    at += 12
    scale = np.float32(1.0 / s.room_size)
    half = np.float32(0.5) * scale
    if seat < n:
        across = s.cell[n, 0] - x
        down = s.cell[n, 1] - y
        out[at] = np.float32(across) * scale
        out[at + 1] = np.float32(down) * scale
        out[at + 2] = np.float32(abs(across) + abs(down)) * half
    at += 3
    other = first
    for k in range(n):
        fate = s.fate[other]
        if other != seat and (fate != HIDDEN or seat < n):
            across = s.cell[other, 0] - x
            down = s.cell[other, 1] - y
            out[at + 2 * k] = np.float32(across) * scale
            out[at + 2 * k + 1] = np.float32(down) * scale
            out[at + 2 * n + k] = np.float32(abs(across) + abs(down)) * half
        if s.running[other]:
            out[at + 3 * n + k] = 1.0
        if fate > 0:
            out[at + 4 * n + 3 * k + fate - 1] = 1.0
        other = other + 1 if other + 1 < n else 0
    at += 7 * n
    for k in range(s.num_moves[seat]):
        move = s.moves[seat, k]
        if move >= STAY:
            out[at + STEPS * k + move - STAY] = 1.0
        else:
            out[at + STEPS * max(s.pooman_speed, s.player_speed) + move - USE] = 1.0


@rule
def write_own_place(s, seat, out, at):
    """Writes the blocks from ``cell`` to ``free``: where the viewer is after its choices of this tick."""
    last = s.room_size - 1
    scale = np.float32(1.0 / s.room_size)
    x = s.plan[seat, 0]
    y = s.plan[seat, 1]
    out[at] = np.float32(x) * scale
    out[at + 1] = np.float32(y) * scale
    if y == 0:
        out[at + 2] = 1.0
    if x == last:
        out[at + 3] = 1.0
    if y == last:
        out[at + 4] = 1.0
    if x == 0:
        out[at + 5] = 1.0
    out[at + 6] = np.float32(y) * scale
    out[at + 7] = np.float32(last - x) * scale
    out[at + 8] = np.float32(last - y) * scale
    out[at + 9] = np.float32(x) * scale


@rule
def resample(s, seat):
    """Replaces all that a seat cannot know by a random draw that agrees with what it knows.

    Unknown to it: the order of the deck; in a chase the others' choices of this tick; and, to the Pooman, the cells of
    hidden players. Uses the record's own generator, which the caller seeds.
    """
    shuffle_anew(s, s.deck, s.deck_size)
    if s.phase != CHASE:
        return
    pooman = s.num_players
    for other in range(pooman + 1):
        if other != seat and s.num_moves[other] > 0:
            redraw_moves(s, other)
    if seat == pooman:
        for other in range(pooman):
            if s.fate[other] == HIDDEN:
                for axis in range(2):
                    s.cell[other, axis] = below(s, s.room_size)
                    s.plan[other, axis] = s.cell[other, axis]


@rule
def redraw_moves(s, seat):
    """Choices of this tick that a seat may have made instead of its own: as many, if it is still choosing."""
    for k in range(len(s.moves[seat])):
        s.moves[seat, k] = 0  # nothing is left of the choices that it made
    steps = s.num_moves[seat]
    if seat != s.acting:
        steps = s.player_speed  # a player that has finished; perhaps by a special, which is its only choice
        ticket = below(s, STEPS + kinds_held(s, seat))
        for kind in range(POWER_FLUSH, BALANCER + 1):
            if s.front[seat, kind] > 0:
                if ticket == 0:
                    s.moves[seat, 0] = USE + kind - POWER_FLUSH
                    steps = 0
                ticket -= 1
    s.num_moves[seat] = steps if steps > 0 else 1
    s.plan[seat, 0] = s.cell[seat, 0]
    s.plan[seat, 1] = s.cell[seat, 1]
    for k in range(steps):
        step = STAY + below(s, STEPS)
        s.moves[seat, k] = step
        s.plan[seat, 0] = column_after(s, s.plan[seat, 0], step)
        s.plan[seat, 1] = row_after(s, s.plan[seat, 1], step)


@rule
def kinds_held(s, seat):
    """How many kinds of specials against the Pooman lie in front of a player."""
    kinds = 0
    for kind in range(POWER_FLUSH, BALANCER + 1):
        if s.front[seat, kind] > 0:
            kinds += 1
    return kinds
