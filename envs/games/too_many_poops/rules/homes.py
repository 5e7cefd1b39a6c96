"""The homes: which cats quarrel, what a home is worth, and who has won (TM-14 to TM-16)."""

from ....core.compiler import rule
from ..record import GOAL, LITTER_SIZE, LITTERS, NONE, OVER, PLAIN, RAINBOW


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
