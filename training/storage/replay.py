"""Whole games as JSON lines, written while they are played, so that nothing is lost when a process dies.

A file holds one game or several, one after the other. Each begins with a line that says the game, its settings, how it
was dealt (``seed``, or a position ``start``) and who played with which versions; a line for every action follows, and
one with the payoffs::

    {"replay": 1, "game": "poopdeck/poo_head-v0", "settings": {...}, "seed": 3, "players": [...], "versions": {...}}
    {"seat": 0, "action": 12, "name": "play 3"}
    {"payoffs": [1.0, -1.0], "truncated": false, "decisions": 40}
"""

import hashlib
import json
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Self

import numpy as np

from ...agents.human import HumanAgent
from ...envs.core import registry
from ...envs.core.errors import naming_file
from ...envs.core.game import Game, State
from ...version import __version__
from .plain_json import json_text

FORMAT = 1
TOLERANCE = 1e-5  # payoffs are float32


class ReplayError(ValueError):
    """A file that is no replay, or whose game the rules do not play so; the message names file, line and what."""


@dataclass(frozen=True)
class Replay:
    """One game as it was written down. ``payoffs`` is None where the game did not come to its end."""

    game_id: str
    settings: Mapping[str, Any]
    seed: int | None
    start: Mapping[str, Any] | None  # a scenario, where the game was not dealt from a seed
    players: Sequence[Mapping[str, Any]]  # one per seat: agent, and weights (a digest) of a network
    actions: Sequence[int]
    seats: Sequence[int]
    payoffs: Sequence[float] | None
    truncated: bool
    versions: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    first_line: int = 1

    def place(self, number: int = -1) -> str:
        """Where action ``number`` stands, -1 for the head, in words."""
        return f"{self.path}, line {self.first_line + 1 + number}"

    def game(self) -> Game:
        """The game; ReplayError where there is none of this name and version."""
        try:
            return registry.game(self.game_id)
        except ValueError as error:
            raise ReplayError(f"{self.place()}: {error}") from None

    def first(self, game: Game) -> State:
        """The position that it begins with; ReplayError where settings or position are refused."""
        try:
            if self.start is not None:
                return game.load(self.start)
            options = dict(self.settings)
            return game.new_state(self.seed, options.pop("num_players", None), **options)
        except ValueError as error:
            raise ReplayError(f"{self.place()}: {error}") from None

    def positions(self) -> Iterator[tuple[Game, State, int | None]]:
        """Game, position and the action taken there, for every decision, and None for the last position; the state is
        the same object, played on in between.

        Raises:
            ReplayError: at the first action that is not legal, of another seat, or when payoffs are others.
        """
        game = self.game()
        state = self.first(game)
        for number, (seat, action) in enumerate(zip(self.seats, self.actions, strict=True)):
            acting = game.current_player(state)
            if acting != seat:
                whose = "the game is over" if acting < 0 else f"seat {acting} is to act"
                raise ReplayError(f"{self.place(number)}: decision {number + 1} is of seat {seat}, but {whose}")
            yield game, state, action
            try:
                game.apply_action(state, action)
            except ValueError as error:
                raise ReplayError(f"{self.place(number)}: decision {number + 1} is not legal: {error}") from None
        self._check_end(game, state)
        yield game, state, None

    def _check_end(self, game: Game, state: State) -> None:
        if self.payoffs is None:
            return
        place = self.place(len(self.actions))
        if not game.is_terminal(state):
            raise ReplayError(f"{place}: payoffs are recorded, but seat {game.current_player(state)} is still to act")
        found = game.returns(state)
        if len(found) != len(self.payoffs) or np.abs(found - np.array(self.payoffs)).max() > TOLERANCE:
            told = ", ".join(f"{float(value):g}" for value in found)
            raise ReplayError(f"{place}: payoffs {list(self.payoffs)} are recorded, the rules pay [{told}]")
        if game.is_truncated(state) != self.truncated:
            raise ReplayError(f"{place}: truncated is {self.truncated}, by the rules {game.is_truncated(state)}")

    def verify(self) -> None:
        """Plays it all; ReplayError says exactly where it is not as the rules play it."""
        for _ in self.positions():
            pass


def weights_digest(agent: Any) -> str | None:
    """Tells one network from another; None for agents without one."""
    networks = getattr(agent, "networks", None)
    if networks is None:
        return None
    digest = hashlib.blake2b(digest_size=16)
    for role, network in networks.by_role.items():
        made, layers = network.content()
        digest.update(f"{role} {made}".encode())
        for layer in layers:
            digest.update(f"{layer.shape}".encode() + layer.tobytes())
    return digest.hexdigest()


def player_facts(agent: Any) -> dict[str, Any]:
    """What a replay says of whoever sits at a seat: the name, and of a network a digest of its weights."""
    digest = weights_digest(agent)
    name = "human" if isinstance(agent, HumanAgent) else agent.name
    return {"agent": name, **({"weights": digest} if digest else {})}


