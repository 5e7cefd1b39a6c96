"""``poopdeck benchmark``."""

import pathlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from .cluster import RayAddress, cluster
from .progress import progress_bar


def benchmark(
    suite: Annotated[str, typer.Argument(help="A shipped suite, `smoke`, `quick` or `standard`, or a YAML file.")],
    out: Annotated[
        pathlib.Path, typer.Option(help="The folder for all of it; one that holds this benchmark is gone on with.")
    ],
    jobs: Annotated[int, typer.Option(min=1, help="Cells that are trained at the same time, a process each.")] = 1,
    ray: RayAddress = None,
) -> None:
    """Compares ways of learning: trains every game, algorithm and seed of a suite, measures them, writes a report."""
    from ..training.benchmark.run import headline, run_benchmark
    from ..training.benchmark.suite import load_suite

    @contextmanager
    def bar(what: str, total: int) -> Iterator[Any]:
        with progress_bar(what, total) as update:
            yield update

    chosen = load_suite(suite)
    with cluster(ray, own_processes=True) as workers:
        content = run_benchmark(chosen, out, jobs, bar, lambda text: typer.echo(text, err=True), workers)
    typer.echo("\n".join(headline(content)))
    typer.echo(f"\nresults in {out}: report.md, figures.json, figures.csv, profiles.png, curves.png")
