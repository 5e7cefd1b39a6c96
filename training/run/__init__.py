"""One training run: its loop, its curves, what its terminal says."""
