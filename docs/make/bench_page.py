"""The page docs/benchmarks.md from what ``poopdeck bench --json docs/benchmarks.json`` measured.

``python docs/make/bench_page.py`` writes it; ``--check`` says whether it fits the figures.
"""

import json
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

from poopdeck.training.config import registry
from poopdeck.training.speed.bench import MEANINGS, RATIOS, UNITS


def page(results: dict[str, Any]) -> str:
    """The whole page."""
    lines = [
        "# Speed",
        "",
        "Measured by `poopdeck bench --json docs/benchmarks.json` (`make bench` installs the peers first); this page",
        "is written from that file by `python docs/make/bench_page.py`. Machines differ and are noisy: every",
        "figure is the median of several rounds in which ours and the peers' take turns, and ratios are taken round by",
        "round. A game without a table of peers was measured by itself: `poopdeck bench GAME --no-peers --json FILE`.",
    ]
    for name, figures in results.items():
        machine = figures["machine"]
        where = (
            f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, NumPy {machine['numpy']}"
        )
        lines += ["", f"## {name}", "", f"{where}.", "", "| figure | value | unit | what |", "|---|---:|---|---|"]
        for key, unit in UNITS.items():
            if key in figures:
                value = figures[key]
                shown = f"{value:.2f}" if value < 100 else f"{value:,.0f}"
                lines.append(f"| `{key}` | {shown} | {unit} | {MEANINGS[key]} |")
        lines += [
            f"| `{key}` | {figures[key]:.2f} | ratio | {what} |" for key, what in RATIOS.items() if key in figures
        ]
        lines += learners(figures.get("learners", {}))
        if not figures["peers"]:  # they are measured beside one game
            continue
        lines += [
            "",
            "| peer, random legal play | its steps a second | our figure | ours / peer |",
            "|---|---:|---|---:|",
        ]
        for peer, theirs in figures["peers"].items():
            lines.append(
                f"| {peer} | {theirs['steps_per_second']:,.0f} | `{theirs['against']}` | {theirs['ratio']:,.1f} |"
            )
    return "\n".join([*lines, ""])


def learners(rates: dict[str, float]) -> list[str]:
    """The table of the ways of learning; nothing where they were not measured."""
    if not rates:
        return []
    lines = ["", "| learner | samples a second, rollouts and updates | what |", "|---|---:|---|"]
    return [*lines, *(f"| `{name}` | {value:,.0f} | {registry.spec(name).title} |" for name, value in rates.items())]


def main(arguments: Sequence[str]) -> int:
    """The command; returns its exit code."""
    docs = pathlib.Path("docs")
    text = page(json.loads((docs / "benchmarks.json").read_text(encoding="utf-8")))
    if "--check" in arguments:
        fits = (docs / "benchmarks.md").read_text(encoding="utf-8") == text
        print("docs/benchmarks.md fits its figures" if fits else "docs/benchmarks.md does not fit docs/benchmarks.json")
        return 0 if fits else 1
    (docs / "benchmarks.md").write_text(text, encoding="utf-8")
    print("written: docs/benchmarks.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
