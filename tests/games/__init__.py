"""Tests of the games' rules, one folder per game."""
