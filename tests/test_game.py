"""The plain interface: states, actions, observations, scenarios, and errors that say what is wrong."""

import copy
import json
import pickle

import numpy as np
import pytest

import poopdeck
from poopdeck.envs.core.errors import GameOverError, IllegalActionError
from poopdeck.envs.core.game import State
from poopdeck.envs.core.scene import Scene

GAME = poopdeck.game("poo_head")


@pytest.fixture
def s():
    return GAME.new_state(seed=3, num_players=3)


def play(s, decisions=10**9):
    while decisions and not GAME.is_terminal(s):
        legal = GAME.legal_actions(s)
        GAME.apply_action(s, legal[decisions % len(legal)])
        decisions -= 1
    return s


def finished(**parameters):
    return play(GAME.new_state(**{"seed": 1, "num_players": 2, **parameters}))


# -- new states -------------------------------------------------------------------------------------------------------


def test_defaults():
    s = GAME.new_state(seed=0)
    assert GAME.num_seats(s) == 4 and s.seed == 0
    assert s.settings == GAME.spec.settings()
    assert not GAME.is_terminal(s) and not GAME.is_truncated(s)
    assert GAME.returns(s).tolist() == [0, 0, 0, 0] and GAME.returns(s).dtype == np.float32


def test_the_same_seed_deals_the_same_and_none_a_fresh_game():
    for seed in (0, 1, 2**64, np.int64(5)):
        assert GAME.new_state(seed=seed) == GAME.new_state(seed=seed)
    fresh = [GAME.new_state() for _ in range(20)]
    assert len({state.seed for state in fresh}) == 20
    assert GAME.new_state(seed=fresh[0].seed) == fresh[0], "the seed taken is known"


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed={seed!r}: a seed is a whole number, 0 or more"):
        GAME.new_state(seed=seed)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"num_players": 1}, "num_players=1: allowed is a whole number from 2 to 25"),
        ({"num_players": 26}, "num_players=26: allowed is a whole number from 2 to 25"),
        ({"num_players": "4"}, "num_players='4': allowed is"),
        ({"bombs": 17}, "bombs=17: allowed is a whole number from 0 to 16"),
        ({"voluntary_pickup": 1}, "voluntary_pickup=1: allowed is True or False"),
        ({"scoring": "win"}, "scoring='win': allowed is 'loser' or 'points'"),
        ({"max_decisions": 0}, "max_decisions=0: allowed is a whole number from 1"),
        ({"bomb": 1}, "poo_head has no parameter 'bomb': did you mean 'bombs'"),
        ({"reward": "points"}, "reward='points' needs scoring='points'"),
        ({"num_players": 5, "poo_heads": 0, "bombs": 0}, "num_players=5, poo_heads=0, bombs=0: 44 cards"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters, message):
    with pytest.raises(ValueError) as error:
        GAME.new_state(seed=0, **parameters)
    assert message in str(error.value)


# -- actions ----------------------------------------------------------------------------------------------------------


def test_masks_and_lists_and_names_agree(s):
    while not GAME.is_terminal(s):
        mask, legal = GAME.action_mask(s), GAME.legal_actions(s)
        assert mask.dtype == np.int8 and mask.shape == (63,)
        assert legal == np.flatnonzero(mask).tolist() and all(type(a) is int for a in legal)
        assert [GAME.action(GAME.action_name(a)) for a in legal] == legal
        assert GAME.current_player(s) in range(3) and type(GAME.current_player(s)) is int
        GAME.apply_action(s, np.int64(legal[0]))
    assert GAME.legal_actions(s) == [] and not GAME.action_mask(s).any() and GAME.current_player(s) == -1


@pytest.mark.parametrize("action", [-1, 63, 2**70, 0.0, 50.0, "50", None, True, np.bool_(True), [50]])
def test_what_is_no_action_is_refused_and_changes_nothing(s, action):
    before = GAME.dump(s)
    with pytest.raises(IllegalActionError) as error:
        GAME.apply_action(s, action)
    assert GAME.dump(s) == before
    assert "no action: they go from 0 to 62" in str(error.value) or isinstance(action, bool | np.bool_)


