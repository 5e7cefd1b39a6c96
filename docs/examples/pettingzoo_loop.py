"""PettingZoo's loop with masks: a scripted player among random ones, and who ends as the Poo Head how often.

$ python pettingzoo_loop.py --games 200
"""

import argparse

import numpy as np

import poopdeck
from poopdeck.envs import poo_head_v0

PLAYERS = 4


def play_game(env, players, rng, seed):
    """One game: PettingZoo's name of an agent -> what its seat was paid."""
    payoffs = dict.fromkeys(players, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        payoffs[agent] += reward  # all that came since this agent's last decision
        if terminated or truncated:
            env.step(None)  # it hears of its payoff and leaves
            continue
        # Agents take batches; this one has a single row.
        seen, mask = observation["observation"][None], observation["action_mask"][None]
        env.step(int(players[agent].act(seen, mask, rng)[0]))
    return payoffs


def main():
    """The heuristic takes every seat in turn."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    env = poo_head_v0.env(num_players=PLAYERS)
    heuristic = poopdeck.load_agent("heuristic", "poo_head", PLAYERS)
    random = poopdeck.load_agent("random", "poo_head", PLAYERS)
    lost = {"heuristic": 0, "random": 0}
    for game in range(given.games):
        players = {agent: random for agent in env.possible_agents}
        players[env.possible_agents[game % PLAYERS]] = heuristic
        payoffs = play_game(env, players, rng, seed=game)
        for agent, payoff in payoffs.items():
            lost[players[agent].name] += payoff < 0
    print(f"heuristic lost {lost['heuristic'] / given.games:.1%} of its games")
    print(f"each random player lost {lost['random'] / given.games / (PLAYERS - 1):.1%}")


if __name__ == "__main__":
    main()
