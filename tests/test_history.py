"""The public events that a record keeps: what is written down, what an observation shows, and that nothing leaks."""

import pickle
from random import Random

import numpy as np
import pytest
from support import chronicles
from support.chronicles import tell

import poopdeck
from poopdeck.agents.heuristic.agent import HeuristicAgent
from poopdeck.envs.core import history, registry

EVENTS = 12
GAMES = list(registry.BUILT_IN)
VARIANTS = [(name, variant) for name in GAMES for variant in registry.spec(name).variants]


def positions(game, seed, decisions, **options):
    """(state, action) of a random game, an action more likely the seldomer it has come up; the state plays on."""
    s, random = game.new_state(seed=seed, **options), Random(seed)
    met = np.zeros(game.spec.num_actions)
    for _ in range(decisions):
        legal = game.legal_actions(s)
        if not legal:
            return
        action = random.choices(legal, [1 / (1 + met[one]) for one in legal])[0]
        met[action] += 1
        yield s, action
        game.apply_action(s, action)


def shown(game, s, seat):
    """The block of a seat as whole numbers, -1 for none."""
    place = game.spec.observation_slices(s.settings)[history.NAME]
    block = game.observation(s, seat)[place].reshape(s.settings[history.NAME], -1)
    return np.rint(block * history.CODES).astype(int) - 1


def as_seen(game, told, s, seat):
    """A chronicle as the block of a seat should have it."""
    names, players = game.spec.action_names(s.settings), s.settings["num_players"]
    first = seat if seat < players else game.dump(s)["turn"]
    rows = np.full_like(shown(game, s, seat), -1)
    for row, (other, name, effects) in zip(rows, told[::-1], strict=False):
        row[0] = (other - first) % players if other < players else other
        row[1] = -1 if name is None else names.index(name)
        for effect, value in effects.items():
            row[2 + effect] = value
    return rows


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_events_are_those_of_a_chronicle_written_from_the_rules(name, variant):
    game, told = registry.game(name), []
    options = {**game.spec.variants[variant], history.NAME: EVENTS}
    for seed in range(2):
        told.clear()
        for s, action in positions(game, seed, 200, **options):
            before, seat = game.dump(s), game.current_player(s)
            after = game.clone(s)
            game.apply_action(after, action)
            tell(told, getattr(chronicles, name)(before, seat, game.action_name(action, s), game.dump(after)))
            for viewer in range(game.num_seats(s)):
                found, expected = shown(game, after, viewer), as_seen(game, told, after, viewer)
                where = (seed, before["decisions"], game.action_name(action, s), found, expected)
                assert np.array_equal(found, expected), where


def still_secret(game, before, after):
    """Whether a choice that was made between two positions is yet to be carried out, if several make one at once."""
    was, now = (game.spec.hooks.simultaneous(s) for s in (before, after))
    return was is None or (now is not None and now[1] > was[1])


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_choices_made_in_secret_are_not_told(name, variant):
    """Who sees the same otherwise, whichever of two of them is made, sees the same events."""
    game, compared = registry.game(name), 0
    options = {**game.spec.variants[variant], history.NAME: EVENTS}
    for s, _ in positions(game, 5, 150, **options):
        seat = game.current_player(s)
        secret = [one for one in game.legal_actions(s) if not game.spec.display.is_public(s, one)]
        twins = [game.clone(s) for _ in secret[:3]]
        for twin, action in zip(twins, secret, strict=False):
            game.apply_action(twin, action)
        twins = [twin for twin in twins if still_secret(game, s, twin)]
        for viewer in range(game.num_seats(s)):
            if viewer == seat or not twins:
                continue
            place = game.spec.observation_slices(s.settings)[history.NAME]
            seen = [game.observation(twin, viewer) for twin in twins]
            before = game.observation(s, viewer)
            for one in seen:
                for other in (before, seen[0]):
                    if np.array_equal(np.delete(one, np.r_[place]), np.delete(other, np.r_[place])):
                        assert np.array_equal(one[place], other[place])
                        compared += 1
    has_secrets = name in ("too_many_poops", "poo_head") or variant in ("interceptor", "super_pooper")
    has_secrets |= name == "pooman" and game.spec.settings(**game.spec.variants[variant])["chase"] == "grid"
    assert bool(compared) == has_secrets


