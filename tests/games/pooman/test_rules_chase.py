"""The chase: who is in it, where they stand, how they move, who is touched (PM-5, PM-6, PM-12 to PM-14, PM-20)."""

import pytest

from .table import CARDS, DREADED, FILLER, FLUSH, GAME, STEPS, act, chasing, legal, position, uses

FAR = [10, 10]  # where a player stands whom nobody reaches


def state_of(s):
    return GAME.dump(s)["chase_state"]


def wait(s, ticks):
    """Everybody stands still for some ticks."""
    for _ in range(ticks):
        before = state_of(s)["ticks"], state_of(s)["freeze"]
        act(s, "stay")
        while GAME.dump(s)["phase"] == "chase" and (state_of(s)["ticks"], state_of(s)["freeze"]) == before:
            act(s, "stay")


# ---------------------------------------------------------------- PM-5, PM-6: the cards


@pytest.mark.rule("PM-5")
def test_a_pooman_card_begins_a_chase_of_ten_seconds():
    s = position([["1 star"], ["2 stars"]], deck=["pooman", *FILLER])
    dump = act(s, "draw")
    assert dump["phase"] == "chase" and dump["card"] == "pooman" and dump["discard"] == [] and dump["turn"] == 0
    assert dump["chase_state"] == {
        "kind": "pooman", "ticks": 10, "freeze": 0, "pooman": [5, 0], "players": [[3, 2], [7, 2]],
        "touched": [], "hidden": [], "balanced": [], "moves": [None, None], "pooman_moves": [],
    }  # fmt: skip


@pytest.mark.rule("PM-6")
def test_a_pooperman_card_begins_a_chase_of_twenty_seconds():
    s = position([["1 star"], ["2 stars"]], deck=["pooperman", *FILLER])
    dump = act(s, "draw")
    assert dump["phase"] == "chase" and dump["card"] == "pooperman" and dump["discard"] == []
    assert dump["chase_state"]["kind"] == "pooperman" and dump["chase_state"]["ticks"] == 20


@pytest.mark.rule("PM-5")
@pytest.mark.rule("PM-6")
@pytest.mark.parametrize(
    ("card", "fields", "seconds"),
    [
        ("pooman", {}, 10),
        ("pooperman", {}, 20),
        ("pooman", {"chase_ticks": 3}, 3),
        ("pooperman", {"chase_ticks": 3}, 20),
        ("pooman", {"pooperman_ticks": 2}, 10),
        ("pooperman", {"pooperman_ticks": 2}, 2),
        ("pooman", {"chase_ticks": 1}, 1),
    ],
)
def test_when_the_seconds_are_over_the_card_is_discarded_and_the_turn_ends(card, fields, seconds):
    s = position([["poodini"], ["1 star"], ["2 stars"]], deck=[card, *FILLER], turn=1, **fields)
    act(s, "draw")
    for second in range(seconds):
        assert state_of(s)["ticks"] == seconds - second
        for seat in (0, 1, 2, 3, 3):  # all players in seat order, then the Pooman twice
            assert GAME.current_player(s) == seat and GAME.dump(s)["phase"] == "chase"
            act(s, "stay")
    dump = GAME.dump(s)
    assert dump["phase"] == "draw" and dump["card"] is None and dump["chase_state"] is None
    assert dump["discard"] == [card] and dump["turn"] == 2 == GAME.current_player(s) and legal(s) == {"draw"}
    assert dump["fronts"] == [["poodini"], ["1 star"], ["2 stars"]]
    assert dump["decisions"] == 1 + 5 * seconds


# ---------------------------------------------------------------- PM-12: the room

HALF_CIRCLE = [[2, 1], [3, 2], [4, 3], [5, 4], [6, 3], [7, 2], [8, 1]]  # four steps from [5, 0], west to east


