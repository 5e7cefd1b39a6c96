"""Games by name, id and address; what a game says of itself; registration with PettingZoo and Gymnasium."""

import copy
import importlib
import pickle
from importlib.metadata import EntryPoint
from types import MappingProxyType

import gymnasium
import numpy as np
import pettingzoo
import pytest
from highest_sum import SPEC as DUMMY

import poopdeck
from poopdeck.envs.core import registry
from poopdeck.envs.core.game import Game
from poopdeck.envs.core.spec import Block, GameSpec, Option, option_text


@pytest.mark.parametrize("name", registry.names())
def test_names_and_ids_lead_to_the_same_game(name):
    spec = registry.spec(name)
    assert isinstance(spec, GameSpec) and spec.name == name
    for other in (spec.id, f"{name}-v{spec.version}", f"poopdeck/{name}"):
        assert registry.spec(other) is spec
        assert registry.game(other).spec is spec
    assert registry.address(spec) == spec.id
    assert poopdeck.game(name).spec is spec and name in poopdeck.games()


def test_the_ids_are_known_without_loading_a_game():
    assert registry.ids() == [registry.spec(name).id for name in registry.BUILT_IN]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("poo_hed", "did you mean 'poo_head'"),
        ("poo_head-v9", "poo_head has version v0"),
        ("poopdeck/poo_head-v1", "poo_head has version v0"),
        ("chess", "there are .*poo_head"),
        ("", "there are .*poo_head"),
        ("highest_sum:NOTHING", "no GameSpec of the name 'NOTHING'"),
        ("highest_sum:observation", "no GameSpec of the name 'observation'"),
    ],
)
def test_unknown_games_are_refused(name, says):
    with pytest.raises(ValueError, match=f"unknown game {name!r}: .*{says}"):
        registry.spec(name)


def test_a_game_registered_nowhere_goes_by_its_address():
    assert registry.address(DUMMY) == "highest_sum:SPEC"
    assert registry.spec("highest_sum:SPEC") is DUMMY
    assert pickle.loads(pickle.dumps(Game(DUMMY))).spec is DUMMY
    assert copy.deepcopy(Game(DUMMY)).spec is DUMMY


def test_installed_packages_add_games(monkeypatch):
    point = EntryPoint("highest_sum", "highest_sum:SPEC", registry.ENTRY_POINTS)
    hidden = EntryPoint("poo_head", "highest_sum:SPEC", registry.ENTRY_POINTS)
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [point, hidden] if group == registry.ENTRY_POINTS else []
    )
    assert registry.names() == [*registry.BUILT_IN, "highest_sum"]
    try:
        for name in ("highest_sum", "highest_sum-v3", "poopdeck/highest_sum-v3"):
            assert registry.spec(name) is DUMMY
        assert registry.address(DUMMY) == DUMMY.id
        assert registry.spec("poo_head") is not DUMMY, "nobody takes the place of a game of this package"
        with pytest.raises(ValueError, match="highest_sum has version v3"):
            registry.spec("highest_sum-v2")
    finally:
        registry.spec.cache_clear()
        registry.game.cache_clear()


# -- facts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", registry.names())
def test_a_game_states_its_facts(name):
    spec = registry.spec(name)
    assert spec.min_players <= spec.default_players <= spec.max_players
    assert spec.title and spec.summary.endswith(".") and spec.sources and spec.status
    assert next(iter(spec.variants)) == "default" and spec.variants["default"] == {}
    names = [option.name for option in spec.options]
    assert len(set(names)) == len(names) and not {"num_players", "players", "seed", "rng", "strict"} & set(names)
    assert all(option.meaning for option in spec.options)
    for variant in spec.variants.values():
        settings = spec.settings(**variant)
        assert set(settings) == {"num_players", *(option.name for option in spec.options if not option.implicit)}
        replaced = {option.name for option in spec.options if option.read is not None}  # null: as the rulebook has it
        assert None not in [value for key, value in settings.items() if key not in replaced]
        assert len(set(spec.action_names(settings))) == len(spec.action_names(settings)) == spec.num_actions
        blocks = spec.observation.blocks(settings)
        assert all(isinstance(block, Block) and block.meaning and block.low < block.high for block in blocks)
        slices = spec.observation_slices(settings)
        assert [place.stop - place.start for place in slices.values()] == [block.size for block in blocks]
        assert spec.observation_size(settings) == list(slices.values())[-1].stop
        assert len(spec.agent_names(settings)) == spec.num_seats(settings) == len(spec.seat_roles(settings))
        assert set(spec.parameters.rates(settings))


