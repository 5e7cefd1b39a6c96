"""The page docs/agents/solved.md: what algorithms come to in a game so small that it is solved.

``python docs/make/solved_page.py --measure`` solves the game of docs/agents/solved.yaml, trains, for every algorithm
and seed there, what is not trained yet, and measures it exactly; it can be stopped and started again after any run.
Figures lie in docs/agents/solved.json, the runs in a folder of their own. Without ``--measure`` the page is written
from the figures, and ``--check`` says whether it is what they give.
"""

import argparse
import json
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import yaml
from written_page import write_or_check

from poopdeck.agents.loading import load_agent
from poopdeck.agents.random import RandomAgent
from poopdeck.cli.progress import progress_bar
from poopdeck.envs.core import registry
from poopdeck.envs.core.game import State
from poopdeck.training.benchmark.cells import is_trained
from poopdeck.training.benchmark.deals import all_deals
from poopdeck.training.benchmark.equilibrium import (
    Equilibrium,
    exploitability,
    payoff,
    plan_of,
    policy_of,
    solve,
)
from poopdeck.training.benchmark.exploit import exploit
from poopdeck.training.benchmark.tree import Tree, build_tree
from poopdeck.training.config.files import Layers
from poopdeck.training.config.schema import TrainConfig
from poopdeck.training.run.train import train
from poopdeck.training.storage.run_folder import read_config

PLAN, FIGURES, PAGE = (f"solved.{kind}" for kind in ("yaml", "json", "md"))
FOLDER = pathlib.Path(__file__).parents[1] / "agents"
DIGITS = 6  # of figures that are kept
Policies = tuple[np.ndarray, np.ndarray]  # (I, A) probabilities of each seat


def positions_of(plan: dict[str, Any]) -> tuple[list[State], list[float]]:
    """The plan's game after every deal in which seat 0 begins, and how likely each of them is."""
    game = registry.game(plan["game"])
    deals = all_deals(plan["options"]["deck"], [plan["hand"]] * plan["players"])
    table = {"players": plan["players"], **plan["options"], **plan["position"]}
    positions = [game.load({**table, "hands": deal.hands, "draw_pile": deal.rest}) for deal in deals]
    return positions, [deal.probability for deal in deals]


def solved(plan: dict[str, Any]) -> tuple[Tree, Equilibrium]:
    """The plan's game as a tree, and its equilibrium."""
    tree = build_tree(registry.game(plan["game"]), *positions_of(plan))
    return tree, solve(tree)


