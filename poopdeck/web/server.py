"""The server: pages, tables over WebSockets, and agents over HTTP."""

import asyncio
import contextlib
import functools
import json
import pathlib
import time
import urllib.parse
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..agents.language.rules import RULES as INSTALLED_RULES
from ..envs.core import registry
from ..training.storage.plain_json import json_text
from ..version import __version__
from .asking import act
from .lobby import PERSON, Lobby, Sitting
from .messages import LONGEST, answer, read_message, review
from .table import Refused

STATIC = pathlib.Path(__file__).parent / "static"
RULES = pathlib.Path(__file__).parents[2] / "docs" / "games"  # in a checkout
LARGEST = 2_000_000  # bytes of a request
MOST_CONNECTIONS = 8  # to one seat
LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Server:
    """``lobby`` has the tables. A request is taken only for one of the ``hosts`` (all, if None), and from a page only
    from the server's own. A seat whose person has left is held for ``hold`` seconds, then an agent plays it.
    ``shown`` is a saved game, as lines: the page at ``/#replay`` shows it.
    """

    def __init__(
        self,
        lobby: Lobby,
        hosts: tuple[str, ...] | None = LOOPBACK,
        hold: float = 60.0,
        shown: Sequence[str] | None = None,
    ):
        self.lobby, self.hosts, self.hold, self.shown = lobby, hosts, hold, shown
        self._locks: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task] = set()

    def app(self) -> Starlette:
        """The application, for uvicorn or a test."""
        routes = [
            Route("/", self._page),
            Route("/api/games", self._safely(self._games)),
            Route("/api/tables", self._safely(self._open), methods=["POST"]),
            Route("/api/replay", self._safely(self._replay), methods=["POST"]),
            Route("/api/shown", self._safely(self._shown)),
            Route("/act", self._safely(self._act), methods=["POST"]),
            Route("/picture/{game}.png", self._safely(self._picture)),
            Route("/rules/{game}", self._safely(self._rules)),
            WebSocketRoute("/table", self._sit),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, lifespan=self._life)

    @contextlib.asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        keeper = asyncio.create_task(self._keep())
        yield
        keeper.cancel()
        for sitting in self.lobby.sittings.values():
            sitting.table.close()

    async def _keep(self) -> None:
        """Clears tables away, and lets the stand-in play for people who do not come back."""
        while True:
            await asyncio.sleep(min(1.0, self.hold / 2 + 0.01))
            for sitting in list(self.lobby.sittings.values()):
                await self._replace_missing(sitting)
            for sitting in self.lobby.clear():
                self._locks.pop(sitting.name, None)
                for connections in sitting.connected.values():
                    for connection in connections:
                        with contextlib.suppress(Exception):
                            await connection.close(4408, "nobody did anything here for long")

    async def _replace_missing(self, sitting: Sitting) -> None:
        """Where others wait, a seat that was left long ago is played by the stand-in."""
        now = time.monotonic()
        missing = {seat for seat, since in sitting.left.items() if now - since >= self.hold}
        new = missing - sitting.table.away
        if not new or not sitting.connected or sitting.table.over:
            return
        async with self._lock(sitting):
            sitting.table.away |= new
            await asyncio.to_thread(sitting.table.advance)
            await self._show(sitting)

    def _lock(self, sitting: Sitting) -> asyncio.Lock:
        return self._locks.setdefault(sitting.name, asyncio.Lock())

    # Requests

    def _refusal(self, headers: Any) -> str:
        """Why a request is not taken; empty if it is. A page elsewhere must not act for whoever looks at it."""
        host = headers.get("host", "")
        name = urllib.parse.urlsplit(f"//{host}").hostname or ""
        if self.hosts is not None and name not in self.hosts:
            return f"host {host!r} is not served here"
        origin = headers.get("origin")
        if origin is not None and urllib.parse.urlsplit(origin).netloc != host:
            return "requests from other pages are not taken"
        return ""

    def _safely(self, handle: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """The handler with what is refused as JSON: 403 for what comes from elsewhere, 400 for what is wrong."""

        @functools.wraps(handle)
        async def run(request: Request) -> Response:
            refusal = self._refusal(request.headers)
            if refusal:
                return JSONResponse({"error": refusal}, 403, HEADERS)
            try:
                return await handle(request)
            except ValueError as error:
                return JSONResponse({"error": str(error)}, 400, HEADERS)

        return run

    async def _body(self, request: Request) -> bytes:
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > LARGEST:
                raise Refused(f"a request has at most {LARGEST} bytes")
            parts.append(part)
        return b"".join(parts)

    async def _json(self, request: Request) -> Any:
        try:
            return json.loads(await self._body(request))
        except Refused:
            raise
        except (ValueError, RecursionError):
            raise Refused("the request is not JSON") from None

    async def _page(self, request: Request) -> Response:
        refusal = self._refusal(request.headers)
        if refusal:
            return JSONResponse({"error": refusal}, 403, HEADERS)
        return Response((STATIC / "index.html").read_bytes(), media_type="text/html", headers=HEADERS)

    async def _games(self, request: Request) -> Response:
        found = []
        for name in registry.names():
            game = self.lobby.game(name)
            spec = game.spec
            found.append(
                {
                    "name": name,
                    "title": spec.title,
                    "aim": spec.summary,
                    "players": [spec.min_players, spec.default_players, spec.max_players],
                    "extra_roles": list(spec.extra_roles),
                    "variants": list(spec.variants),
                    "agents": self.lobby.agents(game),
                    "rules": f"/rules/{name}" if (RULES / f"{name}.md").is_file() else None,
                }
            )
        content = {"games": found, "version": __version__, "person": PERSON, "any_agent": self.lobby.any_agent}
        return JSONResponse(content, headers=HEADERS)

    async def _open(self, request: Request) -> Response:
        asked = await self._json(request)
        sitting = await asyncio.to_thread(self.lobby.open, asked)
        table = sitting.table
        seats = {table.names[seat]: f"#{sitting.name}.{key}" for seat, key in table.keys.items()}
        return JSONResponse({"table": sitting.name, "seats": seats}, headers=HEADERS)

    async def _act(self, request: Request) -> Response:
        asked = await self._json(request)
        return JSONResponse(await asyncio.to_thread(act, self.lobby, asked), headers=HEADERS)

    async def _replay(self, request: Request) -> Response:
        try:
            text = (await self._body(request)).decode()
        except UnicodeDecodeError:
            raise Refused("the replay is not UTF-8") from None
        lines = text.split("\n")
        lines.pop()
        return JSONResponse(await asyncio.to_thread(review, lines, "replay"), headers=HEADERS)

    async def _shown(self, _: Request) -> Response:
        if self.shown is None:
            raise Refused("this server was not started to show a saved game")
        return JSONResponse(await asyncio.to_thread(review, list(self.shown), "the saved game"), headers=HEADERS)

    async def _picture(self, request: Request) -> Response:
        data = await asyncio.to_thread(_picture, self.lobby.game(request.path_params["game"]).spec.name)
        return Response(data, media_type="image/png", headers={**HEADERS, "Cache-Control": "max-age=3600"})

    async def _rules(self, request: Request) -> Response:
        name = self.lobby.game(request.path_params["game"]).spec.name
        path = next((one for one in (RULES / f"{name}.md", INSTALLED_RULES / f"{name}.txt") if one.is_file()), None)
        if path is None:  # a game that another package has added
            return JSONResponse({"error": f"no text of the rules of {name} is installed"}, 404, HEADERS)
        return Response(path.read_bytes(), media_type="text/plain; charset=utf-8", headers=HEADERS)

    # Tables

    async def _sit(self, socket: WebSocket) -> None:
        """A connection: its first message names table and key, then the seat is told its position at every change."""
        await socket.accept()
        refusal = self._refusal(socket.headers)
        try:
            if refusal:
                raise Refused(refusal)
            first = read_message(await asyncio.wait_for(socket.receive_text(), 10))
            sitting, seat = self.lobby.find(first.get("table"), first.get("key"))
            if len(sitting.connected.get(seat, [])) >= MOST_CONNECTIONS:
                raise Refused(f"this seat has {MOST_CONNECTIONS} connections already")
        except (Refused, TimeoutError, KeyError) as error:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.send_text(
                    json_text({"type": "error", "message": str(error) or "no message", "fatal": True})
                )
                await socket.close(4403)
            return
        except WebSocketDisconnect:
            return
        try:
            await self._come(sitting, seat, socket)
            while True:
                await self._take(sitting, seat, socket, await socket.receive_text())
        except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes in place of a text
            pass
        finally:
            self._leave(sitting, seat, socket)

    async def _come(self, sitting: Sitting, seat: int, socket: WebSocket) -> None:
        async with self._lock(sitting):
            sitting.connected.setdefault(seat, []).append(socket)
            sitting.left.pop(seat, None)
            sitting.table.away.discard(seat)
            sitting.used = time.monotonic()
            sitting.shown.pop(seat, None)
            await self._show(sitting)

    def _leave(self, sitting: Sitting, seat: int, socket: WebSocket) -> None:
        connections = sitting.connected.get(seat, [])
        if socket in connections:
            connections.remove(socket)
        if not connections:
            sitting.connected.pop(seat, None)
            sitting.left[seat] = time.monotonic()

    async def _take(self, sitting: Sitting, seat: int, socket: WebSocket, text: str) -> None:
        """A message from a seat, and what follows from it for everybody at the table."""
        async with self._lock(sitting):
            sitting.used = time.monotonic()
            stale = self._stale(sitting, seat, text)
            reply = stale or await asyncio.to_thread(answer, sitting.table, seat, text)
            if reply is not None:
                await socket.send_text(json_text(reply))
            await self._show(sitting)

    def _stale(self, sitting: Sitting, seat: int, text: str) -> dict[str, Any] | None:
        """An action that was chosen in an earlier position, such as a second click, is not taken."""
        if len(text) > LONGEST:
            return None
        with contextlib.suppress(ValueError, RecursionError):
            message = json.loads(text)
            if isinstance(message, dict) and "turn" in message and message["turn"] != sitting.turns.get(seat, 0):
                return {"type": "error", "message": "the position has changed since"}
        return None

    async def _show(self, sitting: Sitting) -> None:
        """Tells every seat its position, where it is another than before for that seat: when others are asked in
        secret, nothing is sent."""
        for seat, connections in list(sitting.connected.items()):
            content = sitting.table.message(seat)
            text = json_text(content)
            if text == sitting.shown.get(seat):
                continue
            sitting.shown[seat] = text
            sitting.turns[seat] = sitting.turns.get(seat, 0) + 1
            sent = json_text({**content, "turn": sitting.turns[seat]})
            for connection in list(connections):
                with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                    await connection.send_text(sent)


@functools.cache
def _picture(name: str) -> bytes:
    """A table of the game as a small picture."""
    import io

    from PIL import Image

    from ..envs.render import rgb

    game = registry.game(name)
    state, rng = game.new_state(1), np.random.default_rng(1)
    for _ in range(12):
        legal = game.legal_actions(state)
        if legal:
            game.apply_action(state, int(rng.choice(legal)))
    file = io.BytesIO()
    Image.fromarray(rgb.draw(game.scene(state, 0), 480, 320)).save(file, "PNG")
    return file.getvalue()
