"""Interfaces: one game, as the interfaces that learners know."""
