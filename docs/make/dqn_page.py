"""The page docs/agents/dqn_check.md: our deep Q-learning beside Tianshou's, which is kept well by others.

``python docs/make/dqn_page.py --measure`` (extra ``tianshou``) trains and measures what is not measured yet, run by
run; the figures lie in docs/agents/dqn_check.json. Without ``--measure`` the page is written from them, and ``--check``
says whether it is what they give.
"""

import argparse
import json
import pathlib
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import yaml
from written_page import write_or_check

from poopdeck.agents.base import AnyAgent
from poopdeck.agents.loading import load_agent
from poopdeck.cli.progress import progress_bar
from poopdeck.envs.core import registry
from poopdeck.training.benchmark.figures import over_seeds
from poopdeck.training.config.files import Layers
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run.train import train

FIGURES, PAGE = "dqn_check.json", "dqn_check.md"
FOLDER = pathlib.Path(__file__).parents[1] / "agents"
OURS, THEIRS = "dqn", "Tianshou"
AGAINST = ("heuristic", "random")  # the first one is trained with
DEALS_SEED = 70_000
PLAN: dict[str, Any] = yaml.safe_load((FOLDER / "dqn_check.yaml").read_text("utf-8"))
# What both are given; Tianshou's is the plain form of the same parts: double, duelling, several steps, masks.
SHARED: dict[str, Any] = {
    "tables": 16, "n_steps": 8, "hidden": [128, 128], "batch_size": 256, "gradient_steps": 4, "learning_rate": 1e-3,
    "epsilon": 0.3, "epsilon_end": 0.02, "multi_step": 3, "target_every": 200, "memory": 50_000,
}  # fmt: skip

WORDS = """\
# Our deep Q-learning beside Tianshou's

Written by `python docs/make/dqn_page.py --measure`, which trains and measures all of it (extra `tianshou`); the figures
lie in [dqn_check.json](dqn_check.json).

Both learn {title} with {players} players at one seat, `{other}` at the other: {samples:,} samples a run, {seeds} seeds
each. Both have {tables} tables, layers of {layers}, double and duelling values over {multi_step} steps, and masks when
acting and in what is learnt from. Learning rate, batch, gradient steps a sample, exploration, memory and target are the
same, and stay as they were set first: nothing was tuned for either. Measured greedily, every deal from both seats; a
won game pays 1, a lost one -1. Intervals are of 95 %, over the seeds (Student's).
"""


def ours(plan: dict[str, Any], seed: int, folder: pathlib.Path) -> AnyAgent:
    """A run of ours at one seat among heuristics, as an agent."""
    layers = Layers()
    section = {name: value for name, value in SHARED.items() if name not in ("tables", "hidden")}
    section["learning_rate_end"] = SHARED["learning_rate"]
    section |= {"learning_starts": SHARED["batch_size"], "self_play_share": 0.0, "max_grad_norm": 1e6}
    layers.lay(
        {
            "game": plan["game"], "players": plan["players"], "algo": "dqn", "seed": seed,
            "total_timesteps": plan["samples"], "num_envs": SHARED["tables"], "network": {"hidden": SHARED["hidden"]},
            "opponents": [{"agent": AGAINST[0]}], "evaluation": {"every": 0, "final_games": 2},
            "dqn": section,
        },
        {},
    )  # fmt: skip
    config = layers.resolve()
    train(config, folder, quiet=True)
    return load_agent(str(folder), registry.game(config.game), config.settings())


def theirs(plan: dict[str, Any], seed: int) -> AnyAgent:
    """The same by Tianshou's DQN."""
    import numpy as np
    import torch
    from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.trainer import OffPolicyTrainerParams
    from tianshou.utils.net.common import Net

    import poopdeck
    from poopdeck.envs.adapters.tianshou import PolicyAgent, TianshouEnv

    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    samples, tables = plan["samples"], SHARED["tables"]

    def make() -> TianshouEnv:
        return TianshouEnv(poopdeck.make_gymnasium(plan["game"], opponents=AGAINST[0], num_players=plan["players"]))

    env = make()
    shape, actions = env.observation_space["obs"].shape, env.action_space.n
    heads: Any = ({"hidden_sizes": []}, {"hidden_sizes": []})
    network = Net(state_shape=shape, action_shape=actions, hidden_sizes=SHARED["hidden"], dueling_param=heads)
    policy = DiscreteQLearningPolicy(model=network, action_space=env.action_space, eps_training=SHARED["epsilon"])
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=SHARED["learning_rate"]),
        gamma=1.0,
        n_step_return_horizon=SHARED["multi_step"],
        target_update_freq=SHARED["target_every"],
        is_double=True,
        huber_loss_delta=1.0,
    )
    envs = DummyVectorEnv([make for _ in range(tables)])
    envs.seed(seed)
    collector = Collector(algorithm, envs, VectorReplayBuffer(SHARED["memory"], tables), exploration_noise=True)
    collector.reset()

    def explore(_: int, done: int) -> None:
        policy.set_eps_training(
            SHARED["epsilon"] + (SHARED["epsilon_end"] - SHARED["epsilon"]) * min(done / samples, 1.0)
        )

    together = tables * SHARED["n_steps"]
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=samples,
            collection_step_num_env_steps=together,
            update_step_num_gradient_steps_per_sample=SHARED["gradient_steps"] / together,
            batch_size=SHARED["batch_size"],
            training_fn=explore,
            show_progress=False,
            verbose=False,
        )
    )
    return PolicyAgent(policy)


