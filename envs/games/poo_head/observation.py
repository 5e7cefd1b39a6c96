"""What a seat of Poo Head sees, with a perfect memory of what was public, and what it cannot know.

Seats are relative to the viewer: 0 is the viewer, 1 the next clockwise. Cards by rank (0..10, Poo Head, Bomb) are
given as the fraction of all cards of that rank in play; sizes of hands and of the pile as n / (n + 3), which keeps
small numbers apart and has no upper end.
"""

import numpy as np

from ...core import history
from ...core.chance import below, shuffle_anew
from ...core.compiler import rule, writer
from ...core.rewinding import rewind_hand
from ...core.seats import relative
from ...core.spec import Block
from .record import (
    ARRANGE,
    BOMB,
    COPIES,
    DEALT,
    EFFECTS,
    FOUR,
    NUMBERS,
    OVER,
    PLAY,
    PLAY_BOMB,
    PLAY_POO_HEAD,
    POO_HEAD,
    RANKS,
    SCORE_POINTS,
)
from .rules import copies_in_play, lowest_number

EMPTY = 12  # place of "no card" in the block top, where the Bomb, which never lies there, would be
MAX_TRIES = 100_000  # of resample while PH-4 is due; a consistent deal is found within some tens


def blocks(settings):
    """The observation's named parts in order; their sum is the observation."""
    n = settings["num_players"]
    most = 3 * settings["max_rounds"] / settings["target"]
    least = -4 * settings["max_rounds"] / settings["target"]
    return (
        Block("hand", (RANKS,), "own hand by rank"),
        Block("face_up", (RANKS,), "own face-up cards by rank, as dealt until the reveal"),
        Block("picks", (RANKS,), "own cards named so far while arranging, by rank"),
        Block("pile", (RANKS,), "the pile by rank"),
        Block("burnt", (RANKS,), "cards that left the game by rank"),
        Block("top", (RANKS,), "rank on top of the pile, one-hot: 0..10, Poo Head, no card"),
        Block("run", (3,), "at least 1, 2, 3 equal numbers together on top"),
        Block("bound", (1,), "1 if a 4 on top binds the seat to act"),
        Block("sizes", (2,), "draw pile as a fraction of all cards; pile as n / (n + 3)"),
        Block("phase", (3,), "one-hot: arranging, playing, over"),
        Block("opening", (1,), "1 if the starter's lowest number is due"),
        Block("progress", (2,), "decisions of the round / cap; round / most rounds"),
        Block("turn", (n,), "relative seat to act, one-hot; zeros when over"),
        Block("dealer", (n,), "relative seat of the dealer, one-hot"),
        Block("place", (n,), "per relative seat: 1 for the first out, falling by 1 / seats; 0 still in"),
        Block("points", (n,), "per relative seat: match points / target", least, most),
        Block("hand_size", (n,), "per relative seat: n / (n + 3) for n hand cards"),
        Block("face_down", (n,), "per relative seat: face-down cards / 3"),
        Block(
            "zone",
            (n, 3),
            "per relative seat, the zone it plays from: hand, face up, face down; zeros when out",
        ),
        Block("others_face_up", (n - 1, RANKS), "per other relative seat: face-up cards by rank"),
        Block(
            "others_known",
            (n - 1, RANKS),
            "per other relative seat: hand cards that it is known to hold, by rank",
        ),
        *history.blocks(settings, EFFECTS),
    )


@rule
def write_cards(out, at, cards, number, poo_head, bomb):
    """Writes thirteen fractions of counts by rank, given one over the cards in play of each sort, float32."""
    # A slice: no place in it can be counted from the end, which compiled code asks at every ``out[at + rank]``. All in
    # float32: twice as fast as by way of float64, and the same in plain Python.
    part = out[at : at + RANKS]
    for rank in range(NUMBERS):
        part[rank] = np.float32(cards[rank]) * number
    part[POO_HEAD] = np.float32(cards[POO_HEAD]) * poo_head
    part[BOMB] = np.float32(cards[BOMB]) * bomb


