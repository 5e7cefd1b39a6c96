"""The page docs/agents.md: agents of every kind trained, set against each other, measured and told, by one command.

``python -m poopdeck.training.agents_page`` trains what is not trained yet (runs are resumed, finished ones kept),
plays the tournaments and evaluations, and writes the page and its pictures. ``--write-only`` only writes, from what
lies in the folder of runs; ``--check`` says whether the page is what the figures beside it (docs/agents.json) give.
"""

import argparse
import io
import json
import pathlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from .curves import read_metrics

GAME = "poo_head"
CONFIGS = {"MaskablePPO": "poo_head", "self-play": "poo_head_selfplay"}
BASELINES = ("random", "heuristic:lowest", "heuristic")
TOURNAMENT_GAMES = 24_000
SAMPLES_PER_MINUTE = 1_600_000
COLOURS = {"MaskablePPO": "#c2571a", "self-play": "#1a6fb0"}


# What is trained, in this order: kind, minutes of each run, seeds for each number of players. Longer runs are stronger;
# these fit into three quarters of an hour on two cores.
PLAN: tuple[tuple[str, float, dict[int, int]], ...] = (
    ("self-play", 10, {4: 3, 2: 1}),
    ("self-play", 4, {3: 1, 5: 1}),
    ("MaskablePPO", 4, {4: 3, 2: 1, 3: 1, 5: 1}),
)


@dataclass(frozen=True)
class Run:
    """One training run of the page."""

    players: int
    kind: str
    seed: int
    minutes: float

    @property
    def name(self) -> str:
        """Its folder's name."""
        return f"{self.players}p-{self.kind.lower()}-{self.seed}"

    def command(self, folder: str) -> list[str]:
        """The training command; the same for everybody but for the folder."""
        # As many samples as a core makes in the time, so that the learning rate has fallen when it is over.
        samples = round(self.minutes * SAMPLES_PER_MINUTE)
        sets = [f"players={self.players}", f"total_timesteps={samples}", f"time_limit={self.minutes:g}"]
        options = [part for pair in sets for part in ("--set", pair)]
        return ["train", CONFIGS[self.kind], *options, "--seed", str(self.seed), "--out", f"{folder}/{self.name}"]


def planned_runs(scale: float = 1.0, players: Sequence[int] = (2, 3, 4, 5)) -> list[Run]:
    """The runs of PLAN, their minutes times ``scale``, for these numbers of players."""
    return [
        Run(count, kind, seed, minutes * scale)
        for kind, minutes, seeds in PLAN
        for count, number in seeds.items()
        if count in players
        for seed in range(number)
    ]


def train_runs(runs: Sequence[Run], folder: pathlib.Path, at_once: int) -> None:
    """Trains the runs that have no result yet, ``at_once`` at a time, each in a process of its own."""

    def one(run: Run) -> None:
        path = folder / run.name
        result = path / "result.json"
        if result.exists() and json.loads(result.read_text())["status"] in ("finished", "time limit"):
            return
        command = [sys.executable, "-m", "poopdeck.cli", *run.command(str(folder))]
        print(f"training {run.name}", flush=True)
        log = folder / f"{run.name}.log"
        with log.open("a") as output:
            done = subprocess.run(
                [*command, *(["--resume"] if path.exists() else [])], stdout=output, stderr=subprocess.STDOUT
            )
        if done.returncode:
            raise RuntimeError(f"{run.name} ended with exit code {done.returncode}; see {log}")

    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, runs))


def play_tournament(runs: Sequence[Run], players: int, folder: pathlib.Path) -> dict[str, Any]:
    """The baselines and the first seed of each kind, all against all; the content of its ``tournament.json``."""
    path = folder / f"tournament-{players}p"
    if not (path / "tournament.json").exists():
        entries = [*BASELINES, *(f"{run.kind}={folder / run.name}" for run in runs if run.seed == 0)]
        command = ["tournament", GAME, *entries, "--players", players, "--games", TOURNAMENT_GAMES, "--out", path]
        resume = ["--resume"] if path.exists() else []
        subprocess.run([sys.executable, "-m", "poopdeck.cli", *map(str, command), *resume], check=True)
    return json.loads((path / "tournament.json").read_text())


