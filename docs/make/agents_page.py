"""The pages docs/agents/<game>.md: agents of every kind trained, set against each other, measured and told.

``python docs/make/agents_page.py GAME`` trains what is not trained yet (runs are resumed, finished ones kept),
measures the baselines and the trained, plays the tournaments, and writes the page and its pictures. ``--write-only``
trains nothing. Without a game, ``--rewrite`` writes all pages anew from the figures beside them
(docs/agents/<game>.json), and ``--check`` says whether they are what these figures give.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agents_report import MEANINGS, curves_picture, page
from measurements import DEFAULT, Run, measurements, planned_runs

from poopdeck.agents.loading import load_agent
from poopdeck.envs.core import registry
from poopdeck.training.config.files import load_config
from poopdeck.training.evaluation.evaluate import evaluate
from poopdeck.training.run.curves import read_metrics

TOURNAMENT_GAMES = 24_000
BASELINE_GAMES = 6_000
KEPT = ("games", "truncated_share", "illegal_actions")  # of an evaluation, beside its rate


def train_runs(runs: Sequence[Run], folder: pathlib.Path, at_once: int) -> None:
    """Trains the runs that have no result yet, each in a process of its own: ``at_once`` at a time, and those of
    several threads alone."""

    def one(run: Run) -> None:
        path = folder / run.name
        result = path / "result.json"
        if result.exists() and json.loads(result.read_text(encoding="utf-8"))["status"] in ("finished", "time limit"):
            return
        command = [sys.executable, "-m", "poopdeck", *run.command(str(folder))]
        print(f"training {run.name}", flush=True)
        log = folder / f"{run.name}.log"
        with log.open("a", encoding="utf-8") as output:
            done = subprocess.run(
                [*command, *(["--resume"] if path.exists() else [])], stdout=output, stderr=subprocess.STDOUT
            )
        if done.returncode:
            raise RuntimeError(f"{run.name} ended with exit code {done.returncode}; see {log}")

    folder.mkdir(parents=True, exist_ok=True)
    threads = {run: load_config(run.config, run.sets).threads for run in runs}
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, [run for run in runs if threads[run] == 1]))
    for run in runs:
        if threads[run] > 1:
            one(run)


def play_tournament(runs: Sequence[Run], folder: pathlib.Path, players: int) -> dict[str, Any]:
    """The baselines and a run of each kind, all against all; the content of its ``tournament.json``."""
    game = runs[0].game
    path = folder / f"tournament-{players}p"
    if not (path / "tournament.json").exists():
        first = {run.kind: run for run in runs if run.seed == 0}
        entries = [*measurements(game).baselines, *(f"{kind}={folder / run.name}" for kind, run in first.items())]
        command = ["tournament", game, *entries, "--players", players, "--games", TOURNAMENT_GAMES, "--out", path]
        resume = ["--resume"] if path.exists() else []
        subprocess.run([sys.executable, "-m", "poopdeck", *map(str, command), *resume], check=True)
    return json.loads((path / "tournament.json").read_text(encoding="utf-8"))


def figures(found: dict[str, Any]) -> dict[str, Any]:
    """What a page tells of an evaluation: the game's first rate, a truncated game never counted as a success."""
    first = next(name for name in found if name.endswith("_rate") and f"{name}_ci" in found)
    name = f"{first}_or_truncated" if first == "loss_rate" else first
    return {"rate": name, "value": found[name], "ci": list(found[f"{name}_ci"])} | {key: found[key] for key in KEPT}