def planned(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every run: an algorithm and a seed."""
    for seed in range(plan["seeds"]):
        for algorithm in plan["algorithms"]:
            yield {"algorithm": algorithm, "seed": seed, "config": content_of(plan, algorithm, seed)}


def content_of(plan: dict[str, Any], algorithm: str, seed: int) -> dict[str, Any]:
    """The keys of a run's config."""
    game = {key: plan[key] for key in ("game", "players", "options")}
    return {**game, "total_timesteps": plan["samples"], "seed": seed, **plan["common"], **plan["algorithms"][algorithm]}


def config_of(content: dict[str, Any]) -> TrainConfig:
    """The run's config."""
    layers = Layers()
    layers.lay(content, {key: f"{PLAN}" for key in content})
    return layers.resolve()


def measure(folder: pathlib.Path, runs: pathlib.Path) -> None:
    """Trains what is not there yet, and measures all agents; ValueError for a run of another config."""
    plan = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8"))
    tree, equilibrium = solved(plan)
    done, policies = [], {}
    todo = list(planned(plan))
    with progress_bar("runs", len(todo)) as update:
        for number, run in enumerate(todo):
            config = config_of(run["config"])
            path = runs / f"{run['algorithm'].replace(', ', '-').replace(' ', '-')}-{run['seed']}"
            if is_trained(path) and read_config(path) != config:
                raise ValueError(f"{path}: trained by another config than {PLAN} has now; remove it, or choose --runs")
            if not is_trained(path):
                train(config, path, resume=(path / "config.yaml").is_file(), quiet=True)
            game, settings = registry.game(config.game), config.settings()
            agents = {way: load_agent(str(path), game, settings, way == "greedy") for way in ("sampled", "greedy")}
            own = {way: policies_of(tree, agent) for way, agent in agents.items()}
            policies[run["algorithm"], run["seed"]] = own["sampled"]
            done.append({**run, **{way: figures_of(tree, equilibrium, one) for way, one in own.items()}})
            update(number + 1)
    random = figures_of(tree, equilibrium, policies_of(tree, RandomAgent()))
    learnt = responses(plan, runs)
    content = {"game": facts_of(tree, equilibrium), "random": random, "responses": learnt, "runs": done}
    part = (folder / FIGURES).with_suffix(".part")
    part.write_text(json_text({**content, "crossing": crossing(plan, tree, policies)}), encoding="utf-8")
    part.replace(folder / FIGURES)


def responses(plan: dict[str, Any], runs: pathlib.Path) -> list[dict[str, Any]]:
    """What learners of each budget gain on random play, as ``poopdeck exploit`` measures it."""
    game = {key: plan[key] for key in ("players", "options")}
    asked, found = plan["responses"], []
    for samples in asked["samples"]:
        folder = runs / f"response-{samples}"
        gain = exploit("random", registry.game(plan["game"]), game, folder, samples=samples, games=asked["games"])
        found.append({"samples": samples, "games": gain.games, "gain": gain.gain, "interval": list(gain.gain_ci)})
    return found


def policies_of(tree: Tree, agent: Any) -> Policies:
    """An agent's policy at both seats."""
    return policy_of(agent, tree.decisions[0]), policy_of(agent, tree.decisions[1])


def facts_of(tree: Tree, equilibrium: Equilibrium) -> dict[str, Any]:
    """Of the game."""
    return {
        "value": round(equilibrium.value, DIGITS),
        "positions": tree.positions,
        "information_states": [len(decisions.before) for decisions in tree.decisions],
        "observations": [len(np.unique(decisions.observations, axis=0)) for decisions in tree.decisions],
        "truncated": tree.truncated,
    }


def figures_of(tree: Tree, equilibrium: Equilibrium, policies: Policies) -> dict[str, float]:
    """What a policy loses to best responses, beginning the game and not, and to the equilibrium."""
    found = exploitability(tree, equilibrium.value, policies)
    plans = [plan_of(decisions, policy) for decisions, policy in zip(tree.decisions, policies, strict=True)]
    against = payoff(tree, (plans[0], equilibrium.plans[1])) - payoff(tree, (equilibrium.plans[0], plans[1]))
    figures = {
        "exploitability": found.mean,
        "first": found.lost[0],
        "second": found.lost[1],
        "equilibrium": against / 2,
        "itself": payoff(tree, (plans[0], plans[1])),
    }
    return {name: round(value, DIGITS) for name, value in figures.items()}


def crossing(plan: dict[str, Any], tree: Tree, policies: dict[tuple[str, int], Policies]) -> dict[str, Any]:
    """What each algorithm's agents get against each other's, drawing their actions: the mean over seeds and seats."""
    plans = {
        key: [plan_of(decisions, policy) for decisions, policy in zip(tree.decisions, both, strict=True)]
        for key, both in policies.items()
    }

    def mean(one: str, other: str) -> float:
        pairs = [(plans[one, i], plans[other, k]) for i in range(plan["seeds"]) for k in range(plan["seeds"])]
        return float(np.mean([payoff(tree, (a[0], b[1])) - payoff(tree, (b[0], a[1])) for a, b in pairs]) / 2)

    names = list(plan["algorithms"])
    return {one: {other: round(mean(one, other), DIGITS) for other in names if other != one} for one in names}


def json_text(content: dict[str, Any]) -> str:
    """The figures, a run or an algorithm a line."""
    runs = ",\n".join(json.dumps(run) for run in content["runs"])
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in content["crossing"].items())
    head = ",\n".join(f'"{key}": {json.dumps(content[key])}' for key in ("game", "random", "responses"))
    return f'{{\n{head},\n"runs": [\n{runs}\n],\n"crossing": {{\n{rows}\n}}\n}}\n'


