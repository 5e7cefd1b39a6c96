"""How a game ends and what it pays (PM-4, PM-22, PM-23, PM-25)."""

import pytest

from poopdeck.envs.core.errors import GameOverError

from .table import (
    BALANCER,
    CARDS,
    DREADED,
    FILLER,
    FLUSH,
    FRESHNESS,
    GAME,
    KEPT,
    act,
    legal,
    position,
    takes,
    won_by,
)

# ---------------------------------------------------------------- PM-4: the last card


@pytest.mark.rule("PM-4")
@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("card", ["1 star", "2 stars", "dire ear", *KEPT])
def test_the_pooman_wins_when_the_last_card_is_dealt_with_and_nobody_has_five_stars(card, chase):
    s = position([["2 stars"], ["1 star"], []], deck=[card], chase=chase)
    dump = act(s, "draw")
    assert won_by(s, 3) and dump["deck"] == [] and dump["turn"] == 0 and dump["card"] is None
    own = {"dire ear": []}.get(card, sorted(["2 stars", card], key=CARDS.index))
    assert dump["fronts"] == [own, ["1 star"], []]
    assert dump["discard"] == (["2 stars", "dire ear"] if card == "dire ear" else [])


@pytest.mark.rule("PM-4")
@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("card", [*DREADED, "roll again"])
@pytest.mark.parametrize("front", [["2 stars"], ["2 stars", *KEPT], []])
def test_a_pooman_pooperman_or_roll_again_as_the_last_card_ends_the_game_at_once(card, chase, front):
    s = position([front, ["1 star", FLUSH]], deck=[card], chase=chase)
    dump = act(s, "draw")
    assert won_by(s, 2) and dump["decisions"] == 1 and dump["turn"] == 0
    assert dump["card"] is None and dump["chase_state"] is None and dump["discard"] == [card]
    assert dump["fronts"] == [front, ["1 star", FLUSH]]


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-9")
def test_freshness_as_the_last_card_is_dealt_with_first():
    s = position([["2 stars"], ["1 star"]], deck=[FRESHNESS])
    dump = act(s, "draw")
    assert dump["phase"] == "take" and not GAME.is_terminal(s) and legal(s) == takes(("1 star", 1))
    dump = act(s, "take 1 star from +1")
    assert won_by(s, 2) and dump["fronts"] == [["1 star", "2 stars"], []] and dump["turn"] == 0
    assert dump["discard"] == [FRESHNESS]


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-3")
def test_freshness_as_the_last_card_can_still_win():
    s = position([["2 stars", "2 stars"], ["1 star"]], deck=[FRESHNESS])
    act(s, "draw", "take 1 star from +1")
    assert won_by(s, 0)


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-9")
def test_freshness_as_the_last_card_with_nothing_to_take():
    s = position([["2 stars"], [FLUSH]], deck=[FRESHNESS])
    dump = act(s, "draw")
    assert won_by(s, 2) and dump["fronts"][0] == ["2 stars", FRESHNESS]


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-10")
def test_a_kept_freshness_comes_too_late_after_the_last_card():
    s = position([[], ["2 stars", "2 stars", FRESHNESS]], deck=["1 star"])
    act(s, "draw")  # player 1 could now take it and have five
    assert won_by(s, 2)


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-10")
def test_a_kept_freshness_is_in_time_before_the_last_card():
    s = position([["1 star"], ["2 stars", "2 stars", FRESHNESS]], deck=["dire ear"], turn=1)
    act(s, "take 1 star from +1")
    assert won_by(s, 1)


@pytest.mark.rule("PM-4")
@pytest.mark.rule("PM-7")
def test_the_card_after_roll_again_may_be_the_last():
    s = position([["2 stars", "2 stars"], []], deck=["roll again", "1 star"])
    assert act(s, "draw")["phase"] == "again"
    act(s, "draw")
    assert won_by(s, 0)
    s = position([["2 stars"], []], deck=["roll again", "1 star"])
    act(s, "draw", "draw")
    assert won_by(s, 2)


