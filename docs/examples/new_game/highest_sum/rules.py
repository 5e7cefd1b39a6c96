"""Highest Sum: its rules."""

from poopdeck.envs.core import history
from poopdeck.envs.core.chance import below, shuffle
from poopdeck.envs.core.compiler import rule

from .cards import COPIES, MAX_KINDS
from .record import DEALT, state_dtype

__all__ = [
    "apply_action",
    "current_player",
    "deal",
    "is_terminal",
    "is_truncated",
    "legal_actions",
    "returns",
    "state_dtype",
    "truncated_returns",
]


@rule
def deal(s):
    """Two cards for everybody, a random seat begins."""
    history.forget(s)
    size = 0
    for kind in range(s.kinds):
        for _ in range(COPIES):
            s.draw[size] = kind
            size += 1
    shuffle(s, s.draw, size)
    for seat in range(s.num_players):
        for kind in range(MAX_KINDS):
            s.hand[seat, kind] = 0
            s.laid[seat, kind] = 0
        for _ in range(DEALT):
            size -= 1
            s.hand[seat, s.draw[size]] += 1
    s.draw_size = size
    s.decisions = 0
    s.truncated = 0
    s.turn = below(s, s.num_players)


@rule
def current_player(s):
    """The seat to act, -1 when over."""
    return s.turn


@rule
def is_terminal(s):
    """Whether the game is over."""
    return s.turn < 0


@rule
def is_truncated(s):
    """Whether the cap ended it."""
    return s.truncated != 0


@rule
def hand_size(s, seat):
    """Cards in a hand."""
    total = 0
    for kind in range(MAX_KINDS):
        total += s.hand[seat, kind]
    return total


@rule
def legal_actions(s, mask):
    """Any card of the hand."""
    for kind in range(MAX_KINDS):
        mask[kind] = 0
    if s.turn >= 0:
        for kind in range(MAX_KINDS):
            if s.hand[s.turn, kind] > 0:
                mask[kind] = 1


@rule
def apply_action(s, action):
    """Lays a card and draws another."""
    seat = s.turn
    history.note(s, seat, action)  # all see it
    s.hand[seat, action] -= 1
    s.laid[seat, action] += 1
    if s.draw_size > 0:
        s.draw_size -= 1
        s.hand[seat, s.draw[s.draw_size]] += 1
    s.decisions += 1
    s.turn = -1
    for step in range(1, s.num_players + 1):
        other = (seat + step) % s.num_players
        if hand_size(s, other) > 0:
            s.turn = other
            break
    if s.turn >= 0 and s.decisions >= s.max_decisions:
        s.turn = -1
        s.truncated = 1


@rule
def total_laid(s, seat):
    """The sum of the laid cards."""
    total = 0
    for kind in range(MAX_KINDS):
        total += kind * s.laid[seat, kind]
    return total


@rule
def returns(s, out):
    """The highest sum alone wins."""
    best = 0
    ties = 0
    for seat in range(s.num_players):
        out[seat] = 0.0
        if total_laid(s, seat) > total_laid(s, best):
            best = seat
            ties = 0
        elif seat != best and total_laid(s, seat) == total_laid(s, best):
            ties += 1
    if s.turn < 0 and not s.truncated and ties == 0:
        for seat in range(s.num_players):
            out[seat] = -1.0 / (s.num_players - 1)
        out[best] = 1.0


@rule
def truncated_returns(s, out):
    """What a truncated game counts as in training: nothing."""
    for seat in range(s.num_players):
        out[seat] = 0.0
