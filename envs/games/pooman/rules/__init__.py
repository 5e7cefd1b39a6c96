"""Pooman: collect characters worth five stars before the cards run out, while the Pooman hunts you.

Source: the card game's rulebook; docs/games/pooman.md states every rule under its number (PM-1 ... PM-25) and says
what the book leaves open. Seats 0 .. num_players - 1 are the players, seat num_players is the Pooman. Cards in front
of players and in the discard are counts by kind; ``deck`` is a stack, its last entry is the next card.
"""

from ....core import history
from ....core.chance import below, shuffle
from ....core.compiler import rule
from ..record import (
    AGAIN,
    BALANCER,
    CHASE,
    DEFEND,
    DIRE_EAR,
    DRAW,
    DRAW_CARD,
    FRESHNESS,
    GOAL,
    KINDS,
    LOSE,
    NUM_ACTIONS,
    ONE_STAR,
    OTHERS,
    OVER,
    POOPERMAN,
    POWER_FLUSH,
    ROLL_AGAIN,
    STAY,
    TAKE,
    TAKE_STAR,
    TURNED_OVER,
    TWO_STARS,
    USE,
    state_dtype,
)
from .chase import begin_chase, choose
from .front import discard_all, discard_one, lay_in_front, take_away

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
def deal(s):
    """PM-1: a shuffled deck, a random first player; the label of PM-23 stays."""
    history.forget(s)
    size = 0
    for kind in range(KINDS):
        for _ in range(s.counts[kind]):
            s.deck[size] = kind
            size += 1
        s.left[kind] = s.counts[kind]
        s.discard[kind] = 0
    shuffle(s, s.deck, size)
    s.deck_size = size
    for seat in range(s.num_players):
        for kind in range(KINDS):
            s.front[seat, kind] = 0
        s.held[seat] = 0
        s.stars[seat] = 0
    s.card = -1
    s.winner = -1
    s.truncated = 0
    s.decisions = 0
    start_turn(s, below(s, s.num_players))


@rule
def start_turn(s, seat):
    """A player is to draw."""
    s.turn = seat
    s.acting = seat
    s.phase = DRAW


@rule
def current_player(s):
    """The seat to act, -1 when the game is over."""
    return s.acting


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (PM-25)."""
    return s.truncated != 0


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[21], of the seat to act: 1 is legal; all 0 when over."""
    for action in range(STAY):
        mask[action] = 0
    steps = 1 if s.phase == CHASE else 0
    for action in range(STAY, NUM_ACTIONS):
        mask[action] = steps
    if steps:
        # A special is the only choice of its tick (PM-15); the Pooman has none.
        if s.acting < s.num_players and s.num_moves[s.acting] == 0:
            for kind in range(POWER_FLUSH, KINDS):
                if s.front[s.acting, kind] > 0:
                    mask[USE + kind - POWER_FLUSH] = 1
    elif s.phase == DRAW:
        mask[DRAW_CARD] = 1
        if s.front[s.turn, FRESHNESS] > 0:  # PM-10
            allow_takes(s, mask)
    elif s.phase == AGAIN:
        mask[DRAW_CARD] = 1
    elif s.phase == TAKE:
        allow_takes(s, mask)
    elif s.phase == DEFEND:
        mask[LOSE] = 1
        for kind in range(POWER_FLUSH, KINDS):
            if s.front[s.turn, kind] > 0 and stops(s, kind):
                mask[USE + kind - POWER_FLUSH] = 1


@rule
def allow_takes(s, mask):
    """PM-9: the characters that lie in front of other players."""
    other = s.turn
    for j in range(s.num_players - 1):
        other = other + 1 if other + 1 < s.num_players else 0
        if s.front[other, ONE_STAR] > 0:
            mask[TAKE_STAR + j] = 1
        if s.front[other, TWO_STARS] > 0:
            mask[TAKE_STAR + OTHERS + j] = 1