def collect(runs: Sequence[Run], folder: pathlib.Path) -> dict[str, Any]:
    """All figures of the page, small enough to lie beside it."""
    found: dict[str, Any] = {"runs": [], "tournaments": {}}
    for run in runs:
        result = json.loads((folder / run.name / "result.json").read_text())
        found["runs"].append(
            {
                "players": run.players,
                "kind": run.kind,
                "seed": run.seed,
                "command": "poopdeck " + " ".join(run.command("runs/agents")),
                "samples": result["timesteps"],
                "minutes": round(result["seconds"] / 60, 1),
                "samples_per_second": round(result["samples_per_second"]),
                "evaluations": {
                    name: {
                        key: figures[key]
                        for key in (
                            "games",
                            "loss_rate",
                            "loss_rate_ci",
                            "loss_rate_or_capped",
                            "loss_rate_or_capped_ci",
                            "capped_share",
                            "illegal_actions",
                        )
                    }
                    for name, figures in result["evaluations"].items()
                },
                "curve": list(learning_curve(folder / run.name / "metrics.jsonl")),
            }
        )
    for players in sorted({run.players for run in runs}):
        mine = [run for run in runs if run.players == players]
        content = json.dumps(play_tournament(mine, players, folder))
        found["tournaments"][str(players)] = json.loads(content.replace(str(folder), "runs/agents"))
    return found


def learning_curve(metrics: pathlib.Path) -> Iterator[list[float]]:
    """[samples, loss rate with capped games lost] at a table of heuristic:lowest, wherever it was measured."""
    for row in read_metrics(metrics):
        key = next((key for key in row if "heuristic:lowest" in key and key.endswith("loss_rate_or_capped")), None)
        if key is not None:
            yield [row["timesteps"], round(row[key], 4)]


