"""The cards in front of a player: what comes to lie there and what leaves it."""

from ....core import history
from ....core.compiler import rule
from ..record import CAUGHT, KINDS, OUTCOME, TWO_STARS


@rule
def lay_in_front(s, seat, kind):
    """A card comes to lie in front of a player."""
    s.front[seat, kind] += 1
    s.held[seat] += 1
    if kind <= TWO_STARS:
        s.stars[seat] += kind + 1


@rule
def take_away(s, seat, kind):
    """A card leaves the front of a player."""
    s.front[seat, kind] -= 1
    s.held[seat] -= 1
    if kind <= TWO_STARS:
        s.stars[seat] -= kind + 1


@rule
def discard_one(s, seat, kind):
    """A card goes from the front of a player to the discard."""
    take_away(s, seat, kind)
    s.discard[kind] += 1


@rule
def discard_all(s, seat):
    """A player loses all its cards, kept specials included."""
    history.befell(s, seat, OUTCOME, CAUGHT)
    if s.held[seat] == 0:
        return
    for kind in range(KINDS):
        s.discard[kind] += s.front[seat, kind]
        s.front[seat, kind] = 0
    s.held[seat] = 0
    s.stars[seat] = 0
