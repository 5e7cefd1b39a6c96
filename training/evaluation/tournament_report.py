"""A tournament's results as text: lines for a terminal, and a page in Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

NOTE = "Agents that share a letter under `group` cannot be told apart by their ratings (5 %, all pairs together)."


def table_text(content: Mapping[str, Any]) -> str:
    """The standings for a terminal, from the content of ``tournament.json``."""
    header, rows = _standings(content)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [_summary(content), ""]
    for cells in (header, *rows):
        first, *others = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join(["", first, *others]).rstrip())
    lines += ["", NOTE.replace("`", "")]
    return "\n".join([*lines, *(f"note: {warning}" for warning in content["warnings"])])


def cross_table_page(content: Mapping[str, Any]) -> str:
    """``cross_table.md``: the standings, then who did how well with whom at the table."""
    parts = [f"# Tournament of {content['title']}", _summary(content) + ".", standings_table(content), NOTE]
    parts += [f"Note: {warning}." for warning in content["warnings"]]
    ratings = content["ratings"]
    parts.append(f"Ratings: {ratings['model']}; {ratings['scale']}. Intervals are of 95 %.")
    parts.append(
        "In the tables below a cell is the row agent's figure in the games with the column agent at the table, its "
        "95 % interval and the number of these games. `=` marks cells in which the payoffs of the two do not differ "
        "significantly (5 %, all pairs together)."
    )
    cross = content["cross_table"]
    for name in ["mean_payoff", *_rates(content)]:
        parts += [f"## {_words(name).capitalize()}", _markdown(*_cross(cross, name))]
    return "\n\n".join(parts) + "\n"


def standings_table(content: Mapping[str, Any]) -> str:
    """The standings as a Markdown table."""
    return _markdown(*_standings(content))


def _summary(content: Mapping[str, Any]) -> str:
    possible = f"{content['possible_make_ups']:,}"
    if content["sample"]:
        which = f"each at a table make-up of its own, a balanced sample of {content['make_ups']:,} of the {possible}"
    else:
        which = f"each at all {possible} table make-ups"
    return (
        f"{content['games']:,} games of {content['game']} with {content['settings']['num_players']} players, seed "
        f"{content['seed']}: {content['deals']:,} deals, {which}, with seats rotated"
    )


def _rates(content: Mapping[str, Any]) -> list[str]:
    """The game's rates; where games were truncated, also with these counted as hits."""
    truncated = any(row["truncated_share"] > 0 for row in content["standings"])
    return [name + ending for name in content["rates"] for ending in (("", "_or_truncated") if truncated else ("",))]


def _standings(content: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    rates = _rates(content)
    header = ["agent", "rating", "group", "mean payoff", *map(_words, rates), "truncated", "illegal", "games"]
    rows = []
    for row in content["standings"]:
        low, high = row["rating_ci"]
        figures = [_ranged(row["mean_payoff"], row["mean_payoff_ci"], "+.4f")]
        figures += [_ranged(row[name], row[f"{name}_ci"], ".4f") for name in rates]
        counts = [f"{row['truncated_share']:.4f}", str(row["illegal_actions"]), f"{row['games']:,}"]
        rating = f"{row['rating']:+.0f} [{low:+.0f}, {high:+.0f}]" if low < high else f"{row['rating']:.0f}"
        rows.append([row["agent"], rating, row["group"], *figures, *counts])
    return header, rows


def _cross(cross: Mapping[str, Any], name: str) -> tuple[list[str], list[list[str]]]:
    labels, form = cross["agents"], "+.3f" if name == "mean_payoff" else ".3f"
    rows = []
    for place, label in enumerate(labels):
        cells = []
        for column in range(len(labels)):
            if column == place:
                cells.append("")
                continue
            ranged = _ranged(cross[name][place][column], cross[f"{name}_ci"][place][column], form)
            mark = "" if cross["lead_clear"][place][column] else "= "
            cells.append(f"{mark}{ranged} ({cross['games'][place][column]:,})")
        rows.append([label, *cells])
    return ["", *labels], rows


def _ranged(value: float, interval: Sequence[float | None], form: str) -> str:
    low, high = interval
    return f"{value:{form}}" if low is None else f"{value:{form}} [{low:{form}}, {high:{form}}]"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def _words(name: str) -> str:
    return name.replace("_", " ")
