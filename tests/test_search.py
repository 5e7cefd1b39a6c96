"""Searching agents: what they may know, what they spend, that they play better, and that they sit everywhere."""

import dataclasses
import json
from itertools import product

import numpy as np
import pytest
from support import two_steps
from typer.testing import CliRunner

import poopdeck
from poopdeck.agents.base import ContextAgent
from poopdeck.agents.loading import load_agent, split_names
from poopdeck.agents.search.evidence import Evidence
from poopdeck.agents.search.options import SearchOptions, parse
from poopdeck.agents.search.playouts import CutPlayouts, Positions
from poopdeck.agents.search.tree import back_up, grow, plant
from poopdeck.cli.app import app
from poopdeck.envs.tables.context import Context, Dealer
from poopdeck.envs.tables.kernel import LEARNER
from poopdeck.envs.tables.streams import chance_records
from poopdeck.play import play
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.watch import frames


def positions(name, count=12, variant=None, seed=2, players=None):
    """Positions of one random game in which the seat to act has a choice."""
    game, rng = poopdeck.game(name), np.random.default_rng(seed)
    found, state = [], game.new_state(seed, players, variant=variant)
    while not game.is_terminal(state) and len(found) < count:
        if len(game.legal_actions(state)) > 1:
            found.append(game.clone(state))
        game.apply_action(state, int(rng.choice(game.legal_actions(state))))
    return found


def context_of(game, states):
    """What an agent is told of positions, one a table."""
    seats = np.array([game.current_player(state) for state in states])
    dealer = Dealer(game, states[0].settings, np.concatenate([state.records.copy() for state in states]), seats)
    return Context(
        game=game,
        settings=states[0].settings,
        observations=np.stack([game.observation(s, seat) for s, seat in zip(states, seats, strict=True)]),
        masks=np.stack([game.action_mask(state) for state in states]),
        tables=np.arange(len(states)),
        seats=seats,
        new_game=np.zeros(len(states), np.bool_),
        rng=np.random.default_rng(0),
        deal=dealer.deal,
        positions=dealer.positions,
    )


def search(game, states, text="search:deals=4"):
    """What an agent of this name thinks of positions."""
    return load_agent(text, game, states[0].settings).think(context_of(game, states))


def same(one, two):
    """Whether two thoughts are the same to the bit."""
    return all(
        np.array_equal(getattr(one, field.name), getattr(two, field.name), equal_nan=True)
        for field in dataclasses.fields(one)
    )


def rows_of(thought, rows):
    return type(thought)(*(getattr(thought, field.name)[rows] for field in dataclasses.fields(thought)))


# -- what it may know, and what it spends ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", poopdeck.games())
def test_nothing_hidden_changes_what_it_thinks(name):
    game = poopdeck.game(name)
    for variant in game.spec.variants:
        truth = positions(name, 10, variant)
        twins = [game.resample(state, game.current_player(state), k) for k, state in enumerate(truth)]
        for text in ("search:deals=4", "search:deals=4,root=policy,playouts=mixed", "ismcts:deals=8"):
            one, two = search(game, truth, text), search(game, twins, text)
            assert same(one, two), f"{variant}, {text}"
            assert (np.nan_to_num(one.gains) != 0).any(), "nothing was found out, so nothing could have leaked"


def test_the_leak_test_sees_a_leak(monkeypatch):
    def dishonest(self, row, count, seed):
        return np.repeat(self._records[row : row + 1], count)

    game, truth = poopdeck.game("poo_head"), positions("poo_head")
    twins = [game.resample(state, game.current_player(state), k) for k, state in enumerate(truth)]
    monkeypatch.setattr(Dealer, "positions", dishonest)
    assert not same(search(game, truth), search(game, twins))


@pytest.mark.parametrize("text", ["search:deals=6,playouts=mixed,root=policy", "ismcts:deals=20,playouts=mixed"])
@pytest.mark.parametrize("name", poopdeck.games())
def test_choices_are_legal_and_the_same_whoever_else_waits_and_however_many_threads_play(name, text):
    game, states = poopdeck.game(name), positions(name, 8)
    together = search(game, states, text)
    masks = np.stack([game.action_mask(state) for state in states])
    assert masks[np.arange(len(states)), together.actions].all()
    assert ((together.policy > 0) <= (masks > 0)).all() and np.allclose(together.policy.sum(axis=1), 1)
    alone = search(game, states[5:6], text)
    assert same(alone, rows_of(together, [5]))
    threads = search(game, states, f"{text},threads=3")
    assert same(threads, together)
    other = search(game, states, f"{text},seed=1")
    assert not same(other, together)


