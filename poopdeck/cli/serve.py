"""``poopdeck serve``."""

import pathlib
import socket
from typing import Annotated

import typer


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than the usual one let other machines in.")
    ] = "127.0.0.1",
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", help="An agent to offer beside those with names, such as a run's folder; repeatable."),
    ] = None,
    tables: Annotated[int, typer.Option(min=1, help="Tables at a time.")] = 500,
    idle: Annotated[float, typer.Option(min=1, help="Seconds after which a table that nobody uses goes.")] = 1800,
    hold: Annotated[float, typer.Option(min=0, help="Seconds for which the seat of who left is held.")] = 60,
    save: Annotated[
        pathlib.Path | None, typer.Option(help="Write all games to files in this folder, for `poopdeck replay`.")
    ] = None,
) -> None:
    """Opens tables in the browser, against agents and other people; answers programs at `POST /act`."""
    try:
        import uvicorn

        from ..web.lobby import Lobby
        from ..web.server import LOOPBACK, Server
    except ImportError as error:
        raise ImportError(f'{error.name} is missing: pip install "poopdeck[web]"') from None
    alone = host in LOOPBACK
    lobby = Lobby(tables, idle, tuple(agents or ()), any_agent=alone, save=save)
    server = Server(lobby, LOOPBACK if alone else None, hold)
    shown = f"[{host}]" if ":" in host else host
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    port = listening.getsockname()[1]
    typer.echo(f"tables at http://{shown}:{port}/ (Ctrl-C ends it)" + (f"; games go to {save}" if save else ""))
    if not alone:
        typer.echo("other machines can open tables here, against agents that are offered by name", err=True)
    config = uvicorn.Config(server.app(), log_level="warning", ws_max_size=8192, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])
