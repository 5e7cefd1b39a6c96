"""A page of measured agents as Markdown, and its learning curves as a picture, from figures alone."""

import io
from collections.abc import Sequence
from typing import Any

from measurements import DEFAULT

COLOURS = ("#c2571a", "#1a6fb0", "#3a8f4d", "#8a4fb5", "#777777")  # of the kinds of agents, in the order of `kinds`
MEANINGS = {
    "loss_rate_or_truncated": "Games lost (or truncated)",
    "win_rate": "Games won",
    "best_rate": "Games with the best payoff",
}
PANELS_PER_ROW = 4


def heading(variant: str, players: int) -> str:
    """What a group of figures is called."""
    return f"{players} players" if variant == DEFAULT else f"{variant}, {players} players"


def groups(found: dict[str, Any]) -> list[tuple[str, int]]:
    """Variants and numbers of players in the order in which they were planned."""
    return list(dict.fromkeys((run["variant"], run["players"]) for run in found["runs"]))


def runs_of(found: dict[str, Any], group: tuple[str, int]) -> list[dict[str, Any]]:
    """The runs of a variant at a number of players."""
    return [run for run in found["runs"] if (run["variant"], run["players"]) == group]


def kinds(found: dict[str, Any]) -> list[str]:
    """The kinds of agents that were trained, sorted."""
    return sorted({run["kind"] for run in found["runs"]})


def percent(figures: dict[str, Any]) -> str:
    """A rate with its interval, in percent, and the truncated share where there is one."""
    low, high = figures["ci"]
    truncated = f", {100 * figures['truncated_share']:.1f} % truncated" if figures["truncated_share"] >= 0.0005 else ""
    return f"{100 * figures['value']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]{truncated}"


def strength_table(runs: Sequence[dict[str, Any]]) -> list[str]:
    """How each trained agent fares at tables of each baseline."""
    names = list(dict.fromkeys(name for run in runs for name in run["evaluations"]))
    lines = [
        f"| agent | seed | {' | '.join(f'against {name}' for name in names)} | games each | samples | minutes |",
        "|---|---|" + "---|" * len(names) + "---|---|---|",
    ]
    for run in sorted(runs, key=lambda run: (run["kind"], run["seed"])):
        cells = [percent(run["evaluations"][name]) if name in run["evaluations"] else "" for name in names]
        games = next(iter(run["evaluations"].values()))["games"]
        size = f"{games:,} | {run['samples'] / 1e6:.1f} M | {run['minutes']:.1f}"
        label = run["kind"] + (f", `{run['config']}`" if "config" in run else "")
        lines.append(f"| {label} | {run['seed']} | {' | '.join(cells)} | {size} |")
    return lines


def baseline_table(rows: dict[str, dict[str, Any]]) -> list[str]:
    """How each baseline fares at a table of each."""
    tables = list(next(iter(rows.values())))
    lines = [f"| agent | {' | '.join(f'against {name}' for name in tables)} |", "|---|" + "---|" * len(tables)]
    for name, row in rows.items():
        lines.append(f"| {name} | {' | '.join(percent(row[table]) for table in tables)} |")
    return lines


def page(found: dict[str, Any]) -> str:
    """The whole page."""
    from poopdeck.training.evaluation.tournament_report import standings_table

    game = found["game"]
    several = [
        f"{kind} with {heading(*group)}"
        for group in groups(found)
        for kind in kinds(found)
        if sum(run["kind"] == kind for run in runs_of(found, group)) > 1
    ]
    lines = [
        f"# Agents of {found['title']} measured",
        "",
        f"Written by `python docs/make/agents_page.py {game}`, which trains, plays and measures all of it;",
        f"the figures lie in [{game}.json]({game}.json). Every agent plays greedily. A game truncated by the decision",
        "cap is no success for anybody; where there are any, their share is given. Rates come with 95 % intervals that",
        "respect that the same deals are played from every seat. *Against* means a table with that agent at all other",
        "seats (with several roles: at all seats of the other roles, and the rate is that of the whole side).",
        "Where intervals overlap, nothing is claimed.",
        "",
        f"![learning curves](../images/agents_{game}_curves.png)",
        "",
        f"More than one seed: {'; '.join(several) or 'none'}. What else is told of training stands on one run each, of",
        "different lengths: it shows what the commands below make, not which way of learning is the better one.",
        "Up to three runs shared two cores; one of several threads had both for itself. Networks that play their",
        "likeliest action can go round in circles with each other until the cap.",
    ]
    for group in groups(found):
        runs = runs_of(found, group)
        rate = next(iter(runs[0]["evaluations"].values()))["rate"]
        lines += ["", f"## {heading(*group).capitalize()}", "", f"{MEANINGS[rate]}, trained agents:", ""]
        lines += strength_table(runs)
        for entry in found["baselines"]:
            if (entry["variant"], entry["players"]) == group:
                games = next(iter(next(iter(entry["rows"].values())).values()))["games"]
                lines += ["", f"{MEANINGS[rate]}, baselines, {games:,} games each:", "", *baseline_table(entry["rows"])]
        content = found["tournaments"].get(str(group[1])) if group[0] == DEFAULT else None
        if content is not None:
            lines += ["", f"One tournament of all, {content['games']:,} games, seats rotated on the same deals:", ""]
            lines += standings_table(content).splitlines()
            lines += ["", f"![cross table](../images/agents_{game}_{group[1]}p.png)"]
    lines += ["", "## The training commands", "", "```console"]
    lines += [f"$ {run['command']}" for run in found["runs"] if run["seed"] == 0]
    lines += ["```", "", "Other seeds: the same with another `--seed` and `--out`.", ""]
    return "\n".join(lines)


def curves_picture(found: dict[str, Any]) -> bytes:
    """A PNG of the learning curves: one panel for every variant and number of players, one line for every run."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    wanted = groups(found)
    colours = dict(zip(kinds(found), COLOURS, strict=False))
    columns = min(PANELS_PER_ROW, len(wanted))
    rows = -(-len(wanted) // columns)
    figure = Figure(figsize=(4.2 * columns, 3.1 * rows + 0.3), dpi=100, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    for place, group in enumerate(wanted, 1):
        axes = figure.add_subplot(rows, columns, place)
        runs = [run for run in runs_of(found, group) if run["curve"]]
        rate = next(iter(runs_of(found, group)[0]["evaluations"].values()))["rate"]
        for run in runs:
            samples, values = zip(*run["curve"], strict=True)
            label = run["kind"] if run["seed"] == 0 else None
            axes.plot([n / 1e6 for n in samples], values, color=colours[run["kind"]], alpha=0.75, lw=1.3, label=label)
        axes.set_title(heading(*group), fontsize=10)
        axes.set_xlabel("million samples")
        if rate == "loss_rate_or_truncated":
            axes.set_yscale("log")
        if place % columns == 1 or columns == 1:
            axes.set_ylabel(MEANINGS[rate].lower(), fontsize=8)
        if runs:
            axes.legend(fontsize=8)
        axes.grid(alpha=0.25)
    figure.suptitle(f"Greedy policy while training, against {found['yardstick']}", fontsize=10)
    buffer = io.BytesIO()
    canvas.print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()
