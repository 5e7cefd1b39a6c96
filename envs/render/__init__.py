"""The drawing room: a `Scene` (`envs/core/scene.py`) as text, as pixels, in a window.

`ansi.draw(scene)` gives text for a terminal, `rgb.draw(scene)` an array of pixels, `window.Window` shows such
arrays on the screen. No rules live here and rules never import it. Neither Pillow nor pygame is loaded before
it is needed.
"""
