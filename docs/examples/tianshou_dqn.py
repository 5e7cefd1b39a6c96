"""Tianshou's deep Q-learning with masks: one learner among random players of Poop, against whom it is then tested.

$ pip install "poopdeck[tianshou]"
$ python tianshou_dqn.py
"""

import argparse

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import poopdeck
from poopdeck.envs.adapters.tianshou import PolicyAgent, TianshouEnv
from poopdeck.training.evaluation.evaluate import evaluate

GAME, PLAYERS, TABLES = "poop", 4, 16


def make():
    """One table; Tianshou steps several of them."""
    return TianshouEnv(poopdeck.make_gymnasium(GAME, opponents="random", num_players=PLAYERS))


def main():
    """Trains, and plays against random players from every seat."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=15_000)
    parser.add_argument("--games", type=int, default=4000)
    given = parser.parse_args()
    np.random.seed(0)
    torch.manual_seed(0)
    env = make()
    network = Net(
        state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[128, 128]
    )
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=0.1)
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,  # payoffs come at the end, and a game ends
        n_step_return_horizon=3,
        target_update_freq=200,
    )
    tables = DummyVectorEnv([make for _ in range(TABLES)])
    collector = Collector(algorithm, tables, VectorReplayBuffer(20_000, TABLES), exploration_noise=True)
    collector.reset()
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=given.samples,
            collection_step_num_env_steps=128,
            update_step_num_gradient_steps_per_sample=4 / 128,
            batch_size=256,
            show_progress=False,
            verbose=False,
        )
    )
    game = poopdeck.game(GAME)
    random = poopdeck.load_agent("random", GAME, PLAYERS)
    found = evaluate(game, game.spec.settings(PLAYERS), PolicyAgent(policy), [random], given.games)
    low, high = found.rates["win_rate_ci"]
    print(f"against random: won {found.rates['win_rate']:.1%} [{low:.1%}, {high:.1%}] of {found.games:,} games")


if __name__ == "__main__":
    main()
