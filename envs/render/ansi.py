"""A `Scene` as text for a terminal: the viewer's cards as boxes at the bottom, everybody else above.

Reading goes round the table: the other places stand in clockwise order, left to right and top to bottom, up
to `MAX_PANELS` of them in panels, more as a list with one row each. The centre (piles, or a room with tokens)
lies between them and the viewer.

Conventions: a *span* is a pair (text, style), a *row* a list of spans, a *block* a list of rows. Width is
counted in terminal cells. Styles become escape codes only at the very end, so text with and without colour is
the same but for the codes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from ..core.scene import Card, Grid, Place, Scene, Zone

Span = tuple[str, str]
Row = list[Span]
Block = list[Row]

DEFAULT_WIDTH = 96  # cells; fixed, not asked of the terminal: the same scene is always the same text
MIN_WIDTH = 24  # cells; below this not even one panel is readable
MAX_PANELS = 5  # with more other places than this a list is clearer than panels
MIN_PANEL = 21  # cells, outer width of the narrowest panel
MIN_NOTE = 18  # cells that a note in a list may be broken into

# Codes of ANSI "select graphic rendition", by style: the card colours, and the parts of the picture.
CODES = {
    "plain": "1", "green": "1;32", "blue": "1;94", "red": "1;91", "yellow": "1;93", "grey": "1;37",
    "purple": "1;95", "orange": "1;38;5;208", "brown": "1;38;5;137",
    "back": "36", "dim": "2", "title": "1;4", "active": "1;30;103", "frame": "1;93", "name": "1",
    "note": "3;33",
}  # fmt: skip


# Letters of the picture, and what stands for them where they cannot be written.
PLAINER = str.maketrans(
    {
        **dict.fromkeys("╭╮╰╯┏┓┗┛╔╗╚╝", "+"), **dict.fromkeys("─━═╌", "-"), **dict.fromkeys("│┃║╎", "|"),
        "▒": "#", "░": "#", "▶": ">", "◀": "<", "↷": "~", "×": "x", "·": ".", "…": ".",
    }
)  # fmt: skip


def plainer(text: str) -> str:
    """The text with its frames and marks in ASCII, each letter as wide as before."""
    return text.translate(PLAINER)


def draw(scene: Scene, colour: bool = True, width: int | None = None) -> str:
    """Return the scene as text, without a newline at the end.

    No line is longer than `width` cells (`DEFAULT_WIDTH` if None, at least `MIN_WIDTH`). With `colour` the
    text carries ANSI escape codes, otherwise it is pure text.
    """
    width = DEFAULT_WIDTH if width is None else width
    if width < MIN_WIDTH:
        raise ValueError(f"width is {width}; allowed are {MIN_WIDTH} and more")
    parts: list[Block] = []
    if scene.title:
        parts.append([_centred(row, width) for row in _flow(_words(scene.title, "title"), width)])
    viewer, others = scene.places[:1], scene.places[1:]
    if 0 < len(others) <= MAX_PANELS:
        parts.append(_panels(others, width))
    elif others:
        parts.append(_seat_list(others, width))
    if scene.grid is not None:
        parts.append(_centre_block(_room(scene.grid, width), width))
    if scene.centre:
        parts.append(_centre_block(_zones(scene.centre, width, centred=True), width))
    parts.extend(_viewer(place, width) for place in viewer)
    if scene.lines:
        parts.append([row for line in scene.lines for row in _flow(_words(line, ""), width)])
    rows: Block = []
    for part in parts:
        rows += [[]] if rows else []
        rows += part
    return "\n".join(_encode(row, colour) for row in rows)


# Rows and blocks


def _clean(text: str) -> str:
    """The text without anything that would move the cursor: control codes, newlines, bidirectional marks."""
    return "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text).strip()


def _cells(text: str) -> int:
    """How many terminal cells the text takes: East Asian wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.combining(c) != 0 or "\ufe00" <= c <= "\ufe0f" for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def _cut(text: str, width: int) -> str:
    """The text, ended by "…" where it is longer than `width` cells."""
    if _cells(text) <= width:
        return text
    while text and _cells(text) > width - 1:
        text = text[:-1]
    return text + "…" if width > 0 else ""


def _length(row: Row) -> int:
    return sum(_cells(text) for text, _ in row)


def _width(block: Block) -> int:
    return max((_length(row) for row in block), default=0)


def _padded(row: Row, width: int) -> Row:
    gap = width - _length(row)
    return [*row, (" " * gap, "")] if gap > 0 else row


