"""MaskablePPO of sb3-contrib: train, save, load, and measure with intervals.

$ python maskable_ppo.py --timesteps 200000 --out model.zip
"""

import argparse

import torch
from sb3_contrib import MaskablePPO

import poopdeck
from poopdeck.training.evaluation.evaluate import evaluate

PLAYERS = 4
BASELINES = ("random", "heuristic:lowest", "heuristic")


class Learnt:
    """A MaskablePPO model as an agent; it plays its likeliest legal action."""

    name = "MaskablePPO"

    def __init__(self, model):
        self.model = model

    def act(self, observations, masks, rng):
        """Observations float32 (B, D), masks int8 (B, A); returns B legal actions."""
        return self.model.predict(observations, action_masks=masks != 0, deterministic=True)[0]


def train(timesteps, path):
    """Learns at 64 tables, each other seat drawn anew for every game, and saves the model."""
    env = poopdeck.make_sb3(
        "poo_head", num_envs=64, opponents={"heuristic:lowest": 3, "random": 1}, num_players=PLAYERS, seed=0
    )
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        learning_rate=3e-3,
        gamma=1.0,  # a game pays once, at its end
        ent_coef=0.01,
        seed=0,
    )
    model.learn(timesteps)
    model.save(path)
    env.close()


def main():
    """Trains, then measures what was saved."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--timesteps", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=4000, help="games against each baseline")
    parser.add_argument("--out", default="model.zip")
    given = parser.parse_args()
    torch.set_num_threads(1)  # more are slower on a network as small as this
    train(given.timesteps, given.out)
    agent = Learnt(MaskablePPO.load(given.out))
    game = poopdeck.game("poo_head")
    settings = game.spec.settings(PLAYERS)
    for name in BASELINES:
        # The same deals from every seat, so that luck of cards and seats cancels out.
        baseline = poopdeck.load_agent(name, "poo_head", PLAYERS)
        found = evaluate(game, settings, agent, [baseline], games=given.games, seed=1)
        low, high = found.rates["loss_rate_ci"]
        print(f"against {name}: lost {found.rates['loss_rate']:.1%} [{low:.1%}, {high:.1%}]")


if __name__ == "__main__":
    main()