@pytest.mark.rule("PM-12")
@pytest.mark.parametrize(
    ("players", "places"),
    [(2, [1, 5]), (3, [1, 3, 5]), (4, [0, 2, 4, 6]), (5, [0, 2, 3, 4, 6]), (6, [0, 1, 2, 4, 5, 6])],
)
def test_players_start_on_the_half_circle_west_to_east(players, places):
    s = position([["1 star"] for _ in range(players)], deck=["pooman", *FILLER])
    act(s, "draw")
    assert state_of(s)["pooman"] == [5, 0]
    assert state_of(s)["players"] == [HALF_CIRCLE[place] for place in places]


@pytest.mark.rule("PM-12")
@pytest.mark.parametrize(
    ("room_size", "start_distance", "players", "pooman", "cells"),
    [
        # one step away: only the cell south of the Pooman
        (11, 1, 3, [5, 0], [[5, 1], [5, 1], [5, 1]]),
        # two steps: [4, 1], [5, 2], [6, 1]
        (11, 2, 2, [5, 0], [[4, 1], [6, 1]]),
        (11, 2, 4, [5, 0], [[4, 1], [5, 2], [5, 2], [6, 1]]),
        # an even room has its middle east of the centre line
        (10, 3, 3, [5, 0], [[3, 1], [5, 3], [7, 1]]),
        (10, 5, 2, [5, 0], [[3, 3], [7, 3]]),
        # the west wall cuts the half circle off: [0, 1], [1, 2], [2, 3], [3, 2]
        (4, 3, 3, [2, 0], [[0, 1], [2, 3], [3, 2]]),
        (4, 3, 2, [2, 0], [[1, 2], [3, 2]]),
        (4, 3, 4, [2, 0], [[0, 1], [1, 2], [2, 3], [3, 2]]),
        # the south wall cuts its middle out: [0, 3], [1, 4], [3, 4], [4, 3]
        (5, 5, 2, [2, 0], [[1, 4], [4, 3]]),
        (5, 5, 4, [2, 0], [[0, 3], [1, 4], [3, 4], [4, 3]]),
        (5, 5, 6, [2, 0], [[0, 3], [1, 4], [1, 4], [3, 4], [4, 3], [4, 3]]),
        # the farthest corners
        (5, 6, 3, [2, 0], [[0, 4], [4, 4], [4, 4]]),
        (4, 5, 2, [2, 0], [[0, 3], [0, 3]]),
        (2, 1, 2, [1, 0], [[1, 1], [1, 1]]),
        (2, 2, 2, [1, 0], [[0, 1], [0, 1]]),
        (3, 1, 2, [1, 0], [[1, 1], [1, 1]]),
    ],
)
def test_rooms_and_distances(room_size, start_distance, players, pooman, cells):
    fields = {"room_size": room_size, "start_distance": start_distance}
    s = position([["1 star"] for _ in range(players)], deck=["pooman", *FILLER], **fields)
    act(s, "draw")
    assert state_of(s)["pooman"] == pooman and state_of(s)["players"] == cells


@pytest.mark.rule("PM-12")
@pytest.mark.parametrize(
    ("room_size", "start_distance"), [(11, 16), (11, 0), (4, 6), (5, 7), (2, 3), (3, 4), (11, 100), (11, -1)]
)
def test_a_start_distance_without_a_cell_is_refused(room_size, start_distance):
    with pytest.raises(ValueError, match="start_distance"):
        GAME.new_state(seed=0, room_size=room_size, start_distance=start_distance)
    with pytest.raises(ValueError, match="start_distance"):
        position([[], []], room_size=room_size, start_distance=start_distance)


@pytest.mark.rule("PM-12")
@pytest.mark.parametrize(("room_size", "start_distance"), [(11, 15), (4, 5), (5, 6), (2, 2), (3, 3)])
def test_the_farthest_start_distance_there_is(room_size, start_distance):
    assert GAME.new_state(seed=0, room_size=room_size, start_distance=start_distance) is not None


