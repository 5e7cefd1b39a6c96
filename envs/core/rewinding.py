"""What another seat must have held before a decision, if it holds now what a determinization says.

A game's ``rewind`` (see contract) takes a position back over one decision; of hidden hands, most of it is this: what
has left a hand was in it, what has come openly was not, and of what has come unseen nobody knows which cards it is.
"""

from .chance import below
from .compiler import rule


@rule
def rewind_hand(s, hand, after, known, known_after, kind_left, count_left, gained):
    """Writes into ``hand``, counts by kind (K,), what was held before a decision after which it is ``after``.

    ``known`` and ``known_after`` are the cards, by kind, that the viewer knew to be held; ``count_left`` cards of
    ``kind_left`` have left the hand by the decision, known ones first, and ``gained`` cards have come. Which of the
    cards are those that came unseen is drawn from the stream of ``s``. Returns 0 if that cannot have been.
    """
    hidden, free = gained, 0
    for kind in range(len(hand)):
        held, kept = after[kind], known[kind]
        if kind == kind_left:
            held += count_left
            kept = max(kept - count_left, 0)
        came = max(known_after[kind] - kept, 0)
        hand[kind] = held - came
        hidden -= came
        if hand[kind] < known[kind]:
            return 0
        free += hand[kind] - known[kind]
    if hidden < 0 or hidden > free:
        return 0
    for _ in range(hidden):
        ticket = below(s, free)
        kind = 0
        while ticket >= hand[kind] - known[kind]:
            ticket -= hand[kind] - known[kind]
            kind += 1
        hand[kind] -= 1
        free -= 1
    return 1
