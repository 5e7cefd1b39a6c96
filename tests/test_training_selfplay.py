"""Learning from every seat: credit, masks, the update, resuming, and that it learns."""

import json

import numpy as np
import pytest
import torch

import poopdeck
from poopdeck.agents.loading import load_agent
from poopdeck.agents.network.agent import NetworkAgent
from poopdeck.agents.network.role_networks import EVERY
from poopdeck.envs.tables.arena import Arena
from poopdeck.envs.tables.kernel import LEARNER
from poopdeck.training.config.files import load_config
from poopdeck.training.config.schema import NetworkConfig
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.learners.base import Task
from poopdeck.training.learners.collection.decisions import END, OPEN, Decisions
from poopdeck.training.learners.ppo.actor import draw
from poopdeck.training.learners.ppo.learner import PPOLearner
from poopdeck.training.learners.ppo.policy import Policy
from poopdeck.training.learners.ppo.samples import COLUMNS, advantages
from poopdeck.training.learners.ppo.update import ppo_loss
from poopdeck.training.learners.snapshot_pool import SnapshotPool
from poopdeck.training.run.train import train

SMALL = ("algo=ppo", "num_envs=32", "network.hidden=[32]") + tuple(
    f"ppo.{pair}" for pair in ("n_steps=16", "batch_size=128", "entropy=0.03", "gae_lambda=0.9")
)


pytestmark = pytest.mark.usefixtures("one_thread")


def make_learner(*sets: str) -> PPOLearner:
    config = load_config("poo_head", [*SMALL, "snapshots.weight=0", *sets])
    torch.manual_seed(config.seed)
    learner = PPOLearner(Task.of(config), SnapshotPool(config.snapshots))
    learner.begin()
    return learner


def test_advantages_of_a_three_seat_game_worked_out_by_hand():
    decisions = Decisions(steps=5, tables=1, seats=3, features=1, num_actions=2, columns=COLUMNS)
    played = [(0, 0.1), (1, 0.2), (2, 0.3), (0, 0.4), (1, 0.5)]
    for step, (seat, value) in enumerate(played):
        decisions.add(
            np.array([seat]),
            np.zeros((1, 1)),
            np.ones((1, 2), bool),
            np.zeros(1),
            0,
            {"values": [value], "log_probs": 0},
        )
        rewards = {2: [0.5, 0, 0], 4: [1, -1, 0]}.get(step, [0, 0, 0])
        decisions.pay(np.array([rewards], np.float32), np.array([step == 4]))
    # With discount 1/2 and trace 1/2. Seat 0 decided first and fourth, and got 0.5 between; seat 1 second and fifth.
    expected = [
        0.5 + 0.5 * 0.4 - 0.1 + 0.25 * (1 - 0.4),
        0.5 * 0.5 - 0.2 + 0.25 * (-1 - 0.5),
        0 - 0.3,
        1 - 0.4,
        -1 - 0.5,
    ]
    np.testing.assert_allclose(advantages(decisions, 0.5, 0.5), expected, atol=1e-6)
    assert decisions.next.tolist()[:5] == [3, 4, END, END, END]


def test_open_decisions_and_what_is_owed_to_them_survive_a_checkpoint():
    first, second = (Decisions(steps=2, tables=2, seats=3, features=1, num_actions=2) for _ in range(2))

    def decide(decisions, seats, rewards, ended):
        decisions.add(np.array(seats), np.ones((2, 1)), np.ones((2, 2), bool), np.ones(2), 0)
        decisions.pay(np.array(rewards, np.float32), np.array(ended))

    decide(first, [0, 1], [[0, 0, 0], [0, 0, 0]], [False, False])
    decide(first, [1, 2], [[0.5, 0, 0], [1, 0, -1]], [False, True])
    first.carry()
    second.load_state_dict(first.state_dict())
    for decisions in (first, second):
        decide(decisions, [0, 0], [[0, 0, 0], [0, 0, 0]], [False, False])
    assert first.rewards[: first.count].tolist() == second.rewards[: second.count].tolist() == [0.5, 0, 0, 0]