@pytest.mark.rule("PM-4")
def test_a_game_with_one_card_left_goes_on():
    s = position([["2 stars"], []], deck=["1 star", "pooman"])
    act(s, "draw")
    assert not GAME.is_terminal(s) and GAME.current_player(s) == 1


# ---------------------------------------------------------------- PM-22: payoff


@pytest.mark.rule("PM-22")
@pytest.mark.parametrize("chase", ["grid", "off"])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_winner_gets_one_and_everyone_else_pays_alike(players, chase):
    for winner in range(players):
        fronts = [["1 star"] for _ in range(players)]
        fronts[winner] = ["2 stars", "2 stars"]
        s = position(fronts, deck=["1 star", *FILLER], turn=winner, chase=chase)
        assert GAME.returns(s).tolist() == [0.0] * (players + 1)
        act(s, "draw")
        expected = [1.0 if seat == winner else -1 / players for seat in range(players + 1)]
        assert GAME.returns(s).tolist() == pytest.approx(expected)
    s = position([["1 star"] for _ in range(players)], deck=["1 star"], chase=chase)
    act(s, "draw")
    assert GAME.returns(s).tolist() == pytest.approx([-1 / players] * players + [1.0])
    assert GAME.num_seats(s) == players + 1


@pytest.mark.rule("PM-22")
def test_the_pooman_is_the_last_seat():
    s = GAME.new_state(seed=0, num_players=4)
    assert GAME.spec.agent_names(s.settings) == ["player_0", "player_1", "player_2", "player_3", "pooman"]


# ---------------------------------------------------------------- PM-23: who is the Pooman next


@pytest.mark.rule("PM-23")
def test_the_final_state_reports_the_winner():
    s = position([["2 stars", "2 stars"], []], deck=["1 star", *FILLER])
    assert GAME.dump(s)["winner"] is None
    assert act(s, "draw")["winner"] == 0
    s = position([[], []], deck=["1 star"])
    assert act(s, "draw")["winner"] == 2


@pytest.mark.rule("PM-23")
@pytest.mark.parametrize("label", [0, 1, 3, 11])
def test_the_label_of_the_pooman_is_carried_along(label):
    s = position([["2 stars", "2 stars"], []], deck=["1 star", *FILLER], pooman_seat=label)
    assert GAME.dump(s)["pooman_seat"] == label
    assert GAME.dump(GAME.clone(s))["pooman_seat"] == label
    assert act(s, "draw")["pooman_seat"] == label
    assert GAME.dump(GAME.load(GAME.dump(s)))["pooman_seat"] == label


@pytest.mark.rule("PM-23")
def test_without_a_label_there_is_none():
    assert GAME.dump(GAME.new_state(seed=0))["pooman_seat"] is None
    assert GAME.dump(position([[], []]))["pooman_seat"] is None


