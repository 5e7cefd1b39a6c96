"""What holds in every position of every game, whatever the parameters, the seed and the choices."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poopdeck
from poopdeck.envs.core import registry

NAMES = registry.names()
EXAMPLES = settings(deadline=None, max_examples=40, derandomize=True)
SEEDS = st.integers(0, 2**70)


def option_values(option):
    """Values of an option, mostly small ones: short games have more ends."""
    if option.choices:
        return st.sampled_from(option.choices)
    if isinstance(option.default, bool):
        return st.booleans()
    if option.read is not None:
        return st.just(option.default)  # what a structure may be only its game's own tests know
    if isinstance(option.default, float):
        return st.floats(option.low, option.high)
    return st.integers(option.low, min(option.high, option.low + 60)) | st.just(option.default)


@st.composite
def new_games(draw, name):
    """A game, newly dealt, with parameters that are allowed together."""
    game = poopdeck.game(name)
    spec = game.spec
    players = draw(
        st.integers(spec.min_players, spec.max_players) | st.integers(spec.min_players, spec.min_players + 2)
    )
    chosen = draw(st.sets(st.sampled_from([option.name for option in spec.options])))
    options = {option.name: draw(option_values(option)) for option in spec.options if option.name in chosen}
    try:
        return game, game.new_state(seed=draw(SEEDS), num_players=players, **options)
    except ValueError as error:
        assert "num_players" in str(error) or any(name in str(error) for name in options)
        assume(False)


def choices(draw, most=300):
    """How a game goes on: numbers that choose among what is legal."""
    random = Random(draw(st.integers(0, 2**32)))
    return [random.getrandbits(16) for _ in range(draw(st.integers(0, most)))]


def play_on(game, s, choices):
    """Takes the legal actions that these numbers choose, in place, until the game is over."""
    for choice in choices:
        if game.is_terminal(s):
            break
        legal = game.legal_actions(s)
        game.apply_action(s, legal[choice % len(legal)])


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@EXAMPLES
def test_every_position_is_sound(name, data):
    game, s = data.draw(new_games(name))
    parameters = game.spec.parameters
    low, high = parameters.payoff_bounds(s.settings)
    bounds = game.blocks(**{**s.settings, "num_players": s.settings["num_players"]})
    least = np.concatenate([np.full(block.size, block.low, np.float32) for block in bounds])
    most = np.concatenate([np.full(block.size, block.high, np.float32) for block in bounds])
    cards, turn = game.spec.scenario.census(s), 0
    for choice in choices(data.draw):
        legal = game.legal_actions(s)
        assert game.is_terminal(s) == (legal == []) == (game.current_player(s) == -1)
        for seat in {max(game.current_player(s), 0), choice % game.num_seats(s)}:
            observation = game.observation(s, seat)
            assert (observation >= least).all() and (observation <= most).all()
        returns = game.returns(s)
        assert (returns >= low).all() and (returns <= high).all()
        assert game.spec.scenario.census(s) == cards
        if not legal:
            break
        game.apply_action(s, legal[choice % len(legal)])
        turn += 1
    assert turn <= parameters.length_bound(s.settings)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@EXAMPLES
def test_scenarios_and_copies_play_on_alike(name, data):
    game, s = data.draw(new_games(name))
    play_on(game, s, choices(data.draw))
    twins = [game.load(game.dump(s)), game.clone(s)]
    for choice in choices(data.draw, 30):
        for twin in twins:
            assert game.dump(twin) == game.dump(s)
            assert game.legal_actions(twin) == game.legal_actions(s)
        if game.is_terminal(s):
            break
        action = game.legal_actions(s)[choice % len(game.legal_actions(s))]
        for state in (s, *twins):
            game.apply_action(state, action)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@EXAMPLES
def test_what_a_seat_cannot_know_changes_nothing_it_sees(name, data):
    game, s = data.draw(new_games(name))
    play_on(game, s, choices(data.draw))
    seat = data.draw(st.integers(0, game.num_seats(s) - 1))
    drawn = game.resample(s, seat, data.draw(SEEDS))
    assert game.observation(drawn, seat).tobytes() == game.observation(s, seat).tobytes()
    assert game.describe(drawn, seat) == game.describe(s, seat)
    assert game.scene(drawn, seat) == game.scene(s, seat)
    assert game.spec.scenario.census(drawn) == game.spec.scenario.census(s)
    assert {**game.dump(game.load(game.dump(drawn))), "seed": None} == game.dump(drawn)


def changed(value, random, names):
    """A value of a scenario, changed a little or beyond what is allowed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = [value + 1, value - 1, 2 * value + 3, random.randrange(8), random.randrange(128)]
        return random.choice([*near, 900, -3, 100_000, 2**31 - 1])
    if isinstance(value, str) or (isinstance(value, list) and not value):
        return random.choice(names) if isinstance(value, str) else [random.choice(names)]
    if not isinstance(value, list):
        return random.randrange(4)
    copy, place, other = list(value), random.randrange(len(value)), random.randrange(len(value))
    how = random.randrange(4)
    if how == 0:
        copy.pop(place)
    elif how == 1:
        copy.append(copy[place])
    elif how == 2:
        copy[place], copy[other] = copy[other], copy[place]
    else:
        copy[place] = changed(copy[place], random, names)
    return copy


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@EXAMPLES
def test_whatever_position_loads_is_observed_within_the_space_and_so_is_what_follows(name, data):
    game, s = data.draw(new_games(name))
    play_on(game, s, choices(data.draw))
    random, position = Random(data.draw(st.integers(0, 2**32))), game.dump(s)
    names = [entry for value in position.values() if isinstance(value, list) for entry in value] or [0]
    parameters = {option.name for option in game.spec.options} | {"players", "seed", "rng"}
    fields = [field for field in position if field not in parameters]
    for _ in range(12):
        mutant = dict(position)
        for field in random.choices(fields, k=random.choice([1, 1, 2, 3])):
            mutant[field] = None if random.random() < 0.2 else changed(mutant[field], random, names)
        try:
            loaded = game.load(mutant)
        except ValueError:
            continue
        blocks = game.spec.blocks(loaded.settings)
        least = np.concatenate([np.full(block.size, block.low, np.float32) for block in blocks])
        most = np.concatenate([np.full(block.size, block.high, np.float32) for block in blocks])
        for choice in [random.getrandbits(16) for _ in range(8)]:
            for seat in range(game.num_seats(loaded)):
                observation = game.observation(loaded, seat)
                wrong = ~((observation >= least) & (observation <= most))
                assert not wrong.any(), (mutant, seat, np.flatnonzero(wrong))
            play_on(game, loaded, [choice])


