"""Nothing is seen."""
