"""Heuristics, compiled, in one module or folder per game, named like it; they read the observation's named blocks."""
