"""Work sent to other machines."""
