"""A real browser and a running server for tests of the page."""

import contextlib
import os
import shutil
import socket
import threading
import time

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")


def executable():
    """Where a Chromium lies, None without one. The system's package is used: playwright's own may not be had."""
    return os.environ.get("POOPDECK_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextlib.contextmanager
def chromium():
    """A browser; the test is skipped, and says so, where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    path = executable()
    if path is None:
        pytest.skip(f"no browser found; looked for {', '.join(BROWSERS)} and POOPDECK_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextlib.contextmanager
def served(**options):
    """A running server; gives its address and its lobby."""
    import uvicorn

    from poopdeck.web.lobby import Lobby
    from poopdeck.web.server import Server

    hold = options.pop("hold", 60.0)
    lobby = Lobby(**options)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(Server(lobby, hold=hold).app(), log_level="warning", ws_max_size=8192))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", lobby
    server.should_exit = True
    thread.join(10)
