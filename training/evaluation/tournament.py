"""Tournaments: every agent at table after table with the others, on the same deals, with seats rotated.

A tournament's folder::

    plan.json        who plays what, and the versions it began with
    games/           every game's result so far, to resume from
    replays/         whole games, one file a block of deals, if that was asked for
    tournament.json  all figures                cross_table.md   the same to read
    heat_map.png     the cross table as a picture

Nothing in it is ever pickled. A resumed tournament ends in the same figures as one that was never stopped.
"""

import importlib.util
import json
import pathlib
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.base import Agent
from ...agents.loading import load_agent, table_settings
from ...agents.random import RandomAgent
from ...envs.core.chance import seed_streams
from ...envs.core.game import Game
from ...envs.core.spec import Settings
from ..cluster.ray_executor import RayExecutor
from ..storage.checkpoint import Checkpoint, newest_checkpoint, save_checkpoint
from ..storage.plain_json import json_text, plain
from ..storage.replay import weights_digest
from ..storage.run_folder import RunFolder, RunFolderError, new_folder, versions, write_file
from .heat_map import heat_map
from .match import Match, SentMatch
from .saved_games import SavedGames
from .schedule import Schedule, make_schedule
from .standings import PlayedGames, standings
from .tournament_report import cross_table_page

FORMAT = "poopdeck-tournament-1"
SAVE_EVERY = 10.0  # seconds of playing that a crash can lose, and the games under way
BLOCKS = 23  # branch of the seed
GAMES = 20_000


@dataclass(frozen=True)
class Entry:
    """One participant: how it is called in all tables, and by which name it can be loaded again."""

    label: str
    agent: Agent
    source: str


@dataclass(frozen=True)
class Tournament:
    """How a tournament ended: ``content`` is what ``tournament.json`` holds, None if it was stopped before."""

    folder: pathlib.Path
    played: int
    games: int
    content: dict[str, Any] | None


@dataclass(frozen=True)
class Plan:
    """What is played by whom; a resumed tournament has the same."""

    game: Game
    settings: Settings
    entries: list[Entry]
    games: int
    seed: int
    greedy: bool
    schedule: Schedule

    def facts(self) -> dict[str, Any]:
        """As ``plan.json`` has it."""
        agents = [
            {"label": entry.label, "agent": entry.source, "weights": weights_digest(entry.agent)}
            for entry in self.entries
        ]
        return {
            "format": FORMAT,
            "game": self.game.spec.id,
            "settings": dict(self.settings),
            "agents": agents,
            "games": self.games,
            "seed": self.seed,
            "greedy": self.greedy,
        }


def make_plan(
    game: Game,
    settings: Settings,
    entries: Sequence[Entry],
    games: int = GAMES,
    seed: int = 0,
    greedy: bool = True,
) -> Plan:
    """A tournament of at least ``games`` games; ``greedy`` only notes how the networks among the agents choose.

    Raises:
        ValueError: fewer than two agents, labels that are not distinct, a game with roles, no games.
    """
    spec = game.spec
    if len(set(spec.seat_roles(settings))) > 1:
        roles = ", ".join(role.name for role in spec.roles)
        raise ValueError(f"{spec.name} has seats of several roles ({roles}); tournaments are for games with one")
    if len(entries) < 2:
        raise ValueError(f"agents: {len(entries)} given; a tournament needs two or more")
    twice = [label for label, count in Counter(entry.label for entry in entries).items() if count > 1]
    if twice:
        raise ValueError(f"label {twice[0]!r} is given to several agents; write LABEL=AGENT to call them differently")
    if not isinstance(games, int) or games < 1:
        raise ValueError(f"games={games!r}: allowed is a whole number from 1")
    seed_streams(seed, 1)  # says what a seed is
    schedule = make_schedule(len(entries), spec.num_seats(settings), games, seed)
    return Plan(game, settings, list(entries), games, seed, greedy, schedule)