@pytest.mark.parametrize("name", registry.names())
def test_a_variant_is_a_named_set_of_parameters(name):
    spec = registry.spec(name)
    assert spec.variant_settings(None) == spec.variant_settings("default") == spec.settings()
    for variant, options in spec.variants.items():
        assert spec.variant_settings(variant, spec.max_players) == spec.settings(spec.max_players, **options)
        for option, value in options.items():
            if not isinstance(value, bool):
                continue
            assert spec.variant_settings(variant, options={option: not value})[option] is not value
    with pytest.raises(ValueError, match=r"variant='defalt': did you mean 'default'\? .* has default, "):
        spec.variant_settings("defalt")


def test_a_parameter_called_variant_overrides_the_variant_that_sets_it():
    spec = registry.spec("poop")
    assert spec.variant_settings("blind_pooper", options={"variant": "interceptor"})["variant"] == "interceptor"


@pytest.mark.parametrize("name", registry.names())
def test_a_variant_is_named_like_a_parameter(name):
    """One rule for the keyword: also in a game with a parameter of that name, whose choices are names, too."""
    spec = registry.spec(name)
    choices = next((option.choices for option in spec.options if option.name == "variant"), ())
    for variant in (*spec.variants, *choices):
        settings = spec.settings(variant=variant)
        assert settings == spec.variant_settings(variant) and settings == spec.settings(**settings)
        if variant in choices:
            assert settings == spec.variant_settings(None, options={"variant": variant})
    number = next(option for option in spec.options if option.default is None or not isinstance(option.default, str))
    assert spec.settings(variant=None, **{number.name: number.default}) == spec.settings()
    with pytest.raises(ValueError, match=r"variant='defalt': did you mean 'default'\?"):
        spec.settings(variant="defalt")


@pytest.mark.parametrize("name", registry.names())
def test_every_value_that_a_variant_names_can_be_written_and_read(name):
    spec = registry.spec(name)
    for options in spec.variants.values():
        written = {key: option_text(value) for key, value in options.items()}
        assert spec.settings(**spec.parse_options(written)) == spec.settings(**options)
    settings = spec.settings()
    players = settings.pop("num_players")
    assert spec.settings(players, **spec.parse_options({key: option_text(v) for key, v in settings.items()})) == (
        spec.settings()
    )


@pytest.mark.parametrize(
    ("name", "option", "text", "value"),
    [
        ("pooman", "chase", "off", "off"),
        ("pooman", "counts", "{'balancer': 4}", {"balancer": 4}),
        ("pooman", "counts", "none", None),
        ("pooman", "empty_handed_run", " yes ", True),
        ("poop", "drink_weight", "1e-3", 1e-3),
        ("poop", "drink_weight", "2", 2.0),
        ("poop", "drinking", "Off", False),
        ("poop", "variant", "interceptor", "interceptor"),
        ("poop", "slap_weights", "[1, 2.5]", [1.0, 2.5]),
        ("poo_head", "max_decisions", "8_000", 8000),
        ("poo_head", "max_decisions", "null", None),
    ],
)
def test_a_text_is_read_as_the_parameter_demands(name, option, text, value):
    read = registry.spec(name).parse_options({option: text})[option]
    assert read == value and type(read) is type(value)


