"""Training runs from a config: the front of this package, for scripts and for ``poopdeck train``."""

import json
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..config.files import load_config
from ..config.schema import TrainConfig
from ..storage.run_folder import RunFolder, RunFolderError, default_folder, read_config

INTERRUPTED_CODE = 130  # what a shell expects of a command that Ctrl-C ended


@dataclass(frozen=True)
class RunResult:
    """How a run ended; ``result.json`` says the same.

    ``status`` is finished, time limit or interrupted; ``seconds`` all of it; ``samples_per_second`` playing and
    learning alone, without the first update of each session, which compiles; ``evaluations`` the last one against each
    baseline, as ``poopdeck evaluate --json`` writes it.
    """

    folder: pathlib.Path
    status: str
    timesteps: int
    seconds: float
    samples_per_second: float
    evaluations: dict[str, Any] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """For a command."""
        return INTERRUPTED_CODE if self.status == "interrupted" else 0


def train(
    config: TrainConfig,
    out: pathlib.Path | str | None = None,
    resume: bool = False,
    on_update: Any = None,
    quiet: bool = False,
) -> RunResult:
    """Trains by a config into the folder ``out`` (by default a new one below ``runs``).

    With ``resume`` the run in ``out`` goes on; ``on_update(timesteps, values)`` is called after every update.

    Raises:
        ConfigError: the config cannot be used with this game.
        RunFolderError: the folder is not empty, in use, or holds a run that does not fit.
    """
    from ...envs.core import registry

    if resume and out is None:
        raise RunFolderError("resume needs the folder of the run")
    game, settings = registry.game(config.game), config.settings()
    path = default_folder(config) if out is None else pathlib.Path(out)
    with RunFolder(path, resume) as folder:
        return _train_in(folder, config, game, settings, on_update, quiet)


def _train_in(
    folder: RunFolder, config: TrainConfig, game: Any, settings: Any, on_update: Any, quiet: bool
) -> RunResult:
    import torch

    from ..config import registry
    from ..learners.base import Task
    from ..learners.snapshot_pool import SnapshotPool
    from .farewell import farewell
    from .generators import seed_generators
    from .loop import FAILED, INTERRUPTED, TrainingLoop
    from .progress import TrainingProgress

    limit = None if config.time_limit is None else config.time_limit * 60
    progress = TrainingProgress(config.game, config.total_timesteps, limit, quiet)
    task, pool = Task(config, game, settings), SnapshotPool(config.snapshots)
    torch.set_num_threads(config.threads)
    seed_generators(config.seed)
    learner = registry.spec(config.algo).make(
        task, pool
    )  # before anything is written: an agent that is not there stops it here
    loop = TrainingLoop(task, folder, pool, learner, progress, on_update)

    def finish(status: str, **more: Any) -> RunResult:
        counters, rate = loop.counters, loop.rate
        result = RunResult(folder.path, status, learner.timesteps, counters.seconds, rate, counters.latest)
        folder.finish(
            {
                "status": status,
                **more,
                "game": game.spec.id,
                "settings": settings,
                "algo": config.algo,
                "seed": config.seed,
                "timesteps": learner.timesteps,
                "total_timesteps": config.total_timesteps,
                "seconds": round(counters.seconds, 3),
                "samples_per_second": round(rate, 1),
                "evaluations": counters.latest,
            }
        )
        return result

    try:
        for warning in folder.begin(config):
            progress.say(warning)
        progress.say(f"training {config.game} with {settings['num_players']} players in {folder.path}")
        with progress:
            result = finish(loop.run())
    except KeyboardInterrupt:  # a second Ctrl-C: what the last checkpoint holds is what there is
        result = finish(INTERRUPTED)
    except RunFolderError:
        raise
    except Exception as error:
        finish(FAILED, error=f"{type(error).__name__}: {error}")
        raise
    finally:
        learner.close()
    for line in farewell(result, config):
        progress.say(line)
    return result


def newest_run(game: str, below: pathlib.Path = pathlib.Path("runs")) -> pathlib.Path:
    """The run of a game that was written last."""
    found = []
    for path in below.glob("*/config.yaml"):
        try:
            if read_config(path.parent).game == game:
                found.append(path.parent)
        except ValueError:
            continue  # not one of ours, or of another version
    if not found:
        raise RunFolderError(f"{below}: no run of {game} there to resume; name its folder")
    return max(found, key=lambda folder: max(item.stat().st_mtime for item in folder.iterdir()))


def train_command(
    config: str,
    sets: Sequence[str] = (),
    seed: int | None = None,
    out: pathlib.Path | None = None,
    resume: bool = False,
    players: int | None = None,
    variant: str | None = None,
) -> int:
    """What ``poopdeck train`` does; returns its exit code.

    ``config`` is one name or path, or several with commas between, later ones laid over earlier ones. A resumed run
    keeps the config in its folder; ``sets`` change what may be changed.
    """
    names = [name.strip() for name in config.split(",")]
    given = {"players": players, "variant": variant, "seed": seed}
    changes = [*sets, *(f"{key}={value}" for key, value in given.items() if value is not None)]
    chosen = load_config(names, [] if resume else changes)
    if not resume:
        return train(chosen, out).exit_code
    folder = newest_run(chosen.game) if out is None else out
    if not (folder / "config.yaml").is_file():  # stopped before it began, or not there: train says so
        return train(load_config(names, changes), folder, resume=True).exit_code
    kept = read_config(folder, changes)
    if kept.game != chosen.game:
        raise RunFolderError(f"{folder}: a run of {kept.game}, not of {chosen.game}")
    return train(kept, folder, resume=True).exit_code


def read_result(folder: pathlib.Path) -> dict[str, Any]:
    """A run's ``result.json``."""
    try:
        return json.loads((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise RunFolderError(f"{folder}: no result.json that can be read there ({error})") from None
