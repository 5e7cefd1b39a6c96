"""Suites of `poopdeck benchmark`: which games, algorithms and seeds are compared."""
