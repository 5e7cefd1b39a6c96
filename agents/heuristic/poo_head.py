"""Heuristics of Poo Head, from the observation and the mask alone.

``lowest`` lays the lowest legal number, all its copies, and keeps specials until no number is legal: the yardstick.

``best`` gives every legal play a score and takes the highest. A score is the sum of a few facts about the play (how
high is it, does it burn, can the next seat answer, ...) times the weights below. It counts cards: those nobody has
seen, those the next seat is known to hold or has lying face up.

Convention: cards in the observation are fractions of the cards in play; they are turned back into counts. How many
Poo Heads and Bombs are in play it does not say, so the usual four per deck are assumed: with others, ``best`` only
judges them a little wrongly.
"""

from typing import NamedTuple

import numpy as np

from ...envs.core.chance import below
from ...envs.core.compiler import rule
from ...envs.games.poo_head.observation import blocks
from ...envs.games.poo_head.record import (
    BOMB,
    COPIES,
    FLIP,
    FOUR,
    NUMBERS,
    PICK_UP,
    PLAY_BOMB,
    PLAY_POO_HEAD,
    PLAYERS_PER_DECK,
    POO_HEAD,
    RANKS,
    TABLE,
)

STRENGTHS = {"best": 0, "lowest": 1}
BEST, LOWEST = STRENGTHS["best"], STRENGTHS["lowest"]
DRAGGING, ONE_IN = 0.1, 8  # beyond this share of the decision cap, one decision in so many is the yardstick's

_NAMES = [block.name for block in blocks({"num_players": 2, "max_rounds": 1, "target": 1})]
HAND, FACE_UP, PICKS = (_NAMES.index(name) for name in ("hand", "face_up", "picks"))
PILE, BURNT, TOP, RUN = (_NAMES.index(name) for name in ("pile", "burnt", "top", "run"))
SIZES, PHASE, PROGRESS, TURN = (_NAMES.index(name) for name in ("sizes", "phase", "progress", "turn"))
HAND_SIZE, FACE_DOWN, ZONE = (_NAMES.index(name) for name in ("hand_size", "face_down", "zone"))
THEIR_FACE_UP, THEIR_KNOWN = (_NAMES.index(name) for name in ("others_face_up", "others_known"))

DRAWING, HAND_ONLY, TABLE_CARDS = 0, 1, 2  # phases of a seat's game: columns of the weights

# What a fact about a play is worth: while cards are drawn, from the hand after that, from the face-up cards; only
# ratios matter. Measured: natural policy gradient on the chance to be the Poo Head, softmax over the scores, about
# four million games at tables of 2 to 5 seats, two in three of them against ``lowest`` alone, the others against a
# mixture of it and copies.
CARDS = (16.3, 7.8, 19.2)  # per card laid
HEIGHT = (2.5, -3.5, -69.4)  # rank / 10
CARDS_HEIGHT = (-20.4, -15.1, -24.5)  # rank / 10, per card
CARDS_SHARE = (18.4, 45.9, 6.4)  # share of the own cards in play that is laid
CARDS_SHARE_HEIGHT = (-19.4, -15.4, 51.6)  # the same times rank / 10
DUEL_CARDS = (-15.0, -10.5, -49.6)  # against one seat alone, per card
DUEL_CARDS_HEIGHT = (15.5, 11.1, 49.3)  # the same times rank / 10
FOURS = (-2.7, -40.0, -3.2)  # a 4
FOURS_SHARE = (-17.2, 45.8, -9.2)  # share of the own cards that is laid as 4s
SPLIT = (-4.3, -19.6, -42.4)  # equal cards are kept back
SPLIT_HEIGHT = (7.5, 20.9, 51.5)  # the same times rank / 10
NO_SPECIAL = (0.4, -4.3, -4.3)  # none is left afterwards
BURN = (8.2, 37.7, 46.0)  # completes a four of a kind
BURN_GIVEN = (-3.4, -26.0, -10.4)  # the next seat can complete it
STUCK = (28.0, 63.0, 100.0)  # chance that the next seat cannot answer
STUCK_HEIGHT = (-40.1, -95.5, -79.8)  # the same times rank / 10
STUCK_BEHIND = (11.2, 50.9, 45.8)  # times how many more cards the viewer has
STUCK_PILE = (5.9, 53.4, 8.1)  # times the pile that it would take
LURED = (15.7, 29.5, -10.7)  # chance that only a special saves the next seat
LURED_HEIGHT = (-22.2, -18.9, -11.9)  # the same times rank / 10
FOLLOW = (5.6, 28.6, 32.6)  # own cards that could be laid on it later
SPECIAL_MANY = (-1.8, -4.2, -10.8)  # a special, times other seats still in
SPECIAL_DUEL = (1.6, -8.1, -20.3)  # a special against one seat alone
POO_HEAD_LAID = (-3.8, 1.7, -44.2)  # a Poo Head
BOMB_LAID = (-5.8, -46.4, -50.8)  # a Bomb

