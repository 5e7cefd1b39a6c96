"""Seats as a viewer counts them, for rules and observations."""

from .compiler import rule


@rule
def relative(s, seat, viewer):
    """How many seats clockwise from the viewer a seat sits."""
    return seat - viewer if seat >= viewer else seat - viewer + s.num_players
