"""Agents: the uniform player, networks, names, whole games between them, a person at the terminal."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poopdeck
from poopdeck.agents.human import HumanAgent, Leave
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.agents.network.agent import NetworkAgent
from poopdeck.agents.network.network import Network
from poopdeck.agents.random import RandomAgent
from poopdeck.envs.adapters.vector import VectorEnv
from poopdeck.play import play
from poopdeck.training.evaluation.match import play_games

GAME = poopdeck.game("poo_head")
SETTINGS = GAME.spec.settings(4)


def small_network(activation="relu", seed=0, sizes=(204, 32, 16, 63), **card):
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=shape) / math.sqrt(shape[0]) for shape in zip(sizes[:-1], sizes[1:], strict=True)]
    biases = [rng.normal(size=size) * 0.1 for size in sizes[1:]]
    made_for = {"game": GAME.spec.id, "settings": dict(SETTINGS)}
    return Network(weights, biases, activation, {**made_for, **card})


def positions(count, seed=0):
    """Observations and masks met in random play."""
    env, rng = VectorEnv(GAME, 64), np.random.default_rng(seed)
    env.reset(seed=seed)
    seen, masks = [], []
    while len(seen) * 64 < count:
        seen.append(env.obs.copy())
        masks.append(env.mask.copy())
        env.step((env.mask * rng.random(env.mask.shape)).argmax(axis=1))
    return np.concatenate(seen), np.concatenate(masks)


def test_random_is_uniform_over_legal_actions():
    mask = np.zeros((60_000, 63), np.int8)
    mask[:, [0, 7, 62]] = 1
    counts = np.bincount(RandomAgent().act(mask, mask, np.random.default_rng(0)), minlength=63)
    assert counts.sum() == counts[[0, 7, 62]].sum()
    # Chi-squared with two degrees of freedom: above 13.8 once in a thousand.
    assert sum((counts[a] - 20_000) ** 2 / 20_000 for a in (0, 7, 62)) < 13.8
    with pytest.raises(ValueError, match="row 1 of the masks allows no action"):
        RandomAgent().act(mask, np.array([[1, 0], [0, 0]]), np.random.default_rng(0))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_random_never_chooses_an_illegal_action(data):
    mask = np.array(
        data.draw(st.lists(st.lists(st.booleans(), min_size=9, max_size=9).filter(any), min_size=1)), np.int8
    )
    actions = RandomAgent().act(mask, mask, np.random.default_rng(data.draw(st.integers(0, 99))))
    assert mask[np.arange(len(mask)), actions].all()


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_compiled_networks_choose_as_torch_does(activation):
    import torch

    network = small_network(activation)
    observations, masks = positions(1000)
    x = torch.from_numpy(observations)
    for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        x = x @ torch.from_numpy(weight) + torch.from_numpy(bias)
        if k < 2:
            x = torch.relu(x) if activation == "relu" else torch.tanh(x)
    logits = np.where(masks != 0, x.numpy(), -np.inf)
    best, second = np.sort(logits, axis=1)[:, [-1, -2]].T
    clear = best - second > 1e-4  # within rounding either may win
    assert clear.mean() > 0.95
    assert (NetworkAgent(network).act(observations, masks, np.random.default_rng(0)) == logits.argmax(1))[clear].all()
    assert (compiled_choices(network, observations, masks, greedy=True) == logits.argmax(axis=1))[clear].all()


def compiled_choices(network, observations, masks, greedy, seed=0):
    from poopdeck.envs.tables.perceptron import NetworkBank, NetworkRun, choose_by_network
    from poopdeck.envs.tables.streams import chance_records

    bank = NetworkBank([small_network(seed=5), network])  # not the first, so that offsets matter
    chance = chance_records(np.array([seed], np.uint64))[0:1]
    run = NetworkRun(bank.plans[1], bank.values, bank.scratch())
    return np.array(
        [
            choose_by_network(run, observation, mask, greedy, chance[0])
            for observation, mask in zip(observations, masks, strict=True)
        ]
    )


def test_sampled_networks_draw_by_their_probabilities():
    network = small_network(seed=3)
    observations, masks = positions(64, seed=2)
    row = int((masks.sum(axis=1) == 4).argmax())
    logits = np.where(masks[row] != 0, network.logits(observations[row : row + 1])[0], -np.inf)
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    many = 8000
    repeated, mask = np.repeat(observations[row : row + 1], many, 0), np.repeat(masks[row : row + 1], many, 0)
    for drawn in (
        compiled_choices(network, repeated, mask, greedy=False),
        NetworkAgent(network, greedy=False).act(repeated, mask, np.random.default_rng(0)),
    ):
        share = np.bincount(drawn, minlength=63) / many
        assert share[masks[row] == 0].sum() == 0
        assert np.abs(share - expected).max() < 5 * math.sqrt(0.25 / many)


def test_networks_are_stored_without_pickle_and_come_back_the_same(tmp_path, monkeypatch):
    import pickle

    network = small_network(note="x")
    network.save(tmp_path / "net")
    forbid = lambda *args, **kwargs: pytest.fail("unpickled")  # noqa: E731
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbid)
    back = Network.load(tmp_path / "net")
    assert all(
        (a == b).all() for a, b in zip(network.weights + network.biases, back.weights + back.biases, strict=True)
    )
    assert back.activation == "relu" and back.card["note"] == "x" and back.card["sizes"] == [204, 32, 16, 63]
    assert load_agent(str(tmp_path / "net"), GAME, SETTINGS).name == "net"


def test_damaged_or_foreign_networks_are_refused(tmp_path):
    small_network().save(tmp_path)
    weights, card = tmp_path / "network.safetensors", tmp_path / "card.json"
    content = weights.read_bytes()
    weights.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="damaged or incomplete"):
        load_agent(str(tmp_path), GAME, SETTINGS)
    weights.unlink()
    with pytest.raises(ValueError, match=r"no network\.safetensors"):
        load_agent(str(tmp_path), GAME, SETTINGS)
    weights.write_bytes(content)
    with pytest.raises(ValueError, match=r"takes 204 features .*num_players=4.* but .* num_players=3 has 169"):
        load_agent(str(tmp_path), GAME, GAME.spec.settings(3))
    card.write_text(json.dumps({**json.loads(card.read_text()), "game": "poopdeck/other-v0"}))
    with pytest.raises(ValueError, match="trained for poopdeck/other-v0, not for poopdeck/poo_head-v0"):
        load_agent(str(tmp_path), GAME, SETTINGS)
    card.write_text("{}")
    with pytest.raises(ValueError, match="not a card of format"):
        load_agent(str(tmp_path), GAME, SETTINGS)


def test_names_are_listed_and_unknown_ones_told():
    assert agent_names(GAME)[:3] == ["random", "heuristic", "heuristic:lowest"]
    for name in ("random", "heuristic", "heuristic:lowest"):
        assert load_agent(name, GAME, SETTINGS).name == name
    with pytest.raises(ValueError, match="did you mean 'heuristic'"):
        load_agent("heuristc", GAME, SETTINGS)
    with pytest.raises(ValueError, match="heuristic:best2: poo_head has best, lowest"):
        load_agent("heuristic:best2", GAME, SETTINGS)


# -- whole games -----------------------------------------------------------------------------------------------------


def test_the_same_deal_is_the_same_game_for_the_same_agents():
    agents = [load_agent(name, GAME, SETTINGS) for name in ("heuristic", "heuristic:lowest")]
    lineups = np.tile([[0, 1, 0, 1]], (6, 1))
    results = play_games(GAME, SETTINGS, agents, lineups, np.array([0, 0, 1, 1, 2, 0]), seed=3)
    assert (results.returns[0] == results.returns[1]).all() and results.lengths[0] == results.lengths[5]
    assert len(set(results.lengths[[0, 2, 4]])) > 1
    assert np.allclose(results.returns.sum(axis=1), 0, atol=1e-6)


def test_games_do_not_depend_on_chunks_threads_or_company():
    agents = [load_agent("heuristic", GAME, SETTINGS), RandomAgent(), NetworkAgent(small_network(), greedy=False)]
    rng = np.random.default_rng(0)
    lineups, deals = rng.integers(0, 3, (4200, 4)), np.arange(4200)
    whole = play_games(GAME, SETTINGS, agents, lineups, deals, seed=1, threads=2)
    part = play_games(GAME, SETTINGS, agents, lineups[:50], deals[:50], seed=1)
    assert (whole.returns[:50] == part.returns).all() and (whole.lengths[:50] == part.lengths).all()


class Cheat:
    name = "cheat"

    def act(self, observations, masks, rng):
        return masks.argmin(axis=1)


def test_an_illegal_action_forfeits_the_game_and_is_counted():
    lineups = np.array([[0, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]])
    results = play_games(GAME, SETTINGS, [Cheat(), RandomAgent()], lineups, np.arange(3))
    assert results.forfeited.tolist() == [0, 2, -1]
    np.testing.assert_allclose(results.returns[0], [-1, 1 / 3, 1 / 3, 1 / 3], atol=1e-6)
    np.testing.assert_allclose(results.returns[1], [1 / 3, 1 / 3, -1, 1 / 3], atol=1e-6)


def test_wrong_answers_and_lineups_are_told():
    class Short:
        name = "short"

        def act(self, observations, masks, rng):
            return np.zeros(len(masks) + 1, np.int64)

    with pytest.raises(ValueError, match="agent short: 2 whole numbers are wanted"):
        play_games(GAME, SETTINGS, [Short()], np.zeros((2, 4), int), np.arange(2))
    with pytest.raises(ValueError, match=r"allowed are \(n, 4\)"):
        play_games(GAME, SETTINGS, [RandomAgent()], np.zeros((2, 3), int), np.arange(2))
    with pytest.raises(ValueError, match="there are 1"):
        play_games(GAME, SETTINGS, [RandomAgent()], np.ones((2, 4), int), np.arange(2))


# -- people ----------------------------------------------------------------------------------------------------------


def person(*lines):
    answers, said = iter(lines), []

    def read(prompt):
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    return HumanAgent(read=read, write=said.append), said


LEGAL = [(28, "play 7"), (29, "play 7 x2"), (44, "play poo head"), (46, "pick up")]


@pytest.mark.parametrize(
    ("typed", "action"), [("2", 29), ("play 7", 28), ("PICK UP", 46), ("pi", 46), ("play p", 44), (" 1 ", 28)]
)
def test_a_person_chooses_by_number_name_or_beginning(typed, action):
    assert person(typed)[0].choose(LEGAL) == action


@pytest.mark.parametrize(
    ("typed", "action"), [("cat Red 1", 1), ("CAT RED 1", 1), ("cat b", 2), ("cat a", 3), ("cat A", 4)]
)
def test_names_with_capitals_are_read_as_people_type_them(typed, action):
    assert person(typed)[0].choose([(1, "cat Red 1"), (2, "cat Blue 1"), (3, "cat a"), (4, "cat A")]) == action


PARTY = {"edition": "party_pooper", "players": 2, "turn": 0, "seed": 0}
PARTY |= {"hands": [["green 1", "orange skip"], ["purple 2"]], "table": [], "lid": 12, "water": "green"}


def test_a_person_is_offered_what_the_edition_calls_its_cards():
    game = poopdeck.game("poop")
    state, shown = game.load(PARTY), []
    agent, said = person("play orange skip", "play green 1")
    play(game, state, [agent, poopdeck.load_agent("random", "poop", 2, edition="party_pooper")], show=shown.append)
    assert said == ["1: play green 1  2: play orange skip", "1: play green 1"]
    assert [line for line in shown if line.startswith("player_0 (")] == [
        "player_0 (you): play orange skip",
        "player_0 (you): play green 1",
    ]


def test_a_person_is_asked_again_until_it_is_clear():
    agent, said = person("", "9", "play", "plai 7", "0", "3")
    assert agent.choose(LEGAL) == 44
    told = "\n".join(said)
    assert (
        "choices 1 to 4" in told
        and "could be play 7, play 7 x2, play poo head" in told
        and "did you mean 'play 7'" in told
    )


@pytest.mark.parametrize("typed", [("q",), ("quit",), ()])
def test_a_person_may_leave(typed):
    with pytest.raises(Leave):
        person(*typed)[0].choose(LEGAL)