def _centred(row: Row, width: int) -> Row:
    gap = (width - _length(row)) // 2
    return [(" " * gap, ""), *row] if gap > 0 else row


def _centre_block(block: Block, width: int) -> Block:
    """The block moved to the middle as a whole, its rows still flush left."""
    gap = (width - _width(block)) // 2
    return [[(" " * gap, ""), *row] if gap > 0 and row else row for row in block]


def _beside(blocks: Sequence[Block], gap: int) -> Block:
    """Blocks side by side, tops level."""
    widths = [_width(block) for block in blocks]
    rows: Block = []
    for i in range(max(map(len, blocks), default=0)):
        row: Row = []
        for j, (block, width) in enumerate(zip(blocks, widths, strict=True)):
            row += [(" " * gap, "")] if j else []
            row += _padded(block[i] if i < len(block) else [], width)
        rows.append(row)
    return rows


def _lines_of(blocks: Sequence[Block], width: int, gap: int) -> Iterable[list[Block]]:
    """Blocks in groups that fit side by side into `width` cells."""
    group: list[Block] = []
    used = 0
    for block in blocks:
        size = _width(block)
        if group and used + gap + size > width:
            yield group
            group, used = [], 0
        used += size + (gap if group else 0)
        group.append(block)
    if group:
        yield group


def _words(text: str, style: str) -> Row:
    return [(word, style) for word in _clean(text).split()]


def _flow(words: Iterable[Span], width: int, indent: int = 0) -> Block:
    """Words, one a span, in rows of at most `width` cells; rows after the first are indented."""
    rows: Block = [[]]
    used, start = 0, 0  # cells of the last row; those of its indentation
    for text, style in words:
        if used > start and used + 1 + _cells(text) > width:
            rows.append([(" " * indent, "")] if indent else [])
            used = start = indent
        if used > start:
            rows[-1].append((" ", style if rows[-1][-1][1] == style else ""))
            used += 1
        text = _cut(text, width - used)
        rows[-1].append((text, style))
        used += _cells(text)
    return rows


def _framed(body: Block, head: Row, width: int, heavy: bool) -> Block:
    """The body in a frame `width` cells wide, the head in its upper edge; `heavy` marks the active place."""
    left_top, across, right_top, down, left_low, right_low = "┏━┓┃┗┛" if heavy else "╭─╮│╰╯"
    style = "frame" if heavy else "dim"
    fill = width - 4 - _length(head)
    rows = [[(left_top + across, style), *head, (across * (fill + 1) + right_top, style)]]
    rows += [[(down + " ", style), *_padded(row, width - 4), (" " + down, style)] for row in body]
    rows.append([(left_low + across * (width - 2) + right_low, style)])
    return rows


def _encode(row: Row, colour: bool) -> str:
    """The row as a string, without spaces at its end."""
    while row and not row[-1][0].strip():
        row = row[:-1]
    if row:
        row = [*row[:-1], (row[-1][0].rstrip(), row[-1][1])]
    if not colour:
        return "".join(text for text, _ in row)
    runs = groupby(row, key=lambda span: span[1])
    joined = ((style, "".join(text for text, _ in run)) for style, run in runs)
    return "".join(f"\x1b[{CODES[style]}m{text}\x1b[0m" if style else text for style, text in joined)


# Cards


def _style(card: Card) -> str:
    """The style of a card: its colour; a back of the usual deck has its own."""
    if card.colour == "plain" or card.colour not in CODES:
        return "plain" if card.face_up else "back"
    return card.colour


def _face(card: Card, back: str) -> str:
    """What stands on the card: its label, or `back` when it lies face down, whatever its label."""
    text = (_clean(card.label) or " ") if card.face_up else back
    return ("↷" if card.turned else "") + text


def _total(zone: Zone) -> int:
    return sum(card.count for card in zone.cards)


def _caption(zone: Zone) -> Row:
    """The name of the zone, with the number of its cards where that is not seen at a glance."""
    name = _clean(zone.name)
    count = f"{' ' if name else ''}({_total(zone)})" if zone.style == "stack" or _total(zone) > 5 else ""
    return _words(name + count, "dim")


def _compact(zone: Zone) -> Row:
    """The cards of a zone in one row without frames: [7][poo head]×2 ▒▒▒."""
    if not zone.cards:
        return [("-", "dim")]
    if zone.style == "stack":
        top, total = zone.cards[-1], _total(zone)
        return [(_token(top) + (f"×{total}" if total > 1 else ""), _style(top))]
    row: Row = []
    for style, cards in groupby(zone.cards, key=lambda card: (_style(card), card.face_up, card.turned)):
        run = list(cards)
        total = sum(card.count for card in run)
        if run[0].face_up:
            row += [(_token(card) + (f"×{card.count}" if card.count > 1 else ""), style[0]) for card in run]
        elif total > 6:
            row.append((f"{_token(run[0])}×{total}", style[0]))
        else:
            row.append((_token(run[0]) * total, style[0]))
    return row


