"""The games, one folder each: rules, what a seat observes, how it is told."""