# Arranging, found with the above: the worth of a card face up, by rank; and, each once and once times rank / 10, what
# an equal card that already lies there adds, and one that stays in the hand.
TABLE_WORTH = (-72.5, -35.2, -20.6, -19.5, -1.2, -15.2, -6.0, -5.2, 1.3, 21.7, 17.5, 4.1, 22.8)
PAIR_ON_TABLE, PAIR_ON_TABLE_RANK, PAIR_SPLIT, PAIR_SPLIT_RANK = 65.7, -79.2, 31.4, -27.0


def params_of(strength, settings):
    """What ``choose`` gets as its params."""
    return (STRENGTHS[strength],)


@rule
def choose(observation, mask, starts, params, chance):
    """The action of a heuristic; ``starts`` says where the observation's blocks lie."""
    strength = int(params[0])
    if mask[FLIP]:  # blind: one card is as good as the other
        return FLIP
    if observation[starts[PHASE]] > 0:
        return best_table_card(observation, mask, starts) if strength == BEST else highest_table_card(mask)
    # Two that score alike can chase each other in circles for ever: a stray decision breaks the circle.
    drags = observation[starts[PROGRESS]] > DRAGGING
    if strength == LOWEST or (drags and below(chance, ONE_IN) == 0):
        return lowest_play(mask)
    return best_play(observation, mask, starts)


@rule
def highest_table_card(mask):
    """Arranging: specials, then the highest numbers, lie face up, where they come into play late."""
    if mask[TABLE + BOMB]:
        return TABLE + BOMB
    if mask[TABLE + POO_HEAD]:
        return TABLE + POO_HEAD
    for rank in range(NUMBERS - 1, -1, -1):
        if mask[TABLE + rank]:
            return TABLE + rank
    return PICK_UP


@rule
def lowest_play(mask):
    """The lowest legal number with all its copies; specials only when no number is legal."""
    for rank in range(NUMBERS):
        for k in range(COPIES - 1, -1, -1):
            if mask[rank * COPIES + k]:
                return rank * COPIES + k
    if mask[PLAY_POO_HEAD]:
        return PLAY_POO_HEAD
    if mask[PLAY_BOMB]:
        return PLAY_BOMB
    return PICK_UP


@rule
def best_table_card(observation, mask, starts):
    """Arranging: the card that is worth most face up, with a view to equal ones."""
    decks = decks_in_play(starts)
    best = PICK_UP
    best_score = -np.inf
    for rank in range(RANKS):
        if mask[TABLE + rank]:
            named = count(observation, starts[PICKS] + rank, decks)
            dealt = count(observation, starts[HAND] + rank, decks) + count(observation, starts[FACE_UP] + rank, decks)
            height = 0.1 * rank
            score = TABLE_WORTH[rank] + named * (PAIR_ON_TABLE + height * PAIR_ON_TABLE_RANK)
            if dealt - named > 1:
                score += PAIR_SPLIT + height * PAIR_SPLIT_RANK
            if score > best_score:
                best = TABLE + rank
                best_score = score
    return best


class Situation(NamedTuple):
    """What the scores need to know of the position, whatever is laid. Float64 but for the whole numbers."""

    decks: int
    phase: int  # DRAWING, HAND_ONLY or TABLE_CARDS
    cards: int  # where the own cards in play lie in the observation
    few: float  # 1 / cards in that zone
    numbers: int  # number cards in it
    specials: int
    pile: int  # cards of the pile
    others: int  # other seats still in
    behind: float  # -1 .. 1: own hand and face-down cards against the most that another seat has
    next_shown: int  # where the cards that the next seat is known to be able to play lie in the observation
    next_hidden: int  # cards it can play that nobody else knows
    unseen: int  # cards that the viewer has not seen
    unseen_low: int  # among them, up to 4
    shown_low: int  # shown cards up to 4
    unseen_specials: int
    shown_special: bool  # is there one among the shown?


