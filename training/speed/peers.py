"""What users could pick instead, measured the same way: random legal play, decisions a second.

Each peer is a maker: called once it sets up and returns a function that plays about so many decisions and returns how
many it played. A peer whose library is not installed raises ImportError.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Play = Callable[[int], int]


@dataclass(frozen=True)
class Peer:
    """One peer: what it is, which of our figures it stands against, and how it is played."""

    name: str
    against: str
    make: Callable[[], Play]


def aec_player(env: Any) -> Play:
    """The loop of PettingZoo's documentation: last, sample(mask), step; ``reset`` between games counts."""
    env.reset(seed=0)
    spaces = {agent: env.action_space(agent) for agent in env.possible_agents}

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(spaces[env.agent_selection].sample(observation["action_mask"]))
                done += 1
        return done

    return play


def connect_four() -> Play:
    """PettingZoo's connect four, as ``env()`` gives it."""
    from pettingzoo.classic import connect_four_v3

    return aec_player(connect_four_v3.env())


def leduc() -> Play:
    """PettingZoo's Leduc hold'em."""
    from pettingzoo.classic import leduc_holdem_v4

    return aec_player(leduc_holdem_v4.env())


def rlcard_uno() -> Play:
    """RLCard's UNO with its random agent."""
    import rlcard

    env = rlcard.make("uno")

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                done += 1
        return done

    return play


def openspiel_crazy_eights() -> Play:
    """OpenSpiel's crazy eights with four players from a Python loop; chance outcomes are drawn, not counted."""
    import pyspiel

    game = pyspiel.load_game("crazy_eights(players=4)")

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, weights)[0])
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    done += 1
        return done

    return play


def envpool_leduc() -> Play:
    """EnvPool's Leduc hold'em, 1,024 tables, one thread; its own masks, actions drawn in NumPy."""
    import envpool

    tables = 1024
    env = envpool.make("LeducHoldem-v1", env_type="gymnasium", num_envs=tables, num_threads=1)
    rng = np.random.default_rng(0)
    _, first = env.reset()
    info = [first]

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            mask = info[0]["legal_action_mask"]
            actions = (mask * rng.random(mask.shape)).argmax(axis=1)
            info[0] = env.step(actions)[4]
            done += tables
        return done

    return play


def pgx_leduc() -> Play:
    """Pgx's Leduc hold'em, 4,096 tables stepped inside one compiled scan; JAX takes all cores."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("leduc_holdem")
    tables, length = 4096, 64

    def one(carry: Any, key: Any) -> Any:
        logits = jnp.where(carry.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(key, logits, axis=1)
        stepped = jax.vmap(env.step)(carry, actions)
        dealt = jax.vmap(env.init)(jax.random.split(key, tables))
        over = stepped.terminated | stepped.truncated

        def pick(new: Any, old: Any) -> Any:
            return jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

        return jax.tree_util.tree_map(pick, dealt, stepped), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, length))[0])
    held = [jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), tables)), jax.random.PRNGKey(1)]

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            held[1], key = jax.random.split(held[1])
            held[0] = run(held[0], key)
            jax.block_until_ready(held[0].observation)
            done += tables * length
        return done

    play(1)  # compiles
    return play


def sb3_tutorial() -> Play:
    """MaskablePPO over PettingZoo's connect four, wrapped as its Stable-Baselines3 tutorial does; samples, learning."""
    import gymnasium
    from pettingzoo.classic import connect_four_v3
    from pettingzoo.utils import BaseWrapper
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker

    class AsGymnasium(BaseWrapper, gymnasium.Env):  # type: ignore[misc]
        """Every seat's decision is taken as the one agent's, as in the tutorial."""

        def reset(self, seed: Any = None, options: Any = None) -> Any:
            super().reset(seed, options)  # type: ignore[call-arg]  # PettingZoo's, not Gymnasium's
            agent = self.possible_agents[0]
            self.observation_space = self.env.observation_space(agent)["observation"]
            self.action_space = self.env.action_space(agent)
            return self.observe(self.agent_selection), {}

        def step(self, action: Any) -> Any:
            super().step(action)
            _, reward, terminated, truncated, info = super().last()
            return self.observe(self.agent_selection), reward, terminated, truncated, info

        def observe(self, agent: str) -> Any:
            return super().observe(agent)["observation"]

        def action_mask(self) -> Any:
            return super().observe(self.agent_selection)["action_mask"]

    env = AsGymnasium(connect_four_v3.env())
    env.reset(seed=0)
    masked = ActionMasker(env, lambda wrapped: wrapped.action_mask())  # type: ignore[attr-defined]
    model = MaskablePPO("MlpPolicy", masked, n_steps=512, device="cpu")

    def play(steps: int) -> int:
        before = model.num_timesteps
        model.learn(max(512, steps // 512 * 512), reset_num_timesteps=before == 0)
        return model.num_timesteps - before

    return play


PEERS = (
    Peer("PettingZoo connect four", "aec", connect_four),
    Peer("PettingZoo Leduc", "aec", leduc),
    Peer("RLCard UNO", "aec", rlcard_uno),
    Peer("OpenSpiel crazy eights, Python loop", "plain", openspiel_crazy_eights),
    Peer("EnvPool Leduc, one thread", "vec_step", envpool_leduc),
    Peer("Pgx Leduc, all cores", "batch_two_threads", pgx_leduc),
    Peer("SB3 over PettingZoo connect four, as its tutorial", "ppo_samples", sb3_tutorial),
)