def load_entries(names: Sequence[str], game: Game, settings: Settings, greedy: bool = True) -> list[Entry]:
    """Agents by name (see ``load_agent``), each alone or as ``LABEL=AGENT``.

    Without a label an agent is called by its own name; where several have the same, as they were given, and one that
    was given again with a number.
    """
    return _load_entries([_split_label(name) for name in names], game, settings, greedy)


def _load_entries(given: Sequence[tuple[str, str]], game: Game, settings: Settings, greedy: bool) -> list[Entry]:
    agents = [load_agent(source, game, settings, greedy) for _, source in given]
    own = Counter(agent.name for agent in agents)
    labels: list[str] = []
    for (label, source), agent in zip(given, agents, strict=True):
        stem = label or (agent.name if own[agent.name] == 1 else source)
        number = 1
        unique = stem
        while not label and unique in labels:
            number += 1
            unique = f"{stem}#{number}"
        labels.append(unique)
    return [Entry(label, agent, source) for label, agent, (_, source) in zip(labels, agents, given, strict=True)]


def _split_label(name: str) -> tuple[str, str]:
    """("", agent) or (label, agent); an ``=`` after a colon or in a path is the agent's own."""
    label, equals, source = name.partition("=")
    if not equals or set(label) & set(":/\\"):
        return "", name
    if not label or not source:
        raise ValueError(f"agent {name!r}: the form is AGENT or LABEL=AGENT")
    return label, source


class TournamentFolder(RunFolder):
    """A tournament's folder, held by one process at a time. Use it as a context."""

    def __init__(self, path: pathlib.Path, resume: bool = False):
        super().__init__(path, resume)
        self.config_path = path / "plan.json"
        self.result_path = path / "tournament.json"
        self.checkpoints = path / "games"

    def begin_plan(self, plan: Plan) -> list[str]:
        """Writes plan and versions down; of a resumed tournament, checks that they are the same. Returns warnings."""
        facts = plan.facts()
        if self.config_path.is_file():
            before = read_plan(self.path)
            _refuse_other(self.path, before, facts)
            return self._changed_versions()
        write_file(self.config_path, json_text(facts, 2) + "\n")
        write_file(self.path / "versions.json", json_text(versions(), 2) + "\n")
        return []


