"""A game whose seats play several roles: a network for each, seats, figures, and both learning in one run."""

import json

import numpy as np
import pytest
from test_cli import poopdeck as command

import poopdeck
from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.agent import NetworkAgent
from poopdeck.agents.network.network import Network
from poopdeck.agents.network.role_networks import EVERY, RoleNetworks
from poopdeck.envs.tables.arena import Arena
from poopdeck.envs.tables.kernel import LEARNER
from poopdeck.envs.tables.seating import Seating
from poopdeck.training.config.files import load_config
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.evaluation.match import play_games
from poopdeck.training.learners.base import Task
from poopdeck.training.learners.maskable_ppo.learner import MaskablePPOLearner
from poopdeck.training.learners.ppo.learner import PPOLearner
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.run.train import train

GAME = poopdeck.game("pooman")
SPEC = GAME.spec
SETTINGS = SPEC.settings(3)
TINY = ("algo=ppo", "snapshots.weight=1", "ppo.imitation.samples=0", "evaluation.against=[random]")


def network(action: int) -> Network:
    """One that likes an action best, whatever it sees."""
    bias = np.zeros(SPEC.num_actions, np.float32)
    bias[action] = 5
    blocks = [[block.name, list(block.shape)] for block in SPEC.observation.blocks(SETTINGS)]
    card = {"game": SPEC.id, "observation": blocks, "roles": [role.name for role in SPEC.roles], "settings": SETTINGS}
    return Network([np.zeros((SPEC.observation_size(SETTINGS), SPEC.num_actions), np.float32)], [bias], card=card)


def of_both() -> RoleNetworks:
    return RoleNetworks({"player": network(GAME.action("north")), "pooman": network(GAME.action("south"))})


def seen_by(*seats: int) -> tuple[np.ndarray, np.ndarray]:
    state = GAME.new_state(0, 3)
    return np.stack([GAME.observation(state, seat) for seat in seats]), np.ones((len(seats), SPEC.num_actions), np.int8)


def test_each_row_is_played_by_the_network_of_its_role():
    actions = NetworkAgent(of_both()).act(*seen_by(0, 3, 2, 3), np.random.default_rng(0))
    assert [GAME.action_name(action) for action in actions] == ["north", "south", "north", "south"]
    alone = NetworkAgent(network(GAME.action("west")))
    assert set(alone.act(*seen_by(0, 3), np.random.default_rng(0))) == {GAME.action("west")}


def test_a_role_without_a_network_is_an_error_that_names_it():
    agent = NetworkAgent(RoleNetworks({"pooman": network(0)}), "half")
    with pytest.raises(ValueError, match="no network for the role 'player'; there are pooman"):
        agent.act(*seen_by(0), np.random.default_rng(0))
    others = load_agent("random", GAME, SETTINGS)
    with pytest.raises(ValueError, match="agent half: no network for the role 'player', which seat 1 plays"):
        play_games(GAME, SETTINGS, [agent, others], np.array([[1, 0, 1, 0]]), np.zeros(1, int))
    assert len(play_games(GAME, SETTINGS, [agent, others], np.array([[1, 1, 1, 0]]), np.zeros(1, int)).lengths) == 1
    with pytest.raises(ValueError, match="none of half has a network for the role 'player'"):
        Arena(GAME, 2, [agent], 3)


def test_opponents_are_drawn_among_those_who_can_play_the_role():
    half = NetworkAgent(RoleNetworks({"player": network(0)}), "half")
    arena = Arena(GAME, 200, [(half, 5.0), (load_agent("random", GAME, SETTINGS), 1.0)], 3)
    arena.reset(seed=1)
    pooman, players = arena.lineups[:, 3], arena.lineups[:, :3]
    assert set(pooman) == {1}  # random
    assert set(players.ravel()) == {LEARNER, 0, 1}


def test_networks_of_several_roles_are_stored_side_by_side(tmp_path):
    of_both().save(tmp_path / "weights")
    assert sorted(path.name for path in (tmp_path / "weights").iterdir()) == ["player", "pooman"]
    agent = load_agent(str(tmp_path), GAME, SETTINGS)
    actions = agent.act(*seen_by(1, 3), np.random.default_rng(0))
    assert [GAME.action_name(action) for action in actions] == ["north", "south"]
    (tmp_path / "weights" / "pooman").rename(tmp_path / "weights" / "ghost")
    with pytest.raises(ValueError, match="role 'ghost'; pooman has player, pooman"):
        load_agent(str(tmp_path), GAME, SETTINGS)
    with pytest.raises(ValueError, match="no network"):
        RoleNetworks.load(tmp_path / "nothing")