def outermost(game, position, field, step):
    """The position with the highest (step 1) or lowest (-1) number in a field, at all seats alike, that loads."""
    value, found = position[field], None
    start, reach = (value[0] if isinstance(value, list) else value), 0
    for size in [2**bit for bit in range(31, -1, -1)]:
        number = start + step * (reach + size)
        try:
            found = game.load({**position, field: [number] * len(value) if isinstance(value, list) else number})
        except ValueError:
            continue
        reach += size
    return found


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@EXAMPLES
def test_the_highest_and_lowest_numbers_that_load_are_observed_within_the_space(name, data):
    game, s = data.draw(new_games(name))
    play_on(game, s, choices(data.draw, 60))
    position = game.dump(s)
    parameters = {option.name for option in game.spec.options} | {"players", "seed", "rng"}
    for field in position.keys() - parameters:
        entries = position[field] if isinstance(position[field], list) else [position[field]]
        if not entries or not all(type(entry) is int for entry in entries):
            continue
        for loaded in filter(None, (outermost(game, position, field, step) for step in (1, -1))):
            blocks = game.spec.blocks(loaded.settings)
            least = np.concatenate([np.full(block.size, block.low, np.float32) for block in blocks])
            most = np.concatenate([np.full(block.size, block.high, np.float32) for block in blocks])
            observation = game.observation(loaded, 0)
            wrong = ~((observation >= least) & (observation <= most))
            assert not wrong.any(), (game.dump(loaded), np.flatnonzero(wrong))


@given(data=st.data())
@EXAMPLES
def test_poo_head_keeps_its_counts(data):
    game, s = data.draw(new_games("poo_head"))
    decks = -(-s.settings["num_players"] // 5)
    deck = Counter({str(number): 4 * decks for number in range(11)})
    deck += Counter({"poo head": s.settings["poo_heads"] * decks, "bomb": s.settings["bombs"] * decks})
    for choice in choices(data.draw):
        now, record = game.dump(s), s.record
        assert game.spec.scenario.census(s) == deck
        for seat in range(now["players"]):
            hand, known = Counter(now["hands"][seat]), Counter(now["known"][seat])
            assert known <= hand
            assert (record["hand_size"][seat], record["up_size"][seat]) == (hand.total(), len(now["face_up"][seat]))
            if now["phase"] == "play" and now["draw_pile"] and seat not in now["out"]:
                assert hand.total() >= 3, "the hand is filled up while there is a draw pile"
        assert record["pile_count"].sum() == record["pile_size"] == len(now["pile"])
        assert now["out"] == list(dict.fromkeys(now["out"]))
        if game.is_terminal(s):
            break
        legal = game.legal_actions(s)
        game.apply_action(s, legal[choice % len(legal)])