def _token(card: Card) -> str:
    return f"[{_face(card, '')}]" if card.face_up else _face(card, "▒")


def _boxes(zone: Zone, width: int) -> Block:
    """The cards of a zone as boxes, three rows high, on as many lines as they need."""
    if not zone.cards:
        return [[("╭╌╌╌╮", "dim")], [("╎   ╎", "dim")], [("╰╌╌╌╯", "dim")]]
    if zone.style == "stack":
        thick = _total(zone) > 1
        block = _box(zone.cards[-1], width - thick, with_count=False)
        return _closed(block) if thick else block
    cards = [_box(card, width) for card in zone.cards]
    rows: Block = []
    if zone.style != "fan":
        for group in _lines_of(cards, width, gap=1):
            rows += _beside(group, gap=1)
        return rows
    for group in _lines_of([_covered(box) for box in cards], width - 1, gap=0):
        rows += _beside([*group[:-1], _closed(group[-1])], gap=0)  # the last of a line lies free
    return rows


def _box(card: Card, width: int, with_count: bool = True) -> Block:
    style = _style(card)
    text = _face(card, "░░░") + (f" ×{card.count}" if with_count and card.count > 1 else "")
    text = _cut(text, width - 4)
    text = text if not card.face_up and card.count == 1 and not card.turned else f" {text} "
    edge = "─" * _cells(text)
    return [[(f"╭{edge}╮", style)], [(f"│{text}│", style)], [(f"╰{edge}╯", style)]]


def _covered(box: Block) -> Block:
    """A box whose right edge lies under the next card."""
    return [[(text[:-1], style)] for ((text, style),) in box]


def _closed(box: Block) -> Block:
    """A box with one more right edge: the last of a fan, or the thickness of a stack."""
    return [[*row, (edge, row[-1][1])] for row, edge in zip(box, "╮│╯", strict=True)]


def _zones(zones: Sequence[Zone], width: int, centred: bool = False) -> Block:
    """Zones with captions, side by side as far as the width goes."""
    blocks: list[Block] = []
    for zone in zones:
        cards = _boxes(zone, width)
        caption = _flow(_caption(zone), min(width, max(_width(cards), 16)))
        size = max(_width(cards), _width(caption))
        if centred:
            caption, cards = [_centred(row, size) for row in caption], _centre_block(cards, size)
        blocks.append(caption + cards)
    rows: Block = []
    for group in _lines_of(blocks, width, gap=3):
        line = _beside(group, gap=3)
        rows += _centre_block(line, width) if centred else line
    return rows


# Places


def _head(place: Place, width: int) -> Row:
    """The name of a place, cut to `width` cells; arrows mark the active one also without colour."""
    name = _clean(place.name)
    text = f"▶ {name} ◀" if place.active else name
    return [(_cut(f" {text} ", width), "active" if place.active else "dim" if place.out else "name")]


def _titled(place: Place, body: Block, width: int) -> tuple[Row, Block]:
    """Head and body of a place's frame: the note stands beside the name, or above the cards if it is too long."""
    head, note = _head(place, width), _words(place.note, "note")
    if note and _head_length(place) <= width:
        return [*head, (f"({_clean(place.note)}) ", "note")], body
    return head, (_flow(note, width) if note else []) + body


def _head_length(place: Place) -> int:
    """How wide the name is with the note beside it."""
    return _length(_head(place, 10_000)) + (_cells(_clean(place.note)) + 3 if place.note else 0)


def _dimmed(block: Block, place: Place) -> Block:
    return [[(text, "dim") for text, _ in row] for row in block] if place.out else block


def _viewer(place: Place, width: int) -> Block:
    """The place at the bottom, its cards as boxes."""
    body = _dimmed(_zones(place.zones, width - 4), place)
    size = min(width, max(_width(body) + 4, _head_length(place) + 4, min(width, 40)))
    head, body = _titled(place, body, size - 4)
    return _centre_block(_framed(body, head, size, place.active), width)


def _zone_rows(zone: Zone, width: int) -> Block:
    """A zone as a row of text, its name first, broken where it is too long."""
    return _flow([*_words(zone.name, "dim"), *_compact(zone)], width, indent=2)


