"""A `Scene` as an array of pixels: a felt table seen from above, the viewer at its bottom edge.

The others sit clockwise as seen from above: the next player to the viewer's left, then along the top, then down
the right side. Cards shrink, overlap and finally break into lines until everything fits its slot, so two places
and twenty-five use the same code.

Conventions: all lengths are pixels of the canvas, which is larger than the picture (usually twice) and scaled down
at the end for smooth edges; `k` is the number of canvas pixels to one pixel of the default size, so `12 * k` is
"12 pixels at 960 by 640". Pillow is loaded by the first picture, not by the import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..core.scene import Card, Grid, Place, Scene, Zone
from .cards import EDGE, INK, PAPER, RATIO, SHADES, ink_on, pictogram, rounded, sprite
from .letters import Box, Colour, fitted, length, plain, wrapped, write

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 960, 640  # default size; all proportions are made for it
MAX_CANVAS = 9_000_000  # pixels; larger pictures are drawn without supersampling
ROW, FAN = 1.07, 0.4  # from card to card, as a fraction of a card's width
LEAST = {"row": 0.45, "fan": 0.26}  # how close cards may lie before they go on to another line
MOST_DRAWN = 72  # cards drawn of one zone; its caption says how many there are
GOLD, CREAM, FLOOR = (255, 205, 84), (238, 232, 214), (40, 32, 30)


def draw(scene: Scene, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """Return the scene as uint8 (height, width, 3), red, green and blue 0..255; the same scene, the same bytes.

    Letters that Pillow's built-in font lacks (it knows ASCII) are written in their nearest ASCII form, or as "?".
    """
    from PIL import Image

    if width < 1 or height < 1:
        raise ValueError(f"width and height are {width} and {height}; allowed are 1 and more")
    # the table keeps a reasonable shape; what is left of an odd format is floor
    w = max(1, min(width, round(height * 2.2)))
    h = max(1, min(height, round(width * 1.1)))
    scale = min(w / WIDTH, h / HEIGHT)
    k = max(1.0, 2 * scale)
    if w * h * (k / scale) ** 2 > MAX_CANVAS and scale > 1:
        k = scale
    canvas = _Canvas(round(w * k / scale), round(h * k / scale), k, len(scene.lines))
    canvas.table(scene)
    table = canvas.image.resize((w, h), Image.Resampling.BOX)
    if (w, h) == (width, height):
        return np.array(table)
    picture = Image.new("RGB", (width, height), FLOOR)
    picture.paste(table, ((width - w) // 2, (height - h) // 2))
    return np.array(picture)


# How cards lie


@dataclass(frozen=True)
class _Strip:
    """Cards of one zone that lie on one line."""

    zone: Zone
    cards: tuple[Card, ...]
    spread: float  # from card to card, as a fraction of a card's width
    caption: str  # below the last strip of a zone, else ""
    width: float


@dataclass(frozen=True)
class _Layout:
    """Zones arranged for one height of cards."""

    height: float  # of a card
    lines: tuple[tuple[_Strip, ...], ...]
    gap: float  # between zones on a line
    caption: float  # height of a caption, 0 without captions
    leading: float  # between lines

    @property
    def size(self) -> tuple[float, float]:
        widths = [sum(strip.width for strip in line) + self.gap * (len(line) - 1) for line in self.lines]
        pitch = self.height + self.caption + self.leading
        return max(widths, default=0.0), pitch * len(self.lines) - (self.leading if self.lines else 0)


def _footprint(card: Card, height: float) -> float:
    return height if card.turned else height * RATIO


def _reach(cards: Sequence[Card], height: float, spread: float) -> float:
    """Width of cards that lie `spread` of a card's width from each other."""
    widths = [_footprint(card, height) for card in cards]
    return sum(widths[:-1]) * spread + widths[-1] if widths else height * RATIO


def _total(zone: Zone) -> int:
    return sum(card.count for card in zone.cards)


