"""Networks as agents."""
