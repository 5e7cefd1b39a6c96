"""Cards from the hand: which may be played, and all that a play brings about (PG-3, PG-4, PG-8 to PG-16, PG-21)."""

from ....core import history
from ....core.chance import uniform
from ....core.compiler import rule
from ..record import (
    BLIND,
    CAUGHT,
    CAUGHT_DRINKS,
    CLOG,
    COLOURS,
    DEEP,
    DUTIES,
    FACES,
    FLUSH_DRINKS,
    FLUSHED,
    FLUSHERS,
    INTERCEPTOR,
    KINDS,
    NUMBERS,
    OUTCOME,
    REVERSE,
    ROW,
    SKIP,
    WILD,
)
from .interception import ask_next
from .turns import next_seat, note_survival, settle, too_much, win
from .zones import draw_card, lay, lose


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
def allow_cards(s, mask):
    """PG-3, PG-4: the cards in hand that may be played; where none may, PG-5, PG-24."""
    hand = s.hand[s.turn]
    fits = min(max(s.lid - s.total - 1, 0), NUMBERS)  # numbers up to this stay below the lid
    if s.variant == BLIND:
        fits = NUMBERS
    flushing = flushing_colour(s)
    legal = 0
    # Without branches: which cards a hand holds cannot be foreseen.
    for colour in range(COLOURS):
        held = hand[colour * FACES : (colour + 1) * FACES]
        allowed = mask[colour * FACES : (colour + 1) * FACES]
        fitting = NUMBERS if colour == flushing else fits
        for face in range(FACES):
            allowed[face] = (held[face] > 0) & ((face < fitting) | (face >= NUMBERS))
            legal += allowed[face]
    if legal == 0:
        if s.variant == INTERCEPTOR:
            for kind in range(KINDS):
                if hand[kind] > 0:
                    mask[kind] = 1
        else:
            mask[CLOG] = 1


@rule
def play(s, kind):
    """A card from the hand, with all that its play brings about."""
    seat = s.turn
    lose(s, seat, kind)
    flushes = flushing_colour(s) == kind // FACES
    lay(s, kind)
    if s.hand_size[seat] == 0 and (flushes or not too_much(s)) and not (flushes and s.variant == FLUSHERS):
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
        history.led_to(s, OUTCOME, CAUGHT)
        draw_card(s, seat)
        if s.drinking:
            s.drinks[seat] += CAUGHT_DRINKS


@rule
def flush(s):
    """PG-10: the table to the discard, the others draw, the same seat plays again; PG-21."""
    history.led_to(s, OUTCOME, FLUSHED)
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
