"""Playing: which cats and items may be played, and the parts of a choice (TM-8 to TM-12)."""

from ....core import history
from ....core.compiler import rule
from ..record import (
    CAT,
    DISCARD,
    DRAW_WILD,
    END,
    HISS,
    ITEMS,
    KINDS,
    LURE,
    NONE,
    PLAY_CAT,
    PLAY_ITEM,
    RAINBOW,
    REPLAY,
    SCOOP,
    SHOO,
    SWAP,
    TO_HOME,
    TO_WILD,
    WILD,
)
from .hands import discard_item, take_cat_from_hand, take_item_from_hand
from .homes import home_of, homes_with, put_cat, to_wild
from .reactions import put_on_stack, settle
from .turns import draw_from_wild, end_turn


@rule
def has_target(s, item):
    """TM-8, TM-10: whether the seat at turn can play an item that it holds; reactions are played when asked."""
    if item == REPLAY:
        return s.num_cats[s.turn] > s.cats_left
    if item == LURE:
        return s.wild_size > 0
    if item == SCOOP:
        return s.poops[s.turn] > 0
    if item == SHOO or item == SWAP:
        others = 0
        for seat in range(s.num_players):
            others += s.home_size[seat]
        own = s.home_size[s.turn]
        return others > 0 if item == SHOO else own > 0 and others > own
    return item < HISS


@rule
def allow_plays(s, mask):
    """Allows cats and items of the hand, and the end of the turn (TM-8, TM-9)."""
    seat = s.turn
    if s.cats_left > 0:
        for kind in range(KINDS):
            if s.hand_cats[seat, kind] > 0:
                mask[CAT + kind] = 1
    if s.items_left > 0 and s.num_items[seat] > 0:
        for item in range(ITEMS):
            if s.hand_items[seat, item] > 0:
                mask[DISCARD + item] = 1
                if has_target(s, item):
                    mask[PLAY_ITEM + item] = 1
    if s.cat_played or s.num_cats[seat] == 0:
        mask[END] = 1


@rule
def allow_parts(s, mask):
    """Allows what a choice half made may go on with."""
    act = s.pending_act
    if act == WILD or (act == LURE and s.pending_cat == NONE):
        for kind in range(KINDS):
            if s.wild[kind] > 0:
                mask[CAT + kind] = 1
    elif act == SWAP and s.pending_own == NONE:
        allow_home(s, mask, s.turn)
    elif (act == SHOO or act == SWAP) and s.pending_cat == NONE:
        for seat in range(s.num_players):
            if act == SHOO or seat != s.turn:
                allow_home(s, mask, seat)
    else:
        rainbow = act == SHOO or act == SWAP  # which home's
        for step in range(s.num_players):
            seat = (s.turn + step) % s.num_players
            if rainbow:
                if s.home[seat, RAINBOW] > 0 and (act == SHOO or step > 0):
                    mask[TO_HOME + step] = 1
            elif s.out[seat] == 0:
                mask[TO_HOME + step] = 1
        if act == PLAY_CAT:
            mask[TO_WILD] = 1


@rule
def allow_home(s, mask, seat):
    """Allows the cats of a home."""
    if s.home_size[seat] > 0:
        for kind in range(KINDS):
            if s.home[seat, kind] > 0:
                mask[CAT + kind] = 1


@rule
def choose_play(s, action):
    """A decision of the seat at turn in its play phase, with no choice half made."""
    if action == END:
        history.note(s, s.turn, action)
        end_turn(s)
    elif action >= DISCARD:
        history.note(s, s.turn, action)
        take_item_from_hand(s, s.turn, action - DISCARD)
        discard_item(s, action - DISCARD)
        s.items_left -= 1
    elif action >= PLAY_ITEM:
        item = action - PLAY_ITEM
        if item == REPLAY or item == SCOOP:
            history.note(s, s.turn, action)
            play_item(s, item, NONE, NONE, NONE)
        else:
            s.pending_act = item
    else:
        s.pending_act = PLAY_CAT
        s.pending_cat = action - CAT


@rule
def choose_part(s, action):
    """One more part of a choice half made; with the last one it is carried out (TM-12)."""
    act = s.pending_act
    own = s.pending_own
    cat = s.pending_cat
    home = NONE
    if action == TO_WILD:
        pass
    elif action >= TO_HOME:
        home = (s.turn + action - TO_HOME) % s.num_players
    elif act == SWAP and own == NONE:
        s.pending_own = action - CAT
        return
    else:
        cat = action - CAT
        if act == SHOO or act == SWAP:
            but = s.turn if act == SWAP else NONE
            if cat != RAINBOW or homes_with(s, cat, but) == 1:
                home = home_of(s, cat, but)
        if act != WILD and home == NONE:
            s.pending_cat = cat
            return
    note_parts(s, action)
    s.pending_act = NONE
    s.pending_own = NONE
    s.pending_cat = NONE
    if act == WILD:
        draw_from_wild(s, cat)
    elif act == PLAY_CAT:
        play_cat(s, cat, home)
    else:
        play_item(s, act, home, own, cat)


@rule
def note_parts(s, action):
    """The parts of a choice, seen by all now that its last one is made; as one decision each."""
    if s.pending_act == WILD:
        history.note(s, s.turn, DRAW_WILD)
    elif s.pending_act != PLAY_CAT:
        history.note(s, s.turn, PLAY_ITEM + s.pending_act)
    if s.pending_own != NONE:
        history.note(s, s.turn, CAT + s.pending_own)
    if s.pending_cat != NONE:
        history.note(s, s.turn, CAT + s.pending_cat)
    history.note(s, s.turn, action)


@rule
def play_cat(s, kind, home):
    """TM-8: a cat out of the hand into a home, or, for NONE, into The Wild."""
    take_cat_from_hand(s, s.turn, kind)
    s.cat_played = 1
    s.cats_left -= 1
    if home == NONE:
        to_wild(s, kind)
    else:
        put_cat(s, home, kind)
        settle(s, home, kind)


@rule
def play_item(s, item, home, own, cat):
    """TM-12: an item with all its parts; the others are asked before it takes effect."""
    s.items_left -= 1
    s.stack_home = home
    s.stack_own = own
    s.stack_cat = cat
    put_on_stack(s, item, s.turn)
