"""Specials in a chase (PM-6, PM-15 to PM-19, PM-24)."""

import pytest

from .table import (
    BALANCER,
    CARDS,
    FLUSH,
    FRESHNESS,
    GAME,
    KEPT,
    POOCICLE,
    POODINI,
    STEPS,
    act,
    chasing,
    legal,
    uses,
)

FAR = [10, 10]  # where a player stands whom nobody reaches
REACH = {"pooman": [5, 3], "players": [[5, 5], FAR]}  # the Pooman can touch player 0 with two steps south
CATCH = ["south", "south"]


def state_of(s):
    return GAME.dump(s)["chase_state"]


# ---------------------------------------------------------------- PM-15: playing one


@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("kind", ["pooman", "pooperman"])
def test_a_player_may_play_a_special_instead_of_moving(kind):
    for card in KEPT:
        assert legal(chasing([["1 star", card], [POODINI]], **REACH, kind=kind)) == STEPS | uses(card)
    s = chasing([["1 star", *KEPT, FLUSH], [POODINI]], **REACH, kind=kind)
    assert legal(s) == STEPS | uses(*KEPT)
    act(s, "stay")
    assert legal(s) == STEPS | uses(POODINI)
    act(s, "stay")
    assert legal(s) == STEPS  # the Pooman plays none


@pytest.mark.rule("PM-15")
def test_characters_and_freshness_are_not_played():
    assert legal(chasing([["1 star", "2 stars", FRESHNESS], ["1 star"]], **REACH)) == STEPS


@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("card", KEPT)
def test_it_is_the_only_choice_of_the_tick(card):
    s = chasing([["1 star", card], ["1 star"]], **REACH, player_speed=2)
    dump = act(s, f"use {card}")
    assert GAME.current_player(s) == 1 and dump["chase_state"]["moves"] == [[f"use {card}"], None]
    s = chasing([["1 star", card], ["1 star"]], **REACH, player_speed=2)
    act(s, "north")
    assert GAME.current_player(s) == 0 and legal(s) == STEPS  # nor after a step


@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("card", KEPT)
def test_it_lies_in_front_of_its_owner_until_the_tick_is_carried_out(card):
    s = chasing([["1 star", card], ["1 star"]], **REACH)
    dump = act(s, f"use {card}", "stay", "stay")
    assert dump["fronts"][0] == ["1 star", card] and dump["discard"] == []
    dump = act(s, "stay")
    assert dump["fronts"][0] == ["1 star"] and card in dump["discard"]


@pytest.mark.rule("PM-15")
@pytest.mark.rule("PM-11")
@pytest.mark.parametrize("card", [POODINI, POOCICLE, BALANCER])
def test_only_one_copy_is_used_and_its_owner_stands_still(card):
    s = chasing([["1 star", card, card], ["1 star"]], **REACH)
    dump = act(s, f"use {card}", "stay", *CATCH)
    assert dump["fronts"][0] == ["1 star", card] and dump["discard"] == [card]
    assert dump["chase_state"]["players"][0] == [5, 5] and dump["chase_state"]["touched"] == []


@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("card", [POODINI, BALANCER])
def test_specials_take_effect_before_the_moves_of_their_tick(card):
    """The Pooman would have touched its owner in this very tick."""
    s = chasing([["1 star", card], ["1 star"]], pooman=[5, 4], players=[[5, 5], FAR])
    dump = act(s, f"use {card}", "stay", "south", "stay")
    assert dump["chase_state"]["touched"] == [] and dump["fronts"][0] == ["1 star"]
    assert dump["chase_state"]["pooman"] == [5, 5]


@pytest.mark.rule("PM-15")
@pytest.mark.rule("PM-18")
def test_one_players_special_protects_another_in_the_same_tick():
    for user, victim in ((0, 1), (1, 0)):
        fronts, cells = [["1 star"], ["1 star"]], [FAR, FAR]
        fronts[user] = ["1 star", POOCICLE]
        cells[victim] = [5, 5]
        s = chasing(fronts, pooman=[5, 3], players=cells)
        moves = ["stay", "stay"]
        moves[user] = "use poocicle"
        dump = act(s, *moves, *CATCH)
        assert dump["chase_state"]["touched"] == [] and dump["chase_state"]["pooman"] == [5, 3]


