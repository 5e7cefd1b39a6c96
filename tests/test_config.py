import pathlib

import pytest
import yaml

from poopdeck.envs.core import registry as games
from poopdeck.training.config import registry
from poopdeck.training.config.files import ConfigError, config_names, dump_config, load_config
from poopdeck.training.config.schema import TrainConfig, fields
from poopdeck.training.storage.run_folder import RunFolderError, read_config


def refusal(names, sets=()):
    with pytest.raises(ConfigError) as caught:
        load_config(names, sets)
    return str(caught.value)


def written(folder: pathlib.Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_every_shipped_config_is_valid_alone_or_over_another():
    assert {"poo_head", "poo_head_demo", "smoke"} <= set(config_names())
    for name in config_names():
        game = max((game for game in games.names() if name.startswith(game)), key=len, default="poo_head")
        assert load_config([game, name]).game == game


@pytest.mark.parametrize("model", [TrainConfig, *(registry.spec(name).section for name in registry.names())])
def test_every_key_has_a_sentence(model):
    for key, _, meaning in fields(model):
        assert meaning.endswith("."), key


def test_the_model_is_the_only_place_of_defaults():
    config = load_config("poo_head", ["total_timesteps=1000"])
    assert config.section.n_steps == registry.spec("maskable_ppo").section().n_steps


def test_a_game_without_a_config_takes_the_defaults(monkeypatch):
    monkeypatch.setattr(games, "names", lambda: ["poo_head", "other"])
    monkeypatch.setattr(games, "spec", lambda name, spec=games.spec: spec("poo_head"))
    assert load_config("other") == registry.config_model(registry.spec("maskable_ppo"))(game="other")


def test_later_layers_win_and_nested_keys_are_laid_one_by_one(tmp_path):
    path = written(tmp_path, "base: poo_head\nmaskable_ppo: {n_steps: 8, clip: 0.1}\nplayers: 2\n")
    config = load_config([path, "smoke"], ["maskable_ppo.clip=0.3", "maskable_ppo.clip=0.25", "players=3"])
    assert (config.maskable_ppo.n_steps, config.maskable_ppo.clip, config.players) == (32, 0.25, 3)
    assert config.maskable_ppo.learning_rate == load_config("poo_head").maskable_ppo.learning_rate


def test_values_are_read_as_yaml_and_large_counts_may_be_floats():
    sets = [
        "maskable_ppo.learning_rate=1e-3",
        "total_timesteps=2e6",
        "network.hidden=[32, 16]",
        "time_limit=",
        "num_envs=1_000",
    ]
    config = load_config("poo_head_demo", sets)
    assert config.maskable_ppo.learning_rate == 1e-3
    assert config.total_timesteps == 2_000_000
    assert config.network.hidden == [32, 16]
    assert config.time_limit is None
    assert config.num_envs == 1000


def test_one_item_of_a_list_can_be_set():
    config = load_config("poo_head", ["opponents.1.weight=9", "evaluation.against.0=heuristic"])
    assert config.opponents[1].weight == 9
    assert config.opponents[1].agent == load_config("poo_head").opponents[1].agent
    assert config.evaluation.against[0] == "heuristic"
    assert "opponents has 3 items" in refusal("poo_head", ["opponents.3.weight=1"])


def test_an_unknown_key_names_its_place_and_the_nearest_known_one(tmp_path):
    message = refusal("poo_head", ["maskable_ppo.lerning_rate=1"])
    assert "'maskable_ppo.lerning_rate'" in message
    assert "--set maskable_ppo.lerning_rate=1" in message
    assert "did you mean maskable_ppo.learning_rate?" in message
    path = written(tmp_path, "game: poo_head\n\nopponents:\n  - {agent: random}\n  - {agent: random, wieght: 2}\n")
    message = refusal(path)
    assert f"{path}, line 5" in message
    assert "did you mean opponents.1.weight?" in message
    assert "known are" in refusal("poo_head", ["zzz=1"])


@pytest.mark.parametrize(
    ("pair", "part"),
    [
        ("maskable_ppo.n_steps=many", "maskable_ppo.n_steps='many'"),
        ("maskable_ppo.n_steps=1.5", "maskable_ppo.n_steps=1.5"),
        ("num_envs=true", "num_envs=True"),
        ("num_envs=0", "num_envs=0"),
        ("maskable_ppo=3", "maskable_ppo=3: keys and values are wanted"),
        ("truncated_as=never", "truncated_as='never'"),
        ("algo=reinforce", "algo='reinforce'"),
        ("opponents=random", "opponents='random'"),
        ("network.hidden=[0]", "network.hidden.0=0"),
        ("seed=-1", "seed=-1"),
        ("seed=", "seed=None"),
    ],
)
def test_a_wrong_value_names_key_value_and_place(pair, part):
    message = refusal("poo_head", [pair])
    assert part in message
    assert f"(--set {pair})" in message


def test_all_wrong_values_are_told_at_once(tmp_path):
    message = refusal(written(tmp_path, "game: poo_head\nseed: x\nplayers: y\n"))
    assert "line 2" in message
    assert "line 3" in message


def test_pairs_must_be_pairs():
    assert "key=value is wanted" in refusal("poo_head", ["seed"])
    assert "not YAML" in refusal("poo_head", ["seed=[1"])


def test_files_that_are_no_config(tmp_path):
    assert "cannot be read" in refusal(str(tmp_path / "none.yaml"))
    assert "keys and values are wanted" in refusal(written(tmp_path, "- 1\n"))
    assert "not YAML" in refusal(written(tmp_path, "a: [\n"))
    assert "did you mean 'poo_head'?" in refusal("poo_hed")
    assert "is its own base" in refusal(written(tmp_path, f"base: {tmp_path / 'mine.yaml'}\n"))


def test_a_config_is_plain_data(tmp_path):
    assert "not YAML" in refusal(written(tmp_path, "game: !!python/object/apply:os.system ['true']\n"))


def test_an_overlay_alone_is_not_enough():
    assert refusal("smoke") == "game is missing"


def test_the_games_own_parameters_are_checked():
    assert "num_players=1" in refusal("poo_head", ["players=1"])
    assert "did you mean 'bombs'?" in refusal("poo_head", ["options.bomb=3"])
    assert load_config("poo_head", ["options.bombs=3"]).options == {"bombs": 3}
    assert "unknown game" in refusal("poo_head", ["game=chess"])


def test_combinations_that_cannot_learn_are_refused():
    assert "nobody to play against" in refusal("poo_head", ["opponents=[]", "snapshots.weight=0"])
    assert load_config("poo_head", ["opponents=[]", "snapshots.weight=1"]).opponents == []
    # 4 * 4 samples in batches of 5 leave one alone, whose advantage cannot be normalised
    assert "batch of one" in refusal("poo_head", ["num_envs=4", "maskable_ppo.n_steps=4", "maskable_ppo.batch_size=5"])


def test_a_resolved_config_reads_back_as_itself(tmp_path):
    config = load_config("poo_head_demo", ["options.bombs=3"])
    assert load_config(written(tmp_path, dump_config(config))) == config
    assert set(yaml.safe_load(dump_config(config))) == {*TrainConfig.model_fields, "maskable_ppo"}


def test_nobody_changes_a_config():
    with pytest.raises(ValueError, match="frozen"):
        load_config("poo_head").seed = 3


# -- ways of learning -------------------------------------------------------------------------------------------------


def test_a_config_has_the_section_of_its_way_of_learning_and_no_other():
    config = load_config(["poo_head", "smoke"], ["algo=ppo", "ppo.self_play_share=0.5"])
    assert (config.section.n_steps, config.section.self_play_share) == (32, 0.5)
    assert config.section is config.ppo and not hasattr(config, "maskable_ppo")
    # An earlier layer's section of another way of learning is not for this one.
    assert config.section.entropy == registry.spec("ppo").section().entropy != load_config("poo_head").section.entropy


def test_an_unknown_way_of_learning_is_told_with_those_that_there_are():
    message = refusal("poo_head", ["algo=maskable_ppu"])
    assert "algo='maskable_ppu': did you mean 'maskable_ppo'? there are maskable_ppo, ppo" in message
    assert "(--set algo=maskable_ppu)" in message


def test_settings_of_another_way_of_learning_are_refused(tmp_path):
    message = refusal("poo_head", ["ppo.entropy=0.1"])
    assert "'ppo.entropy' (--set ppo.entropy=0.1) is of the algo ppo, but the algo is maskable_ppo" in message
    path = written(tmp_path, "base: poo_head\nppo: {entropy: 0.1}\n")
    assert f"({path}, line 2) is of the algo ppo" in refusal(path)
    for sets in (["ppo.entropy=0.1", "algo=ppo"], ["algo=ppo", "ppo.entropy=0.1"]):
        assert load_config("poo_head", sets).section.entropy == 0.1
    assert load_config(path, ["algo=ppo"]).section.entropy == 0.1


@pytest.mark.parametrize(
    ("pair", "now"),
    [
        ("algo=selfplay", "it is called ppo now"),
        (
            "selfplay.mirror_share=1",
            "'selfplay.mirror_share' (--set selfplay.mirror_share=1): it is called ppo.self_play",
        ),
        ("selfplay.imitation.samples=1", "'selfplay' (--set selfplay.imitation.samples=1): it is called ppo now"),
        ("ppo.mirror_share=1", "it is called ppo.self_play_share now"),
        ("capped=loss", "'capped' (--set capped=loss): it is called truncated_as now"),
    ],
)
def test_a_key_of_an_earlier_version_is_told_its_new_name(pair, now):
    assert now in refusal("poo_head", [pair])


def test_a_run_of_an_earlier_version_is_refused_by_name(tmp_path):
    text = dump_config(load_config("poo_head", ["algo=ppo"])).replace("algo: ppo", "algo: selfplay")
    (tmp_path / "config.yaml").write_text(text.replace("\nppo:", "\nselfplay:"))
    with pytest.raises(RunFolderError, match=r"config.yaml: written by an earlier version \(selfplay is called other"):
        read_config(tmp_path)


# -- variants ---------------------------------------------------------------------------------------------------------


def test_a_variant_is_named_and_single_parameters_override_it():
    config = load_config("poop", ["variant=drinking", "options.drink_weight=0.1"])
    assert (config.settings()["drinking"], config.settings()["drink_weight"]) == (True, 0.1)
    assert load_config("poop", ["variant=blind_pooper"]).settings() == games.spec("poop").settings(
        4, variant="blind_pooper"
    )
    # The game has a parameter of that name, too.
    both = load_config("poop", ["variant=blind_pooper", "options.variant=interceptor"])
    assert both.settings()["variant"] == "interceptor"
    message = refusal("poop", ["variant=blind_poper"])
    assert "variant='blind_poper': did you mean 'blind_pooper'? " in message


def test_off_is_a_word(tmp_path):
    assert load_config("pooman", ["options.chase=off"]).options == {"chase": "off"}
    assert load_config(written(tmp_path, "game: pooman\noptions: {chase: off}\n")).settings()["chase"] == "off"


def test_yes_and_no_are_read_where_a_yes_or_no_is_wanted(tmp_path):
    path = written(tmp_path, "game: poop\nsnapshots: {greedy: yes}\noptions: {drinking: no, drink_weight: 1e-3}\n")
    config = load_config(path, ["opponents=[{agent: random, greedy: off}]"])
    assert config.snapshots.greedy is True and config.opponents[0].greedy is False
    assert config.settings()["drinking"] is False and config.settings()["drink_weight"] == 1e-3
    assert "snapshots.greedy='maybe'" in refusal("poop", ["snapshots.greedy=maybe"])
