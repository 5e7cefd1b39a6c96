import pathlib

import pytest
import yaml

from poopdeck.envs.core.registry import names
from poopdeck.training.config.files import ConfigError, config_names, dump_config, load_config
from poopdeck.training.config.schema import TrainConfig, fields


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
        game = max((game for game in names() if name.startswith(game)), key=len, default="poo_head")
        assert load_config([game, name]).game == game


def test_every_key_has_a_sentence():
    for key, _, meaning in fields():
        assert meaning.endswith("."), key


def test_the_model_is_the_only_place_of_defaults():
    config = load_config("poo_head", ["total_timesteps=1000"])
    assert config.ppo.n_steps == TrainConfig(game="poo_head").ppo.n_steps


def test_a_game_without_a_config_takes_the_defaults(monkeypatch):
    from poopdeck.envs.core import registry

    monkeypatch.setattr(registry, "names", lambda: ["poo_head", "other"])
    monkeypatch.setattr(registry, "spec", lambda name, spec=registry.spec: spec("poo_head"))
    assert load_config("other") == TrainConfig(game="other")


def test_later_layers_win_and_nested_keys_are_laid_one_by_one(tmp_path):
    path = written(tmp_path, "base: poo_head\nppo: {n_steps: 8, clip: 0.1}\nplayers: 2\n")
    config = load_config([path, "smoke"], ["ppo.clip=0.3", "ppo.clip=0.25", "players=3"])
    assert (config.ppo.n_steps, config.ppo.clip, config.players) == (32, 0.25, 3)
    assert config.ppo.learning_rate == load_config("poo_head").ppo.learning_rate


def test_values_are_read_as_yaml_and_large_counts_may_be_floats():
    sets = ["ppo.learning_rate=1e-3", "total_timesteps=2e6", "network.hidden=[32, 16]", "time_limit=", "num_envs=1_000"]
    config = load_config("poo_head_demo", sets)
    assert config.ppo.learning_rate == 1e-3
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
    message = refusal("poo_head", ["ppo.lerning_rate=1"])
    assert "'ppo.lerning_rate'" in message
    assert "--set ppo.lerning_rate=1" in message
    assert "did you mean ppo.learning_rate?" in message
    path = written(tmp_path, "game: poo_head\n\nopponents:\n  - {agent: random}\n  - {agent: random, wieght: 2}\n")
    message = refusal(path)
    assert f"{path}, line 5" in message
    assert "did you mean opponents.1.weight?" in message
    assert "known are" in refusal("poo_head", ["zzz=1"])


@pytest.mark.parametrize(
    ("pair", "part"),
    [
        ("ppo.n_steps=many", "ppo.n_steps='many'"),
        ("ppo.n_steps=1.5", "ppo.n_steps=1.5"),
        ("num_envs=true", "num_envs=True"),
        ("num_envs=0", "num_envs=0"),
        ("ppo=3", "ppo=3: keys and values are wanted"),
        ("truncated_as=never", "truncated_as='never'"),
        ("algo=dqn", "algo='dqn'"),
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
    assert "batch of one" in refusal("poo_head", ["num_envs=4", "ppo.n_steps=4", "ppo.batch_size=5"])


def test_a_resolved_config_reads_back_as_itself(tmp_path):
    config = load_config("poo_head_demo", ["options.bombs=3"])
    assert load_config(written(tmp_path, dump_config(config))) == config
    assert set(yaml.safe_load(dump_config(config))) == set(TrainConfig.model_fields)


def test_nobody_changes_a_config():
    with pytest.raises(ValueError, match="frozen"):
        load_config("poo_head").seed = 3