# ---------------------------------------------------------------- PM-6: the Pooperman


@pytest.mark.rule("PM-6")
@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("card", KEPT)
def test_against_the_pooperman_a_special_is_lost_and_does_nothing(card):
    s = chasing([["1 star", card], ["2 stars"]], pooman=[0, 0], players=[[5, 5], FAR], kind="pooperman")
    dump = act(s, f"use {card}", "north", "south", "south")
    now = dump["chase_state"]
    assert dump["phase"] == "chase" and dump["fronts"] == [["1 star"], ["2 stars"]] and dump["discard"] == [card]
    assert now["ticks"] == 19 and now["freeze"] == 0 and now["pooman"] == [0, 2]
    assert now["players"] == [[5, 5], [10, 9]]  # its owner stood still
    assert now["hidden"] == now["balanced"] == now["touched"] == []
    assert GAME.current_player(s) == 0 and legal(s) == STEPS  # and it is still in the chase


@pytest.mark.rule("PM-6")
@pytest.mark.rule("PM-15")
@pytest.mark.parametrize("card", KEPT)
def test_against_the_pooperman_its_owner_is_touched_all_the_same(card):
    s = chasing([["1 star", card], ["2 stars"]], **REACH, kind="pooperman")
    dump = act(s, f"use {card}", "stay", *CATCH)
    assert dump["chase_state"]["touched"] == [0] and dump["fronts"] == [[], ["2 stars"]]
    assert dump["discard"] == ["1 star", card]


@pytest.mark.rule("PM-6")
@pytest.mark.rule("PM-16")
def test_against_the_pooperman_later_seats_lose_theirs_as_well():
    s = chasing([["1 star", FLUSH], ["2 stars", POODINI]], pooman=[0, 0], players=[[5, 5], FAR], kind="pooperman")
    dump = act(s, "use power flush", "use poodini", "stay", "stay")
    assert dump["phase"] == "chase" and dump["fronts"] == [["1 star"], ["2 stars"]]
    assert dump["discard"] == [FLUSH, POODINI]


@pytest.mark.rule("PM-6")
@pytest.mark.rule("PM-20")
@pytest.mark.parametrize("card", KEPT)
def test_whoever_loses_its_last_card_to_the_pooperman_is_left_without_cards(card):
    s = chasing([[card], ["2 stars"]], pooman=[0, 0], players=[[5, 5], FAR], kind="pooperman")
    dump = act(s, f"use {card}", "stay", "stay", "stay")
    assert dump["fronts"] == [[], ["2 stars"]] and GAME.current_player(s) == 1
    s = chasing([[card], []], pooman=[0, 0], players=[[5, 5], FAR], kind="pooperman")
    dump = act(s, f"use {card}", "stay", "stay")
    assert dump["phase"] == "draw" and dump["turn"] == 1 and dump["discard"] == ["pooperman", card]


@pytest.mark.rule("PM-14")
@pytest.mark.rule("PM-20")
@pytest.mark.parametrize("empty_handed_run", [False, True])
def test_whoever_has_lost_its_last_card_is_touched_only_if_players_without_cards_run(empty_handed_run):
    s = chasing([[POODINI], ["2 stars"]], **REACH, kind="pooperman", empty_handed_run=empty_handed_run)
    dump = act(s, "use poodini", "stay", *CATCH)
    assert dump["chase_state"]["touched"] == ([0] if empty_handed_run else [])
    assert dump["fronts"] == [[], ["2 stars"]] and dump["discard"] == [POODINI] and GAME.current_player(s) == 1


# ---------------------------------------------------------------- PM-16: Power Flush


@pytest.mark.rule("PM-16")
def test_power_flush_ends_the_chase_at_once_for_everyone():
    s = chasing([["1 star"], ["2 stars", FLUSH], [POODINI]], pooman=[5, 3], players=[[5, 5], FAR, [5, 4]])
    dump = act(s, "east", "use power flush", "stay", *CATCH)
    assert dump["phase"] == "draw" and dump["chase_state"] is None and dump["card"] is None and dump["turn"] == 1
    assert dump["fronts"] == [["1 star"], ["2 stars"], [POODINI]]  # nobody was touched any more
    assert dump["discard"] == ["pooman", FLUSH] and legal(s) == {"draw"}


