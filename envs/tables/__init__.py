"""Many tables of one game, and who decides at each seat."""
