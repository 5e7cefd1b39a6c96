"""The games in OpenSpiel, by its own checks and algorithms; needs the extra ``openspiel`` (``make test-extras``)."""

import itertools
import pickle

import numpy as np
import pytest
import solved_page
import yaml
from documents import ROOT

pyspiel = pytest.importorskip("pyspiel", reason='needs OpenSpiel: pip install "poopdeck[openspiel]"')

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    ismcts,
    mcts,
    random_agent,
)
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

import poopdeck  # noqa: E402
from poopdeck.agents.random import RandomAgent  # noqa: E402
from poopdeck.envs.adapters.openspiel import AgentBot, BotAgent, ExplicitGame, SpielGame  # noqa: E402
from poopdeck.envs.core import registry  # noqa: E402
from poopdeck.training.benchmark import equilibrium  # noqa: E402
from poopdeck.training.benchmark.equilibrium import plan_of, policy_of, solve  # noqa: E402
from poopdeck.training.benchmark.tree import build_tree  # noqa: E402
from poopdeck.training.evaluation.evaluate import evaluate  # noqa: E402
from poopdeck.training.evaluation.tournament import Entry, make_plan, run_tournament  # noqa: E402

GAMES = sorted(registry.BUILT_IN)
VARIANTS = [(name, variant) for name in GAMES for variant in registry.spec(name).variants]


def dealt(game, seed=0):
    """A state whose chance nodes drew the digits of a seed."""
    state = game.new_initial_state()
    for digit in (seed >> 16, seed >> 8 & 255, seed & 255):
        assert state.is_chance_node() and len(state.chance_outcomes()) == 256
        state.apply_action(digit)
    return state


def play_on(state, rng, most=10_000):
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))


def searcher(game, simulations=3):
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    options = {"random_state": np.random.RandomState(0), "use_observation_string": True}
    return ismcts.ISMCTSBot(game, rollouts, 1.4, simulations, **options)


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_every_game_and_variant_passes_openspiels_own_check(name, variant):
    game = pyspiel.load_game(f"poopdeck_{name}", {"players": 3, "variant": variant})
    assert game.settings == registry.spec(name).settings(3, variant=variant)
    assert SpielGame.of(game.poopdeck, game.settings).settings == game.settings
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_parameters_are_numbers_words_or_the_text_of_a_structure(name):
    spec = registry.spec(name)
    game = pyspiel.load_game(f"poopdeck_{name}(players=2,max_decisions=33)")
    assert game.settings == spec.settings(2, max_decisions=33) and game.num_players() == spec.num_seats(game.settings)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_what_is_not_allowed_is_refused_with_what_is():
    for wrong, says in (
        ({"players": 99}, "num_players=99: allowed is a whole number from 2 to 25"),
        ({"bombs": -3}, "bombs=-3: allowed"),
        ({"variant": "nope"}, "variant='nope': poo_head has default"),
        ({"bomb": 3}, "Unknown parameter 'bomb'"),
    ):
        with pytest.raises((ValueError, pyspiel.SpielError), match=says):
            pyspiel.load_game("poopdeck_poo_head", wrong)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_and_actions_are_the_same_game(name):
    ours, game = poopdeck.game(name), pyspiel.load_game(f"poopdeck_{name}", {"players": 3})
    seed, rng = 70_000, np.random.default_rng(1)
    s, state = ours.new_state(seed, num_players=3), dealt(game, seed)
    while not ours.is_terminal(s):
        assert not state.is_terminal() and state.current_player() == ours.current_player(s)
        assert state.legal_actions_mask() == ours.action_mask(s).tolist()
        for seat in range(game.num_players()):
            seen = np.array(state.observation_tensor(seat), np.float32)
            assert seen.tobytes() == ours.observation(s, seat).tobytes()
            assert state.legal_actions(seat) == (ours.legal_actions(s) if seat == state.current_player() else [])
        action = int(rng.choice(ours.legal_actions(s)))
        assert state.action_to_string(action) == ours.action_name(action, s)
        before = ours.returns(s)
        ours.apply_action(s, action)
        state.apply_action(action)
        assert np.allclose(state.rewards(), ours.returns(s) - before, atol=1e-6)
    assert state.is_terminal() and np.allclose(state.returns(), ours.returns(s), atol=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_copies_of_a_game_in_its_middle_go_on_alike_with_all_chance_to_come(name):
    game = pyspiel.load_game(f"poopdeck_{name}", {"players": 3})
    state, rng = dealt(game, 5), np.random.default_rng(2)
    play_on(state, rng, 12)
    twins = [state.clone(), game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state))]
    assert all(twin.history() == state.history() and str(twin) == str(state) for twin in twins)
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        for one in (state, *twins):
            one.apply_action(action)
        assert all(str(twin) == str(state) and twin.returns() == state.returns() for twin in twins)