@pytest.mark.rule("PM-16")
def test_the_pooman_chooses_before_it_knows_of_the_flush():
    s = chasing([["1 star", FLUSH], ["2 stars"]], **REACH)
    act(s, "use power flush", "stay")
    assert GAME.current_player(s) == 2 and legal(s) == STEPS and GAME.dump(s)["phase"] == "chase"


@pytest.mark.rule("PM-16")
@pytest.mark.parametrize("card", KEPT)
def test_specials_of_later_seats_in_that_tick_stay_with_their_owners(card):
    s = chasing([["1 star", FLUSH], ["2 stars", card]], **REACH)
    dump = act(s, "use power flush", f"use {card}", *CATCH)
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["2 stars", card]]
    assert dump["discard"] == ["pooman", FLUSH]


@pytest.mark.rule("PM-15")
@pytest.mark.rule("PM-16")
@pytest.mark.parametrize("card", [POODINI, POOCICLE, BALANCER])
def test_specials_of_earlier_seats_are_spent(card):
    s = chasing([["1 star", card], ["2 stars", FLUSH]], **REACH)
    dump = act(s, f"use {card}", "use power flush", *CATCH)
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["2 stars"]]
    assert dump["discard"] == sorted(["pooman", FLUSH, card], key=CARDS.index)


@pytest.mark.rule("PM-16")
def test_power_flush_in_the_last_second_saves_from_it():
    s = chasing([["1 star", FLUSH], ["2 stars"]], **REACH, state={"ticks": 1})
    dump = act(s, "use power flush", "stay", *CATCH)
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["2 stars"]]


@pytest.mark.rule("PM-16")
@pytest.mark.rule("PM-14")
def test_power_flush_does_not_bring_back_what_a_touch_has_taken():
    fronts, cells = [["1 star"], ["2 stars", FLUSH]], [[5, 5], FAR]
    s = chasing(fronts, pooman=[5, 3], players=cells)
    dump = act(s, "stay", "stay", *CATCH, "use power flush", "stay", "stay")
    assert dump["phase"] == "draw" and dump["fronts"] == [[], ["2 stars"]]
    assert dump["discard"] == ["1 star", "pooman", FLUSH]


# ---------------------------------------------------------------- PM-17: Poodini


@pytest.mark.rule("PM-17")
def test_poodini_hides_its_owner_until_the_chase_ends():
    s = chasing([["1 star", POODINI], ["2 stars"]], **REACH, state={"ticks": 3})
    dump = act(s, "use poodini", "stay", *CATCH)
    assert dump["chase_state"]["hidden"] == [0] and dump["chase_state"]["touched"] == []
    assert dump["discard"] == [POODINI]
    for steps in (["stay", "stay"], ["north", "south"]):  # right on its cell
        assert GAME.current_player(s) == 1  # it makes no more choices
        dump = act(s, "stay", *steps)
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["2 stars"]]


@pytest.mark.rule("PM-17")
def test_a_hidden_player_does_not_move():
    s = chasing([["1 star", POODINI], ["2 stars"]], **REACH)
    act(s, "use poodini", "stay", "stay", "stay", "north", "stay", "stay")
    assert state_of(s)["players"] == [[5, 5], [10, 9]] and state_of(s)["hidden"] == [0]


@pytest.mark.rule("PM-17")
def test_it_is_hidden_for_this_chase_only():
    s = chasing([["1 star", POODINI], ["2 stars"]], **REACH, deck=["pooman", "1 star"], state={"ticks": 1})
    act(s, "use poodini", "stay", *CATCH)
    dump = act(s, "draw")
    assert dump["chase_state"]["hidden"] == [] and GAME.current_player(s) == 0


def hidden_at(cell, other=FAR):
    """Player 0 is hidden there; player 1 is in the chase."""
    fronts = [["1 star"], ["2 stars"], ["1 star"]]
    return chasing(fronts, pooman=[5, 3], players=[cell, other, [9, 0]], state={"hidden": [0], "ticks": 6})