@pytest.mark.rule("PM-12")
def test_everyone_is_back_in_place_for_the_next_chase():
    s = position([["1 star"], ["2 stars"]], deck=["pooman", "pooman", *FILLER], chase_ticks=1)
    start = act(s, "draw")["chase_state"]
    assert act(s, "south", "east", "west", "west")["phase"] == "draw"
    dump = act(s, "draw")
    assert dump["chase_state"] == start and dump["turn"] == 1


# ---------------------------------------------------------------- PM-13: ticks and steps


@pytest.mark.rule("PM-13")
@pytest.mark.parametrize(
    ("step", "cell"), [("stay", [4, 6]), ("north", [4, 5]), ("east", [5, 6]), ("south", [4, 7]), ("west", [3, 6])]
)
def test_a_player_stays_or_takes_one_step(step, cell):
    s = chasing([["1 star"], ["1 star"]], pooman=[0, 0], players=[[4, 6], FAR])
    act(s, step, "stay", "stay", "stay")
    assert state_of(s)["players"] == [cell, FAR]


@pytest.mark.rule("PM-13")
@pytest.mark.parametrize(
    ("first", "second", "cell"),
    [
        ("stay", "stay", [4, 6]), ("north", "north", [4, 4]), ("east", "south", [5, 7]),
        ("west", "stay", [3, 6]), ("stay", "south", [4, 7]), ("east", "west", [4, 6]),
    ],
)  # fmt: skip
def test_the_pooman_takes_two_steps_of_one_cell_each(first, second, cell):
    s = chasing([["1 star"], ["1 star"]], pooman=[4, 6], players=[[0, 0], FAR])
    act(s, "stay", "stay")
    assert GAME.current_player(s) == 2 and legal(s) == STEPS
    act(s, first)
    assert GAME.current_player(s) == 2 and legal(s) == STEPS and state_of(s)["pooman"] == [4, 6]
    act(s, second)
    assert state_of(s)["pooman"] == cell and GAME.current_player(s) == 0


@pytest.mark.rule("PM-13")
def test_choices_are_made_in_seat_order_and_carried_out_together():
    cells = [[2, 5], [5, 5], [8, 5]]
    s = chasing([["1 star"], ["2 stars"], [FLUSH]], pooman=[5, 0], players=cells)
    choices = [(0, "north"), (1, "stay"), (2, "south"), (3, "west"), (3, "south")]
    for count, (seat, step) in enumerate(choices):
        now = state_of(s)
        assert GAME.current_player(s) == seat and now["players"] == cells and now["pooman"] == [5, 0]
        made = [[name] for chooser, name in choices[:count] if chooser < 3]
        assert now["moves"] == made + [None] * (3 - len(made))
        assert now["pooman_moves"] == [name for chooser, name in choices[:count] if chooser == 3]
        assert now["ticks"] == 10
        act(s, step)
    now = state_of(s)
    assert now["players"] == [[2, 4], [5, 5], [8, 6]] and now["pooman"] == [4, 1] and now["ticks"] == 9
    assert now["moves"] == [None] * 3 and now["pooman_moves"] == [] and GAME.current_player(s) == 0


@pytest.mark.rule("PM-13")
@pytest.mark.parametrize("turn", range(3))
def test_choices_begin_with_player_0_whoever_turned_the_card(turn):
    s = position([["1 star"] for _ in range(3)], deck=["pooman", *FILLER], turn=turn)
    assert act(s, "draw")["turn"] == turn and GAME.current_player(s) == 0


