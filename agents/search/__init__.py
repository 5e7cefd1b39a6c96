"""Agents that search: they deal anew what they cannot know, and play on from there."""