def test_an_illegal_action_is_refused_with_seat_name_and_the_legal_ones(s):
    before, legal = GAME.dump(s), GAME.legal_actions(s)
    with pytest.raises(IllegalActionError) as error:
        GAME.apply_action(s, 29)
    agent = f"player_{GAME.current_player(s)}"
    names = ", ".join(f"{a} ({GAME.action_name(a)})" for a in legal)
    assert str(error.value) == f"poo_head: {agent} may not choose 29 (play 7 x2); legal now: {names}"
    assert (error.value.agent, error.value.action, error.value.legal) == (agent, 29, legal)
    assert isinstance(error.value, ValueError) and GAME.dump(s) == before


def test_a_finished_game_takes_no_action():
    s = finished()
    before = GAME.dump(s)
    for action in (0, 46, None):
        with pytest.raises(GameOverError, match="poo_head: the game is over, no seat is to act"):
            GAME.apply_action(s, action)
    assert GAME.dump(s) == before and isinstance(GameOverError("x"), ValueError)


@pytest.mark.parametrize("name", ["", "play", "play 7 x5", 29])
def test_names_that_are_none_are_refused(name):
    with pytest.raises(
        ValueError, match=f"action {name!r}: (did you mean 'play .*'\\? )?poo_head knows play 0, play 0 x2"
    ):
        GAME.action(name)


@pytest.mark.parametrize("name", ["Play 1", "[play 1]", "PLAY-1", " 'play_1'. ", "(Play  1)"])
def test_an_action_is_found_however_its_name_is_written(name):
    assert GAME.action(name) == GAME.action("play 1")


def test_an_error_about_a_name_tells_what_is_near_and_what_is_legal():
    s = GAME.new_state(4, num_players=2)
    legal = ", ".join(GAME.action_name(action, s) for action in GAME.legal_actions(s))
    with pytest.raises(ValueError, match=f"^action 'pick uo': did you mean 'pick up'\\? legal now: {legal}$"):
        GAME.action("pick uo", s)
    with pytest.raises(ValueError, match="legal now: nothing, the game is over"):
        GAME.action("no such action", finished())
    for name in poopdeck.games():
        spec = poopdeck.game(name).spec
        for variant in spec.variants.values():
            settings = spec.settings(**variant)
            for number, action in enumerate(spec.action_names(settings)):
                assert poopdeck.game(name).action(action.upper(), settings) == number


@pytest.mark.parametrize("number", [-1, 63, 1.0, "1", None])
def test_numbers_that_are_none_have_no_name(number):
    with pytest.raises(ValueError, match=f"action={number!r}: allowed is a whole number from 0 to 62"):
        GAME.action_name(number)


# -- looking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, 3, 1.0, "0", None])
def test_seats_that_are_none_are_refused(s, seat):
    for look in (GAME.observation, lambda s, seat: GAME.resample(s, seat, 1), GAME.describe, GAME.scene):
        if seat is None and look in (GAME.describe, GAME.scene):
            continue  # there it means everything
        with pytest.raises(ValueError, match=f"seat={seat!r}: allowed is a whole number from 0 to 2"):
            look(s, seat)


def test_looking_changes_nothing(s):
    for state in (s, finished()):
        before = GAME.dump(state)
        for seat in range(2):
            GAME.observation(state, seat)
            GAME.resample(state, seat, 1)
            GAME.describe(state, seat)
            GAME.scene(state, seat)
        GAME.describe(state)
        GAME.action_mask(state)
        GAME.returns(state)
        assert GAME.dump(state) == before


def test_observations_follow_the_blocks(s):
    blocks = GAME.blocks(3)
    size = sum(block.size for block in blocks)
    observation = GAME.observation(s, 1)
    assert observation.dtype == np.float32 and observation.shape == (size,)
    assert GAME.spec.observation_size(s.settings) == size
    hand = observation[GAME.spec.observation_slices(s.settings)["hand"]]
    assert (hand * 4).sum() == 3
    observation[:] = 9  # the caller's own
    assert GAME.observation(s, 1).max() <= 1


