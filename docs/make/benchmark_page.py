"""The page docs/agents/benchmark.md: what ``poopdeck benchmark`` found, and what one may conclude from it.

``python docs/make/benchmark_page.py --from FOLDER`` takes the figures of a finished benchmark's folder: benchmark.json,
benchmark.csv and the pictures. Without ``--from`` the page is written anew from these and from benchmark.yaml, which
has the words; ``--check`` says whether the page is what they give.
"""

import argparse
import csv
import io
import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from poopdeck.training.benchmark.measure import NETWORKS
from poopdeck.training.benchmark.report import PICTURES, pictures, sections

WORDS, FIGURES, ROWS, PAGE = (f"benchmark.{kind}" for kind in ("yaml", "json", "csv", "md"))
DOCS = pathlib.Path(__file__).parents[1]
PREFIX = "agents_benchmark_"  # of pictures
DIGITS = 5  # after the point; the intervals begin at the second or third
LEFT_OUT = ("cross_table", "ratings")  # of tournaments: a figure for every pair of runs


def taken(folder: pathlib.Path) -> dict[str, Any]:
    """The figures of a benchmark's folder that a page shows, rounded.

    Raises:
        FileNotFoundError: no finished benchmark is there.
    """
    content = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    for found in content["games"].values():
        if found["crossing"]:
            found["crossing"] = {key: value for key, value in found["crossing"].items() if key not in LEFT_OUT}
    return rounded(content)


def rounded(value: Any) -> Any:
    """The same with fewer digits."""
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def taken_rows(text: str) -> str:
    """Of a benchmark's figures.csv the payoffs of every run, and its rates at tables of agents by name; rounded."""
    out = io.StringIO()
    rows = csv.DictReader(io.StringIO(text))
    writer = csv.DictWriter(out, rows.fieldnames or [], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        if row["figure"] == "mean_payoff" or row["pool"] != NETWORKS and _is_kept(row["figure"]):
            numbers = {key: f"{float(row[key]):.4f}" if row[key] else "" for key in ("value", "low", "high")}
            writer.writerow(row | numbers)
    return out.getvalue()


def _is_kept(figure: str) -> bool:
    return figure == "truncated_share" or figure.endswith("_rate")


def json_text(content: Mapping[str, Any]) -> str:
    """JSON with a line for every second level, so that two versions can be compared and the file stays small."""
    lines = []
    for key, value in content.items():
        if isinstance(value, dict) and value:
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(item)}" for name, item in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{inner}\n }}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def page(words: Mapping[str, str], content: Mapping[str, Any]) -> str:
    """The page's text."""
    figures = sections(content, f"../images/{PREFIX}")
    parts = [words["introduction"].strip()]
    parts += [words[name].strip() for name in ("conclusions",) if name in words]
    parts += [*figures]
    parts += [words[name].strip() for name in ("appendix",) if name in words]
    return "\n\n".join(parts) + "\n"


def take(folder: pathlib.Path, docs: pathlib.Path) -> None:
    """Writes figures, rows and pictures of a benchmark's folder."""
    content = taken(folder)
    (docs / "images").mkdir(parents=True, exist_ok=True)
    (docs / "agents" / FIGURES).write_text(json_text(content), encoding="utf-8")
    rows = taken_rows((folder / "figures.csv").read_text(encoding="utf-8"))
    (docs / "agents" / ROWS).write_text(rows, encoding="utf-8")
    for name, picture in pictures(content).items():
        (docs / "images" / f"{PREFIX}{name}").write_bytes(picture)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--from", dest="folder", type=pathlib.Path, help="a finished benchmark's folder")
    parser.add_argument("--docs", type=pathlib.Path, default=DOCS, help="the folder of the pages")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args(arguments)
    docs = options.docs
    if options.folder:
        try:
            take(options.folder, docs)
        except FileNotFoundError as error:
            parser.error(f"--from {options.folder}: no finished benchmark is there ({error.filename} is missing)")
    words = yaml.safe_load((docs / "agents" / WORDS).read_text(encoding="utf-8"))
    text = page(words, json.loads((docs / "agents" / FIGURES).read_text(encoding="utf-8")))
    target = docs / "agents" / PAGE
    if options.check:
        shown = all((docs / "images" / f"{PREFIX}{name}").is_file() for name in PICTURES)
        if shown and target.is_file() and target.read_text(encoding="utf-8") == text:
            return 0
        print(f"{target} is not what its figures give; run python docs/make/benchmark_page.py")
        return 1
    target.write_text(text, encoding="utf-8")
    print(f"written: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
