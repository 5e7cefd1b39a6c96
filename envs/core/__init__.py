"""The core knows no game: what every game is written with, and what every adapter drives."""
