"""A `Scene` as an array of pixels: a felt table seen from above, the viewer at its bottom edge.

The others sit clockwise as seen from above: the next player to the viewer's left, then along the top, then
down the right side. Cards shrink, overlap and finally break into lines until everything fits its slot, so two
places and twenty-five use the same code.

Conventions: all lengths are pixels of the canvas, which is larger than the picture (usually twice) and scaled
down at the end for smooth edges; `k` is the number of canvas pixels to one pixel of the default size, so
`12 * k` is "12 pixels at 960 by 640". Pillow is loaded by the first picture, not by the import.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..core.scene import Card, Grid, Place, Scene, Zone
from .cards import EDGE, INK, PAPER, RATIO, SHADES, ink_on, pictogram, rounded, sprite, swirl
from .letters import Box, fitted, length, plain, wrapped, write

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 960, 640  # default size; all proportions are made for it
MAX_CANVAS = 9_000_000  # pixels; larger pictures are drawn without supersampling
ROW, FAN = 1.07, 0.4  # from card to card, as a fraction of a card's width
LEAST = {"row": 0.45, "fan": 0.26}  # how close cards may lie before they go on to another line
MOST_DRAWN = 72  # cards drawn of one zone; its caption says how many there are
GOLD, CREAM, FLOOR = (255, 205, 84), (238, 232, 214), (40, 32, 30)


def draw(scene: Scene, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """Return the scene as uint8 (height, width, 3), red, green, blue 0..255; the same scene, the same bytes.

    Letters that Pillow's built-in font lacks (it knows ASCII) are written in the nearest ASCII, or as "?".
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


# How cards lie. Only the shape of zones is looked at, never a label, and arrangements are kept: from frame to
# frame few shapes change.


@dataclass(frozen=True)
class _Shape:
    """What matters of a zone for finding its room."""

    caption: str
    style: str
    turned: tuple[bool, ...]  # of each card that is drawn


@dataclass(frozen=True)
class _Strip:
    """Cards of one zone that lie on one line."""

    zone: int  # index
    cards: slice  # of those drawn
    spread: float  # from card to card, as a fraction of a card's width
    reach: float  # width of the cards
    width: float  # with the caption
    caption: str  # below the last strip of a zone, else ""


@dataclass(frozen=True)
class _Layout:
    """Zones arranged for one height of cards."""

    height: float  # of a card
    lines: tuple[tuple[_Strip, ...], ...]
    gap: float  # between zones on a line
    caption: float  # height of a caption, 0 without captions
    leading: float  # between lines

    def width_of(self, line: tuple[_Strip, ...]) -> float:
        return sum(strip.width for strip in line) + self.gap * (len(line) - 1)

    @property
    def size(self) -> tuple[float, float]:
        high = (self.height + self.caption + self.leading) * len(self.lines) - self.leading
        return max(map(self.width_of, self.lines), default=0.0), max(0.0, high)


def _footprint(turned: bool, height: float) -> float:
    return height if turned else height * RATIO


def _reach(turned: Sequence[bool], height: float, spread: float) -> float:
    """Width of cards that lie `spread` of a card's width apart; of an empty slot, if there are none."""
    widths = [_footprint(t, height) for t in turned] or [height * RATIO]
    return sum(widths[:-1]) * spread + widths[-1]


def _total(zone: Zone) -> int:
    return sum(card.count for card in zone.cards)


def _drawn(zone: Zone) -> tuple[Card, ...]:
    """The cards to draw: the top of a stack; of very many, the first of a row and the last of a fan."""
    if zone.style == "stack":
        return zone.cards[-1:]
    return zone.cards[-MOST_DRAWN:] if zone.style == "fan" else zone.cards[:MOST_DRAWN]


def _shape(zone: Zone) -> _Shape:
    caption = plain(zone.name)
    if len(zone.cards) > MOST_DRAWN and zone.style != "stack":
        caption = f"{caption} {_total(zone)}, {MOST_DRAWN} shown".strip()
    elif _total(zone) > 5 and zone.style != "stack":
        caption = f"{caption} {_total(zone)}".strip()
    style = zone.style if zone.style in ("fan", "stack") else "row"
    return _Shape(caption, style, tuple(card.turned for card in _drawn(zone)))


