"""The page docs/agents/search.md: how strong agents are that search, and what they cost.

``python docs/make/search_page.py --measure`` plays what docs/agents/search.yaml asks for and is not there yet, a few
deals at a time, so that it can be stopped and started again; figures lie in docs/agents/search.json. It needs the
networks that the page tells how to train (``--networks FOLDER``), and leaves out what stands on one that is not there.
Without ``--measure`` the page is written from the figures, and ``--check`` says whether it is what they give.
"""

import argparse
import json
import pathlib
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import yaml
from written_page import write_or_check

from poopdeck.agents.loading import load_agent
from poopdeck.agents.search.agent import SearchAgent
from poopdeck.agents.search.base import Searching, Thought
from poopdeck.cli.progress import progress_bar
from poopdeck.envs.core import registry
from poopdeck.envs.tables.context import Context
from poopdeck.training.evaluation.intervals import rate_interval
from poopdeck.training.evaluation.match import play_games

PLAN, FIGURES, PAGE = (f"search.{kind}" for kind in ("yaml", "json", "md"))
FOLDER = pathlib.Path(__file__).parents[1] / "agents"
AT_ONCE = 16  # deals, where a table's plan does not say; always as many, so that its agents meet the same cards
SEED = 70_000
CHEAT = "cheat"  # the searcher that looks at all hands, for an upper bound


class Cheat(SearchAgent):
    """Searches in the true position, all hands and the order of the draw pile known; only later chance is dealt."""

    def think(self, context: Context) -> Thought:
        """As the searcher, in copies of where the tables stand."""
        tables: Any = context.positions.__self__  # type: ignore[attr-defined]

        def true(row: int, count: int, seed: int) -> np.ndarray:
            records = np.repeat(tables._records[row : row + 1], count)
            records["rng"] = np.random.default_rng(seed).integers(2**63, size=count, dtype=np.uint64)
            return records

        object.__setattr__(context, "positions", true)
        return super().think(context)


def load(name: str, place: tuple[str, int], networks: pathlib.Path) -> Any:
    """An agent of the plan; ``network:1`` is the network of seed 1 for this game and number of players."""
    game = registry.game(place[0])
    settings = game.spec.settings(place[1])
    text = name.replace("network:", f"{networks / f'{place[0]}_{place[1]}p_s'}")
    if name.partition(":")[0] != CHEAT:
        return load_agent(text, game, settings)
    agent = load_agent(f"search{text.removeprefix(CHEAT)}", game, settings)
    assert isinstance(agent, SearchAgent)
    return Cheat(agent.models, agent.options, name)


def missing(name: str, place: tuple[str, int], networks: pathlib.Path) -> bool:
    """Whether a network that the name speaks of is not there."""
    parts = name.split("network:")[1:]
    return not all((networks / f"{place[0]}_{place[1]}p_s{part[0]}" / "DONE").exists() for part in parts)


class Measured:
    """The figures of one agent at one table so far."""

    def __init__(self, kept: dict[str, Any]):
        self.kept = kept

    def play(self, agent: Any, others: Any, at_once: int) -> None:
        """So many more deals, each with the agent in every seat, or in all seats of its role."""
        game = registry.game(self.kept["game"])
        settings = game.spec.settings(self.kept["players"])
        roles = np.array(game.spec.seat_roles(settings))
        known = [role.name for role in game.spec.roles]
        seats = np.arange(len(roles))[:, None]
        if len(known) > 1:
            seats = np.flatnonzero(roles == known.index(self.kept["role"]))[None]
        own = np.tile(seats, (at_once, 1))
        lineups = np.ones((len(own), len(roles)), np.int64)
        lineups[np.arange(len(own))[:, None], own] = 0
        deals = np.repeat(np.arange(at_once), len(seats))
        spent = Spent(agent)
        seed = SEED + len(self.kept["hits"])
        results = play_games(game, settings, [agent, others], lineups, deals, seed)
        name, hit = next(iter(game.spec.parameters.rates(settings).items()))
        hits = np.any([hit(results.returns, seat) for seat in own.T], axis=0) & ~results.truncated
        if name == "loss_rate":
            hits |= results.truncated
        self.kept["rate"], self.kept["games_a_deal"] = name, len(seats)
        self.kept["hits"] += np.bincount(deals, hits).astype(int).tolist()
        self.kept["illegal"] = self.kept.get("illegal", 0) + int((results.forfeited >= 0).sum())
        for key, value in spent.taken().items():
            self.kept[key] = self.kept.get(key, 0) + value

    def figures(self) -> tuple[float, float, float, int]:
        """Rate, its interval, games."""
        each = self.kept["games_a_deal"]
        hits = np.array([deal for count in self.kept["hits"] for deal in [1] * count + [0] * (each - count)])
        return (*rate_interval(hits, np.repeat(np.arange(len(self.kept["hits"])), each)), len(hits))


class Spent:
    """What an agent's decisions take, if it searches."""

    def __init__(self, agent: Any):
        self.seconds, self.moves, self.deals = 0.0, 0, 0
        if isinstance(agent, Searching):
            agent.act_in = self.asked(type(agent).think, agent)  # type: ignore[method-assign]

    def asked(self, think: Any, agent: Any) -> Any:
        """Asks and counts."""

        def act_in(context: Context) -> np.ndarray:
            began = time.process_time()
            thought = think(agent, context)
            self.seconds += time.process_time() - began
            self.moves += int((thought.deals > 0).sum())
            self.deals += int(thought.deals.sum())
            return thought.actions

        return act_in

    def taken(self) -> dict[str, float]:
        """Seconds of one processor, decisions that were searched, deals."""
        return {"seconds": round(self.seconds, 3), "moves": self.moves, "deals": self.deals} if self.moves else {}