def test_words_and_pictures(s):
    assert isinstance(GAME.describe(s), str) and GAME.describe(s) != GAME.describe(s, 0) != GAME.describe(s, 1)
    scene = GAME.scene(s, 1)
    assert isinstance(scene, Scene)
    assert [place.name for place in scene.places] == ["player_1", "player_2", "player_0"]


# -- copies and scenarios ---------------------------------------------------------------------------------------------


def test_copies_go_their_own_way(s):
    play(s, 20)
    before = GAME.dump(s)
    for twin in (GAME.clone(s), copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        assert twin == s and twin is not s and isinstance(twin, State)
        assert twin.seed == s.seed and twin.settings == s.settings and twin.settings is not s.settings
        play(twin, 5)
        assert twin != s and GAME.dump(s) == before


def test_states_compare_by_content_and_are_not_hashable(s):
    assert s == GAME.new_state(seed=3, num_players=3)
    assert s != GAME.new_state(seed=3, num_players=3, bombs=3)
    assert s != GAME.new_state(seed=4, num_players=3)
    assert s != "a state"
    with pytest.raises(TypeError):
        hash(s)


def everything_asked(s):
    asked = (GAME.current_player(s), GAME.legal_actions(s), GAME.action_mask(s).tolist(), GAME.returns(s).tolist())
    return (*asked, GAME.is_terminal(s), GAME.is_truncated(s))


def test_what_is_known_of_a_position_is_what_the_rules_say_of_it(s):
    while True:
        scenario = GAME.dump(s)
        assert everything_asked(s) == everything_asked(GAME.load(scenario)) == everything_asked(GAME.clone(s))
        if GAME.is_terminal(s):
            break
        GAME.apply_action(s, GAME.legal_actions(s)[-1])


@pytest.mark.parametrize("hold", [lambda s: s.records, lambda s: s.record, lambda s: s.records[:]])
def test_whoever_holds_the_record_may_change_it_at_any_time(s, hold):
    other = play(GAME.clone(s), 7)
    expected, before = everything_asked(other), everything_asked(s)
    held = hold(s)
    assert everything_asked(s) == before != expected
    whole = held if held.ndim else s.records[0]
    for name in other.records.dtype.names:
        whole[name] = other.records[name][0]
    assert everything_asked(s) == expected
    with pytest.raises(IllegalActionError):
        GAME.apply_action(s, next(a for a in range(63) if a not in expected[1]))
    twin = GAME.clone(s)
    play(twin, 3), play(s, 3)
    assert everything_asked(s) == everything_asked(twin)
    assert twin == s


def test_records_can_be_exchanged_and_a_state_made_of_ones_own(s):
    before = everything_asked(s)
    other = play(GAME.clone(s), 7)
    own = State(other.records, other.settings)
    assert everything_asked(own) == everything_asked(other) != before
    s.records = other.records.copy()
    assert everything_asked(s) == everything_asked(other)
    GAME.apply_action(other, GAME.legal_actions(other)[0])
    assert everything_asked(own) == everything_asked(other), "they share one record"


def test_what_callers_get_is_their_own(s):
    before = everything_asked(s)
    GAME.action_mask(s)[:] = 1
    GAME.returns(s)[:] = 9
    GAME.legal_actions(s).clear()
    GAME.spec.settings()["num_players"] = 9
    assert everything_asked(s) == before and GAME.spec.settings()["num_players"] == 4


def test_a_decision_is_one_compiled_call(s, monkeypatch):
    calls = []
    for name in ("_look", "_play"):
        compiled = getattr(GAME, name)
        monkeypatch.setattr(GAME, name, lambda *args, name=name, run=compiled: calls.append(name) or run(*args))
    decisions = 0
    while not GAME.is_terminal(s):
        everything_asked(s)
        GAME.apply_action(s, GAME.legal_actions(s)[0])
        decisions += 1
    assert calls == ["_look"] + ["_play"] * decisions


def test_looking_at_a_state_leaves_what_is_known_of_it(s):
    asked = []
    look, GAME._look = GAME._look, lambda *args: asked.append(1) or look(*args)
    try:
        everything_asked(s), GAME.dump(s), GAME.describe(s), GAME.scene(s), GAME.observation(s, 0), s == GAME.clone(s)
        pickle.dumps(s), GAME.resample(s, 0, 1), everything_asked(s), everything_asked(GAME.clone(s))
        assert len(asked) == 1
        s.record, everything_asked(s)
        assert len(asked) > 4
    finally:
        GAME._look = look


def test_resampling_draws_anew_by_its_own_seed(s):
    play(s, 12)
    first, same, other = (GAME.resample(s, 1, seed) for seed in (0, 0, 1))
    assert first == same != other
    assert GAME.dump(GAME.resample(s, 1)) != GAME.dump(GAME.resample(s, 1)), "a fresh seed without one"
    assert (
        len({GAME.resample(s, 1, seed).records["rng"].item() for seed in (5, 2**64 - 1, 2**64, 2**64 + 5, 2**100)}) == 5
    )
    with pytest.raises(ValueError, match="seed=-1"):
        GAME.resample(s, 1, -1)
    assert GAME.dump(first)["hands"][1] == GAME.dump(s)["hands"][1]
    assert GAME.dump(first)["rng"] != GAME.dump(s)["rng"], "its chance to come is not the true one"


def test_scenarios_are_read_as_dict_and_as_text(s):
    play(s, 30)
    scenario = GAME.dump(s)
    for form in (scenario, json.dumps(scenario)):
        loaded = GAME.load(form)
        assert GAME.dump(loaded) == scenario
        assert GAME.returns(play(loaded)).tolist() == GAME.returns(play(GAME.clone(s))).tolist()


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        ("{", "scenario: not JSON"),
        ("[1]", "scenario: a JSON object is wanted, not list"),
        (5, "scenario: a JSON object is wanted, not int"),
        ({"hand": []}, "hand: no field of a scenario; did you mean 'hands'"),
        ({"players": 30}, "players: 30 is not a whole number from 2 to 25"),
        ({"players": 2, "bombs": 99}, "bombs=99"),
        ({"players": 2, "hands": [["x"], []]}, "hands: 'x' is no card"),
        ({"players": 2, "seed": -1}, "seed=-1"),
        ({"players": 2, "rng": -1}, "rng: -1 is not a whole number"),
        ({"players": 2, "strict": 1}, "strict: 1 is not true or false"),
    ],
)
def test_scenarios_that_cannot_be_are_refused_by_field(scenario, message):
    with pytest.raises(ValueError) as error:
        GAME.load(scenario)
    assert message in str(error.value)