def _strips(index: int, shape: _Shape, height: float, room: float, squeeze: float, label: float) -> list[_Strip]:
    """The zone on as many lines as it needs; cards move closer together before a second line is begun.

    `label` is the least width for a caption, 0 without captions.
    """
    turned = shape.turned
    wide = min(max(label, 0.6 * room), length(shape.caption, 11 * label / 70)) if label else 0.0
    if shape.style == "stack":
        reach = _reach(turned, height, 1.0) + 0.08 * height
        return [_Strip(index, slice(0, 1), 1.0, reach, max(reach, wide), shape.caption)]
    least = LEAST[shape.style]
    spread = max(least, (FAN if shape.style == "fan" else ROW) * squeeze)
    rows = 1
    while rows < len(turned) and _reach(turned[: -(-len(turned) // rows)], height, least) > room:
        rows += 1
    size = -(-len(turned) // rows) or 1
    strips = []
    for start in range(0, max(1, len(turned)), size):
        part = turned[start : start + size]
        top = _footprint(part[-1], height) if part else 0.0
        covered = _reach(part, height, 1.0) - top
        close = max(0.02, min(spread, (room - top) / covered)) if part[1:] else spread
        reach = _reach(part, height, close)
        last = start + size >= len(turned)
        caption = shape.caption if last else ""
        strips.append(_Strip(index, slice(start, start + size), close, reach, max(reach, wide if last else 0), caption))
    return strips


def _arranged(
    shapes: Sequence[_Shape], room: float, height: float, k: float, captions: bool, squeeze: float
) -> _Layout:
    """Zones left to right on as many lines as it takes; a zone that needs several has them to itself."""
    gap = max(4 * k, 0.28 * height * squeeze)
    lines: list[list[_Strip]] = []
    used = room
    for index, shape in enumerate(shapes):
        strips = _strips(index, shape, height, room, squeeze, 70 * k if captions else 0.0)
        for strip in strips:
            if len(strips) > 1 or not lines or used + gap + strip.width > room:
                lines.append([])
                used = -gap
            lines[-1].append(strip)
            used += gap + strip.width
        used = room if len(strips) > 1 else used
    return _Layout(height, tuple(map(tuple, lines)), gap, 14 * k if captions else 0.0, 4 * k)


@lru_cache(maxsize=4096)
def _laid_out(
    shapes: tuple[_Shape, ...], room: tuple[float, float], largest: float, k: float, captions: bool
) -> _Layout:
    """The best arrangement that fits: large cards, at most `largest` high, that overlap little."""
    best, best_score = None, 0.0
    for squeeze, liked in ((1.0, 1.0), (0.8, 0.87), (0.62, 0.7)):
        height = largest
        while height * liked > best_score:
            layout = _arranged(shapes, room[0], height, k, captions, squeeze)
            fits = layout.size[0] <= room[0] + 1 and layout.size[1] <= room[1] + 1
            if fits or (height <= 7 * k and best is None):
                best, best_score = layout, height * liked
            if height <= 7 * k:
                break
            height *= 0.95
    return best if best is not None else _arranged(shapes, room[0], largest, k, captions, 1.0)


# Where places are


def _slots(count: int, area: Box) -> list[Box]:
    """A box for each of `count` other places: up the left side, along the top, down the right side."""
    left, top, right, bottom = area
    w, h = right - left, bottom - top
    side = round(0.29 * count) if count > 2 else 0
    along = count - 2 * side
    column = w * (0.2 if side == 1 else 0.17 if side == 2 else 0.135)
    if along > 3:  # a full row reaches into the corners, and the columns begin below it
        row = h * (0.22 if along < 6 else 0.155)
        inset, start = 0.0, row
    else:
        row = h * 0.27
        inset, start = column, (0.08 if side < 3 else 0.05) * h
    # a single one leaves the lower corner to the viewer
    end = h * {0: 0.0, 1: 0.33, 2: 0.12}.get(side, 0.0)
    pitch = (h - start - end) / max(1, side)
    wide = (w - 2 * inset) / max(1, along)
    lefts = [(left, top + start + i * pitch, left + column, top + start + (i + 1) * pitch) for i in range(side)]
    tops = [(left + inset + i * wide, top, left + inset + (i + 1) * wide, top + row) for i in range(along)]
    return [*lefts[::-1], *tops, *((left + right - c, b, left + right - a, d) for a, b, c, d in lefts)]


@lru_cache(maxsize=4)
def _felt(width: int, height: int, table: tuple[int, int, int, int], k: float) -> Image.Image:
    """The empty table in its room. Shared: do not draw on it."""
    from PIL import Image, ImageDraw

    y, x = np.mgrid[-0.5:0.5:160j, -0.5:0.5:240j]
    far = np.hypot(x, y)[..., None]  # light falls on the middle of the table
    floor, felt = np.array(FLOOR) * (1.15 - 0.7 * far), np.array((44, 128, 80)) * (1.12 - 0.85 * far)
    image, cloth = (
        Image.fromarray(part.astype(np.uint8)).resize((width, height), Image.Resampling.BICUBIC)
        for part in (floor, felt)
    )
    grain = np.random.default_rng(5).normal(0, 3.0, (256, 256, 1)).astype(np.int16)
    grain = np.tile(grain, (-(-height // 256), -(-width // 256), 1))[:height, :width]
    cloth = Image.fromarray(np.clip(np.asarray(cloth) + grain, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(image, "RGBA")
    left, top, right, bottom = table
    radius = 0.36 * (bottom - top)
    for i in range(6):
        d = (6 - i) * 1.6 * k
        shadow = (left - d, top - d + 3 * k, right + d, bottom + d + 3 * k)
        rounded(pen, shadow, radius + d, fill=(0, 0, 0, 26))
    for inset, colour in [(0, (66, 38, 20)), (1.5, (124, 78, 42)), (6, (104, 62, 32)), (10, (58, 33, 18))]:
        d = inset * k
        rounded(pen, (left + d, top + d, right - d, bottom - d), radius - d, fill=colour)
    d = 12 * k
    mask = Image.new("L", image.size, 0)
    field = (left + d, top + d, right - d, bottom - d)
    rounded(ImageDraw.Draw(mask), field, radius - d, fill=255)
    image.paste(cloth, (0, 0), mask)
    d += 14 * k
    field = (left + d, top + d, right - d, bottom - d)
    rounded(pen, field, radius - d, outline=(255, 255, 255, 26), width=1.5 * k)
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
        swirl(self.pen, 12 * k, 5 * k, 21 * k)
        write(self.pen, (40 * k, 17 * k), title, size, CREAM, anchor="lm", bold=0.02)
        middle = self.places(scene.places)
        if scene.grid is not None:
            middle = self.room(scene.grid, middle, bool(scene.centre))
        self.centre(scene.centre, middle)
        self.lines(scene.lines)

    # Cards

    def card(self, card: Card, x: float, y: float, height: float, seen: float = 1.0) -> None:
        """Draw a card, its left edge at x, a turned one halfway up; the next leaves `seen` of its width."""
        picture = sprite(card, height, covered=seen < 0.7)
        left = round(x)
        upper = round(y + (height - picture.height) / 2) if card.turned else round(y)
        d = max(1, round(0.025 * height))
        shadow = (left + d, upper + d, left + picture.width + d, upper + picture.height + d)
        rounded(self.pen, shadow, 0.09 * height, fill=(0, 0, 0, 70))
        self.image.paste(picture, (left, upper), picture)
        if card.count > 1:
            low = upper + picture.height - 0.2 * height if seen < 1 else upper
            self.badge(left + picture.width * min(1.0, seen), low, f"x{card.count}", height)

    def badge(self, x: float, y: float, text: str, height: float) -> None:
        """A number in a pill over the upper right corner of a card."""
        size = max(9 * self.k, 0.17 * height)
        half = max(length(text, size) / 2 + 0.4 * size, 0.62 * size)
        x, y = x - 0.65 * half, y + 0.5 * size
        box = (x - half, y - 0.62 * size, x + half, y + 0.62 * size)
        rounded(self.pen, box, 0.62 * size, fill=(30, 26, 28, 235), outline=CREAM, width=0.8 * self.k)
        write(self.pen, (x, y), text, size, CREAM)

    def strip(self, strip: _Strip, zone: Zone, x: float, y: float, layout: _Layout) -> None:
        """Draw cards of one zone with their caption."""
        height, k = layout.height, self.k
        if layout.caption and strip.caption:
            text, size = fitted(strip.caption, strip.width + 0.8 * layout.gap, 11 * k, 8 * k)
            below = (x + strip.width / 2, y + height + 0.58 * layout.caption)
            write(self.pen, below, text, size, (*CREAM, 215))
        x += (strip.width - strip.reach) / 2
        cards = _drawn(zone)[strip.cards]
        if not cards:
            slot = (x, y, x + height * RATIO, y + height)
            rounded(self.pen, slot, 0.09 * height, fill=(0, 0, 0, 30), outline=(255, 255, 255, 80), width=k)
        elif zone.style == "stack":
            top, total = cards[0], _total(zone)
            self.thickness(x, y, height, top, min(4, total // 3 + (total > 1)))
            self.card(Card(top.label, top.colour, top.face_up, top.turned), x, y, height)
            if total > 1:
                self.badge(x + _footprint(top.turned, height), y, str(total), height)
        else:
            for i, card in enumerate(cards):
                self.card(card, x, y, height, seen=strip.spread if i < len(cards) - 1 else 1.0)
                x += _footprint(card.turned, height) * strip.spread

    def thickness(self, x: float, y: float, height: float, card: Card, layers: int) -> None:
        """The edges of the cards below the top of a stack."""
        w, h = _footprint(card.turned, height), height * RATIO if card.turned else height
        y += (height - h) / 2
        for i in range(layers, 0, -1):
            d = 0.02 * height * i
            box = (x + d, y - d, x + w + d, y + h - d)
            rounded(self.pen, box, 0.09 * height, fill=PAPER, outline=EDGE, width=0.6 * self.k)

    def lay(self, layout: _Layout, zones: Sequence[Zone], box: Box) -> None:
        """Draw an arrangement in the middle of a box."""
        left, top, right, bottom = box
        y = (top + bottom - layout.size[1]) / 2
        for line in layout.lines:
            x = (left + right - layout.width_of(line)) / 2
            for strip in line:
                self.strip(strip, zones[strip.zone], x, y, layout)
                x += strip.width + layout.gap
            y += layout.height + layout.caption + layout.leading

    # Places

    def places(self, places: Sequence[Place]) -> Box:
        """Draw all places; return the box in the middle that they leave free."""
        k = self.k
        few = len(places) <= 6
        margin = (24 if few else 6) * k  # few places lie on the felt, many use the rim as well
        area = (margin, self.top, self.width - margin, self.bottom)
        slots = _slots(len(places) - 1, area)
        mats = self.others(places[1:], slots, small=not few)
        sides = [mat for mat, slot in zip(mats, slots, strict=True) if slot[1] > area[1]]
        left = max((mat[2] for mat in sides if mat[0] < self.width / 2), default=area[0])
        right = min((mat[0] for mat in sides if mat[0] > self.width / 2), default=area[2])
        tops = [mat for mat, slot in zip(mats, slots, strict=True) if slot[1] == area[1]]
        top = max((mat[3] for mat in tops), default=self.top)
        bottom = self.bottom
        if places:
            low = self.bottom - 0.32 * (self.bottom - self.top)
            free = len(sides) <= 2
            span = (0.08 * self.width, 0.92 * self.width) if free else (left + 8 * k, right - 8 * k)
            slot = (span[0], low, span[1], self.bottom - k)
            room = (slot[2] - slot[0] - 14 * k, slot[3] - slot[1] - (34 + (14 if places[0].note else 0)) * k)
            layout = _laid_out(tuple(map(_shape, places[0].zones)), room, 100 * k, k, True)
            bottom = self.place(places[0], places[0].zones, layout, slot, 7 * k, 20 * k, "bottom")[1]
        return left + 8 * k, top + 4 * k, right - 8 * k, bottom - 4 * k

    def others(self, places: Sequence[Place], slots: Sequence[Box], small: bool) -> list[Box]:
        """Draw all places but the viewer's, cards as large as the fullest place allows; return their mats."""
        k = self.k
        pad, head = (3 if small else 6) * k, (15 if small else 20) * k
        # what is empty takes no room
        zones = [tuple(zone for zone in place.zones if zone.cards) for place in places]
        shapes = [tuple(map(_shape, shown)) for shown in zones]
        rooms = []
        for place, (left, top, right, bottom) in zip(places, slots, strict=True):
            note = 14 * k if place.note else 0
            rooms.append((right - left - 2 * pad - 4 * k, bottom - top - head - 2 * pad - note - 4 * k))
        height, captions = 0.0, False
        for captions in (True, False):  # captions only where they leave the cards a good size
            layouts = [_laid_out(s, room, 66 * k, k, captions) for s, room in zip(shapes, rooms, strict=True) if s]
            height = min((layout.height for layout in layouts), default=0.0)
            if height > 36 * k:
                break
        mats = []
        for place, shown, shape, room, slot in zip(places, zones, shapes, rooms, slots, strict=True):
            layout = _laid_out(shape, room, height, k, captions)
            align = "top" if slot[1] == self.top else "middle"
            mats.append(self.place(place, shown, layout, slot, pad, head, align))
        return mats

    def place(
        self,
        place: Place,
        zones: Sequence[Zone],
        layout: _Layout,
        slot: Box,
        pad: float,
        head: float,
        align: str,
    ) -> Box:
        """Draw one place as a mat on the felt with its name, note and cards; return the mat's box.

        `pad` is the margin of the mat, `head` the height of the name, `align` where in the slot the mat lies.
        """
        k = self.k
        note, note_size = fitted(plain(place.note), slot[2] - slot[0] - 2 * pad, 11 * k, 7 * k)
        name, size = fitted(plain(place.name), slot[2] - slot[0] - 2 * head - 2 * pad, 0.68 * head, 7 * k)
        wide, high = layout.size
        note_high = 14 * k if note else 0
        plate = length(name, size) + (2.1 if place.active else 1.1) * head
        w = min(max(wide, plate, length(note, note_size)) + 2 * pad, slot[2] - slot[0])
        h = head + note_high + high + 2 * pad
        x = (slot[0] + slot[2] - w) / 2
        y = {"top": slot[1] + 2 * k, "middle": (slot[1] + slot[3] - h) / 2, "bottom": slot[3] - h}[align]
        mat = (x, y, x + w, y + h)
        radius = (9 if pad > 4 * k else 6) * k
        if place.active:
            for i in range(5, 0, -1):
                d = i * 1.4 * k
                rounded(self.pen, (x - d, y - d, x + w + d, y + h + d), radius + d, fill=(*GOLD, 26))
        rounded(self.pen, mat, radius, fill=(8, 34, 20, 150 if place.out else 105))
        self.lay(layout, zones, (x, y + head + note_high + pad, x + w, y + h - pad))
        if place.out and layout.lines:
            rounded(self.pen, mat, radius, fill=(8, 34, 20, 120))
        if place.active:
            rounded(self.pen, mat, radius, outline=GOLD, width=2.2 * k)
        self.plate(place, name, size, (x + w / 2, y + 0.55 * head), plate, head)
        if note:
            ink = GOLD if place.out else (255, 226, 150)
            write(self.pen, (x + w / 2, y + head + 0.55 * note_high), note, note_size, ink)
        return mat

    def plate(self, place: Place, name: str, size: float, at: tuple[float, float], width: float, head: float) -> None:
        """The name of a place; the active one's is gold and points at its cards."""
        x, y = at
        box = (x - width / 2, y - 0.42 * head, x + width / 2, y + 0.42 * head)
        rounded(self.pen, box, 0.42 * head, fill=(*GOLD, 255) if place.active else (26, 30, 28, 190))
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
        layout = _laid_out(tuple(map(_shape, zones)), room, 100 * self.k, self.k, True)
        self.lay(layout, zones, box)

    def room(self, grid: Grid, box: Box, shared: bool) -> Box:
        """Draw the room with its tokens; return the box that is left for piles, at the right if `shared`."""
        k = self.k
        left, top, right, bottom = box
        wide, high = (right - left) * (0.68 if shared else 0.96), bottom - top - 10 * k
        cell = max(0.5, min(wide / grid.width, high / grid.height))
        w, h = cell * grid.width, cell * grid.height
        x0 = left + 12 * k if shared else (left + right - w) / 2
        y0 = (top + bottom - h) / 2
        wall = (x0 - 5 * k, y0 - 5 * k, x0 + w + 5 * k, y0 + h + 5 * k)
        self.pen.rectangle(wall, fill=(92, 84, 78), outline=(40, 36, 34), width=round(k))
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
            across = math.isqrt(len(tokens) - 1) + 1
            size = cell / across
            for i, (label, colour) in enumerate(tokens):
                down = i if len(tokens) == 2 else i // across  # two lie aslant
                x, y = x0 + column * cell + (i % across + 0.5) * size, y0 + row * cell + (down + 0.5) * size
                self.token(label, colour, x, y, (0.43 if across == 1 else 0.56) * size)
        return (x0 + w + 14 * k, top, right, bottom)

    def token(self, label: str, colour: str, x: float, y: float, radius: float) -> None:
        """A disc with a pictogram, a short label, or the number that a longer one ends with."""
        label = plain(label)
        shade = SHADES.get(colour, SHADES["plain"])
        picture = pictogram(label)
        d = 0.1 * radius
        self.pen.ellipse((x - radius + d, y - radius + d, x + radius + d, y + radius + d), fill=(0, 0, 0, 70))
        disc, edge = (x - radius, y - radius, x + radius, y + radius), max(1, round(0.1 * radius))
        if picture:
            self.pen.ellipse(disc, fill=PAPER, outline=shade, width=edge)
            picture(self.pen, x - 0.62 * radius, y - 0.68 * radius, 1.24 * radius)
            return
        self.pen.ellipse(disc, fill=shade, outline=INK, width=edge)
        number = label[len(label.rstrip("0123456789")) :]
        short = label if len(label) <= 2 else number[-2:] or label[:2]
        size = min(1.15 * radius, 2.1 * radius / max(1, len(short)))
        write(self.pen, (x, y), short, size, ink_on(shade), bold=0.03)

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
            y = self.bottom + 4 * k + (i + 0.5) * size * 1.28
            write(self.pen, (16 * k, y), text, points, CREAM, anchor="lm")