@rule
def decks_in_play(starts):
    """From the number of seats, the length of the block turn."""
    return (starts[TURN + 1] - starts[TURN] + PLAYERS_PER_DECK - 1) // PLAYERS_PER_DECK


@rule
def count(observation, at, decks):
    """Cards of a rank, from the fraction of those in play (four per deck)."""
    return int(observation[at] * (COPIES * decks) + 0.5)


@rule
def size(fraction):
    """n, from n / (n + 3)."""
    return int(3.0 * fraction / (1.0 - fraction) + 0.5)


@rule
def unseen(observation, starts, rank, decks):
    """Cards of a rank that the viewer has not seen: in the draw pile, face down or unknown in a hand."""
    seen = observation[starts[HAND] + rank] + observation[starts[FACE_UP] + rank]
    seen += observation[starts[PILE] + rank] + observation[starts[BURNT] + rank]
    for at in range(starts[THEIR_FACE_UP] + rank, starts[THEIR_KNOWN + 1], RANKS):
        seen += observation[at]  # face-up cards of all others, then their known cards
    return max(int((1.0 - seen) * (COPIES * decks) + 0.5), 0)


@rule
def is_in(observation, starts, other):
    """Whether a relative seat still holds cards."""
    zone = starts[ZONE] + 3 * other
    return observation[zone] + observation[zone + 1] + observation[zone + 2] > 0


@rule
def hand_and_face_down(observation, starts, other):
    """Cards that a relative seat holds, but for the face-up ones."""
    return size(observation[starts[HAND_SIZE] + other]) + int(3.0 * observation[starts[FACE_DOWN] + other] + 0.5)


@rule
def look(observation, starts):
    """The situation of the viewer, whose turn it is to play from its hand or face-up cards."""
    decks = decks_in_play(starts)
    phase = TABLE_CARDS
    cards = starts[FACE_UP]
    if observation[starts[ZONE]] > 0:
        phase = DRAWING if observation[starts[SIZES]] > 0 else HAND_ONLY
        cards = starts[HAND]
    numbers = 0
    specials = 0
    for rank in range(RANKS):
        if rank < NUMBERS:
            numbers += count(observation, cards + rank, decks)
        elif observation[cards + rank] > 0:
            specials += max(count(observation, cards + rank, decks), 1)
    others, following, most = survey(observation, starts)
    mine = hand_and_face_down(observation, starts, 0)
    shown, hidden = next_seat(observation, starts, following, decks)
    total = 0
    low = 0
    shown_low = 0
    special = 0
    for rank in range(RANKS):
        left = unseen(observation, starts, rank, decks)
        total += left
        if rank <= FOUR:
            low += left
            shown_low += count(observation, shown + rank, decks)
        elif rank >= NUMBERS:
            special += left
    return Situation(
        decks,
        phase,
        cards,
        1.0 / max(numbers + specials, 1),
        numbers,
        specials,
        size(observation[starts[SIZES] + 1]),
        others,
        (mine - most) / (mine + most + 1.0),
        shown,
        hidden,
        max(total, 1),
        low,
        shown_low,
        special,
        observation[shown + POO_HEAD] + observation[shown + BOMB] > 0,
    )


@rule
def lying_on_top(observation, starts, rank):
    """How many of a rank lie together on top of the pile, 0 to 3."""
    run = starts[RUN]
    if observation[starts[TOP] + rank] > 0:
        return int(observation[run] + observation[run + 1] + observation[run + 2])
    return 0


@rule
def survey(observation, starts):
    """(other seats still in, the next of them, the most hand and face-down cards one of them has)."""
    others = 0
    following = 0
    most = 0
    for other in range(starts[TURN + 1] - starts[TURN] - 1, 0, -1):
        if is_in(observation, starts, other):
            others += 1
            following = other
            most = max(most, hand_and_face_down(observation, starts, other))
    return others, following, most


@rule
def next_seat(observation, starts, following, decks):
    """(where the known cards of the zone that a seat plays from lie, how many cards are there beyond those)."""
    zone = starts[ZONE] + 3 * following
    if observation[zone] > 0:
        shown = starts[THEIR_KNOWN] + (following - 1) * RANKS
        hidden = size(observation[starts[HAND_SIZE] + following])
        for rank in range(RANKS):
            hidden -= count(observation, shown + rank, decks)
        return shown, max(hidden, 0)
    shown = starts[THEIR_FACE_UP] + (following - 1) * RANKS
    # One face-down card will be turned over; the face-up cards, none by then, say the right thing of it: nothing.
    return shown, (0 if observation[zone + 1] > 0 else 1)


