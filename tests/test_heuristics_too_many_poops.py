"""The heuristics of Too Many Poops: legal everywhere, as strong as they claim, and the ideas in them on positions."""

import functools

import numpy as np
import pytest
from support.heuristics import one_against

import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.training.evaluation.match import play_games

GAME = poopdeck.game("too_many_poops")
VARIANTS = GAME.spec.variants


def chosen(s, strength="best"):
    """The names of what a heuristic chooses, and does, until the choice with all its parts is made."""
    agent = HeuristicAgent(GAME.spec, s.settings, strength)
    seat = GAME.current_player(s)
    names = []
    while not names or (GAME.current_player(s) == seat and GAME.dump(s)["pending"]):
        observations, masks = GAME.observation(s, seat)[None], GAME.action_mask(s)[None]
        action = int(agent.act(observations, masks, np.random.default_rng(0))[0])
        names.append(GAME.action_name(action))
        GAME.apply_action(s, action)
    return names


def position(hands, homes, **fields):
    """A position in seat 0's play phase with exactly these cards; a home is a list of cats."""
    blank = {"turn": 0, "wild": [], "store": {"cats": [], "items": []}}
    full = [home if isinstance(home, dict) else {"cats": home, "modifiers": [], "poops": 0} for home in homes]
    cards = [{"cats": cats, "items": items} for cats, items in hands]
    return GAME.load({"players": len(hands), "hands": cards, "homes": full, **blank, **fields})


def duels(first, second, num_players, deals, **options):
    """Chance of ``first`` to win at a table of ``second``, and its 95 % interval."""
    return one_against(GAME, (first, second), num_players, deals, lambda returns: returns > 0, **options)


# Strength


