"""Where an environment's pictures go, by its render mode."""

from typing import Any

import numpy as np

from ..core.scene import Scene

RENDER_MODES = ("ansi", "rgb_array", "human")


class Screen:
    """Draws scenes as text ("ansi"), as pixels uint8 (H, W, 3) ("rgb_array"), or in a window ("human").

    Copies and pickles have no window until they show something.
    """

    def __init__(self, render_mode: str | None):
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r}: allowed is None, {', '.join(map(repr, RENDER_MODES))}")
        self.render_mode = render_mode
        self._window: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def show(self, scene: Scene) -> str | np.ndarray | None:
        """The picture, or None when it is in the window."""
        from ..render import ansi, rgb  # drawing is loaded when something is drawn

        if self.render_mode == "ansi":
            return ansi.draw(scene)
        if self.render_mode == "rgb_array":
            return rgb.draw(scene)
        if self._window is None:
            from ..render.window import Window

            self._window = Window()
        self._window.show(rgb.draw(scene))
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
