"""Writing on pictures with Pillow's built-in font, so that no font file is needed.

Sizes and lengths are pixels of the image written on. Pillow is loaded by the first letter, not by the import.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

Colour = tuple[int, ...]  # red, green, blue and perhaps opacity, 0..255
Box = tuple[float, float, float, float]  # left, top, right, bottom
MOST_LETTERS = 300  # of one text; a picture has no room for more


@lru_cache(maxsize=128)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The built-in font, its letters `size` pixels high."""
    from PIL import ImageFont

    return ImageFont.load_default(size=max(4, size))  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text, or as much of it as a picture has room for, in letters that the built-in font has."""
    text = text[:MOST_LETTERS]
    for letter, simple in {"×": "x", "–": "-", "—": "-", "→": "->", "←": "<-", "ß": "ss", "’": "'"}.items():
        text = text.replace(letter, simple)
    letters = []
    for c in unicodedata.normalize("NFKD", text):
        if c in "·…" or " " <= c <= "~":
            letters.append(c)
        elif not unicodedata.combining(c):
            letters.append(" " if unicodedata.category(c)[0] in "CZ" else "?")
    return "".join(letters).replace("...", "…").strip()


def length(text: str, size: float) -> float:
    """How wide a line of text is."""
    return font(int(size)).getlength(text)


def fitted(text: str, width: float, size: float, least: float) -> tuple[str, float]:
    """The text and the size, at most `size`, at which it fits; at `least` it is cut, ending in "…"."""
    wide = length(text, size)
    if wide > width:
        size = max(least, size * width / wide)
        while size > least and length(text, size) > width:  # widths do not grow evenly with the size
            size = max(least, size - 0.5)
        if length(text, size) > width:
            fits = bisect_left(range(len(text)), True, key=lambda n: length(text[: n + 1] + "…", size) > width)
            text = text[:fits].rstrip() + "…"
    return text, size


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines of whole words, each at most `width` wide where words allow."""
    lines: list[str] = []
    for word in text.split():
        if lines and length(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def write(
    pen: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: float,
    fill: Colour,
    anchor: str = "mm",
    bold: float = 0.0,
) -> None:
    """Write one line; `bold` thickens the letters by that part of their size: the font has no bold face."""
    pen.text(at, text, fill=fill, font=font(int(size)), anchor=anchor, stroke_width=bold * size, stroke_fill=fill)


def write_block(pen: ImageDraw.ImageDraw, box: Box, text: str, largest: float, fill: Colour, bold: float = 0.0) -> None:
    """Write text into a box, as large as it fits."""
    left, top, right, bottom = box
    size = largest
    while True:
        lines = wrapped(text, right - left, size)
        wide = max((length(line, size) for line in lines), default=0)
        if size <= 5 or (wide <= right - left and len(lines) * size * 1.12 <= bottom - top):
            break
        size = max(5.0, size * 0.92)
    y = (top + bottom) / 2 - (len(lines) - 1) * size * 0.56
    for i, line in enumerate(lines):
        write(pen, ((left + right) / 2, y + i * size * 1.12), line, size, fill, bold=bold)
