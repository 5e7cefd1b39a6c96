"""The homes: which cats quarrel, what a home is worth, who has won, and who has too many poops (TM-14 to TM-21)."""

from ...core.chance import below
from ...core.compiler import rule
from .record import (
    AUTO_SCOOPER,
    BAD_FISH,
    BIG_DINNER,
    DELUXE_LITTER,
    FIRST_MODIFIER,
    GOAL,
    ITEMS,
    KINDS,
    LITTER_SIZE,
    LITTERS,
    MODIFIERS,
    NONE,
    OVER,
    PLAIN,
    RAINBOW,
    TOO_MANY,
    discard_item,
)

SUPPLY = 20  # poople tokens of the golden variant: 20 and five for each seat (TM-21)
SUPPLY_PER_SEAT = 5


@rule
def worth(cats, lone, in_litters, rainbows):
    """Points of a home (TM-15), rainbow cats counted for the best total.

    ``cats`` unflipped cats without the rainbow ones: ``lone`` of them without another of their litter,
    ``in_litters`` with one. A rainbow cat is worth 2 wherever it finds company, and one more when that was lone.
    """
    if rainbows == 1 and cats == 0:
        return 1
    return 2 * in_litters + lone + 2 * rainbows + min(lone, rainbows)


@rule
def lone(size):
    """1 if a litter of so many unflipped cats is a single cat."""
    return 1 if size == 1 else 0


@rule
def together(size):
    """Unflipped cats of a litter of so many that have company."""
    return size if size > 1 else 0


