"""Too Many Poops: ten points of cats at home before ten poops lie in the litter box.

Source: the game's own rulebook; docs/games/too_many_poops.md states every rule under its number (TM-1 ... TM-23) and
says what the rulebook leaves open. Cards and record: ``state``; homes, points and poops: ``homes``; the frame of a
turn: ``turn``; cats, items and reactions: ``items``.
"""

from ...core.chance import below, shuffle
from ...core.compiler import rule
from .homes import update_home
from .items import allow_parts, allow_plays, allow_reaction, choose_part, choose_play, react
from .record import (
    CAT,
    CHOOSE,
    DEALT_CATS,
    DEALT_ITEMS,
    DRAW,
    DRAW_WILD,
    END,
    ITEMS,
    ITEMS_A_TURN,
    KINDS,
    MODIFIERS,
    NONE,
    NUM_ACTIONS,
    OVER,
    PLAIN,
    PLAY,
    RAINBOW,
    STORE,
    WILD,
    state_dtype,
)
from .turn import allow_draws, begin_turn, draw

__all__ = [
    "apply_action",
    "truncated_returns",
    "current_player",
    "deal",
    "is_terminal",
    "is_truncated",
    "legal_actions",
    "returns",
    "state_dtype",
]


@rule
def deal(s):
    """TM-1, TM-2: shuffled decks, two cats and three items each, the store; a random seat is to begin."""
    clear(s)
    for kind in range(PLAIN):
        s.cat_deck[kind] = kind
    for k in range(s.rainbow_cats):
        s.cat_deck[PLAIN + k] = RAINBOW
    s.cat_deck_size = PLAIN + s.rainbow_cats
    for item in range(ITEMS):
        for _ in range(s.item_count[item]):
            s.item_deck[s.item_deck_size] = item
            s.item_deck_size += 1
    shuffle(s, s.cat_deck, s.cat_deck_size)
    shuffle(s, s.item_deck, s.item_deck_size)
    for seat in range(s.num_players):
        for _ in range(DEALT_CATS):
            s.cat_deck_size -= 1
            s.hand_cats[seat, s.cat_deck[s.cat_deck_size]] += 1
        for _ in range(DEALT_ITEMS):
            s.item_deck_size -= 1
            s.hand_items[seat, s.item_deck[s.item_deck_size]] += 1
        s.num_cats[seat] = DEALT_CATS
        s.num_items[seat] = DEALT_ITEMS
    for k in range(STORE):
        s.cat_deck_size -= 1
        s.store_cats[k] = s.cat_deck[s.cat_deck_size]
        s.item_deck_size -= 1
        s.store_items[k] = s.item_deck[s.item_deck_size]
    s.turn = below(s, s.num_players)


@rule
def clear(s):
    """An empty table, before anything is dealt."""
    s.phase = CHOOSE
    s.decisions = 0
    s.winner = NONE
    s.truncated = 0
    s.cat_played = 0
    s.cats_left = 1
    s.items_left = ITEMS_A_TURN
    s.pending_act = NONE
    s.pending_own = NONE
    s.pending_cat = NONE
    s.stack_size = 0
    s.stack_home = NONE
    s.stack_own = NONE
    s.stack_cat = NONE
    s.asked = NONE
    s.arrival_cat = NONE
    s.arrival_home = NONE
    s.wild_size = 0
    s.item_deck_size = 0
    s.discard_size = 0
    for kind in range(KINDS):
        s.wild[kind] = 0
    for item in range(ITEMS):
        s.discard[item] = 0
    for seat in range(s.num_players):
        clear_seat(s, seat)


@rule
def clear_seat(s, seat):
    """A seat without any cards."""
    s.out[seat] = 0
    s.poops[seat] = 0
    s.chosen[seat] = NONE
    for kind in range(KINDS):
        s.hand_cats[seat, kind] = 0
        s.known_cats[seat, kind] = 0
        s.home[seat, kind] = 0
    for item in range(ITEMS):
        s.hand_items[seat, item] = 0
        s.known_items[seat, item] = 0
    for k in range(MODIFIERS):
        s.modifiers[seat, k] = 0
    s.num_cats[seat] = 0
    s.num_items[seat] = 0
    update_home(s, seat)