def test_without_discount_the_returns_are_the_payoffs_of_the_environment():
    steps, tables = 400, 8
    learner = make_learner("ppo.self_play_share=1", f"ppo.n_steps={steps}", f"num_envs={tables}")
    collector = learner.group.collectors[0]
    arena, decisions = collector.arena, collector.decisions
    seats = np.zeros((steps, tables), int)
    begun, expected = np.zeros(tables, int), np.full((steps, tables), np.nan)
    for step in range(steps):
        seats[step] = arena.tables["seat"]
        learner.group.collectors[0].step(learner.actors[0])
        for table in np.flatnonzero(arena.tables["ended"]):
            game = slice(begun[table], step + 1)
            if not arena.tables["truncated"][table]:
                expected[game, table] = arena.final_returns[table][seats[game, table]]
            begun[table] = step + 1
    found = (advantages(decisions, 1.0, 1.0) + decisions.columns["values"][: decisions.count]).reshape(steps, tables)
    known = ~np.isnan(expected)
    assert known.sum() > steps
    np.testing.assert_allclose(found[known], expected[known], atol=1e-5)


def test_a_truncated_game_counts_by_cards_left_and_not_as_a_draw():
    learner = make_learner("ppo.self_play_share=1", "options={max_decisions: 60}", "ppo.n_steps=100", "num_envs=8")
    truncated = []
    for _ in range(100):
        learner.group.collectors[0].step(learner.actors[0])
        arena = learner.group.collectors[0].arena
        rows = (arena.tables["ended"] != 0) & (arena.tables["truncated"] != 0)
        truncated += list(arena.rewards[rows])
    assert len(truncated) >= 8
    assert np.allclose(np.sum(truncated, axis=1), 0, atol=1e-6)
    assert (np.min(truncated, axis=1) < -0.2).mean() > 0.9


def test_no_decision_is_lost_between_rollouts():
    learner = make_learner("ppo.self_play_share=1")
    decisions, total = learner.group.collectors[0].decisions, 0
    for _ in range(5):
        before = decisions.count
        found = len(learner.rollout().actions)
        assert before + 16 * 32 == found + decisions.count
        total += found
        assert (decisions.next[: decisions.count] == OPEN).all()
        assert sorted(decisions.last[decisions.last >= 0]) == list(range(decisions.count))
    assert total + decisions.count == 5 * 16 * 32


def test_the_probability_ratio_is_one_before_the_first_step():
    learner = make_learner()
    learner.iterate(1.0)  # so that decisions are carried over from an older policy
    samples = learner.rollout()
    part = {name: torch.from_numpy(value) for name, value in vars(samples).items()}
    logits, values = learner.policies[0](part["observations"], part["masks"])
    taken = torch.log_softmax(logits, 1).gather(1, part["actions"][:, None]).flatten()
    torch.testing.assert_close((taken - part["log_probs"]).exp(), torch.ones(len(taken)), atol=1e-5, rtol=0)
    torch.testing.assert_close(values, part["values"], atol=1e-5, rtol=0)


def test_masked_actions_get_no_gradient():
    policy = Policy(5, 7, NetworkConfig(hidden=[8]))
    masks = torch.tensor([[True, False, True, False, False, True, False]]).repeat(6, 1)
    part = {
        "observations": torch.randn(6, 5),
        "masks": masks,
        "actions": torch.tensor([0, 2, 5, 0, 2, 5]),
        "log_probs": torch.full((6,), -1.0),
        "advantages": torch.randn(6),
        "returns": torch.randn(6),
    }
    loss, figures = ppo_loss(policy, part, load_config("poo_head", ["algo=ppo"]).section)
    loss.backward()
    gradient = policy.action_head.weight.grad
    assert gradient is not None
    assert (gradient[~masks[0]] == 0).all()
    assert (gradient[masks[0]] != 0).any()
    assert all(np.isfinite(value.item()) for value in figures.values())


