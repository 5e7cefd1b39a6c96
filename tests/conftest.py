"""What all tests share."""

import os

# A window that nobody sees, for render_mode="human".
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
