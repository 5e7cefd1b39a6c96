"""Networks that are not perceptrons learn, are saved and loaded, resumed, measured, and sit among the opponents."""

import json
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest
import torch
from test_config import refusal
from torch import nn
from training_runs import rows_without_clock, small_config, task_of

from poopdeck.agents.loading import load_agent, table_settings
from poopdeck.agents.network import kinds
from poopdeck.agents.network.built import BuiltNetwork
from poopdeck.agents.network.network import StoredNetwork
from poopdeck.agents.network.role_networks import EVERY
from poopdeck.envs.tables.kinds import ABSENT, ASKED
from poopdeck.envs.tables.seating import Seating
from poopdeck.training.config.files import load_config
from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.learners.ppo.policy import Policy
from poopdeck.training.run.train import train
from poopdeck.training.storage.run_folder import read_config

MINE = """
from torch import nn
from poopdeck.agents.network.kinds import NetworkKind

class Gated(nn.Module):
    def __init__(self, features, width, linear):
        super().__init__()
        self.value, self.gate = linear(features, width), linear(features, width)
        self.norm = nn.BatchNorm1d(width, momentum=0.1)  # its buffers are no parameters

    def forward(self, x):
        return self.norm(self.value(x) * self.gate(x).sigmoid()) if len(x) > 1 else self.value(x)

def build(features, settings, linear):
    return Gated(features, settings["gates"], linear), settings["gates"]

KIND = NetworkKind(build)
"""


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("algo", ["maskable_ppo", "ppo"])
def test_a_residual_network_learns_is_kept_and_plays(tmp_path, algo):
    sets = [f"algo={algo}", "network.kind=residual", "network.hidden=[24, 24, 16]", "snapshots.weight=2"]
    config = small_config(*sets, "total_timesteps=3072")
    result = train(config, tmp_path, quiet=True)
    assert result.timesteps >= 3072 and set(result.evaluations) == set(config.evaluation.against)
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    network = StoredNetwork.load(tmp_path / "weights")
    assert isinstance(network, BuiltNetwork) and not network.compiled
    assert network.sizes == [task.game.spec.observation_size(task.settings), task.game.spec.num_actions]
    assert any("norm" in name for name in network.tensors)
    found = evaluate(task.game, task.settings, agent, [load_agent("random", task.game, task.settings)], 40, seed=1)
    assert found.games == 40 and found.illegal_actions == 0
    assert list((tmp_path / "snapshots").glob("*/card.json"))


@pytest.mark.parametrize("algo", ["maskable_ppo", "ppo"])
def test_snapshots_that_play_in_python_sit_only_at_seats_of_their_roles(tmp_path, algo):
    sets = [f"algo={algo}", "network.kind=residual", "snapshots.weight=2", "opponents=[{agent: random}]"]
    config = load_config(["pooman", "smoke"], [*sets, "evaluation.every=0", "total_timesteps=1024"])
    assert train(config, tmp_path, quiet=True).timesteps >= 1024
    task = task_of(config)
    agent = load_agent(str(tmp_path), task.game, task.settings)
    assert list(agent.networks.by_role) == task.roles
    kinds_of = Seating(task.game, task.settings, [agent]).players["kind"][0].tolist()
    assert kinds_of == ([ASKED, ABSENT] if algo == "maskable_ppo" else [ASKED, ASKED])


def test_what_plays_gives_the_logits_of_what_learnt():
    torch.manual_seed(3)
    policy = Policy(6, 4, NetworkConfig(kind="residual", hidden=[8, 8, 5], activation="tanh"))
    observations = torch.randn(7, 6)
    network = policy.network({"game": "x"})
    with torch.no_grad():
        logits, _ = policy(observations, torch.ones(7, 4, dtype=torch.bool))
        before = network.logits(observations.numpy())
        np.testing.assert_allclose(before, logits.numpy(), rtol=0, atol=1e-6)
        policy.action_head.weight += 1  # an exported network does not change any more
    np.testing.assert_array_equal(network.logits(observations.numpy()), before)


def test_building_a_network_draws_nothing_from_the_chance_of_the_run():
    network = Policy(6, 4, NetworkConfig(kind="residual", hidden=[8])).network({})
    torch.manual_seed(0)
    wanted = torch.rand(3)
    torch.manual_seed(0)
    network.logits(np.zeros((1, 6), np.float32))
    assert (torch.rand(3) == wanted).all()