@pytest.mark.rule("PM-13")
@pytest.mark.parametrize(("player_speed", "pooman_speed"), [(1, 1), (2, 1), (2, 3), (3, 2)])
def test_all_choices_of_one_seat_come_in_a_row(player_speed, pooman_speed):
    fields = {"player_speed": player_speed, "pooman_speed": pooman_speed}
    s = chasing([["1 star"], ["1 star"]], pooman=[0, 9], players=[[4, 5], FAR], **fields)
    walk = ["north", "east", "north"]
    for seat, count in ((0, player_speed), (1, player_speed), (2, pooman_speed)):
        for step in range(count):
            made = [*state_of(s)["moves"], state_of(s)["pooman_moves"] or None]
            assert made[seat] == (walk[:step] or None) and made[seat + 1 :] == [None] * (2 - seat)
            assert GAME.current_player(s) == seat and legal(s) == STEPS and state_of(s)["players"][0] == [4, 5]
            act(s, walk[step])
    assert state_of(s)["players"][0] == [[4, 4], [5, 4], [5, 3]][player_speed - 1]
    assert state_of(s)["pooman"] == [[0, 8], [1, 8], [1, 7]][pooman_speed - 1]


@pytest.mark.rule("PM-13")
@pytest.mark.parametrize(
    ("cell", "step"),
    [
        ([0, 5], "west"), ([10, 5], "east"), ([5, 0], "north"), ([5, 10], "south"), ([0, 0], "north"),
        ([0, 0], "west"), ([10, 10], "south"), ([10, 10], "east"),
    ],
)  # fmt: skip
def test_a_step_into_a_wall_is_legal_and_means_stay(cell, step):
    middle = [5, 5]
    s = chasing([["1 star"], ["1 star"]], pooman=middle, players=[cell, [2, 2]])
    assert legal(s) == STEPS
    act(s, step, "stay", "stay", "stay")
    assert state_of(s)["players"] == [cell, [2, 2]]
    s = chasing([["1 star"], ["1 star"]], pooman=cell, players=[middle, [2, 2]])
    act(s, "stay", "stay", step)
    assert legal(s) == STEPS
    act(s, step)
    assert state_of(s)["pooman"] == cell


@pytest.mark.rule("PM-13")
def test_a_step_into_a_wall_does_not_use_up_the_other_step():
    s = chasing([["1 star"], ["1 star"]], pooman=[0, 0], players=[[5, 5], FAR])
    act(s, "stay", "stay", "north", "east")
    assert state_of(s)["pooman"] == [1, 0]


@pytest.mark.rule("PM-13")
def test_the_walls_are_those_of_the_room():
    s = chasing([["1 star"], ["1 star"]], pooman=[1, 0], players=[[3, 3], [0, 3]], room_size=4, start_distance=2)
    act(s, "east", "west", "stay", "stay")
    assert state_of(s)["players"] == [[3, 3], [0, 3]]


@pytest.mark.rule("PM-13")
def test_players_may_share_a_cell_and_pass_each_other():
    s = chasing([["1 star"], ["1 star"], ["1 star"]], pooman=[0, 0], players=[[4, 5], [6, 5], [6, 5]])
    act(s, "east", "west", "stay", "stay", "stay")
    assert state_of(s)["players"] == [[5, 5], [5, 5], [6, 5]]
    act(s, "east", "stay", "west", "stay", "stay")
    assert state_of(s)["players"] == [[6, 5], [5, 5], [5, 5]] and state_of(s)["touched"] == []


# ---------------------------------------------------------------- PM-14: touched


