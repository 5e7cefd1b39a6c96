"""Puts the games into the registries of Gymnasium and PettingZoo, by strings: nothing is loaded until it is made."""

import gymnasium

from .envs.core.registry import ids


def register_games() -> None:
    """``gymnasium.make("poopdeck/poo_head-v0", ...)`` and ``make_vec``, ``pettingzoo.make("aec", ...)``."""
    for name in ids():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="poopdeck.api:make_gymnasium",
                vector_entry_point="poopdeck.api:make_gymnasium_vec",
                kwargs={"name": name},
                # Both checks cost more than the game, and they play actions without masks.
                order_enforce=False,
                disable_env_checker=True,
            )
    try:
        from pettingzoo import aec_registry, parallel_registry, register
    except ImportError:  # PettingZoo before 1.26 has no registry
        return
    for name in ids():
        if name not in aec_registry:
            register("aec", name, entry_point="poopdeck.api:make", kwargs={"name": name})
        if name not in parallel_registry:
            register("parallel", name, entry_point="poopdeck.api:make_parallel", kwargs={"name": name})
