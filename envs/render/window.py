"""A window on the screen for `render_mode="human"`: it shows frames of `rgb.draw`, by the optional pygame."""

from __future__ import annotations

import os
import time
import warnings
from typing import Any

import numpy as np

MISSING = (
    'render_mode="human" needs pygame, which is not installed: pip install "poopdeck[human]". '
    'Without it, render_mode="ansi" gives text and render_mode="rgb_array" gives pixels.'
)
NO_SCREEN = (
    'render_mode="human" found no screen to open a window on ({}). Without one, render_mode="ansi" gives '
    'text, render_mode="rgb_array" pixels, and SDL_VIDEODRIVER=dummy a window that nobody sees.'
)
UNSEEN_WINDOW = (
    'render_mode="human" found no screen, so nobody sees this window (SDL draws {!r}); render_mode="ansi" gives text, '
    'render_mode="rgb_array" pixels.'
)
UNSEEN = ("offscreen", "dummy", "evdev")  # video drivers of SDL that show nothing

_current: Window | None = None  # pygame has one display per process: the window that was shown last owns it


class Window:
    """Shows frames one after the other.

    The window opens with the first frame and takes its size. When the person at the screen closes it (or
    presses Escape or Q) `closed` becomes True and later frames are ignored, so that a running game goes on
    undisturbed. Copies, also through pickle, are windows of their own that have not been opened yet.
    """

    def __init__(self, title: str = "Poopdeck", fps: float | None = None):
        """With `fps`, `show` waits so that no more than so many frames are shown in a second."""
        if fps is not None and not fps > 0:
            raise ValueError(f"fps is {fps}; allowed are numbers above 0 and None")
        self.title = title
        self.fps = fps
        self.closed = False
        self._pygame: Any = None  # the module, once the window is open
        self._size: tuple[int, int] | None = None
        self._due = 0.0  # earliest time of the next frame, in seconds of the monotonic clock

    def show(self, frame: np.ndarray) -> None:
        """Show a frame, uint8 (height, width, 3), red, green, blue 0..255, and answer the window's events."""
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
            raise ValueError(f"frame is {frame.dtype} {frame.shape}; allowed is uint8 (height, width, 3)")
        if self.closed:
            return
        self._wait()
        if self.closed:
            return
        self._open((frame.shape[1], frame.shape[0]))
        surface = self._pygame.surfarray.make_surface(frame.swapaxes(0, 1))  # pygame counts columns first
        self._pygame.display.get_surface().blit(surface, (0, 0))
        self._pygame.display.flip()
        self._due = time.monotonic() + 1 / self.fps if self.fps else 0.0
        self.pump()

    def pump(self) -> None:
        """Answer what has happened to the window; call it now and then while no frame is shown."""
        if self._pygame is None or _current is not self:
            return
        pygame = self._pygame
        if not pygame.display.get_init():  # somebody else has shut pygame down
            return
        for event in pygame.event.get():
            key = event.key if event.type == pygame.KEYDOWN else None
            if event.type == pygame.QUIT or key in (pygame.K_ESCAPE, pygame.K_q):
                self.close()
                return

    def close(self) -> None:
        """Close the window for good; closing it again does nothing."""
        global _current
        if self._pygame is not None and _current is self:
            self._pygame.display.quit()
            _current = None
        self._pygame = None
        self.closed = True

    def _wait(self) -> None:
        """Let the time between frames pass; the window goes on answering meanwhile."""
        while not self.closed and (left := self._due - time.monotonic()) > 0:
            self.pump()
            time.sleep(min(left, 0.02))

    def _open(self, size: tuple[int, int]) -> None:
        """Make this the window on the screen, of the given size."""
        global _current
        if self._pygame is None:
            self._pygame = _load_pygame()
        if _current is self and size == self._size and self._pygame.display.get_surface() is not None:
            return
        try:
            self._pygame.display.init()
            driver = self._pygame.display.get_driver()
            wanted = os.environ.get("SDL_VIDEODRIVER") or os.environ.get("SDL_VIDEO_DRIVER") or ""
            self._pygame.display.set_mode(size)
        except self._pygame.error as error:
            self._pygame = None
            raise RuntimeError(NO_SCREEN.format(error)) from error
        if driver in UNSEEN and driver not in wanted.split(","):  # what SDL falls back to without a screen
            warnings.warn(UNSEEN_WINDOW.format(driver), stacklevel=2)
        self._pygame.display.set_caption(self.title)
        _current, self._size = self, size

    def __getstate__(self) -> dict[str, Any]:
        return {"title": self.title, "fps": self.fps}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


def _load_pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # no greeting on standard output
    try:
        import pygame
    except ImportError as error:
        raise ImportError(MISSING) from error
    return pygame
