"""Playing: cats and items with their parts, the stack, and what each item does (TM-8 to TM-13)."""

from ...core.compiler import rule
from .homes import home_of, homes_with, put_cat, take_cat, test_win, to_wild
from .record import (
    CAT,
    CLOSED_DOOR,
    DISCARD,
    END,
    FIRST_MODIFIER,
    HISS,
    ITEMS,
    KINDS,
    LURE,
    NONE,
    OVER,
    PASS,
    PLAY_CAT,
    PLAY_ITEM,
    RAINBOW,
    REPLAY,
    SCOOP,
    SCOOPED,
    SHOO,
    SWAP,
    TO_HOME,
    TO_WILD,
    WILD,
    discard_item,
    take_cat_from_hand,
    take_item_from_hand,
)
from .turn import draw_from_wild, end_turn

# -- what may be played ------------------------------------------------------------------------------------------------


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
def allow_reaction(s, mask):
    """Allows what the seat that is asked may answer (TM-12, TM-13)."""
    mask[PASS] = 1
    mask[PLAY_ITEM + (HISS if s.stack_size > 0 else CLOSED_DOOR)] = 1


# -- choosing ---------------------------------------------------------------------------------------------------------


@rule
def choose_play(s, action):
    """A decision of the seat at turn in its play phase, with no choice half made."""
    if action == END:
        end_turn(s)
    elif action >= DISCARD:
        take_item_from_hand(s, s.turn, action - DISCARD)
        discard_item(s, action - DISCARD)
        s.items_left -= 1
    elif action >= PLAY_ITEM:
        item = action - PLAY_ITEM
        if item == REPLAY or item == SCOOP:
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


# -- reactions --------------------------------------------------------------------------------------------------------


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
