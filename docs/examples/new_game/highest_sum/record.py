"""Highest Sum: the record of a game; all that changes is in it."""

from poopdeck.envs.core import history
from poopdeck.envs.core.compiler import layout

from .cards import COPIES, MAX_KINDS

MAX_SEATS = 4
DEALT = 2  # cards of a hand
NUM_ACTIONS = MAX_KINDS  # lay a card of this kind
EFFECTS = ()  # what an event may lead to beside what its action says: nothing that is seen


def state_dtype(settings):
    """The same for all parameters."""
    return layout(
        **history.fields(settings, EFFECTS),
        rng="u8",
        num_players="i2",
        kinds="i2",
        max_decisions="i2",
        decisions="i2",
        turn="i2",  # -1 when over
        truncated="i2",
        draw_size="i2",
        hand=("i1", (MAX_SEATS, MAX_KINDS)),  # counts; the owner sees them
        laid=("i1", (MAX_SEATS, MAX_KINDS)),  # counts; public
        draw=("i1", MAX_KINDS * COPIES),  # next card last; nobody sees it
    )
