"""Poo Head: get rid of all your cards; the last player holding any is the Poo Head.

Source: the game's own rule sheet; docs/games/poo_head.md states every rule under its number (PH-1 ... PH-24) and says
what the sheet leaves open.
"""

from ...core import history
from ...core.chance import below, shuffle
from ...core.compiler import rule
from .record import (
    ARRANGE,
    BOMB,
    BURNT,
    COPIES,
    DEALT,
    FLIP,
    FOUR,
    NUM_ACTIONS,
    NUMBERS,
    OVER,
    PICK_UP,
    PLAY,
    PLAY_BOMB,
    PLAY_POO_HEAD,
    POO_HEAD,
    RANKS,
    SCORE_POINTS,
    TABLE,
    TAKEN,
    TO_THE_PILE,
    TURNED_OVER,
    state_dtype,
)

__all__ = [
    "apply_action",
    "current_player",
    "deal",
    "is_terminal",
    "is_truncated",
    "legal_actions",
    "returns",
    "state_dtype",
    "truncated_returns",
]


@rule
def copies_in_play(s, rank):
    """How many cards of a rank all decks together have."""
    if rank < NUMBERS:
        return COPIES * s.decks
    if rank == POO_HEAD:
        return s.poo_heads * s.decks
    return s.bombs * s.decks


@rule
def deal(s):
    """A new game: the dealer is random (PH-3), the points are zero."""
    for seat in range(s.num_players):
        s.points[seat] = 0
    history.forget(s)
    s.round = 1
    s.truncated = 0
    s.dealer = below(s, s.num_players)
    deal_round(s)


@rule
def deal_round(s):
    """PH-1: three cards face down, three face up, three into the hand; the rest is the draw pile."""
    size = 0
    for rank in range(RANKS):
        for _ in range(copies_in_play(s, rank)):
            s.draw[size] = rank
            size += 1
        s.pile_count[rank] = 0
        s.burnt[rank] = 0
    shuffle(s, s.draw, size)
    for seat in range(s.num_players):
        for rank in range(RANKS):
            s.hand[seat, rank] = 0
            s.up[seat, rank] = 0
            s.known[seat, rank] = 0
            s.picks[seat, rank] = 0
        for k in range(DEALT):
            s.down[seat, k] = s.draw[size - 1]
            s.up[seat, s.draw[size - 2]] += 1
            s.hand[seat, s.draw[size - 3]] += 1
            size -= 3
        s.hand_size[seat] = DEALT
        s.up_size[seat] = DEALT
        s.down_size[seat] = DEALT
        s.num_picks[seat] = 0
    s.draw_size = size
    s.pile_size = 0
    s.run = 0
    s.num_out = 0
    s.decisions = 0
    s.opening = 0
    s.phase = ARRANGE
    s.turn = (s.dealer + 1) % s.num_players


@rule
def current_player(s):
    """The seat to act, -1 when the game is over."""
    return s.turn


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (PH-23)."""
    return s.truncated != 0


@rule
def has_cards(s, seat):
    """A seat without any cards is out (PH-18)."""
    return s.hand_size[seat] + s.up_size[seat] + s.down_size[seat] > 0


@rule
def lowest_legal(s):
    """The lowest number that may be laid on the pile: the one on top, 0 on nothing, a Poo Head or a 4."""
    if s.pile_size == 0:
        return 0
    top = s.pile[s.pile_size - 1]
    if top == POO_HEAD or top == FOUR:  # PH-11, PH-12
        return 0
    return top


@rule
def highest_legal(s):
    """The highest number that may be laid on the pile: 4 on a 4 (PH-12), else 10."""
    if s.pile_size > 0 and s.pile[s.pile_size - 1] == FOUR:
        return FOUR
    return NUMBERS - 1


@rule
def lowest_number(s, seat):
    """The lowest number card in a hand, NUMBERS if it holds none (PH-3)."""
    for rank in range(NUMBERS):
        if s.hand[seat, rank] > 0:
            return rank
    return NUMBERS


@rule
def allow_plays(mask, cards, low, high):
    """Allows one to four copies of each number from low to high that is among the cards (counts by rank)."""
    for rank in range(low, high + 1):
        held = cards[rank]
        if held > 0:
            for k in range(min(held, COPIES)):
                mask[rank * COPIES + k] = 1


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[63], of the seat to act: 1 is legal; all 0 when over."""
    mask[:NUM_ACTIONS] = 0
    if s.phase == ARRANGE:
        for rank in range(RANKS):
            if s.hand[s.turn, rank] + s.up[s.turn, rank] > s.picks[s.turn, rank]:
                mask[TABLE + rank] = 1
    elif s.phase == PLAY:
        if s.opening:  # PH-4
            low = lowest_number(s, s.turn)
            allow_plays(mask, s.hand[s.turn], low, low)
        elif s.hand_size[s.turn] > 0:
            allow_zone(s, mask, s.hand[s.turn])
        elif s.up_size[s.turn] > 0:  # PH-15
            allow_zone(s, mask, s.up[s.turn])
        else:  # PH-17: blind, so nothing else is to be said of them
            for k in range(s.down_size[s.turn]):
                mask[FLIP + k] = 1
            if s.voluntary_pickup and s.pile_size > 0:
                mask[PICK_UP] = 1