def _panels(places: Sequence[Place], width: int) -> Block:
    """Places in frames side by side, in clockwise order, on as many lines as they need."""
    needed = max(MIN_PANEL, *(min(_length(_head(place, width)) + 4, width) for place in places))
    wishes = [_width(_zone_rows(zone, width - 4)) + 4 for place in places for zone in place.zones]
    natural = max([needed, *wishes, *(_head_length(place) + 4 for place in places)])
    columns = max(1, min(len(places), (width + 1) // (needed + 1)))
    lines = -(-len(places) // columns)
    columns = -(-len(places) // lines)
    size = min(natural, (width + 1) // columns - 1, width)
    rows: Block = []
    for start in range(0, len(places), columns):
        group = places[start : start + columns]
        bodies = [_dimmed([row for z in p.zones for row in _zone_rows(z, size - 4)], p) for p in group]
        titled = [_titled(place, body, size - 4) for place, body in zip(group, bodies, strict=True)]
        height = max(len(body) for _, body in titled)
        frames = [
            _framed(body + [[]] * (height - len(body)), head, size, place.active)
            for place, (head, body) in zip(group, titled, strict=True)
        ]
        rows += _centre_block(_beside(frames, gap=1), width)
    return rows


def _seat_list(places: Sequence[Place], width: int) -> Block:
    """Places as rows of a table, one each, in clockwise order from the viewer's left."""
    heads = [_head(place, width) for place in places]
    # the arrow of the active place hangs to the left of the names
    heads = [head if place.active else [("  ", ""), *head] for head, place in zip(heads, places, strict=True)]
    names = [tuple(zone.name for zone in place.zones) for place in places]
    if len(set(names)) == 1:
        titles: Block = [[("   clockwise", "dim")], *([(_clean(name), "dim")] for name in names[0])]
        table = [titles, *([head, *map(_compact, p.zones)] for head, p in zip(heads, places, strict=True))]
        columns = [max(_length(cell) for cell in column) for column in zip(*table, strict=True)]
        left = width - sum(columns) - 2 * len(columns)  # for the notes
        if left >= min(MIN_NOTE, max(_cells(_clean(place.note)) for place in places)):
            notes = [[], *(_flow(_words(place.note, "note"), left) for place in places)]
            rows: Block = []
            for place, cells, note in zip([None, *places], table, notes, strict=True):
                row = _beside([*([_padded(c, n)] for c, n in zip(cells, columns, strict=True)), note], gap=2)
                rows += _dimmed(row, place) if place else row
            return rows
    rows = []  # zones differ or need more room: each place names its own, on as many rows as it takes
    for head, place in zip(heads, places, strict=True):
        words = [span for zone in place.zones for span in [*_words(zone.name, "dim"), *_compact(zone)]]
        rows += _dimmed(_flow([*head, *_words(place.note, "note"), *words], width, indent=6), place)
    return rows


# A room


def _room(grid: Grid, width: int) -> Block:
    """The room with a mark for each token, and below it what the marks mean."""
    cell = max(1, min(3, (width - 2) // grid.width))
    columns = min(grid.width, (width - 2) // cell)
    marks = _marks([label for _, _, label, _ in grid.tokens])
    at: dict[tuple[int, int], list[Span]] = {}
    for (x, y, _, colour), mark in zip(grid.tokens, marks, strict=True):
        at.setdefault((x, y), []).append((mark, colour if colour in CODES else "plain"))
    rows: Block = [[("╔" + "═" * (cell * columns) + "╗", "dim")]]
    for y in range(grid.height):
        row: Row = [("║", "dim")]
        for x in range(columns):
            here = at.get((x, y), [])
            text, style = here[0] if len(here) == 1 else ("*", "plain") if here else ("·", "dim")
            row.append((_cut(text, cell).center(cell), style))
        rows.append([*row, ("║", "dim")])
    rows.append([("╚" + "═" * (cell * columns) + "╝", "dim")])
    for (x, y, label, colour), mark in zip(grid.tokens, marks, strict=True):
        style = colour if colour in CODES else "plain"
        rows += _flow([(mark, style), *_words(f"{label} at column {x}, row {y}", "")], width, indent=2)
    return rows


def _marks(labels: Sequence[str]) -> list[str]:
    """A mark of one or two letters for each label: itself, the number at its end, or its first letter."""
    marks: list[str] = []
    for label in map(_clean, labels):
        digits = label[len(label.rstrip("0123456789")) :]
        marks.append(label if 0 < len(label) <= 2 else digits[-2:] or label[:1].upper() or "?")
    return marks
