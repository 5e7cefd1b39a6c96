"""The stack of an item and the hisses on it, what each item does, and closed doors (TM-10 to TM-13)."""

from ....core import history
from ....core.compiler import rule
from ..record import (
    CANCELLED,
    CARRIED_OUT,
    CLOSED_DOOR,
    FIRST_MODIFIER,
    HISS,
    LURE,
    NONE,
    OUTCOME,
    OVER,
    PASS,
    PLAY_ITEM,
    REPLAY,
    SCOOP,
    SCOOPED,
    SHOO,
    SWAP,
)
from .hands import discard_item, take_item_from_hand
from .homes import put_cat, take_cat, test_win, to_wild


@rule
def allow_reaction(s, mask):
    """Allows what the seat that is asked may answer (TM-12, TM-13)."""
    mask[PASS] = 1
    mask[PLAY_ITEM + (HISS if s.stack_size > 0 else CLOSED_DOOR)] = 1


@rule
def put_on_stack(s, item, seat):
    """An item or a reaction, played by a seat; then the others are asked for a hiss."""
    take_item_from_hand(s, seat, item)
    s.stack_item[s.stack_size] = item
    s.stack_by[s.stack_size] = seat
    s.stack_size += 1
    ask_after(s, seat)


@rule
def next_holder(s, seat):
    """The next seat clockwise after ``seat`` that is to be asked about the top of the stack, NONE if nobody is."""
    player = s.stack_by[s.stack_size - 1]
    for step in range(1, s.num_players):
        other = (seat + step) % s.num_players
        if other == player:
            return NONE
        if s.hand_items[other, HISS] > 0:
            return other
    return NONE


@rule
def ask_after(s, seat):
    """TM-12: asks the next seat that holds a hiss; when all have passed, the stack takes effect."""
    s.asked = next_holder(s, seat)
    if s.asked == NONE:
        take_effect(s)


@rule
def react(s, action):
    """The answer of the seat that is asked."""
    seat = s.asked
    if action != PASS:
        history.note(s, seat, action)
        put_on_stack(s, action - PLAY_ITEM, seat)
    elif s.stack_size > 0:
        ask_after(s, seat)
    else:
        s.asked = NONE
        s.arrival_cat = NONE
        s.arrival_home = NONE


@rule
def take_effect(s):
    """TM-12: from the top, each hiss cancels the card below it; so the lowest card counts under an even number."""
    item = s.stack_item[0]
    hisses = s.stack_size - 1
    home = s.stack_home
    own = s.stack_own
    cat = s.stack_cat
    for _ in range(hisses):
        discard_item(s, HISS)
    s.stack_size = 0
    s.stack_home = NONE
    s.stack_own = NONE
    s.stack_cat = NONE
    cancelled = hisses % 2 == 1
    history.led_to(s, OUTCOME, CANCELLED if cancelled else CARRIED_OUT)
    if cancelled or item < FIRST_MODIFIER or item == CLOSED_DOOR:
        discard_item(s, item)
    if item == CLOSED_DOOR:
        close_door(s, cancelled)
    elif not cancelled:
        carry_out(s, item, home, own, cat)


@rule
def carry_out(s, item, home, own, cat):
    """TM-10, TM-11: what an item of the seat at turn does."""
    seat = s.turn
    if item == REPLAY:
        s.cats_left += 1
    elif item == SCOOP:
        s.poops[seat] -= min(s.poops[seat], SCOOPED)
    elif item == LURE:
        s.wild[cat] -= 1
        s.wild_size -= 1
        put_cat(s, home, cat)
        settle(s, home, cat)
    elif item == SHOO:
        take_cat(s, home, cat)
        to_wild(s, cat)
        test_win(s)
    elif item == SWAP:
        s.home[seat, own] -= 1
        s.home[home, cat] -= 1
        put_cat(s, seat, cat)
        put_cat(s, home, own)
        settle(s, home, own)
    else:
        s.modifiers[home, item - FIRST_MODIFIER] += 1


@rule
def settle(s, home, kind):
    """TM-13: a cat has come into a home: the win test, then the owner's closed door if another seat put it there."""
    test_win(s)
    if s.phase != OVER and home != s.turn and s.hand_items[home, CLOSED_DOOR] > 0:
        s.arrival_cat = kind
        s.arrival_home = home
        s.asked = home


@rule
def close_door(s, cancelled):
    """TM-13: unless it was hissed away, a closed door sends the cat to The Wild."""
    home = s.arrival_home
    kind = s.arrival_cat
    s.arrival_cat = NONE
    s.arrival_home = NONE
    if not cancelled:
        take_cat(s, home, kind)
        to_wild(s, kind)
        test_win(s)