@rule
def update_home(s, seat):
    """Works out what follows from the cats of a home: flips, litters, points, and the change that each cat makes."""
    home = s.home[seat]
    upright = s.upright[seat]
    flipped = s.flipped[seat]
    litter = s.litter[seat]
    for j in range(LITTERS):
        litter[j] = 0
    size = home[RAINBOW]
    upright[RAINBOW] = size
    for kind in range(PLAIN):
        upright[kind] = home[kind]
        flipped[kind] = 0
        if home[kind] > 0:
            size += 1
            rival = s.rival[kind]
            if rival >= 0 and home[rival] > 0:
                upright[kind] = 0
                flipped[kind] = 1
            else:
                litter[kind // LITTER_SIZE] += 1
    s.home_size[seat] = size
    cats = 0
    singles = 0
    company = 0
    for j in range(LITTERS):
        cats += litter[j]
        singles += lone(litter[j])
        company += together(litter[j])
    s.points[seat] = worth(cats, singles, company, home[RAINBOW])
    update_changes(s, seat, cats, singles, company)


@rule
def update_changes(s, seat, cats, singles, company):
    """What the points of a home change by if one cat more came into it, or, for a cat that is there, if it left."""
    home = s.home[seat]
    change = s.change[seat]
    rainbows = home[RAINBOW]
    points = s.points[seat]
    for j in range(LITTERS):
        size = s.litter[seat, j]
        rest = singles - lone(size)
        others = company - together(size)
        more = worth(cats + 1, rest + lone(size + 1), others + together(size + 1), rainbows) - points
        fewer = 0
        if size > 0:
            fewer = worth(cats - 1, rest + lone(size - 1), others + together(size - 1), rainbows) - points
        for kind in range(j * LITTER_SIZE, (j + 1) * LITTER_SIZE):
            # Of this cat itself; where a rival is concerned, its litter's turn writes the entry instead.
            rival = s.rival[kind]
            quarrel = rival >= 0 and home[rival] > 0
            if not quarrel:
                change[kind] = fewer if home[kind] > 0 else more
            if rival >= 0 and home[kind] > 0:
                change[rival] = more if home[rival] > 0 else fewer
    change[RAINBOW] = worth(cats, singles, company, rainbows + 1) - points
    s.rainbow_change[seat] = worth(cats, singles, company, rainbows - 1) - points if rainbows > 0 else 0


@rule
def put_cat(s, seat, kind):
    """A cat into a home."""
    s.home[seat, kind] += 1
    update_home(s, seat)


@rule
def take_cat(s, seat, kind):
    """A cat out of a home."""
    s.home[seat, kind] -= 1
    update_home(s, seat)


@rule
def to_wild(s, kind):
    """A cat into The Wild."""
    s.wild[kind] += 1
    s.wild_size += 1


@rule
def test_win(s):
    """TM-16: ten points win at once; first the seat whose turn it is, then turn order."""
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        if s.points[seat] >= GOAL:
            s.winner = seat
            s.phase = OVER
            return


@rule
def poops_to_come(s, seat):
    """TM-17: what a seat adds at the end of its turn."""
    modifiers = s.modifiers[seat]
    poops = s.home_size[seat]
    poops -= modifiers[AUTO_SCOOPER - FIRST_MODIFIER] + 2 * modifiers[DELUXE_LITTER - FIRST_MODIFIER]
    poops += modifiers[BIG_DINNER - FIRST_MODIFIER] + 2 * modifiers[BAD_FISH - FIRST_MODIFIER]
    return poops if poops > 0 else 0


@rule
def add_poops(s):
    """TM-17, TM-21: the seat at turn adds its poops."""
    poops = poops_to_come(s, s.turn)
    if s.golden_poople == 0:
        s.poops[s.turn] += poops
        return
    lying = 0
    for seat in range(s.num_players):
        lying += s.poops[seat]
    supply = SUPPLY + SUPPLY_PER_SEAT * s.num_players
    golden = 0
    for _ in range(poops):
        if golden == 0 and below(s, max(supply - lying, 0) + 1) == 0:
            golden = 1
            for seat in range(s.num_players):
                if seat != s.turn and s.out[seat] == 0:
                    s.poops[seat] += 1
        else:
            s.poops[s.turn] += 1
            lying += 1


@rule
def seats_left(s):
    """How many seats are still in the game."""
    left = 0
    for seat in range(s.num_players):
        left += 1 - s.out[seat]
    return left


@rule
def send_out(s):
    """TM-18, TM-19: who has ten poops is out, from the seat at turn on, as long as two are left; the last one wins."""
    left = seats_left(s)
    for step in range(s.num_players):
        seat = (s.turn + step) % s.num_players
        if left > 1 and s.out[seat] == 0 and s.poops[seat] >= TOO_MANY and s.points[seat] < GOAL:
            leave(s, seat)
            left -= 1
    if left == 1:
        for seat in range(s.num_players):
            if s.out[seat] == 0:
                s.winner = seat
        s.phase = OVER


@rule
def leave(s, seat):
    """TM-18: everything that a seat has goes back."""
    s.out[seat] = 1
    s.poops[seat] = 0
    for kind in range(KINDS):
        cats = s.home[seat, kind] + s.hand_cats[seat, kind]
        s.wild[kind] += cats
        s.wild_size += cats
        s.home[seat, kind] = 0
        s.hand_cats[seat, kind] = 0
        s.known_cats[seat, kind] = 0
    for item in range(ITEMS):
        for _ in range(s.hand_items[seat, item]):
            discard_item(s, item)
        s.hand_items[seat, item] = 0
        s.known_items[seat, item] = 0
    for k in range(MODIFIERS):
        for _ in range(s.modifiers[seat, k]):
            discard_item(s, FIRST_MODIFIER + k)
        s.modifiers[seat, k] = 0
    s.num_cats[seat] = 0
    s.num_items[seat] = 0
    close_home(s, seat)


@rule
def close_home(s, seat):
    """The home of a seat that is out: nothing can come into it any more."""
    update_home(s, seat)
    for kind in range(KINDS):
        s.change[seat, kind] = 0


@rule
def next_seat(s, seat):
    """The next seat clockwise that is still in the game."""
    for step in range(1, s.num_players + 1):
        other = (seat + step) % s.num_players
        if s.out[other] == 0:
            return other
    return seat


@rule
def home_of(s, kind, but):
    """The first home, except that of seat ``but``, in which a cat of a kind lies, NONE if it lies in none."""
    for seat in range(s.num_players):
        if seat != but and s.home[seat, kind] > 0:
            return seat
    return NONE


@rule
def homes_with(s, kind, but):
    """In how many homes, except that of seat ``but``, a cat of a kind lies."""
    homes = 0
    for seat in range(s.num_players):
        if seat != but and s.home[seat, kind] > 0:
            homes += 1
    return homes