@pytest.mark.parametrize("name", GAMES)
def test_resampling_keeps_what_the_player_sees_and_deals_the_rest_anew(name):
    game = pyspiel.load_game(f"poopdeck_{name}", {"players": 3})
    state, rng = dealt(game, 9), np.random.default_rng(3)
    play_on(state, rng, 6)
    seat = state.current_player()
    found = [state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0)) for _ in range(8)]
    assert {one.observation_string(seat) for one in found} == {state.observation_string(seat)}
    assert {tuple(one.observation_tensor(seat)) for one in found} == {tuple(state.observation_tensor(seat))}
    chances = {bytes(one.position.records["rng"].tobytes()) for one in (state, *found)}
    assert len(chances) == 9 and all(one.history() == state.history() for one in found)


def test_perfect_recall_and_others_knowledge_are_not_claimed():
    game = pyspiel.load_game("poopdeck_poop")
    assert not game.get_type().provides_information_state_string
    with pytest.raises(ValueError, match="perfect recall is not offered"):
        dealt(game).information_state_string(0)
    with pytest.raises(ValueError, match="SINGLE_PLAYER"):
        game.make_py_observer(pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS), None)


@pytest.mark.parametrize("name", GAMES)
def test_its_search_in_python_runs(name):
    game = pyspiel.load_game(f"poopdeck_{name}", {"players": 2, "max_decisions": 20})
    state, bot = dealt(game, 1), searcher(game)
    for _ in range(6):
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


def test_its_compiled_search_is_refused_with_a_sentence():
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 10)
    state = dealt(pyspiel.load_game("poopdeck_poop"))
    for call in (bot.step, bot.get_policy, bot.step_with_policy):
        with pytest.raises(TypeError, match="compiled for compiled games.*use_observation_string=True"):
            call(state)
    with pytest.raises(TypeError, match="compiled for compiled games"):
        pyspiel.evaluate_bots(state, [bot] * 4, 1)
    theirs = pyspiel.load_game("leduc_poker").new_initial_state()
    theirs.apply_action(0)
    theirs.apply_action(1)
    assert bot.step(theirs) in theirs.legal_actions()


@pytest.mark.parametrize("kind", ["dqn", "nfsp"])
def test_its_learners_run_in_its_environment(kind):
    pytest.importorskip("torch")
    from open_spiel.python.pytorch import dqn, nfsp

    env = rl_environment.Environment("poopdeck_poop", players=2)
    env.seed(1)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    if kind == "dqn":
        learner = dqn.DQN(0, size, actions, hidden_layers_sizes=[32], replay_buffer_capacity=1000, batch_size=16)
    else:
        learner = nfsp.NFSP(
            0, size, actions, hidden_layers_sizes=[32], reservoir_buffer_capacity=1000, anticipatory_param=0.5,
            batch_size=16, replay_buffer_capacity=1000, min_buffer_size_to_learn=16,
        )  # fmt: skip
    agents = [learner, random_agent.RandomAgent(1, actions)]
    for _ in range(6):
        step = env.reset()
        while not step.last():
            seat = step.observations["current_player"]
            chosen = agents[seat].step(step)
            assert chosen.action in step.observations["legal_actions"][seat]
            step = env.step([chosen.action])
        for agent in agents:
            agent.step(step)
        assert abs(sum(step.rewards)) < 1e-6 and abs(step.rewards[0]) > 0.99


# -- our agents and its bots -----------------------------------------------------------------------------------------


def test_a_tournament_seats_its_bots_and_our_agents_at_one_table(tmp_path):
    game = poopdeck.game("poop")
    settings = game.spec.settings(2, max_decisions=16)
    agents = {"theirs": BotAgent(searcher, "ismcts"), "ours": poopdeck.load_agent("heuristic", "poop", 2)}
    entries = [Entry(label, agent, label) for label, agent in (*agents.items(), ("random", RandomAgent()))]
    ended = run_tournament(make_plan(game, settings, entries, games=6), tmp_path / "out", threads=1)
    rows = {row["agent"]: row for row in ended.content["standings"]}
    assert set(rows) == {"theirs", "ours", "random"} and not any(row["illegal_actions"] for row in rows.values())


def test_a_bot_sees_no_more_than_its_seat():
    """At positions that its seat cannot tell apart it is shown the same ones."""
    shown = []

    class Looks(pyspiel.Bot):
        def step(self, state):
            shown.append(str(state))
            return state.legal_actions()[0]

    game = poopdeck.game("poo_head")
    agent = BotAgent(lambda spiel: Looks(), "looks")
    evaluate(game, game.spec.settings(2, max_decisions=12), agent, [RandomAgent()], games=2, threads=1)
    assert shown and all("before the deal" not in text for text in shown)
    s = game.new_state(3, num_players=2)
    from poopdeck.envs.tables.context import ask_about

    shown.clear()
    for other in (s, *(game.resample(s, game.current_player(s), k) for k in range(2))):
        ask_about(agent, game, other, np.random.default_rng(0), True)
    assert len(shown) == 3 and len(set(shown)) == 1 and shown[0] != game.describe(s)


