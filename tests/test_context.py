"""Agents that remember and search: what they are told, by whom, and that it tells nothing they cannot know."""

import dataclasses

import numpy as np
import pytest

import poopdeck
from poopdeck.agents.base import Agent, ContextAgent
from poopdeck.envs.core.game import State
from poopdeck.envs.tables.arena import Arena
from poopdeck.envs.tables.batch import Batch
from poopdeck.envs.tables.context import Context, Dealer, ask, ask_about
from poopdeck.envs.tables.kernel import Setup
from poopdeck.envs.tables.seating import Seating
from poopdeck.play import play
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.evaluation.match import play_games
from poopdeck.watch import frames


class Remembering:
    """Counts its decisions at every seat of every table, checks that games begin where it is told, and searches."""

    name = "remembering"

    def __init__(self, deals=0):
        self.memory, self.deals, self.began, self.most = {}, deals, 0, 0

    def act_in(self, context):
        actions = []
        for row, place in enumerate(zip(context.tables.tolist(), context.seats.tolist(), strict=True)):
            if context.new_game[row]:
                self.memory[place] = 0
                self.began += 1
            assert place in self.memory, "a game of which nobody told that it began"
            self.memory[place] += 1
            self.most = max(self.most, self.memory[place])
            for state in context.deal(row, self.deals, seed=3):
                seat = int(context.seats[row])
                assert context.game.current_player(state) == seat
                seen = context.game.observation(state, seat)
                assert (seen == context.observations[row]).all()
            actions.append(int(np.flatnonzero(context.masks[row])[-1]))
        return np.array(actions)


def test_the_forms_are_told_apart():
    assert isinstance(Remembering(), ContextAgent) and not isinstance(Remembering(), Agent)
    assert isinstance(poopdeck.load_agent("random"), Agent)


@pytest.mark.parametrize("name", poopdeck.games())
def test_evaluation_passes_the_context(name):
    game, settings = poopdeck.game(name), poopdeck.game(name).spec.settings()
    agent = Remembering(deals=1)
    result = evaluate(game, settings, agent, [poopdeck.load_agent("random", name)], games=12)
    assert result.illegal_actions == 0
    seats = len(result.payoff_by_seat) if result.games == result.deals else 1
    assert 0.5 * result.games * seats <= agent.began <= result.games * seats and agent.most > 1


def test_tables_of_a_match_keep_their_numbers_over_chunks(monkeypatch):
    monkeypatch.setattr("poopdeck.training.evaluation.match.CHUNK", 8)
    game = poopdeck.game("poo_head")
    agent = Remembering()
    lineups = np.tile([0, 1, 1, 0], (20, 1))
    play_games(game, game.spec.settings(4), [agent, poopdeck.load_agent("random")], lineups, np.arange(20))
    assert {table for table, _ in agent.memory} == set(range(20))
    assert {seat for _, seat in agent.memory} == {0, 3}


def test_agents_that_take_their_time_are_seen_to_get_on():
    game, told = poopdeck.game("poo_head"), []
    lineups = np.tile([0, 1], (12, 1))
    agents = [Remembering(), poopdeck.load_agent("random")]
    play_games(game, game.spec.settings(2), agents, lineups, np.arange(12), on_progress=told.append)
    assert told == sorted(told) and told[0] == 0 and told[-1] == 12 and len(set(told)) > 3


def test_play_and_watch_pass_the_context():
    game = poopdeck.game("poo_head")
    for run in (lambda s, agents: play(game, s, agents, show=lambda text: None), lambda s, a: list(frames(game, s, a))):
        agent = Remembering(deals=1)
        run(game.new_state(1, 3), [agent, agent, poopdeck.load_agent("random")])
        assert agent.began == 2 and agent.most > 3
        assert set(agent.memory) == {(0, 0), (0, 1)}


def test_opponents_in_training_are_told_of_every_new_game():
    agent = Remembering(deals=1)
    tables = Arena(poopdeck.game("poo_head"), 3, [agent], 3)
    tables.batch.first_table = 5
    tables.reset(0)
    ended = 0
    for _ in range(150):
        tables.step(tables.mask.argmax(axis=1))
        ended += int(tables.tables["ended"].sum())
    assert ended > 3 and {table for table, _ in agent.memory} == {5, 6, 7}
    assert agent.began > 2 * ended


def test_gymnasium_and_sb3_take_such_agents():
    env = poopdeck.make_gymnasium("poo_head", Remembering(deals=1), num_players=3)
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))
    many = poopdeck.make_sb3("poo_head", 4, Remembering(), seed=0)
    many.reset()
    many.step(many.action_masks().argmax(axis=1))


def test_a_wrong_answer_is_told():
    class Wrong(Remembering):
        def act_in(self, context):
            return np.zeros(len(context.seats))

    game = poopdeck.game("poo_head")
    with pytest.raises(ValueError, match=r"agent remembering: 1 whole numbers are wanted, not float64"):
        ask_about(Wrong(), game, game.new_state(0), np.random.default_rng(0), True)