@rule
def allow_zone(s, mask, cards):
    """Allows what the hand or the face-up cards can lay; the pile is taken when that is nothing (PH-8, PH-9)."""
    low = lowest_legal(s)
    high = highest_legal(s)
    allow_plays(mask, cards, low, high)
    stuck = 1
    for rank in range(low, high + 1):
        if cards[rank] > 0:
            stuck = 0
    if cards[POO_HEAD] > 0:
        mask[PLAY_POO_HEAD] = 1
        stuck = 0
    if cards[BOMB] > 0:
        mask[PLAY_BOMB] = 1
        stuck = 0
    if stuck or (s.voluntary_pickup and s.pile_size > 0):
        mask[PICK_UP] = 1


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if action < TABLE:
        history.note(s, s.turn, action)
    if action >= TABLE:
        name_table_card(s, action - TABLE)
    elif action >= FLIP:
        flip(s, action - FLIP)
    elif action == PICK_UP:
        take_pile(s)
    elif action == PLAY_BOMB:
        lay(s, BOMB, 1)
    elif action == PLAY_POO_HEAD:
        lay(s, POO_HEAD, 1)
    else:
        lay(s, action // COPIES, action % COPIES + 1)
    # A round that its last allowed decision ends has a new deal, or is over, by now (PH-19).
    if s.phase != OVER and s.decisions >= s.max_decisions:
        cut_round(s)


@rule
def name_table_card(s, rank):
    """PH-2: one of the three cards that will lie face up; after the last seat's last, the reveal."""
    s.picks[s.turn, rank] += 1
    s.num_picks[s.turn] += 1
    if s.num_picks[s.turn] < DEALT:
        return
    for step in range(1, s.num_players + 1):
        seat = (s.dealer + step) % s.num_players
        if s.num_picks[seat] < DEALT:
            s.turn = seat
            return
    reveal(s)


@rule
def reveal(s):
    """PH-2, PH-3: the named cards lie face up, the others are the hand; the lowest number in hand starts."""
    for step in range(1, s.num_players + 1):
        seat = (s.dealer + step) % s.num_players
        for rank in range(RANKS):
            for _ in range(s.picks[seat, rank]):
                history.note(s, seat, TABLE + rank)
    for seat in range(s.num_players):
        for rank in range(RANKS):
            total = s.hand[seat, rank] + s.up[seat, rank]
            gone = s.up[seat, rank] - s.picks[seat, rank]
            s.known[seat, rank] = max(gone, 0)
            s.up[seat, rank] = s.picks[seat, rank]
            s.hand[seat, rank] = total - s.picks[seat, rank]
            s.picks[seat, rank] = 0
        s.num_picks[seat] = 0
    s.phase = PLAY
    s.turn = (s.dealer + 1) % s.num_players
    lowest = lowest_number(s, s.turn)
    for step in range(2, s.num_players + 1):
        seat = (s.dealer + step) % s.num_players
        number = lowest_number(s, seat)
        if number < lowest:
            lowest = number
            s.turn = seat
    s.opening = 1 if lowest < NUMBERS else 0


@rule
def lay(s, rank, copies):
    """PH-5: cards of one rank from the zone in play."""
    seat = s.turn
    if s.hand_size[seat] > 0:
        s.hand[seat, rank] -= copies
        s.hand_size[seat] -= copies
        s.known[seat, rank] -= min(s.known[seat, rank], copies)
        again = put_on_pile(s, rank, copies)
        refill_hand(s, seat)
    else:
        s.up[seat, rank] -= copies
        s.up_size[seat] -= copies
        again = put_on_pile(s, rank, copies)
    s.opening = 0
    end_turn(s, again)


@rule
def refill_hand(s, seat):
    """PH-7: draw until the hand has three or the draw pile is empty."""
    while s.hand_size[seat] < DEALT and s.draw_size > 0:
        s.draw_size -= 1
        s.hand[seat, s.draw[s.draw_size]] += 1
        s.hand_size[seat] += 1


@rule
def put_on_pile(s, rank, copies):
    """Lays cards on the pile; 1 if that burns it and the same seat plays again (PH-13, PH-14)."""
    if rank == BOMB:
        burn_pile(s)
        s.burnt[BOMB] += 1
        return 1
    if rank == POO_HEAD:
        s.run = 0  # breaks a row of equal numbers
    elif s.run > 0 and s.pile[s.pile_size - 1] == rank:
        s.run += copies
    else:
        s.run = copies
    for _ in range(copies):
        s.pile[s.pile_size] = rank
        s.pile_size += 1
    s.pile_count[rank] += copies
    if s.run >= COPIES:
        burn_pile(s)
        return 1
    return 0


@rule
def burn_pile(s):
    """The pile leaves the game."""
    history.led_to(s, TO_THE_PILE, BURNT)
    for rank in range(RANKS):
        s.burnt[rank] += s.pile_count[rank]
        s.pile_count[rank] = 0
    s.pile_size = 0
    s.run = 0


@rule
def take_pile(s):
    """PH-8: the whole pile into the hand, where everybody knows it; that is the turn."""
    history.led_to(s, TO_THE_PILE, TAKEN)
    seat = s.turn
    for rank in range(RANKS):
        s.hand[seat, rank] += s.pile_count[rank]
        s.known[seat, rank] += s.pile_count[rank]
        s.pile_count[rank] = 0
    s.hand_size[seat] += s.pile_size
    s.pile_size = 0
    s.run = 0
    s.turn = next_active(s, seat)


@rule
def flip(s, k):
    """PH-17: turns over the k-th face-down card that remains and plays it, or takes it with the pile."""
    seat = s.turn
    card = s.down[seat, k]
    history.led_to(s, TURNED_OVER, card)
    s.down_size[seat] -= 1
    for i in range(k, s.down_size[seat]):
        s.down[seat, i] = s.down[seat, i + 1]
    if card >= NUMBERS or lowest_legal(s) <= card <= highest_legal(s):
        end_turn(s, put_on_pile(s, card, 1))
    else:
        s.hand[seat, card] += 1
        s.known[seat, card] += 1
        s.hand_size[seat] += 1
        take_pile(s)


@rule
def next_active(s, seat):
    """The next seat clockwise that holds cards."""
    for step in range(1, s.num_players + 1):
        other = (seat + step) % s.num_players
        if has_cards(s, other):
            return other
    return seat


@rule
def end_turn(s, again):
    """PH-13, PH-18: who is next, who is out, and whether the round has ended."""
    seat = s.turn
    if not has_cards(s, seat):
        s.out[s.num_out] = seat
        s.num_out += 1
        if s.num_out == s.num_players - 1:
            end_round(s)
            return
        s.turn = next_active(s, seat)
    elif not again:
        s.turn = next_active(s, seat)


@rule
def end_round(s):
    """PH-19, PH-21: one seat holds cards. The game ends, or the round gives its points."""
    if s.scoring == SCORE_POINTS:
        for place in range(min(s.num_players - 1, DEALT)):
            s.points[s.out[place]] += 3 - place
        s.points[next_active(s, s.turn)] -= 4
        next_round(s)
    else:
        s.phase = OVER
        s.turn = -1


@rule
def cut_round(s):
    """PH-23: the decision cap. A match gives 0 points for the round and goes on."""
    if s.scoring == SCORE_POINTS:
        next_round(s)
    else:
        s.truncated = 1
        s.phase = OVER
        s.turn = -1


@rule
def leader(s):
    """The seat that alone has the most points, -1 if several share them."""
    best = 0
    ties = 0
    for seat in range(1, s.num_players):
        if s.points[seat] > s.points[best]:
            best = seat
            ties = 0
        elif s.points[seat] == s.points[best]:
            ties += 1
    return best if ties == 0 else -1


@rule
def next_round(s):
    """PH-21: the match ends, or the dealer passes clockwise and deals again."""
    winner = leader(s)
    if (winner >= 0 and s.points[winner] >= s.target) or s.round >= s.max_rounds:
        s.phase = OVER
        s.turn = -1
    else:
        s.round += 1
        s.dealer = (s.dealer + 1) % s.num_players
        deal_round(s)


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players] (PH-20, PH-22)."""
    for seat in range(s.num_players):
        out[seat] = s.points[seat] if s.points_reward else 0.0
    if s.phase != OVER or s.truncated or s.points_reward:
        return
    share = 1.0 / (s.num_players - 1)
    if s.scoring == SCORE_POINTS:
        winner = leader(s)
        if winner >= 0:
            for seat in range(s.num_players):
                out[seat] = 1.0 if seat == winner else -share
    else:
        for seat in range(s.num_players):
            out[seat] = -1.0 if has_cards(s, seat) else share


@rule
def truncated_returns(s, out):
    """For training: what a truncated game counts as, float32[num_players]; stalling must not be a way out.

    Ranked by cards left: those with the most share the loss of one, the others what they lose; 0 if all have as many.
    """
    most = 0
    holders = 0
    for seat in range(s.num_players):
        cards = s.hand_size[seat] + s.up_size[seat] + s.down_size[seat]
        out[seat] = cards
        if cards > most:
            most = cards
            holders = 0
        if cards == most:
            holders += 1
    for seat in range(s.num_players):
        if holders == s.num_players:
            out[seat] = 0.0
        elif out[seat] == most:
            out[seat] = -1.0 / holders
        else:
            out[seat] = 1.0 / (s.num_players - holders)
