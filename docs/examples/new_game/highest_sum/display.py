"""Highest Sum: names, words and pictures."""

from poopdeck.envs.core.scene import Card, Place, Scene, Zone

from .cards import MAX_KINDS
from .scenario import dump


def action_names(settings):
    """The names of the actions by number."""
    return tuple(f"lay {kind}" for kind in range(MAX_KINDS))


def is_public(state, action):
    """Everybody sees what is laid."""
    return True


def describe(state, seat):
    """The position in words."""
    shown = dump(state)
    hands = [hand if seat in (None, other) else len(hand) for other, hand in enumerate(shown["hands"])]
    return f"turn {shown['turn']}, hands {hands}, laid {shown['laid']}, {len(shown['draw_pile'])} to draw"


def scene(state, seat):
    """The position as a picture's parts."""
    shown, n = dump(state), state.settings["num_players"]
    places = []
    for step in range(n):
        other = ((seat or 0) + step) % n
        face_up = seat in (None, other)
        hand = tuple(Card(str(kind) if face_up else "", face_up=face_up) for kind in shown["hands"][other])
        laid = tuple(Card(str(kind)) for kind in shown["laid"][other])
        places.append(Place(f"player_{other}", (Zone("hand", hand), Zone("laid", laid)), shown["turn"] == other))
    return Scene("Highest Sum", tuple(places), (Zone("draw pile", (Card("", face_up=False),)),))
