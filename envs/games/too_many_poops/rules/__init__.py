"""Too Many Poops: ten points of cats at home before ten poops lie in the litter box.

Source: the game's own rulebook; docs/games/too_many_poops.md states every rule under its number (TM-1 ... TM-23) and
says what the rulebook leaves open. ``record`` says how cards, actions and a position are written as numbers.
"""

from ....core import history
from ....core.compiler import rule
from ..record import CAT, CHOOSE, DRAW, DRAW_WILD, END, KINDS, NUM_ACTIONS, OVER, PLAY, WILD, state_dtype
from .dealing import chooser, deal, reveal
from .payoffs import returns, truncated_returns
from .plays import allow_parts, allow_plays, choose_part, choose_play
from .poops import update_homes
from .reactions import allow_reaction, react
from .turns import allow_draws, draw

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
    "update_homes",
]


@rule
def current_player(s):
    """The seat to act, -1 when the game is over."""
    if s.phase == OVER:
        return -1
    if s.phase == CHOOSE:
        return chooser(s)
    return s.asked if s.asked >= 0 else s.turn


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (TM-22)."""
    return s.truncated != 0


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[71], of the seat to act: 1 is legal; all 0 when over."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    if s.phase == OVER:
        return
    if s.phase == CHOOSE:
        seat = chooser(s)
        for kind in range(KINDS):
            if s.hand_cats[seat, kind] > 0:
                mask[CAT + kind] = 1
    elif s.asked >= 0:
        allow_reaction(s, mask)
    elif s.pending_act >= 0:
        allow_parts(s, mask)
    elif s.phase == DRAW:
        allow_draws(s, mask)
    else:
        allow_plays(s, mask)


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if s.phase == CHOOSE:
        s.chosen[chooser(s)] = action - CAT
        if chooser(s) < 0:
            reveal(s)
    elif s.asked >= 0:
        react(s, action)
    elif s.pending_act >= 0:
        choose_part(s, action)
    elif s.phase == PLAY:
        choose_play(s, action)
    elif action == END:
        history.note(s, s.turn, action)
        s.phase = PLAY
    elif action == DRAW_WILD:
        s.pending_act = WILD
    else:
        draw(s, action)
    # A win on the last allowed decision counts (TM-22).
    if s.phase != OVER and s.decisions >= s.max_decisions:
        s.truncated = 1
        s.phase = OVER
