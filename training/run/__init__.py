"""One training run: its folder, its loop, its curves and checkpoints."""
