"""What others' decisions tell of their cards: that it is right, tells of nothing that a seat cannot know, and is kept
wherever agents sit."""

import json

import numpy as np
import pytest

import poopdeck
from poopdeck.agents.loading import load_agent
from poopdeck.agents.search.base import Pool
from poopdeck.agents.search.belief import REMEMBERED, SMALLEST, Belief, can_rewind, rewind_all
from poopdeck.envs.tables.context import Context, Dealer, context_of
from poopdeck.envs.tables.past import Decisions, PastDecisions
from poopdeck.play import play
from poopdeck.training.evaluation.match import play_games
from poopdeck.watch import frames

TABLES = [("poop", 4, "default"), ("poop", 3, "blind_pooper"), ("poop", 4, "interceptor"), ("poo_head", 3, "default")]


def settings_of(name, players, variant):
    spec = poopdeck.game(name).spec
    return spec.variant_settings(None if variant == "default" else variant, players, {})


def games(name, players, variant, count, strength="heuristic"):
    """States with a choice, after decisions between agents: (state, decisions so far)."""
    game, settings = poopdeck.game(name), settings_of(name, players, variant)
    agent, rng = load_agent(strength, game, settings), np.random.default_rng(1)
    options = {key: value for key, value in settings.items() if key != "num_players"}
    for seed in range(count):
        state, before = game.new_state(seed, players, **options), PastDecisions(REMEMBERED)
        while not game.is_terminal(state):
            seat, mask = game.current_player(state), game.action_mask(state)
            if mask.sum() > 1:
                yield state, before
            action = int(agent.act(game.observation(state, seat)[None], mask[None], rng)[0])
            before.note(state, seat, action)
            game.apply_action(state, action)


def rewound(game, state, decision, viewer):
    """A true position taken back over one decision, by its own code: (whether it could be, the record)."""
    spec, settings = game.spec, state.settings
    scratch = game.empty_states(settings, 2)
    size = (1, len(decision.seats))
    told, depths = np.zeros(size, np.int8), np.zeros(1, np.int64)
    rewind_all(spec.rules, spec.observation)(
        state.records, scratch, decision.records, decision.actions, decision.seats, viewer,
        np.zeros((*size, spec.observation_size(settings)), np.float32),
        np.zeros((*size, spec.num_actions), np.int8), told, depths,
    )  # fmt: skip
    return depths[0] == 0, scratch[1]


@pytest.mark.parametrize(("name", "players", "variant"), TABLES)
def test_a_true_position_is_taken_back_to_the_true_hands(name, players, variant):
    """Where nobody drew a card unseen, the hands are those that were held; else as many cards are, all of them held."""
    game, exact, counted = poopdeck.game(name), 0, 0
    for state, before in games(name, players, variant, 12):
        truth = before.decisions(state)
        if not len(truth.seats):
            continue
        last = Decisions(truth.records[-1:], truth.seats[-1:], truth.actions[-1:], True)
        viewer = game.current_player(state)
        seen = last.seen_by(viewer, game, state.settings)
        if not len(seen):
            continue
        could, found = rewound(game, state, seen, viewer)
        if not could:
            continue
        was = truth.records[-1]
        for seat in set(range(players)) - {viewer}:
            assert found["hand"][seat].sum() == was["hand_size"][seat]
            assert (found["hand"][seat] >= 0).all()
            held = was["hand"][seat]
            counted += 1
            exact += (found["hand"][seat] == held).all()
    assert counted > 100
    assert exact > 0.6 * counted


@pytest.mark.parametrize(("name", "players", "variant"), TABLES)
def test_weights_tell_nothing_that_a_seat_cannot_know(name, players, variant):
    """The truth in the present and in all the past is dealt anew for the viewer: no weight changes by a bit."""
    game, settings = poopdeck.game(name), settings_of(name, players, variant)
    belief, tried = Belief([load_agent("heuristic", game, settings)]), 0
    for state, before in games(name, players, variant, 3):
        seat, truth = game.current_player(state), before.decisions(state)
        candidates = Dealer(game, settings, state.records.copy(), np.array([seat])).positions(0, 8, 5)
        weights = []
        for scramble in (False, True):
            records = truth.records.copy()
            if scramble:
                public = [k for k in range(len(records)) if truth.seats[k] == seat or shown(game, settings, truth, k)]
                for k in public:
                    one = type(state)(records[k : k + 1].copy(), settings)
                    records[k] = game.resample(one, seat, 100 + k).records[0]
            decisions = Decisions(records, truth.seats, truth.actions, truth.complete)
            context = context_with(game, state, decisions)
            weights.append(belief.log_weights(context, 0, candidates))
        assert (weights[0] == weights[1]).all()
        tried += len(truth.seats) > 0
    assert tried > 10


def shown(game, settings, truth, k):
    state = poopdeck.envs.core.game.State(truth.records[k : k + 1], settings)
    return game.spec.display.is_public(state, int(truth.actions[k]))


def context_with(game, state, decisions):
    """The context of the seat to act, after given decisions."""
    seats = np.array([game.current_player(state)])
    dealer = Dealer(game, state.settings, state.records.copy(), seats, [decisions])
    return Context(
        game, state.settings, game.observation(state, int(seats[0]))[None], game.action_mask(state)[None],
        np.zeros(1, np.int64), seats, np.zeros(1, bool), np.random.default_rng(0), dealer.deal, dealer.positions,
        dealer.past,
    )  # fmt: skip


