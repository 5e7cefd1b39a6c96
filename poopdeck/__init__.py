"""Poopdeck: multi-agent card games for reinforcement learning.

>>> import poopdeck
>>> game = poopdeck.game("poo_head")                          # states, rules, scenarios
>>> env = poopdeck.make("poo_head", num_players=4)            # PettingZoo AEC
>>> table = poopdeck.make_parallel("poo_head")                # PettingZoo parallel
>>> batch = poopdeck.make_vec("poo_head", num_envs=1024)      # many tables at once
>>> agent = poopdeck.load_agent("heuristic", "poo_head")      # or the folder of a training run

Importing compiles nothing and loads no torch. It registers every game with Gymnasium and PettingZoo.
"""

from .api import (
    game,
    games,
    load_agent,
    make,
    make_gymnasium,
    make_gymnasium_vec,
    make_parallel,
    make_sb3,
    make_vec,
    replays,
)
from .registration import register_games
from .version import __version__

__all__ = [
    "__version__",
    "game",
    "games",
    "load_agent",
    "make",
    "make_gymnasium",
    "make_gymnasium_vec",
    "make_parallel",
    "make_sb3",
    "make_vec",
    "replays",
]

register_games()