def measure_baselines(game: str, variant: str, players: int, folder: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Every baseline at a table of every baseline, in every role: name of the row -> name of the table -> figures."""
    path = folder / f"baselines-{variant}-{players}p.json"
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    interface = registry.game(game)
    settings = interface.spec.settings(players, **interface.spec.variants[variant])
    agents = [load_agent(name, interface, settings) for name in measurements(game).baselines]
    roles = [role.name for role in interface.spec.roles]
    rows: dict[str, dict[str, Any]] = {}
    for role in roles:
        for agent in agents:
            row = f"{agent.name} as {role}" if len(roles) > 1 else agent.name
            rows[row] = {
                other.name: figures(evaluate(interface, settings, agent, [other], BASELINE_GAMES, role=role).to_json())
                for other in agents
            }
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return rows


def tell_run(run: Run, folder: pathlib.Path) -> dict[str, Any]:
    """What a page tells of a run."""
    result = json.loads((folder / run.name / "result.json").read_text(encoding="utf-8"))
    yardstick = measurements(run.game).yardstick
    return {
        "players": run.players,
        "variant": run.variant,
        "kind": run.kind,
        "config": run.config,
        "seed": run.seed,
        "command": "poopdeck " + " ".join(run.command("runs/agents")),
        "samples": result["timesteps"],
        "minutes": round(result["seconds"] / 60, 1),
        "samples_per_second": round(result["samples_per_second"]),
        "evaluations": {name: figures(content) for name, content in result["evaluations"].items()},
        "curve": list(learning_curve(folder / run.name / "metrics.jsonl", yardstick)),
    }


def collect(game: str, runs: Sequence[Run], folder: pathlib.Path) -> dict[str, Any]:
    """All figures of a game's page, small enough to lie beside it."""
    spec = registry.spec(game)
    found: dict[str, Any] = {
        "game": game,
        "title": spec.title,
        "yardstick": measurements(game).yardstick,
        "runs": [tell_run(run, folder) for run in runs],
        "baselines": [],
        "tournaments": {},
    }
    for variant, players in dict.fromkeys((run.variant, run.players) for run in runs):
        rows = measure_baselines(game, variant, players, folder)
        found["baselines"].append({"variant": variant, "players": players, "rows": rows})
        if variant == DEFAULT and len(spec.roles) == 1:
            mine = [run for run in runs if (run.variant, run.players) == (variant, players)]
            content = json.dumps(play_tournament(mine, folder, players))
            found["tournaments"][str(players)] = json.loads(content.replace(str(folder), "runs/agents"))
    return found


def learning_curve(metrics: pathlib.Path, yardstick: str) -> Iterator[list[float]]:
    """[samples, rate at a table of the yardstick], wherever it was measured."""
    keys = [f"evaluation/{yardstick}/{rate}" for rate in MEANINGS]
    for row in read_metrics(metrics):
        key = next((key for key in keys if key in row), None)
        if key is not None:
            yield [row["timesteps"], round(row[key], 4)]


def write(found: dict[str, Any], docs: pathlib.Path) -> pathlib.Path:
    """The page, its figures and pictures; returns where the page lies."""
    from poopdeck.training.evaluation.heat_map import heat_map

    game = found["game"]
    for folder in (docs / "agents", docs / "images"):
        folder.mkdir(parents=True, exist_ok=True)
    (docs / "agents" / f"{game}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (docs / "agents" / f"{game}.md").write_text(page(found), encoding="utf-8")
    (docs / "images" / f"agents_{game}_curves.png").write_bytes(curves_picture(found))
    for players, content in found["tournaments"].items():
        (docs / "images" / f"agents_{game}_{players}p.png").write_bytes(heat_map(content))
    return docs / "agents" / f"{game}.md"


def stale_pages(docs: pathlib.Path) -> Iterator[tuple[pathlib.Path, str]]:
    """The pages that are not what their figures give, and what they should be."""
    for path in sorted(path for path in (docs / "agents").glob("*.json") if path.stem in registry.names()):
        text = page(json.loads(path.read_text(encoding="utf-8")))
        target = path.with_suffix(".md")
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            yield target, text


def check(docs: pathlib.Path) -> int:
    """Whether every page is what its figures give; 1 if one is not."""
    stale = [path for path, _ in stale_pages(docs)]
    for path in stale:
        print(f"{path} does not fit its figures")
    return 1 if stale else 0


def rewrite(docs: pathlib.Path) -> int:
    """Writes anew what does not fit its figures; pictures stay as they are."""
    for path, text in stale_pages(docs):
        path.write_text(text, encoding="utf-8")
        print(f"written: {path}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=registry.names(), help="whose page")
    parser.add_argument("--docs", type=pathlib.Path, default=pathlib.Path("docs"), help="folder of the pages")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("runs/agents"), help="folder of the runs")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the minutes of training")
    parser.add_argument("--players", nargs="+", type=int, default=None, help="only these numbers of players")
    parser.add_argument("--at-once", type=int, default=2, help="runs trained at the same time")
    parser.add_argument("--train-only", action="store_true", help="stop before baselines and tournaments")
    parser.add_argument("--write-only", action="store_true", help="train nothing")
    parser.add_argument("--rewrite", action="store_true", help="write the pages anew from their figures alone")
    parser.add_argument("--check", action="store_true", help="say whether the pages fit their figures")
    given = parser.parse_args(arguments)
    if given.check:
        return check(given.docs)
    if given.rewrite:
        return rewrite(given.docs)
    if given.game is None:
        parser.error(f"which game? there are {', '.join(registry.names())}")
    runs = planned_runs(given.game, given.scale, given.players)
    folder = given.runs / given.game
    if not given.write_only:
        train_runs(runs, folder, given.at_once)
    if not given.train_only:
        print(f"written: {write(collect(given.game, runs, folder), given.docs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
