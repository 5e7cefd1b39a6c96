"""AgileRL's PPO with masked actions at our tables: train, and measure with intervals.

$ python agilerl_ppo.py --steps 200000
"""

import argparse

import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import poopdeck
from poopdeck.training.evaluation.evaluate import evaluate

TABLES, STEPS = 64, 32


class Learnt:
    """AgileRL's learner as an agent; it draws its actions, as AgileRL's PPO always does."""

    name = "AgileRL PPO"

    def __init__(self, learner):
        self.learner = learner
        learner.set_training_mode(False)

    def act(self, observations, masks, rng):
        """Observations float32 (B, D), masks int8 (B, A); returns B legal actions."""
        return self.learner.get_action(observations, action_mask=masks)[0]


def train(steps):
    """Learns against random players; its rollouts take the masks out of the infos and keep them for learning."""
    # In the same step, so that every mask has a legal action: all rows of a batch are learnt from.
    env = poopdeck.make_gymnasium_vec(
        "poop", TABLES, "random", num_players=2, observation="features", autoreset_mode="same_step"
    )
    learner = PPO(
        env.single_observation_space,
        env.single_action_space,
        net_config={"encoder_config": {"hidden_size": [128, 128]}},
        batch_size=512,
        lr=1e-3,
        learn_step=STEPS * TABLES,
        gamma=1.0,  # a game pays once, at its end
        num_envs=TABLES,
    )
    learner.set_training_mode(True)
    going_on = {}
    for _ in range(steps // (STEPS * TABLES)):
        _, *now = collect_rollouts(learner, env, STEPS, **going_on)
        going_on = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), now, strict=True))
        learner.learn()
    return learner


def main():
    """Trains, then measures against random players and the heuristic."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=4000, help="games against each baseline")
    given = parser.parse_args()
    torch.manual_seed(0)
    np.random.seed(0)  # AgileRL shuffles by it
    torch.set_num_threads(1)  # more are slower on a network as small as this
    agent = Learnt(train(given.steps))
    game = poopdeck.game("poop")
    for name in ("random", "heuristic"):
        baseline = poopdeck.load_agent(name, "poop", 2)
        found = evaluate(game, game.spec.settings(2), agent, [baseline], games=given.games, seed=1)
        low, high = found.rates["win_rate_ci"]
        print(f"against {name}: won {found.rates['win_rate']:.1%} [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    main()