@pytest.mark.parametrize("num_players, at_least", [(2, 0.90), (4, 0.85)])
def test_best_hardly_ever_loses_against_random_players(num_players, at_least):
    rate, interval = duels("heuristic", "random", num_players, 2000 // num_players)
    assert rate - interval > at_least


@pytest.mark.parametrize("num_players, at_least", [(2, 0.75), (4, 0.27)])
def test_best_wins_more_than_its_share_against_racers(num_players, at_least):
    rate, interval = duels("heuristic", "heuristic:racer", num_players, 2000 // num_players)
    assert rate - interval > at_least


def test_the_racer_beats_random_players():
    rate, interval = duels("heuristic:racer", "random", 4, 200)
    assert rate - interval > 0.80


@functools.cache
def among_copies(num_players):
    """Of games among ``best`` alone: the shares truncated and won by points, and the mean of rounds."""
    states = [GAME.new_state(seed=seed, num_players=num_players) for seed in range(150)]
    best = HeuristicAgent(GAME.spec, states[0].settings)
    rng = np.random.default_rng(3)
    turns = 0
    while going := [s for s in states if not GAME.is_terminal(s)]:
        views = [GAME.observation(s, GAME.current_player(s)) for s in going]
        actions = best.act(np.array(views), np.array([GAME.action_mask(s) for s in going]), rng)
        for s, action in zip(going, actions, strict=True):
            before = s.record["turn"]
            GAME.apply_action(s, int(action))
            turns += GAME.is_terminal(s) or s.record["turn"] != before
    winners = [s.record["winner"] for s in states]
    by_points = [winner >= 0 and s.record["points"][winner] >= 10 for s, winner in zip(states, winners, strict=True)]
    truncated = [GAME.is_truncated(s) for s in states]
    return np.mean(truncated), np.mean(by_points), turns / num_players / len(states)


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_games_among_copies_are_short_and_neither_a_mere_race_nor_mere_elimination(num_players):
    truncated, by_points, rounds = among_copies(num_players)
    assert truncated < 0.02
    assert 0.35 < by_points
    assert 2 < rounds < 6


def test_both_strengths_are_listed():
    assert {"heuristic", "heuristic:racer"} <= set(agent_names(GAME))


# Legal choices in every setting


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_every_choice_is_legal_and_the_same_again(variant, num_players):
    settings = GAME.spec.settings(num_players, **VARIANTS[variant])
    agents = [load_agent(name, GAME, settings) for name in ("heuristic", "heuristic:racer", "random")]
    games = 12
    lineups = np.random.default_rng(1).integers(0, 3, (games, num_players))
    results, again = (play_games(GAME, settings, agents, lineups, np.arange(games), seed=2) for _ in range(2))
    assert (results.forfeited < 0).all()
    assert (results.returns == again.returns).all() and (results.lengths == again.lengths).all()


# Ideas of both


@pytest.mark.parametrize("strength", ["best", "racer"])
def test_a_cat_that_wins_is_played(strength):
    homes = [["tabby 0", "tabby 1", "calico 2", "calico 3"], ["smoke 0"]]
    s = position([(["calico 4", "ginger 0"], ["big dinner"]), (["smoke 4"], [])], homes)
    assert chosen(s, strength) == ["cat calico 4", "to home +0"]
    assert GAME.returns(s)[0] == 1


@pytest.mark.parametrize("strength", ["best", "racer"])
def test_a_cat_of_the_own_litter_comes_home(strength):
    s = position([(["tabby 2", "ginger 0"], []), (["smoke 4"], [])], [["tabby 0"], ["siamese 3"]])
    assert chosen(s, strength) == ["cat tabby 2", "to home +0"]


@pytest.mark.parametrize("strength", ["best", "racer"])
def test_no_cat_comes_home_that_would_send_the_seat_out(strength):
    home = {"cats": ["tabby 0", "tabby 1", "calico 0"], "modifiers": [], "poops": 6}
    s = position([(["calico 4"], []), (["smoke 4"], [])], [home, []])
    assert chosen(s, strength)[1] != "to home +0"


@pytest.mark.parametrize("strength", ["best", "racer"])
def test_a_scoop_is_played_before_it_is_too_late(strength):
    home = {"cats": ["tabby 0", "tabby 1", "calico 0"], "modifiers": [], "poops": 7}
    s = position([(["ginger 4"], ["scoop"]), (["smoke 4"], [])], [home, []])
    assert chosen(s, strength) == ["play scoop"]


# Ideas of best alone


def test_a_rival_goes_to_a_seat_that_is_about_to_win():
    rival = dict(GAME.spec.settings(2)["rivals"])["tabby 0"]
    homes = [["siamese 1"], ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]]
    s = position([([rival], []), (["tabby 4"], [])], homes, known=[{}, {"cats": ["tabby 4"], "items": []}])
    assert chosen(s, "best") == [f"cat {rival}", "to home +1"]


def test_a_shoo_takes_a_cat_from_a_seat_that_is_about_to_win():
    homes = [["siamese 1"], ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]]
    hands = [(["smoke 2"], ["shoo"]), (["tabby 4"], [])]
    fields = {"known": [{}, {"cats": ["tabby 4"], "items": []}]}
    names = chosen(position(hands, homes, **fields), "best")
    assert names[0] == "play shoo" and names[1].startswith("cat tabby")
    assert chosen(position(hands, homes, **fields), "racer")[0] == "cat smoke 2"


def test_a_hiss_stops_what_would_win():
    s = position(
        [(["smoke 2"], ["lure"]), ([], ["hiss"])],
        [["tabby 0", "tabby 1", "tabby 2", "tabby 3"], ["smoke 0"]],
        wild=["tabby 4"],
    )
    for name in ("play lure", "cat tabby 4", "to home +0"):
        GAME.apply_action(s, GAME.action(name))
    assert chosen(s, "best") == ["play hiss"]


def test_a_closed_door_turns_a_rival_away():
    rival = dict(GAME.spec.settings(2)["rivals"])["tabby 0"]
    homes = [["siamese 1"], ["tabby 0", "tabby 1", "tabby 2", "tabby 3"]]
    s = position([([rival], []), ([], ["closed door"])], homes)
    for name in (f"cat {rival}", "to home +1"):
        GAME.apply_action(s, GAME.action(name))
    assert chosen(s, "best") == ["play closed door"]