def shown(s, seat):
    return GAME.observation(s, seat).tobytes(), GAME.describe(s, seat), GAME.scene(s, seat)


@pytest.mark.rule("PM-17")
def test_the_cell_of_a_hidden_player_is_left_out_of_what_the_pooman_is_shown():
    cells = [[5, 5], [0, 0], [5, 3], [7, 9]]
    sights = [shown(hidden_at(cell), 3) for cell in cells]
    assert all(sight == sights[0] for sight in sights)
    assert shown(hidden_at([5, 5], other=[10, 9]), 3) != sights[0]  # those of the others are not


@pytest.mark.rule("PM-17")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_players_see_where_a_hidden_player_is(seat):
    one, other = (GAME.observation(hidden_at(cell), seat) for cell in ([5, 5], [0, 0]))
    assert one.tobytes() != other.tobytes()


# ---------------------------------------------------------------- PM-18: Poocicle


@pytest.mark.rule("PM-18")
def test_poocicle_voids_the_steps_of_its_tick_and_freezes_for_five():
    s = chasing([["1 star", POOCICLE], ["2 stars"]], **REACH, state={"ticks": 3})
    dump = act(s, "use poocicle", "west", *CATCH)
    now = dump["chase_state"]
    assert now["pooman"] == [5, 3] and now["touched"] == [] and now["players"] == [[5, 5], [9, 10]]
    assert now["ticks"] == 10 and now["freeze"] == 4 and dump["discard"] == [POOCICLE]
    for left in (3, 2, 1, 0):
        assert GAME.current_player(s) == 0 and legal(s) == STEPS
        act(s, "stay")
        assert GAME.current_player(s) == 1 and legal(s) == STEPS
        now = act(s, "north")["chase_state"]  # the Pooman chooses nothing
        assert now["freeze"] == left and now["ticks"] == 10 and now["pooman"] == [5, 3]
    assert now["players"] == [[5, 5], [9, 6]]  # players have moved on
    for seat, choice in ((0, "stay"), (1, "stay"), (2, "south"), (2, "south")):
        assert GAME.current_player(s) == seat
        act(s, choice)
    assert state_of(s)["touched"] == [0] and state_of(s)["ticks"] == 9  # it runs again, and so does the clock


@pytest.mark.rule("PM-18")
@pytest.mark.parametrize("freeze_ticks", [1, 2, 7])
def test_the_freeze_is_a_parameter(freeze_ticks):
    s = chasing([["1 star", POOCICLE], ["2 stars"]], **REACH, freeze_ticks=freeze_ticks, state={"ticks": 1})
    act(s, "use poocicle", "stay", *CATCH)
    for left in range(freeze_ticks - 1, 0, -1):
        assert state_of(s)["freeze"] == left and state_of(s)["ticks"] == 10
        act(s, "stay", "stay")
    assert state_of(s)["freeze"] == 0 and state_of(s)["ticks"] == 10
    act(s, "stay", "stay")
    assert GAME.current_player(s) == 2


@pytest.mark.rule("PM-18")
def test_the_clock_is_set_back_to_what_the_parameter_says():
    s = chasing([["1 star", POOCICLE], ["2 stars"]], **REACH, chase_ticks=13, state={"ticks": 2})
    act(s, "use poocicle", "stay", *CATCH)
    assert state_of(s)["ticks"] == 13


@pytest.mark.rule("PM-18")
@pytest.mark.parametrize(
    ("cell", "step", "pooman"),
    [([5, 5], "stay", [5, 5]), ([5, 5], "east", [6, 5]), ([5, 5], "east", [5, 5]), ([5, 0], "north", [5, 0])],
)
def test_a_frozen_pooman_touches_nobody(cell, step, pooman):
    s = chasing([["1 star"], ["2 stars"]], pooman=pooman, players=[cell, FAR], state={"freeze": 2})
    dump = act(s, step, "stay")
    assert dump["chase_state"]["touched"] == [] and dump["chase_state"]["freeze"] == 1
    dump = act(s, "stay", "stay")
    assert dump["chase_state"]["touched"] == [] and dump["chase_state"]["freeze"] == 0