def curves_picture(found: dict[str, Any]) -> bytes:
    """A PNG of the learning curves, one panel for every number of players, one line for every seed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    players = sorted({run["players"] for run in found["runs"]})
    figure = Figure(figsize=(4.2 * len(players), 3.4), dpi=100, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    for panel, count in enumerate(players):
        axes = figure.add_subplot(1, len(players), panel + 1)
        for run in found["runs"]:
            if run["players"] == count and run["curve"]:
                samples, losses = zip(*run["curve"], strict=True)
                label = run["kind"] if run["seed"] == 0 else None
                millions = [value / 1e6 for value in samples]
                axes.plot(millions, losses, color=COLOURS[run["kind"]], alpha=0.75, lw=1.3, label=label)
        axes.axhline(1 / count, color="grey", lw=0.8, ls=":")
        axes.set_title(f"{count} players", fontsize=10)
        axes.set_xlabel("million samples")
        axes.set_yscale("log")
        if panel == 0:
            axes.set_ylabel("games lost or capped")
        axes.legend(fontsize=8)
        axes.grid(alpha=0.25)
    figure.suptitle("Greedy policy at a table of heuristic:lowest while training; dotted: equals", fontsize=10)
    buffer = io.BytesIO()
    canvas.print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def percent(rate: float, interval: Sequence[float]) -> str:
    """A rate with its interval, in percent."""
    return f"{100 * rate:.1f} % [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def strength_table(found: dict[str, Any], players: int) -> list[str]:
    """How often each trained agent loses at tables of each baseline."""
    runs = [run for run in found["runs"] if run["players"] == players]
    names = list(runs[0]["evaluations"])
    tables = " | ".join(f"at a table of {name}" for name in names)
    lines = [
        f"| agent | seed | {tables} | games each | samples | minutes |",
        "|---|---|" + "---|" * len(names) + "---|---|---|",
    ]
    for run in sorted(runs, key=lambda run: (run["kind"], run["seed"])):
        cells = []
        for name in names:
            figures = run["evaluations"][name]
            cells.append(percent(figures["loss_rate_or_capped"], figures["loss_rate_or_capped_ci"]))
        games = next(iter(run["evaluations"].values()))["games"]
        size = f"{games:,} | {run['samples'] / 1e6:.1f} M | {run['minutes']:.1f}"
        lines.append(f"| {run['kind']} | {run['seed']} | {' | '.join(cells)} | {size} |")
    return lines


def grouped(found: dict[str, Any]) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """The runs by kind and number of players."""
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for run in found["runs"]:
        groups.setdefault((run["kind"], run["players"]), []).append(run)
    return groups


def page(found: dict[str, Any]) -> str:
    """The whole of docs/agents.md."""
    from .tournament_report import standings_table

    counts = sorted({run["players"] for run in found["runs"]})
    several = [f"{kind}, {count} players" for (kind, count), runs in grouped(found).items() if len(runs) > 1]
    lines = [
        "# Agents measured",
        "",
        "Written by `python -m poopdeck.training.agents_page`, which trains, plays and measures all of it;",
        "the figures lie in [agents.json](agents.json). Every agent plays greedily. A game that the decision cap cuts",
        "counts as lost. Rates come with 95 % intervals that respect that the same deals are played from every seat.",
        "A table of equals loses 1 / players of its games. Where intervals overlap, nothing is claimed.",
        "",
        "![learning curves](images/agents_curves.png)",
        "",
        f"More than one seed: {'; '.join(several) or 'none'}. What else is told of training stands on one run each, of",
        "different lengths: it shows what the commands below make, not which way of learning is the better one.",
        "The runs were trained two at a time on two cores. Networks that play their likeliest action can go round in",
        "circles with each other until the cap: see the column *capped*.",
    ]
    for count in counts:
        content = found["tournaments"][str(count)]
        lines += ["", f"## {count} players", "", "Games lost (or capped), agent against a table of each baseline:", ""]
        lines += strength_table(found, count)
        lines += ["", f"One tournament of all, {content['games']:,} games, seats rotated on the same deals:", ""]
        lines += standings_table(content).splitlines()
        lines += ["", f"![cross table](images/agents_{count}p.png)"]
    lines += ["", "## The training commands", "", "```console"]
    lines += [f"$ {run['command']}" for run in found["runs"] if run["seed"] == 0]
    lines += ["```", "", "Other seeds: the same with another `--seed` and `--out`.", ""]
    return "\n".join(lines)


def write(found: dict[str, Any], docs: pathlib.Path) -> None:
    """The page, its figures and pictures."""
    from .heat_map import heat_map

    (docs / "agents.json").write_text(json.dumps(found, indent=1) + "\n")
    (docs / "agents.md").write_text(page(found))
    (docs / "images").mkdir(exist_ok=True)
    (docs / "images" / "agents_curves.png").write_bytes(curves_picture(found))
    for players, content in found["tournaments"].items():
        (docs / "images" / f"agents_{players}p.png").write_bytes(heat_map(content))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--docs", type=pathlib.Path, default=pathlib.Path("docs"), help="folder of the page")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("runs/agents"), help="folder of the runs")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the minutes of training")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4, 5], help="only these numbers of players")
    parser.add_argument("--at-once", type=int, default=2, help="runs trained at the same time")
    parser.add_argument("--train-only", action="store_true", help="stop before the tournaments")
    parser.add_argument("--write-only", action="store_true", help="train nothing")
    parser.add_argument("--check", action="store_true", help="say whether the page fits docs/agents.json")
    given = parser.parse_args(arguments)
    if given.check:
        found = json.loads((given.docs / "agents.json").read_text())
        fits = (given.docs / "agents.md").read_text() == page(found)
        print("docs/agents.md fits its figures" if fits else "docs/agents.md does not fit docs/agents.json")
        return 0 if fits else 1
    runs = planned_runs(given.scale, given.players)
    if not given.write_only:
        train_runs(runs, given.runs, given.at_once)
    if not given.train_only:
        write(collect(runs, given.runs), given.docs)
        print(f"written: {given.docs / 'agents.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
