"""Ways of learning compared: a suite of games, algorithms and seeds, run, measured and reported."""
