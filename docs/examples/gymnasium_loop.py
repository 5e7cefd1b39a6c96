"""Gymnasium's loop with masks: a table of action values, learnt from how the games ended (Monte Carlo control).

The table is small because its key is the mask alone: which actions are legal says what the hand holds.

$ python gymnasium_loop.py --games 3000
"""

import argparse
from collections import defaultdict

import gymnasium
import numpy as np

# The part before the colon is imported first; it registers the games.
GAME = "poopdeck:poopdeck/poo_head-v0"


def play_game(env, values, rng, explore):
    """One game: the (key, action) of every choice, and what the learner's seat was paid."""
    choices, total, over = [], 0.0, False
    observation, info = env.reset()
    while not over:
        mask = observation["action_mask"]
        legal = mask.nonzero()[0]
        key = mask.tobytes()
        if rng.random() < explore:
            action = rng.choice(legal)
        else:
            action = legal[values[key][legal].argmax()]
        choices.append((key, action))
        observation, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated
    return choices, total


def main():
    """Learns against random players, then plays without exploring."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=3000, help="games to learn from")
    parser.add_argument("--test-games", type=int, default=1000)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    env = gymnasium.make(GAME, opponents="random", num_players=2)
    env.reset(seed=0)  # later resets go on from here
    values = defaultdict(lambda: np.zeros(env.action_space.n))
    visits = defaultdict(lambda: np.zeros(env.action_space.n))
    for _ in range(given.games):
        choices, payoff = play_game(env, values, rng, explore=0.2)
        for key, action in choices:
            visits[key][action] += 1
            values[key][action] += (payoff - values[key][action]) / visits[key][action]
    for name, explore in (("random", 1.0), ("learner", 0.0)):
        lost = sum(play_game(env, values, rng, explore)[1] < 0 for _ in range(given.test_games))
        print(f"{name} lost {lost / given.test_games:.1%} of {given.test_games} games against random")


if __name__ == "__main__":
    main()
