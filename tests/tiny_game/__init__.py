"""Hardly a game: rules so small that compiling them takes no time. Run as a script, by tests/test_compiler.py."""
