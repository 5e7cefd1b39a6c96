"""A benchmark as a page in Markdown with its pictures, from its figures alone."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from .figures import THRESHOLDS

COLOURS = ("#c2571a", "#1a6fb0", "#3a8f4d", "#8a4fb5", "#777777", "#b5a04f", "#2aa5a5", "#a02a5a")
POOLS = {
    "pool": "agents that may be trained with",
    "held_out": "held-out agents",
    "networks": "agents of other algorithms and seeds",
}
PICTURES = ("profiles.png", "curves.png")
READING = """*Score* is the mean payoff at the tables of a pool, 0 what a random agent gets there and 1 what the best
heuristic gets. Intervals are of 95 %: of scores by bootstrap stratified by game (Agarwal et al. 2021), of figures per
game of the mean over seeds (Student's). *Greedy* plays the likeliest action, *sampled* draws one. The opponents of the
held-out pool have been in nobody's training. Settings were not tuned per game beyond what the suite file says, so that
a place in these tables is one of these settings at this budget, not of an algorithm as such."""
LEADS = """Mean payoff above that of the best heuristic at the same table; bold where the whole interval, over seeds and
with what the heuristic's own payoff is uncertain by, is above 0:"""


def report(content: Mapping[str, Any]) -> str:
    """The page that lies in the benchmark's folder."""
    return "\n\n".join([f"# {content['title']}", *sections(content)]) + "\n"


def sections(content: Mapping[str, Any], pictures: str = "") -> list[str]:
    """What stands below the title, part by part; names of pictures have ``pictures`` before them."""
    games = content["games"]
    size = [len(games), len(content["suite"]["algorithms"]), len(content["seeds"])]
    profiles, curves = (pictures + name for name in PICTURES)
    parts = [
        "{} games, {} algorithms, {} seeds, ".format(*size) + f"{content['budget']} each.",
        READING,
        "## All games together",
        "Interquartile mean of scores over games and seeds:",
        _summary(content),
        f"![profiles]({profiles})",
        "Probability that a run of the row is better than one of the column in a random game (held-out pool, greedy):",
        _improvement(content["scores"]["greedy"]["held_out"]["improvement"]),
        f"![curves]({curves})",
    ]
    for name, found in games.items():
        parts += [f"## {name}", *_game(found)]
    return parts


def ranged(found: Mapping[str, Any], form: str = ".3f") -> str:
    """A value with its interval."""
    low, high = found["ci"]
    value = format(found["value"], form)
    return f"{value} [{low:{form}}, {high:{form}}]" if low is not None and high is not None else value


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _summary(content: Mapping[str, Any]) -> str:
    columns = [(mode, pool) for pool in ("held_out", "pool") for mode in ("greedy", "sampled")]
    means = {key: content["scores"][key[0]][key[1]]["interquartile_mean"] for key in columns}
    order = sorted(means[columns[0]], key=lambda name: -means[columns[0]][name]["value"])
    header = ["algorithm", *(f"{POOLS[pool]}, {mode}" for mode, pool in columns)]
    return markdown(header, [[name, *(ranged(means[key][name]) for key in columns)] for name in order])


def _improvement(found: Mapping[str, Mapping[str, Any]]) -> str:
    names = list(found)
    if len(names) < 2:
        return "There is but one algorithm."
    rows = [[one, *("" if one == other else ranged(found[one][other], ".2f") for other in names)] for one in names]
    return markdown(["", *names], rows)


def _game(found: Mapping[str, Any]) -> list[str]:
    parts = []
    for mode in ("greedy", "sampled"):
        parts += [f"Mean payoff, {mode}:", _payoffs(found, mode)]
    parts += [LEADS, _leads(found["leads"])]
    parts += ["Rates, greedy:", _rates(found), "What it cost:", _costs(found["costs"])]
    if found["exploited"]:
        parts += ["Best responses (a lower bound of how much is to be gained on an agent, a seat):"]
        parts += [_exploited(found["exploited"])]
    if found["crossing"]:
        parts += [f"One tournament of all, {found['crossing']['games']:,} games, seats rotated:"]
        parts += [_crossing(found["crossing"])]
        parts += ["What the row's agents were paid there more than the column's at the same tables, and games:"]
        parts += [_between(found["between_algorithms"])]
    return parts


def _payoffs(found: Mapping[str, Any], mode: str) -> str:
    first = next(iter(found["algorithms"].values()))[mode]
    columns = [(pool, name) for pool, tables in first.items() for name in tables]
    header = ["algorithm", *(f"{name} ({POOLS[pool]})" for pool, name in columns)]
    rows = [
        [label, *(ranged(modes[mode][pool][name]["mean_payoff"], "+.3f") for pool, name in columns)]
        for label, modes in found["algorithms"].items()
    ]
    for anchor in ("random", "best"):
        cells = [found["anchors"].get(pool, {}).get(name, {}).get(anchor) for pool, name in columns]
        rows.append([f"*{anchor}*", *("" if cell is None else f"{cell['mean_payoff']:+.3f}" for cell in cells)])
    return markdown(header, rows)


def _leads(found: Mapping[str, Any]) -> str:
    first = next(iter(found.values()))
    columns = [(mode, pool, name) for mode, pools in first.items() for pool in pools for name in pools[pool]]
    header = ["algorithm", *(f"{name} ({POOLS[pool]}), {mode}" for mode, pool, name in columns)]
    rows = []
    for algorithm, modes in found.items():
        leads = [modes[mode][pool][name] for mode, pool, name in columns]
        rows.append([algorithm, *(_bold(ranged(lead, "+.3f"), (lead["ci"][0] or 0) > 0) for lead in leads)])
    return markdown(header, rows)


def _bold(text: str, wanted: bool) -> str:
    return f"**{text}**" if wanted else text


def _between(found: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [row, *("" if column not in cells else _cell(cells[column]) for column in found)]
        for row, cells in found.items()
    ]
    return markdown(["", *found], rows)


def _cell(found: Mapping[str, Any]) -> str:
    return f"{ranged(found, '+.3f')}, {found['games']:,}" if found["games"] else ""


def _rates(found: Mapping[str, Any]) -> str:
    first = next(iter(found["algorithms"].values()))["greedy"]
    figures = next(iter(next(iter(first.values())).values()))
    rate = next(name for name in figures if name.endswith("_rate"))
    columns = [(pool, name) for pool, tables in first.items() for name in tables]
    header = ["algorithm", *(f"{rate.replace('_', ' ')}, {name}" for _, name in columns), "truncated share"]
    rows = []
    for label, modes in found["algorithms"].items():
        cells = [ranged(modes["greedy"][pool][name][rate]) for pool, name in columns]
        truncated = max(modes["greedy"][pool][name]["truncated_share"]["value"] for pool, name in columns)
        rows.append([label, *cells, f"up to {truncated:.3f}"])
    return markdown(header, rows)


def _costs(found: Mapping[str, Any]) -> str:
    header = ["algorithm", "samples", "seconds", "samples a second", "memory, MB", "seeds that reached the best",
              "after samples", "after seconds"]  # fmt: skip
    rows = []
    for name, cost in found.items():
        samples, seconds = cost["reached_samples"], cost["reached_seconds"]
        rows.append(
            [
                name,
                f"{cost['samples']:,.0f}",
                f"{cost['seconds']:.0f}",
                f"{cost['samples_per_second']:,.0f}",
                "" if cost["peak_memory_mb"] is None else f"{cost['peak_memory_mb']:,.0f}",
                str(cost["reached"]),
                "" if samples is None else f"{samples:,.0f}",
                "" if seconds is None else f"{seconds:.0f}",
            ]
        )
    return markdown(header, rows)


def _exploited(found: Mapping[str, Any]) -> str:
    rows = []
    for algorithm, seeds in found.items():
        for seed, responders in seeds.items():
            for responder, gain in responders.items():
                value = {"value": gain["gain"], "ci": gain["gain_ci"]}
                summed = {"value": gain["gain_summed"], "ci": gain["gain_summed_ci"]}
                rows.append(
                    [
                        algorithm,
                        seed,
                        responder,
                        gain["role"],
                        ranged(value, "+.3f"),
                        ranged(summed, "+.3f"),
                        f"{gain['samples']:,}",
                        f"{gain['games']:,}",
                    ]  # fmt: skip
                )
    return markdown(["victim", "seed", "responder", "role", "gain a seat", "summed", "samples", "games"], rows)


def _crossing(content: Mapping[str, Any]) -> str:
    from ..evaluation.tournament_report import standings_table

    return standings_table(content)


def pictures(content: Mapping[str, Any]) -> dict[str, bytes]:
    """The pictures of the page by file name: PNG."""
    return dict(zip(PICTURES, (profiles_picture(content), curves_picture(content)), strict=True))


def profiles_picture(content: Mapping[str, Any]) -> bytes:
    """Which share of runs has a score above each threshold, held-out pool, greedy; with bands of 95 %."""
    figure, (axes,) = _figure(1)
    profiles = content["scores"]["greedy"]["held_out"]["profile"]
    for colour, (name, found) in zip(COLOURS, profiles.items(), strict=False):
        axes.step(THRESHOLDS, found["value"], where="post", color=colour, label=name)
        low, high = found["ci"]
        if low[0] is not None:
            axes.fill_between(THRESHOLDS, low, high, step="post", color=colour, alpha=0.15, linewidth=0)
    axes.axvline(1, color="#bbbbbb", linewidth=0.8)
    axes.set_xlabel("score (1: the best heuristic)")
    axes.set_ylabel("share of runs above it")
    axes.legend(frameon=False, fontsize=8)
    return _png(figure)


def curves_picture(content: Mapping[str, Any]) -> bytes:
    """Learning curves at the table of the best agent, one panel per game; bands reach from lowest to highest seed."""
    figure, panels = _figure(len(content["games"]))
    for axes, (game, found) in zip(panels, content["games"].items(), strict=True):
        for colour, (name, line) in zip(COLOURS, found["curves"].items(), strict=False):
            axes.plot(line["samples"], line["mean"], color=colour, label=name)
            axes.fill_between(line["samples"], line["low"], line["high"], color=colour, alpha=0.15, linewidth=0)
        axes.set_title(game, fontsize=10)
        axes.set_xlabel("samples")
        axes.set_ylabel("mean payoff at the best heuristic's table")
    panels[0].legend(frameon=False, fontsize=8)
    return _png(figure)


def _figure(count: int) -> tuple[Any, Sequence[Any]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.5 * count, 4), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(1, count, squeeze=False)[0]


def _png(figure: Any) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100, metadata={"Software": None})
    return out.getvalue()