def bits(name, players, variant, models, strength="heuristic", count=20):
    """By how many bits the truth is made likelier than a deal that agrees with what is known, on average, and its
    standard error. The truth is taken back along many ways, since what was drawn unseen is drawn anew on each."""
    game, settings = poopdeck.game(name), settings_of(name, players, variant)
    belief = Belief([load_agent(model, game, settings) for model in models])
    found = []
    for place, (state, before) in enumerate(games(name, players, variant, count, strength)):
        if place % 4:
            continue
        context = context_of(game, state, np.random.default_rng(place), False, before)
        truth = np.repeat(state.records, 32)
        truth["rng"] = np.random.default_rng(place).integers(0, 2**63, len(truth), dtype=np.uint64)
        dealt = context.positions(0, 128, place)
        logs = belief.log_weights(context, 0, np.concatenate([dealt, truth]))
        mean = [np.logaddexp.reduce(part) - np.log(len(part)) for part in (logs[:128], logs[128:])]
        found.append((mean[1] - mean[0]) / np.log(2))
    return np.mean(found), np.std(found) / np.sqrt(len(found))


@pytest.mark.parametrize(("name", "players", "most"), [("poop", 4, 1.0), ("poo_head", 3, 0.0)])
def test_the_truth_becomes_likelier(name, players, most):
    mean, error = bits(name, players, "default", ["heuristic"])
    assert mean - 3 * error > most


def test_a_seat_is_taken_for_one_of_several_agents():
    """At a table of an agent that is in the mixture, with another one beside it, it still tells much."""
    mean, error = bits("poop", 4, "default", ["heuristic", "heuristic:highest"], "heuristic:highest")
    assert mean - 3 * error > 0.5


def test_models_are_mixed_over_games_and_not_over_decisions():
    past = poopdeck.envs.tables.past.Past(np.zeros(2), np.array([1, 1]), np.array([0, 0]))
    likely = np.array([[[0.9, 0.1], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]]])  # (candidate, decision, model)
    logs = Belief([None, None])._joined(past, likely, np.zeros(2, np.int64))
    assert np.exp(logs) == pytest.approx([(0.81 + 0.01) / 2, 0.09])


def test_what_could_not_have_been_is_hardly_likely():
    past = poopdeck.envs.tables.past.Past(np.zeros(1), np.array([1]), np.array([0]))
    likely = np.array([[[0.5]], [[np.nan]]])
    logs = Belief([None])._joined(past, likely, np.array([0, 1]))
    assert np.exp(logs) == pytest.approx([0.5, SMALLEST])


def test_deals_are_taken_as_often_as_their_weights_say():
    records = np.zeros(3, [("id", "i8")])
    records["id"] = range(3)
    pool = Pool(records, np.log([0.5, 0.3, 0.2]))
    taken = np.concatenate([pool.take(0, 40), pool.take(40, 160)])["id"]
    assert np.bincount(taken, minlength=3) / 200 == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_a_belief_plays_everywhere_and_the_same_for_a_seed():
    game = poopdeck.game("poop")
    settings = game.spec.settings(3)
    agents = [load_agent(name, game, settings) for name in ("search:deals=8,belief=particles", "heuristic")]
    lineups, deals = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 4), np.arange(12)
    first = play_games(game, settings, agents, lineups, deals, 3)
    again = play_games(game, settings, agents, lineups[:6], deals[:6], 3)
    assert (first.returns[:6] == again.returns).all()
    assert (first.forfeited < 0).all()
    assert list(frames(game, game.new_state(0, 3), [agents[0], agents[1], agents[1]]))
    assert play(game, game.new_state(0, 3), [agents[0], agents[1], agents[1]], show=lambda text: None).sum() == 0


def test_the_past_at_a_table_is_that_of_its_game():
    """An agent at all seats compares what it is told with what it has seen of each game."""
    told = []

    class Watching:
        name, wants_past = "watching", 6

        def act_in(self, context):
            for row in range(len(context.seats)):
                past = context.past(row)
                assert len(past) <= 6 and (len(past) > 0 or context.new_game[row])
                told.append((int(context.tables[row]), len(past), past.complete))
                for record, seat in zip(past.records, past.seats, strict=True):
                    state = poopdeck.envs.core.game.State(record.reshape(1), context.settings)
                    assert context.game.current_player(state) == seat
            return np.array([np.flatnonzero(mask)[0] for mask in context.masks])

    game = poopdeck.game("poo_head")
    play_games(game, game.spec.settings(2), [Watching()], np.zeros((4, 2), int), np.arange(4), 0)
    assert max(length for _, length, _ in told) == 6
    assert {complete for _, _, complete in told} == {True, False}


def test_games_say_whether_they_can_be_taken_back():
    assert [name for name in poopdeck.games() if can_rewind(poopdeck.game(name))] == ["poo_head", "poop"]
    with pytest.raises(ValueError, match="belief=sure: allowed is none or particles"):
        load_agent("search:belief=sure", poopdeck.game("poop"), settings_of("poop", 2, "default"))


def test_the_page_is_what_its_figures_give():
    import belief_page

    rows = json.loads((belief_page.FOLDER / "belief.json").read_text(encoding="utf-8"))
    assert (belief_page.FOLDER / "belief.md").read_text(encoding="utf-8") == belief_page.page(rows)
