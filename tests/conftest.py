"""What all tests share."""

import os

import pytest

# A window that nobody sees, for render_mode="human".
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
# Tests say themselves when rules are to be played before they are compiled, and when that is told.
os.environ.setdefault("POOPDECK_COMPILE_FIRST", "1")
os.environ.setdefault("POOPDECK_QUIET", "1")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

pytest.register_assert_rewrite("support", "documents")  # their asserts say what was compared, as in tests


@pytest.fixture
def one_thread():
    """torch with one thread, so that what is trained is the same to the bit."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
