"""What a run or a tournament leaves on disk: its folder, checkpoints, files written so that a crash loses nothing."""