def test_the_budget_in_deals_is_kept_and_forced_moves_are_not_searched(monkeypatch):
    dealt = []
    honest = Dealer.positions
    monkeypatch.setattr(Dealer, "positions", lambda *given: dealt.append(given[2]) or honest(*given))
    game = poopdeck.game("poo_head")
    state = positions("poo_head", 1)[0]
    for kind, deals in product(("search", "ismcts"), (1, 2, 7, 64)):
        dealt.clear()
        assert search(game, [state], f"{kind}:deals={deals}").deals[0] == sum(dealt) == deals
    while len(game.legal_actions(state)) > 1:
        game.apply_action(state, game.legal_actions(state)[-1])
    dealt.clear()
    thought = search(game, [state], "search:deals=64")
    assert not dealt and thought.actions[0] == game.legal_actions(state)[0] and thought.deals[0] == 0


@pytest.mark.parametrize("kind", ["search", "ismcts"])
def test_a_budget_in_milliseconds_ends(kind):
    game, states = poopdeck.game("poo_head"), positions("poo_head", 3)
    short, long = (search(game, states, f"{kind}:ms={ms}").deals[0] for ms in (0.1, 400))
    assert 1 <= short < long


# -- what it makes of playouts -----------------------------------------------------------------------------------------


def evidence():
    """Three actions of two rows (the second has two), the proposal at places 1 and 0."""
    found = Evidence(np.array([[1, 0, 1, 1], [0, 1, 0, 1]], np.int8), np.array([2, 1]))
    values = np.array([[[1, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0]], [[0, 1, np.nan]] * 4], float)
    found.add(values[:, :2])
    found.add(values[:, 2:])
    return found


def test_gains_are_paired_means_with_their_errors():
    gains, errors = evidence().gains()
    assert gains[0].tolist() == [0.75, 0.0, 0.25] and errors[0][1] == 0
    assert np.isclose(errors[0][0], np.std([1, 0, 1, 1]) / 2)
    assert gains[1][:2].tolist() == [0.0, 1.0] and np.isnan(gains[1][2])


def test_the_proposal_is_overridden_beyond_the_margin_only():
    found = evidence()
    assert found.best(0.0).tolist() == [0, 3]
    assert found.best(1e3).tolist() == [2, 3]  # the second row's gain has no error


def test_weights_count():
    found = Evidence(np.array([[1, 1]], np.int8), np.array([0]))
    found.add(np.array([[[0, 1], [0, -1]]], float), np.array([[3.0, 1.0]]))
    gains, errors = found.gains()
    assert gains[0, 1] == 0.5 and np.isclose(errors[0, 1], np.sqrt(9 * 0.25 + 2.25) / 4)


def test_halving_keeps_the_better_actions_and_the_proposal():
    found = Evidence(np.ones((1, 6), np.int8), np.array([0]))
    luck = np.where(np.arange(64)[:, None] >> np.arange(6) & 1, 2.0, -2.0)
    found.add((np.arange(6) * 0.1 + luck)[None])
    found.halve()
    assert found.alive[0].tolist() == [True, False, False, True, True, True]
    found.halve()
    assert found.alive[0].tolist() == [True, False, False, False, True, True]
    sure = Evidence(np.ones((1, 3), np.int8), np.array([1]))
    sure.add(np.array([[[-1, 0, 1.0]] * 4]))
    sure.halve()
    assert sure.alive[0].tolist() == [False, True, True]


def test_the_policy_is_the_prior_times_the_exponential_of_the_gains():
    policy = evidence().policy(np.array([[0.5, 0, 0.25, 0.25], [0, 0.9, 0, 0.1]]), 0.5)
    expected = np.array([0.5 * np.exp(1.5), 0, 0.25, 0.25 * np.exp(0.5)])
    assert np.allclose(policy[0], expected / expected.sum())
    assert np.allclose(policy.sum(axis=1), 1) and policy[1, 0] == 0


