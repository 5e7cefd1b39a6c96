"""An algorithm of one's own beside those of the package, in one benchmark: same games, budgets, seeds and tables.

    $ python own_algorithm.py --out runs/own

The algorithm is REINFORCE with a value as its baseline: self-play whose loss has no clipping. What is registered when
this file is loaded is there in the worker processes of the benchmark, too, which load it again.
"""

import argparse
import contextlib
import pathlib

from poopdeck.training.benchmark.run import headline, run_benchmark
from poopdeck.training.benchmark.suite import parse_suite
from poopdeck.training.config import registry
from poopdeck.training.config.registry import LearnerSpec
from poopdeck.training.learners.ppo import PPOSection
from poopdeck.training.learners.ppo_settings import PPOSettings

SUITE = """
title: REINFORCE beside PPO
samples: {samples}
seeds: [0, 1]
evaluation_games: {games}
tournament_games: 400
games:
  poop_2p: {{game: poop, players: 2, pool: [heuristic], held_out: ["heuristic:highest"]}}
algorithms:
  reinforce: {{config: {{algo: reinforce, num_envs: 64, reinforce: {{n_epochs: 1, learning_rate: 0.003}}}}}}
  ppo: {{config: {{algo: ppo, num_envs: 64}}}}
"""


class ReinforceSection(PPOSection):
    """Its settings, in a config under ``reinforce``: those of self-play."""


def reinforce_loss(policy, part, config: PPOSettings):
    """The loss of a batch: log-probability times advantage, the entropy bonus, and that of the value."""
    from poopdeck.training.learners.ppo.update import judge

    _, entropy, taken, value_loss = judge(policy, part)
    policy_loss = -(taken * part["advantages"]).mean()
    loss = policy_loss - config.entropy * entropy + config.value_weight * value_loss
    return loss, {"policy_loss": policy_loss.detach(), "entropy": entropy.detach()}


def make(task, pool):
    """The learner, for a task and a pool of earlier selves; torch is loaded here."""
    from poopdeck.training.learners.ppo.learner import PPOLearner

    return PPOLearner(task, pool, loss=reinforce_loss)


registry.register(LearnerSpec("reinforce", "REINFORCE from every seat.", ReinforceSection, make, every_role=True))


def main() -> None:
    """Runs the benchmark and prints the scores; the report lies in the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder for runs and report")
    parser.add_argument("--samples", type=int, default=200_000, help="budget of a run")
    parser.add_argument("--games", type=int, default=2000, help="games of a measurement")
    given = parser.parse_args()
    suite = parse_suite(SUITE.format(samples=given.samples, games=given.games), "own_algorithm.py")

    def bar(what: str, total: int):
        return contextlib.nullcontext(lambda done: print(f"{what}: {done} of {total}"))

    print("\n".join(headline(run_benchmark(suite, given.out, 1, bar, print))))


if __name__ == "__main__":
    main()
