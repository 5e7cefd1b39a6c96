"""The deal of a new game, and the cats that all seats choose to begin with (TM-1, TM-2)."""

from ....core import history
from ....core.chance import below, shuffle
from ....core.compiler import rule
from ..record import (
    CAT,
    CHOOSE,
    DEALT_CATS,
    DEALT_ITEMS,
    ITEMS,
    ITEMS_A_TURN,
    KINDS,
    MODIFIERS,
    NONE,
    PLAIN,
    RAINBOW,
    STORE,
)
from .homes import update_home
from .turns import begin_turn


@rule
def deal(s):
    """TM-1, TM-2: shuffled decks, two cats and three items each, the store; a random seat is to begin."""
    clear(s)
    for kind in range(PLAIN):
        s.cat_deck[kind] = kind
    for k in range(s.rainbow_cats):
        s.cat_deck[PLAIN + k] = RAINBOW
    s.cat_deck_size = PLAIN + s.rainbow_cats
    for item in range(ITEMS):
        for _ in range(s.item_count[item]):
            s.item_deck[s.item_deck_size] = item
            s.item_deck_size += 1
    shuffle(s, s.cat_deck, s.cat_deck_size)
    shuffle(s, s.item_deck, s.item_deck_size)
    for seat in range(s.num_players):
        for _ in range(DEALT_CATS):
            s.cat_deck_size -= 1
            s.hand_cats[seat, s.cat_deck[s.cat_deck_size]] += 1
        for _ in range(DEALT_ITEMS):
            s.item_deck_size -= 1
            s.hand_items[seat, s.item_deck[s.item_deck_size]] += 1
        s.num_cats[seat] = DEALT_CATS
        s.num_items[seat] = DEALT_ITEMS
    for k in range(STORE):
        s.cat_deck_size -= 1
        s.store_cats[k] = s.cat_deck[s.cat_deck_size]
        s.item_deck_size -= 1
        s.store_items[k] = s.item_deck[s.item_deck_size]
    s.turn = below(s, s.num_players)


@rule
def clear(s):
    """An empty table, before anything is dealt."""
    history.forget(s)
    s.phase = CHOOSE
    s.decisions = 0
    s.winner = NONE
    s.truncated = 0
    s.cat_played = 0
    s.cats_left = 1
    s.items_left = ITEMS_A_TURN
    s.pending_act = NONE
    s.pending_own = NONE
    s.pending_cat = NONE
    s.stack_size = 0
    s.stack_home = NONE
    s.stack_own = NONE
    s.stack_cat = NONE
    s.asked = NONE
    s.arrival_cat = NONE
    s.arrival_home = NONE
    s.wild_size = 0
    s.item_deck_size = 0
    s.discard_size = 0
    for kind in range(KINDS):
        s.wild[kind] = 0
    for item in range(ITEMS):
        s.discard[item] = 0
    for seat in range(s.num_players):
        clear_seat(s, seat)


@rule
def clear_seat(s, seat):
    """A seat without any cards."""
    s.out[seat] = 0
    s.poops[seat] = 0
    s.chosen[seat] = NONE
    for kind in range(KINDS):
        s.hand_cats[seat, kind] = 0
        s.known_cats[seat, kind] = 0
        s.home[seat, kind] = 0
    for item in range(ITEMS):
        s.hand_items[seat, item] = 0
        s.known_items[seat, item] = 0
    for k in range(MODIFIERS):
        s.modifiers[seat, k] = 0
    s.num_cats[seat] = 0
    s.num_items[seat] = 0
    update_home(s, seat)


@rule
def chooser(s):
    """The first seat, clockwise from the one to begin, that has not chosen its cat (TM-2); -1 if all have."""
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        if s.chosen[seat] == NONE:
            return seat
    return -1


@rule
def reveal(s):
    """TM-2: the chosen cats come home, and the seat to begin draws."""
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        history.note(s, seat, CAT + s.chosen[seat])
    for seat in range(s.num_players):
        kind = s.chosen[seat]
        s.chosen[seat] = NONE
        s.hand_cats[seat, kind] -= 1
        s.num_cats[seat] -= 1
        s.home[seat, kind] += 1
        update_home(s, seat)
    begin_turn(s, s.turn)
