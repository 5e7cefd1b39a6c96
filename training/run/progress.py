"""What a person sees of a run: a bar with rate and time left on a terminal, a line now and then elsewhere."""

import time
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

QUIET = 10.0  # seconds between two lines where there is no terminal


def clock(seconds: float) -> str:
    """0:01:40."""
    return str(timedelta(seconds=round(max(seconds, 0.0))))


class TrainingProgress:
    """Told of every update; ``quiet`` shows nothing at all."""

    def __init__(self, title: str, total: int, time_limit: float | None, quiet: bool = False):
        """``time_limit`` in seconds."""
        self.total, self.time_limit, self.quiet, self.title = total, time_limit, quiet, title
        self.console = Console(stderr=True, quiet=quiet, soft_wrap=True)
        self.latest = ""
        self._spoken = 0.0
        self._live = self.console.is_terminal and not quiet
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.completed:,}/{task.total:,}"),
            TextColumn("{task.fields[rate]:,.0f}/s"),
            LeftColumn(),
            TextColumn("{task.fields[latest]}", style="dim"),
            console=self.console,
            disable=not self._live,
        )
        self._task = self._bar.add_task(title, total=total, rate=0.0, left=None, latest="")

    def __enter__(self) -> "TrainingProgress":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def update(self, timesteps: int, rate: float, seconds: float) -> None:
        """``rate`` samples a second, ``seconds`` since the run began."""
        left = (self.total - timesteps) / rate if rate > 0 else None
        if self.time_limit is not None and left is not None:
            left = min(left, self.time_limit - seconds)
        self._bar.update(self._task, completed=min(timesteps, self.total), rate=rate, left=left, latest=self.latest)
        if not self._live and time.monotonic() - self._spoken > QUIET:
            self._spoken = time.monotonic()
            ahead = "" if left is None else f", {clock(left)} left"
            latest = f", {self.latest}" if self.latest else ""
            self.say(f"{self.title}: {timesteps:,} of {self.total:,} samples, {rate:,.0f}/s{ahead}{latest}")

    def say(self, text: str) -> None:
        """A line that stays."""
        self.console.print(text, highlight=False, markup=False)


class LeftColumn(ProgressColumn):
    """Time left, as the run itself reckons it: rich's own guess takes pauses for evaluation amiss."""

    def render(self, task: Task) -> Text:
        """0:01:40 left."""
        left = task.fields.get("left")
        return Text("" if left is None else f"{clock(left)} left", style="cyan")