def measure(plan: dict[str, Any], folder: pathlib.Path) -> None:
    """Trains and measures the runs that are not in the figures yet."""
    path = folder / FIGURES
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if kept.get("plan") != plan or kept.get("shared") != SHARED:
        kept = {"plan": plan, "shared": SHARED, "runs": []}
    known = {(run["learner"], run["seed"]) for run in kept["runs"]}
    missing = [(name, seed) for seed in range(plan["seeds"]) for name in (OURS, THEIRS) if (name, seed) not in known]
    game = registry.game(plan["game"])
    settings = game.spec.settings(plan["players"])
    with progress_bar("runs", len(missing)) as update, tempfile.TemporaryDirectory() as runs:
        for number, (name, seed) in enumerate(missing, 1):
            agent = ours(plan, seed, pathlib.Path(runs) / str(seed)) if name == OURS else theirs(plan, seed)
            tables = {}
            for other in AGAINST:
                opponent = load_agent(other, game, settings)
                found = evaluate(game, settings, agent, [opponent], plan["games"], DEALS_SEED)
                tables[other] = {
                    "games": found.games, "mean_payoff": found.mean_payoff, "interval": list(found.mean_payoff_ci),
                    "illegal_actions": found.illegal_actions,
                }  # fmt: skip
            kept["runs"].append({"learner": name, "seed": seed, "tables": tables})
            lines = ",\n  ".join(json.dumps(run) for run in kept["runs"])
            head = f'{{"plan": {json.dumps(plan)},\n "shared": {json.dumps(SHARED)},\n "runs": [\n  '
            path.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")
            update(number)


def lead(content: dict[str, Any], other: str) -> dict[str, Any]:
    """By how much our mean payoff is above theirs at the table of an agent: over the runs, with Student's interval.

    The runs of one seed are no pairs: nothing but the number is the same.
    """
    own, their = (over_seeds(payoffs(content, name, other)) for name in (OURS, THEIRS))
    halves = [(one["ci"][1] - one["ci"][0]) / 2 for one in (own, their)]
    value, half = own["value"] - their["value"], float((halves[0] ** 2 + halves[1] ** 2) ** 0.5)
    return {"value": value, "ci": [value - half, value + half]}


def payoffs(content: dict[str, Any], learner: str, other: str) -> list[float]:
    """One of each run."""
    return [run["tables"][other]["mean_payoff"] for run in content["runs"] if run["learner"] == learner]


def page(content: dict[str, Any]) -> str:
    """The page's text."""
    plan, shared = content["plan"], content["shared"]
    words = WORDS.format(
        title=registry.spec(plan["game"]).title,
        other=AGAINST[0],
        layers=" and ".join(map(str, shared["hidden"])),
        **(plan | shared),
    )
    lines = [*words.splitlines(), ""]
    lines += ["| at the table of | games a run | `dqn` | Tianshou's DQN | `dqn` is above by |", "|---|---|---|---|---|"]
    for other in AGAINST:
        games = content["runs"][0]["tables"][other]["games"]
        cells = [ranged(over_seeds(payoffs(content, name, other))) for name in (OURS, THEIRS)]
        lines.append(f"| `{other}` | {games:,} | {' | '.join(cells)} | {ranged(lead(content, other))} |")
    return "\n".join([*lines, "", *conclusion(content)]) + "\n"


def conclusion(content: dict[str, Any]) -> list[str]:
    """What the intervals say, one sentence a table."""
    said = []
    for other in AGAINST:
        low, high = lead(content, other)["ci"]
        what = "clearly below" if high < 0 else "clearly above" if low > 0 else "not clearly different from"
        said.append(
            f"At the table of `{other}` our learner is {what} {'' if 'from' in what else 'that of '}Tianshou's."
        )
    illegal = sum(run["tables"][other]["illegal_actions"] for run in content["runs"] for other in AGAINST)
    return [*said, f"Illegal actions of both together: {illegal}."]


def ranged(figure: dict[str, Any]) -> str:
    """A figure with its interval."""
    low, high = figure["ci"]
    return f"{figure['value']:+.3f} [{low:+.3f}, {high:+.3f}]"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--measure", action="store_true", help="train and measure what is not there yet")
    parser.add_argument("--samples", type=int, default=PLAN["samples"], help="of a run")
    parser.add_argument("--seeds", type=int, default=PLAN["seeds"], help="runs of each")
    parser.add_argument("--games", type=int, default=PLAN["games"], help="of a measurement")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where figures and page lie")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args(arguments)
    folder = options.folder
    if options.measure:
        given = {"samples": options.samples, "seeds": options.seeds, "games": options.games}
        measure(PLAN | given, folder)
    text = page(json.loads((folder / FIGURES).read_text(encoding="utf-8")))
    written = f"figures in {folder / FIGURES}, page in {folder / PAGE}"
    return write_or_check(folder / PAGE, text, "dqn_page.py", options.check, written)


if __name__ == "__main__":
    sys.exit(main())
