"""How fast a server answers many people at once: prints the delay from an action to the next position.

    python docs/make/serve_load.py poop --people 200 --seconds 20

Each person sits at a table of the game with three heuristics, thinks for some seconds, and takes the first choice. The
server runs in a process of its own, the people in this one.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
import urllib.request

import numpy as np
import websockets

ASKED = {"players": 4, "agents": ["person", "heuristic", "heuristic", "heuristic"]}


def open_table(server: str, game: str) -> dict[str, str]:
    """The first message of a person at a new table."""
    body = json.dumps({"game": game, **ASKED}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{server}/api/tables", body)) as answer:
        [link] = json.load(answer)["seats"].values()
    table, key = link[1:].split(".")
    return {"table": table, "key": key}


async def play(server: str, game: str, think: float, until: float, delays: list[float]) -> None:
    """One person, at table after table; notes the delay of every answer in seconds."""
    while time.monotonic() < until:
        link = await asyncio.to_thread(open_table, server, game)
        async with websockets.connect(server.replace("http", "ws") + "/table") as socket:
            await socket.send(json.dumps(link))
            position = json.loads(await socket.recv())
            while not position["over"] and time.monotonic() < until:
                await asyncio.sleep(random.uniform(0.5, 1.5) * think)
                began = time.perf_counter()
                await socket.send(json.dumps({"type": "act", "action": position["legal"][0]["action"]}))
                position = json.loads(await socket.recv())
                delays.append(time.perf_counter() - began)


async def measure(server: str, game: str, people: int, think: float, seconds: float) -> np.ndarray:
    """All delays in milliseconds, without those of the first quarter."""
    delays: list[float] = []
    until = time.monotonic() + seconds
    await asyncio.gather(*(play(server, game, think, until, delays) for _ in range(people)))
    return 1000 * np.array(delays[len(delays) // 4 :])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="How fast a server answers many people at once.")
    parser.add_argument("game", help="by name; four sit at a table")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=2.0, help="seconds from a position to the choice, on average")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "poopdeck", "serve", "--port", "0", "--tables", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            found = re.search(r"http://\S+?(?=/)", process.stdout.readline() if process.stdout else "")
            if found is None:
                raise RuntimeError("the server did not start")
            delays = asyncio.run(measure(found[0], asked.game, asked.people, asked.think, asked.seconds))
        finally:
            process.terminate()
    low, middle, high = np.percentile(delays, (5, 50, 95))
    print(f"{asked.people} people, {len(delays)} answers: median {middle:.1f} ms, 90 % from {low:.1f} to {high:.1f} ms")


if __name__ == "__main__":
    main()