def _strips(zone: Zone, height: float, room: float) -> list[_Strip]:
    """The zone on as many lines as it needs; cards move closer together before a second line is begun."""
    style = zone.style if zone.style in ("fan", "stack") else "row"
    caption = plain(zone.name)
    if style == "stack":
        return [_Strip(zone, zone.cards[-1:], 1.0, caption, _reach(zone.cards[-1:], height, 1.0) + 0.08 * height)]
    cards = zone.cards[-MOST_DRAWN:] if style == "fan" else zone.cards[:MOST_DRAWN]
    if len(zone.cards) > MOST_DRAWN:
        caption = f"{caption} {_total(zone)}, {MOST_DRAWN} shown".strip()
    elif _total(zone) > 5:
        caption = f"{caption} {_total(zone)}".strip()
    spread = FAN if style == "fan" else ROW
    rows = 1
    while rows < len(cards) and _reach(cards[: -(-len(cards) // rows)], height, LEAST[style]) > room:
        rows += 1
    size = -(-len(cards) // rows) or 1
    strips = []
    for start in range(0, max(1, len(cards)), size):
        part = cards[start : start + size]
        spare = room - (_footprint(part[-1], height) if part else 0)
        covered = _reach(part, height, 1.0) - (_footprint(part[-1], height) if part else 0)
        close = max(0.02, min(spread, spare / covered)) if covered > 0 else spread
        last = start + size >= len(cards)
        strips.append(_Strip(zone, part, close, caption if last else "", _reach(part, height, close)))
    return strips


def _arranged(zones: Sequence[Zone], room: float, height: float, k: float, captions: bool) -> _Layout:
    """Zones left to right, on as many lines as the room is too narrow for."""
    gap = max(5 * k, 0.28 * height)
    lines: list[list[_Strip]] = []
    used = 0.0
    for zone in zones:
        strips = _strips(zone, height, room)
        for strip in strips:
            wide = max(strip.width, length(strip.caption, 11 * k) if captions else 0)
            if not lines or len(strips) > 1 or used + gap + wide > room:
                lines.append([])
                used = -gap
            lines[-1].append(strip)
            used += gap + wide
        used = room if len(strips) > 1 else used
    return _Layout(height, tuple(map(tuple, lines)), gap, 14 * k if captions else 0, 4 * k)


def _laid_out(zones: Sequence[Zone], room: tuple[float, float], largest: float, k: float, captions: bool) -> _Layout:
    """The arrangement with the largest cards, at most `largest` high, that fits into the room."""
    height = largest
    while True:
        layout = _arranged(zones, room[0], height, k, captions)
        if height <= 7 * k or (layout.size[0] <= room[0] + 1 and layout.size[1] <= room[1] + 1):
            return layout
        height *= 0.94


# Where places are


def _slots(count: int, area: Box) -> list[Box]:
    """A box for each of `count` other places: up the left side, along the top, down the right side."""
    left, top, right, bottom = area
    w, h = right - left, bottom - top
    side = round(0.29 * count) if count > 2 else 0
    along = count - 2 * side
    column = w * (0.2 if side == 1 else 0.17 if side == 2 else 0.135)
    if along > 3:  # a full row reaches into the corners and the columns begin below it
        row, start, end, inset = h * (0.22 if along < 6 else 0.155), 0.0, 0.0, 0.0
        start = row
    else:
        row, start, end, inset = h * 0.27, (0.14 if side < 3 else 0.06) * h, 0.16 * h if side < 3 else 0.0, column
    if side < 3 and along > 3:
        end = 0.12 * h
    boxes = []
    pitch = (h - start - end) / max(1, side)
    for i in reversed(range(side)):
        boxes.append((left, top + start + i * pitch, left + column, top + start + (i + 1) * pitch))
    wide = (w - 2 * inset) / max(1, along)
    for i in range(along):
        boxes.append((left + inset + i * wide, top, left + inset + (i + 1) * wide, top + row))
    for i in range(side):
        boxes.append((right - column, top + start + i * pitch, right, top + start + (i + 1) * pitch))
    return boxes


@lru_cache(maxsize=4)
def _felt(width: int, height: int, table: tuple[int, int, int, int], k: float) -> Image.Image:
    """The empty table in its room. Shared: do not draw on it."""
    from PIL import Image, ImageDraw

    y, x = np.ogrid[:height, :width]
    far = np.sqrt(((x - width / 2) / width) ** 2 + ((y - height / 2) / height) ** 2)[..., None]
    grain = np.random.default_rng(5).normal(0, 3.0, (height, width, 1))
    floor = np.array(FLOOR) * (1.15 - 0.7 * far)
    felt = np.array((44, 128, 80)) * (1.12 - 0.85 * far) + grain
    image = Image.fromarray(np.clip(floor, 0, 255).astype(np.uint8))
    cloth = Image.fromarray(np.clip(felt, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(image, "RGBA")
    left, top, right, bottom = table
    radius = 0.36 * (bottom - top)
    for i in range(6):
        d = (6 - i) * 1.6 * k
        rounded(pen, (left - d, top - d + 3 * k, right + d, bottom + d + 3 * k), radius + d, fill=(0, 0, 0, 26))
    for inset, colour in [(0, (66, 38, 20)), (1.5, (124, 78, 42)), (6, (104, 62, 32)), (10, (58, 33, 18))]:
        d = inset * k
        rounded(pen, (left + d, top + d, right - d, bottom - d), radius - d, fill=colour)
    d = 12 * k
    mask = Image.new("L", image.size, 0)
    field = (left + d, top + d, right - d, bottom - d)
    rounded(ImageDraw.Draw(mask), field, radius - d, fill=255)
    image.paste(cloth, (0, 0), mask)
    d += 14 * k
    rounded(pen, (left + d, top + d, right - d, bottom - d), radius - d, outline=(255, 255, 255, 26), width=1.5 * k)
    return image


class _Canvas:
    """The picture in the making."""

    def __init__(self, width: int, height: int, k: float, num_lines: int):
        from PIL import ImageDraw

        self.width, self.height, self.k = width, height, k
        self.top = 30 * k
        # room for two lines is always kept, so that the table does not jump about
        self.bottom = height - (8 + 18 * min(5, max(2, num_lines))) * k
        table = (round(16 * k), round(self.top + 4 * k), round(width - 16 * k), round(self.bottom - 4 * k))
        self.image = _felt(width, height, table, k).copy()
        self.pen = ImageDraw.Draw(self.image, "RGBA")

    def table(self, scene: Scene) -> None:
        """Draw everything."""
        k = self.k
        title, size = fitted(plain(scene.title), self.width - 60 * k, 19 * k, 8 * k)
        pictogram("poo head")(self.pen, 12 * k, 5 * k, 21 * k)
        write(self.pen, (40 * k, 17 * k), title, size, CREAM, anchor="lm", bold=0.02)
        middle = self.places(scene.places)
        if scene.grid is not None:
            middle = self.room(scene.grid, middle, bool(scene.centre))
        self.centre(scene.centre, middle)
        self.lines(scene.lines)

    # Cards

    def card(self, card: Card, x: float, y: float, height: float, covered: bool) -> None:
        """Draw one card with its left edge at x; a turned one lies halfway up."""
        picture = sprite(card, height, covered)
        left = round(x)
        upper = round(y + (height - picture.height) / 2) if card.turned else round(y)
        d = max(1, round(0.025 * height))
        shadow = (left + d, upper + d, left + picture.width + d, upper + picture.height + d)
        rounded(self.pen, shadow, 0.09 * height, fill=(0, 0, 0, 70))
        self.image.paste(picture, (left, upper), picture)
        if card.count > 1:
            self.badge(left + picture.width, upper + picture.height, f"x{card.count}", height)

    def badge(self, x: float, y: float, text: str, height: float) -> None:
        """A number in a pill over the lower right corner of a card."""
        size = max(9 * self.k, 0.2 * height)
        half = max(length(text, size) / 2 + 0.35 * size, 0.62 * size)
        x, y = x - 0.6 * half, y - 0.45 * size
        box = (x - half, y - 0.62 * size, x + half, y + 0.62 * size)
        rounded(self.pen, box, 0.62 * size, fill=(30, 26, 28, 235), outline=CREAM, width=0.8 * self.k)
        write(self.pen, (x, y), text, size, CREAM)

    def strip(self, strip: _Strip, x: float, y: float, layout: _Layout) -> None:
        """Draw cards of one zone with their caption."""
        height, k = layout.height, self.k
        if not strip.cards:
            slot = (x, y, x + height * RATIO, y + height)
            rounded(self.pen, slot, 0.09 * height, fill=(0, 0, 0, 30), outline=(255, 255, 255, 80), width=k)
        at = x
        if strip.zone.style == "stack" and strip.cards:
            total = _total(strip.zone)
            self.thickness(x, y, height, strip.cards[0], min(4, total // 3 + (total > 1)))
            top = strip.cards[0]
            self.card(Card(top.label, top.colour, top.face_up, top.turned), x, y, height, covered=False)
            if total > 1:
                self.badge(x + _footprint(top, height), y + height, str(total), height)
        else:
            for i, card in enumerate(strip.cards):
                last = i == len(strip.cards) - 1
                self.card(card, at, y, height, covered=not last and strip.spread < 0.95)
                at += _footprint(card, height) * strip.spread
        if layout.caption and strip.caption:
            centre = (x + strip.width / 2, y + height + 0.55 * layout.caption)
            text, size = fitted(strip.caption, max(strip.width + layout.gap, 60 * k), 11 * k, 8 * k)
            write(self.pen, centre, text, size, (*CREAM, 215))

    def thickness(self, x: float, y: float, height: float, card: Card, layers: int) -> None:
        """The edges of the cards below the top of a stack."""
        w, h = _footprint(card, height), height if not card.turned else height * RATIO
        y += (height - h) / 2
        for i in range(layers, 0, -1):
            d = 0.02 * height * i
            box = (x + d, y - d, x + w + d, y + h - d)
            rounded(self.pen, box, 0.09 * height, fill=PAPER, outline=EDGE, width=0.6 * self.k)

    def lay(self, layout: _Layout, box: Box) -> None:
        """Draw an arrangement in the middle of a box."""
        left, top, right, bottom = box
        y = (top + bottom - layout.size[1]) / 2
        for line in layout.lines:
            wide = sum(strip.width for strip in line) + layout.gap * (len(line) - 1)
            x = (left + right - wide) / 2
            for strip in line:
                self.strip(strip, x, y, layout)
                x += strip.width + layout.gap
            y += layout.height + layout.caption + layout.leading

    # Places

    def places(self, places: Sequence[Place]) -> Box:
        """Draw all places; return the box in the middle that they leave free."""
        k = self.k
        area = (6 * k, self.top, self.width - 6 * k, self.bottom)
        slots = _slots(len(places) - 1, area)
        small = len(slots) > 5
        pad, head = (3 if small else 6) * k, (15 if small else 20) * k
        column = slots[0][2] - slots[0][0] if len(slots) > 2 else 0.1 * self.width
        left, top, right, bottom = area[0], area[1], area[2], area[3]
        # all others have cards of one size: that of the fullest place
        others = [(place, _shown(place), slot) for place, slot in zip(places[1:], slots, strict=True)]
        rooms = [(slot[2] - slot[0] - 2 * pad - 4 * k, slot[3] - slot[1] - head - 2 * pad - (13 * k if place.note else 0) - 3 * k) for place, _, slot in others]
        for captions in (True, False):
            layouts = [_laid_out(zones, room, 66 * k, k, captions) for (_, zones, _), room in zip(others, rooms, strict=True)]
            height = min([layout.height for layout, (_, zones, _) in zip(layouts, others, strict=True) if zones], default=0)
            if height > 34 * k:
                break
        for (place, zones, slot), room in zip(others, rooms, strict=True):
            layout = _arranged(zones, room[0], height, k, captions)
            mat = self.place(place, layout, slot, pad, head, align="top" if slot[1] == area[1] else "middle")
            if slot[0] > left + column * 0.5 and slot[2] < right - column * 0.5 or len(slots) < 3:
                top = max(top, mat[3])
        inner = (left + column, right - column) if len(slots) > 2 else (left, right)
        if places:
            viewer = places[0]
            slot = (inner[0] + 8 * k, self.bottom - 0.36 * (self.bottom - self.top), inner[1] - 8 * k, self.bottom - 2 * k)
            room = (slot[2] - slot[0] - 14 * k, slot[3] - slot[1] - 44 * k)
            layout = _laid_out(viewer.zones, room, 96 * k, k, captions=True)
            bottom = self.place(viewer, layout, slot, 7 * k, 20 * k, align="bottom")[1]
        return inner[0] + 8 * k, top + 4 * k, inner[1] - 8 * k, bottom - 4 * k

    def place(self, place: Place, layout: _Layout, slot: Box, pad: float, head: float, align: str) -> Box:
        """Draw one place as a mat on the felt with its name, note and cards; return the mat's box."""
        k = self.k
        note, note_size = fitted(plain(place.note), slot[2] - slot[0] - 4 * pad, 11 * k, 7 * k)
        name, size = fitted(plain(place.name), slot[2] - slot[0] - 2 * head - 2 * pad, 0.68 * head, 7 * k)
        wide, high = layout.size
        note_high = 14 * k if note else 0
        plate = length(name, size) + (2.1 if place.active else 1.1) * head
        w = min(max(wide, plate, length(note, note_size)) + 2 * pad, slot[2] - slot[0] - 2 * k)
        h = head + note_high + high + 2 * pad
        x = (slot[0] + slot[2] - w) / 2
        y = {"top": slot[1] + 2 * k, "middle": (slot[1] + slot[3] - h) / 2, "bottom": slot[3] - h}[align]
        mat = (x, y, x + w, y + h)
        radius = 9 * k if pad > 4 * k else 6 * k
        if place.active:
            for i in range(5, 0, -1):
                d = i * 1.4 * k
                rounded(self.pen, (x - d, y - d, x + w + d, y + h + d), radius + d, fill=(*GOLD, 26))
        rounded(self.pen, mat, radius, fill=(8, 34, 20, 150 if place.out else 105))
        self.lay(layout, (x, y + head + note_high + pad, x + w, y + h - pad))
        if place.out and layout.lines:
            rounded(self.pen, mat, radius, fill=(8, 34, 20, 120))
        if place.active:
            rounded(self.pen, mat, radius, outline=GOLD, width=2.2 * k)
        self.plate(place, name, size, (x + w / 2, y + 0.55 * head), plate, head)
        if note:
            write(self.pen, (x + w / 2, y + head + 0.55 * note_high), note, note_size, GOLD if place.out else (255, 226, 150))
        return mat

    def plate(self, place: Place, name: str, size: float, at: tuple[float, float], width: float, head: float) -> None:
        """The name of a place; the active one's is gold and points at its cards."""
        x, y = at
        box = (x - width / 2, y - 0.42 * head, x + width / 2, y + 0.42 * head)
        fill = (*GOLD, 255) if place.active else (26, 30, 28, 190)
        rounded(self.pen, box, 0.42 * head, fill=fill)
        ink = INK if place.active else (150, 150, 140) if place.out else CREAM
        write(self.pen, (x, y), name, size, ink, bold=0.02)
        if place.active:
            for end in (-1, 1):
                a, s = x + end * (width / 2 - 0.55 * head), 0.16 * head
                self.pen.polygon([(a - s, y - s), (a + s, y - s), (a, y + s)], fill=(150, 60, 20))

    # The middle

    def centre(self, zones: Sequence[Zone], box: Box) -> None:
        """Draw the piles of the table."""
        room = (max(1.0, box[2] - box[0] - 16 * self.k), max(1.0, box[3] - box[1] - 8 * self.k))
        layout = _laid_out(zones, room, 100 * self.k, self.k, captions=True)
        self.lay(layout, box)

    def room(self, grid: Grid, box: Box, shared: bool) -> Box:
        """Draw the room with its tokens; return the box that is left for piles (at the right, if `shared`)."""
        k = self.k
        left, top, right, bottom = box
        cell = min((bottom - top - 10 * k) / grid.height, (right - left) * (0.68 if shared else 0.96) / grid.width)
        cell = max(cell, 0.5)
        w, h = cell * grid.width, cell * grid.height
        x0 = left + 12 * k if shared else (left + right - w) / 2
        y0 = (top + bottom - h) / 2
        self.pen.rectangle((x0 - 5 * k, y0 - 5 * k, x0 + w + 5 * k, y0 + h + 5 * k), fill=(92, 84, 78), outline=(40, 36, 34), width=round(k))
        self.pen.rectangle((x0, y0, x0 + w, y0 + h), fill=(222, 226, 222))
        if cell >= 3:
            for row in range(grid.height):
                for column in range(row % 2, grid.width, 2):
                    x, y = x0 + column * cell, y0 + row * cell
                    self.pen.rectangle((x, y, x + cell - 1, y + cell - 1), fill=(198, 208, 206))
        cells: dict[tuple[int, int], list[tuple[str, str]]] = {}
        for column, row, label, colour in grid.tokens:
            if 0 <= column < grid.width and 0 <= row < grid.height:
                cells.setdefault((column, row), []).append((label, colour))
        for (column, row), tokens in cells.items():
            across = 1
            while across * across < len(tokens):
                across += 1
            size = cell / across
            for i, (label, colour) in enumerate(tokens):
                x, y = x0 + column * cell + (i % across + 0.5) * size, y0 + row * cell + (i // across + 0.5) * size
                self.token(label, colour, x, y, 0.43 * size)
        return (x0 + w + 14 * k, top, right, bottom)

    def token(self, label: str, colour: str, x: float, y: float, radius: float) -> None:
        """A disc with a pictogram, a short label, or the number that a longer one ends with."""
        label = plain(label)
        shade = SHADES.get(colour, SHADES["plain"])
        picture = pictogram(label)
        d = 0.1 * radius
        self.pen.ellipse((x - radius + d, y - radius + d, x + radius + d, y + radius + d), fill=(0, 0, 0, 70))
        edge = max(1, round(0.1 * radius))
        if picture:
            self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=PAPER, outline=shade, width=edge)
            picture(self.pen, x - 0.62 * radius, y - 0.68 * radius, 1.24 * radius)
            return
        self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shade, outline=INK, width=edge)
        number = label[len(label.rstrip("0123456789")) :]
        short = label if len(label) <= 2 else number[-2:] or label[:2]
        write(self.pen, (x, y), short, min(1.15 * radius, 2.1 * radius / max(1, len(short))), ink_on(shade), bold=0.03)

    def lines(self, lines: Sequence[str]) -> None:
        """Write the remarks below the table, smaller when there are many."""
        k = self.k
        room = self.height - self.bottom - 4 * k
        size = 14 * k
        while True:
            rows = [row for line in lines for row in wrapped(plain(line), self.width - 32 * k, size)]
            if size <= 9 * k or len(rows) * size * 1.28 <= room:
                break
            size *= 0.93
        most = max(1, int(room / (size * 1.28)))
        if len(rows) > most:
            rows = [*rows[: most - 1], rows[most - 1] + " …"]
        for i, row in enumerate(rows):
            text, points = fitted(row, self.width - 24 * k, size, size)
            write(self.pen, (16 * k, self.bottom + 4 * k + (i + 0.5) * size * 1.28), text, points, CREAM, anchor="lm")


def _shown(place: Place) -> tuple[Zone, ...]:
    """The zones of a place that is not the viewer's; what is empty takes no room."""
    return tuple(zone for zone in place.zones if zone.cards)