TOUCHES = [
    # player from, its step, the Pooman from, its steps, touched?
    ([5, 5], "stay", [5, 3], ["south", "south"], True),  # it ends on the player's cell
    ([5, 5], "stay", [5, 4], ["south", "south"], True),  # it runs through
    ([5, 5], "stay", [5, 4], ["south", "north"], True),  # it enters and goes back
    ([5, 5], "stay", [5, 2], ["south", "south"], False),  # it stops beside
    ([5, 5], "east", [7, 5], ["west", "stay"], True),  # they meet on a cell
    ([5, 5], "east", [7, 5], ["stay", "west"], True),
    ([5, 5], "east", [6, 6], ["north", "north"], True),  # the player enters a cell that it ran through
    ([5, 5], "east", [4, 5], ["east", "stay"], False),  # the player leaves in time
    ([5, 5], "east", [4, 5], ["east", "east"], True),  # not in time
    ([5, 5], "north", [4, 5], ["east", "east"], False),  # it dodges
    ([5, 5], "east", [6, 5], ["west", "stay"], True),  # they cross an edge, head on
    ([5, 5], "east", [6, 5], ["west", "north"], True),  # the crossing counts wherever it ends
    ([5, 5], "east", [6, 5], ["west", "west"], True),
    ([5, 5], "east", [7, 5], ["west", "west"], True),
    ([5, 5], "east", [6, 5], ["stay", "west"], True),  # crossed with its second step
    ([5, 5], "north", [5, 4], ["south", "west"], True),
    ([5, 5], "south", [5, 6], ["north", "east"], True),
    ([5, 5], "west", [4, 5], ["east", "south"], True),
    ([5, 5], "east", [6, 5], ["north", "north"], False),  # into the cell that it has left
    ([5, 5], "east", [6, 5], ["stay", "north"], False),  # it neither entered that cell nor ended on it
    ([5, 5], "east", [6, 5], ["north", "south"], True),  # it has come back to it
    ([5, 5], "east", [6, 5], ["stay", "stay"], True),  # it ended on it
    ([5, 5], "stay", [5, 5], ["stay", "stay"], True),  # one cell, both stay
    ([5, 5], "stay", [5, 5], ["east", "east"], False),  # it leaves the cell they shared
    ([5, 5], "stay", [5, 5], ["east", "west"], True),  # and comes back
    ([5, 5], "east", [5, 5], ["stay", "stay"], False),
    ([5, 5], "east", [5, 5], ["east", "east"], True),  # side by side across an edge, and its cell was entered
    ([5, 5], "east", [5, 5], ["north", "north"], False),
    ([5, 5], "east", [5, 6], ["north", "west"], False),  # into the cell the player left, and on
    ([5, 5], "east", [4, 4], ["east", "south"], False),
    ([5, 0], "stay", [5, 2], ["north", "north"], True),
    ([5, 0], "north", [5, 1], ["north", "east"], True),  # the step into the wall means stay
    ([5, 1], "north", [5, 0], ["north", "north"], True),  # its steps into the wall mean that it ended there
    ([5, 1], "north", [5, 0], ["north", "east"], False),  # its step into the wall enters nothing
    ([0, 5], "west", [1, 5], ["west", "west"], True),
    ([0, 5], "stay", [1, 5], ["stay", "stay"], False),
]  # fmt: skip