def wanted(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """What is to be measured, an entry for every agent at every table, with the number of deals."""
    found = []
    for table in plan["tables"]:
        for agent, deals in table["agents"].items():
            where = {key: table.get(key) for key in ("game", "players", "role", "against")}
            found.append({**where, "agent": agent, "wanted": deals, "at_once": table.get("at_once", AT_ONCE)})
    return found


def key_of(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What tells one measurement from another."""
    return tuple(entry.get(key) for key in ("game", "players", "role", "against", "agent"))


def measure(folder: pathlib.Path, networks: pathlib.Path, minutes: float, only: str | None) -> None:
    """Plays on where most is missing, until all is there or the time is over."""
    plan, figures = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8")), folder / FIGURES
    kept = json.loads(figures.read_text(encoding="utf-8")) if figures.exists() else []
    known = {key_of(entry): entry for entry in kept}
    agents: dict[Any, tuple[Any, Any]] = {}
    until = time.monotonic() + 60 * minutes
    todo = [entry for entry in wanted(plan) if only in (None, entry["game"])]
    with progress_bar("deals", sum(entry["wanted"] for entry in todo)) as update:
        while time.monotonic() < until:
            open_ = []
            for entry in todo:
                place = (entry["game"], entry["players"])
                done = len(known.get(key_of(entry), {}).get("hits", []))
                if done < entry["wanted"] and not missing(f"{entry['agent']} {entry['against']}", place, networks):
                    open_.append((done / entry["wanted"], key_of(entry), entry))
            if not open_:
                return
            _, key, entry = min(open_, key=lambda one: one[0])
            place = (entry["game"], entry["players"])
            if key not in agents:
                agents[key] = (load(entry["agent"], place, networks), load(entry["against"], place, networks))
            fresh = {name: value for name, value in entry.items() if name not in ("wanted", "at_once")} | {"hits": []}
            Measured(known.setdefault(key, fresh)).play(*agents[key], entry["at_once"])
            part = figures.with_suffix(".part")
            part.write_text(json_text(plan, known), encoding="utf-8")
            part.replace(figures)
            update(sum(len(entry["hits"]) for entry in known.values()))


def json_text(plan: dict[str, Any], known: dict[Any, dict[str, Any]]) -> str:
    """The figures in the order of the plan, one entry a line."""
    order = [key_of(entry) for entry in wanted(plan)]
    lines = [json.dumps(known[key]) for key in [*order, *(set(known) - set(order))] if key in known]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def page(plan: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    """The page's text."""
    known = {key_of(entry): entry for entry in entries}
    lines = [plan["introduction"].strip(), ""]
    heading = None
    for table in plan["tables"]:
        spec = registry.game(table["game"]).spec
        agents = [known.get(key_of({**table, "agent": agent})) for agent in table["agents"]]
        found = [entry for entry in agents if entry is not None]
        if not found:
            continue
        if heading != (table["game"], table["players"]):
            heading = table["game"], table["players"]
            lines += [f"## {spec.title}, {table['players']} players", ""]
            remark = plan.get("remarks", {}).get(f"{table['game']} {table['players']}")
            lines += [remark.strip(), ""] if remark else []
        what = {"loss_rate": "Games lost", "win_rate": "Games won"}[found[0]["rate"]]
        role = f" as {table['role']}" if table.get("role") else ""
        seats = "others" if not role else "seats of the other role"
        lines += [f"{what}{role} where `{table['against']}` has the {seats}:", ""]
        lines += ["| agent | rate | games | ms a move | deals a move |", "|---|---|---|---|---|"]
        lines += [row(entry) for entry in found] + [""]
    lines += ["## The networks", "", plan["networks"].strip(), ""]
    return "\n".join(lines)


def row(entry: dict[str, Any]) -> str:
    """A line of a table."""
    rate, low, high, games = Measured(entry).figures()
    took = ["", ""]
    if entry.get("moves"):
        took = [f"{1000 * entry['seconds'] / entry['moves']:.1f}", f"{entry['deals'] / entry['moves']:.0f}"]
    return f"| `{entry['agent']}` | {rate:.3f} [{low:.3f}, {high:.3f}] | {games:,} | {took[0]} | {took[1]} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--measure", action="store_true", help="play what is not played yet")
    parser.add_argument("--networks", type=pathlib.Path, default=pathlib.Path("runs/networks"), help="trained networks")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop measuring after so long")
    parser.add_argument("--only", help="measure this game only")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where plan, figures and page lie")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args(arguments)
    folder = options.folder
    if options.measure:
        measure(folder, options.networks, options.minutes, options.only)
    plan = yaml.safe_load((folder / PLAN).read_text(encoding="utf-8"))
    text = page(plan, json.loads((folder / FIGURES).read_text(encoding="utf-8")))
    written = f"figures in {folder / FIGURES}, page in {folder / PAGE}"
    return write_or_check(folder / PAGE, text, "search_page.py", options.check, written)


if __name__ == "__main__":
    sys.exit(main())