@pytest.mark.parametrize(
    ("name", "option", "text", "message"),
    [
        ("pooman", "chase", "of", "chase='of': allowed is 'grid' or 'off'"),
        ("pooman", "counts", "{balancer", "counts={balancer: not YAML (expected ',' or '}', but got '<stream end>'); "),
        ("pooman", "counts", "{balancr: 1}", "'balancr' is no kind of card; allowed is {kind: number}"),
        ("poop", "drinking", "1", "drinking='1': allowed is True or False"),
        ("poop", "drink_weight", "nan", "drink_weight=nan: allowed is a number from"),
        ("poo_head", "bombs", "three", "bombs='three': allowed is a whole number from 0 to"),
        ("poo_head", "bombs", "3.0", "bombs=3.0: allowed is a whole number from 0 to"),
        ("poo_head", "bombs", "none", "bombs='none': allowed is a whole number from 0 to"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_by_name(name, option, text, message):
    with pytest.raises(ValueError) as error:
        registry.spec(name).parse_options({option: text})
    assert message in str(error.value)


def test_what_is_no_text_or_no_parameter_is_left_to_the_settings():
    assert registry.spec("poo_head").parse_options({"bombs": 3, "bomb": "3"}) == {"bombs": 3, "bomb": "3"}


@pytest.mark.parametrize("name", registry.names())
def test_what_follows_from_the_settings_is_found_once_for_each(name, monkeypatch):
    """It is right for settings in any order and of any kind of mapping, and no more than a thousand facts are kept."""
    spec, asked = copy.copy(registry.spec(name)), []
    for variant in spec.variants.values():
        for players in (spec.min_players, spec.min_players + 1):
            settings = spec.settings(players, **variant)
            blocks = spec.observation.blocks(settings)
            turned, frozen = dict(reversed(settings.items())), MappingProxyType(settings)
            for given in (settings, turned, frozen, settings):
                assert spec.blocks(given) == blocks
                assert spec.observation_size(given) == sum(block.size for block in blocks)
                assert spec.action_names(given) == spec.display.action_names(settings)
    settings = spec.settings()
    spec.observation_size(settings)
    find = spec.observation.blocks
    monkeypatch.setattr(spec.observation, "blocks", lambda settings: asked.append(1) or find(settings))
    spec.observation_size(dict(settings))
    assert not asked
    for limit in range(1, 1500):
        spec.observation_size({**settings, "max_decisions": -limit})  # so that no other test asked for it
    assert len(asked) == 1499 and len(spec._known) <= 1000


@pytest.mark.parametrize("name", registry.names())
def test_every_option_refuses_what_is_not_allowed(name):
    spec = registry.spec(name)
    for option in spec.options:
        if option.read is not None:
            wrong = [1, True, "none of these", {"none of these": 1}]
        elif option.choices:
            wrong = ["none of these", 1, True]
        elif isinstance(option.default, bool):
            wrong = [1, 0, "True", 1.0]
        elif isinstance(option.default, float):
            wrong = [option.low - 1, option.high + 1, "1", True, float("nan")]
        else:
            wrong = [option.low - 1, option.high + 1, 1.0, "1", True]
        for value in wrong:
            with pytest.raises(ValueError) as error:
                spec.settings(**{option.name: value})
            assert str(error.value).startswith(f"{option.name}={value!r}: ")
            assert f"allowed is {option.allowed}" in str(error.value)
    for players in (spec.min_players - 1, spec.max_players + 1, 2.0, "2", True):
        with pytest.raises(ValueError, match=f"num_players={players!r}: allowed is a whole number from"):
            spec.settings(players)


def test_an_unknown_parameter_is_refused_with_a_hint():
    spec = registry.spec("poo_head")
    with pytest.raises(ValueError, match="poo_head has no parameter 'bomb': did you mean 'bombs'"):
        spec.settings(bomb=3)
    with pytest.raises(ValueError, match="did you mean 'num_players'"):
        spec.settings(players=3)


def test_numpy_numbers_are_numbers():
    settings = registry.spec("poo_head").settings(np.int64(3), bombs=np.int8(2), voluntary_pickup=np.bool_(True))
    assert settings["num_players"] == 3 and settings["bombs"] == 2 and settings["voluntary_pickup"] is True
    assert type(settings["bombs"]) is int and type(settings["num_players"]) is int


def test_options_say_in_words_what_they_allow():
    assert Option("a", 1, "m", 0, 5).allowed == "a whole number from 0 to 5"
    assert Option("a", False, "m").allowed == "True or False"
    assert Option("a", "x", "m", choices=("x", "y")).allowed == "'x' or 'y'"
    assert Option("a", None, "m", 1, 2).check(None) is None
    assert Option("a", 0.5, "m", 0, 1).allowed == "a number from 0 to 1"
    assert Option("a", 0.5, "m", 0, 1).check(1) == 1.0
    assert isinstance(Option("a", 0.5, "m", 0, 1).check(1), float)
    for wrong in (True, "0.5", float("nan"), 1.01, None):
        with pytest.raises(ValueError, match="a number from 0 to 1"):
            Option("a", 0.5, "m", 0, 1).check(wrong)
    with pytest.raises(ValueError, match="a=None: allowed is"):
        Option("a", 1, "m", 1, 2).check(None)


def test_a_structured_option_is_read_into_one_form():
    def read(value):
        if not isinstance(value, dict):
            raise ValueError("no mapping")
        return {str(name): int(count) for name, count in value.items()}

    option = Option("deck", None, "m", read=read, form="cards and their counts")
    assert option.check({"ace": np.int64(4)}) == {"ace": 4} and option.check(None) is None
    with pytest.raises(ValueError, match=r"deck=\[1\]: no mapping; allowed is cards and their counts"):
        option.check([1])


def test_actions_are_shown_whatever_was_given():
    spec = registry.spec("poo_head")
    settings = spec.settings()
    assert spec.show_action(settings, 29) == "29 (play 7 x2)"
    for wrong in (-1, spec.num_actions, "x", None, 1.0):
        assert f"{wrong!r} (no action: they go from 0 to 62)" == spec.show_action(settings, wrong)


# -- other people's registries ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", registry.ids())
def test_gymnasium_and_pettingzoo_know_every_game(name):
    env = gymnasium.make(name, opponents="random")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and info["action_mask"].any()
    assert gymnasium.spec(name).id == name
    env.close()
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo before 1.26 has no registry")
    aec = pettingzoo.make("aec", name, num_players=3)
    aec.reset(seed=1)
    spec = registry.spec(name)
    assert aec.agents == spec.agent_names(spec.settings(3))
    assert aec.metadata["name"] == f"{spec.name}_v{spec.version}"
    with pytest.raises(ValueError, match="num_players=1"):
        pettingzoo.make("aec", name, num_players=1)


def test_registering_again_changes_nothing():
    from poopdeck.registration import register_games

    before = dict(gymnasium.registry)
    register_games()
    assert dict(gymnasium.registry) == before


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_game_has_a_module_of_its_version(name):
    spec = registry.spec(name)
    short = f"{name}_v{spec.version}"
    module = importlib.import_module(f"poopdeck.envs.{short}")
    assert str(module.env()) == str(module.raw_env()) == str(module.parallel_env()) == short
    assert getattr(poopdeck.envs, short) is module and {"env", "raw_env", "parallel_env"} <= set(dir(module))
    assert pickle.loads(pickle.dumps(module.env)).func is module.env.func
    with pytest.raises(AttributeError, match="no attribute 'enw'"):
        module.enw  # noqa: B018
    with pytest.raises(ImportError):
        importlib.import_module(f"poopdeck.envs.{name}_v{spec.version + 1}")


def test_the_module_of_the_version_makes_environments():
    from poopdeck.envs import poo_head_v0

    for make in (poo_head_v0.env, poo_head_v0.raw_env):
        env = make(num_players=2, bombs=1)
        env.reset(seed=1)
        assert env.num_agents == 2 and env.settings["bombs"] == 1 and str(env) == "poo_head_v0"