def test_actions_are_drawn_by_their_probabilities_and_never_an_impossible_one():
    probabilities = torch.tensor([[0.0, 0.25, 0.0, 0.75, 0.0]]).repeat(20_000, 1)
    drawn = draw(probabilities, torch.Generator().manual_seed(0))
    counts = torch.bincount(drawn, minlength=5)
    assert counts[[0, 2, 4]].sum() == 0
    assert abs(counts[3] / 20_000 - 0.75) < 0.015  # five standard errors
    forced = torch.tensor([[0.0, 0.0, 1.0]]).repeat(20_000, 1)
    assert (draw(forced, torch.Generator().manual_seed(1)) == 2).all()


@pytest.mark.parametrize(
    ("snapshots", "options", "threads"),
    [(0, "{}", 1), (1, "{}", 1), (1, "{scoring: points, reward: points}", 1), (1, "{}", 2)],
)
def test_a_resumed_run_goes_on_as_an_uninterrupted_one(tmp_path, snapshots, options, threads):
    sets = [
        *SMALL,
        f"threads={threads}",
        f"options={options}",
        f"snapshots.weight={snapshots}",
        "snapshots.every=1000",
        "ppo.self_play_share=0.5",
        "evaluation.every=0",
        "evaluation.final_games=40",
        "checkpoint.every=1000",
    ]
    whole = train(load_config("poo_head", [*sets, "total_timesteps=4000"]), tmp_path / "whole", quiet=True)

    class Stop(Exception):
        pass

    def stop(timesteps, values):
        if timesteps > 2000:
            raise Stop

    config = load_config("poo_head", [*sets, "total_timesteps=4000"])
    with pytest.raises(Stop):
        train(config, tmp_path / "halves", on_update=stop, quiet=True)
    halves = train(config, tmp_path / "halves", resume=True, quiet=True)
    assert whole.timesteps == halves.timesteps
    files = [tmp_path / name / "weights" / "network.safetensors" for name in ("whole", "halves")]
    assert files[0].read_bytes() == files[1].read_bytes()
    curves = []
    for name in ("whole", "halves"):
        rows = [json.loads(line) for line in (tmp_path / name / "metrics.jsonl").read_text().splitlines()]
        curves.append([(row["timesteps"], row.get("train/value_loss")) for row in rows])
    assert curves[0] == curves[1]