@pytest.mark.parametrize("algo", ["maskable_ppo", "ppo"])
def test_a_kind_of_ones_own_is_resumed_as_if_nothing_had_been(tmp_path, monkeypatch, algo):
    (tmp_path / "my_networks.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    kind = ["network.kind=my_networks:KIND", "network.options={gates: 12}", "snapshots.weight=1"]
    sets = [f"algo={algo}", *kind, f"{algo}.learning_rate_end=0.002", "evaluation.every=0"]
    train(small_config(*sets, "total_timesteps=3072"), tmp_path / "whole", quiet=True)
    train(small_config(*sets, "total_timesteps=1536"), tmp_path / "halves", quiet=True)
    train(read_config(tmp_path / "halves", ["total_timesteps=3072"]), tmp_path / "halves", resume=True, quiet=True)
    one, other = (StoredNetwork.load(tmp_path / name / "weights") for name in ("whole", "halves"))
    assert any("running_mean" in name for name in one.parts()[0])
    for name, value in one.parts()[0].items():
        np.testing.assert_array_equal(value, other.parts()[0][name], name)
    losses = [
        [(row["timesteps"], row.get("train/value_loss")) for row in rows_without_clock(tmp_path / name)]
        for name in ("whole", "halves")
    ]
    assert [entry for entry in losses[0] if entry[1]] == [entry for entry in losses[1] if entry[1]]
    sys.modules.pop("my_networks")


def test_a_package_adds_a_kind_by_an_entry_point(tmp_path, monkeypatch):
    (tmp_path / "my_networks.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("gated", "my_networks:KIND", kinds.ENTRY_POINTS)
    monkeypatch.setattr(kinds, "entry_points", lambda group: [point] if group == kinds.ENTRY_POINTS else [])
    assert kinds.names() == ["mlp", "residual", "attention", "recurrent", "gated"]
    network = load_config("poo_head", ["network.kind=gated", "network.options={gates: 5}"]).network
    assert Policy(6, 4, network).network({}).logits(np.zeros((2, 6), np.float32)).shape == (2, 4)
    sys.modules.pop("my_networks")


def test_an_unknown_kind_is_told_with_those_that_there_are():
    message = refusal("poo_head", ["network.kind=residul"])
    assert (
        "network.kind='residul'" in message
        and "did you mean 'residual'? there are mlp, residual, attention, recurrent" in message
    )
    with pytest.raises(ValueError, match="No module named 'nowhere'"):
        kinds.kind("nowhere:KIND")
    with pytest.raises(ValueError, match="math:pi is no NetworkKind"):
        kinds.kind("math:pi")
    assert load_config("poo_head").network.kind == "mlp"


def test_a_network_that_lacks_a_part_is_damaged(tmp_path):
    network = Policy(6, 4, NetworkConfig(kind="residual", hidden=[8])).network({"game": "x"})
    network.save(tmp_path)
    assert StoredNetwork.load(tmp_path).content()[0] == network.content()[0]
    card = json.loads((tmp_path / "card.json").read_text())
    (tmp_path / "card.json").write_text(json.dumps(card | {"network": {"hidden": [9], "activation": "relu"}}))
    with pytest.raises(ValueError, match="the network is damaged or incomplete"):
        StoredNetwork.load(tmp_path)


@pytest.mark.parametrize("kind", kinds.REMEMBERING)
@pytest.mark.parametrize("algo", ["maskable_ppo", "ppo"])
def test_a_network_that_remembers_learns_is_kept_and_plays(tmp_path, algo, kind):
    sets = [f"algo={algo}", f"network.kind={kind}", "options.history=5", "snapshots.weight=2"]
    config = small_config(*sets, "total_timesteps=1536")
    assert config.network.options == {"events": [5, 4]}
    train(config, tmp_path / "run", quiet=True)
    task = task_of(config)
    agent = load_agent(str(tmp_path / "run"), task.game, task.settings)
    assert not agent.networks.by_role[EVERY].compiled and agent.has_values
    others = [load_agent("random", task.game, task.settings)]
    assert evaluate(task.game, task.settings, agent, others, 20, seed=1).illegal_actions == 0
    longer = {**task.settings, "history": 9}
    same = load_agent(str(tmp_path / "run"), task.game, longer)
    assert evaluate(task.game, longer, same, others, 20, seed=1).games == 20
    without = {name: value for name, value in longer.items() if name != "history"}
    for settings, kept in ((without, 0), ({**longer, "history": 4}, 4)):
        with pytest.raises(ValueError, match=f"reads the last 5 events, but the table keeps {kept}.*--set history=5"):
            load_agent(str(tmp_path / "run"), task.game, settings)
    folder = str(tmp_path / "run")
    assert table_settings(task.game.spec, ["random", folder])[0]["history"] == 5
    assert table_settings(task.game.spec, [folder], options={"history": 8})[0]["history"] == 8


def test_a_network_without_memory_plays_where_events_are_kept(tmp_path):
    config = small_config("algo=ppo", "total_timesteps=1536")
    train(config, tmp_path, quiet=True)
    game, settings = task_of(config).game, task_of(config).settings
    others = [load_agent("random", game, settings)]
    found = []
    for table in (settings, {**settings, "history": 3}):
        agent = load_agent(str(tmp_path), game, table)
        found.append(evaluate(game, table, agent, others, 50, seed=4).rates)
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", kinds.REMEMBERING)
def test_what_a_network_remembers_are_the_events_that_there_are(kind):
    """It tells events and their order apart, and numbers beside an empty row change nothing."""
    torch.manual_seed(1)
    config = NetworkConfig(kind=kind, hidden=[16, 8], options={"events": [3, 4], "width": 8})
    network = Policy(6 + 12, 4, config).network({})
    rows = np.zeros((4, 18), np.float32)
    rows[:, :6] = 0.5
    rows[1:, 6:10] = np.array([1, 5, 0, 2]) / 256
    rows[2:, 10:14] = np.array([2, 7, 0, 0]) / 256
    rows[3, 6:10], rows[3, 10:14] = rows[2, 10:14], rows[2, 6:10]
    logits = network.logits(rows)
    for one in range(4):
        for other in range(one):
            assert np.abs(logits[one] - logits[other]).max() > 1e-5, (one, other)
    noise = rows.copy()
    noise[:, 15:] = 9 / 256  # of a row without a seat
    np.testing.assert_allclose(network.logits(noise), logits, atol=1e-6)


@pytest.mark.parametrize("kind", kinds.REMEMBERING)
def test_a_network_that_remembers_learns_what_only_the_past_tells(kind):
    """The right action is what a certain seat has done last; the present says which seat."""
    generator = torch.manual_seed(0)
    config = NetworkConfig(kind=kind, hidden=[32, 32], options={"events": [4, 2], "width": 16})
    policy = Policy(2 + 8, 4, config)
    optimizer = torch.optim.Adam(policy.parameters(), 5e-3)
    right = []
    for step in range(300):
        seats = torch.rand(256, 2, generator=generator).argsort(dim=1).repeat(1, 2)  # each of two, and once more before
        actions = torch.randint(4, (256, 4), generator=generator)
        asked = torch.randint(2, (256,), generator=generator)
        wanted = torch.where(seats[:, 0] == asked, actions[:, 0], actions[:, 1])
        events = torch.stack([seats + 1, actions + 1], dim=2).flatten(1) / 256
        rows = torch.cat([nn.functional.one_hot(asked, 2).float(), events], dim=1)
        logits, _ = policy(rows, torch.ones(256, 4, dtype=torch.bool))
        loss = nn.functional.cross_entropy(logits, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step >= 290:
            right.append((logits.argmax(dim=1) == wanted).float().mean().item())
    assert np.mean(right) > 0.9  # by chance 0.25, without knowing the order 0.6


def test_a_network_that_remembers_needs_events():
    assert "so it needs options.history" in refusal("poo_head", ["network.kind=attention"])
    with pytest.raises(ValueError, match="width=10 cannot be shared out among heads=4"):
        Policy(18, 4, NetworkConfig(kind="attention", options={"events": [3, 4], "width": 10}))
    with pytest.raises(ValueError, match="needs a first layer"):
        Policy(18, 4, NetworkConfig(kind="recurrent", hidden=[], options={"events": [3, 4]}))