@pytest.mark.parametrize("name", GAMES)
def test_without_it_everything_is_as_ever(name):
    spec = registry.spec(name)
    assert spec.settings(history=0) == spec.settings() and history.NAME not in spec.settings()
    assert history.NAME not in spec.state_dtype(spec.settings()).names
    assert spec.blocks(spec.settings(history=3))[:-1] == spec.blocks(spec.settings())
    for wrong in (-1, 257, 2.5, True):
        with pytest.raises(ValueError, match="history=.*allowed is a whole number from 0 to 256"):
            spec.settings(history=wrong)


@pytest.mark.parametrize("name", GAMES)
def test_a_longer_one_begins_with_a_shorter_one(name):
    """So a network that was trained with few events can play where more are kept."""
    game = registry.game(name)
    pairs = zip(positions(game, 3, 60, history=3), positions(game, 3, 60, history=EVENTS), strict=True)
    for (short, _), (long, _) in pairs:
        for seat in range(game.num_seats(short)):
            seen = game.observation(short, seat)
            assert np.array_equal(seen, game.observation(long, seat)[: len(seen)])


@pytest.mark.parametrize("name", GAMES)
def test_copies_scenarios_and_deals_of_what_is_hidden_carry_it(name):
    game = registry.game(name)
    for number, (s, _) in enumerate(positions(game, 1, 61, history=EVENTS)):
        if number % 15:
            continue
        seat = number % game.num_seats(s)
        loaded = game.load(game.dump(s))
        assert game.dump(loaded)["events"] == game.dump(s)["events"]
        for twin in (game.clone(s), pickle.loads(pickle.dumps(s)), game.resample(s, seat, 7), loaded):
            assert np.array_equal(shown(game, twin, seat), shown(game, s, seat))
    assert len(game.dump(s)["events"]) == EVENTS


@pytest.mark.parametrize(
    ("events", "error"),
    [
        ([[0, 1, None, None]] * 3, "3 events, but history=2"),
        ([[0, 1, None]], r"\[0, 1, None\] is no list of 4 numbers that begins with a seat"),
        ([[None, 1, None, None]], "begins with a seat"),
        ([[4, 1, None, None]], "4 is not a whole number from 0 to 3"),
        ([[0, 63, None, None]], "63 is not a whole number from 0 to 62"),
        ([[0, 1, 256, None]], "256 is not a whole number from 0 to 255"),
        ("none", "a list is wanted"),
    ],
)
def test_scenarios_with_events_that_cannot_be_are_refused(events, error):
    with pytest.raises(ValueError, match=f"events: .*{error}"):
        registry.game("poo_head").load({"players": 4, "history": 2, "events": events})


def test_a_turned_scenario_has_its_events_turned():
    game = registry.game("pooman")
    events = [[0, 0, 1, None], [3, 16, None, None], [2, 0, None, 0]]
    scenario = game.dump(game.load({"players": 3, "history": 4, "events": events}))
    assert scenario["events"] == events
    turned = game.spec.hooks.rotate(scenario, 1)
    assert turned["events"] == [[1, 0, 1, None], [3, 16, None, None], [0, 0, None, 0]]


@pytest.mark.parametrize("name", GAMES)
def test_heuristics_choose_the_same_where_events_are_kept(name):
    game = registry.game(name)
    pairs = zip(positions(game, 2, 150), positions(game, 2, 150, history=EVENTS), strict=True)
    rows = [
        (game.observation(one, seat), game.observation(other, seat), game.action_mask(one))
        for (one, _), (other, _) in pairs
        if (seat := game.current_player(one)) >= 0
    ]
    without, kept, masks = map(np.array, zip(*rows, strict=True))
    chosen = []
    for settings, observations in ((game.spec.settings(), without), (game.spec.settings(history=EVENTS), kept)):
        agent = HeuristicAgent(game.spec, settings)
        chosen.append(agent.act(observations, masks, np.random.default_rng(1)))
    assert len(rows) > 10 and np.array_equal(*chosen)


def test_a_new_game_forgets():
    env = poopdeck.make_vec("poo_head", 2, num_players=2, history=4)
    env.reset(seed=0)
    while not env.terminated.any():
        env.step(env.mask.argmax(axis=1))
    table = int(env.terminated.argmax())
    assert not env.obs[table, -16:].any()
