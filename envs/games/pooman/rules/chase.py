"""The chase (PM-12 to PM-20): a run around a room in ticks, in which all choose unseen and then move together."""

from ....core import history
from ....core.compiler import rule
from ..record import (
    BALANCED,
    BALANCER,
    CHASE,
    EAST,
    FREE,
    HIDDEN,
    NORTH,
    POOCICLE,
    POODINI,
    POOPERMAN,
    POWER_FLUSH,
    SOUTH,
    STAY,
    TOUCHED,
    USE,
    WEST,
)
from .front import discard_all, discard_one


@rule
def column_after(s, column, step):
    """The column after a step; a step into a wall means stay (PM-13)."""
    if step == EAST and column + 1 < s.room_size:
        return column + 1
    if step == WEST and column > 0:
        return column - 1
    return column


@rule
def row_after(s, row, step):
    """The row after a step; row 0 is at the north wall."""
    if step == SOUTH and row + 1 < s.room_size:
        return row + 1
    if step == NORTH and row > 0:
        return row - 1
    return row


@rule
def takes_part(s, seat):
    """PM-20: 1 for a player that is neither touched, hidden nor balanced and has something to lose."""
    return 1 if s.fate[seat] == FREE and (s.held[seat] > 0 or s.empty_handed_run != 0) else 0


@rule
def gather_runners(s):
    """Notes who is in the chase; returns how many players that are."""
    runners = 0
    for seat in range(s.num_players):
        s.running[seat] = takes_part(s, seat)
        runners += s.running[seat]
    return runners


@rule
def begin_chase(s):
    """PM-12: everyone in place; 0 if nobody is in the chase and it does not begin (PM-20)."""
    for seat in range(s.num_players):
        s.fate[seat] = FREE
        s.cell[seat, 0] = s.start[seat, 0]
        s.cell[seat, 1] = s.start[seat, 1]
    s.cell[s.num_players, 0] = s.room_size // 2
    s.cell[s.num_players, 1] = 0
    s.ticks = s.pooperman_ticks if s.card == POOPERMAN else s.chase_ticks
    s.freeze = 0
    if gather_runners(s) == 0:
        return 0
    s.phase = CHASE
    begin_tick(s)
    return 1


@rule
def begin_tick(s):
    """Nobody has chosen yet; the first player in the chase is to."""
    for seat in range(s.num_players + 1):
        s.num_moves[seat] = 0
        s.plan[seat, 0] = s.cell[seat, 0]
        s.plan[seat, 1] = s.cell[seat, 1]
    s.acting = next_chooser(s, 0)


@rule
def next_chooser(s, seat):
    """The first seat from this one on that chooses in a tick, -1 if none: players in the chase, then the Pooman."""
    for other in range(seat, s.num_players):
        if s.running[other]:
            return other
    return s.num_players if s.freeze == 0 else -1


@rule
def choose(s, action):
    """PM-13, PM-15: a choice of the seat to act; after the tick's last, all is carried out. 0 when the chase ends."""
    seat = s.acting
    s.moves[seat, s.num_moves[seat]] = action
    s.num_moves[seat] += 1
    if action >= STAY:
        s.plan[seat, 0] = column_after(s, s.plan[seat, 0], action)
        s.plan[seat, 1] = row_after(s, s.plan[seat, 1], action)
        if s.num_moves[seat] < (s.player_speed if seat < s.num_players else s.pooman_speed):
            return 1
    if seat < s.num_players:
        s.acting = next_chooser(s, seat + 1)
        if s.acting >= 0:
            return 1
    return carry_out_tick(s)


@rule
def carry_out_tick(s):
    """Specials, then moves and touches, then the clock; 0 when the chase ends (PM-20)."""
    if play_specials(s):
        return 0
    pooman = s.num_players
    for seat in range(pooman + (s.freeze == 0)):
        note_steps(s, seat)
    if s.freeze > 0:  # PM-18: it stays where it is and touches nobody, and the clock stands still
        s.plan[pooman, 0] = s.cell[pooman, 0]
        s.plan[pooman, 1] = s.cell[pooman, 1]
        s.freeze -= 1
    else:
        for seat in range(pooman):
            if takes_part(s, seat) and is_caught(s, seat):
                s.fate[seat] = TOUCHED
                discard_all(s, seat)
        s.ticks -= 1
    for seat in range(pooman + 1):
        s.cell[seat, 0] = s.plan[seat, 0]
        s.cell[seat, 1] = s.plan[seat, 1]
    if gather_runners(s) == 0 or s.ticks == 0:
        return 0
    begin_tick(s)
    return 1


@rule
def note_steps(s, seat):
    """The steps of a seat in this tick, which are seen now; one into a wall looks as if it stayed."""
    column = s.cell[seat, 0]
    row = s.cell[seat, 1]
    for k in range(s.num_moves[seat]):
        step = s.moves[seat, k]
        if step >= STAY and (seat == s.num_players or s.running[seat]):
            old_column = column
            old_row = row
            column = column_after(s, column, step)
            row = row_after(s, row, step)
            moved = column != old_column or row != old_row
            history.note(s, seat, step if moved else STAY)


@rule
def play_specials(s):
    """PM-15 to PM-18, PM-24: the specials chosen in this tick, in seat order; 1 if one ends the chase.

    Against the Pooperman they are lost (PM-6).
    """
    for seat in range(s.num_players):
        if s.running[seat] and s.num_moves[seat] > 0 and s.moves[seat, 0] < STAY:
            kind = s.moves[seat, 0] - USE + POWER_FLUSH
            history.note(s, seat, s.moves[seat, 0])
            discard_one(s, seat, kind)
            if s.card != POOPERMAN:
                if kind == POWER_FLUSH:
                    return 1
                if kind == POODINI:
                    s.fate[seat] = HIDDEN
                elif kind == BALANCER:
                    s.fate[seat] = BALANCED
                elif kind == POOCICLE:
                    s.freeze = s.freeze_ticks
                    s.ticks = s.chase_ticks
    return 0


@rule
def is_caught(s, seat):
    """PM-14: whether the Pooman's path of this tick meets where the player ends, or crosses its way."""
    pooman = s.num_players
    column = s.cell[pooman, 0]
    row = s.cell[pooman, 1]
    apart = abs(s.cell[seat, 0] - column) + abs(s.cell[seat, 1] - row)
    if apart > s.pooman_speed + s.player_speed:  # too far for any path; the usual case
        return 0
    for k in range(s.num_moves[pooman]):
        old_column = column
        old_row = row
        column = column_after(s, column, s.moves[pooman, k])
        row = row_after(s, row, s.moves[pooman, k])
        if column != old_column or row != old_row:
            if s.plan[seat, 0] == column and s.plan[seat, 1] == row:
                return 1
            if steps_across(s, seat, column, row, old_column, old_row):
                return 1
    return 1 if s.plan[seat, 0] == column and s.plan[seat, 1] == row else 0


@rule
def steps_across(s, seat, column, row, to_column, to_row):
    """Whether one of the player's steps of this tick leads from one of these cells to the other."""
    x = s.cell[seat, 0]
    y = s.cell[seat, 1]
    for k in range(s.num_moves[seat]):
        step = s.moves[seat, k]
        from_here = x == column and y == row
        x = column_after(s, x, step)
        y = row_after(s, y, step)
        if from_here and x == to_column and y == to_row:
            return 1
    return 0