def test_the_game_itself_is_shown_and_copied():
    assert repr(GAME) == "Game('poopdeck/poo_head-v0')"
    assert pickle.loads(pickle.dumps(GAME)).spec is GAME.spec


# -- ends -------------------------------------------------------------------------------------------------------------


def test_a_game_that_reaches_the_cap_is_truncated_and_pays_nothing():
    s = finished(max_decisions=5)
    assert GAME.is_terminal(s) and GAME.is_truncated(s)
    assert GAME.returns(s).tolist() == [0, 0]
    assert "cut short at the decision cap" in GAME.describe(s)


def test_a_finished_game_pays_everybody():
    s = finished(num_players=3, seed=2)
    assert GAME.is_terminal(s) and not GAME.is_truncated(s)
    assert sorted(GAME.returns(s).tolist()) == [-1.0, 0.5, 0.5]


def test_a_game_cut_short_while_arranging_is_resampled_with_picks_that_can_be():
    s = finished(num_players=3, max_decisions=5, seed=4)
    assert [len(picks) for picks in GAME.dump(s)["picks"]].count(2) == 1
    for seat in range(3):
        for seed in range(20):
            drawn = {**GAME.dump(GAME.resample(s, seat, seed)), "seed": 0}
            assert GAME.dump(GAME.load(drawn)) == drawn