def last_legal(arena):
    """Of every table the last legal action."""
    return arena.mask.shape[1] - 1 - arena.mask[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize(("game", "self_play_share"), [("poop", 0.0), ("poop", 0.5), ("poo_head", 0.5)])
def test_where_only_choices_are_asked_the_games_are_the_same(game, self_play_share):
    ended: list[list[list[tuple[float, ...]]]] = []
    for choices_only in (False, True):
        heuristic = load_agent("heuristic", poopdeck.game(game), poopdeck.game(game).spec.settings(3))
        arena = Arena(
            poopdeck.game(game), 8, [(heuristic, 1)], 3, self_play_share=self_play_share, choices_only=choices_only
        )
        arena.reset(4)
        ended.append([[] for _ in range(8)])
        forced = 0
        while min(map(len, ended[-1])) < 6:
            forced += int((arena.mask.sum(axis=1) == 1).sum())
            arena.step(last_legal(arena))
            for table in np.flatnonzero(arena.tables["ended"]):
                game_end = (*arena.final_returns[table], arena.tables["final_length"][table])
                ended[-1][table].append(tuple(map(float, game_end)))
        assert (forced == 0) == choices_only
    for every, chosen in zip(*ended, strict=True):
        assert every[:6] == chosen[:6]


def test_a_game_without_any_choice_does_not_hang_where_only_choices_are_asked():
    game, alike = poopdeck.game("poop"), {"blue 1": 60}
    opponent = load_agent("random", game, game.spec.settings(2))
    arena = Arena(game, 2, [(opponent, 1)], 2, choices_only=True, deck=alike)
    arena.reset(0)
    for _ in range(20):
        assert (arena.mask.sum(axis=1) == 1).all()
        arena.step(last_legal(arena))


def test_games_without_self_play_have_one_seat_of_the_policy():
    learner = make_learner("ppo.self_play_share=0")
    learner.iterate(1.0)
    lineups = learner.group.collectors[0].arena.lineups
    assert ((lineups == LEARNER).sum(axis=1) == 1).all()
    learner = make_learner("ppo.self_play_share=1")
    assert (learner.group.collectors[0].arena.lineups == LEARNER).all()


def _weights(learner):
    return learner.networks().by_role[EVERY].weights


def test_the_same_seed_learns_the_same():
    first, second = (make_learner("seed=5") for _ in range(2))
    for _ in range(2):
        first.iterate(1.0), second.iterate(1.0)
    for one, other in zip(_weights(first), _weights(second), strict=True):
        assert (one == other).all()


def test_every_thread_has_tables_and_chance_of_its_own():
    learner = make_learner("threads=3")
    assert [collector.arena.num_envs for collector in learner.group.collectors] == [11, 11, 10]
    hands = [collector.arena.states["rng"] for collector in learner.group.collectors]
    assert len(np.unique(np.concatenate(hands))) == 32
    draws = [torch.rand(4, generator=actor.generator) for actor in learner.actors]
    assert len(torch.cat(draws).unique()) == 12


def test_threads_learn_the_same_every_time_and_from_all_their_tables():
    first, second = (make_learner("seed=5", "threads=2") for _ in range(2))
    for _ in range(3):
        first.iterate(1.0), second.iterate(1.0)
    for one, other in zip(_weights(first), _weights(second), strict=True):
        assert (one == other).all()
    waiting = sum(collector.decisions.count for collector in first.group.collectors)
    assert first.timesteps + waiting == 3 * 16 * 32
    assert all(0 < collector.decisions.count for collector in first.group.collectors)
    first.close(), second.close()


def test_a_checkpoint_does_not_fit_another_number_of_threads():
    one, two = make_learner(), make_learner("threads=2")
    with pytest.raises(ValueError, match="made with threads=1, not 2"):
        two.load_state_dict(*one.state_dict())
    tensors, facts = one.state_dict()
    with pytest.raises(ValueError, match="made by an earlier version"):
        one.load_state_dict({name: value for name, value in tensors.items() if name != "collectors.count"}, facts)


def test_a_minute_of_self_play_beats_random_seats():
    learner = make_learner("num_envs=128", "ppo.n_steps=64", "ppo.batch_size=2048", "network.hidden=[64]")
    while learner.timesteps < 250_000:
        learner.iterate(1.0)
    game, settings = learner.task.game, learner.task.settings
    agent = NetworkAgent(learner.networks())
    result = evaluate(game, settings, agent, [load_agent("random", game, settings)], 4000, seed=1)
    # Equals lose 0.25 of the games.
    assert result.rates["loss_rate_or_truncated_ci"][1] < 0.1
    assert result.illegal_actions == 0


def test_imitation_learns_what_the_teacher_does():
    teaching = "ppo.imitation={agent: 'heuristic:lowest', samples: 150000, learning_rate: 0.003}"
    learner = make_learner("num_envs=128", "ppo.n_steps=64", "ppo.batch_size=1024", "network.hidden=[64]", teaching)
    begun = learner.iterate(0.5)
    first = begun["train/agreement"]
    assert begun["train/learning_rate"] == 0.003
    while learner.imitating:
        figures = learner.iterate(1.0)
    assert figures["train/agreement"] > max(0.85, first + 0.1)
    playing = learner.iterate(0.5)
    assert "train/approx_kl" in playing  # from now on it learns by playing
    assert playing["train/learning_rate"] == pytest.approx(0.001)
    game, settings = learner.task.game, learner.task.settings
    agents = [load_agent(name, game, settings) for name in ("random", "heuristic:lowest")]
    result = evaluate(game, settings, NetworkAgent(learner.networks()), agents[:1], 2000, seed=1)
    assert result.rates["loss_rate_or_truncated_ci"][1] < 0.08