@pytest.mark.rule("PM-18")
def test_after_the_freeze_it_touches_whoever_is_on_its_cell():
    s = chasing([["1 star"], ["2 stars"]], pooman=[5, 5], players=[[5, 5], FAR], state={"freeze": 1})
    act(s, "stay", "stay")
    assert state_of(s)["touched"] == [] and state_of(s)["freeze"] == 0
    act(s, "stay", "stay", "stay", "stay")
    assert state_of(s)["touched"] == [0]


@pytest.mark.rule("PM-18")
def test_places_and_touched_players_stay_as_they_are():
    fronts, cells = [[], ["2 stars", POOCICLE], ["1 star"]], [[1, 1], FAR, [4, 4]]
    s = chasing(fronts, pooman=[5, 3], players=cells, state={"touched": [0], "hidden": [2], "ticks": 2})
    now = act(s, "use poocicle", *CATCH)["chase_state"]
    assert now["touched"] == [0] and now["hidden"] == [2] and now["players"] == cells and now["pooman"] == [5, 3]


@pytest.mark.rule("PM-18")
@pytest.mark.parametrize("freeze", [1, 2, 4])
def test_another_poocicle_sets_the_freeze_to_five_again(freeze):
    s = chasing([["1 star", POOCICLE], ["2 stars"]], **REACH, state={"freeze": freeze})
    dump = act(s, "use poocicle", "stay")
    assert dump["chase_state"]["freeze"] == 4 and dump["chase_state"]["ticks"] == 10
    assert dump["discard"] == [POOCICLE]


@pytest.mark.rule("PM-18")
def test_a_poocicle_right_after_the_freeze():
    s = chasing([["1 star", POOCICLE], ["2 stars"]], **REACH, state={"freeze": 1, "ticks": 10})
    act(s, "stay", "stay")
    assert GAME.current_player(s) == 0 and state_of(s)["freeze"] == 0
    act(s, "use poocicle", "stay", *CATCH)
    assert state_of(s)["freeze"] == 4 and state_of(s)["ticks"] == 10 and state_of(s)["pooman"] == [5, 3]


@pytest.mark.rule("PM-18")
@pytest.mark.rule("PM-19")
def test_two_poocicles_in_one_tick_are_both_used():
    s = chasing([["1 star", POOCICLE], ["2 stars", POOCICLE]], **REACH)
    dump = act(s, "use poocicle", "use poocicle", *CATCH)
    assert dump["chase_state"]["freeze"] == 4 and dump["discard"] == [POOCICLE] * 2


# ---------------------------------------------------------------- PM-19: whose chase it is


@pytest.mark.rule("PM-19")
@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("card", KEPT)
def test_any_player_may_play_specials_whoever_turned_the_card(card, turn):
    s = chasing([["1 star", card], ["2 stars", card], ["1 star", card]], turn=turn)
    for seat in range(3):
        assert GAME.current_player(s) == seat and legal(s) == STEPS | uses(card)
        act(s, "stay")


@pytest.mark.rule("PM-19")
def test_more_than_one_may_be_played_in_a_chase():
    cells = [[5, 5], [5, 4], FAR]
    s = chasing([["1 star", POOCICLE], ["2 stars", POODINI], ["1 star", BALANCER]], pooman=[5, 3], players=cells)
    dump = act(s, "use poocicle", "use poodini", "use balancer", *CATCH)
    now = dump["chase_state"]
    assert now["freeze"] == 4 and now["hidden"] == [1] and now["balanced"] == [2] and now["touched"] == []
    assert dump["discard"] == [POODINI, POOCICLE, BALANCER] and dump["fronts"] == [["1 star"], ["2 stars"], ["1 star"]]
    assert GAME.current_player(s) == 0


@pytest.mark.rule("PM-19")
@pytest.mark.rule("PM-18")
def test_one_player_may_play_one_after_the_other():
    s = chasing([["1 star", POOCICLE, POODINI, FLUSH], ["2 stars"]], **REACH)
    act(s, "use poocicle", "stay", *CATCH)
    assert legal(s) == STEPS | uses(POODINI, FLUSH)  # also while the Pooman is frozen
    act(s, "use poodini", "stay")
    assert state_of(s)["hidden"] == [0] and state_of(s)["freeze"] == 3 and GAME.current_player(s) == 1


