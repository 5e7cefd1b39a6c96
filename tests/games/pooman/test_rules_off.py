"""The game without the chase (PM-21)."""

import pytest

from .table import (
    BALANCER,
    CARDS,
    DREADED,
    FILLER,
    FLUSH,
    FRESHNESS,
    GAME,
    KEPT,
    SHIELDS,
    act,
    legal,
    position,
    uses,
)


def turned_over(card, front, deck=FILLER, **fields):
    """Player 1 of three turns the card over with these cards before it."""
    fronts = [["2 stars", FLUSH], front, ["1 star", "poodini"]]
    s = position(fronts, deck=[card, *deck], turn=1, chase="off", **fields)
    act(s, "draw")
    return s


@pytest.mark.rule("PM-21")
@pytest.mark.parametrize("card", DREADED)
@pytest.mark.parametrize("front", [[], ["1 star"], ["1 star", "2 stars", FRESHNESS], [FRESHNESS]])
def test_with_no_usable_card_all_cards_are_lost_without_a_decision(card, front):
    s = turned_over(card, front)
    dump = GAME.dump(s)
    assert dump["fronts"] == [["2 stars", FLUSH], [], ["1 star", "poodini"]]  # the others lose nothing
    assert dump["discard"] == sorted([*front, card], key=CARDS.index)
    assert dump["turn"] == 2 and dump["phase"] == "draw" and dump["card"] is None and dump["decisions"] == 1
    assert legal(s) == {"draw"} and dump["chase_state"] is None


@pytest.mark.rule("PM-21")
@pytest.mark.parametrize("card", DREADED)
@pytest.mark.parametrize("shield", SHIELDS)
def test_each_of_the_three_stops_the_pooman_and_the_pooperman(card, shield):
    s = turned_over(card, ["1 star", FRESHNESS, shield])
    dump = GAME.dump(s)
    assert dump["phase"] == "defend" and dump["card"] == card and dump["turn"] == 1 == GAME.current_player(s)
    assert legal(s) == {"lose cards", f"use {shield}"} and dump["discard"] == []
    dump = act(s, f"use {shield}")
    assert dump["fronts"] == [["2 stars", FLUSH], ["1 star", FRESHNESS], ["1 star", "poodini"]]
    assert dump["discard"] == sorted([card, shield], key=CARDS.index)
    assert dump["turn"] == 2 and dump["phase"] == "draw" and dump["card"] is None and dump["decisions"] == 2


@pytest.mark.rule("PM-21")
@pytest.mark.parametrize("card", DREADED)
def test_the_loss_may_be_taken(card):
    front = ["1 star", FRESHNESS, FLUSH, "poocicle"]
    s = turned_over(card, front)
    dump = act(s, "lose cards")
    assert dump["fronts"] == [["2 stars", FLUSH], [], ["1 star", "poodini"]]
    assert dump["discard"] == sorted([*front, card], key=CARDS.index)
    assert dump["turn"] == 2 and dump["phase"] == "draw" and dump["card"] is None and dump["decisions"] == 2


@pytest.mark.rule("PM-21")
def test_it_chooses_which_and_only_one_copy_is_used():
    s = turned_over("pooman", ["1 star", *SHIELDS, FLUSH])
    assert legal(s) == {"lose cards", *uses(*SHIELDS)}
    dump = act(s, "use power flush")
    assert dump["fronts"][1] == ["1 star", *SHIELDS] and dump["discard"] == ["pooman", FLUSH]


@pytest.mark.rule("PM-21")
def test_specials_alone_can_be_lost_or_used():
    s = turned_over("pooman", ["poodini"])
    assert legal(s) == {"lose cards", "use poodini"}
    assert act(s, "use poodini")["fronts"][1] == []


@pytest.mark.rule("PM-21")
def test_with_pooperman_unstoppable_no_card_is_usable_against_it():
    s = turned_over("pooperman", ["1 star", *KEPT], pooperman_unstoppable=True)
    dump = GAME.dump(s)
    assert dump["fronts"][1] == [] and dump["turn"] == 2 and dump["decisions"] == 1
    assert dump["discard"] == ["1 star", "pooperman", *KEPT]


@pytest.mark.rule("PM-21")
def test_pooperman_unstoppable_changes_nothing_against_the_pooman():
    s = turned_over("pooman", ["1 star", *KEPT], pooperman_unstoppable=True)
    assert legal(s) == {"lose cards", *uses(*KEPT)}


@pytest.mark.rule("PM-21")
@pytest.mark.rule("PM-24")
def test_a_balancer_stops_the_pooman():
    s = turned_over("pooman", ["1 star", BALANCER])
    assert legal(s) == {"lose cards", "use balancer"}
    dump = act(s, "use balancer")
    assert dump["fronts"][1] == ["1 star"] and dump["discard"] == ["pooman", BALANCER] and dump["turn"] == 2


@pytest.mark.rule("PM-21")
@pytest.mark.rule("PM-24")
@pytest.mark.parametrize("unstoppable", [False, True])
def test_a_balancer_is_never_usable_against_the_pooperman(unstoppable):
    s = turned_over("pooperman", ["1 star", BALANCER], pooperman_unstoppable=unstoppable)
    dump = GAME.dump(s)
    assert dump["fronts"][1] == [] and dump["discard"] == ["1 star", "pooperman", BALANCER] and dump["turn"] == 2
    if not unstoppable:
        s = turned_over("pooperman", ["1 star", "poodini", BALANCER])
        assert legal(s) == {"lose cards", "use poodini"}


@pytest.mark.rule("PM-21")
def test_the_pooman_agent_has_no_decisions():
    for seed in range(20):
        s = GAME.new_state(seed=seed, num_players=2 + seed % 5, chase="off")
        pooman = GAME.num_seats(s) - 1
        while not GAME.is_terminal(s):
            assert GAME.current_player(s) != pooman and GAME.dump(s)["chase_state"] is None
            legal_actions = GAME.legal_actions(s)
            GAME.apply_action(s, legal_actions[seed % len(legal_actions)])


@pytest.mark.rule("PM-21")
@pytest.mark.rule("PM-7")
def test_after_roll_again_as_well():
    s = position([["1 star", "poocicle"], []], deck=["roll again", "pooman", *FILLER], chase="off")
    assert act(s, "draw", "draw")["phase"] == "defend" and legal(s) == {"lose cards", "use poocicle"}
    dump = act(s, "use poocicle")
    assert dump["turn"] == 1 and dump["discard"] == ["pooman", "roll again", "poocicle"]