def test_compiled_tables_seat_the_same_networks_as_python():
    networks = Seating(GAME, SETTINGS, [NetworkAgent(of_both()), NetworkAgent(network(0))]).players["network"]
    assert networks.shape == (2, 2) and len(set(networks.ravel())) == 4
    assert RoleNetworks({EVERY: network(0)}).of("pooman") is not None


def test_an_evaluation_has_the_agent_at_all_seats_of_a_role():
    agents = {name: load_agent(name, GAME, SETTINGS) for name in ("random", "heuristic")}
    hunting = evaluate(GAME, SETTINGS, agents["heuristic"], [agents["random"]], 500, role="pooman")
    running = evaluate(GAME, SETTINGS, agents["random"], [agents["heuristic"]], 500, role="player")
    assert hunting.games == hunting.deals == running.games == 500
    # The same games, seen from both sides.
    assert hunting.rates["win_rate"] + running.rates["win_rate"] == pytest.approx(1.0)
    assert hunting.role == "pooman" and len(hunting.payoff_by_seat) == 1 and len(running.payoff_by_seat) == 3
    assert running.mean_payoff == pytest.approx(np.mean(running.payoff_by_seat))
    with pytest.raises(ValueError, match="role='ghost': pooman has player, pooman"):
        evaluate(GAME, SETTINGS, agents["random"], [agents["random"]], 10, role="ghost")
    with pytest.raises(ValueError, match="2 agents for 3 other seats"):
        evaluate(GAME, SETTINGS, agents["random"], [agents["random"]] * 2, 10, role="pooman")


def learner_of(kind, *sets):
    config = load_config(["pooman", "smoke"], sets)
    task = Task.of(config)
    pool = SnapshotPool(config.snapshots)
    return kind(task, pool), pool


def test_self_play_gives_each_role_half_of_the_games_and_all_of_its_seats():
    learner, pool = learner_of(PPOLearner, *TINY, "num_envs=400", "ppo.self_play_share=0")
    pool.add(learner.networks(), 0)
    learner.seat_snapshots(pool)
    learner.begin()
    own = learner.group.collectors[0].arena.lineups == LEARNER
    assert set(map(tuple, own)) == {(True, True, True, False), (False, False, False, True)}
    assert 140 <= own[:, 3].sum() <= 260  # half of 400, six deviations


def test_both_roles_learn_and_each_from_its_own_decisions():
    learner, pool = learner_of(PPOLearner, *TINY)
    pool.add(learner.networks(), 0)
    learner.seat_snapshots(pool)
    learner.begin()
    before = learner.networks()
    for _ in range(4):
        learner.iterate(1.0)
    after = learner.networks()
    assert list(after.by_role) == ["player", "pooman"]
    for role in after.by_role:
        assert any(
            (one != other).any()
            for one, other in zip(before.by_role[role].weights, after.by_role[role].weights, strict=True)
        )


def test_a_run_of_several_roles_can_be_interrupted_and_tells_both_sides(tmp_path):
    sets = [*TINY, "ppo.learning_rate_end=0.002", "total_timesteps=4096"]
    train(load_config(["pooman", "smoke"], sets), tmp_path / "whole", quiet=True)
    half = [*sets, "total_timesteps=2048"]
    train(load_config(["pooman", "smoke"], half), tmp_path / "halves", quiet=True)
    train(load_config(["pooman", "smoke"], sets), tmp_path / "halves", resume=True, quiet=True)
    for role in ("player", "pooman"):
        one, other = (Network.load(tmp_path / name / "weights" / role) for name in ("whole", "halves"))
        assert all((a == b).all() for a, b in zip(one.weights, other.weights, strict=True))
    told = json.loads((tmp_path / "whole" / "result.json").read_text())["evaluations"]
    assert list(told) == ["random as player", "random as pooman"]
    assert told["random as pooman"]["win_rate"] is not None


@pytest.mark.parametrize("role", ["player", "pooman"])
def test_maskable_ppo_learns_the_role_that_it_is_given(role):
    learner, _ = learner_of(MaskablePPOLearner, f"role={role}", "snapshots.weight=0")
    assert list(learner.networks().by_role) == [role]
    learner.begin()
    seats = set(learner.env.seats.learner)
    assert seats == ({3} if role == "pooman" else {0, 1, 2})
    learner.iterate(1.0)
    learner.close()


def test_an_unknown_role_is_refused():
    with pytest.raises(ValueError, match="role='ghost': pooman has player, pooman"):
        learner_of(MaskablePPOLearner, "role=ghost")


def test_the_command_measures_a_role():
    shown = command("evaluate", "random", "--against", "random", "--game", "pooman", "--games", 50, "--role", "pooman")
    assert shown.returncode == 0 and "random as pooman at a table of" in shown.stdout
    refused = command("tournament", "pooman", "random", "heuristic")
    assert refused.returncode == 2 and "several roles" in refused.stderr