@pytest.mark.rule("PM-16")
@pytest.mark.rule("PM-18")
def test_power_flush_while_the_pooman_is_frozen():
    s = chasing([["1 star", FLUSH], ["2 stars"]], **REACH, state={"freeze": 3})
    dump = act(s, "use power flush", "stay")
    assert dump["phase"] == "draw" and dump["discard"] == ["pooman", FLUSH]


# ---------------------------------------------------------------- PM-20: nobody is left


@pytest.mark.rule("PM-20")
@pytest.mark.rule("PM-17")
@pytest.mark.rule("PM-24")
def test_the_chase_ends_when_all_are_hidden_or_balanced():
    s = chasing([["1 star", POODINI], ["2 stars", BALANCER]], **REACH)
    dump = act(s, "use poodini", "use balancer", *CATCH)
    assert dump["phase"] == "draw" and dump["turn"] == 1 and dump["chase_state"] is None
    assert dump["fronts"] == [["1 star"], ["2 stars"]] and dump["discard"] == ["pooman", POODINI, BALANCER]


@pytest.mark.rule("PM-20")
@pytest.mark.rule("PM-18")
def test_a_freeze_ends_with_a_chase_that_nobody_is_left_in():
    s = chasing([[POOCICLE], []], **REACH)
    dump = act(s, "use poocicle", *CATCH)  # it was its last card
    assert dump["phase"] == "draw" and dump["fronts"] == [[], []] and dump["discard"] == ["pooman", POOCICLE]
    s = chasing([["1 star", POODINI], []], **REACH, state={"freeze": 3})
    assert act(s, "use poodini")["phase"] == "draw"


@pytest.mark.rule("PM-20")
def test_with_empty_handed_run_a_player_runs_on_after_its_last_card():
    s = chasing([[POOCICLE], []], **REACH, empty_handed_run=True)
    dump = act(s, "use poocicle", "stay", *CATCH)
    assert dump["phase"] == "chase" and dump["fronts"] == [[], []] and GAME.current_player(s) == 0


# ---------------------------------------------------------------- PM-24: the Balancer


@pytest.mark.rule("PM-24")
def test_there_is_no_balancer_in_the_box_but_the_deck_is_a_parameter():
    assert GAME.dump(GAME.new_state(seed=0))["counts"][BALANCER] == 0
    dump = GAME.dump(GAME.new_state(seed=0, counts={BALANCER: 4}))
    assert dump["counts"][BALANCER] == 4 == dump["deck"].count(BALANCER)


@pytest.mark.rule("PM-24")
def test_a_balanced_player_stands_still_and_cannot_be_touched_until_the_chase_ends():
    s = chasing([["1 star", BALANCER], ["2 stars"]], **REACH, state={"ticks": 3})
    dump = act(s, "use balancer", "stay", *CATCH)
    assert dump["chase_state"]["balanced"] == [0] and dump["chase_state"]["hidden"] == []
    assert dump["discard"] == [BALANCER]
    for steps in (["stay", "stay"], ["north", "south"]):
        assert GAME.current_player(s) == 1
        dump = act(s, "stay", *steps)
    assert dump["phase"] == "draw" and dump["fronts"] == [["1 star"], ["2 stars"]]


@pytest.mark.rule("PM-24")
def test_the_pooman_sees_where_a_balanced_player_stands():
    fronts = [["1 star"], ["2 stars"]]
    sights = {
        GAME.observation(
            chasing(fronts, pooman=[5, 3], players=[cell, FAR], state={"balanced": [0]}), 2
        ).tobytes()
        for cell in ([5, 5], [6, 5], [5, 6])
    }  # fmt: skip
    assert len(sights) == 3


@pytest.mark.rule("PM-24")
def test_balanced_for_this_chase_only():
    s = chasing([["1 star", BALANCER], ["2 stars"]], **REACH, deck=["pooman", "1 star"], state={"ticks": 1})
    act(s, "use balancer", "stay", *CATCH)
    dump = act(s, "draw")
    assert dump["chase_state"]["balanced"] == [] and GAME.current_player(s) == 0
