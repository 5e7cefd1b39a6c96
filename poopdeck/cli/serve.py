"""``poopdeck serve``."""

import pathlib
import socket
from typing import Annotated, Any

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
    web_lobby, web_server = web_modules()
    alone = host in web_server.LOOPBACK
    lobby = web_lobby.Lobby(tables, idle, tuple(agents or ()), any_agent=alone, save=save)
    server = web_server.Server(lobby, web_server.LOOPBACK if alone else None, hold)
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    typer.echo(f"tables at {address} (Ctrl-C ends it)" + (f"; games go to {save}" if save else ""))
    if not alone:
        typer.echo("other machines can open tables here, against agents that are offered by name", err=True)
    run(server, listening)


def show_replay(lines: list[str], port: int = 0) -> None:
    """Serves the page that shows a saved game, to this machine alone, until Ctrl-C."""
    web_lobby, web_server = web_modules()
    server = web_server.Server(web_lobby.Lobby(), shown=lines)
    listening = socket.create_server(("127.0.0.1", port))
    typer.echo(f"the game is at http://127.0.0.1:{listening.getsockname()[1]}/#replay (Ctrl-C ends it)")
    run(server, listening)


def run(server: Any, listening: socket.socket) -> None:
    """Serves until Ctrl-C."""
    import uvicorn

    config = uvicorn.Config(server.app(), log_level="warning", ws_max_size=8192, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def web_modules() -> tuple[Any, Any]:
    """Our lobby and server; ImportError says which extra is missing for them or for uvicorn, which serves them."""
    try:
        import uvicorn  # noqa: F401

        from ..web import lobby, server
    except ImportError as error:
        raise ImportError(f'{error.name} is missing: pip install "poopdeck[web]"') from None
    return lobby, server
