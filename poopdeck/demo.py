"""The demonstration: train Poo Head for some minutes, watch it learn, then measure it against the baselines.

``python -m poopdeck.demo FOLDER``; an interrupted demonstration goes on where it was, a finished one is only measured.
"""

import pathlib
import sys

CONFIG = "poo_head_demo"
GAMES = 20_000
TABLES = ("random", "heuristic:lowest")


def main(folder: str) -> int:
    """Trains into the folder and prints the figures; returns the exit code."""
    from .agents.loading import load_agent
    from .doors import game as find_game
    from .training.config_file import load_config
    from .training.evaluate import evaluate, table_text
    from .training.train import train_command

    path = pathlib.Path(folder)
    code = 0
    if (path / "result.json").exists():
        print(f"{folder} holds a finished demonstration; it is measured again. Another one: make demo RUN=runs/other")
    else:
        code = train_command(CONFIG, [], None, path, resume=path.exists())
    if code:
        return code
    config = load_config(CONFIG)
    game = find_game(config.game)
    settings = game.spec.settings(config.players, **config.options)
    learner = load_agent(folder, game, settings)
    for name in TABLES:
        result = evaluate(game, settings, learner, [load_agent(name, game, settings)], GAMES)
        print(table_text(result))
        result.write(path / f"against-{name.replace(':', '-')}.json")
    print(f"par is 0.25: a table of four equals. The figures lie in {folder}/against-*.json")
    print(f"play against it: .venv/bin/poopdeck play {game.spec.name} --opponents {folder},{folder},{folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "runs/demo"))