# -- the page ---------------------------------------------------------------------------------------------------------


def page(plan: dict[str, Any], figures: dict[str, Any]) -> str:
    """The page's text."""
    facts = figures["game"]
    states, seen = facts["information_states"], facts["observations"]
    deck = ", ".join(f"{count} × {card}" for card, count in plan["options"]["deck"].items())
    lines = [plan["introduction"].strip(), "", "## The game", "", plan["rules"].strip(), ""]
    lines += ["| what | |", "|---|---|", f"| deck | {deck} |"]
    lines += [f"| lid | {plan['position']['lid']} |", f"| positions | {facts['positions']:,} |"]
    lines += [f"| information states | {states[0]:,} of the seat that begins, {states[1]:,} of the other |"]
    lines += [f"| different observations there | {seen[0]:,} and {seen[1]:,} |"]
    lines += [f"| truncated games | {'none' if facts['truncated'] == 0 else 'some'} |"]
    lines += [f"| value to the seat that begins | {facts['value']:+.4f} |", ""]
    lines += ["## What was learnt", "", f"{plan['samples']:,} samples a run, {plan['seeds']} seeds. "]
    lines[-1] += plan["reading"].strip()
    lines += ["", "| algorithm | drawn: mean | seeds | greedy: mean | seeds | against the equilibrium |"]
    lines += ["|---|---|---|---|---|---|"]
    for algorithm in plan["algorithms"]:
        lines.append(row(algorithm, [run for run in figures["runs"] if run["algorithm"] == algorithm]))
    random = figures["random"]
    lines += [f"| random play | {random['exploitability']:.4f} | | | | {random['equilibrium']:+.4f} |", ""]
    lines += [plan["conclusions"].strip(), "", "## Against each other", "", plan["crossing"].strip(), ""]
    names = list(plan["algorithms"])
    lines += [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for one, cells in figures["crossing"].items():
        lines.append(f"| {one} | {' | '.join(f'{cells[other]:+.3f}' if other in cells else '' for other in names)} |")
    lines += [
        "",
        "## A learnt best response",
        "",
        plan["bound"].strip(),
        "",
        "| samples | gain on random play |",
        "|---|---|",
    ]
    for one in figures["responses"]:
        low, high = one["interval"]
        lines.append(f"| {one['samples']:,} | {one['gain']:.3f} [{low:.3f}, {high:.3f}], {one['games']:,} games |")
    lines.append(f"| exact | {random['exploitability']:.3f} |")
    return "\n".join(lines) + "\n"


def row(algorithm: str, runs: Sequence[dict[str, Any]]) -> str:
    """A line of the table of what was learnt."""
    cells = []
    for way in ("sampled", "greedy"):
        found = [run[way]["exploitability"] for run in runs]
        cells += [f"{np.mean(found):.4f}", ", ".join(f"{value:.4f}" for value in found)]
    lost = np.mean([run["sampled"]["equilibrium"] for run in runs])
    return f"| {algorithm} | {' | '.join(cells)} | {lost:+.4f} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--measure", action="store_true", help="train what is not there yet, and measure all")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("runs/solved"), help="where runs are kept")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where plan, figures and page lie")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args(arguments)
    folder = options.folder
    if options.measure:
        measure(folder, options.runs)
    plan = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8"))
    text = page(plan, json.loads((folder / FIGURES).read_text(encoding="utf-8")))
    written = f"figures in {folder / FIGURES}, page in {folder / PAGE}, runs in {options.runs}"
    return write_or_check(folder / PAGE, text, "solved_page.py", options.check, written)


if __name__ == "__main__":
    sys.exit(main())