@rule
def current_player(s):
    """The seat to act, -1 when the game is over."""
    if s.phase == OVER:
        return -1
    if s.phase == CHOOSE:
        return chooser(s)
    return s.asked if s.asked >= 0 else s.turn


@rule
def chooser(s):
    """The first seat, clockwise from the one to begin, that has not chosen its cat (TM-2); -1 if all have."""
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        if s.chosen[seat] == NONE:
            return seat
    return -1


@rule
def is_terminal(s):
    """Whether the game is over, truncated or not."""
    return s.phase == OVER


@rule
def is_truncated(s):
    """Whether the decision cap ended the game (TM-22)."""
    return s.truncated != 0


@rule
def legal_actions(s, mask):
    """Writes the action mask, int8[71], of the seat to act: 1 is legal; all 0 when over."""
    for action in range(NUM_ACTIONS):
        mask[action] = 0
    if s.phase == OVER:
        return
    if s.phase == CHOOSE:
        seat = chooser(s)
        for kind in range(KINDS):
            if s.hand_cats[seat, kind] > 0:
                mask[CAT + kind] = 1
    elif s.asked >= 0:
        allow_reaction(s, mask)
    elif s.pending_act >= 0:
        allow_parts(s, mask)
    elif s.phase == DRAW:
        allow_draws(s, mask)
    else:
        allow_plays(s, mask)


@rule
def apply_action(s, action):
    """Carries out a legal action of the seat to act, with all that follows from it."""
    s.decisions += 1
    if s.phase == CHOOSE:
        s.chosen[chooser(s)] = action - CAT
        if chooser(s) < 0:
            reveal(s)
    elif s.asked >= 0:
        react(s, action)
    elif s.pending_act >= 0:
        choose_part(s, action)
    elif s.phase == PLAY:
        choose_play(s, action)
    elif action == END:
        s.phase = PLAY
    elif action == DRAW_WILD:
        s.pending_act = WILD
    else:
        draw(s, action)
    # A win on the last allowed decision counts (TM-22).
    if s.phase != OVER and s.decisions >= s.max_decisions:
        s.truncated = 1
        s.phase = OVER


@rule
def reveal(s):
    """TM-2: the chosen cats come home, and the seat to begin draws."""
    for seat in range(s.num_players):
        kind = s.chosen[seat]
        s.chosen[seat] = NONE
        s.hand_cats[seat, kind] -= 1
        s.num_cats[seat] -= 1
        s.home[seat, kind] += 1
        update_home(s, seat)
    begin_turn(s, s.turn)


@rule
def returns(s, out):
    """Writes the payoffs so far, float32[num_players] (TM-22)."""
    for seat in range(s.num_players):
        out[seat] = 0.0
    if s.winner >= 0:
        for seat in range(s.num_players):
            out[seat] = -1.0 / (s.num_players - 1)
        out[s.winner] = 1.0


@rule
def standing(s, seat):
    """Where a seat stands in a game cut short: by points, then by fewer poops; behind all others if it is out."""
    return -1_000_000 if s.out[seat] else s.points[seat] * 1_000 - s.poops[seat]


@rule
def truncated_returns(s, out):
    """For training: what a truncated game counts as, float32[num_players]; stalling must not be a way out.

    Ranked by points, then by fewer poops: the best share the win of one, the others the loss of one; 0 if all are even.
    """
    best = standing(s, 0)
    for seat in range(1, s.num_players):
        best = max(best, standing(s, seat))
    leaders = 0
    for seat in range(s.num_players):
        if standing(s, seat) == best:
            leaders += 1
    for seat in range(s.num_players):
        if leaders == s.num_players:
            out[seat] = 0.0
        elif standing(s, seat) == best:
            out[seat] = 1.0 / leaders
        else:
            out[seat] = -1.0 / (s.num_players - leaders)
