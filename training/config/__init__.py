"""What a training run is made of, and the files it is read from."""
