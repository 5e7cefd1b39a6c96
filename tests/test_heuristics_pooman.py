"""The heuristics of Pooman: legal everywhere, as strong as they claim, and the ideas in them shown on positions."""

import functools

import numpy as np
import pytest
from documents import ROOT, section, table_rows

import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.training.evaluation.match import play_games

GAME = poopdeck.game("pooman")
TOLERANCE = 0.05  # that the specification allows for other card policies
PLAYERS = (2, 3, 4, 5, 6)


@functools.cache
def share(players, pooman, num_players, games, **options):
    """Share of games that the Pooman wins, and three standard errors of it."""
    settings = GAME.spec.settings(num_players, **options)
    agents = [load_agent(name, GAME, settings) for name in (players, pooman)]
    lineups = np.zeros((games, num_players + 1), np.int64)
    lineups[:, num_players] = 1
    results = play_games(GAME, settings, agents, lineups, np.arange(games), seed=7)
    assert (results.forfeited < 0).all() and not results.truncated.any()
    won = results.returns[:, num_players] > 0
    return won.mean(), 3.0 * won.std() / np.sqrt(games)


def chosen(s, strength="best", times=1):
    """The names of what a heuristic chooses in a position, in so many trials."""
    agent = HeuristicAgent(GAME.spec, s.settings, strength)
    observations = np.repeat(GAME.observation(s, GAME.current_player(s))[None], times, axis=0)
    masks = np.repeat(GAME.action_mask(s)[None], times, axis=0)
    return {GAME.action_name(int(a)) for a in agent.act(observations, masks, np.random.default_rng(0))}


def chase(fronts, pooman, players, card="pooman", **fields):
    """A chase with everybody at the cells given; the first player with a card is to choose."""
    state = {"pooman": pooman, "players": players, **fields}
    return GAME.load(
        {"players": len(fronts), "seed": 1, "turn": 0, "fronts": fronts, "card": card, "chase_state": state}
    )


# Known numbers

KNOWN = {
    ("heuristic:dodge", "heuristic:richest"): (0.44, 0.47, 0.51, 0.50, 0.52),
    ("heuristic:dodge", "heuristic:nearest"): (0.41, 0.37, 0.33, 0.31, 0.28),
    ("heuristic:still", "heuristic:nearest"): (0.58, 0.66, 0.81, 0.87, 0.86),
    ("random", "random"): (0.07,) * 5,
}


@pytest.mark.parametrize("pair", KNOWN, ids=" against ".join)
def test_the_pooman_wins_as_often_as_in_the_specification(pair):
    found = [share(*pair, num_players, 1500) for num_players in PLAYERS]
    lost = [(p, *f) for p, f in zip(KNOWN[pair], found, strict=True) if abs(f[0] - p) > TOLERANCE + f[1]]
    assert not lost


def test_without_the_chase_sensible_play_wins_as_often_as_in_the_specification():
    found = [share("heuristic", "random", num_players, 4000, chase="off") for num_players in PLAYERS]
    wanted = (0.51, 0.41, 0.49, 0.38, 0.46)
    assert all(abs(f[0] - p) < TOLERANCE + f[1] for p, f in zip(wanted, found, strict=True))


def page_figures():
    """The shares of the table on the game's page, one for each number of players, by who plays the two roles."""
    rows = table_rows(section(ROOT / "docs" / "games" / "pooman.md", "Agents"))
    return {(row[0], row[1]): tuple(map(float, row[2:])) for row in rows if len(row) == 2 + len(PLAYERS)}


def full_name(word):
    """An agent by the word that the page has for it."""
    return word if word in ("random", "heuristic") else f"heuristic:{word}"


@pytest.mark.parametrize("pair", page_figures(), ids=" against ".join)
def test_the_shares_on_the_page_are_what_the_agents_reach(pair):
    players, _, without = pair[0].partition(", ")
    pooman = "random" if without else full_name(pair[1])
    options = {"chase": "off"} if without else {}
    games = 4000 if without else 250
    for num_players, wanted in list(zip(PLAYERS, page_figures()[pair], strict=True))[::2]:
        found, margin = share(full_name(players), pooman, num_players, games, **options)
        assert abs(found - wanted) < margin + 0.016, num_players


# Strength


def test_the_best_pooman_wins_more_often_than_one_that_runs_to_the_nearest():
    for players in ("heuristic", "heuristic:run"):
        found, margin = share(players, "heuristic", 4, 1200)
        other, other_margin = share(players, "heuristic:nearest", 4, 1200)
        assert found - margin > other + other_margin


def test_the_best_players_win_more_often_than_those_who_stand_still():
    found, margin = share("heuristic", "heuristic", 4, 1200)
    other, other_margin = share("heuristic:still", "heuristic", 4, 600)
    assert found + margin < other - other_margin


def test_heuristics_beat_random_play_in_either_role():
    found, margin = share("heuristic", "random", 3, 300)
    assert found + margin < 0.1
    found, margin = share("random", "heuristic", 3, 300)
    assert found - margin > 0.5