@rule
def stops(s, kind):
    """PM-21, PM-24: whether a special is of use against the open card, without the chase."""
    if s.card == POOPERMAN:
        return kind != BALANCER and s.pooperman_unstoppable == 0
    return True


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if s.phase != CHASE:
        history.note(s, s.acting, action)
    if s.phase == CHASE:
        if not choose(s, action):
            close_turn(s)
    elif action == DRAW_CARD:
        turn_over(s)
    elif action < USE:
        take_character(s, action - TAKE_STAR)
    else:  # PM-21
        if action == LOSE:
            discard_all(s, s.turn)
        else:
            discard_one(s, s.turn, action - USE + POWER_FLUSH)
        close_turn(s)
    if s.phase != OVER and s.decisions >= s.max_decisions:
        s.truncated = 1
        finish(s, -1)


@rule
def turn_over(s):
    """PM-1: the next card, and what it does."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    history.led_to(s, TURNED_OVER, card)
    s.left[card] -= 1
    seat = s.turn
    if card <= TWO_STARS:  # PM-2, PM-3
        lay_in_front(s, seat, card)
        if s.stars[seat] >= GOAL:
            finish(s, seat)
        else:
            close_turn(s)
    elif card >= POWER_FLUSH or (card == FRESHNESS and not others_have_characters(s)):  # PM-9, PM-11
        lay_in_front(s, seat, card)
        close_turn(s)
    else:
        s.card = card
        reveal(s)


@rule
def others_have_characters(s):
    """Whether there is a character in front of another player than the one whose turn it is."""
    for other in range(s.num_players):
        if other != s.turn and s.stars[other] > 0:
            return 1
    return 0


@rule
def reveal(s):
    """What the open card does that is not kept."""
    if s.card == FRESHNESS:
        s.phase = TAKE
    elif s.card == DIRE_EAR:
        hurt_best(s)
        close_turn(s)
    elif s.deck_size == 0:  # PM-4: at once
        close_turn(s)
    elif s.card == ROLL_AGAIN:  # PM-7
        s.discard[ROLL_AGAIN] += 1
        s.card = -1
        s.phase = AGAIN
    elif s.chase:
        if not begin_chase(s):
            close_turn(s)
    elif can_defend(s):
        s.phase = DEFEND
    else:
        discard_all(s, s.turn)
        close_turn(s)


@rule
def hurt_best(s):
    """PM-8: the player's own character with the most stars is discarded."""
    if s.front[s.turn, TWO_STARS] > 0:
        discard_one(s, s.turn, TWO_STARS)
    elif s.front[s.turn, ONE_STAR] > 0:
        discard_one(s, s.turn, ONE_STAR)


@rule
def can_defend(s):
    """PM-21: whether the player has a card that is of use."""
    for kind in range(POWER_FLUSH, KINDS):
        if s.front[s.turn, kind] > 0 and stops(s, kind):
            return 1
    return 0


@rule
def take_character(s, choice):
    """PM-9, PM-10: a character comes over from another player, for the open Freshness or a kept one."""
    kind = choice // OTHERS
    other = (s.turn + choice % OTHERS + 1) % s.num_players
    take_away(s, other, kind)
    lay_in_front(s, s.turn, kind)
    if s.phase == DRAW:
        discard_one(s, s.turn, FRESHNESS)
    if s.stars[s.turn] >= GOAL:
        finish(s, s.turn)
    elif s.phase == TAKE:
        close_turn(s)


@rule
def close_turn(s):
    """The open card is discarded; the next player draws, or the cards have run out and the Pooman wins (PM-4)."""
    if s.deck_size == 0:
        finish(s, s.num_players)
        return
    discard_open(s)
    start_turn(s, s.turn + 1 if s.turn + 1 < s.num_players else 0)


@rule
def discard_open(s):
    """The open card, if there is one, goes to the discard."""
    if s.card >= 0:
        s.discard[s.card] += 1
        s.card = -1


@rule
def finish(s, winner):
    """The game is over: a seat has won, or none (-1)."""
    discard_open(s)
    s.winner = winner
    s.phase = OVER
    s.acting = -1


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players + 1]: the winner 1, everyone else -1 / num_players (PM-22)."""
    pay(s, out, s.winner)


@rule
def truncated_returns(s, out):
    """For training: a truncated game counts as won by the Pooman, as if the cards had run out without five stars."""
    pay(s, out, s.num_players)


@rule
def pay(s, out, winner):
    """Writes what everybody gets when a seat has won; zeros for -1."""
    share = -1.0 / s.num_players
    for seat in range(s.num_players + 1):
        if winner < 0:
            out[seat] = 0.0
        else:
            out[seat] = 1.0 if seat == winner else share
