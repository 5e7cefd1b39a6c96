"""What a person may want to do after a run: commands that work as they are written."""

import shlex
from typing import Any

from ...agents.loading import agent_names
from ...agents.network.role_networks import EVERY
from ...envs.core import registry
from ...envs.core.spec import option_text
from ..config.schema import TrainConfig
from ..learners.base import Task


def farewell(result: Any, config: TrainConfig) -> list[str]:
    """How a run ended, and the commands that measure it, play against it, show its curves, and go on with it."""
    from .loop import headline
    from .progress import clock

    rate = f"{result.samples_per_second:,.0f} a second"
    lines = [f"{result.status}: {result.timesteps:,} samples in {clock(result.seconds)}, {rate}"]
    lines += [f"  vs {name}: {headline(found)}" for name, found in result.evaluations.items()]
    task, folder = Task.of(config), str(result.folder)
    lines += [
        f"results in {folder}",
        f"  measure  {shlex.join(measure_command(task, folder))}",
        f"  play     {shlex.join(play_command(task, folder))}",
        f"  curves   {shlex.join(['tensorboard', '--logdir', folder])}",
    ]
    if result.timesteps < config.total_timesteps:
        registered = task.game.spec.name in registry.names()
        chosen = game_name(task) if registered else f"{folder}/config.yaml"
        lines.append(f"  go on    {shlex.join(['poopdeck', 'train', chosen, '--out', folder, '--resume'])}")
    return lines


def measure_command(task: Task, folder: str) -> list[str]:
    """``poopdeck evaluate`` of the run's policy, in the role that it has learnt."""
    one = task.roles[0]
    role = ["--role", one] if len(task.roles) == 1 and one != EVERY else []
    return [
        "poopdeck", "evaluate", folder, "--game", game_name(task), *settings_arguments(task), *role,
        "--against", baseline(task),
    ]  # fmt: skip


def play_command(task: Task, folder: str) -> list[str]:
    """``poopdeck play`` at seat 0 with the run's policy at all other seats that it can play."""
    spec, learnt = task.game.spec, task.roles
    roles = [spec.roles[role].name for role in spec.seat_roles(task.settings)[1:]]
    names = [folder if learnt == [EVERY] or role in learnt else baseline(task) for role in roles]
    opponents = names[0] if len(set(names)) == 1 else ",".join(names)
    return ["poopdeck", "play", game_name(task), "--opponents", opponents, *settings_arguments(task)]


def settings_arguments(task: Task) -> list[str]:
    """The run's players, variant and parameters, as commands take them."""
    config = task.config
    variant = [] if config.variant is None else ["--variant", config.variant]
    options = task.game.spec.parse_options(config.options)
    pairs = [word for name, value in options.items() for word in ("--set", f"{name}={option_text(value)}")]
    return ["--players", str(task.settings["num_players"]), *variant, *pairs]


def game_name(task: Task) -> str:
    """The game's name, or what else finds it."""
    name = task.game.spec.name
    return name if name in registry.names() else task.config.game


def baseline(task: Task) -> str:
    """An agent that every run can be compared with."""
    return "heuristic" if "heuristic" in agent_names(task.game) else "random"