class ReplayWriter:
    """Writes games to a new file, line by line as they are played.

    Raises:
        ValueError: the file exists; nothing is overwritten.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with naming_file(self.path):
            try:
                self._file: IO[str] = open(self.path, "x", encoding="utf-8", newline="\n")
            except FileExistsError:
                raise ValueError(f"{self.path} exists already; choose another name for the replay") from None

    def begin(self, game: Game, state: State, players: Iterable[Mapping[str, Any]]) -> None:
        """A new game from a position; where it was not dealt from a seed, or nobody knows, the position is kept."""
        options = dict(state.settings)
        dealt = state.seed is not None and state == game.new_state(state.seed, options.pop("num_players"), **options)
        self._write(
            {
                "replay": FORMAT,
                "game": game.spec.id,
                "settings": dict(state.settings),
                **({"seed": state.seed} if dealt else {"seed": None, "start": game.dump(state)}),
                "players": list(players),
                "versions": {"poopdeck": __version__},
            }
        )
        self._decisions = 0

    def action(self, seat: int, action: int, name: str) -> None:
        """One decision."""
        self._decisions += 1
        self._write({"seat": int(seat), "action": int(action), "name": name})

    def end(self, payoffs: np.ndarray, truncated: bool) -> None:
        """The game is over."""
        self._write({"payoffs": payoffs, "truncated": bool(truncated), "decisions": self._decisions})

    def _write(self, content: Mapping[str, Any]) -> None:
        with naming_file(self.path):
            self._file.write(json_text(content) + "\n")
            self._file.flush()

    def close(self) -> None:
        """No more games."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_replays(path: str | os.PathLike[str]) -> list[Replay]:
    """All games of a file, finished or not; a last line that was being written when its process died is left out.

    Raises:
        ReplayError: the file, or a line of it, is no part of a replay.
    """
    return parse_replays(_lines(pathlib.Path(path)), str(path))


def parse_replays(lines: Sequence[str], path: str) -> list[Replay]:
    """The games in lines of a file of this name; see ``read_replays``."""
    return [_replay(game, path) for game in _games(lines, path)]


def lines_of_game(path: str | os.PathLike[str], number: int) -> list[str]:
    """The lines of the game ``number``, counted from 1, of a file that ``read_replays`` reads."""
    lines = _lines(pathlib.Path(path))
    return [lines[place - 1] for place, _ in _games(lines, str(path))[number - 1]]


def _lines(path: pathlib.Path) -> list[str]:
    """A file's lines, without a last one that was being written when its process died."""
    try:
        with naming_file(path):
            text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReplayError(f"{path}: no replay, not UTF-8") from None
    lines = text.split("\n")
    lines.pop()  # empty, or half a line
    return lines


def _games(lines: Sequence[str], path: str) -> list[list[tuple[int, dict[str, Any]]]]:
    """The numbered lines of every game, read as JSON."""
    games: list[list[tuple[int, dict[str, Any]]]] = []
    for number, line in enumerate(lines, 1):
        content = _line(line, f"{path}, line {number}")
        if "replay" in content:
            games.append([])
        elif not games:
            raise ReplayError(f'{path}, line {number}: a replay begins with a line that has "replay": {FORMAT}')
        games[-1].append((number, content))
    if not games:
        raise ReplayError(f"{path}: no game in it")
    return games


def _line(line: str, place: str) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except ValueError as error:
        raise ReplayError(f"{place}: not JSON ({error})") from None
    if not isinstance(content, dict):
        raise ReplayError(f"{place}: a JSON object is wanted, not {type(content).__name__}")
    return content


def _replay(lines: Sequence[tuple[int, dict[str, Any]]], path: str) -> Replay:
    (first, head), *rest = lines
    if head["replay"] != FORMAT:
        raise ReplayError(f"{path}, line {first}: replay format {head['replay']!r}; this version reads {FORMAT}")
    for key, kind in {"game": str, "settings": dict, "players": list}.items():
        if not isinstance(head.get(key), kind):
            raise ReplayError(f"{path}, line {first}: {key} is missing or no {kind.__name__}")
    if not isinstance(head.get("seed"), int) and not isinstance(head.get("start"), dict):
        raise ReplayError(f"{path}, line {first}: a seed or a position to start from is missing")
    end: dict[str, Any] = {}
    if rest and "payoffs" in rest[-1][1]:
        end = rest.pop()[1]
        payoffs = end["payoffs"]
        if not isinstance(payoffs, list) or not all(type(value) in (int, float) for value in payoffs):
            raise ReplayError(f"{path}, line {first + len(rest) + 1}: payoffs={payoffs!r}, numbers are wanted")
    for number, content in rest:
        if not all(type(content.get(key)) is int for key in ("seat", "action")):
            raise ReplayError(f"{path}, line {number}: whole numbers seat and action are wanted, not {content}")
    return Replay(
        game_id=head["game"],
        settings=head["settings"],
        seed=head.get("seed"),
        start=head.get("start"),
        players=head["players"],
        actions=[content["action"] for _, content in rest],
        seats=[content["seat"] for _, content in rest],
        payoffs=end.get("payoffs"),
        truncated=bool(end.get("truncated", False)),
        versions=head.get("versions", {}),
        path=path,
        first_line=first,
    )
