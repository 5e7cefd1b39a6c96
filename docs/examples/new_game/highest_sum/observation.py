"""Highest Sum: what a seat sees, and what it cannot know. Seats are relative, 0 is the viewer."""

from poopdeck.envs.core import history
from poopdeck.envs.core.chance import shuffle_anew
from poopdeck.envs.core.compiler import rule
from poopdeck.envs.core.spec import Block

from .cards import COPIES, MAX_KINDS
from .record import DEALT, EFFECTS
from .rules import hand_size


def blocks(settings):
    """The observation's named parts."""
    n = settings["num_players"]
    return (
        Block("hand", (MAX_KINDS,), "own hand by kind / 3"),
        Block("laid", (n, MAX_KINDS), "laid cards per relative seat by kind / 3"),
        Block("hand_size", (n,), "cards in hand per relative seat / 2"),
        Block("turn", (n,), "relative seat to act, one-hot"),
        Block("draw", (1,), "draw pile / all cards"),
        *history.blocks(settings, EFFECTS),
    )


@rule
def observe(s, seat, out):
    """Writes the observation of a seat, float32."""
    n = s.num_players
    for kind in range(MAX_KINDS):
        out[kind] = s.hand[seat, kind] / COPIES
    at = MAX_KINDS
    for k in range(n):
        other = (seat + k) % n
        for kind in range(MAX_KINDS):
            out[at + k * MAX_KINDS + kind] = s.laid[other, kind] / COPIES
        out[at + n * MAX_KINDS + k] = hand_size(s, other) / DEALT
        out[at + n * MAX_KINDS + n + k] = 1.0 if other == s.turn else 0.0
    out[at + n * (MAX_KINDS + 2)] = s.draw_size / (COPIES * s.kinds)
    history.write(s, seat, n, out)


@rule
def resample(s, seat):
    """Deals the draw pile and the other hands anew."""
    size = s.draw_size
    for other in range(s.num_players):
        if other != seat:
            for kind in range(MAX_KINDS):
                for _ in range(s.hand[other, kind]):
                    s.draw[size] = kind
                    size += 1
    shuffle_anew(s, s.draw, size)
    for other in range(s.num_players):
        if other != seat:
            held = hand_size(s, other)
            for kind in range(MAX_KINDS):
                s.hand[other, kind] = 0
            for _ in range(held):
                size -= 1
                s.hand[other, s.draw[size]] += 1
