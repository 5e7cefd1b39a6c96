"""Heuristics, one module per game, compiled; they read the observation's named blocks."""