def test_our_agents_play_as_its_bots():
    game = pyspiel.load_game("poopdeck_poop", {"players": 3})
    agent = poopdeck.load_agent("heuristic", "poop", 3)
    bots = [AgentBot(agent, 0), AgentBot(RandomAgent(), 1), AgentBot(RandomAgent(), 2)]
    assert all(len(pyspiel.evaluate_bots(dealt(game, seed), bots, 7)) == 3 for seed in range(2))


# -- all chance in the deal ------------------------------------------------------------------------------------------


def tiny():
    """Two players share four cards; every way of dealing them is equally likely."""
    game, cards = poopdeck.game("poo_head"), ["3", "5", "6", "9"]
    none = [[], []]
    positions = []
    for mine in itertools.combinations(cards, 2):
        hands = [list(mine), [card for card in cards if card not in mine]]
        scenario = {"hands": hands, "face_up": none, "face_down": none, "draw_pile": [], "turn": 0, "seed": 0}
        positions.append(game.load({**scenario, "max_decisions": 14}))
    return ExplicitGame(game, positions)


def test_its_exact_algorithms_run_on_a_few_deals():
    game = tiny()
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    solver = cfr.CFRPlusSolver(game)
    found = []
    for _ in range(20):
        solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(game, solver.average_policy()))
    assert found[-1] < 0.01 < found[0] and found[-1] >= 0
    response = best_response.BestResponsePolicy(game, 1, solver.average_policy())
    assert -1 <= response.value(game.new_initial_state()) <= 1


def solved_game(deck=None, lid=None):
    """The game of the page of solved games, or one of another deck: its deals, ours, OpenSpiel's."""
    plan = yaml.safe_load((ROOT / "docs" / "agents" / "solved.yaml").read_text(encoding="utf-8"))
    if deck is not None:
        plan["options"] |= {"deck": deck, "toilet_deck": [[lid, "blue"]]}
        plan["position"]["lid"] = lid
    ours, dealt = poopdeck.game(plan["game"]), solved_page.positions_of(plan)
    return build_tree(ours, *dealt), ExplicitGame(ours, *dealt)


def test_its_equilibrium_has_the_value_that_we_solve():
    """In a game of Poop still smaller than that of the page, in which a seat must mix."""
    tree, game = solved_game({"red 2": 3, "yellow 4": 9}, 23)
    value = solve(tree).value
    solver = cfr.CFRPlusSolver(game)
    for _ in range(24):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    gap = exploitability.nash_conv(game, average)
    theirs = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)
    assert gap < 0.04 and theirs[0] == pytest.approx(value, abs=gap)
    assert -0.99 < value < -0.1  # nothing that comes by itself


def test_best_responses_in_the_game_of_the_page_are_those_that_we_compute():
    """Of the policy that chooses uniformly; the value lies between what it concedes at both seats."""
    tree, game = solved_game()
    uniform = UniformRandomPolicy(game)
    ours = [plan_of(part, policy_of(RandomAgent(), part)) for part in tree.decisions]
    for seat in (0, 1):
        theirs = best_response.BestResponsePolicy(game, seat, uniform).value(game.new_initial_state())
        assert theirs == pytest.approx(equilibrium.best_response(tree, seat, ours[1 - seat]), abs=1e-5)
    states = [part.observations for part in tree.decisions]
    assert [len(part) for part in states] == [information_states(game)[seat] for seat in (0, 1)]


def information_states(game):
    """How many there are of each seat."""
    found, waiting = ({0: set(), 1: set()}), [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]
            if not state.is_chance_node():
                found[state.current_player()].add(state.information_state_string())
    return {seat: len(known) for seat, known in found.items()}


def test_information_states_have_the_course_of_the_game_and_nothing_of_others_cards():
    game = tiny()
    states = []
    for deal in range(6):
        state = game.new_initial_state()
        state.apply_action(deal)
        states.append(state)
    for seat in (0, 1):
        assert len({state.information_state_string(seat) for state in states}) == 6  # the hands differ
    first, again = states[0].clone(), states[0].clone()
    first.apply_action(first.legal_actions()[0])
    again.apply_action(again.legal_actions()[1])
    assert first.information_state_string(0) != again.information_state_string(0)
    assert first.information_state_string(0).startswith(states[0].information_state_string(0))


def test_wrong_deals_are_refused():
    game = poopdeck.game("poop")
    with pytest.raises(ValueError, match="one or more"):
        ExplicitGame(game, [])
    with pytest.raises(ValueError, match="same settings"):
        ExplicitGame(game, [game.new_state(0), game.new_state(0, num_players=2)])
    with pytest.raises(ValueError, match="sum of 1"):
        ExplicitGame(game, [game.new_state(0)] * 2, [0.5, 0.2])
