"""What a game of Poop is made of: its cards and actions by number, and the record that holds a position.

A card is its kind, colour * 10 + face; faces 0..4 are the numbers 1..5, then the Wilds of three actions, Reverse, Skip.
Zones whose order does not matter are counts by kind; ``draw`` and ``toilets`` are stacks, their last entry is the next
one; ``table`` has its oldest card first; a toilet is its place among the toilet deck's sorts, or the one behind them
for a toilet that only a scenario has.
"""

from ...core import history
from ...core.compiler import layout

COLOURS = 3
FACES = 10
NUMBERS = 5  # faces 0..4 are the numbers 1..5
WILD = 5  # first of the three faces of the Wilds
DUTIES = 3
REVERSE = 8
SKIP = 9
KINDS = COLOURS * FACES
DEALT = 5  # cards of each seat (PG-1)
ROW = 3  # cards of one colour that flush (PG-10)
SEATS = 5
USUAL_CARDS, USUAL_TOILETS = 36, 11  # what the small record has room for
MOST_CARDS, MOST_TOILETS = 120, 60  # and the large one
FLUSH_DRINKS = 2  # for everybody (PG-29)
CAUGHT_DRINKS = 2

PLAY, SHARE, INTERCEPT, SLAP, OVER = 0, 1, 2, 3, 4  # phase
CLASSIC, BLIND, FLUSHERS, INTERCEPTOR, SUPER, DEEP = 0, 1, 2, 3, 4, 5  # variant
UNSAID, HELD, SLAPPED = -1, 0, 1  # answers to a slap

# Actions: 0..29 play a card of that kind, then
CLOG = 30
SAY_INTERCEPT = 31
SAY_PASS = 32
FLIP = 33
SAY_SLAP = 34
SAY_HOLD = 35
SHARE_WITH = 36  # the next seat clockwise, and so on
NUM_ACTIONS = 40

# What an event may lead to (see core/history): which effect, and the values of the second; the last one counts.
EFFECTS = ("kind of the card flipped from a pile", "0 the table flushed, 1 it was taken, 2 caught forgetting duties")
FLIPPED, OUTCOME = 0, 1
FLUSHED, TAKEN, CAUGHT = 0, 1, 2


def state_dtype(settings):
    """The record of a game: small for decks up to the usual size, large for replaced ones above it."""
    deck, toilets = settings["deck"], settings["toilet_deck"]
    small = (deck is None or sum(deck.values()) <= USUAL_CARDS) and (toilets is None or len(toilets) <= USUAL_TOILETS)
    cards = USUAL_CARDS if small else MOST_CARDS
    sorts = (USUAL_TOILETS if small else MOST_TOILETS) + 1
    return layout(
        **history.fields(settings, EFFECTS),
        rng="u8",  # state of the chance stream; nobody sees it
        forget_probability="f8",
        catch_probability="f8",
        drink_weight="f8",
        slap_weights=("f8", SEATS),
        claims=("f8", SEATS),  # weights of those who slapped while that is decided, else zeros
        max_decisions="i4",
        decisions="i4",  # taken so far; tells of secret questions, so nobody sees it
        drinks=("i4", SEATS),  # public (PG-29)
        share=("f4", KINDS),  # 1 / copies in the deck, 0 for none
        toilet_share=("f4", sorts),  # 1 / copies in the toilet deck, 0 for none
        num_players="i2",  # 2..5
        variant="i2",  # CLASSIC ... DEEP
        forgetful="i2",  # 0, 1 (PG-16)
        reverse_skips="i2",  # 0, 1: a Reverse between two players is a Skip (PG-9)
        lid_fits="i2",  # 0, 1: a total equal to the lid is not too much yet (PG-30)
        drinking="i2",  # 0, 1
        cards="i2",  # of the whole deck
        num_toilets="i2",  # of the whole toilet deck
        num_sorts="i2",  # different ones among them
        phase="i2",  # PLAY ... OVER; public, but for INTERCEPT (PG-22)
        turn="i2",  # seat whose turn it is, kept while others are asked and at the end; public
        asked="i2",  # seat that answers now, else -1; public in SLAP, secret in INTERCEPT
        direction="i2",  # 1 clockwise, -1; public
        skip_next="i2",  # 0, 1: a skip is pending (PG-8); public
        row="i2",  # cards of one colour lying together on top of the table; public
        total="i2",  # of the table (PG-2); public
        last="i2",  # kind of the last card played, -1 for none; public
        survived="i2",  # BLIND: highest total that this toilet has survived; public
        winners="i2",  # a bit for each; public
        truncated="i2",  # 0, 1: ended by the decision cap; public
        toilet="i2",  # the open one, its sort; public, in BLIND nobody sees it
        lid="i2",  # its number
        water="i2",  # its colour, 0..2
        toilet_size="i2",  # toilets left to turn up; public
        draw_size="i2",  # public
        table_size="i2",  # public
        toilet_lid=("i2", sorts),  # by sort, ascending; behind the deck's sorts the scenario's own toilet
        hand_size=("i2", SEATS),  # in SUPER of the pile; public
        head=("i2", SEATS),  # SUPER: where the top card lies in ``pile``
        toilet_water=("i1", sorts),  # by sort
        toilet_count=("i1", sorts),  # copies in the toilet deck
        used=("i1", sorts),  # used toilets by sort; public
        toilets=("i1", sorts),  # next one last; nobody sees it
        duty_seat=("i1", DUTIES),  # who is bound by a Wild's action, -1 for nobody; public
        slaps=("i1", SEATS),  # UNSAID, HELD, SLAPPED; each seat sees its own
        deck=("i1", KINDS),  # copies of each kind
        hand=("i1", (SEATS, KINDS)),  # counts; the owner sees them; zeros in SUPER
        known=("i1", (SEATS, SEATS, KINDS)),  # [observer, owner]: cards it is known to hold; the observer sees them
        table_count=("i1", KINDS),  # the table by kind; public
        discard=("i1", KINDS),  # public
        table=("i1", cards),  # oldest first; public
        draw=("i1", cards),  # next card last; nobody sees it
        pile=("i1", (SEATS, cards)),  # SUPER: a ring, see ``head``; nobody sees it
    )
