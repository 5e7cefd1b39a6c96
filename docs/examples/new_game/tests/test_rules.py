"""Highest Sum: its rules, each shown in positions set up by hand."""

from collections import Counter

import pytest

import poopdeck

GAME = poopdeck.game("highest_sum")


def position(**fields):
    """A state of two players; cards without a place are out of the game."""
    return GAME.load({"kinds": 4, "turn": 0, "strict": True, **fields})


def legal(s):
    """The names of the legal actions."""
    return [GAME.action_name(action) for action in GAME.legal_actions(s)]


@pytest.mark.rule("HS-1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players):
    """There are three cards of each kind; everybody is dealt two, the rest is drawn from, and a random seat begins."""
    dumps = [GAME.dump(GAME.new_state(seed=seed, num_players=players)) for seed in range(40)]
    for dump in dumps:
        assert [len(hand) for hand in dump["hands"]] == [2] * players
        assert Counter(sum(dump["hands"], []) + dump["draw_pile"]) == Counter({kind: 3 for kind in range(4)})
    assert {dump["turn"] for dump in dumps} == set(range(players))


@pytest.mark.rule("HS-2")
def test_a_turn():
    """Who is to act lays a card of its hand, draws the next card if there is one, and the next seat is to act."""
    s = position(hands=[[0, 3], [1, 1]], draw_pile=[2])
    assert legal(s) == ["lay 0", "lay 3"]
    GAME.apply_action(s, GAME.action("lay 3"))
    dump = GAME.dump(s)
    assert dump["hands"] == [[0, 2], [1, 1]] and dump["laid"] == [[3], []] and dump["draw_pile"] == []
    assert dump["turn"] == 1
    GAME.apply_action(s, GAME.action("lay 1"))
    assert GAME.dump(s)["hands"] == [[0, 2], [1]]


@pytest.mark.rule("HS-3")
def test_seats_without_cards():
    """Seats without cards are passed over; the game ends when nobody has any."""
    s = position(hands=[[0], [], [1]])
    GAME.apply_action(s, GAME.action("lay 0"))
    assert GAME.current_player(s) == 2 and not GAME.is_terminal(s)
    GAME.apply_action(s, GAME.action("lay 1"))
    assert GAME.is_terminal(s) and not GAME.is_truncated(s) and legal(s) == []


@pytest.mark.rule("HS-4")
@pytest.mark.parametrize(("last", "payoffs"), [("lay 3", [1.0, -1.0]), ("lay 1", [0.0, 0.0])])
def test_the_payoff(last, payoffs):
    """The highest sum wins 1, which the others pay in equal parts; where several have it, nobody is paid."""
    s = position(hands=[[int(last[-1])], []], laid=[[1], [2]])
    GAME.apply_action(s, GAME.action(last))
    assert GAME.returns(s).tolist() == payoffs


@pytest.mark.rule("HS-5")
def test_the_cap():
    """A game that reaches `max_decisions` is truncated, and nobody is paid."""
    s = position(hands=[[3, 3], [1]], max_decisions=1)
    GAME.apply_action(s, GAME.action("lay 3"))
    assert GAME.is_terminal(s) and GAME.is_truncated(s) and not GAME.returns(s).any()