@pytest.mark.rule("PM-23")
def test_the_label_is_given_at_reset():
    from poopdeck.envs import pooman_v0

    env = pooman_v0.env(num_players=3)
    env.reset(seed=4, options={"pooman_seat": 2})
    assert GAME.dump(env.unwrapped.snapshot())["pooman_seat"] == 2
    while env.agents and not any(env.terminations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    final = GAME.dump(env.unwrapped.snapshot())
    assert final["pooman_seat"] == 2 and final["winner"] is not None
    env.reset(seed=4, options={"pooman_seat": final["winner"]})
    assert GAME.dump(env.unwrapped.snapshot())["pooman_seat"] == final["winner"]


# ---------------------------------------------------------------- PM-25: the decision cap


@pytest.mark.rule("PM-25")
def test_the_decision_cap_is_5000_by_default():
    for chase in ("grid", "off"):
        assert GAME.dump(GAME.new_state(seed=0, chase=chase))["max_decisions"] == 5000


@pytest.mark.rule("PM-25")
def test_at_the_cap_the_game_is_truncated_and_pays_nobody():
    s = position([["2 stars"], ["1 star"]], deck=["poodini", "poodini", *FILLER], max_decisions=2)
    act(s, "draw")
    assert not GAME.is_terminal(s)
    dump = act(s, "draw")
    assert GAME.is_terminal(s) and GAME.is_truncated(s) and dump["truncated"] and dump["phase"] == "over"
    assert dump["winner"] is None and GAME.returns(s).tolist() == [0.0] * 3
    assert GAME.current_player(s) == -1 and GAME.legal_actions(s) == []
    assert dump["fronts"] == [["2 stars", "poodini"], ["1 star", "poodini"]] and dump["deck"] == FILLER


@pytest.mark.rule("PM-25")
@pytest.mark.rule("PM-4")
def test_a_game_that_its_last_allowed_decision_ends_is_not_truncated():
    s = position([["2 stars"], ["1 star"]], deck=["poodini"], max_decisions=1)
    act(s, "draw")
    assert won_by(s, 2)


@pytest.mark.rule("PM-25")
@pytest.mark.parametrize(
    ("card", "phase"), [(FRESHNESS, "take"), ("pooman", "chase"), ("pooman", "defend"), ("roll again", "again")]
)
def test_a_game_cut_short_has_no_open_card_and_no_chase(card, phase):
    fields = {"deck": [card, *FILLER], "chase": "off" if phase == "defend" else "grid"}
    fronts = [["1 star", FLUSH], ["2 stars", BALANCER]]
    assert act(position(fronts, **fields), "draw")["phase"] == phase
    s = position(fronts, max_decisions=1, **fields)
    dump = act(s, "draw")
    assert GAME.is_truncated(s) and dump["card"] is None and dump["chase_state"] is None
    assert dump["discard"] == [card] and dump["fronts"] == fronts and dump["turn"] == 0
    assert GAME.dump(GAME.load(dump)) == dump


@pytest.mark.rule("PM-25")
def test_a_chase_may_be_cut_short_in_the_middle_of_a_tick():
    s = position([["1 star"], ["2 stars"]], deck=["pooman", *FILLER], max_decisions=3)
    dump = act(s, "draw", "south", "east")
    assert GAME.is_truncated(s) and dump["chase_state"] is None and dump["discard"] == ["pooman"]
    assert dump["fronts"] == [["1 star"], ["2 stars"]]


@pytest.mark.rule("PM-25")
@pytest.mark.parametrize("players", [2, 6])
def test_the_longest_game_of_the_default_deck_is_not_cut_short(players):
    """Nobody gathers five stars, all specials are kept for the chases, and every chase runs its full time."""
    s = GAME.new_state(seed=players, num_players=players)
    counts = GAME.dump(s)["counts"]
    good = [card for card in CARDS if card not in DREADED for _ in range(counts[card])]
    bad = [card for card in DREADED for _ in range(counts[card])]
    kept = [card for card in good if card in KEPT]
    rest = [card for card in good if card not in KEPT and card != FRESHNESS]
    deck = kept + ["1 star"] * players + bad
    deck += [card for card in rest if card != "1 star"] + ["1 star"] * (counts["1 star"] - players)
    s = GAME.load({"players": players, "deck": deck, "fronts": [[]] * players, "turn": 0, "strict": True})
    while not GAME.is_terminal(s):
        names = legal(s)
        frozen = GAME.dump(s)["chase_state"] and GAME.dump(s)["chase_state"]["freeze"]
        wait = "use poocicle" in names and GAME.dump(s)["chase_state"]["ticks"] == 1 and not frozen
        act(s, "use poocicle" if wait else "stay" if "stay" in names else sorted(names)[0])
    dump = GAME.dump(s)
    assert not GAME.is_truncated(s) and dump["decisions"] < 5000


def test_a_finished_game_takes_no_action():
    s = position([[], []], deck=["1 star"])
    act(s, "draw")
    with pytest.raises(GameOverError):
        act(s, "draw")