@rule
def fraction(count):
    """One over a count as float32, 0 for none."""
    return np.float32(1.0 / count) if count > 0 else np.float32(0.0)


@rule
def write_table(s, out, at):
    """Writes the blocks from ``top`` to ``progress`` and returns where they end."""
    out[at : at + RANKS + 3] = 0.0
    bound = 0.0
    if s.pile_size == 0:
        out[at + EMPTY] = 1.0
    else:
        top = s.pile[s.pile_size - 1]
        out[at + top] = 1.0
        if top == FOUR:
            bound = 1.0
    at += RANKS
    for k in range(s.run):
        out[at + k] = 1.0
    at += 3
    out[at] = bound
    cards = s.decks * (NUMBERS * COPIES + s.poo_heads + s.bombs)
    out[at + 1] = s.draw_size / cards
    out[at + 2] = s.pile_size / (s.pile_size + 3.0)
    at += 3
    out[at] = 1.0 if s.phase == ARRANGE else 0.0
    out[at + 1] = 1.0 if s.phase == PLAY else 0.0
    out[at + 2] = 1.0 if s.phase == OVER else 0.0
    out[at + 3] = s.opening
    out[at + 4] = s.decisions / s.max_decisions
    out[at + 5] = s.round / s.max_rounds
    return at + 6


@rule
def write_seats(s, seat, out, at):
    """Writes the blocks from ``turn`` to ``zone`` and returns where they end."""
    n = s.num_players
    out[at : at + 9 * n] = 0.0
    if s.turn >= 0:
        out[at + relative(s, s.turn, seat)] = 1.0
    out[at + n + relative(s, s.dealer, seat)] = 1.0
    at += 2 * n
    for i in range(s.num_out):
        out[at + relative(s, s.out[i], seat)] = (n - i) / n
    if s.scoring == SCORE_POINTS:
        for other in range(n):
            out[at + n + relative(s, other, seat)] = s.points[other] / s.target
    at += 2 * n
    sizes = out[at : at + n]
    downs = out[at + n : at + 2 * n]
    zones = out[at + 2 * n : at + 5 * n]
    other = seat
    for k in range(n):
        size = s.hand_size[other]
        down = s.down_size[other]
        sizes[k] = size / (size + 3.0)
        downs[k] = down / 3.0
        if size > 0:
            zones[3 * k] = 1.0
        elif s.up_size[other] > 0:
            zones[3 * k + 1] = 1.0
        elif down > 0:
            zones[3 * k + 2] = 1.0
        other = other + 1 if other + 1 < n else 0
    return at + 5 * n


@writer
def observe(s, seat, out):
    """Writes the observation of a seat, float32, every entry; any seat, also when the game is over."""
    number = fraction(copies_in_play(s, 0))
    poo_head = fraction(copies_in_play(s, POO_HEAD))
    bomb = fraction(copies_in_play(s, BOMB))
    write_cards(out, 0, s.hand[seat], number, poo_head, bomb)
    write_cards(out, RANKS, s.up[seat], number, poo_head, bomb)
    write_cards(out, 2 * RANKS, s.picks[seat], number, poo_head, bomb)
    write_cards(out, 3 * RANKS, s.pile_count, number, poo_head, bomb)
    write_cards(out, 4 * RANKS, s.burnt, number, poo_head, bomb)
    at = write_table(s, out, 5 * RANKS)
    at = write_seats(s, seat, out, at)
    n = s.num_players
    known = at + (n - 1) * RANKS
    other = seat
    for k in range(n - 1):
        other = other + 1 if other + 1 < n else 0
        write_cards(out, at + k * RANKS, s.up[other], number, poo_head, bomb)
        write_cards(out, known + k * RANKS, s.known[other], number, poo_head, bomb)
    history.write(s, seat, n, out)


