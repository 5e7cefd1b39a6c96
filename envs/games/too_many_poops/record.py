"""What a game of Too Many Poops is made of: its cards by number, and the record that holds a position.

A cat is its kind, 0..30: litter · 5 + number, or 30 for a rainbow cat. An item is its place in the table of items.
Zones whose order does not matter are counts by kind; decks are stacks, their last entry is the next card.
"""

from ...core import history
from ...core.compiler import layout

LITTERS = 6
LITTER_SIZE = 5
PLAIN = LITTERS * LITTER_SIZE  # kinds of cats that exist once
RAINBOW = PLAIN
KINDS = PLAIN + 1

REPLAY, LURE, SHOO, SWAP, SCOOP = 0, 1, 2, 3, 4
AUTO_SCOOPER, DELUXE_LITTER, BIG_DINNER, BAD_FISH = 5, 6, 7, 8
HISS, CLOSED_DOOR = 9, 10
ITEMS = 11
FIRST_MODIFIER = AUTO_SCOOPER
MODIFIERS = 4
WILD, PLAY_CAT = 11, 12  # what else may be half chosen: a cat to take from The Wild, a cat's home
ACTS = 13
NONE = -1

SEATS = 6
MAX_RAINBOWS = 8
MAX_COPIES = 30  # of one item, bound of the parameter
STORE = 3  # face-up cards of each sort (TM-1)
DEALT_CATS, DEALT_ITEMS = 2, 3  # TM-1
HAND = 6  # cards that a seat draws to (TM-4)
ITEMS_A_TURN = 2  # TM-9
MOST_CATS = 1 + ITEMS_A_TURN  # playable in one turn, with two replays
GOAL = 10  # points (TM-16)
TOO_MANY = 10  # poops (TM-18)
SCOOPED = 2  # poops that a scoop takes
MAX_STACK = SEATS * (HAND + 1) + 1  # an item, and at most every card of every hand a hiss

CHOOSE, DRAW, PLAY, OVER = 0, 1, 2, 3

DRAW_CAT, DRAW_ITEM = 0, 1
DRAW_STORE_CAT = 2
DRAW_STORE_ITEM = DRAW_STORE_CAT + STORE
CAT = DRAW_STORE_ITEM + STORE  # the cat meant, by kind
TO_HOME = CAT + KINDS  # by relative seat
TO_WILD = TO_HOME + SEATS
PLAY_ITEM = TO_WILD + 1
DISCARD = PLAY_ITEM + ITEMS
DRAW_WILD = DISCARD + ITEMS
END = DRAW_WILD + 1
PASS = END + 1
NUM_ACTIONS = PASS + 1

# What an event may lead to (see core/history): which effect, and the values of the second; the last one counts.
EFFECTS = (
    f"card drawn face up: its kind of cat, or {KINDS} + item",
    "an item: 0 carried out, 1 cancelled; the seat: 2 out of the game, 3 drew the golden poople",
)
DRAWN, OUTCOME = 0, 1
CARRIED_OUT, CANCELLED, OUT, GOLDEN = 0, 1, 2, 3


def state_dtype(settings):
    """The record of a game, the same for two to six players."""
    return layout(
        **history.fields(settings, EFFECTS),
        rng="u8",  # state of the chance stream; nobody sees it
        max_decisions="i4",  # TM-22
        decisions="i4",  # taken so far, answers in secret too, so nobody sees it
        num_players="i2",  # 2..6
        rainbow_cats="i2",  # 0..8 (TM-23)
        optional_draw="i2",  # 0, 1 (TM-4)
        golden_poople="i2",  # 0, 1 (TM-21)
        phase="i2",  # CHOOSE, DRAW, PLAY, OVER; public
        turn="i2",  # seat whose turn it is, while choosing the one to begin; stays when over; public
        winner="i2",  # seat, NONE; public
        truncated="i2",  # 0, 1: ended by the decision cap; public
        cat_played="i2",  # 0, 1: this turn; public
        cats_left="i2",  # cats still playable this turn; public
        items_left="i2",  # items still to be played or discarded this turn; public
        pending_act="i2",  # a choice half made: an item, WILD, PLAY_CAT, NONE; the seat at turn sees it
        pending_own="i2",  # kind, NONE: the own cat of a swap; the seat at turn sees it
        pending_cat="i2",  # kind, NONE: the other cat; the seat at turn sees it
        stack_size="i2",  # an item or closed door and the hisses on it; public
        stack_home="i2",  # seat, NONE: parts of the lowest card of the stack; public
        stack_own="i2",  # kind, NONE; public
        stack_cat="i2",  # kind, NONE; public
        asked="i2",  # seat asked for a reaction, NONE; it alone knows
        arrival_cat="i2",  # kind, NONE: what a closed door may turn away; its owner sees it, all with the door played
        arrival_home="i2",  # seat, NONE
        wild_size="i2",
        cat_deck_size="i2",  # public
        item_deck_size="i2",  # public
        discard_size="i2",
        out=("i2", SEATS),  # 0, 1; public
        poops=("i2", SEATS),  # public
        points=("i2", SEATS),  # of the home, follows from its cats; public
        rainbow_change=("i2", SEATS),  # what the home's points change by if a rainbow cat leaves; public
        home_size=("i2", SEATS),  # cats of the home; public
        num_cats=("i2", SEATS),  # of the hand; public
        num_items=("i2", SEATS),  # of the hand; public
        chosen=("i2", SEATS),  # kind, NONE: the cat to keep (TM-2), still in the hand; the owner sees it
        item_count=("i2", ITEMS),  # parameter: how many there are of each item
        item_share=("f4", ITEMS),  # one over that, for the observation
        rival=("i2", KINDS),  # parameter: the kind that each cat quarrels with, NONE
        rival_share=("f4", PLAIN),  # (rival + 1) / 30, for the observation
        hand_cats=("i1", (SEATS, KINDS)),  # counts; the owner sees them
        hand_items=("i1", (SEATS, ITEMS)),  # counts; the owner sees them
        known_cats=("i1", (SEATS, KINDS)),  # counts of hand cards that everybody knows; public
        known_items=("i1", (SEATS, ITEMS)),  # the same; public
        home=("i1", (SEATS, KINDS)),  # counts of the cats of a home; public
        upright=("i1", (SEATS, KINDS)),  # counts of those that are not flipped, follows from home; public
        flipped=("i1", (SEATS, PLAIN)),  # 0, 1: the cat lies there flipped (TM-14), follows from home; public
        change=("i1", (SEATS, KINDS)),  # what the home's points change by if this cat came, or left if it is there
        litter=("i1", (SEATS, LITTERS)),  # unflipped cats by litter, without rainbow cats; public
        modifiers=("i1", (SEATS, MODIFIERS)),  # counts; public
        wild=("i1", KINDS),  # counts; public
        discard=("i1", ITEMS),  # counts; public
        store_cats=("i1", STORE),  # kind, NONE: a gap; public
        store_items=("i1", STORE),  # item, NONE; public
        stack_item=("i1", MAX_STACK),  # lowest first; public
        stack_by=("i1", MAX_STACK),  # seat that played it; public
        cat_deck=("i1", PLAIN + MAX_RAINBOWS),  # next card last; nobody sees it
        item_deck=("i2", ITEMS * MAX_COPIES),  # next card last; nobody sees it
    )