def test_agents_are_listed_by_strength():
    names = {"heuristic", *(f"heuristic:{name}" for name in ("run", "dodge", "still", "nearest", "richest"))}
    assert names <= set(agent_names(GAME))


# Legal choices in every setting, and the same ones again

SETTINGS = [
    *({"num_players": 3, **options} for options in GAME.spec.variants.values()),
    {"num_players": 2, "room_size": 2, "start_distance": 1, "pooman_speed": 5, "player_speed": 5},
    {"num_players": 6, "room_size": 30, "start_distance": 20, "pooman_speed": 1, "player_speed": 3},
    {"num_players": 5, "pooman_speed": 1, "chase_ticks": 40, "freeze_ticks": 1, "empty_handed_run": True},
    {"num_players": 4, "counts": {"smell the freshness": 20, "balancer": 5, "poocicle": 10}, "max_decisions": 400},
]


def mixed(options, seed):
    """Games of all strengths and random players, drawn per seat."""
    settings = GAME.spec.settings(**options)
    agents = [load_agent(name, GAME, settings) for name in agent_names(GAME)]
    lineups = np.random.default_rng(1).integers(0, len(agents), (60, options["num_players"] + 1))
    return play_games(GAME, settings, agents, lineups, np.arange(60), seed=seed)


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_choice_is_legal(options):
    assert (mixed(options, seed=2).forfeited < 0).all()


def test_the_same_seed_plays_the_same_games():
    first, again, other = (mixed(SETTINGS[0], seed) for seed in (3, 3, 4))
    assert (first.returns == again.returns).all() and (first.lengths == again.lengths).all()
    assert (first.lengths != other.lengths).any()


# Ideas

RICH = ["2 stars", "2 stars"]


def test_a_player_next_to_the_pooman_flees_to_more_than_one_cell():
    s = chase([RICH, []], [5, 5], [[5, 6], [0, 0]])
    assert chosen(s, "best", 40) == chosen(s, "dodge", 40) == {"south", "east", "west"}
    assert chosen(s, "run", 40) == {"south"}
    assert chosen(s, "still", 40) == {"stay"}


def test_a_special_is_used_when_a_touch_threatens_what_is_worth_it():
    kept = ["power flush", "poodini", "poocicle"]
    assert chosen(chase([[*RICH, *kept], []], [5, 5], [[5, 6], [0, 0]])) == {"use poodini"}
    assert chosen(chase([[*RICH, "power flush"], []], [5, 5], [[5, 6], [0, 0]])) == {"use power flush"}
    assert "use poodini" not in chosen(chase([[*RICH, *kept], []], [5, 0], [[5, 6], [0, 0]]), times=40)
    assert "use poodini" not in chosen(chase([["poodini"], []], [5, 5], [[5, 6], [0, 0]]), times=40)


def test_no_special_is_wasted_on_the_pooperman():
    s = chase([[*RICH, "poodini"], []], [5, 5], [[5, 6], [0, 0]], card="pooperman")
    assert chosen(s, times=40) == {"south", "east", "west"}


def hunting(fronts, pooman, players):
    """A chase in which the Pooman is to choose: everybody else stays."""
    moves = [["stay"] if front else None for front in fronts]
    return chase(fronts, pooman, players, moves=moves)


def test_the_pooman_runs_to_the_one_that_its_strength_says():
    s = hunting([["1 star"], RICH], [5, 5], [[5, 9], [10, 5]])
    assert (chosen(s, "nearest", 40), chosen(s, "richest", 40)) == ({"south"}, {"east"})
    assert chosen(s, "best", 40) == {"east"}


def test_the_pooman_goes_over_a_cell_beside_it_and_on_to_one_that_nobody_can_foretell():
    s = hunting([RICH, []], [5, 5], [[6, 5], [0, 0]])
    for strength in ("nearest", "richest", "best"):
        first = chosen(s, strength, 40)
        assert first == {"east"} if strength != "best" else "west" not in first and "stay" not in first
        after = GAME.clone(s)
        GAME.apply_action(after, GAME.action("east"))
        assert {"north", "east", "south"} <= chosen(after, strength, 60)


def test_two_stars_are_taken_from_whoever_shows_most():
    fronts = [["1 star"], ["2 stars"], ["2 stars", "2 stars"]]
    s = GAME.load({"players": 3, "seed": 1, "turn": 0, "fronts": fronts, "card": "smell the freshness"})
    assert chosen(s) == {"take 2 stars from +2"}


def test_without_the_chase_a_balancer_goes_before_what_stops_the_pooperman_too():
    fronts = [["1 star", "poodini", "balancer"], []]
    counts = {"balancer": 1}
    s = GAME.load({"players": 2, "chase": "off", "counts": counts, "turn": 0, "fronts": fronts, "card": "pooman"})
    assert chosen(s) == {"use balancer"}
