"""Poop: The Game, with every variant: keep the table's total below the number on the toilet lid; first empty hand wins.

Source: the rulebook of both editions; docs/games/poop.md states every rule under its number (PG-1 ... PG-29) and says
what is assumed. Conventions: a card is its kind, colour * 10 + face; faces 0..4 are the numbers 1..5, then the Wilds of
three actions, Reverse, Skip. Zones whose order does not matter are counts by kind; ``draw`` and ``toilets`` are stacks,
their last entry is the next one; ``table`` has its oldest card first; a toilet is its place among the toilet deck's
sorts, or the one behind them for a toilet that only a scenario has.
"""

from ...core.chance import below, shuffle, uniform, weighted
from ...core.compiler import layout, rule

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


def state_dtype(settings):
    """The record of a game: small for decks up to the usual size, large for replaced ones above it."""
    deck, toilets = settings["deck"], settings["toilet_deck"]
    small = (deck is None or sum(deck.values()) <= USUAL_CARDS) and (toilets is None or len(toilets) <= USUAL_TOILETS)
    cards = USUAL_CARDS if small else MOST_CARDS
    sorts = (USUAL_TOILETS if small else MOST_TOILETS) + 1
    return layout(
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
        truncated="i2",  # 0, 1: cut by the decision cap; public
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


# -- dealing ---------------------------------------------------------------------------------------------------------


@rule
def deal(s):
    """PG-1: a new game; five cards each, in super_pooper all of them (PG-25), and the top toilet is turned up."""
    clear_table(s)
    n = s.num_players
    s.turn = below(s, n)  # left of a random dealer
    for kind in range(KINDS):
        s.discard[kind] = s.deck[kind]
    s.draw_size = 0
    shuffle_discard(s)
    for step in range(n):
        s.hand_size[step] = 0
        s.head[step] = 0
    if s.variant == SUPER:
        seat = s.turn
        while s.draw_size > 0:
            draw_card(s, seat)
            seat = seat + 1 if seat + 1 < n else 0
    else:
        for seat in range(n):
            for _ in range(DEALT):
                draw_card(s, seat)
    for sort in range(s.num_sorts + 1):
        s.used[sort] = s.toilet_count[sort]
    s.toilet_size = 0
    open_toilet(s)


@rule
def clear_table(s):
    """Everything as before the first deal."""
    s.decisions = 0
    s.phase = PLAY
    s.asked = -1
    s.direction = 1
    s.skip_next = 0
    s.row = 0
    s.total = 0
    s.last = -1
    s.winners = 0
    s.truncated = 0
    s.table_size = 0
    for duty in range(DUTIES):
        s.duty_seat[duty] = -1
    for kind in range(KINDS):
        s.table_count[kind] = 0
    for seat in range(s.num_players):
        s.drinks[seat] = 0
        s.slaps[seat] = UNSAID
        for kind in range(KINDS):
            s.hand[seat, kind] = 0
        for owner in range(s.num_players):
            for kind in range(KINDS):
                s.known[seat, owner, kind] = 0


@rule
def shuffle_discard(s):
    """The discard becomes the draw pile, which is empty (PG-13)."""
    size = 0
    for kind in range(KINDS):
        for _ in range(s.discard[kind]):
            s.draw[size] = kind
            size += 1
        s.discard[kind] = 0
    shuffle(s, s.draw, size)
    s.draw_size = size


@rule
def draw_card(s, seat):
    """One card from the draw pile, if there is one or the discard gives one (PG-13)."""
    if s.draw_size == 0:
        shuffle_discard(s)
        if s.draw_size == 0:
            return
    s.draw_size -= 1
    gain(s, seat, s.draw[s.draw_size])


@rule
def gain(s, seat, kind):
    """A card into the hand, in super_pooper under the pile."""
    if s.variant == SUPER:
        place = s.head[seat] + s.hand_size[seat]
        room = s.pile.shape[1]
        s.pile[seat, place - room if place >= room else place] = kind
    else:
        s.hand[seat, kind] += 1
    s.hand_size[seat] += 1


@rule
def open_toilet(s):
    """Turns the next toilet up; the used ones are shuffled when none is left (PG-7)."""
    if s.toilet_size == 0:
        for sort in range(s.num_sorts + 1):
            for _ in range(s.used[sort]):
                s.toilets[s.toilet_size] = sort
                s.toilet_size += 1
            s.used[sort] = 0
        shuffle(s, s.toilets, s.toilet_size)
    s.toilet_size -= 1
    s.toilet = s.toilets[s.toilet_size]
    s.lid = s.toilet_lid[s.toilet]
    s.water = s.toilet_water[s.toilet]
    s.survived = 0


# -- looking ---------------------------------------------------------------------------------------------------------


@rule
def current_player(s):
    """The seat to act, -1 when the game is over."""
    if s.phase == OVER:
        return -1
    return s.asked if s.asked >= 0 else s.turn


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (PG-17)."""
    return s.truncated != 0


@rule
def flushing_colour(s):
    """The colour of which the next card flushes, -1 for none (PG-10, PG-28)."""
    if s.row != ROW - 1:
        return -1
    colour = s.table[s.table_size - 1] // FACES
    if s.variant == DEEP and colour != s.water:
        return -1
    return colour


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[40], of the seat to act: 1 is legal; all 0 when over."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    if s.phase == PLAY:
        if s.variant == SUPER:
            mask[FLIP] = 1
        else:
            allow_cards(s, mask)
    elif s.phase == INTERCEPT:
        mask[SAY_INTERCEPT] = 1
        mask[SAY_PASS] = 1
    elif s.phase == SLAP:
        mask[SAY_SLAP] = 1
        mask[SAY_HOLD] = 1
    elif s.phase == SHARE:
        for k in range(s.num_players - 1):
            mask[SHARE_WITH + k] = 1


@rule
def allow_cards(s, mask):
    """PG-3, PG-4: the cards in hand that may be played; where none may, PG-5, PG-24."""
    hand = s.hand[s.turn]
    fits = min(max(s.lid - s.total - 1, 0), NUMBERS)  # numbers up to this stay below the lid
    if s.variant == BLIND:
        fits = NUMBERS
    flushing = flushing_colour(s)
    legal = 0
    for colour in range(COLOURS):
        first = colour * FACES
        for kind in range(first, first + (NUMBERS if colour == flushing else fits)):
            if hand[kind] > 0:
                mask[kind] = 1
                legal += 1
        for kind in range(first + NUMBERS, first + FACES):
            if hand[kind] > 0:
                mask[kind] = 1
                legal += 1
    if legal == 0:
        if s.variant == INTERCEPTOR:
            for kind in range(KINDS):
                if hand[kind] > 0:
                    mask[kind] = 1
        else:
            mask[CLOG] = 1


# -- acting ----------------------------------------------------------------------------------------------------------


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if action < KINDS:
        play(s, action)
    elif action == CLOG:
        clog(s, s.turn)
    elif action == FLIP:
        flip(s)
    elif action >= SHARE_WITH:
        share_drinks(s, action - SHARE_WITH + 1)
    elif action >= SAY_SLAP:
        answer_slap(s, SLAPPED if action == SAY_SLAP else HELD)
    elif action == SAY_INTERCEPT:
        intercept(s)
    elif ask_next(s, s.asked) == 0:
        settle(s)
    if s.phase != OVER and s.decisions >= s.max_decisions:
        cut(s)


@rule
def play(s, kind):
    """A card from the hand, with all that its play brings about."""
    seat = s.turn
    lose(s, seat, kind)
    flushes = flushing_colour(s) == kind // FACES
    lay(s, kind)
    if s.hand_size[seat] == 0 and (flushes or s.total < s.lid) and not (flushes and s.variant == FLUSHERS):
        if not flushes:
            note_survival(s)
        win(s, seat)  # PG-14
        return
    carry_out(s, kind)
    test_duties(s, seat)
    if flushes:
        flush(s)
    elif s.variant != INTERCEPTOR or kind % FACES >= NUMBERS or ask_next(s, seat) == 0:
        settle(s)


@rule
def lose(s, seat, kind):
    """A card leaves the hand; the known ones of its kind go first."""
    s.hand_size[seat] -= 1
    if s.variant != SUPER:
        s.hand[seat, kind] -= 1
    for observer in range(s.num_players):
        if s.known[observer, seat, kind] > 0:
            s.known[observer, seat, kind] -= 1


@rule
def lay(s, kind):
    """A card on the table, with total and row (PG-2, PG-10)."""
    face = kind % FACES
    if face < NUMBERS:
        s.total += face + 1
    if s.row > 0 and s.table[s.table_size - 1] // FACES == kind // FACES:
        s.row += 1
    else:
        s.row = 1
    s.table[s.table_size] = kind
    s.table_size += 1
    s.table_count[kind] += 1
    s.last = kind


@rule
def carry_out(s, kind):
    """What a Wild, a Reverse or a Skip does (PG-8, PG-9, PG-15)."""
    face = kind % FACES
    if face == SKIP:
        s.skip_next = 1
    elif face == REVERSE:
        if s.num_players > 2:
            s.direction = -s.direction
        elif s.reverse_skips:
            s.skip_next = 1
    elif face >= WILD:
        s.duty_seat[face - WILD] = s.turn


@rule
def test_duties(s, seat):
    """PG-16: a seat with duties may forget them, and be caught."""
    if s.forgetful == 0 or s.hand_size[seat] == 0:
        return
    bound = 0
    for duty in range(DUTIES):
        if s.duty_seat[duty] == seat:
            bound = 1
    if bound and uniform(s) < s.forget_probability and uniform(s) < s.catch_probability:
        draw_card(s, seat)
        if s.drinking:
            s.drinks[seat] += CAUGHT_DRINKS


@rule
def next_seat(s, seat):
    """The neighbour in the direction of play."""
    seat += s.direction
    if seat < 0:
        return s.num_players - 1
    return seat if seat < s.num_players else 0


@rule
def next_player(s, seat):
    """The next seat that takes part: in super_pooper one without cards is passed over (PG-27)."""
    seat = next_seat(s, seat)
    if s.variant == SUPER:
        for _ in range(s.num_players):
            if s.hand_size[seat] > 0:
                break
            seat = next_seat(s, seat)
    return seat


@rule
def flush(s):
    """PG-10: the table to the discard, the others draw, the same seat plays again; PG-21."""
    for kind in range(KINDS):
        s.discard[kind] += s.table_count[kind]
        s.table_count[kind] = 0
    s.table_size = 0
    s.total = 0
    s.row = 0
    if s.drinking:
        for seat in range(s.num_players):
            s.drinks[seat] += FLUSH_DRINKS
    seat = next_seat(s, s.turn)
    while seat != s.turn:
        draw_card(s, seat)
        seat = next_seat(s, seat)
    if s.variant == FLUSHERS:
        pass_hands(s)
        seat = next_seat(s, s.turn)
        if s.hand_size[seat] == 0:
            win(s, seat)


@rule
def pass_hands(s):
    """PG-21: every hand to the next seat, with what is known of it; who passed it knows all of it."""
    n = s.num_players
    turn_round(s, s.hand_size)
    for kind in range(KINDS):
        turn_round(s, s.hand[:, kind])
    for observer in range(n):
        given = next_seat(s, observer)
        for kind in range(KINDS):
            turn_round(s, s.known[observer, :, kind])
            s.known[observer, observer, kind] = 0
            s.known[observer, given, kind] = s.hand[given, kind]


@rule
def turn_round(s, entries):
    """Moves the entries of all seats to the next seat each, in the direction of play."""
    first = entries[0]
    seat = 0
    for _ in range(s.num_players - 1):
        giver = seat - s.direction
        if giver < 0:
            giver = s.num_players - 1
        elif giver >= s.num_players:
            giver = 0
        entries[seat] = entries[giver]
        seat = giver
    entries[seat] = first


@rule
def settle(s):
    """After a card that neither flushed nor was intercepted: its player takes the table, or the turn passes on."""
    if s.total >= s.lid:
        clog(s, s.turn)  # PG-20, PG-24, PG-25
    else:
        note_survival(s)
        pass_on(s)


@rule
def note_survival(s):
    """PG-20: what everybody now knows of the lid."""
    if s.variant == BLIND and s.total > s.survived:
        s.survived = s.total


@rule
def pass_on(s):
    """The turn passes on, unless super_pooper has its last seat with cards (PG-8, PG-27)."""
    if s.variant == SUPER:
        left = 0
        last = 0
        for seat in range(s.num_players):
            if s.hand_size[seat] > 0:
                left += 1
                last = seat
        if left == 1:
            win(s, last)
            return
    s.turn = next_player(s, s.turn)
    if s.skip_next:
        s.skip_next = 0
        s.turn = next_player(s, s.turn)


@rule
def take_table(s, seat):
    """The whole table into a hand, or under a pile, the oldest card uppermost; everybody saw it."""
    for place in range(s.table_size):
        kind = s.table[place]
        gain(s, seat, kind)
        s.table_count[kind] = 0
        for observer in range(s.num_players):
            if observer != seat or s.variant == SUPER:
                s.known[observer, seat, kind] += 1
    s.table_size = 0
    s.total = 0
    s.row = 0  # PG-11


@rule
def clog(s, seat):
    """PG-5: a seat takes the table and turns the next toilet up; it is its turn. Drinks come in between (PG-29)."""
    take_table(s, seat)
    s.turn = seat
    if s.drinking:
        s.phase = SHARE
    else:
        s.phase = PLAY
        replace_toilet(s)


@rule
def replace_toilet(s):
    """PG-7: the open toilet joins the used ones, the next one is turned up."""
    s.used[s.toilet] += 1
    open_toilet(s)


@rule
def share_drinks(s, step):
    """PG-29: the seat that took the table drinks with another one, then turns the next toilet up."""
    other = (s.turn + step) % s.num_players
    s.drinks[s.turn] += (s.lid + 1) // 2
    s.drinks[other] += s.lid // 2
    s.phase = PLAY
    replace_toilet(s)


@rule
def ask_next(s, seat):
    """PG-22: asks the first seat after this one that holds the card just played; 0 if there is none."""
    seat = next_seat(s, seat)
    while seat != s.turn:
        if s.hand[seat, s.last] > 0:
            s.phase = INTERCEPT
            s.asked = seat
            return 1
        seat = next_seat(s, seat)
    s.phase = PLAY
    s.asked = -1
    return 0


@rule
def intercept(s):
    """PG-22, PG-23, PG-24: the asked seat plays the same card, which adds nothing."""
    seat = s.asked
    lose(s, seat, s.last)
    s.discard[s.last] += 1
    s.asked = -1
    s.phase = PLAY
    if s.hand_size[seat] == 0:
        win(s, seat)
    elif s.total < s.lid:
        s.turn = seat
    elif s.hand_size[s.turn] == 0:
        win(s, s.turn)
    else:
        clog(s, seat)


@rule
def flip(s):
    """PG-25: the top card of the pile onto the table; a row of three starts a slap (PG-26)."""
    seat = s.turn
    kind = s.pile[seat, s.head[seat]]
    s.head[seat] = s.head[seat] + 1 if s.head[seat] + 1 < s.pile.shape[1] else 0
    lose(s, seat, kind)
    lay(s, kind)
    carry_out(s, kind)
    test_duties(s, seat)
    if s.row >= ROW:
        s.phase = SLAP
        s.asked = next_seat(s, seat)
    else:
        settle(s)


@rule
def answer_slap(s, answer):
    """PG-26: one seat's answer; after the flipper's, which comes last, the table is given away."""
    s.slaps[s.asked] = answer
    if s.asked != s.turn:
        s.asked = next_seat(s, s.asked)
        return
    s.asked = -1
    s.phase = PLAY
    s.row = 0
    taker = drawn_slapper(s)
    if taker < 0:
        settle(s)
    else:
        take_table(s, taker)
        pass_on(s)


@rule
def drawn_slapper(s):
    """One of those who slapped, by their weights (equal ones if all of those are 0), -1 if nobody did."""
    total = 0.0
    slappers = 0
    for seat in range(s.num_players):
        if s.slaps[seat] == SLAPPED:
            slappers += 1
            total += s.slap_weights[seat]
    for seat in range(s.num_players):
        s.claims[seat] = 0.0
        if s.slaps[seat] == SLAPPED:
            s.claims[seat] = s.slap_weights[seat] if total > 0 else 1.0
        s.slaps[seat] = UNSAID
    if slappers == 0:
        return -1
    taker = weighted(s, s.claims, s.num_players)
    for seat in range(s.num_players):
        s.claims[seat] = 0.0
    return taker


# -- the end ---------------------------------------------------------------------------------------------------------


@rule
def win(s, seat):
    """The game is over; nothing else happens."""
    s.phase = OVER
    s.winners = 1 << seat


@rule
def cut(s):
    """PG-17: the decision cap. The position stays; in super_pooper the largest piles win (PG-27)."""
    s.phase = OVER
    s.truncated = 1
    if s.variant == SUPER:
        most = 0
        for seat in range(s.num_players):
            most = max(most, s.hand_size[seat])
        for seat in range(s.num_players):
            if s.hand_size[seat] == most:
                s.winners |= 1 << seat


@rule
def pay_winners(s, winners, out):
    """Writes the payoffs where these seats (a bit each) share the win of one, float32[num_players] (PG-17, PG-27)."""
    n = s.num_players
    count = 0
    for seat in range(n):
        count += (winners >> seat) & 1
    for seat in range(n):
        if (winners >> seat) & 1:
            out[seat] = (1.0 - (count - 1) / (n - 1)) / count
        else:
            out[seat] = -1.0 / (n - 1)


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players] (PG-17, PG-27, PG-29)."""
    n = s.num_players
    if s.phase != OVER or s.winners == 0:
        for seat in range(n):
            out[seat] = 0.0
        return
    pay_winners(s, s.winners, out)
    if s.truncated == 0 and s.drink_weight > 0:
        total = 0
        for seat in range(n):
            total += s.drinks[seat]
        for seat in range(n):
            out[seat] -= s.drink_weight * (s.drinks[seat] - total / n)


@rule
def truncated_returns(s, out):
    """For training: what a truncated game counts as, float32[num_players]; stalling must not be a way out.

    The smallest hands share the win, in super_pooper the largest piles, as its payoff has it anyway (PG-27).
    """
    best = s.hand_size[0]
    for seat in range(s.num_players):
        best = max(best, s.hand_size[seat]) if s.variant == SUPER else min(best, s.hand_size[seat])
    winners = 0
    for seat in range(s.num_players):
        if s.hand_size[seat] == best:
            winners |= 1 << seat
    pay_winners(s, winners, out)