# -- nothing leaks ---------------------------------------------------------------------------------------------------


def told(game, states, seed=7):
    """All that an agent is told of positions, one a table, each field as bytes or a plain value."""
    settings, found = states[0].settings, []

    class Listening:
        name = "listening"

        def act_in(self, context):
            found.append(context)
            return context.masks.argmax(axis=1)

    seating = Seating(game, settings, [Listening()])
    batch = Batch(seating, len(states), Setup(deals_on=False))
    buffers = batch.buffers
    batch.seats.lineups[:] = 0
    for table, state in enumerate(states):
        buffers.states[table] = state.record
        buffers.tables["seat"][table] = seat = game.current_player(state)
        buffers.masks[table] = game.action_mask(state)
        buffers.observations[table] = game.observation(state, seat)
    batch._ask(np.arange(len(states)))
    [context] = found
    fields = {}
    for field in dataclasses.fields(Context):
        value = getattr(context, field.name)
        if field.name == "deal":
            dealt = [state for row in range(len(states)) for state in value(row, 2, seed)]
            assert not any(state.seed for state in dealt)
            value = b"".join(
                s.records[name].tobytes() for s in dealt for name in s.records.dtype.names
            )  # not its padding
        elif field.name == "positions":
            dealt = [value(row, 2, seed) for row in range(len(states))]
            value = b"".join(records[name].tobytes() for records in dealt for name in records.dtype.names)
        elif field.name == "past":  # nothing was decided before; test_belief looks at what was
            value = b"".join(value(row).records.tobytes() for row in range(len(states)))
        elif isinstance(value, np.ndarray):
            value = value.tobytes()
        fields[field.name] = value if isinstance(value, bytes) else str(value)
    del fields["rng"]
    return fields


@pytest.mark.parametrize("name", poopdeck.games())
def test_nothing_that_an_agent_is_told_depends_on_what_its_seat_cannot_know(name):
    game, rng = poopdeck.game(name), np.random.default_rng(0)
    for variant in game.spec.variants:
        truth, twins, state = [], [], game.new_state(2, variant=variant)
        while not game.is_terminal(state) and len(truth) < 25:
            truth.append(game.clone(state))
            twins.append(game.resample(state, game.current_player(state), len(truth)))
            game.apply_action(state, int(rng.choice(game.legal_actions(state))))
        for one, two in zip(told(game, truth).items(), told(game, twins).items(), strict=True):
            assert one == two, f"{variant}: {one[0]} tells of what is hidden"


def test_the_leak_test_sees_a_leak():
    game = poopdeck.game("poo_head")
    state = game.new_state(0, 3)
    twin = game.resample(state, game.current_player(state), 1)
    assert game.dump(state) != game.dump(twin)
    seats = np.array([game.current_player(state)])
    honest = [Dealer(game, s.settings, s.records, seats).deal(0, 3, 5) for s in (state, twin)]
    assert honest[0] == honest[1]
    dishonest = [[State(s.records, s.settings)] * 3 for s in (state, twin)]
    assert dishonest[0] != dishonest[1]
    assert all(game.dump(guess) != game.dump(state) for guess in honest[0])


def test_the_chance_of_the_game_is_not_handed_out():
    game = poopdeck.game("poo_head")
    state = game.new_state(0, 3)
    dealer = Dealer(game, state.settings, state.records, np.array([game.current_player(state)]))
    dealt = dealer.deal(0, 20, 5)
    assert state.records["rng"][0] not in {int(guess.records["rng"][0]) for guess in dealt}
    assert len({str(game.dump(guess)) for guess in dealt}) > 1
    with pytest.raises(ValueError, match="row=1: allowed is a whole number from 0 to 0"):
        dealer.deal(1, 1, 0)


@pytest.mark.parametrize("name", poopdeck.games())
def test_positions_as_records_are_those_that_are_dealt_one_by_one(name):
    game = poopdeck.game(name)
    state = game.new_state(3)
    dealer = Dealer(game, state.settings, state.records.copy(), np.array([game.current_player(state)]))
    for seed in (0, 2**70):
        dealt = dealer.deal(0, 5, seed)
        found = dealer.positions(0, 5, seed)
        assert [State(found[i : i + 1], state.settings) for i in range(5)] == dealt
        assert len({str(game.dump(one)) for one in dealt}) > 1
    with pytest.raises(ValueError, match="row=1: allowed is a whole number from 0 to 0"):
        dealer.positions(1, 1, 0)


def test_either_form_is_asked():
    game = poopdeck.game("poo_head")
    state = game.new_state(0, 3)
    rngs = [np.random.default_rng(4) for _ in range(2)]
    random = poopdeck.load_agent("random")
    direct = random.act(game.observation(state, 0)[None], game.action_mask(state)[None], rngs[0])
    assert ask_about(random, game, state, rngs[1], True) == direct[0]
    assert callable(ask)
