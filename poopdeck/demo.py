"""The demonstration: train Poo Head for some minutes, watch it learn, and see it measured against the baselines.

``python -m poopdeck.demo FOLDER``; an interrupted demonstration goes on where it was, of a finished one the figures
are shown again.
"""

import pathlib
import shlex
import sys

CONFIG = "poo_head_demo"


def main(folder: str) -> int:
    """Trains into the folder, which measures at the end, and says what the figures mean; returns the exit code."""
    from .training.config.files import load_config
    from .training.learners.base import Task
    from .training.run.farewell import play_command
    from .training.run.loop import headline
    from .training.run.train import read_result, train_command

    path = pathlib.Path(folder)
    config = load_config(CONFIG)
    if (path / "result.json").exists() and read_result(path)["status"] in ("finished", "time limit"):
        print(f"{folder} holds a finished demonstration; for another one name another folder: make demo RUN=runs/other")
        for name, found in read_result(path)["evaluations"].items():
            print(f"  vs {name}: {headline(found)}")
    else:
        code = train_command(CONFIG, [], None, path, resume=path.exists())
        if code:
            return code
    players = config.players or 4
    print(f"A table of equals loses {1 / players:.2f} of its games each: below that, the agent is the better player.")
    _, *command = play_command(Task.of(config), folder)
    python = pathlib.Path(sys.executable)
    shown = python.relative_to(pathlib.Path.cwd()) if python.is_relative_to(pathlib.Path.cwd()) else python
    print(f"Sit down with {players - 1} of it: {shlex.join([str(shown), '-m', 'poopdeck', *command])}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "runs/demo"))
