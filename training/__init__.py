"""Training policies and measuring agents."""
