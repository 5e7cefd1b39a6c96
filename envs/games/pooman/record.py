"""Pooman's cards, actions and state record."""

from ...core import history
from ...core.compiler import layout

MAX_PLAYERS = 6
MAX_COPIES = 50  # of one kind of card
MAX_SPEED = 5  # choices of one seat in one tick
GOAL = 5  # stars (PM-3)

# Kinds of cards. The specials that can be used against the Pooman come last, in the order of their actions.
ONE_STAR, TWO_STARS = 0, 1
POOMAN, POOPERMAN = 2, 3
ROLL_AGAIN = 4
DIRE_EAR = 5
FRESHNESS = 6
POWER_FLUSH, POODINI, POOCICLE, BALANCER = 7, 8, 9, 10
KINDS = 11
DECK = KINDS * MAX_COPIES

DRAW, AGAIN, TAKE, DEFEND, CHASE, OVER = 0, 1, 2, 3, 4, 5  # phases
PHASES = 6
FREE, TOUCHED, HIDDEN, BALANCED = 0, 1, 2, 3  # what has become of a player in a chase

# Actions: draw, take a character of one or two stars from +j at 1 + 5 * (stars - 1) + j - 1, then
DRAW_CARD = 0
TAKE_STAR = 1
OTHERS = MAX_PLAYERS - 1
USE = 11  # + kind - POWER_FLUSH
LOSE = 15
STAY, NORTH, EAST, SOUTH, WEST = 16, 17, 18, 19, 20
STEPS = 5
NUM_ACTIONS = 21

# What an event may lead to (see core/history): which effect, and the value of the second.
EFFECTS = ("kind of the card turned over", "0 the seat was caught and lost its cards")
TURNED_OVER, OUTCOME = 0, 1
CAUGHT = 0


def state_dtype(settings):
    """The record of a game, the same for every number of players. The Pooman's seat comes after the players'."""
    return layout(
        **history.fields(settings, EFFECTS),
        rng="u8",  # state of the chance stream; nobody sees it
        max_decisions="i4",  # PM-25
        decisions="i4",  # taken; not shown, since it tells how many choices others have made in a tick
        pooman_seat="i4",  # label of whoever plays the Pooman, -1 none (PM-23); public
        num_players="i2",  # 2..6, the Pooman not counted
        chase="i2",  # 0, 1: a Pooman card starts a chase (PM-12 ff.), or else PM-21
        room_size="i2",  # columns and rows
        pooman_speed="i2",  # choices in a tick, 1..MAX_SPEED
        player_speed="i2",
        chase_ticks="i2",
        pooperman_ticks="i2",
        freeze_ticks="i2",
        empty_handed_run="i2",  # 0, 1 (PM-20)
        pooperman_unstoppable="i2",  # 0, 1 (PM-21)
        phase="i2",  # DRAW .. OVER; public
        turn="i2",  # player whose turn it is, also when over; public
        acting="i2",  # seat to act, -1 when over; public
        card="i2",  # kind turned over and not yet dealt with, -1 none; public
        winner="i2",  # seat, num_players is the Pooman, -1 none; public
        truncated="i2",  # 0, 1: ended by the decision cap; public
        deck_size="i2",  # cards still face down; public
        ticks="i2",  # of the chase, left; public
        freeze="i2",  # ticks that the Pooman is still frozen (PM-18); public
        counts=("i2", KINDS),  # cards of each kind in the game
        left=("i2", KINDS),  # cards still face down, by kind; public
        discard=("i2", KINDS),  # public
        stars=("i2", MAX_PLAYERS),  # that a player's characters show; public
        held=("i2", MAX_PLAYERS),  # cards in front of a player; public
        start=("i2", (MAX_PLAYERS, 2)),  # cells [column, row] at the start of a chase (PM-12)
        cell=("i2", (MAX_PLAYERS + 1, 2)),  # [column, row] before this tick; public, but hidden players for the Pooman
        plan=("i2", (MAX_PLAYERS + 1, 2)),  # [column, row] after the choices made in this tick; the owner sees it
        fate=("i1", MAX_PLAYERS),  # FREE .. BALANCED, in a chase; public
        running=("i1", MAX_PLAYERS),  # 0, 1: in the chase, chooses in this tick; public
        num_moves=("i1", MAX_PLAYERS + 1),  # choices made in this tick; the owner sees it
        moves=("i1", (MAX_PLAYERS + 1, MAX_SPEED)),  # these choices, actions; the owner sees them
        front=("i1", (MAX_PLAYERS, KINDS)),  # cards in front of a player, by kind; public
        deck=("i1", DECK),  # face-down cards, next card last; nobody sees them
    )
