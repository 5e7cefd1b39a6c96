"""REINFORCE of one's own over the batch: one network plays every seat and learns from how the games ended.

$ python reinforce_batch.py --updates 40
"""

import argparse

import numpy as np
import torch

import poopdeck
from poopdeck.training.evaluation.evaluate import evaluate

PLAYERS = 4


def choose(network, observations, masks):
    """The distribution over actions, illegal ones with probability 0."""
    logits = network(torch.as_tensor(observations))
    return torch.distributions.Categorical(logits=logits.masked_fill(torch.as_tensor(masks) == 0, -torch.inf))


def play(network, env):
    """One game at every table: observations, masks and actions of all decisions, and what came of each."""
    env.reset()
    playing = np.ones(env.num_envs, bool)
    returns = np.zeros((env.num_envs, PLAYERS), np.float32)
    decisions = []
    while playing.any():
        rows = playing.nonzero()[0]
        seen, mask, seat = env.obs[rows], env.mask[rows], env.seat[rows]  # copies: the batch writes into its own
        actions = env.mask.argmax(axis=1)  # at tables that wait for the others anything legal will do
        with torch.no_grad():
            actions[rows] = choose(network, seen, mask).sample().numpy()
        decisions.append((seen, mask, actions[rows], rows, seat))
        env.step(actions)
        ended = playing & (env.terminated | env.truncated)
        returns[ended] = env.final_returns[ended]
        playing &= ~ended
    seen, mask, actions, table, seat = (np.concatenate(part) for part in zip(*decisions, strict=True))
    # Whoever decided is paid what its own seat won or lost, whoever acted in between.
    return seen, mask, actions, returns[table, seat]


class Learnt:
    """The network as an agent."""

    name = "REINFORCE"

    def __init__(self, network):
        self.network = network

    def act(self, observations, masks, rng):
        """The likeliest legal actions."""
        return choose(self.network, observations, masks).probs.argmax(dim=1).numpy()


def main():
    """Learns, then measures against random players."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=40)
    parser.add_argument("--tables", type=int, default=64, help="games between two updates")
    parser.add_argument("--games", type=int, default=2000, help="games to measure with")
    given = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)  # more are slower on a network as small as this
    env = poopdeck.make_vec("poo_head", num_envs=given.tables, num_players=PLAYERS)
    env.reset(seed=0)
    network = torch.nn.Sequential(
        torch.nn.Linear(env.obs.shape[1], 128), torch.nn.ReLU(), torch.nn.Linear(128, env.mask.shape[1])
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(given.updates):
        seen, mask, actions, payoffs = play(network, env)
        weight = torch.as_tensor((payoffs - payoffs.mean()) / payoffs.std())
        log_probs = choose(network, seen, mask).log_prob(torch.as_tensor(actions))
        optimizer.zero_grad()
        (-weight * log_probs).mean().backward()
        optimizer.step()
    random = poopdeck.load_agent("random", "poo_head", PLAYERS)
    found = evaluate(env.game, env.settings, Learnt(network), [random], games=given.games, seed=1)
    low, high = found.rates["loss_rate_ci"]
    print(f"lost {found.rates['loss_rate']:.1%} [{low:.1%}, {high:.1%}] of {found.games} games against random")


if __name__ == "__main__":
    main()
