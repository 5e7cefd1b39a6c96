"""Ways of learning, one file each, over the samples that they share."""