@rule
def resample(s, seat):
    """Replaces all that a seat cannot know by a uniformly random deal that agrees with what it knows.

    Unknown to it: the face-down cards, the order of the draw pile, other hands beyond the known cards, others' picks
    while arranging. While PH-4 is due the starter is known to hold the lowest number, so deals that say otherwise are
    thrown away. Uses the record's own generator, which the caller seeds.
    """
    lowest_starts = s.opening != 0 and s.phase == PLAY and starter_is_lowest(s)  # a scenario may say otherwise
    size = gather_unknown(s, seat)
    cards = s.draw  # the unknown cards lie at its front, the draw pile is what is left of them
    for _ in range(MAX_TRIES):
        shuffle_anew(s, cards, size)
        spread_unknown(s, seat, size)
        if not lowest_starts or starter_is_lowest(s):
            break
        # The cards of the last try still lie in ``cards`` beyond the draw pile: nothing is to be gathered anew.
        clear_unknown(s, seat)
    if s.phase != PLAY:  # also in a game cut short while arranging
        for other in range(s.num_players):
            if other != seat:
                redraw_picks(s, other)


@rule
def gather_unknown(s, seat):
    """Takes all cards that a seat cannot know on top of the draw pile and returns how many there are then."""
    size = s.draw_size
    for other in range(s.num_players):
        if other != seat:
            for rank in range(RANKS):
                for _ in range(s.hand[other, rank] - s.known[other, rank]):
                    s.draw[size] = rank
                    size += 1
        for k in range(s.down_size[other]):
            s.draw[size] = s.down[other, k]
            size += 1
    clear_unknown(s, seat)
    return size


@rule
def clear_unknown(s, seat):
    """Leaves in the other hands only what is known of them."""
    for other in range(s.num_players):
        if other != seat:
            for rank in range(RANKS):
                s.hand[other, rank] = s.known[other, rank]


@rule
def spread_unknown(s, seat, size):
    """Deals the gathered cards from the top to the places they may lie in; the rest is the draw pile."""
    for other in range(s.num_players):
        if other != seat:
            missing = s.hand_size[other]
            for rank in range(RANKS):
                missing -= s.hand[other, rank]
            for _ in range(missing):
                size -= 1
                s.hand[other, s.draw[size]] += 1
        for k in range(s.down_size[other]):
            size -= 1
            s.down[other, k] = s.draw[size]


@rule
def starter_is_lowest(s):
    """Whether PH-3 would have chosen the seat whose opening is due."""
    lowest = lowest_number(s, s.turn)
    before = 1  # walking from the dealer's left, have we not yet met the starter?
    for step in range(1, s.num_players + 1):
        other = (s.dealer + step) % s.num_players
        if other == s.turn:
            before = 0
        else:
            number = lowest_number(s, other)
            if number < lowest or (before and number == lowest):
                return 0
    return 1 if lowest < NUMBERS else 0


@rule
def redraw_picks(s, seat):
    """As many picks as a seat has named, drawn anew from the six cards it now has."""
    for rank in range(RANKS):
        s.picks[seat, rank] = 0
    for taken in range(s.num_picks[seat]):
        j = below(s, 2 * DEALT - taken)
        for rank in range(RANKS):
            left = s.hand[seat, rank] + s.up[seat, rank] - s.picks[seat, rank]
            if j < left:
                s.picks[seat, rank] += 1
                break
            j -= left


@rule
def rewind(s, after, action, viewer):
    """Takes a position back over one decision (see the contract): what the others held before it.

    Not into the arranging of the cards, and not from one round of a match into another.
    """
    if s.phase != PLAY or s.round != after.round:
        return 0
    s.rng = after.rng
    rank, copies = -1, 0  # that left the hand of the seat at turn
    if s.hand_size[s.turn] > 0:
        if action < PLAY_POO_HEAD:
            rank, copies = action // COPIES, action % COPIES + 1
        elif action <= PLAY_BOMB:
            rank, copies = (POO_HEAD if action == PLAY_POO_HEAD else BOMB), 1
    for other in range(s.num_players):
        if other != viewer:
            left = copies if other == s.turn else 0
            gained = after.hand_size[other] - s.hand_size[other] + left
            kind = rank if left else -1
            known, known_after = s.known[other], after.known[other]
            if rewind_hand(s, s.hand[other], after.hand[other], known, known_after, kind, left, gained) == 0:
                return 0
    return 1
