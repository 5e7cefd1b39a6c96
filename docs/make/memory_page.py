"""The page docs/agents/memory.md: what it is worth to remember what has happened.

``python docs/make/memory_page.py --measure`` trains, for every game, seed and form of network in
docs/agents/memory.yaml, what is not trained yet, and measures it; it can be stopped and started again after any run.
Figures lie in docs/agents/memory.json, the runs in a folder of their own. Without ``--measure`` the page is written
from the figures, and ``--check`` says whether it is what they give.
"""

import argparse
import json
import math
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from written_page import write_or_check

from poopdeck.agents.loading import load_agent
from poopdeck.cli.progress import progress_bar
from poopdeck.envs.core import registry
from poopdeck.training.config.files import load_config
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run.train import train

PLAN, FIGURES, PAGE = (f"memory.{kind}" for kind in ("yaml", "json", "md"))
FOLDER = pathlib.Path(__file__).parents[1] / "agents"
SEED = 50_000  # of the deals, the same for all agents of a table
WITHOUT = "without"  # the form of network that the others are compared with
NAMES = {"loss_rate": "games lost", "win_rate": "games won"}


def planned(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every run: game, form of network and seed; the forms of one game and seed one after the other."""
    for seed in range(plan["seeds"]):
        for game in plan["games"]:
            for form in plan["forms"]:
                yield {"game": game, "form": form, "seed": seed}


def settings_of(plan: dict[str, Any], run: dict[str, Any]) -> list[str]:
    """The KEY=VALUE pairs of a run, as for ``poopdeck train --set``."""
    table, form = plan["games"][run["game"]], plan["forms"][run["form"]]
    return [*plan["set"], *table.get("set", []), *form, f"total_timesteps={table['samples']}", f"seed={run['seed']}"]


def measure(folder: pathlib.Path, runs: pathlib.Path, only: str | None) -> None:
    """Trains and measures whatever is not there yet, or not made by what the plan says now."""
    plan = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8"))
    path = folder / FIGURES
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    todo = [run for run in planned(plan) if only in (None, run["game"])]
    with progress_bar("runs", len(todo)) as update:
        for number, run in enumerate(todo):
            entry = {**run, "set": settings_of(plan, run), "tables": {}}
            known = next((one for one in kept if same(one, entry)), entry)
            if known is entry:
                kept = [one for one in kept if any(one[key] != run[key] for key in run)] + [entry]
            wanted = [name for name in plan["games"][run["game"]]["against"] if name not in known["tables"]]
            if wanted:
                known["tables"] |= figures_of(plan, known, wanted, runs)
                part = path.with_suffix(".part")
                part.write_text(json_text(plan, kept), encoding="utf-8")
                part.replace(path)
            update(number + 1)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two entries are of the same run, trained alike."""
    return all(one[key] == other[key] for key in ("game", "form", "seed", "set"))


def figures_of(
    plan: dict[str, Any], entry: dict[str, Any], against: Sequence[str], runs: pathlib.Path
) -> dict[str, dict[str, Any]]:
    """What a run's agent comes to at these tables, by the names of those who have the other seats."""
    table = plan["games"][entry["game"]]
    folder = runs / f"{entry['game']}-{entry['form']}-{entry['seed']}-{table['samples']}"
    config = load_config(table["config"], entry["set"])
    train(config, folder, resume=(folder / "checkpoints").exists(), quiet=True)
    game, settings = registry.game(config.game), config.settings()
    agent, found = load_agent(str(folder), game, settings), {}
    for name in against:
        others = [load_agent(name, game, settings)]
        result = evaluate(game, settings, agent, others, table["games"], SEED, role=table.get("role"))
        rate = next(iter(result.rates))
        found[name] = {"rate": rate, "value": result.rates[rate], "interval": result.rates[f"{rate}_ci"]}
        found[name]["games"] = result.games
    return found


def json_text(plan: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    """The figures in the order of the plan, one run a line."""
    order = [(run["game"], run["form"], run["seed"]) for run in planned(plan)]
    known = {(one["game"], one["form"], one["seed"]): one for one in entries}
    lines = [json.dumps(known[key]) for key in [*order, *(key for key in known if key not in order)] if key in known]
    return "[\n" + ",\n".join(lines) + "\n]\n"


# -- the page ---------------------------------------------------------------------------------------------------------


def page(plan: dict[str, Any], entries: Sequence[dict[str, Any]]) -> str:
    """The page's text."""
    lines = [plan["introduction"].strip(), ""]
    for game, table in plan["games"].items():
        found = [entry for entry in entries if entry["game"] == game]
        if not found:
            continue
        spec = registry.spec(game)
        settings = load_config(table["config"], found[0]["set"]).settings()
        lines += [f"## {spec.title}, {settings['num_players']} players", ""]
        lines += [f"{table['samples']:,} samples a run.", ""]
        for name in table["against"]:
            lines += table_of(plan, [entry for entry in found if name in entry["tables"]], name)
        if "remark" in table:
            lines += [table["remark"].strip(), ""]
    return "\n".join(lines).rstrip() + "\n"


def table_of(plan: dict[str, Any], entries: Sequence[dict[str, Any]], against: str) -> list[str]:
    """The forms of network at the table of one agent."""
    if not entries:
        return []
    rate = NAMES[entries[0]["tables"][against]["rate"]]
    lines = [f"Share of {rate} where `{against}` has the other seats:", ""]
    seeds = range(plan["seeds"])
    lines += [f"| network | {' | '.join(f'seed {seed}' for seed in seeds)} | mean | more than without |"]
    lines += ["|---" * (len(seeds) + 3) + "|"]
    for form in plan["forms"]:
        own = {entry["seed"]: entry["tables"][against] for entry in entries if entry["form"] == form}
        plain = {entry["seed"]: entry["tables"][against] for entry in entries if entry["form"] == WITHOUT}
        cells = [shown(own[seed]) if seed in own else "" for seed in seeds]
        mean = f"{sum(one['value'] for one in own.values()) / len(own):.3f}" if own else ""
        both = [seed for seed in own if seed in plain] if form != WITHOUT else []
        lines.append(f"| {form} | {' | '.join(cells)} | {mean} | {difference(own, plain, both)} |")
    return [*lines, ""]


def shown(figure: dict[str, Any]) -> str:
    """A rate with its interval and number of games."""
    low, high = figure["interval"]
    return f"{figure['value']:.3f} [{low:.3f}, {high:.3f}], {figure['games']:,} games"


def difference(own: dict[int, Any], plain: dict[int, Any], seeds: Sequence[int]) -> str:
    """The mean difference over these seeds with its 95 % interval, of the deals alone."""
    if not seeds:
        return ""
    mean = sum(own[seed]["value"] - plain[seed]["value"] for seed in seeds) / len(seeds)
    halves = [(one["interval"][1] - one["interval"][0]) / 2 for seed in seeds for one in (own[seed], plain[seed])]
    half = math.sqrt(sum(value * value for value in halves)) / len(seeds)
    return f"{mean:+.3f} ± {half:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--measure", action="store_true", help="train and measure what is not there yet")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("runs/memory"), help="where runs are kept")
    parser.add_argument("--only", help="measure this game only")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where plan, figures and page lie")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args(arguments)
    folder = options.folder
    if options.measure:
        measure(folder, options.runs, options.only)
    plan = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8"))
    text = page(plan, json.loads((folder / FIGURES).read_text(encoding="utf-8")))
    written = f"figures in {folder / FIGURES}, page in {folder / PAGE}, runs in {options.runs}"
    return write_or_check(folder / PAGE, text, "memory_page.py", options.check, written)


if __name__ == "__main__":
    sys.exit(main())
