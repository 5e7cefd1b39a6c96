"""A suite for tests of the benchmark: two ways of learning, two seeds, a few updates."""

TINY = """
title: Tiny
samples: 1024
seeds: [3, 4]
evaluation_games: 20
curve_points: 2
curve_games: 10
tournament_games: 24
games:
  poop: {game: poop, players: 2, pool: [heuristic], held_out: ["heuristic:highest"]}
algorithms:
  ppo: {config: {algo: ppo, num_envs: 16, network: {hidden: [16]}, ppo: {n_steps: 16, batch_size: 128}}}
  slow: {config: {algo: ppo, num_envs: 8, network: {hidden: [16]}, ppo: {n_steps: 8, batch_size: 64}}}
"""
