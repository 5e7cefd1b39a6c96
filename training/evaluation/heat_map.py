"""The cross table of a tournament as a picture."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np

CELL, LETTER = 1.05, 0.085  # inches
TILT = 40  # degrees
GREY = "#e6e6e6"
DARK = 0.45  # luminance below which writing is white


def heat_map(content: Mapping[str, Any]) -> bytes:
    """A PNG of the payoffs in a tournament's ``cross_table``, from the content of ``tournament.json``.

    Red is less than an even share, blue is more. Below each value stands half the width of its 95 % interval; a value
    in brackets is one where row and column agent cannot be told apart.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    cross = content["cross_table"]
    labels = cross["agents"]
    values = np.array([[np.nan if cell is None else cell for cell in row] for row in cross["mean_payoff"]])
    even = 0.0 if content["payoff_sum"] is None else content["payoff_sum"] / content["seats"]
    reach = max(float(np.nanmax(np.abs(values - even))), 1e-9)
    longest = LETTER * max(len(label) for label in labels)
    side = CELL * len(labels)
    size = (max(side + longest + 1.8, 6.0), side + longest * np.sin(np.radians(TILT)) + 1.3)
    figure = Figure(figsize=size, dpi=120, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_facecolor(GREY)
    image = axes.imshow(values, cmap="RdBu", vmin=even - reach, vmax=even + reach)
    for row in range(len(labels)):
        for column in range(len(labels)):
            if row != column:
                text = _cell(cross, row, column)
                red, green, blue, _ = image.cmap(image.norm(values[row, column]))
                dark = 0.299 * red + 0.587 * green + 0.114 * blue < DARK
                colour = "white" if dark else "black"
                axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(len(labels)), labels, rotation=TILT, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(labels)), labels)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_ylabel("mean payoff of")
    axes.set_xlabel("with this agent at the table", labelpad=8)
    axes.xaxis.set_label_position("top")
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, shrink=0.8)
    figure.supxlabel(
        f"{content['title']}, {content['settings']['num_players']} players, {content['games']:,} games\n"
        "± 95 % interval; in brackets: the two cannot be told apart at their common tables",
        fontsize=8,
    )
    buffer = io.BytesIO()
    canvas.print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def _cell(cross: Mapping[str, Any], row: int, column: int) -> str:
    value = f"{cross['mean_payoff'][row][column]:+.3f}"
    low, high = cross["mean_payoff_ci"][row][column]
    shown = value if cross["lead_clear"][row][column] else f"({value})"
    return shown if low is None else f"{shown}\n± {(high - low) / 2:.3f}"
