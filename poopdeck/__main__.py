"""``python -m poopdeck``: the command ``poopdeck``."""

from .cli import main

if __name__ == "__main__":
    main()