def _refuse_other(path: pathlib.Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """RunFolderError if a tournament would go on otherwise than it began."""
    for one, other in zip(before["agents"], now["agents"], strict=False):
        if one["agent"] == other["agent"] and one["weights"] != other["weights"]:
            raise RunFolderError(f"{path}: the network {one['agent']} is not the one that the tournament began with")
    flat = [
        {**facts, **facts["settings"], "agents": ", ".join(entry["label"] for entry in facts["agents"])}
        for facts in (before, now)
    ]
    for key, value in flat[1].items():
        if key != "settings" and flat[0].get(key) != value:
            raise RunFolderError(
                f"{path}: the tournament was begun with {key}={flat[0].get(key)!r}, not {value!r}; "
                "it can only go on as it began"
            )


def read_plan(folder: pathlib.Path) -> dict[str, Any]:
    """What ``Plan.facts`` wrote; RunFolderError if there is none."""
    path = folder / "plan.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunFolderError(f"{folder}: no plan of a tournament there that can be resumed ({error})") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise RunFolderError(f"{path}: not a plan of format {FORMAT}")
    return facts


def run_tournament(
    plan: Plan,
    out: pathlib.Path | str | None = None,
    resume: bool = False,
    threads: int = 2,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda text: None,
    save_every: int | None = None,
    cluster: RayExecutor | None = None,
) -> Tournament:
    """Plays a tournament into the folder ``out`` (by default a new one below ``runs``), or goes on with the one there.

    ``on_progress`` is told how many games are done, ``say`` what a person should know; once ``stop()`` is true (and on
    Ctrl-C) what was played is saved and the tournament ends early. Every ``save_every``-th game of a block of deals is
    written to the folder's ``replays``. A ``cluster`` plays the games in this process's place, with the same figures.

    Raises:
        ValueError: ``save_every`` on a cluster.
        RunFolderError: the folder is not empty, in use, or holds another tournament.
        ImportError: a library is missing that only the results need.
    """
    _require("choix", "matplotlib")
    if cluster is not None and save_every is not None:
        raise ValueError("save_every: games that are played on a cluster cannot be written down")
    path = new_folder(f"tournament-{plan.game.spec.name}") if out is None else pathlib.Path(out)
    with TournamentFolder(path, resume) as folder:
        for warning in folder.begin_plan(plan):
            say(warning)
        play = _Playing(plan, folder, threads, say, save_every, cluster)
        try:
            on_progress(play.games)
            while play.left and not stop():
                play.block(on_progress)
            play.save()
            if not play.left:
                content = _content(plan, play)
                write_file(path / "cross_table.md", cross_table_page(content))
                write_file(path / "heat_map.png", heat_map(content))
                write_file(folder.result_path, json_text(content, 1) + "\n")
                return Tournament(path, play.games, plan.schedule.games, content)
        except KeyboardInterrupt:  # a second Ctrl-C: the games under way are lost
            pass
        finally:
            play.give_up()
        return Tournament(path, play.saved, plan.schedule.games, None)


class _Playing:
    """The games of a tournament, block after block of deals, kept in its folder."""

    def __init__(
        self,
        plan: Plan,
        folder: TournamentFolder,
        threads: int,
        say: Callable[[str], None],
        save_every: int | None,
        cluster: RayExecutor | None,
    ):
        self.save_every, self.cluster = save_every, cluster
        self.sent: deque[SentMatch] = deque()  # blocks that a cluster plays, the next one first
        self.plan, self.folder, self.threads = plan, folder, threads
        self.blocks = plan.schedule.blocks()
        self.parts: list[PlayedGames] = []
        self.done, self.saved, self.seconds = 0, 0, 0.0
        found = newest_checkpoint(folder.checkpoints, say)
        if found is not None:
            self.parts = [PlayedGames(**found[1].tensors)]
            self.done, self.seconds = found[1].facts["blocks"], found[1].facts["seconds"]
            self.saved = self.games
        self._saved_at = time.monotonic()

    @property
    def left(self) -> int:
        """Blocks not yet played."""
        return len(self.blocks) - self.done

    @property
    def games(self) -> int:
        """Games played."""
        return sum(len(part.deals) for part in self.parts)

    def block(self, on_progress: Callable[[int], None]) -> None:
        """Plays the next block, and saves now and then."""
        began, before = time.perf_counter(), self.games
        match, deals = self._match(self.done, self._saver())

        def tell(games: int) -> None:
            on_progress(before + games)

        if self.cluster is not None:
            results = self._next_sent(self.cluster).results(tell)
        else:
            results = match.play(self.threads, tell)
        self.parts.append(
            PlayedGames(
                match.lineups.astype(np.int16),
                deals.astype(np.int32),
                results.returns,
                results.lengths,
                results.truncated,
                results.forfeited.astype(np.int16),
            )
        )
        self.done += 1
        self.seconds += time.perf_counter() - began
        if time.monotonic() - self._saved_at > SAVE_EVERY:
            self.save()

    def _match(self, block: int, save: SavedGames | None = None) -> tuple[Match, np.ndarray]:
        """A block's games, and their deals int (n,)."""
        plan, deals = self.plan, self.blocks[block]
        lineups, local = plan.schedule.lineups(block, deals)
        agents = [entry.agent for entry in plan.entries]
        # a block's deals and chance are its own, and do not hang on what was played before
        seed = int(seed_streams(plan.seed, block + 1, BLOCKS)[-1])
        return Match(plan.game, plan.settings, agents, lineups, local, seed, save), local + deals.start

    def _next_sent(self, cluster: RayExecutor) -> SentMatch:
        """The next block, sent together with as many after it as keep the cluster busy."""
        last = self.done + len(self.sent)
        while last < len(self.blocks) and (len(self.sent) < 2 or self._parts_sent() < 2 * cluster.workers):
            self.sent.append(self._match(last)[0].send(cluster))
            last += 1
        return self.sent.popleft()

    def give_up(self) -> None:
        """Ends what a cluster still plays."""
        for match in self.sent:
            match.cancel()

    def _parts_sent(self) -> int:
        return sum(match.parts for match in self.sent)

    def _saver(self) -> SavedGames | None:
        """What writes down games of the next block; a file left by a tournament that was stopped within it goes."""
        if self.save_every is None:
            return None
        path = self.folder.path / "replays" / f"{self.done:06d}.jsonl"
        path.unlink(missing_ok=True)
        return SavedGames(path, self.save_every)

    def save(self) -> None:
        """Keeps what was played, if any of it is not kept yet."""
        if self.games > self.saved:
            self.parts = [PlayedGames.joined(self.parts)]
            facts = {"blocks": self.done, "seconds": self.seconds}
            save_checkpoint(self.folder.checkpoints, self.games, Checkpoint(self.parts[0].tensors(), facts))
            self.saved = self.games
        self._saved_at = time.monotonic()


def _content(plan: Plan, play: _Playing) -> dict[str, Any]:
    labels = [entry.label for entry in plan.entries]
    randoms = [place for place, entry in enumerate(plan.entries) if isinstance(entry.agent, RandomAgent)]
    spec, schedule = plan.game.spec, plan.schedule
    facts = {
        **plan.facts(),
        "title": spec.title,
        "games": schedule.games,
        "deals": schedule.deals,
        "seats": schedule.seats,
        "make_ups": len(np.unique(schedule.make_ups, axis=0)),
        "possible_make_ups": schedule.possible,
        "sample": schedule.sample,
        "payoff_sum": spec.parameters.payoff_sum(plan.settings),
    }
    [played] = play.parts
    found = standings(plan.game, plan.settings, labels, played, randoms[0] if randoms else None, plan.seed)
    run = {"seconds": round(play.seconds, 3), "versions": versions()}
    return plain({**facts, **found, "run": run})


def _require(*libraries: str) -> None:
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(f'tournaments need {" and ".join(missing)}: pip install "poopdeck[train]"')


def tournament_request(
    game: str | None,
    agents: Sequence[str] | None,
    players: int | None,
    options: Mapping[str, Any],
    games: int | None,
    seed: int | None,
    sampled: bool | None,
    resume_from: pathlib.Path | None,
    variant: str | None = None,
) -> Plan:
    """The plan that ``poopdeck tournament`` was asked for; of a resumed one, what was not given is as it began.

    ``options`` are parameters as texts; they change those of the ``variant``.
    """
    from ...envs.core import registry

    kept: dict[str, Any] = {}
    if resume_from is not None and ((resume_from / "plan.json").exists() or game is None or not agents):
        kept = read_plan(resume_from)  # else it was stopped before it began, or the folder will be told of
    if not kept and (game is None or not agents):
        raise ValueError("a game and two or more agents are needed, such as: poo_head random heuristic")
    found = registry.game(game or kept["game"])
    usual = dict(kept["settings"]) if kept and kept["game"] == found.spec.id else {}
    before = usual.pop("num_players", None)
    named = [_split_label(name) for name in agents or []] or [(k["label"], k["agent"]) for k in kept["agents"]]
    given = found.spec.parse_options(options)
    if kept:  # one that goes on has its parameters
        parameters = {**usual, **found.spec.variant_options(variant), **given}
        settings = found.spec.variant_settings(None, before if players is None else players, parameters)
    else:
        settings, _ = table_settings(found.spec, [source for _, source in named], players, variant, given)
    greedy = not sampled if sampled is not None else kept.get("greedy", True)
    return make_plan(
        found,
        settings,
        _load_entries(named, found, settings, greedy),
        kept.get("games", GAMES) if games is None else games,
        kept.get("seed", 0) if seed is None else seed,
        greedy,
    )