class Judge:
    """A network's part in playouts: plays its first legal action, and says that everything is worth 7."""

    name, has_values = "judge", True

    def __init__(self):
        self.acted, self.judged = [], []

    def act(self, observations, masks, rng):
        assert (masks.sum(axis=1) > 1).all()
        self.acted.append(len(masks))
        return masks.argmax(axis=1)

    def values(self, observations):
        self.judged.append(observations)
        return np.full(len(observations), 7, np.float32)


@pytest.mark.parametrize("horizon", [1, 3])
def test_playouts_are_cut_short_at_an_own_choice_and_judged_there(horizon):
    game, state, judge = poopdeck.game("poop"), positions("poop", 1, players=3)[0], Judge()
    heuristic = load_agent("heuristic", game, state.settings)
    seat, legal = game.current_player(state), game.legal_actions(state)
    records = np.concatenate([game.resample(state, seat, k).records for k in range(40)])
    lineups = np.full((40, 3), 1, np.int16)
    lineups[:, seat] = LEARNER
    tables = CutPlayouts(game, state.settings, [judge, heuristic], judge, horizon)
    found = Positions(records, lineups, np.arange(40, dtype=np.uint64))
    returns = tables.returns(found, np.arange(40), np.full(40, legal[0]))[:, seat]
    early = returns == 7
    assert early.any() and np.isin(returns[~early], (-1, -0.5, 1)).all()
    assert len(judge.acted) == horizon - 1 and sum(map(len, judge.judged)) == early.sum()
    hand = game.spec.observation_slices(state.settings)["hand"]
    assert all(seen[:, hand].sum() > 0 for seen in judge.judged)


def test_it_beats_the_heuristic_that_it_begins_with():
    game, settings = poopdeck.game("poo_head"), poopdeck.game("poo_head").spec.settings(2)
    agent, other = (load_agent(name, game, settings) for name in ("search:deals=6", "heuristic"))
    result = evaluate(game, settings, agent, [other], games=60, seed=1)
    assert result.illegal_actions == 0
    assert result.rates["loss_rate"] < 0.36  # an equal would come so low once in a hundred times


def test_the_tree_beats_random_play():
    game, settings = poopdeck.game("poop"), poopdeck.game("poop").spec.settings(2)
    agent, other = (load_agent(name, game, settings) for name in ("ismcts:deals=24,playouts=random", "random"))
    result = evaluate(game, settings, agent, [other], games=100, seed=1)
    assert result.illegal_actions == 0
    assert result.rates["win_rate"] > 0.63  # an equal would come so high once in two hundred times


def test_a_tree_finds_that_others_answer_well():
    """Played on at random actions 0 and 1 are the better ones; to the seat that answers them they are worth all."""
    trees, chance = plant(1, 16, 3, 2), chance_records(np.array([5], np.uint64))
    masks, actions, over = np.zeros((1, 3), np.int8), np.zeros(1, np.int64), np.zeros(1, np.bool_)
    returns, step = np.zeros((1, 2), np.float32), grow(two_steps, two_steps)
    for k in range(400):
        states = two_steps.new_states(1)
        step(states, tuple(trees), masks, actions, over, returns, chance, 0.7)
        if not over[0]:
            rest = (int(actions[0]), k % 3)[: 2 - int(states["done"][0])]
            assert trees.sizes[0] <= 13 and masks[0].all() and rest
            states["first"], states["second"] = rest if len(rest) == 2 else (states["first"][0], rest[0])
            pay(states, returns)
        back_up(trees, returns)
        assert trees.visits[0, 0] == k + 1
    first = trees.children[0, 0]
    assert (first > 0).all() and trees.visits[0, first].argmax() == two_steps.SAFE
    answers = trees.children[0, first[0]]
    assert trees.visits[0, answers].argmax() == two_steps.ANSWER


def pay(states, returns):
    """The returns of a game that both have played."""
    safe, answered = states["first"] == two_steps.SAFE, states["second"] == two_steps.ANSWER
    returns[:, 0] = np.where(safe, 0.6, np.where(answered, 0.0, 1.0))
    returns[:, 1] = 1 - returns[:, 0]


# -- its name and its options ------------------------------------------------------------------------------------------


