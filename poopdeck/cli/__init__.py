"""The command ``poopdeck``: a file per command, collected by ``app``. Heavy imports wait until a command needs them."""

from .app import app, main

__all__ = ["app", "main"]
