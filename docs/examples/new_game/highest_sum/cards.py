"""Highest Sum: its cards. A card is its kind, from 0, which is also its worth."""

MAX_KINDS = 6
COPIES = 3  # of each kind