def test_options_are_read():
    found = parse("search", "deals=256, playouts=mixed+random,proposal=runs/a=b,margin=2.5,seed=7", SearchOptions())
    assert found == SearchOptions(deals=256, proposal="runs/a=b", playouts=("mixed", "random"), margin=2.5, seed=7)
    assert parse("search", "", SearchOptions()) == SearchOptions()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deals=0", r"agent 'search:deals=0': deals=0: allowed is a whole number from 1"),
        ("deals=few", r"deals=few: allowed is a whole number from 1"),
        ("ms=nan", r"ms=nan: allowed is a number above 0"),
        ("deal=4", r"did you mean deals=\? 'deal=4' is none of deals=\(a whole number from 1\), ms=\("),
        ("256", r"'256' is none of deals="),
        ("deals=4,ms=4", r"deals and ms are two ways to say how long it searches; give one of them"),
        ("deals=4,deals=4", r"deals is given twice"),
        ("root=worst", r"root=worst: allowed is best or policy"),
        ("playouts=a++b", r"playouts=a\+\+b: allowed is mixed, or names of agents joined by \+"),
        ("proposal=heuristik", r"agent 'search:proposal=heuristik': agent 'heuristik': did you mean 'heuristic'\?"),
        ("horizon=2", r"'search:horizon=2': horizon=2: the proposal heuristic does not tell what a position is worth"),
        ("exploration=1", r"'exploration=1' is none of deals="),
        ("playouts=ismcts:ms=3", r"proposal, playouts and models are agents that do not search themselves"),
    ],
)
def test_wrong_options_are_told(text, message):
    with pytest.raises(ValueError, match=message):
        poopdeck.load_agent(f"search:{text}")


def test_names_in_a_list_keep_their_options():
    assert split_names("search:deals=4,margin=2, random,heuristic:lowest") == [
        "search:deals=4,margin=2",
        "random",
        "heuristic:lowest",
    ]
    assert split_names("a=b,c=d") == ["a=b", "c=d"]


# -- where it sits -----------------------------------------------------------------------------------------------------

SMALL = "search:deals=2"


def run(*words):
    result = CliRunner().invoke(app, list(map(str, words)))
    assert result.exit_code == 0, result.output
    return result.output


def test_it_is_an_agent_that_is_asked_in_a_context():
    assert isinstance(poopdeck.load_agent("search"), ContextAgent)
    assert poopdeck.load_agent(SMALL, "poop").name == SMALL


def test_it_is_evaluated_and_sits_at_the_other_seats(tmp_path):
    out = tmp_path / "figures.json"
    against = f"{SMALL},margin=2,random"
    words = ("--game", "poop", "--players", 3, "--games", 6, "--json", out)
    assert f"{SMALL} at a table of {SMALL},margin=2, random" in run("evaluate", SMALL, "--against", against, *words)
    assert json.loads(out.read_text())["illegal_actions"] == 0


def test_it_plays_in_tournaments(tmp_path):
    words = ("poop", SMALL, "wary=search:deals=2,margin=3", "random", "--players", 2, "--games", 6)
    text = run("tournament", *words, "--out", tmp_path / "cup")
    assert SMALL in text and "wary" in text


def test_it_plays_and_is_watched():
    game = poopdeck.game("pooman")
    agents = [poopdeck.load_agent("search:deals=1", "pooman", 2)] * 3
    shown = list(zip(range(12), frames(game, game.new_state(0, 2), agents, 0), strict=False))
    assert len(shown) == 12
    game = poopdeck.game("poop")
    agents = [poopdeck.load_agent(SMALL, "poop", 2), poopdeck.load_agent("heuristic", "poop", 2)]
    assert play(game, game.new_state(0, 2), agents, show=lambda text: None).sum() == 0


def test_it_is_an_opponent_of_learners(tmp_path):
    env = poopdeck.make_gymnasium("poop", {SMALL: 1, "random": 1}, num_players=2)
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))
    sets = [f"--set=opponents=[{{agent: '{SMALL}'}}]", "--set=game=poop", "--set=total_timesteps=256"]
    sets += ["--set=evaluation.final_games=4", "--set=evaluation.games=4", "--set=evaluation.against=[random]"]
    run("train", "smoke", *sets, "--out", tmp_path / "run")
    assert (tmp_path / "run" / "weights").is_dir()
