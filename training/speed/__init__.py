"""How fast the suite is, beside its peers."""
