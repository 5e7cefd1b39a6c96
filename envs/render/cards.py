"""Pictures of single cards: faces with numbers, words or pictograms, and backs.

A sprite is an image with transparent corners, painted larger than needed, scaled down and kept, since the
same few cards lie on the table in frame after frame. Pillow is loaded by the first card, not by the import.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ..core.scene import Card
from .letters import Box, Colour, fitted, plain, write, write_block

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

RATIO = 0.7  # width of a card by its height
SHADES: dict[str, Colour] = {
    "plain": (252, 249, 240), "green": (46, 139, 72), "blue": (41, 98, 184), "red": (198, 45, 48),
    "yellow": (243, 196, 48), "grey": (104, 110, 120), "purple": (124, 66, 160), "orange": (232, 126, 34),
    "brown": (124, 82, 44),
}  # fmt: skip
PAPER, INK, EDGE = (252, 249, 240), (44, 38, 36), (96, 88, 78)
BACK = (122, 30, 48)  # of the usual deck


def rounded(
    pen: ImageDraw.ImageDraw,
    box: Box,
    radius: float,
    fill: Colour | int | None = None,
    outline: Colour | None = None,
    width: float = 1.0,
) -> None:
    """A rectangle with round corners; Pillow gets whole numbers in order and a radius that fits."""
    left, top, right, bottom = (round(edge) for edge in box)
    right, bottom = max(left, right), max(top, bottom)
    radius = min(round(radius), (right - left) // 2, (bottom - top) // 2)
    pen.rounded_rectangle((left, top, right, bottom), radius, fill=fill, outline=outline, width=max(1, round(width)))


# Pictograms: drawn into the square of side `s` whose upper left corner is (x, y)


def _part(x: float, y: float, s: float, left: float, top: float, right: float, bottom: float) -> Box:
    """A box inside the square, its edges given as fractions of the side."""
    return x + left * s, y + top * s, x + right * s, y + bottom * s


def swirl(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    """A poo head: three brown rings and a tip, with eyes and a smile."""
    dark, brown, light = (84, 50, 22), (134, 84, 40), (168, 112, 60)
    line = max(1, round(s * 0.03))
    tip = [(0.38, 0.3), (0.44, 0.14), (0.6, 0.02), (0.58, 0.16), (0.66, 0.3)]
    pen.polygon([(x + a * s, y + b * s) for a, b in tip], fill=brown, outline=dark, width=line)
    rings = [(0.04, 0.6, 0.96, 0.98), (0.15, 0.38, 0.85, 0.72), (0.28, 0.2, 0.72, 0.48)]
    for left, top, right, bottom in rings:
        ring = _part(x, y, s, left, top, right, bottom)
        rounded(pen, ring, (bottom - top) * s / 2, fill=brown, outline=dark, width=line)
        gleam = _part(x, y, s, left + 0.06, top + 0.04, right - 0.06, bottom)
        pen.arc(gleam, 200, 260, fill=light, width=line * 2)
    for eye in (0.37, 0.63):
        white = _part(x, y, s, eye - 0.09, 0.44, eye + 0.09, 0.66)
        pen.ellipse(white, fill=(255, 255, 255), outline=dark, width=line)
        pen.ellipse(_part(x, y, s, eye - 0.03, 0.51, eye + 0.05, 0.62), fill=(30, 24, 20))
    mouth = _part(x, y, s, 0.34, 0.64, 0.66, 0.88)
    pen.chord(mouth, 0, 180, fill=(255, 246, 235), outline=dark, width=line)


def _bomb(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    """A round bomb with a burning fuse."""
    fuse = _part(x, y, s, 0.5, 0.08, 0.86, 0.5)
    pen.arc(fuse, 190, 330, fill=(150, 118, 74), width=max(1, round(s * 0.06)))
    pen.ellipse(_part(x, y, s, 0.06, 0.24, 0.78, 0.96), fill=(38, 38, 46))
    neck = [(0.46, 0.22), (0.58, 0.15), (0.7, 0.3), (0.58, 0.4)]
    pen.polygon([(x + a * s, y + b * s) for a, b in neck], fill=(64, 64, 74))
    pen.chord(_part(x, y, s, 0.15, 0.33, 0.5, 0.68), 150, 280, fill=(120, 122, 136))
    for radius, colour in [(0.19, (240, 110, 30)), (0.12, (255, 214, 70))]:
        pen.polygon(_spikes(x + 0.84 * s, y + 0.18 * s, radius * s, 8, 0.45), fill=colour)


def _star(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    points = _spikes(x + 0.5 * s, y + 0.53 * s, 0.5 * s, 5, 0.42)
    pen.polygon(points, fill=(150, 96, 44), outline=(92, 54, 20), width=max(1, round(s * 0.035)))


def _two_stars(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    _star(pen, x, y, 0.62 * s)
    _star(pen, x + 0.38 * s, y + 0.38 * s, 0.62 * s)


def _skip(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    line = max(2, round(s * 0.13))
    pen.ellipse(_part(x, y, s, 0.06, 0.06, 0.94, 0.94), outline=(190, 36, 40), width=line)
    pen.line((x + 0.22 * s, y + 0.22 * s, x + 0.78 * s, y + 0.78 * s), fill=(190, 36, 40), width=line)


def _reverse(pen: ImageDraw.ImageDraw, x: float, y: float, s: float) -> None:
    """Two arrows, each pointing where the other comes from."""
    arrow = [(0.04, 0.34), (0.3, 0.08), (0.3, 0.24), (0.94, 0.24), (0.94, 0.44), (0.3, 0.44), (0.3, 0.6)]
    pen.polygon([(x + a * s, y + (b - 0.02) * s) for a, b in arrow], fill=(44, 120, 80))
    pen.polygon([(x + (1 - a) * s, y + (1.02 - b) * s) for a, b in arrow], fill=(60, 66, 80))


def _spikes(x: float, y: float, radius: float, count: int, inner: float) -> list[tuple[float, float]]:
    """The corners of a star with `count` spikes, the first pointing up."""
    corners = []
    for i in range(2 * count):
        angle, r = (i / count - 0.5) * math.pi, radius if i % 2 == 0 else radius * inner
        corners.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    return corners


Pictogram = Callable[["ImageDraw.ImageDraw", float, float, float], None]
PICTOGRAMS: dict[str, Pictogram] = {
    "poo head": swirl, "pooman": swirl, "pooperman": swirl, "bomb": _bomb, "1 star": _star,
    "2 stars": _two_stars, "skip": _skip, "reverse": _reverse,
}  # fmt: skip
"""Pictures by the last words of a label; whatever is not here is written out."""


def pictogram(label: str) -> Pictogram | None:
    """The pictogram of a label, None for one that is written out."""
    words = label.lower().split()
    return next((p for p in (PICTOGRAMS.get(" ".join(words[i:])) for i in range(len(words))) if p), None)


# Cards


def ink_on(shade: Colour) -> Colour:
    """Dark ink on light shades, white on dark ones."""
    return INK if shade[0] * 0.3 + shade[1] * 0.59 + shade[2] * 0.11 > 150 else (255, 255, 255)


def sprite(card: Card, height: float, covered: bool) -> Image.Image:
    """The picture of a card; of a card that lies face down nothing but its colour is looked at."""
    label = plain(card.label) if card.face_up else ""
    colour = card.colour if card.colour in SHADES else "plain"
    return _painted(label, colour, card.face_up, card.turned, covered and card.face_up, max(6, round(height)))


@lru_cache(maxsize=1024)
def _painted(label: str, colour: str, face_up: bool, turned: bool, covered: bool, height: int) -> Image.Image:
    """A card `height` pixels high with transparent corners. Shared: do not write to it."""
    from PIL import Image, ImageDraw

    width = max(4, round(height * RATIO))
    zoom = 2 if height >= 40 else 3
    image = Image.new("RGBA", (width * zoom, height * zoom), (255, 255, 255, 0))
    pen = ImageDraw.Draw(image)
    w, h = image.size
    rounded(pen, (0, 0, w - 1, h - 1), 0.13 * w, fill=PAPER, outline=EDGE, width=max(1, w // 50))
    if face_up:
        image = _paint_face(image, label, colour, covered, small=height < 60)
    else:
        _paint_back(pen, w, h, BACK if colour == "plain" else SHADES[colour])
    image = image.resize((width, height), Image.Resampling.LANCZOS)
    return image.transpose(Image.Transpose.ROTATE_90) if turned else image


def _paint_back(pen: ImageDraw.ImageDraw, w: int, h: int, shade: Colour) -> None:
    """A lattice in a paper frame with an emblem in the middle."""
    light = tuple(min(255, c + 38) for c in shade)
    rim = 0.07 * w
    rounded(pen, (rim, rim, w - rim, h - rim), 0.09 * w, fill=shade)
    step, line = 0.17 * w, max(1, round(w * 0.014))
    inner = 1.6 * rim
    for i in range(-int(h / step) - 1, int(w / step) + 2):  # both diagonals, clipped to the field
        for rising in (False, True):
            low = max(inner, i * step + inner)
            high = min(w - inner, i * step + h - inner)
            if low < high:
                a, b = low - i * step, high - i * step
                pen.line((low, h - a if rising else a, high, h - b if rising else b), fill=light, width=line)
    rounded(pen, (inner, inner, w - inner, h - inner), 0.06 * w, outline=light, width=line)
    r = 0.25 * w
    pen.ellipse((w / 2 - r, h / 2 - r, w / 2 + r, h / 2 + r), fill=PAPER, outline=light, width=line * 2)
    swirl(pen, w / 2 - 0.65 * r, h / 2 - 0.72 * r, 1.3 * r)


def _paint_face(image: Image.Image, label: str, colour: str, covered: bool, small: bool) -> Image.Image:
    """Number or pictogram large, other words wrapped; a covered card shows its label at the left edge."""
    from PIL import Image, ImageDraw

    pen = ImageDraw.Draw(image)
    w, h = image.size
    shade = SHADES[colour]
    ink = ink_on(shade)
    if colour != "plain":
        rounded(pen, (0.06 * w, 0.06 * w, 0.94 * w, h - 0.06 * w), 0.09 * w, fill=shade)
    picture = pictogram(label)
    number = _number(label) if not picture else None
    if picture:
        s = (0.62 if covered else 0.72) * w
        x, y = (w - s) / 2, 0.12 * h if not small else (h - s) / 2 - 0.02 * h
        if colour != "plain":
            pen.ellipse((x - 0.06 * w, y - 0.06 * w, x + s + 0.06 * w, y + s + 0.06 * w), fill=PAPER)
        if not covered:
            picture(pen, x, y, s)
            if not small:
                write_block(pen, (0.1 * w, 0.7 * h, 0.9 * w, 0.95 * h), label, 0.16 * h, ink, bold=0.02)
    elif number and not covered:
        words, digits = number
        middle = 0.5 * h if not words or small else 0.44 * h
        text, size = fitted(digits, 0.76 * w, (0.66 if small else 0.5) * h, 1)
        write(pen, (w / 2, middle), text, size, ink, bold=0.03)
        if words and not small:
            write_block(pen, (0.1 * w, 0.68 * h, 0.9 * w, 0.95 * h), words, 0.16 * h, ink, bold=0.02)
    elif not covered:
        write_block(pen, (0.09 * w, 0.08 * h, 0.91 * w, 0.92 * h), label, 0.24 * h, ink, bold=0.02)
    if picture and covered:
        s = 0.3 * w
        if colour != "plain":
            pen.ellipse((0.02 * w, 0.04 * h, 0.1 * w + s, 0.04 * h + 0.08 * w + s), fill=PAPER)
        picture(pen, 0.06 * w, 0.04 * h + 0.04 * w, s)
    elif covered:
        words, digits = number or (label, "")
        size = 0.26 * h
        if digits:
            text, points = fitted(digits, 0.3 * w, size, 1)
            write(pen, (0.1 * w, 0.07 * h), text, points, ink, anchor="lt", bold=0.02)
        if words:
            above = round(0.3 * h if digits else 0.05 * h)
            strip = _upright(words, (round(0.26 * w), round(0.95 * h) - above), ink)
            image.alpha_composite(strip, (round(0.06 * w), above))
    elif number and not small:
        text, points = fitted(number[1], 0.3 * w, 0.18 * h, 1)
        for _ in range(1 if number[0] else 2):  # the same in the corner opposite, upside down
            write(ImageDraw.Draw(image), (0.1 * w, 0.07 * h), text, points, ink, anchor="lt", bold=0.02)
            image = image.transpose(Image.Transpose.ROTATE_180)
        image = image.transpose(Image.Transpose.ROTATE_180) if number[0] else image
    return image


def _number(label: str) -> tuple[str, str] | None:
    """The words before the number and the number: ("", "7"), ("blue", "3"); None for a label of words."""
    match = re.fullmatch(r"(?:(.+) )?(\d{1,3})", label)
    if match:
        return match[1] or "", match[2]
    return ("", label) if 0 < len(label) <= 2 else None


def _upright(text: str, size: tuple[int, int], ink: Colour) -> Image.Image:
    """Text that runs upwards, to be read on the narrow strip that a card leaves of the one below."""
    from PIL import Image, ImageDraw

    strip = Image.new("RGBA", (max(1, size[1]), max(1, size[0])), (*ink[:3], 0))
    text, points = fitted(text, strip.width * 0.94, strip.height * 0.85, 5)
    write(ImageDraw.Draw(strip), (strip.width / 2, strip.height / 2), text, points, ink, bold=0.02)
    return strip.transpose(Image.Transpose.ROTATE_90)
