"""Poo Head's cards, actions and state record.

Conventions: a card is its rank, 0..10 the numbers, 11 the Poo Head, 12 the Bomb; zones whose order does not matter are
counts by rank; ``draw`` is a stack, its last entry is the next card.
"""

from ...core import history
from ...core.compiler import layout

NUMBERS = 11
FOUR = 4
POO_HEAD = 11
BOMB = 12
RANKS = 13
COPIES = 4  # of each number in a deck; also the most cards of one play (PH-6) and the row that burns (PH-14)
DEALT = 3  # cards of each seat in each of its three zones (PH-1)
PLAYERS_PER_DECK = 5
MAX_SPECIALS = 16  # bound of the parameters poo_heads and bombs

ARRANGE, PLAY, OVER = 0, 1, 2
SCORE_LOSER, SCORE_POINTS = 0, 1  # scoring

# Actions: 0..43 play rank r with k copies at r * 4 + k - 1, then
PLAY_POO_HEAD = 44
PLAY_BOMB = 45
PICK_UP = 46
FLIP = 47
TABLE = 50
NUM_ACTIONS = 63

# What an event may lead to (see core/history): which effect, and the values of the second.
EFFECTS = ("rank of the card turned over", "the pile: 0 burnt, 1 taken")
TURNED_OVER, TO_THE_PILE = 0, 1
BURNT, TAKEN = 0, 1


def state_dtype(settings):
    """The record of a game: small up to one deck (five players), large up to five decks."""
    decks = 1 if settings["num_players"] <= PLAYERS_PER_DECK else 5
    seats = PLAYERS_PER_DECK * decks
    cards = (NUMBERS * COPIES + 2 * MAX_SPECIALS) * decks
    return layout(
        **history.fields(settings, EFFECTS),
        rng="u8",  # state of the chance stream; nobody sees it
        max_decisions="i4",  # of a round (PH-23)
        decisions="i4",  # taken in this round, arranging included; public
        num_players="i2",  # 2..25
        decks="i2",  # 1..5
        poo_heads="i2",  # per deck
        bombs="i2",  # per deck
        voluntary_pickup="i2",  # 0, 1 (PH-9)
        scoring="i2",  # SCORE_LOSER, SCORE_POINTS
        points_reward="i2",  # 0, 1: returns are the points themselves (PH-22)
        target="i2",  # points that end a match (PH-21)
        max_rounds="i2",
        round="i2",  # 1..max_rounds; public
        phase="i2",  # ARRANGE, PLAY, OVER; public
        dealer="i2",  # seat; public
        turn="i2",  # seat to act, -1 when over; public
        opening="i2",  # 0, 1: PH-4 is due; public
        truncated="i2",  # 0, 1: ended by the decision cap; public
        run="i2",  # equal numbers lying together on top of the pile, 0..3; public
        num_out="i2",
        draw_size="i2",  # public
        pile_size="i2",  # public
        points=("i2", seats),  # match totals; public
        hand_size=("i2", seats),  # public
        up_size=("i2", seats),  # public
        down_size=("i2", seats),  # public
        num_picks=("i2", seats),  # cards named while arranging, 0..3; public
        out=("i1", seats),  # seats without cards, first out first; public
        hand=("i1", (seats, RANKS)),  # counts; the owner sees them
        up=("i1", (seats, RANKS)),  # face-up counts, as dealt until the reveal; public
        down=("i1", (seats, DEALT)),  # face-down cards in the order of flip; nobody sees them
        known=("i1", (seats, RANKS)),  # counts of hand cards that everybody knows; public
        picks=("i1", (seats, RANKS)),  # counts of cards named while arranging; the owner sees them
        pile_count=("i1", RANKS),  # the pile by rank; public
        burnt=("i1", RANKS),  # cards that left the game by rank; public
        pile=("i1", cards),  # bottom first; public
        draw=("i1", cards),  # next card last; nobody sees it
    )
