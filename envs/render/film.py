"""Frames of `rgb.draw` as an animated file: GIF, or WebP, which is smaller and keeps all colours."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import naming_file

if TYPE_CHECKING:
    from PIL import Image

FORMATS = {".gif": "GIF", ".webp": "WEBP"}


def check_path(path: pathlib.Path, overwrite: bool = False) -> None:
    """ValueError if no film can be written there: another ending than `FORMATS`, or a file that is kept."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: a film's name ends in {' or '.join(FORMATS)}")
    if path.exists() and not overwrite:
        raise ValueError(f"{path}: exists already; choose another name, or say that it may be overwritten")


def write(path: pathlib.Path, frames: Iterable[np.ndarray], seconds: Sequence[float], overwrite: bool = False) -> None:
    """Write frames, uint8 (height, width, 3), each shown for so many seconds; the film runs in a loop.

    The file appears under its name only when it is whole.

    Raises:
        ValueError: no frames, a name that is no film's, or a file that would be overwritten.
    """
    from PIL import Image

    check_path(path, overwrite)
    pictures = [Image.fromarray(frame) for frame in frames]
    if not pictures or len(pictures) != len(seconds):
        raise ValueError(f"a film of {len(pictures)} frames with {len(seconds)} durations")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    form = FORMATS[path.suffix.lower()]
    if form == "GIF":  # one palette for all frames, else colours flicker
        palette = _palette(pictures)
        pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    with naming_file(path):
        pictures[0].save(
            part,
            form,
            save_all=True,
            append_images=pictures[1:],
            duration=[round(1000 * second) for second in seconds],
            loop=0,
        )
        part.replace(path)


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """256 colours for some of the pictures, from the first to the last."""
    from PIL import Image

    chosen = [pictures[k] for k in np.unique(np.linspace(0, len(pictures) - 1, 6).round().astype(int))]
    width, height = chosen[0].size
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for row, picture in enumerate(chosen):
        sheet.paste(picture, (0, row * height))
    return sheet.quantize(256, dither=Image.Dither.NONE)
