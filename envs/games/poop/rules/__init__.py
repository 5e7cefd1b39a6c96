"""Poop: The Game, with every variant: keep the table's total below the number on the toilet lid; first empty hand wins.

Source: the rulebook of both editions; docs/games/poop.md states every rule under its number (PG-1 ... PG-30) and says
what is assumed. ``record`` says how cards, actions and a position are written as numbers.
"""

from ....core import history
from ....core.compiler import rule
from ..record import (
    CLOG,
    FLIP,
    HELD,
    INTERCEPT,
    KINDS,
    NUM_ACTIONS,
    OVER,
    PLAY,
    SAY_HOLD,
    SAY_INTERCEPT,
    SAY_PASS,
    SAY_SLAP,
    SHARE,
    SHARE_WITH,
    SLAP,
    SLAPPED,
    SUPER,
    state_dtype,
)
from .dealing import deal
from .interception import ask_next, intercept
from .payoffs import returns, truncate, truncated_returns
from .plays import allow_cards, play
from .slaps import answer_slap, flip
from .turns import clog, settle, share_drinks

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
def current_player(s):
    """The seat to act, -1 when the game is over."""
    if s.phase == OVER:
        return -1
    return s.asked if s.asked >= 0 else s.turn


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (PG-17)."""
    return s.truncated != 0


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[40], of the seat to act: 1 is legal; all 0 when over."""
    mask[:NUM_ACTIONS] = 0
    if s.phase == PLAY:
        if s.variant == SUPER:
            mask[FLIP] = 1
        else:
            allow_cards(s, mask)
    elif s.phase == INTERCEPT:
        mask[SAY_INTERCEPT] = 1
        mask[SAY_PASS] = 1
    elif s.phase == SLAP:
        mask[SAY_SLAP] = 1
        mask[SAY_HOLD] = 1
    elif s.phase == SHARE:
        for k in range(s.num_players - 1):
            mask[SHARE_WITH + k] = 1


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if action < SAY_PASS or action == FLIP or action >= SHARE_WITH:  # the others are secret (PG-22, PG-26)
        history.note(s, current_player(s), action)
    if action < KINDS:
        play(s, action)
    elif action == CLOG:
        clog(s, s.turn)
    elif action == FLIP:
        flip(s)
    elif action >= SHARE_WITH:
        share_drinks(s, action - SHARE_WITH + 1)
    elif action >= SAY_SLAP:
        answer_slap(s, SLAPPED if action == SAY_SLAP else HELD)
    elif action == SAY_INTERCEPT:
        intercept(s)
    elif ask_next(s, s.asked) == 0:
        settle(s)
    if s.phase != OVER and s.decisions >= s.max_decisions:
        truncate(s)