@rule
def best_play(observation, mask, starts):
    """The play with the highest score; the pile is taken only when there is none."""
    lowest = 0
    while lowest < PICK_UP and mask[lowest] == 0:
        lowest += 1
    another = lowest + 1
    while another < PICK_UP and mask[another] == 0:
        another += 1
    if another >= PICK_UP:
        return lowest
    here = look(observation, starts)
    best = lowest
    best_score = -np.inf
    # From the highest number down: the cards that can answer a number are those met on the way, itself included.
    unseen_above = 0
    shown_above = 0
    own_above = 0
    for rank in range(NUMBERS - 1, lowest // COPIES - 1, -1):
        left = unseen(observation, starts, rank, here.decks)
        shown = count(observation, here.next_shown + rank, here.decks)
        lying = lying_on_top(observation, starts, rank)
        held = count(observation, here.cards + rank, here.decks)
        unseen_above += left
        shown_above += shown
        own_above += held
        if rank == FOUR:
            stuck, lured = answers(here, here.unseen_low, here.shown_low)
        else:
            stuck, lured = answers(here, unseen_above, shown_above)
        for copies in range(1, COPIES + 1):
            if mask[rank * COPIES + copies - 1]:
                follow = (here.numbers if rank == FOUR else own_above) - copies
                score = number_score(here, rank, copies, lying, held, shown, stuck, lured, follow)
                if score > best_score:
                    best_score = score
                    best = rank * COPIES + copies - 1
    for action in range(PLAY_POO_HEAD, PLAY_BOMB + 1):
        if mask[action]:
            score = special_score(here, action)
            if score > best_score:
                best_score = score
                best = action
    return best


@rule
def answers(here, left, shown):
    """(chance that the next seat cannot answer, chance that it can only with a special it is known to have).

    ``left`` unseen numbers and ``shown`` known ones of that seat would be legal.
    """
    if shown > 0:
        return 0.0, 0.0
    miss = (1.0 - min((left + here.unseen_specials) / here.unseen, 1.0)) ** here.next_hidden
    if here.shown_special:
        return 0.0, miss
    return miss, 0.0


@rule
def number_score(here, rank, copies, lying, held, shown, stuck, lured, follow):
    """What laying copies of a number is worth.

    Of equal cards, ``lying`` are on top of the pile, ``held`` can be laid, ``shown`` are known to be the next seat's.
    ``stuck`` and ``lured`` as in ``answers``; ``follow`` own cards could be laid on it later.
    """
    p = here.phase
    height = 0.1 * rank
    score = CARDS[p] * copies + HEIGHT[p] * height + CARDS_HEIGHT[p] * copies * height
    score += (CARDS_SHARE[p] + CARDS_SHARE_HEIGHT[p] * height) * copies * here.few
    if here.others == 1:
        score += (DUEL_CARDS[p] + DUEL_CARDS_HEIGHT[p] * height) * copies
    if rank == FOUR:
        score += FOURS[p] + FOURS_SHARE[p] * copies * here.few
    if held > copies:
        score += SPLIT[p] + SPLIT_HEIGHT[p] * height
    if here.specials == 0:
        score += NO_SPECIAL[p]
    if lying + copies >= COPIES:
        return score + BURN[p]
    if lying + copies + shown >= COPIES:
        score += BURN_GIVEN[p]
    score += stuck * (STUCK[p] + STUCK_HEIGHT[p] * height + STUCK_BEHIND[p] * here.behind)
    score += stuck * STUCK_PILE[p] * saturated(here.pile + copies)
    return score + lured * (LURED[p] + LURED_HEIGHT[p] * height) + FOLLOW[p] * saturated(follow)


@rule
def special_score(here, action):
    """What laying a Poo Head or a Bomb is worth."""
    p = here.phase
    score = SPECIAL_DUEL[p] if here.others == 1 else SPECIAL_MANY[p] * (here.others - 1)
    if here.specials == 1:
        score += NO_SPECIAL[p]
    if action == PLAY_BOMB:
        return score + BOMB_LAID[p]
    return score + POO_HEAD_LAID[p] + FOLLOW[p] * saturated(here.numbers)


@rule
def saturated(n):
    """n / (n + 3): the first cards count most."""
    return n / (n + 3.0)
