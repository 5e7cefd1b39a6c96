"""What a browser may say at a table, and the answer to it; whatever it says, the answer is a message."""

import json
from dataclasses import asdict
from typing import Any

from ..agents.loading import load_agent
from ..training.storage.plain_json import json_text
from ..training.storage.replay import ReplayError, parse_replays
from ..watch import replay_frames
from .table import Refused, Table

KINDS = ("act", "hint", "undo", "review")
LONGEST = 4096  # characters of a message from a browser
MOST_FRAMES = 4000


def answer(table: Table, seat: int, text: Any) -> dict[str, Any] | None:
    """What is sent back to the seat for a message, None where the position tells everything; what is wrong is an
    answer of the type "error" and changes nothing."""
    try:
        message = read_message(text)
        return _answer(table, seat, message)
    except ValueError as error:  # Refused, or an agent's name that there is not
        return {"type": "error", "message": str(error)}


def read_message(text: Any) -> dict[str, Any]:
    """A JSON object with a type; Refused says what is wrong."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise Refused(f"a message is a text of at most {LONGEST} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise Refused("a message is a JSON object")
    return message


def _answer(table: Table, seat: int, message: dict[str, Any]) -> dict[str, Any] | None:
    kind = message.get("type")
    if kind == "act":
        action = message.get("action")
        if type(action) is not int:
            raise Refused("action: a whole number is wanted, one of the legal actions")
        table.act(seat, action)
        return None
    if kind == "hint":
        name = message.get("agent", "heuristic")
        if not isinstance(name, str) or name not in table.hint_agents:
            raise Refused(f"agent: allowed is {', '.join(table.hint_agents)}")
        return table.hint(seat, load_agent(name, table.game, table.state.settings))
    if kind == "undo":
        table.undo(seat)
        return None
    if kind == "review":
        return review([json_text(line) for line in table.lines()], "this game")
    raise Refused(f"type: allowed is {', '.join(KINDS)}")


def review(lines: list[str], source: str) -> dict[str, Any]:
    """A replay's frames with all hands shown, and its lines to keep; ReplayError says where it is wrong."""
    replay = parse_replays(lines, source)[0]
    frames = [{"scene": asdict(frame.scene), "done": list(frame.done)} for frame in replay_frames(replay)]
    if len(frames) > MOST_FRAMES:
        raise ReplayError(f"{source}: {len(frames)} positions; at most {MOST_FRAMES} are shown here")
    return {"type": "review", "frames": frames, "replay": lines}
