"""Work on other machines, for the commands that can send some there."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..training.cluster.ray_executor import RayExecutor

RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Do the work on a Ray cluster that runs there: `HOST:PORT`, or `auto` for the one of this machine.",
    ),
]


def cluster(address: str | None, own_processes: bool = False) -> AbstractContextManager["RayExecutor | None"]:
    """The cluster as a context, or None if no address was given; calls have ``own_processes`` or share some."""
    if address is None:
        return nullcontext()
    from ..training.cluster.ray_executor import RayExecutor

    return RayExecutor(address, own_processes)