@pytest.mark.rule("PM-14")
@pytest.mark.parametrize(("cell", "step", "pooman", "steps", "touched"), TOUCHES)
def test_who_is_touched(cell, step, pooman, steps, touched):
    s = chasing([["1 star"], ["2 stars"]], pooman=pooman, players=[cell, FAR])
    dump = act(s, step, "stay", *steps)
    assert dump["chase_state"]["touched"] == ([0] if touched else [])
    assert dump["fronts"] == [[] if touched else ["1 star"], ["2 stars"]]
    assert dump["discard"] == (["1 star"] if touched else [])
    column, row = {"stay": (0, 0), "north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}[step]
    arrived = [min(10, max(0, cell[0] + column)), min(10, max(0, cell[1] + row))]
    assert dump["chase_state"]["players"] == [arrived, FAR]  # touched or not, there its tick ended


@pytest.mark.rule("PM-14")
@pytest.mark.parametrize(
    ("cell", "moves", "pooman", "steps", "touched"),
    [
        ([5, 5], ["east", "east"], [7, 5], ["west"], True),  # crossed with the player's second step
        ([5, 5], ["east", "north"], [6, 5], ["west"], True),  # crossed with its first
        ([5, 5], ["east", "north"], [7, 5], ["west"], False),  # only passed through the cell: it is gone after the tick
        ([5, 5], ["east", "west"], [4, 5], ["east"], True),
        ([5, 5], ["east", "west"], [6, 5], ["west"], True),
        ([5, 5], ["east", "east"], [6, 4], ["south"], False),
        ([5, 5], ["north", "south"], [6, 5], ["north"], False),
    ],
)
def test_the_cell_after_the_tick_and_crossed_edges_count_for_quick_players_too(cell, moves, pooman, steps, touched):
    fields = {"player_speed": 2, "pooman_speed": 1}
    s = chasing([["1 star"], ["2 stars"]], pooman=pooman, players=[cell, FAR], **fields)
    dump = act(s, *moves, "stay", "stay", *steps)
    assert dump["chase_state"]["touched"] == ([0] if touched else [])


@pytest.mark.rule("PM-14")
@pytest.mark.parametrize("kind", DREADED)
def test_a_touched_player_loses_all_its_cards_and_is_out_of_this_chase(kind):
    front = ["1 star", "2 stars", "smell the freshness", FLUSH, "poodini", "poocicle", "balancer"]
    s = chasing([["1 star"], front, ["2 stars"]], pooman=[5, 3], players=[FAR, [5, 5], [0, 10]], kind=kind)
    dump = act(s, "stay", "east", "stay", "south", "south")
    assert dump["chase_state"]["touched"] == []
    dump = act(s, "stay", "north", "stay", "north", "east")  # crosses nobody, enters [6, 4]
    assert dump["chase_state"]["touched"] == [1] and dump["fronts"] == [["1 star"], [], ["2 stars"]]
    assert dump["discard"] == sorted(front, key=CARDS.index)
    assert dump["chase_state"]["players"][1] == [6, 4]  # it stays where its tick ended
    # it chooses no more, and stays there
    assert GAME.current_player(s) == 0
    act(s, "stay")
    assert GAME.current_player(s) == 2
    dump = act(s, "stay", "stay", "stay")
    assert dump["chase_state"]["players"][1] == [6, 4] and dump["chase_state"]["moves"] == [None] * 3
    assert dump["chase_state"]["touched"] == [1]


@pytest.mark.rule("PM-14")
def test_a_touched_player_is_not_out_of_the_game():
    s = chasing(
        [["1 star"], ["2 stars"]], pooman=[5, 3], players=[[5, 4], FAR], deck=["1 star"] * 3, state={"ticks": 1}
    )
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["phase"] == "draw" and dump["turn"] == 1 and dump["fronts"] == [[], ["2 stars"]]
    dump = act(s, "draw", "draw")
    assert dump["turn"] == 1 and dump["fronts"] == [["1 star"], ["1 star", "2 stars"]]


@pytest.mark.rule("PM-14")
def test_several_are_touched_in_one_tick():
    cells = [[5, 4], [5, 5], [5, 5], FAR]
    s = chasing([["1 star"], ["2 stars"], [FLUSH], ["poodini"]], pooman=[5, 3], players=cells)
    dump = act(s, "stay", "stay", "stay", "stay", "south", "south")
    assert dump["chase_state"]["touched"] == [0, 1, 2] and dump["fronts"] == [[], [], [], ["poodini"]]
    assert dump["discard"] == ["1 star", "2 stars", FLUSH]


@pytest.mark.rule("PM-14")
@pytest.mark.rule("PM-20")
def test_players_are_touched_in_the_last_second_too():
    s = chasing([["1 star"], ["2 stars"]], pooman=[5, 3], players=[[5, 5], FAR], state={"ticks": 1})
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["phase"] == "draw" and dump["fronts"] == [[], ["2 stars"]] and dump["discard"] == ["1 star", "pooman"]


# ---------------------------------------------------------------- PM-20: who takes part, and when it is over


@pytest.mark.rule("PM-20")
def test_players_without_cards_take_no_part():
    s = position([[], ["1 star"], [], ["poodini"]], deck=["pooman", *FILLER])
    act(s, "draw")
    for seat in (1, 3, 4, 4, 1):
        assert GAME.current_player(s) == seat
        act(s, "stay")
    cells = [[5, 5], [0, 10], [5, 4], FAR]
    s = chasing([[], ["1 star"], [], ["poodini"]], pooman=[5, 3], players=cells)
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["chase_state"]["touched"] == [] and dump["chase_state"]["players"] == cells


@pytest.mark.rule("PM-20")
@pytest.mark.parametrize("card", DREADED)
def test_with_nobody_in_it_the_chase_does_not_begin(card):
    s = position([[], [], []], deck=[card, *FILLER], turn=1)
    dump = act(s, "draw")
    assert dump["phase"] == "draw" and dump["chase_state"] is None and dump["card"] is None
    assert dump["discard"] == [card] and dump["turn"] == 2 and dump["decisions"] == 1


@pytest.mark.rule("PM-20")
@pytest.mark.parametrize("card", DREADED)
def test_with_empty_handed_run_players_without_cards_run_too(card):
    s = position([[], [], []], deck=[card, *FILLER], empty_handed_run=True)
    dump = act(s, "draw")
    assert dump["phase"] == "chase" and dump["card"] == card
    for seat in (0, 1, 2, 3, 3):
        assert GAME.current_player(s) == seat and legal(s) == STEPS
        act(s, "stay")
    wait(s, dump["chase_state"]["ticks"] - 1)
    assert GAME.dump(s)["phase"] == "draw" and GAME.dump(s)["turn"] == 1


@pytest.mark.rule("PM-20")
@pytest.mark.rule("PM-14")
def test_with_empty_handed_run_players_without_cards_are_touched():
    s = chasing([[], ["1 star"]], pooman=[5, 3], players=[[5, 5], FAR], empty_handed_run=True)
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["chase_state"]["touched"] == [0] and dump["discard"] == []
    assert GAME.current_player(s) == 1


@pytest.mark.rule("PM-20")
@pytest.mark.parametrize("empty_handed_run", [False, True])
def test_the_chase_ends_when_all_are_touched(empty_handed_run):
    cells = [[5, 5], [5, 4]]
    s = chasing([["1 star"], [FLUSH]], pooman=[5, 3], players=cells, empty_handed_run=empty_handed_run)
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["phase"] == "draw" and dump["turn"] == 1 and dump["card"] is None and dump["chase_state"] is None
    assert dump["fronts"] == [[], []] and dump["discard"] == ["1 star", "pooman", FLUSH]


@pytest.mark.rule("PM-20")
def test_the_chase_ends_when_nobody_is_left_touched_hidden_balanced_or_without_cards():
    fronts = [["1 star"], ["1 star"], [], ["2 stars"], ["1 star"]]
    cells = [FAR, FAR, FAR, [5, 5], FAR]
    lists = {"hidden": [0], "balanced": [1], "touched": []}
    s = chasing(fronts, pooman=[5, 3], players=cells, state={**lists, "ticks": 7})
    assert GAME.current_player(s) == 3
    act(s, "stay")
    assert GAME.current_player(s) == 4
    dump = act(s, "stay", "south", "south")
    assert dump["chase_state"]["touched"] == [3] and GAME.current_player(s) == 4
    s = chasing(fronts[:4], pooman=[5, 3], players=cells[:4], state={**lists, "ticks": 7})
    dump = act(s, "stay", "south", "south")
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["1 star"], [], []]


@pytest.mark.rule("PM-20")
def test_without_the_end_of_its_seconds_the_chase_goes_on_while_one_player_is_left():
    s = chasing([["1 star"], [FLUSH]], pooman=[5, 3], players=[[5, 5], FAR], state={"ticks": 2})
    dump = act(s, "stay", "stay", "south", "south")
    assert dump["phase"] == "chase" and dump["chase_state"]["ticks"] == 1
    assert GAME.current_player(s) == 1 and legal(s) == STEPS | uses(FLUSH)
